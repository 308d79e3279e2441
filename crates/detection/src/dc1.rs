//! DC-1, the detector constructor (paper 001): rules count, profile and use monitors judge, a unit weighs.

mod monitor;
mod rules;
mod unit;

pub use monitor::{deviation, robust, threshold};
pub use rules::{Rule, by_coverage, by_time, rules};
pub use unit::Unit;

use crate::calendar::Level;
use crate::history::{Counting, History, Past};
use crate::profile::Profile;
use crate::score::{Contribution, Score, strongest};
use crate::{Detector, Settings, Window};
use monitor::floored;
use serde::{Deserialize, Serialize};
use unit::{ALARM, CAP};

/// DC-1 for one folder. A window is the rules whose time is its end and whose delay is its length, one for each site
/// seen. Their profile is that of the same time on the last normal days: days on which no event was going on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Dc1 {
    history: History,
    /// The last day with an event, and how many days in a row had one.
    event_day: Option<(i32, u16)>,
    /// Trained weights; the mode's own if none.
    weights: Option<Vec<f64>>,
    /// The mode it last learned in.
    mode: Mode,
}

/// How DC-1 works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dc1Settings {
    /// As in the paper, or with its slips mended.
    pub mode: Mode,
    /// The profile is that of the last so many normal days.
    pub days: u16,
}

/// As in the paper, or with its slips mended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// As in the paper: the folder's threshold is the sum of the sites' maxima, a site without deviation says its
    /// count, counts are as found however long ago the last visit was, and at an expected event anything above the
    /// expected level alarms.
    Faithful,
    /// The folder's threshold is the maximum of its sums, a deviation is at least what chance makes, a count after a
    /// pause is that of a window's length, and an expected event needs evidence like any other.
    #[default]
    Robust,
}

impl Default for Dc1Settings {
    fn default() -> Self {
        // Ten days: the paper's.
        Self { mode: Mode::Robust, days: 10 }
    }
}

impl Detector for Dc1 {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        let monitors = Monitors { mode: settings.dc1.mode, level: window.level };
        let past = self.history.past(window, monitors.mode.least_days(), settings);
        let unit = self.unit(settings);
        let mut sites = Sites::default();
        for (part, profile) in window.parts.iter().zip(&past.parts) {
            let Some(profile) = profile else { continue };
            let count = monitors.mode.counting().count(part, settings);
            let judged = monitors.site(count, profile);
            sites.observed += count;
            sites.add(&judged);
            if count > judged.mean {
                sites.contributions.push(Contribution {
                    source: part.source,
                    observed: count,
                    expected: judged.mean,
                    unusual: unit.output(&judged.alone()) >= ALARM,
                });
            }
        }
        let folder = monitors.folder(sites.observed, &past);
        let inputs = vec![
            folder.above,
            folder.deviates.min(CAP),
            sites.above.min(CAP),
            sites.strongest[0],
            sites.strongest[1],
            sites.strongest[2],
        ];
        // Faithful: what is above an expected event's level alarms, whatever the weights.
        let expected_exceeded = monitors.mode == Mode::Faithful
            && window.level != Level::USUAL
            && !past.sums.is_empty()
            && sites.observed > folder.mean;
        let threshold = settings.threshold.unwrap_or(ALARM);
        let output = unit.output(&inputs);
        let score = if expected_exceeded { output.max(threshold) } else { output };
        Score {
            observed: window.observed() as f64,
            expected: folder.mean,
            low: (folder.mean - 2.0 * folder.spread).max(0.0),
            high: if expected_exceeded { folder.mean } else { unit_limit(&unit, &folder) },
            score,
            threshold,
            alarm: score >= threshold,
            outputs: inputs,
            contributions: strongest(sites.contributions),
            reason: reason(sites.observed, &folder, window.level, past.sums.len()),
        }
    }

    fn learn(&mut self, window: &Window, usual: bool, settings: &Settings) {
        self.mode = settings.dc1.mode;
        let day = History::day_of(window, settings);
        let (last, row) = self.event_day.unwrap_or((i32::MIN, 0));
        if !usual && last != day {
            let row = if last == day.saturating_sub(1) { row.saturating_add(1) } else { 1 };
            self.event_day = Some((day, row));
            self.history.forget_day(day);
        }
        // What has gone on for longer than two profiles are is the new normal.
        let normal = self
            .event_day
            .is_none_or(|(event, row)| event != day || row > settings.dc1.days.saturating_mul(2));
        if normal {
            self.history.learn(window, settings.dc1.days, settings.dc1.mode.counting(), settings);
        }
    }

    fn weights(&self) -> Vec<f64> {
        self.weights.clone().unwrap_or_else(|| self.mode.unit().weights.to_vec())
    }

    fn set_weights(&mut self, weights: &[f64]) {
        if let Some(unit) = Unit::from_weights(weights) {
            self.weights = Some(unit.weights.to_vec());
        }
    }
}

impl Dc1 {
    /// The unit that weighs: trained, or the mode's own.
    pub fn unit(&self, settings: &Settings) -> Unit {
        self.weights.as_deref().and_then(Unit::from_weights).unwrap_or_else(|| settings.dc1.mode.unit())
    }
}

impl Mode {
    /// The weights that are shipped.
    pub fn unit(self) -> Unit {
        match self {
            Self::Faithful => Unit::FAITHFUL,
            Self::Robust => Unit::ROBUST,
        }
    }

    fn counting(self) -> Counting {
        match self {
            Self::Faithful => Counting::Found,
            Self::Robust => Counting::PerWindow,
        }
    }

    /// The maximum of two days is exceeded one time in three by chance.
    fn least_days(self) -> usize {
        match self {
            Self::Faithful => 2,
            Self::Robust => 3,
        }
    }
}

/// The use monitors of one window.
struct Monitors {
    mode: Mode,
    level: Level,
}

/// What the monitors say of one site, or of the folder.
struct Judged {
    mean: f64,
    maximum: f64,
    spread: f64,
    above: f64,
    deviates: f64,
}

impl Monitors {
    fn site(&self, count: f64, profile: &Profile) -> Judged {
        self.judge(count, profile, profile.maximum)
    }

    /// The folder, with its threshold rolled up from the sites.
    fn folder(&self, count: f64, past: &Past) -> Judged {
        let profile = Profile::of(&past.sums);
        let maximum = match self.mode {
            Mode::Faithful => past.sum_of_maxima,
            Mode::Robust => profile.maximum,
        };
        self.judge(count, &profile, maximum)
    }

    fn judge(&self, count: f64, profile: &Profile, maximum: f64) -> Judged {
        let level = self.level.multiplier;
        let (mean, maximum) = (profile.mean * level, maximum * level);
        let (spread, deviates) = match self.mode {
            Mode::Faithful => {
                let spread = profile.deviation * level;
                (spread, deviation(count, mean, spread))
            }
            Mode::Robust => {
                // Chance grows with the root of the level; a level that is not well known adds its own.
                let unsure = mean * self.level.uncertainty;
                let spread = floored(mean, profile.deviation * level.sqrt()).hypot(unsure);
                (spread, robust(count, mean, spread))
            }
        };
        let known = profile.days >= self.mode.least_days();
        let said = |output: f64| if known { output.min(CAP) } else { 0.0 };
        Judged { mean, maximum, spread, above: said(threshold(count, maximum)), deviates: said(deviates) }
    }
}

impl Judged {
    /// As the unit would see it, were it the only site.
    fn alone(&self) -> [f64; 6] {
        [self.above, self.deviates, self.above, self.deviates, 0.0, 0.0]
    }
}

/// What the sites say together.
#[derive(Default)]
struct Sites {
    observed: f64,
    above: f64,
    strongest: [f64; 3],
    contributions: Vec<Contribution>,
}

impl Sites {
    fn add(&mut self, site: &Judged) {
        self.above += site.above;
        let mut value = site.deviates;
        for place in &mut self.strongest {
            if value > *place {
                std::mem::swap(place, &mut value);
            }
        }
    }
}

/// Up to which count a folder would not alarm, were it one site.
fn unit_limit(unit: &Unit, folder: &Judged) -> f64 {
    let [above, deviates, sites_above, strongest, ..] = unit.weights;
    let slope = (deviates + strongest).max(f64::MIN_POSITIVE);
    let by_deviation = (ALARM / slope).min(CAP);
    let with_maximum = ((ALARM - above - sites_above) / slope).clamp(0.0, CAP);
    let beyond = (folder.mean + with_maximum * folder.spread).max(folder.maximum);
    beyond.min(folder.mean + by_deviation * folder.spread)
}

fn reason(observed: f64, folder: &Judged, level: Level, days: usize) -> String {
    if days == 0 {
        return "no normal day is known yet for this time of the day".into();
    }
    let Judged { mean, maximum, .. } = folder;
    let deviates = (observed - mean) / folder.spread.max(f64::MIN_POSITIVE);
    let usual = mean / level.multiplier.max(f64::MIN_POSITIVE);
    let calendar = level.words(observed, usual).map(|words| format!("; {words}")).unwrap_or_default();
    let by = if deviates.abs() > 99.0 { String::new() } else { format!(", {deviates:+.1} deviations") };
    format!("{observed:.0} against {mean:.1} on {days} normal days (at most {maximum:.0}){by}{calendar}")
}

#[cfg(test)]
mod tests;
