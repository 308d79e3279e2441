//! What a simulated crawl walks on.

use super::web::SavedWeb;
use discovery::crawl::PageSigns;
use page::WebPage;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// A web that can be asked, and that knows the truth.
pub trait Ground: Sync {
    /// The page at an address.
    fn fetch(&self, url: &Url) -> Option<Fetched>;
    /// Is what stands there on the topic?
    fn is_relevant(&self, url: &Url) -> bool;
    /// Is it part of a set without end that brings nothing?
    fn is_trap(&self, url: &Url) -> bool {
        let _ = url;
        false
    }
    /// Pages on the topic.
    fn relevant(&self) -> usize;
}

/// A page as a crawl takes it.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// What it says.
    pub page: Arc<WebPage>,
    /// What it shows to any crawl.
    pub signs: Arc<PageSigns>,
    /// What reading it took.
    pub cost: Duration,
}

/// A saved web, and which of its pages are on the topic.
#[derive(Debug)]
pub struct Labelled<'a> {
    /// The web.
    pub web: &'a SavedWeb,
    /// By place: is the page on the topic?
    pub relevant: &'a [bool],
}

impl Ground for Labelled<'_> {
    fn fetch(&self, url: &Url) -> Option<Fetched> {
        let saved = self.web.pages.get(self.web.place(url)?)?;
        Some(Fetched { page: Arc::clone(&saved.page), signs: Arc::clone(&saved.signs), cost: saved.cost })
    }

    fn is_relevant(&self, url: &Url) -> bool {
        self.web.place(url).and_then(|place| self.relevant.get(place)).is_some_and(|relevant| *relevant)
    }

    fn relevant(&self) -> usize {
        self.relevant.iter().filter(|one| **one).count()
    }
}
