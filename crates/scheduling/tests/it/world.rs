//! A world of sources that publish at random, and a clock that drives a policy through it.

use jiff::Timestamp;
use model::{Outcome, PlannedVisit, SourceId};
use scheduling::{News, Observation, Past, PlanSettings, PolicyName, Watched};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const DAY: i64 = 24 * HOUR;
/// A Monday.
pub(crate) const START: i64 = 4 * DAY + 2_000 * 7 * DAY;

/// `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

pub(crate) fn at(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX)
}

/// Publication times of each source, sorted.
pub(crate) struct World {
    pub(crate) sources: Vec<Vec<i64>>,
    pub(crate) learned: i64,
    pub(crate) end: i64,
}

impl World {
    /// Sources with these rates a day; by day they publish three times as much as by night, if they keep hours.
    pub(crate) fn new(rates: &[f64], learned_days: i64, days: i64, hours: bool, seed: u64) -> Self {
        let learned = START + learned_days * DAY;
        let end = learned + days * DAY;
        let mut random = Random(seed);
        let mut one = |rate: f64| {
            let (mut times, mut now) = (Vec::new(), START as f64);
            while now < end as f64 {
                now += -(1.0 - random.share()).ln() / (rate * 1.5) * DAY as f64;
                let by_day = (now as i64 / HOUR) % 24 >= 12;
                let keep = if !hours {
                    1.0 / 1.5
                } else if by_day {
                    1.0
                } else {
                    1.0 / 3.0
                };
                if random.share() < keep {
                    times.push(now as i64);
                }
            }
            times
        };
        Self { sources: rates.iter().map(|rate| one(*rate)).collect(), learned, end }
    }

    fn news(&self, source: usize, from: i64, to: i64) -> Vec<News> {
        let times = &self.sources[source];
        let range = times.partition_point(|time| *time <= from)..times.partition_point(|time| *time <= to);
        times[range].iter().map(|time| News { at: at(*time), folders: Vec::new() }).collect()
    }
}

/// What came of it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Course {
    pub(crate) visits: Vec<Vec<i64>>,
    pub(crate) mean_minutes: f64,
    pub(crate) visits_per_source_day: f64,
}

/// What is asked of sources besides: an interval of the user's for some, hints of the server for some.
#[derive(Clone, Copy)]
pub(crate) struct Demands {
    pub(crate) interval: fn(usize) -> Option<Duration>,
    pub(crate) hint: fn(usize) -> Option<Duration>,
}

pub(crate) fn none(_: usize) -> Option<Duration> {
    None
}

/// Drives a policy through the world and checks each plan.
pub(crate) fn drive(world: &World, name: PolicyName, settings: &PlanSettings, demands: Demands) -> Course {
    let mut policy = name.build(settings);
    let watched =
        |source: usize| Watched { id: SourceId(source as i64 + 1), interval: (demands.interval)(source) };
    for source in 0..world.sources.len() {
        let news = world.news(source, START, world.learned);
        policy.learn(watched(source), &Past { from: at(START), to: at(world.learned), news: &news });
    }
    let mut queue = BinaryHeap::new();
    let mut plans = vec![world.learned; world.sources.len()];
    for (source, plan) in plans.iter_mut().enumerate() {
        *plan = policy.begin(watched(source), at(world.learned)).at.as_millisecond();
        queue.push(Reverse((*plan, source)));
    }
    let mut seen = vec![world.learned; world.sources.len()];
    let mut earliest = vec![0; world.sources.len()];
    let mut course = Course { visits: vec![Vec::new(); world.sources.len()], ..Course::default() };
    let mut delays = Vec::new();
    while let Some(Reverse((now, source))) = queue.pop() {
        if let Some(round) = policy.next_round().filter(|round| round.as_millisecond() <= now) {
            queue.push(Reverse((now, source)));
            for (id, planned) in policy.round(round) {
                let source = id.0 as usize - 1;
                assert!(
                    planned.at >= round && planned.at.as_millisecond() >= earliest[source],
                    "{name} {planned:?}"
                );
                assert!((demands.interval)(source).is_none(), "{name} plans where the user did");
                plans[source] = planned.at.as_millisecond();
                queue.push(Reverse((plans[source], source)));
            }
            continue;
        }
        if now >= world.end {
            break;
        }
        if plans[source] != now {
            continue;
        }
        let news = world.news(source, seen[source], now);
        delays.extend(news.iter().map(|news| (now - news.at.as_millisecond()) as f64 / 60_000.0));
        seen[source] = now;
        course.visits[source].push(now);
        let hint = (demands.hint)(source).map(|hint| now + hint.as_millis() as i64);
        let visit = observation(watched(source), now, news, hint);
        let planned = policy.observe(&visit);
        check(name, &planned, now, hint);
        earliest[source] = hint.unwrap_or(0);
        plans[source] = planned.at.as_millisecond();
        queue.push(Reverse((plans[source], source)));
    }
    let visits: usize = course.visits.iter().map(Vec::len).sum();
    let days = (world.end - world.learned) as f64 / DAY as f64;
    course.visits_per_source_day = visits as f64 / days / world.sources.len() as f64;
    course.mean_minutes = delays.iter().sum::<f64>() / delays.len() as f64;
    course
}

pub(crate) fn observation(source: Watched, now: i64, news: Vec<News>, hint: Option<i64>) -> Observation {
    let outcome = if news.is_empty() { Outcome::NotModified } else { Outcome::NewContent };
    let listed = 30.max(news.len() as u32);
    Observation { source, at: at(now), outcome, news, listed, failures: 0, earliest: hint.map(at) }
}

fn check(name: PolicyName, planned: &PlannedVisit, now: i64, hint: Option<i64>) {
    let next = planned.at.as_millisecond();
    assert!(next > now, "{name} plans into the past: {planned:?}");
    assert!(hint.is_none_or(|hint| next >= hint), "{name} comes before the server's hint: {planned:?}");
    assert!(planned.reason.len() > 5, "{name} gives no reason: {planned:?}");
}
