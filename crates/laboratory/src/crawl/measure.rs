//! What a simulated crawl brought.

use std::time::Duration;

/// One crawl.
#[derive(Debug, Clone, Default)]
pub struct Crawled {
    /// Page by page: was it on the topic, by its label?
    pub hits: Vec<bool>,
    /// Page by page: did the crawl say so?
    pub kept: Vec<bool>,
    /// Pages of the topic in the whole web.
    pub relevant: usize,
    /// What it took, reading included.
    pub cpu: Duration,
    /// Page by page: the processor time used up to there.
    pub clock: Vec<Duration>,
    /// Page by page: made by a trap?
    pub traps: usize,
}

impl Crawled {
    /// The share of the first pages that were on the topic. A crawl that ran dry found nothing more.
    pub fn harvest(&self, pages: usize) -> f64 {
        if pages == 0 { 0.0 } else { self.found(pages) as f64 / pages as f64 }
    }

    /// Pages on the topic among the first.
    pub fn found(&self, pages: usize) -> usize {
        self.hits.iter().take(pages).filter(|hit| **hit).count()
    }

    /// Of what the crawl kept among the first pages, the share that is on the topic; and of what it fetched on the topic, the
    /// share it kept.
    pub fn precision_and_recall(&self, pages: usize) -> (f64, f64) {
        let both = self.hits.iter().zip(&self.kept).take(pages);
        let right = both.clone().filter(|(hit, kept)| **hit && **kept).count() as f64;
        let kept = both.clone().filter(|(_, kept)| **kept).count() as f64;
        let hits = both.filter(|(hit, _)| **hit).count() as f64;
        (if kept > 0.0 { right / kept } else { 0.0 }, if hits > 0.0 { right / hits } else { 0.0 })
    }

    /// The harvest after every so many pages.
    pub fn curve(&self, step: usize, pages: usize) -> Vec<(f64, f64)> {
        (step..=pages).step_by(step.max(1)).map(|at| (at as f64, self.harvest(at))).collect()
    }
}
