//! What goes wrong, on purpose.

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

/// How a site behaves. The default is: well.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// Answers everything with 503 and this `Retry-After`.
    pub down: Option<Duration>,
    /// Really waits this long before each answer.
    pub slow: Duration,
    /// Answers everything with 410.
    pub gone: bool,
    /// Further `Disallow` paths in `robots.txt`; `/` closes the site.
    pub disallow: Vec<String>,
    /// `Crawl-delay` in `robots.txt`, in seconds, instead of the site's own.
    pub crawl_delay: Option<u32>,
}

/// The behaviour of every site, changeable while the web runs.
#[derive(Debug)]
pub struct Scene(RwLock<Vec<Behaviour>>);

impl Scene {
    pub(super) fn new(sites: usize) -> Self {
        Self(RwLock::new(vec![Behaviour::default(); sites]))
    }

    /// How a site behaves now; well, if there is no such site.
    pub fn of(&self, site: usize) -> Behaviour {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(site).cloned().unwrap_or_default()
    }

    /// Changes how a site behaves, from the next request on.
    pub fn set(&self, site: usize, behaviour: Behaviour) {
        if let Some(slot) = self.0.write().unwrap_or_else(PoisonError::into_inner).get_mut(site) {
            *slot = behaviour;
        }
    }

    /// All well again, everywhere.
    pub fn calm(&self) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).fill(Behaviour::default());
    }
}
