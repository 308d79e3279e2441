//! The dates that pages give their articles: often only a day, and articles are listed late.

use crate::policy::News;
use crate::week::{after_hours, hours_between};
use jiff::Timestamp;

/// Fewer dated articles tell nothing of how many a source publishes.
const FEWEST: usize = 4;

/// Articles found at `at` that were not there at `until`: whatever their dates say, they came between. Of those dated before, the
/// middle errs least.
pub(crate) fn between(news: &[News], until: Timestamp, at: Timestamp) -> Vec<News> {
    let at = at.max(until);
    let middle = after_hours(until, hours_between(until, at) / 2.0);
    let middle = if middle > until { middle } else { at };
    let dated = |news: &News| News {
        at: if news.at > until { news.at.min(at) } else { middle },
        folders: news.folders.clone(),
    };
    news.iter().map(dated).collect()
}

/// The newer half of what a page shows at the first visit, and since when it was published. One old article that stays pinned does
/// not make a source look quiet that way. Articles without a date of their own, as old as the visit, do not count.
pub(crate) fn newer_half(news: &[News], at: Timestamp) -> Option<(Timestamp, Vec<&News>)> {
    let mut dated: Vec<&News> = news.iter().filter(|news| news.at < at).collect();
    if dated.len() < FEWEST {
        return None;
    }
    dated.sort_by_key(|news| news.at);
    let newer = dated.split_off(dated.len() / 2);
    // From the median on: it begins the time and is not counted in it.
    let (median, newer) = newer.split_first()?;
    Some((median.at, newer.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    fn dated(seconds: &[i64]) -> Vec<News> {
        seconds.iter().map(|second| News { at: at(*second), folders: vec![] }).collect()
    }

    proptest! {
        #[test]
        fn nothing_is_dropped_and_all_came_between(
            seconds in prop::collection::vec(-50..250_i64, 0..20), until in 0..100_i64, later in 1..100_i64
        ) {
            let news = between(&dated(&seconds), at(until), at(until + later));
            prop_assert_eq!(news.len(), seconds.len());
            for (news, second) in news.iter().zip(seconds) {
                prop_assert!(news.at > at(until) && news.at <= at(until + later));
                prop_assert!(!(until + 1..=until + later).contains(&second) || news.at == at(second));
            }
        }

        #[test]
        fn the_newer_half_is_as_the_naive_one(seconds in prop::collection::vec(0..120_i64, 0..20)) {
            let mut sorted: Vec<i64> = seconds.iter().copied().filter(|second| *second < 100).collect();
            sorted.sort_unstable();
            let news = dated(&seconds);
            let Some((from, newer)) = newer_half(&news, at(100)) else {
                prop_assert!(sorted.len() < FEWEST);
                return Ok(());
            };
            prop_assert_eq!(from, at(sorted[sorted.len() / 2]));
            let newer: Vec<i64> = newer.iter().map(|news| news.at.as_second()).collect();
            prop_assert_eq!(&newer[..], &sorted[sorted.len() / 2 + 1..]);
        }
    }
}
