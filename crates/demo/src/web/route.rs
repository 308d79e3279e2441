//! What a path on a site means.

use crate::article::KnownArticle;
use crate::layout::PLACES;
use crate::site::{Offer, Section, Site};
use crate::sitemap::day_at;
use crate::world::World;
use jiff::Timestamp;
use std::sync::Arc;

/// What was asked for.
#[derive(Debug)]
pub(super) enum Route {
    /// A page of the front page (no section) or of a section, from 1.
    List(Option<&'static Section>, usize),
    Feed(Offer),
    DaySitemap(i64),
    Article(Arc<KnownArticle>),
    Robots,
    /// Furniture leads here.
    Plain,
    Missing,
}

impl Route {
    /// What `path` with `query` means on a site at `now`.
    pub(super) fn of(world: &World, site: &Site, path: &str, query: &str, now: Timestamp) -> Self {
        if path == "/robots.txt" {
            return Self::Robots;
        }
        let slug = path.trim_matches('/');
        if slug.is_empty() {
            return Self::List(None, page_number(query));
        }
        if let Some(section) = site.section(slug) {
            return Self::List(Some(section), page_number(query));
        }
        let feed = |offer: &&Offer| !matches!(offer, Offer::Front | Offer::Sections) && offer.path() == path;
        if let Some(offer) = site.offers.iter().find(feed) {
            return Self::Feed(*offer);
        }
        if let Some(day) = day_at(path).filter(|_| site.offers.contains(&Offer::SitemapIndex)) {
            return Self::DaySitemap(day);
        }
        if let Some(article) = world.article(site.index, &canonical(path, query), now) {
            return Self::Article(article);
        }
        if slug.split('/').next().is_some_and(|first| PLACES.contains(&first)) {
            return Self::Plain;
        }
        Self::Missing
    }
}

/// The path as the world knows it: tracking parameters mean nothing.
fn canonical(path: &str, query: &str) -> String {
    let kept: Vec<&str> =
        query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("utm_")).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

/// The page asked for, at least 1; with a ceiling, because nobody reads on for ever.
fn page_number(query: &str) -> usize {
    let number = query.split('&').find_map(|pair| pair.strip_prefix("page=")?.parse().ok());
    number.unwrap_or(1).clamp(1, 1000)
}
