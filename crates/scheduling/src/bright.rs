//! `bright` (Bright 2006): a source is contacted when a change is as likely as was asked for, ∫λ ≥ −ln φ.

use crate::bounds;
use crate::ground::Ground;
use crate::policy::{Observation, Past, Policy, Watched};
use crate::profile::Rates;
use crate::settings::PlanSettings;
use crate::week::{HOURS, after_hours, cell, clock_time, hour_of_week, hours_between};
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Candidates for a source's rates: its own hours, its mean, its mean in the shape of all sources.
const CANDIDATES: usize = 3;
/// What a candidate was worth a week ago counts half.
const SCORE_HALF_LIFE: f64 = HOURS as f64;

/// The policy.
#[derive(Debug)]
pub(crate) struct Bright {
    ground: Ground,
    /// Articles to be expected before a visit: −ln φ.
    enough: f64,
    /// The log likelihood of what came, under each candidate: the best one plans.
    scores: BTreeMap<SourceId, [f64; CANDIDATES]>,
}

impl Bright {
    pub(crate) fn new(settings: &PlanSettings) -> Self {
        Self { ground: Ground::new(settings), enough: 1.0, scores: BTreeMap::new() }
    }

    fn candidates(&self, place: usize) -> [Rates; CANDIDATES] {
        let mean = self.ground.histories.mean(place) as f32;
        let pooled = self.ground.histories.pool.shape().map(|shape| shape * mean);
        [self.ground.histories.rates(place), [mean; HOURS], pooled]
    }

    /// Scores what each candidate expected since the last visit. Returns what the best one did.
    fn score(&mut self, visit: &Observation) -> f64 {
        let place = self.ground.histories.place(visit.source.id);
        let Some(since) = self.ground.histories.list[place].until.filter(|since| *since < visit.at) else {
            return 0.0;
        };
        let hours = hours_between(since, visit.at).min(HOURS as f64);
        let start = hour_of_week(&self.ground.settings.zone, visit.at) + HOURS as f64 - hours;
        let expected = self.candidates(place).map(|rates| sum(&rates, start, hours).max(1e-6));
        let scores = self.scores.entry(visit.source.id).or_default();
        let keep = (-hours / SCORE_HALF_LIFE).exp2();
        let seen = visit.news.len() as f64;
        for (score, expected) in scores.iter_mut().zip(&expected) {
            *score = *score * keep + seen * expected.ln() - expected;
        }
        expected[best(scores)]
    }

    fn plan(&mut self, source: SourceId, place: usize, now: Timestamp, bursting: bool) -> PlannedVisit {
        if self.ground.scale_is_due(now) {
            let visits = |place: usize, level: f64| self.ground.histories.mean(place) * level;
            self.enough = 1.0 / self.ground.level(visits);
        }
        let chosen = self.scores.get(&source).map_or(0, best);
        let rates = self.candidates(place)[chosen];
        let mut enough = self.enough * self.ground.correction();
        if bursting {
            enough *= self.ground.settings.tuning.bright_burst;
        }
        let zone = &self.ground.settings.zone;
        let enough = enough * self.ground.roster.first_share(source);
        let hours = until(&rates, hour_of_week(zone, now), enough);
        let since = clock_time(zone, now);
        let burst = if bursting { "burst: " } else { "" };
        PlannedVisit {
            at: after_hours(now, hours),
            reason: format!("{burst}{enough:.1} articles expected since {since}"),
        }
    }
}

fn best(scores: &[f64; CANDIDATES]) -> usize {
    // The own hours win a tie: they come first.
    (1..CANDIDATES).fold(0, |best, next| if scores[next] > scores[best] { next } else { best })
}

/// Articles expected from an hour of the week on.
fn sum(rates: &Rates, start: f64, hours: f64) -> f64 {
    let (mut from, end, mut sum) = (start, start + hours, 0.0);
    while from < end - 1e-9 {
        let to = (from.floor() + 1.0).min(end);
        sum += f64::from(rates[cell(from)]) * (to - from);
        from = to;
    }
    sum
}

/// Hours until so many articles are expected, a week at most.
fn until(rates: &Rates, start: f64, enough: f64) -> f64 {
    let (mut from, mut left) = (start, enough);
    while from - start < HOURS as f64 {
        let rate = f64::from(rates[cell(from)]);
        let to = from.floor() + 1.0;
        if rate * (to - from) >= left {
            return from - start + left / rate;
        }
        left -= rate * (to - from);
        from = to;
    }
    HOURS as f64
}

impl Policy for Bright {
    fn name(&self) -> &'static str {
        "bright"
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.ground.learn(source, past);
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.ground.begin(source, now)
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        let expected = if visit.outcome.is_success() { self.score(visit) } else { 0.0 };
        let seen = visit.news.len() as f64;
        let bursting = expected > 0.0 && seen >= 3.0 && seen > 2.0 * expected;
        let place = self.ground.take(visit);
        let settings = Arc::clone(&self.ground.settings);
        let plan = || self.plan(visit.source.id, place, visit.at, bursting);
        let planned = bounds::next_visit(visit, &settings, plan);
        self.ground.note(visit, planned)
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        self.ground.set_budget(visits_per_source_day);
    }

    fn forget(&mut self, source: SourceId) {
        self.scores.remove(&source);
        self.ground.forget(source);
    }
}
