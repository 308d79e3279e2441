//! Policies that give each source one interval, by its rate: `sqrt`, `entry-frequency`, `lambda-crawl`, `azar`.

use crate::even::in_words;
use crate::ground::Ground;
use crate::policy::{Observation, Past, Policy, Watched};
use crate::settings::PlanSettings;
use crate::week::after_hours;
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use std::time::Duration;

/// How a rate becomes visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// In proportion to √(wλ): the least mean delay for constant rates.
    Sqrt,
    /// In proportion to λ: 7 days divided by the week's entries.
    EntryFrequency,
    /// Kolobov 2019: ρ = (−Δ + √(Δ² + 4µΔ/l)) / 2, l by bisection.
    LambdaCrawl,
    /// Azar 2018: ρ = √(µΔ)·l − Δ where that is positive, l by bisection.
    Azar,
}

impl Rule {
    fn word(self) -> &'static str {
        match self {
            Self::Sqrt => "sqrt",
            Self::EntryFrequency => "entry-frequency",
            Self::LambdaCrawl => "lambda-crawl",
            Self::Azar => "azar",
        }
    }

    /// Visits an hour for a source that changes `rate` times an hour and is `asked` for so often, at a common `level`. More with
    /// a higher level.
    fn visits(self, rate: f64, asked: f64, level: f64) -> f64 {
        match self {
            Self::Sqrt => level * asked.sqrt(),
            Self::EntryFrequency => level * rate,
            Self::LambdaCrawl => f64::midpoint(-rate, (rate * rate + 4.0 * asked * rate * level).sqrt()),
            Self::Azar => ((asked * rate).sqrt() * level - rate).max(0.0),
        }
    }
}

/// One of these policies.
#[derive(Debug)]
pub(crate) struct Intervals {
    ground: Ground,
    rule: Rule,
    level: f64,
}

impl Intervals {
    pub(crate) fn new(rule: Rule, settings: &PlanSettings) -> Self {
        Self { ground: Ground::new(settings), rule, level: 1.0 }
    }

    /// Changes an hour, and how often somebody asks: what is published is asked for, by its worth.
    fn demand(&self, place: usize) -> (f64, f64) {
        let rate = self.ground.histories.mean(place);
        let power = match self.rule {
            Rule::Sqrt | Rule::EntryFrequency => 1.0,
            Rule::LambdaCrawl => self.ground.settings.tuning.demand_power.lambda_crawl,
            Rule::Azar => self.ground.settings.tuning.demand_power.azar,
        };
        (rate, rate.powf(power) * self.ground.histories.worth(place))
    }

    fn plan(&mut self, source: SourceId, place: usize, now: Timestamp) -> PlannedVisit {
        if self.ground.scale_is_due(now) {
            self.level = self.ground.level(|place, level| {
                let (rate, asked) = self.demand(place);
                self.rule.visits(rate, asked, level)
            });
        }
        let (rate, asked) = self.demand(place);
        let visits = self.rule.visits(rate, asked, self.level).max(1e-9);
        let hours = self.ground.correction() / visits;
        let longest = self.ground.settings.longest().as_secs_f64() / 3600.0;
        let words = in_words(Duration::from_secs((hours.min(longest) * 60.0).round().max(1.0) as u64 * 60));
        let a_day = rate * 24.0;
        let reason = format!("every {words}: {a_day:.1} articles a day");
        let wait = hours.min(longest) * self.ground.roster.first_share(source);
        PlannedVisit { at: after_hours(now, wait), reason }
    }
}

impl Policy for Intervals {
    fn name(&self) -> &'static str {
        self.rule.word()
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.ground.learn(source, past);
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.ground.begin(source, now)
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        let place = self.ground.take(visit);
        let settings = std::sync::Arc::clone(&self.ground.settings);
        let planned =
            crate::bounds::next_visit(visit, &settings, || self.plan(visit.source.id, place, visit.at));
        self.ground.note(visit, planned)
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        self.ground.set_budget(visits_per_source_day);
    }

    fn forget(&mut self, source: SourceId) {
        self.ground.forget(source);
    }
}
