//! What can be watched, and what it will have shown.

use crate::article::StoryId;
use crate::site::{Offer, Site};
use crate::subject::Topic;
use crate::world::World;
use jiff::Timestamp;
use model::SourceKind;
use std::net::SocketAddr;
use url::Url;

/// Something a site offers to be watched.
#[derive(Debug, Clone)]
pub struct DemoSource {
    /// Where it is.
    pub url: Url,
    /// What to call it.
    pub title: String,
    /// What a monitor should take it for.
    pub kind: SourceKind,
    /// The index of its site.
    pub site: usize,
    /// What exactly it is.
    pub offer: Offer,
    /// The slug of its section, if it shows only that.
    pub section: Option<&'static str>,
}

/// An article that is out, and where it could be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedArticle {
    /// Its canonical address.
    pub url: Url,
    /// Its headline.
    pub title: String,
    /// When it came out.
    pub published_at: Timestamp,
    /// The sources that listed it from then on, until newer articles pushed it out.
    pub listed_on: Vec<Url>,
    /// The index of its site.
    pub site: usize,
    /// Its topic.
    pub topic: Topic,
    /// The country it is about.
    pub country: &'static str,
    /// The sport it is about.
    pub sport: Option<&'static str>,
    /// The story it tells, if others may tell it too.
    pub story: Option<StoryId>,
}

/// Every source of every site.
pub(super) fn sources(world: &World, addresses: &[SocketAddr]) -> Vec<DemoSource> {
    world.sites().iter().zip(addresses).flat_map(|(site, address)| of_site(site, *address)).collect()
}

fn of_site(site: &Site, address: SocketAddr) -> Vec<DemoSource> {
    let mut sources = Vec::new();
    let mut add = |path: &str, title: String, offer: Offer, section: Option<&'static str>| {
        if let Some(url) = url(address, path) {
            sources.push(DemoSource { url, title, kind: kind(offer), site: site.index, offer, section });
        }
    };
    for offer in site.offers {
        let name = &site.name;
        let title = match offer {
            Offer::Sections => {
                for section in site.sections {
                    let title = format!("{name}: {}", section.name);
                    add(&format!("/{}/", section.slug), title, *offer, Some(section.slug));
                }
                continue;
            }
            Offer::Front => name.clone(),
            Offer::Rss | Offer::Atom | Offer::Rdf | Offer::JsonFeed => format!("{name} (feed)"),
            Offer::Sitemap | Offer::NewsSitemap | Offer::SitemapIndex => format!("{name} (sitemap)"),
        };
        add(offer.path(), title, *offer, None);
    }
    sources
}

fn kind(offer: Offer) -> SourceKind {
    match offer {
        Offer::Front | Offer::Sections => SourceKind::ArticleList,
        Offer::Rss | Offer::Atom | Offer::Rdf | Offer::JsonFeed => SourceKind::Feed,
        Offer::Sitemap | Offer::NewsSitemap | Offer::SitemapIndex => SourceKind::Sitemap,
    }
}

/// The address of a path on a site.
pub(super) fn url(address: SocketAddr, path: &str) -> Option<Url> {
    Url::parse(&format!("http://{address}{path}")).ok()
}
