//! The virtual clock and the measure against naive ones that go through everything, minute by minute.

use super::drive::{Manners, drive};
use super::measure::Measure;
use super::span::{Span, Training};
use super::trace::{Article, Collector, Trace};
use super::visits::Visits;
use crate::trace::Published;
use jiff::{SignedDuration, Timestamp};
use model::{PlannedVisit, SourceId};
use proptest::prelude::*;
use scheduling::{Interests, Observation, Past, Plan, Policy, Watched};
use std::collections::BTreeMap;

const MINUTE: SignedDuration = SignedDuration::from_mins(1);

/// Waits the longer the less a visit brought; every third hour it brings forward whoever brought least so far. All on whole
/// minutes.
#[derive(Debug, Clone, Default)]
struct Fickle {
    known: BTreeMap<SourceId, usize>,
    round: Option<Timestamp>,
}

impl Policy for Fickle {
    fn name(&self) -> &'static str {
        "fickle"
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.known.insert(source.id, past.news.len());
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.round = Some(now + MINUTE * 181);
        let wait =
            source.id.0.rem_euclid(97) as i32 + self.known.get(&source.id).map_or(0, |n| *n as i32 % 7);
        PlannedVisit { at: now + MINUTE * wait, reason: String::new() }
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        let known = self.known.entry(visit.source.id).or_default();
        *known += visit.news.len();
        let wait = 400 / (visit.news.len() as i32 + 1) + visit.listed as i32 % 5;
        PlannedVisit { at: visit.at + MINUTE * wait, reason: String::new() }
    }

    fn next_round(&self) -> Option<Timestamp> {
        self.round
    }

    fn round(&mut self, now: Timestamp) -> Vec<Plan> {
        self.round = Some(now + MINUTE * 181);
        let least = self.known.iter().min_by_key(|(id, known)| (**known, **id)).map(|(id, _)| *id);
        least
            .into_iter()
            .map(|id| (id, PlannedVisit { at: now + MINUTE * 2, reason: String::new() }))
            .collect()
    }
}

fn trace(published: &[(i64, usize)]) -> Trace {
    let start: Timestamp = "2026-01-05T00:00:00Z".parse().unwrap();
    let mut collector = Collector::new(Timestamp::MAX);
    // The history lasts for two weeks and a day, whatever was drawn.
    let ends = [(1, 0), (15 * 1440 - 1, 0)];
    for (number, (minute, source)) in published.iter().chain(&ends).enumerate() {
        let article = Published {
            at: start + SignedDuration::from_secs(minute * 60 - 13),
            source: format!("source {source}"),
            url: number.to_string(),
            title: String::new(),
            text: None,
            folders: Vec::new(),
            line: 0,
        };
        collector.add(&article, if number % 3 == 0 { vec!["third".into()] } else { Vec::new() }).unwrap();
    }
    collector.finish().unwrap()
}

/// Minute by minute, source by source in the order of their numbers.
fn by_the_minute(trace: &Trace, span: &Span, gap: SignedDuration, page: usize, ids: &[SourceId]) -> Visits {
    let mut policy = Fickle::default();
    let articles = |source: usize| trace.articles().iter().filter(move |article| article.source == source);
    let watched = |source: usize| Watched { id: ids[source], interval: None };
    let mut order: Vec<usize> = (0..ids.len()).collect();
    for source in &order {
        let news: Vec<_> = articles(*source).filter(|one| one.at < span.split).map(Article::news).collect();
        policy.learn(watched(*source), &Past { from: span.from, to: span.split, news: &news });
    }
    order.sort_by_key(|source| ids[*source]);
    let mut plans = vec![Timestamp::MAX; ids.len()];
    let mut seen_until = vec![span.split - SignedDuration::from_nanos(1); ids.len()];
    let mut last: Vec<Option<Timestamp>> = vec![None; ids.len()];
    for source in &order {
        plans[*source] = policy.begin(watched(*source), span.split).at;
    }
    let mut visits = Visits(vec![Vec::new(); ids.len()]);
    let mut now = span.split;
    while now < span.end {
        if policy.next_round() == Some(now) {
            for (id, plan) in policy.round(now) {
                let source = ids.iter().position(|one| *one == id).unwrap();
                plans[source] = plan.at.max(last[source].map_or(now, |last| last + gap)).max(now);
            }
        }
        for source in &order {
            if plans[*source] != now {
                continue;
            }
            visits.0[*source].push(now);
            let since = std::mem::replace(&mut seen_until[*source], now);
            let news: Vec<_> =
                articles(*source).filter(|one| one.at > since && one.at <= now).map(Article::news).collect();
            let listed = articles(*source).filter(|one| one.at <= now).count().min(page) as u32;
            last[*source] = Some(now);
            let planned = policy.observe(&Observation {
                source: watched(*source),
                at: now,
                outcome: if news.is_empty() {
                    model::Outcome::NotModified
                } else {
                    model::Outcome::NewContent
                },
                news,
                listed,
                failures: 0,
                earliest: None,
            });
            plans[*source] = planned.at.max(now + gap);
        }
        now += MINUTE;
    }
    visits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn visits_and_delays_are_those_of_a_naive_replay(
        published in prop::collection::vec((1_i64..15 * 1440, 0_usize..5), 20..400),
        seed in any::<u64>(), gap in 1_i64..40, page in 1_usize..20
    ) {
        let trace = trace(&published);
        let span = Span::of(&trace, Training::Weeks(1)).unwrap();
        let manners = Manners { shortest_gap: SignedDuration::from_mins(gap), page_size: page };
        let visits = drive(&trace, &span, &mut Fickle::default(), None, manners, seed);
        let ids = super::drive::ids_of(trace.sources().len(), seed);
        let naive = by_the_minute(&trace, &span, SignedDuration::from_mins(gap), page, &ids);
        prop_assert_eq!(&visits, &naive);

        let mut interests = Interests { others: 0.5, ..Interests::default() };
        interests.folders.insert(model::FolderId(1), 2.0);
        let delays = Measure::new(&trace, &span, &interests, page).delays(&visits);
        let (mut sum, mut weighted, mut weights, mut covered, mut count) = (0.0, 0.0, 0.0, 0, 0);
        for article in trace.articles().iter().filter(|one| one.at >= span.split && one.at < span.counted) {
            let met = visits.0[article.source].iter().find(|visit| **visit >= article.at);
            let delay = met.unwrap_or(&span.end).duration_since(article.at).as_secs_f64() / 60.0;
            let weight = if article.folders.is_empty() { 0.5 } else { 2.0 };
            sum += delay;
            weighted += weight * delay;
            weights += weight;
            count += 1;
            let own = trace.articles().iter().filter(|one| one.source == article.source);
            covered += usize::from(met.is_some_and(|met| {
                own.filter(|one| one.at > article.at && one.at <= *met).count() < page
            }));
        }
        prop_assert_eq!(delays.articles, count);
        prop_assert!((delays.mean - sum / count.max(1) as f64).abs() < 1e-6);
        prop_assert!((delays.interest_mean - weighted / f64::max(weights, 1e-9)).abs() < 1e-6);
        // Articles of the same moment are newer than each other in one order only.
        let same_moment = trace.articles().windows(2).any(|pair| pair[0].at == pair[1].at);
        prop_assert!(same_moment || (delays.coverage - covered as f64 / count.max(1) as f64).abs() < 1e-9);
    }
}
