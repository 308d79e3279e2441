//! What a site asks of robots.

use super::scene::Behaviour;
use crate::markup::Markup;
use crate::site::{Offer, Site};

/// The `robots.txt` of a site as it behaves now.
pub(super) fn robots(site: &Site, base: &str, behaviour: &Behaviour) -> String {
    let mut out = Markup::default();
    out.push("User-agent: *\nDisallow: /search\nDisallow: /private/\nDisallow: /login\n");
    for path in &behaviour.disallow {
        writeln!(out, "Disallow: {path}");
    }
    if let Some(seconds) = behaviour.crawl_delay.or(site.delivery.crawl_delay) {
        writeln!(out, "Crawl-delay: {seconds}");
    }
    for offer in site.offers {
        if matches!(offer, Offer::Sitemap | Offer::NewsSitemap | Offer::SitemapIndex) {
            writeln!(out, "Sitemap: {base}{}", offer.path());
        }
    }
    out.into_string()
}
