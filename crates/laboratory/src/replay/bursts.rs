//! Which articles lie in a burst, whoever visits: their source brought far more than usual at that time of the day.
//!
//! Two-hour windows of UTC. Usual is the source's mean of the same two hours, working days and weekends apart, over the whole
//! history. A burst has at least three articles and lies three standard deviations of a Poisson count above the usual.

use super::trace::Trace;
use jiff::Timestamp;

const WINDOW: i64 = 7200;
const DAY: i64 = 86_400;
/// Windows of a day, working days and weekends apart.
const SLOTS: usize = 24;
const FEWEST: f64 = 3.0;
const DEVIATIONS: f64 = 3.0;

/// For each article, whether it lies in a burst.
pub(super) fn in_bursts(trace: &Trace) -> Vec<bool> {
    let mut marked = vec![false; trace.articles().len()];
    let (Some(first), Some(last)) = (trace.articles().first(), trace.articles().last()) else {
        return marked;
    };
    let (from, to) = (window(first.at), window(last.at));
    let mut days = [0.0_f64; SLOTS];
    for window in from..=to {
        if let Some(day) = days.get_mut(slot(window)) {
            *day += 1.0;
        }
    }
    for source in trace.sources() {
        let articles = || source.articles.iter().filter_map(|at| Some((*at, trace.articles().get(*at)?)));
        let mut usual = [0.0_f64; SLOTS];
        for (_, article) in articles() {
            let slot = slot(window(article.at));
            if let (Some(usual), Some(days)) = (usual.get_mut(slot), days.get(slot)) {
                *usual += 1.0 / days;
            }
        }
        let places: Vec<(usize, i64)> = articles().map(|(at, article)| (at, window(article.at))).collect();
        for together in places.chunk_by(|one, next| one.1 == next.1) {
            let expected = together.first().and_then(|(_, window)| usual.get(slot(*window)));
            let (count, expected) = (together.len() as f64, expected.copied().unwrap_or(0.0));
            if count >= FEWEST.max(expected + DEVIATIONS * expected.max(1.0).sqrt()) {
                for (at, _) in together {
                    if let Some(mark) = marked.get_mut(*at) {
                        *mark = true;
                    }
                }
            }
        }
    }
    marked
}

fn window(at: Timestamp) -> i64 {
    at.as_second().div_euclid(WINDOW)
}

fn slot(window: i64) -> usize {
    let day = (window * WINDOW).div_euclid(DAY);
    // The first of January 1970 was a Thursday.
    let is_weekend = (day + 3).rem_euclid(7) >= 5;
    (window.rem_euclid(12) + if is_weekend { 12 } else { 0 }) as usize
}
