//! A journal of everything a policy was told and what it decided. Fed to a policy of the same name and settings, it must give
//! the same decisions: what runs live is what was measured in replay.

use crate::name::PolicyName;
use crate::policy::{News, Observation, Outlook, Past, Plan, Policy, Signal, Watched};
use crate::settings::PlanSettings;
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use serde::{Deserialize, Serialize};

/// One thing a policy was told, with what it decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// A policy began.
    Built {
        /// Which.
        policy: PolicyName,
        /// With what.
        settings: Box<PlanSettings>,
    },
    /// It took up the past of a source.
    Learned {
        /// The source.
        source: Watched,
        /// Since when its articles are known.
        from: Timestamp,
        /// Until when.
        to: Timestamp,
        /// Its articles.
        news: Vec<News>,
    },
    /// It was told of a visit.
    Observed {
        /// The visit.
        visit: Observation,
        /// The next one.
        planned: PlannedVisit,
    },
    /// It was told of a source's last visit before it began.
    Resumed {
        /// The visit.
        visit: Observation,
        /// The next one.
        planned: PlannedVisit,
    },
    /// It was told of something that makes more articles likely.
    Signalled {
        /// What.
        signal: Signal,
        /// The source's new plan, if that changed it.
        planned: Option<PlannedVisit>,
    },
    /// It planned without a visit.
    Round {
        /// When.
        at: Timestamp,
        /// What changed.
        plans: Vec<Plan>,
    },
    /// Its budget changed.
    Budget {
        /// Visits a day for each source.
        visits_per_source_day: f64,
    },
    /// A source was given up.
    Forgotten(SourceId),
}

/// A policy that keeps a journal.
pub struct Journalled<F> {
    policy: Box<dyn Policy>,
    write: F,
}

impl<F: FnMut(Entry) + Send> Journalled<F> {
    /// A new policy; `write` is given each entry.
    pub fn new(policy: PolicyName, settings: &PlanSettings, mut write: F) -> Self {
        write(Entry::Built { policy, settings: Box::new(settings.clone()) });
        Self { policy: policy.build(settings), write }
    }
}

impl<F: FnMut(Entry) + Send> Policy for Journalled<F> {
    fn name(&self) -> &'static str {
        self.policy.name()
    }

    fn learn(&mut self, source: Watched, past: &Past<'_>) {
        self.policy.learn(source, past);
        (self.write)(Entry::Learned { source, from: past.from, to: past.to, news: past.news.to_vec() });
    }

    fn begin(&mut self, source: Watched, now: Timestamp) -> PlannedVisit {
        self.policy.begin(source, now)
    }

    fn observe(&mut self, visit: &Observation) -> PlannedVisit {
        let planned = self.policy.observe(visit);
        (self.write)(Entry::Observed { visit: visit.clone(), planned: planned.clone() });
        planned
    }

    fn resume(&mut self, last: &Observation) -> PlannedVisit {
        let planned = self.policy.resume(last);
        (self.write)(Entry::Resumed { visit: last.clone(), planned: planned.clone() });
        planned
    }

    fn signal(&mut self, signal: &Signal) -> Option<PlannedVisit> {
        let planned = self.policy.signal(signal);
        (self.write)(Entry::Signalled { signal: signal.clone(), planned: planned.clone() });
        planned
    }

    fn next_round(&self) -> Option<Timestamp> {
        self.policy.next_round()
    }

    fn round(&mut self, now: Timestamp) -> Vec<Plan> {
        let plans = self.policy.round(now);
        (self.write)(Entry::Round { at: now, plans: plans.clone() });
        plans
    }

    fn set_budget(&mut self, visits_per_source_day: f64) {
        self.policy.set_budget(visits_per_source_day);
        (self.write)(Entry::Budget { visits_per_source_day });
    }

    fn demand(&self) -> Option<crate::market::Demand> {
        self.policy.demand()
    }

    fn outlook(&self, source: SourceId, now: Timestamp) -> Option<Outlook> {
        self.policy.outlook(source, now)
    }

    fn forget(&mut self, source: SourceId) {
        self.policy.forget(source);
        (self.write)(Entry::Forgotten(source));
    }
}

/// Where a policy decided otherwise than the journal says.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What the journal says.
    pub journal: Entry,
    /// What was decided now, in words.
    pub now: String,
}

/// Tells policies again what a journal holds, entry after entry, and compares what they decide.
#[derive(Default)]
pub struct Retrace {
    policy: Option<Box<dyn Policy>>,
    /// Decisions that were the same.
    pub same: usize,
}

impl Retrace {
    /// Takes the next entry.
    pub fn step(&mut self, entry: Entry) -> Result<(), Box<Difference>> {
        let policy = match (&entry, &mut self.policy) {
            (Entry::Built { policy, settings }, _) => {
                self.policy = Some(policy.build(settings));
                return Ok(());
            }
            (_, Some(policy)) => policy,
            (_, None) => {
                let now = "the journal does not begin with a policy".into();
                return Err(Box::new(Difference { journal: entry, now }));
            }
        };
        let now = match &entry {
            Entry::Observed { visit, planned } => {
                let now = policy.observe(visit);
                (now != *planned).then(|| format!("{now:?}"))
            }
            Entry::Resumed { visit, planned } => {
                let now = policy.resume(visit);
                (now != *planned).then(|| format!("{now:?}"))
            }
            Entry::Signalled { signal, planned } => {
                let now = policy.signal(signal);
                (now != *planned).then(|| format!("{now:?}"))
            }
            Entry::Round { at, plans } => {
                let now = policy.round(*at);
                (now != *plans).then(|| format!("{now:?}"))
            }
            Entry::Learned { source, from, to, news } => {
                policy.learn(*source, &Past { from: *from, to: *to, news });
                return Ok(());
            }
            Entry::Budget { visits_per_source_day } => {
                policy.set_budget(*visits_per_source_day);
                return Ok(());
            }
            Entry::Forgotten(source) => {
                policy.forget(*source);
                return Ok(());
            }
            Entry::Built { .. } => return Ok(()),
        };
        match now {
            None => {
                self.same += 1;
                Ok(())
            }
            Some(now) => Err(Box::new(Difference { journal: entry, now })),
        }
    }
}
