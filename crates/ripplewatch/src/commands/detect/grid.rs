//! The windows of a count series: how long they are, and that every time begins one.

use super::rows::Series;
use crate::exit::bad_input;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::time::Duration;

/// A count is of a while: shorter steps than this are times of single articles.
const SHORTEST: i64 = 60_000;
/// And longer ones are no activity that could be reacted to.
const LONGEST: i64 = 31 * 86_400_000;
/// What a window is where there is only one time.
const DEFAULT: i64 = 2 * 3_600_000;

/// Windows of one length, each beginning where the one before ends.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) window: SignedDuration,
}

impl Grid {
    /// The grid of a series: the window as asked for, else the most common step between its times.
    pub(super) fn of(series: &Series, asked: Option<Duration>, file: &str) -> anyhow::Result<Self> {
        let mut times: Vec<i64> = series.rows.iter().map(|row| row.time).collect();
        times.dedup();
        let length = match asked {
            Some(asked) => i64::try_from(asked.as_millis()).unwrap_or(i64::MAX),
            None => most_common(times.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?)))
                .unwrap_or(DEFAULT),
        };
        if !(SHORTEST..=LONGEST).contains(&length) {
            return Err(bad_input(format!(
                "{file}: windows of {:#} cannot be used, only of a minute to 31 days; add up the counts, or give --window",
                SignedDuration::from_millis(length)
            )));
        }
        let window = SignedDuration::from_millis(length);
        let phase = most_common(times.iter().map(|time| time.rem_euclid(length))).unwrap_or(0);
        if let Some(row) = series.rows.iter().find(|row| row.time.rem_euclid(length) != phase) {
            let time = Timestamp::from_millisecond(row.time).unwrap_or_default();
            let before = (row.time - phase).div_euclid(length) * length + phase;
            let before = Timestamp::from_millisecond(before).unwrap_or_default();
            return Err(bad_input(format!(
                "{file}, line {}: {time} does not begin a window: they are {window:#} long, and this one began at {before}; \
                 mend the time, or give the length with --window",
                row.line
            )));
        }
        Ok(Self { window })
    }
}

/// The value that is met most often; the smallest of several.
fn most_common(values: impl Iterator<Item = i64>) -> Option<i64> {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by_key(|(value, count)| (*count, std::cmp::Reverse(*value)))
        .map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_common_value_or_the_smallest_of_them() {
        assert_eq!(most_common([3, 5, 5, 3, 9].into_iter()), Some(3));
        assert_eq!(most_common([3, 5, 5].into_iter()), Some(5));
        assert_eq!(most_common([].into_iter()), None);
    }
}
