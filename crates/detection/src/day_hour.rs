//! Day-hour tables (paper 000): each source has a mean for each hour of the week, and more than that alarms.

mod table;

use crate::local::Local;
use crate::roster::{Finger, Roster};
use crate::score::{Contribution, Score, strongest};
use crate::{Detector, Settings, Window};
use model::SourceId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use table::Table;

/// Ratios are taken against at least this much, so that they stay finite and can be swept. It lies below any mean
/// for which a single story is not already an alarm (1 / 1.2), so that it changes no alarm of the paper's rule.
const FLOOR: f64 = 0.25;
/// A source that was not seen for this long is not waited for in an open window.
const LATELY: i64 = 86_400;

/// Day-hour tables of the sources of one folder: `A(K,c)[weekday][hour]` is the mean number of stories of source K
/// in folder c, for each hour that was watched. C stories alarm if C > A + θ, where θ = 0.2·A and A is summed over
/// the hours since the last visit. The folder's score is C / A over all its sources; each source is judged by the
/// same rule on its own in [`Score::contributions`]. A source whose hours were never watched before takes no part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DayHour {
    weeks: Option<u16>,
    sources: Roster<Table>,
}

/// How day-hour tables judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DayHourSettings {
    /// θ as a share of A.
    pub theta: f64,
    /// θ of single sources, where it differs.
    pub theta_of: BTreeMap<SourceId, f64>,
    /// Means over the last so many weeks; over all history if none. The tables begin anew when it is changed.
    pub weeks: Option<u16>,
}

impl Default for DayHourSettings {
    fn default() -> Self {
        // The paper's choice, for θ and for the span.
        Self { theta: 0.2, theta_of: BTreeMap::new(), weeks: None }
    }
}

impl DayHourSettings {
    /// The paper's rule: C > A + θ.
    pub fn alarms(&self, source: Option<SourceId>, observed: f64, mean: f64) -> bool {
        observed > mean * (1.0 + self.theta_of(source))
    }

    fn theta_of(&self, source: Option<SourceId>) -> f64 {
        let own = source.and_then(|source| self.theta_of.get(&source).copied());
        own.unwrap_or(self.theta).max(0.0)
    }
}

impl Detector for DayHour {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        let rule = &settings.day_hour;
        let level = window.level.multiplier;
        let sums = self.compare(window, settings, |source, observed, expected| Contribution {
            source,
            observed,
            expected,
            unusual: rule.alarms(Some(source), observed, expected),
        });
        let expected = sums.expected * level;
        let threshold = settings.threshold.unwrap_or(1.0 + rule.theta_of(None));
        let high = expected * threshold;
        let score = sums.observed / expected.max(FLOOR);
        let reason = if sums.unknown == window.parts.len() {
            "these hours of the week were never watched before".into()
        } else {
            let mut reason = format!(
                "{} against {expected:.1} usual at this hour (alarms above {high:.1})",
                sums.observed
            );
            if sums.unknown > 0 {
                let _ = write!(reason, "; {} sources are too new", sums.unknown);
            }
            if let Some(words) = window.level.words(sums.observed, sums.expected) {
                let _ = write!(reason, "; {words}");
            }
            reason
        };
        Score {
            observed: window.observed() as f64,
            expected,
            low: 0.0,
            high,
            score,
            threshold,
            alarm: score > threshold,
            outputs: vec![score],
            contributions: strongest(sums.contributions),
            reason,
        }
    }

    /// The paper's means are over everything: events, too.
    fn learn(&mut self, window: &Window, _usual: bool, settings: &Settings) {
        let weeks = settings.day_hour.weeks;
        if self.weeks != weeks {
            *self = Self { weeks, sources: Roster::default() };
        }
        let local = Local::of(&settings.zone, window);
        let mut finger = Finger::default();
        for part in &window.parts {
            let (since, until) = (local.second(part.since), local.second(part.until));
            if let Some(table) = self.sources.get_or(part.source, &mut finger, || Table::new(since)) {
                table.learn(since, until, part.count, weeks);
            }
        }
    }
}

/// What a window holds beside what is usual, of the sources whose hours are known.
#[derive(Debug, Default)]
struct Sums {
    observed: f64,
    expected: f64,
    unknown: usize,
    contributions: Vec<Contribution>,
}

impl DayHour {
    /// A(K,c) for one hour of the week, 0 being Monday's first, in stories an hour; nothing if it was never watched.
    pub fn mean(&self, source: SourceId, hour: u8) -> Option<f64> {
        self.sources.get(source, &mut Finger::default())?.mean(hour)
    }

    fn compare(
        &self,
        window: &Window,
        settings: &Settings,
        judge: impl Fn(SourceId, f64, f64) -> Contribution,
    ) -> Sums {
        let local = Local::of(&settings.zone, window);
        let (from, to) = (local.second(window.from), local.second(window.to));
        let awaited = |table: &Table| window.open && table.last() >= from - LATELY;
        let mut sums = Sums::default();
        if window.open {
            let whole = |(_, table): (_, &Table)| {
                if awaited(table) { table.expected(from, to).unwrap_or(0.0) } else { 0.0 }
            };
            sums.expected = self.sources.iter().map(whole).sum();
        }
        let mut finger = Finger::default();
        for part in &window.parts {
            let (since, until) = (local.second(part.since), local.second(part.until));
            let table = self.sources.get(part.source, &mut finger);
            let until = if window.open { until.max(to) } else { until };
            let Some((table, expected)) =
                table.and_then(|table| Some((table, table.expected(since, until)?)))
            else {
                sums.unknown += 1;
                continue;
            };
            // In an open window its hours up to the end are counted already.
            let counted = if awaited(table) { table.expected(from, to).unwrap_or(0.0) } else { 0.0 };
            let observed = f64::from(part.count);
            sums.observed += observed;
            sums.expected += expected - counted;
            let usual = expected * window.level.multiplier;
            if observed > usual {
                sums.contributions.push(judge(part.source, observed, usual));
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests;
