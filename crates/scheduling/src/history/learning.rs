//! Taking up what was published before a source was watched.

use super::Histories;
use crate::policy::{News, Past};
use crate::week::{HOURS, after_hours, hours_between};
use jiff::Timestamp;
use model::SourceId;

/// The past is taken up in steps of so many hours.
const LEARNING_STEP: f64 = 4.0;
/// A profile of two weeks can be held against what comes, one of a week foretells something.
const JUDGED_FROM: f64 = 2.0 * HOURS as f64;
const FADED_FROM: f64 = HOURS as f64;
/// After three weeks, bursts and changed hours have faded.
const FADED_AFTER: f64 = 3.0 * HOURS as f64;
/// Fewer articles in a week, less than three a day, are rare.
const RARE: usize = 21;

impl Histories {
    /// Takes up what was published before, step by step, so that it is also learned which signs of change to trust.
    pub(crate) fn learn(&mut self, source: SourceId, past: &Past<'_>) {
        let place = self.place(source);
        self.start(place, past.from);
        let mut news = self.of_that_time(place, past);
        news.sort_by_key(|news| news.at);
        let mut from = past.from;
        let mut rest = &news[..];
        while from < past.to {
            // Week by week: each is held against the profile of those before it.
            let to = after_hours(from, HOURS as f64).min(past.to);
            let (now, later) = rest.split_at(rest.partition_point(|news| news.at <= to));
            // Of a quiet week long ago nothing is left.
            let matters = now.len() >= RARE || hours_between(to, past.to) < FADED_AFTER;
            if hours_between(past.from, from) >= FADED_FROM && matters {
                self.retrace(place, from, to, now, hours_between(past.from, from) >= JUDGED_FROM);
            }
            self.count(place, to, now);
            (from, rest) = (to, later);
        }
        self.pool.reshape();
    }

    /// The articles of the past that are of the time it speaks of.
    fn of_that_time<'a>(&mut self, place: usize, past: &Past<'a>) -> Vec<&'a News> {
        self.list[place].met |= !past.news.is_empty();
        past.news.iter().filter(|news| past.from < news.at && news.at <= past.to).collect()
    }

    /// Takes up a week that has passed as if the source had been visited in it.
    fn retrace(&mut self, place: usize, from: Timestamp, to: Timestamp, news: &[&News], judged: bool) {
        let rates = self.rates(place);
        // Where there is hardly anything to see, nothing is learned from looking more often.
        let step = if news.len() < RARE { HOURS as f64 } else { LEARNING_STEP };
        let (mut from, mut rest) = (from, news);
        while from < to {
            let end = after_hours(from, step).min(to);
            let (now, later) = rest.split_at(rest.partition_point(|news| news.at <= end));
            if judged && news.len() >= RARE {
                self.judge(place, from, end, &rates, now);
            }
            self.fade(place, from, end, &rates, now);
            (from, rest) = (end, later);
        }
    }

    /// Takes up what was published before, for policies that ask for rates only.
    pub(crate) fn learn_counts(&mut self, source: SourceId, past: &Past<'_>) {
        let place = self.place(source);
        self.start(place, past.from);
        if past.from < past.to {
            let news = self.of_that_time(place, past);
            self.count(place, past.to, &news);
            self.pool.reshape();
        }
    }
}
