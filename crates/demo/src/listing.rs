//! Which articles an offer shows at a moment. Pages and truth both ask here, so they cannot differ.

use crate::article::KnownArticle;
use crate::calendar::{DAY_SECONDS, at_second, day_of};
use crate::feed::FEED_SIZE;
use crate::site::Offer;
use crate::sitemap::{INDEX_DAYS, NEWS_HOURS, SITEMAP_SIZE};
use crate::world::World;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;

impl World {
    /// What `offer` of a site shows at `at`, newest first. `section` matters only to [`Offer::Sections`].
    pub fn listing(
        &self,
        site: usize,
        offer: Offer,
        section: Option<&str>,
        at: Timestamp,
    ) -> Vec<Arc<KnownArticle>> {
        let since = |begin: Timestamp| {
            self.with_history(site, at, |history| {
                let newest = history.until(at).iter().rev();
                newest.take_while(|article| article.published_at >= begin).cloned().collect()
            })
        };
        match offer {
            Offer::Front => self.newest(site, None, at, 0, self.sites()[site].page_size),
            Offer::Sections => self.newest(site, section, at, 0, self.sites()[site].page_size),
            Offer::Rss | Offer::Atom | Offer::Rdf | Offer::JsonFeed => {
                self.newest(site, None, at, 0, FEED_SIZE)
            }
            Offer::Sitemap => self.newest(site, None, at, 0, SITEMAP_SIZE),
            Offer::NewsSitemap => since(at - SignedDuration::from_hours(NEWS_HOURS)),
            Offer::SitemapIndex => since(at_second((day_of(at) - INDEX_DAYS + 1) * DAY_SECONDS)),
        }
    }
}
