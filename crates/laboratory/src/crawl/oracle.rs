//! The ceiling: a crawl that knows the label behind every link, and takes the oldest good one.

use super::ground::Ground;
use super::measure::Crawled;
use std::collections::{HashSet, VecDeque};
use url::Url;

/// Crawls from the seeds with the truth at hand.
pub fn oracle(ground: &dyn Ground, seeds: &[Url], pages: usize) -> Crawled {
    let mut known: HashSet<Url> = seeds.iter().cloned().collect();
    let (mut good, mut other): (VecDeque<Url>, VecDeque<Url>) =
        (seeds.iter().cloned().collect(), VecDeque::new());
    let mut crawled = Crawled { relevant: ground.relevant(), ..Crawled::default() };
    while crawled.hits.len() < pages
        && let Some(url) = good.pop_front().or_else(|| other.pop_front())
    {
        let Some(fetched) = ground.fetch(&url) else { continue };
        let relevant = ground.is_relevant(&url);
        crawled.hits.push(relevant);
        crawled.kept.push(relevant);
        crawled.traps += usize::from(ground.is_trap(&url));
        for link in &fetched.page.links {
            if known.insert(link.url.clone()) {
                if ground.is_relevant(&link.url) { &mut good } else { &mut other }
                    .push_back(link.url.clone());
            }
        }
    }
    crawled
}
