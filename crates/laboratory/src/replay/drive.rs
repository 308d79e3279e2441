//! A policy with a virtual clock: from one planned visit to the next, each finding what was published until then.

use super::reacting::Reacting;
use super::span::Span;
use super::trace::{Article, Trace};
use super::visits::Visits;
use crate::random::Random;
use jiff::{SignedDuration, Timestamp};
use model::{Outcome, SourceId};
use scheduling::{News, Observation, Past, Policy, Watched};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Lets a policy learn from the training weeks and watch the test weeks. Events react on top of it if there is a
/// [`Reacting`]. The seed gives the sources their numbers: on these hang the phases of first visits and who comes first in
/// a tie.
pub(super) fn drive(
    trace: &Trace,
    span: &Span,
    policy: &mut dyn Policy,
    reacting: Option<&mut Reacting<'_>>,
    manners: Manners,
    seed: u64,
) -> Visits {
    let ids = Ids::draw(trace.sources().len(), seed);
    for (place, source) in trace.sources().iter().enumerate() {
        let articles = source.articles.iter().filter_map(|at| trace.articles().get(*at));
        let news: Vec<News> =
            articles.take_while(|article| article.at < span.split).map(Article::news).collect();
        policy.learn(ids.watched(place), &Past { from: span.from, to: span.split, news: &news });
    }
    let mut course = Course {
        trace,
        manners,
        policy,
        reacting,
        queue: BinaryHeap::new(),
        states: vec![State::default(); trace.sources().len()],
        visits: Visits::none(trace),
        ids,
    };
    course.begin(span.split);
    course.run(span.end);
    course.visits
}

/// What no policy may override.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manners {
    /// The least time between two visits to a source.
    pub(super) shortest_gap: SignedDuration,
    /// So many newest articles stand on a page.
    pub(super) page_size: usize,
}

struct Course<'a, 'b> {
    trace: &'a Trace,
    manners: Manners,
    policy: &'a mut dyn Policy,
    reacting: Option<&'a mut Reacting<'b>>,
    ids: Ids,
    /// Planned visits, soonest first; of a source only the one with its last version counts.
    queue: BinaryHeap<Reverse<(Timestamp, SourceId, u64)>>,
    states: Vec<State>,
    visits: Visits,
}

/// What is known of a source.
#[derive(Debug, Clone, Default)]
struct State {
    /// How many of its articles were found, or known before.
    found: usize,
    version: u64,
    next: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl Course<'_, '_> {
    fn begin(&mut self, now: Timestamp) {
        for place in 0..self.states.len() {
            let known = self.published(place, now - SignedDuration::from_nanos(1));
            if let Some(state) = self.states.get_mut(place) {
                state.found = known;
            }
        }
        // In the order of their numbers: so the seed decides who is first.
        for source in self.ids.in_order() {
            let planned = self.policy.begin(self.ids.watched(source), now);
            self.plan(source, planned.at, now);
        }
    }

    fn run(&mut self, end: Timestamp) {
        let mut now = Timestamp::MIN;
        loop {
            let visit = self.soonest();
            let round = self.policy.next_round();
            let next = [visit.map(|(at, _)| at), round].into_iter().flatten().min();
            let Some(next) = next.filter(|next| *next < end) else { return };
            // Nothing happens in the past: a round that is overdue is held now.
            now = now.max(next);
            if let Some((_, source)) = visit.filter(|(at, _)| round.is_none_or(|round| *at < round)) {
                self.queue.pop();
                self.visit(source, now);
            } else {
                for (id, planned) in self.policy.round(now) {
                    if let Some(source) = self.ids.place(id) {
                        self.plan(source, planned.at, now);
                    }
                }
                if self.policy.next_round().is_some_and(|again| again <= now) {
                    // A policy that asks for the same moment again would hold the clock for ever.
                    now = now.saturating_add(SignedDuration::from_secs(1)).unwrap_or(now);
                }
            }
        }
    }

    fn soonest(&mut self) -> Option<(Timestamp, usize)> {
        loop {
            let Reverse((at, id, version)) = *self.queue.peek()?;
            let source = self.ids.place(id);
            match source.filter(|source| self.states.get(*source).is_some_and(|one| one.version == version)) {
                Some(source) => return Some((at, source)),
                None => self.queue.pop(),
            };
        }
    }

    fn plan(&mut self, source: usize, at: Timestamp, now: Timestamp) {
        let Some(state) = self.states.get_mut(source) else { return };
        let polite = state.last.and_then(|last| last.checked_add(self.manners.shortest_gap).ok());
        let at = at.max(now).max(polite.unwrap_or(now));
        state.version += 1;
        state.next = Some(at);
        self.queue.push(Reverse((at, self.ids.id(source), state.version)));
    }

    fn visit(&mut self, source: usize, now: Timestamp) {
        self.visits.add(source, now);
        let until = self.published(source, now);
        let Some(state) = self.states.get_mut(source) else { return };
        let found = std::mem::replace(&mut state.found, until);
        state.last = Some(now);
        state.next = None;
        let new = self.trace.sources().get(source).and_then(|one| one.articles.get(found..until));
        let new = new.unwrap_or_default();
        let news: Vec<News> =
            new.iter().filter_map(|place| Some(self.trace.articles().get(*place)?.news())).collect();
        let planned = self.policy.observe(&Observation {
            source: self.ids.watched(source),
            at: now,
            outcome: if news.is_empty() { Outcome::NotModified } else { Outcome::NewContent },
            news,
            listed: until.min(self.manners.page_size) as u32,
            failures: 0,
            earliest: None,
        });
        let Some(reacting) = self.reacting.as_deref_mut() else {
            return self.plan(source, planned.at, now);
        };
        let next = reacting.after(source, planned.at, new.len() as u32, now);
        let wishes = reacting.seen(source, new, now);
        self.plan(source, next, now);
        for wish in wishes {
            let base = self.states.get(wish.source).and_then(|state| state.next);
            if self.reacting.as_deref_mut().is_some_and(|reacting| reacting.bring(&wish, base)) {
                self.plan(wish.source, wish.at, now);
            }
        }
    }

    /// How many articles a source has published by a moment.
    fn published(&self, source: usize, until: Timestamp) -> usize {
        let articles = self.trace.sources().get(source).map(|one| one.articles.as_slice());
        articles.unwrap_or_default().partition_point(|place| {
            self.trace.articles().get(*place).is_some_and(|article| article.at <= until)
        })
    }
}

/// The sources' numbers as the policy knows them.
struct Ids {
    ids: Vec<SourceId>,
    places: HashMap<SourceId, usize>,
}

impl Ids {
    fn draw(sources: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let first = 1 + (random.next() >> 24) as i64;
        let mut ids: Vec<SourceId> = (0..sources as i64).map(|more| SourceId(first + more)).collect();
        for place in (1..ids.len()).rev() {
            ids.swap(place, random.below(place + 1));
        }
        let places = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        Self { ids, places }
    }

    fn id(&self, source: usize) -> SourceId {
        self.ids.get(source).copied().unwrap_or(SourceId(0))
    }

    fn place(&self, id: SourceId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    fn watched(&self, source: usize) -> Watched {
        Watched { id: self.id(source), interval: None }
    }

    fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.ids.len()).collect();
        order.sort_by_key(|source| self.id(*source));
        order
    }
}

/// The numbers that a seed gives the sources.
#[cfg(test)]
pub(super) fn ids_of(sources: usize, seed: u64) -> Vec<SourceId> {
    Ids::draw(sources, seed).ids
}
