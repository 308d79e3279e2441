//! What events do on top of a policy, as the live store lets them: visits brought forward to the sources that may have more.

use super::span::Span;
use super::trace::{Article, Trace};
use detection::{Count, DetectorName, Score, Settings, Sighting, Watcher, What};
use jiff::{SignedDuration, Timestamp};
use model::{EventId, FolderId, SourceId};
use scheduling::{Reaction, Trigger};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The watcher of a replay and the events it has found. Sources go by their places here.
#[derive(Debug)]
pub(super) struct Reacting<'a> {
    trace: &'a Trace,
    watcher: Watcher,
    reaction: Reaction,
    longest_gap: SignedDuration,
    next_tick: Timestamp,
    events: u32,
    open: HashMap<FolderId, Event>,
    /// What each source is visited for, if for an event.
    pending: HashMap<usize, Pending>,
    /// Visits that events caused on each host, the last hour's.
    spent: HashMap<usize, VecDeque<Timestamp>>,
    stories: Stories,
}

#[derive(Debug)]
struct Event {
    id: EventId,
    /// Sources whose own unusual count has been reacted to.
    reacted: Vec<SourceId>,
    /// Visits of each source for it.
    visits: HashMap<usize, u32>,
}

/// A visit that an event would like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish {
    pub(super) source: usize,
    pub(super) at: Timestamp,
    event: EventId,
    folder: FolderId,
}

#[derive(Debug, Clone, Copy)]
struct Pending {
    event: EventId,
    folder: FolderId,
    /// What the policy had planned before.
    base: Option<Timestamp>,
}

/// The store's default: visits that events may cause on one host within an hour.
const PER_HOST_AND_HOUR: usize = 12;
const HOUR: SignedDuration = SignedDuration::from_hours(1);
/// Time passes for the watcher at least this often.
const TICK: SignedDuration = SignedDuration::from_mins(30);

impl<'a> Reacting<'a> {
    /// A watcher that has watched the training weeks by visits of the same `interval` to all sources.
    pub(super) fn new(
        trace: &'a Trace,
        span: &Span,
        (reaction, detector): (Reaction, DetectorName),
        settings: Settings,
        interval: SignedDuration,
    ) -> Self {
        let mut reacting = Self {
            trace,
            watcher: Watcher::new(detector, settings, Vec::new()),
            reaction: Reaction::None,
            longest_gap: SignedDuration::from_hours(24).max(interval * 2),
            next_tick: span.from,
            events: 0,
            open: HashMap::new(),
            pending: HashMap::new(),
            spent: HashMap::new(),
            stories: Stories::default(),
        };
        reacting.watch_training(span, interval.max(SignedDuration::from_mins(1)));
        reacting.reaction = reaction;
        reacting
    }

    fn watch_training(&mut self, span: &Span, interval: SignedDuration) {
        let sources = self.trace.sources().len();
        let mut visits: Vec<(Timestamp, usize)> = Vec::new();
        for source in 0..sources {
            let phase = interval.as_secs_f64() * (source as f64 / sources.max(1) as f64);
            let mut at = span.from.saturating_add(SignedDuration::from_secs_f64(phase)).unwrap_or(span.split);
            while at < span.split {
                visits.push((at, source));
                at = at.saturating_add(interval).unwrap_or(span.split);
            }
        }
        visits.sort_unstable();
        let mut found = vec![0; sources];
        for (at, source) in visits {
            let (Some(found), Some(one)) = (found.get_mut(source), self.trace.sources().get(source)) else {
                continue;
            };
            let is_out = |place: &usize| self.trace.articles().get(*place).is_some_and(|one| one.at <= at);
            let until = one.articles.partition_point(is_out);
            let new = one.articles.get(*found..until).unwrap_or_default();
            *found = until;
            self.seen(source, new, at);
        }
    }

    /// A visit brought these new articles: the visits that causes.
    pub(super) fn seen(&mut self, source: usize, new: &[usize], at: Timestamp) -> Vec<Wish> {
        let mut findings = Vec::new();
        if at >= self.next_tick {
            findings.extend(self.watcher.tick(at).into_iter().map(|finding| (None, finding)));
            self.next_tick = at.saturating_add(TICK).unwrap_or(at);
        }
        let counts = self.stories.count(self.trace, new, at);
        let id = id(source);
        let seen =
            Sighting { source: id, at, counts: &counts, longest_gap: self.longest_gap, catalogue: None };
        findings.extend(self.watcher.observe(&seen).into_iter().map(|finding| (Some(id), finding)));
        let mut triggered = Vec::new();
        for (seen_by, finding) in findings {
            match finding.what {
                What::Closed(_) => {}
                What::Ended(_) => drop(self.open.remove(&finding.folder)),
                What::Opened { score, .. } if !self.open.contains_key(&finding.folder) => {
                    self.events += 1;
                    let id = EventId(self.events.into());
                    let reacted = shown_by(seen_by, &score).into_iter().collect();
                    self.open.insert(finding.folder, Event { id, reacted, visits: HashMap::new() });
                    triggered.extend(self.react(finding.folder, id, seen_by, &score, at));
                }
                What::Opened { score, .. } | What::Grew(score) => {
                    triggered.extend(self.grow(finding.folder, seen_by, &score, at));
                }
            }
        }
        triggered
    }

    /// An event goes on: a further source that is unusual by itself brings those like it forward, once.
    fn grow(
        &mut self,
        folder: FolderId,
        seen_by: Option<SourceId>,
        score: &Score,
        at: Timestamp,
    ) -> Vec<Wish> {
        let unusual = unusual(score);
        let Some(event) = self.open.get_mut(&folder) else { return Vec::new() };
        let is_new = |source: &SourceId| unusual.contains(source) && !event.reacted.contains(source);
        let Some(source) = seen_by.filter(is_new) else { return Vec::new() };
        event.reacted.push(source);
        let id = event.id;
        self.react(folder, id, seen_by, score, at)
    }

    fn react(
        &self,
        folder: FolderId,
        event: EventId,
        seen_by: Option<SourceId>,
        score: &Score,
        at: Timestamp,
    ) -> Vec<Wish> {
        let Some(shown_by) = shown_by(seen_by, score) else { return Vec::new() };
        let trigger = Trigger {
            event,
            folder: self.trace.folder_name(folder),
            at,
            shown_by,
            unusual: &unusual(score),
            observed: score.observed,
            expected: score.expected,
        };
        let covering = self.watcher.covering(folder, Some(shown_by));
        let visits = self.reaction.react(&trigger, &covering);
        visits.iter().map(|visit| Wish { source: place(visit.source), at: visit.at, event, folder }).collect()
    }

    /// Brings a visit forward that was planned for `base`, unless that comes as soon anyway or the host has had enough.
    pub(super) fn bring(&mut self, wish: &Wish, base: Option<Timestamp>) -> bool {
        let brings = base.is_none_or(|base| base > wish.at) && self.has_budget(wish.source, wish.at, 0);
        if brings {
            let before = self.pending.get(&wish.source).and_then(|pending| pending.base);
            let pending = Pending { event: wish.event, folder: wish.folder, base: before.or(base) };
            self.pending.insert(wish.source, pending);
        }
        brings
    }

    /// When a source is visited next, after a visit that brought `new` articles: as planned, or once more for its event.
    pub(super) fn after(&mut self, source: usize, planned: Timestamp, new: u32, at: Timestamp) -> Timestamp {
        let Some(Pending { event, folder, base }) = self.pending.remove(&source) else { return planned };
        self.spend(source, at);
        // Own timers are unchanged: what was planned before stays planned.
        let base = base.filter(|base| *base > at).unwrap_or(planned);
        let open = self.open.get_mut(&folder).filter(|open| open.id == event);
        let Some(open) = open else { return base };
        let visits = open.visits.entry(source).or_default();
        *visits += 1;
        let again = self.reaction.again(*visits, new, at).filter(|again| *again < base);
        match again.filter(|_| self.has_budget(source, at, 1)) {
            None => base,
            Some(again) => {
                self.pending.insert(source, Pending { event, folder, base: Some(base) });
                again
            }
        }
    }

    /// Whether the host may be visited once more for events: visits of the last hour and those about to be are counted.
    fn has_budget(&mut self, source: usize, at: Timestamp, own: usize) -> bool {
        let host = self.trace.sources().get(source).map(|one| one.host);
        let is_there = |other: &usize| self.trace.sources().get(*other).map(|one| one.host) == host;
        let waiting = self.pending.keys().filter(|other| is_there(other)).count();
        let spent = self.spent.entry(host.unwrap_or(0)).or_default();
        while spent.front().is_some_and(|first| at.duration_since(*first) >= HOUR) {
            spent.pop_front();
        }
        spent.len() + waiting < PER_HOST_AND_HOUR + own
    }

    fn spend(&mut self, source: usize, at: Timestamp) {
        let host = self.trace.sources().get(source).map_or(0, |one| one.host);
        self.spent.entry(host).or_default().push_back(at);
    }
}

/// The same story on many sites counts once in a folder, for 72 hours.
#[derive(Debug, Default)]
struct Stories {
    told: HashMap<u64, (Timestamp, HashSet<FolderId>)>,
}

impl Stories {
    const FOR: SignedDuration = SignedDuration::from_hours(72);

    fn count(&mut self, trace: &Trace, new: &[usize], at: Timestamp) -> Vec<Count> {
        let mut counts: BTreeMap<FolderId, Count> = BTreeMap::new();
        for article in new.iter().filter_map(|place| trace.articles().get(*place)) {
            for folder in &article.folders {
                let is_first = self.is_first(article, *folder, at);
                let count =
                    counts.entry(*folder).or_insert(Count { folder: *folder, stories: 0, articles: 0 });
                count.articles += 1;
                count.stories += u32::from(is_first);
            }
        }
        counts.into_values().collect()
    }

    fn is_first(&mut self, article: &Article, folder: FolderId, at: Timestamp) -> bool {
        let Some(headline) = article.headline else { return true };
        let (told, folders) = self.told.entry(headline).or_insert_with(|| (at, HashSet::new()));
        if at.duration_since(*told) > Self::FOR {
            *told = at;
            folders.clear();
        }
        folders.insert(folder)
    }
}

fn shown_by(seen_by: Option<SourceId>, score: &Score) -> Option<SourceId> {
    let brought = |source: &SourceId| score.contributions.iter().any(|part| part.source == *source);
    seen_by.filter(brought).or(score.contributions.first().map(|part| part.source)).or(seen_by)
}

fn unusual(score: &Score) -> Vec<SourceId> {
    score.contributions.iter().filter(|part| part.unusual).map(|part| part.source).collect()
}

fn id(source: usize) -> SourceId {
    SourceId(source as i64 + 1)
}

fn place(id: SourceId) -> usize {
    usize::try_from(id.0 - 1).unwrap_or(usize::MAX)
}
