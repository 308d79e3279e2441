//! All sources together: the shape of their weeks, the usual rate, and whether they are busy.

use crate::bursts::{BurstScale, Bursts};
use crate::profile::{Profile, Rates};
use crate::week::{HOURS, hours_between};
use jiff::Timestamp;

/// Articles a week from a source about which nothing is known, where no other source tells more.
const USUAL_A_WEEK: f64 = 20.0;
/// Hours for which shape and usual rate are kept: they change slowly and are asked for at every visit.
const KEPT: f64 = 6.0;

/// What all sources have in common.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    profile: Profile,
    /// Weeks watched, summed over the sources, faded as the counts are.
    source_weeks: f64,
    until: Option<Timestamp>,
    pub(crate) bursts: Bursts<2>,
    bursts_until: Option<Timestamp>,
    shape: Rates,
    usual: f32,
    shaped: Option<Timestamp>,
}

impl Pool {
    pub(crate) fn new() -> Self {
        Self {
            profile: Profile::new(),
            source_weeks: 0.0,
            until: None,
            bursts: Bursts::default(),
            bursts_until: None,
            shape: [1.0; HOURS],
            usual: (USUAL_A_WEEK / HOURS as f64) as f32,
            shaped: None,
        }
    }

    /// One source was watched for `weeks` more, until `to`.
    pub(crate) fn watch(&mut self, to: Timestamp, weeks: f64, half_life: f64) {
        if self.until.is_none_or(|until| until < to) {
            let passed = self.until.map_or(0.0, |until| hours_between(until, to) / HOURS as f64);
            self.profile.age(passed, half_life);
            self.source_weeks *= (-passed / half_life).exp2();
            self.until = Some(to);
        }
        self.source_weeks += weeks;
        if self.shaped.is_none_or(|shaped| hours_between(shaped, to) >= KEPT) {
            self.reshape();
            self.shaped = Some(to);
        }
    }

    /// One source brought an article, `age` weeks ago.
    pub(crate) fn add(&mut self, hour: f64, age: f64, half_life: f64) {
        self.profile.add(hour, age, half_life);
    }

    /// Works out shape and usual rate.
    pub(crate) fn reshape(&mut self) {
        let total = self.profile.total();
        for (shape, count) in self.shape.iter_mut().zip(self.profile.cells()) {
            // One article more in each hour: with few articles the shape is nearly flat.
            *shape = (count + 1.0) * HOURS as f32 / (total + HOURS as f32);
        }
        self.usual = ((f64::from(total) + USUAL_A_WEEK) / (self.source_weeks + 1.0) / HOURS as f64) as f32;
    }

    /// What one source was expected to bring and what it brought (by age in hours), at a visit at `at`.
    pub(crate) fn compare(
        &mut self,
        at: Timestamp,
        expected: [f32; 2],
        ages: impl Iterator<Item = f64>,
        scales: &[BurstScale; 2],
    ) {
        if let Some(before) = self.bursts_until {
            self.bursts.fade(hours_between(before, at).max(0.0), scales);
        }
        self.bursts_until = Some(self.bursts_until.map_or(at, |before| before.max(at)));
        self.bursts.expect(&expected);
        for age in ages {
            self.bursts.see(age, scales);
        }
    }

    /// The shape of all sources' weeks: 1 on average.
    pub(crate) fn shape(&self) -> &Rates {
        &self.shape
    }

    /// Articles an hour of the usual source.
    pub(crate) fn usual(&self) -> f32 {
        self.usual
    }
}
