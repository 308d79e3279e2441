//! The ceiling: a crawl that knows the label behind every link, and takes the oldest good one.

use super::measure::Crawled;
use super::web::SavedWeb;
use std::collections::VecDeque;

pub(crate) fn oracle(web: &SavedWeb, relevant: &[bool], seeds: &[usize], pages: usize) -> Crawled {
    let is_relevant = |place: usize| relevant.get(place).copied().unwrap_or(false);
    let mut known = vec![false; web.pages.len()];
    let (mut good, mut other): (VecDeque<usize>, VecDeque<usize>) = (VecDeque::new(), VecDeque::new());
    let mut crawled = Crawled { relevant: relevant.iter().filter(|one| **one).count(), ..Crawled::default() };
    for seed in seeds {
        known[*seed] = true;
        good.push_back(*seed);
    }
    while crawled.hits.len() < pages
        && let Some(place) = good.pop_front().or_else(|| other.pop_front())
    {
        crawled.hits.push(is_relevant(place));
        crawled.kept.push(is_relevant(place));
        for to in web.links(place) {
            if !std::mem::replace(&mut known[to], true) {
                if is_relevant(to) { good.push_back(to) } else { other.push_back(to) }
            }
        }
    }
    crawled
}
