//! From histories to forecasts: the profile, times what signs of change make of it.

use crate::history::Histories;
use crate::policy::News;
use crate::profile::Rates;
use crate::trust::SIGNS;
use crate::week::{cell, hour_of_week, hours_between};
use jiff::Timestamp;

/// After so many hours e times less is left of what a signal made likely.
const SIGNAL_HOURS: f64 = 12.0;

impl Histories {
    /// The signs of change for each coming hour of the clock, the present one first.
    fn signs(&self, place: usize, now: Timestamp, hours: usize, mut each: impl FnMut([f64; SIGNS])) {
        let tuning = self.tuning();
        let history = &self.list[place];
        let mut drift = [f64::NAN; 24];
        let hour = cell(hour_of_week(&self.settings.zone, now));
        let mut logs = history.bursts.logs(&tuning.bursts);
        let mut alls = self.pool.bursts.logs(&tuning.all);
        let fade = tuning.bursts.map(|scale| (-1.0 / scale.hours).exp());
        let all_fade = tuning.all.map(|scale| (-1.0 / scale.hours).exp());
        for ahead in 0..hours {
            let of_day = (hour + ahead) % 24;
            if ahead < 24 {
                drift[of_day] = history.drift.log(of_day, &tuning.drift);
            }
            each([logs[0], logs[1], logs[2], drift[of_day], alls[0], alls[1]]);
            for (log, fade) in logs.iter_mut().zip(fade).chain(alls.iter_mut().zip(all_fade)) {
                *log *= fade;
            }
        }
    }

    pub(crate) fn default_trust(&self) -> [f64; SIGNS] {
        let tuning = self.tuning();
        let [short, middle, long] = tuning.bursts.map(|scale| scale.trust);
        let [all_short, all_long] = tuning.all.map(|scale| scale.trust);
        [short, middle, long, tuning.drift.trust, all_short, all_long]
    }

    /// By how much more than usual is expected of a source in each coming hour of the clock, the present one first.
    pub(crate) fn multipliers(&self, place: usize, now: Timestamp, hours: usize, into: &mut Vec<f64>) {
        into.clear();
        let history = &self.list[place];
        self.signs(place, now, hours, |signs| into.push(history.trust.factor(&signs)));
        let Some((log, since)) = history.boost else { return };
        let passed = hours_between(since, now);
        for (ahead, factor) in into.iter_mut().enumerate() {
            let age = passed + ahead as f64;
            if age > -1.0 {
                *factor *= (f64::from(log) * (-age.max(0.0) / SIGNAL_HOURS).exp()).exp();
            }
        }
    }

    /// A signal came. A stronger one of which more is left stays in force; then nothing changes.
    pub(crate) fn boost(&mut self, place: usize, log: f32, at: Timestamp) -> bool {
        let faded = |(log, since): (f32, Timestamp)| {
            f64::from(log) * (-hours_between(since, at).max(0.0) / SIGNAL_HOURS).exp()
        };
        let boost = &mut self.list[place].boost;
        let stronger = boost.is_some_and(|before| faded(before) > f64::from(log));
        if !stronger {
            *boost = Some((log, at));
        }
        !stronger
    }

    /// Learns which signs to trust from what came between two visits, hour by hour.
    pub(crate) fn judge(
        &mut self,
        place: usize,
        from: Timestamp,
        to: Timestamp,
        rates: &Rates,
        news: &[&News],
    ) {
        let start = hour_of_week(&self.settings.zone, from);
        // What comes a day later no sign foretells.
        let end = start + hours_between(from, to).min(24.0);
        let trust = self.list[place].trust;
        let mut hours: Vec<([f64; SIGNS], f64, f64)> = Vec::new();
        self.signs(place, from, (end - start.floor()).ceil() as usize, |signs| {
            let hour = start.floor() + hours.len() as f64;
            let length = (hour + 1.0).min(end) - hour.max(start);
            let expected = f64::from(rates[cell(hour)]) * length.max(0.0) * trust.factor(&signs);
            hours.push((signs, expected, 0.0));
        });
        for news in news {
            let hour = (start.fract() + hours_between(from, news.at)) as usize;
            if let Some(hour) = hours.get_mut(hour) {
                hour.2 += 1.0;
            }
        }
        let tuning = self.tuning().trust;
        self.list[place].trust.learn(&hours, &tuning);
    }
}
