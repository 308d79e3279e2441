//! A host's turn: its due work, one request after the other, for as long as politeness and fairness allow.

use crate::status::Counters;
use crate::worker::Worker;
use crate::{body, visit};
use fetch::{Reply, Request, Session};
use jiff::Timestamp;
use model::{Outcome, PlannedVisit, RobotsRecord, SourceId, Visit};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;
use store::{After, DueBody, DueVisit, HostWork, Lease, StoreError};

/// What is done under one lease.
pub(crate) struct Turn<'a> {
    pub(crate) worker: &'a Worker,
    pub(crate) lease: Lease,
    pub(crate) session: Session,
    host: String,
    began: Instant,
    slow: bool,
    /// The piece of work under way is the last one: its deed gives the host back.
    last: bool,
    given_back: bool,
    /// Hosts met by redirects, whose manners are to be remembered as well.
    others: Vec<String>,
}

enum Work {
    Visit(Box<DueVisit>),
    Body(DueBody),
}

/// Whether a turn goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// With the next piece of work.
    Next,
    /// Not now: the rest stays due, and the host is given back until its time comes.
    GiveBack,
}

/// Does a leased host's work and gives it back.
pub(crate) async fn run(worker: Arc<Worker>, work: HostWork) {
    let visits = work.visits.into_iter().map(|due| Work::Visit(Box::new(due)));
    let queue: VecDeque<Work> = visits.chain(work.bodies.into_iter().map(Work::Body)).collect();
    worker.fetcher.restore(&work.name, work.manners);
    for record in work.robots {
        worker.fetcher.restore_robots(record);
    }
    let mut turn = Turn {
        session: worker.fetcher.session(),
        lease: work.lease,
        host: work.name,
        began: Instant::now(),
        slow: false,
        last: false,
        given_back: false,
        others: Vec::new(),
        worker: &worker,
    };
    if let Err(error) = turn.work_through(queue).await {
        match error {
            StoreError::Fenced => tracing::warn!(host = turn.host, "the host was leased to another worker"),
            error => worker.store_trouble(&format!("storing a visit to {}", turn.host), &error),
        }
    }
    if let Err(error) = turn.give_back().await {
        worker.store_trouble("giving a host back", &error);
    }
}

impl Turn<'_> {
    async fn work_through(&mut self, mut queue: VecDeque<Work>) -> Result<(), StoreError> {
        while let Some(work) = queue.pop_front() {
            if self.began.elapsed() > self.worker.settings.turn {
                break;
            }
            self.last = queue.is_empty();
            let step = match work {
                Work::Visit(due) => visit::visit(self, *due).await?,
                Work::Body(due) => body::read(self, due).await?,
            };
            if step == Step::GiveBack {
                break;
            }
        }
        Ok(())
    }

    /// Gets a page once politeness allows it. `None`: not in this turn.
    pub(crate) async fn get(&mut self, request: &Request<'_>) -> Option<Reply> {
        let at = self.worker.fetcher.earliest(&self.host);
        if self.worker.clock.wait_until(at) > self.worker.settings.patience {
            return None;
        }
        if !self.worker.sleep_until(at).await {
            return None;
        }
        let _place = self.worker.requests.acquire().await.ok()?;
        let began = Instant::now();
        let reply = tokio::select! {
            () = self.worker.stop.cancelled() => return None,
            reply = self.session.get(request) => reply,
        };
        self.slow |= began.elapsed() > self.worker.settings.slow_after || is_trouble(&reply.outcome);
        Counters::add(&self.worker.counters.requests, reply.requests.into());
        if let Some(response) = &reply.response {
            Counters::add(&self.worker.counters.bytes, response.body.len() as u64);
        }
        for host in &reply.hosts {
            if *host != self.host && !self.others.contains(host) {
                self.others.push(host.clone());
            }
        }
        let by_own_manners = matches!(reply.outcome, Outcome::Busy { status: fetch::OWN_MANNERS, .. });
        (!by_own_manners).then_some(reply)
    }

    async fn give_back(self) -> Result<(), StoreError> {
        let fetcher = &self.worker.fetcher;
        let met = self.others.iter().filter_map(|host| Some((host.clone(), fetcher.manners(host)?)));
        let met: Vec<_> = met.collect();
        if !met.is_empty() {
            self.worker.store.remember_manners(met).await?;
        }
        if self.given_back {
            return Ok(());
        }
        let manners = fetcher.manners(&self.host).unwrap_or_default();
        match self.worker.store.release_host(self.lease, manners, self.slow).await {
            // Somebody else has it by now and will give it back.
            Err(StoreError::Fenced) => Ok(()),
            result => result,
        }
    }

    /// robots.txt files read on the way, to be kept with the deed that led to them.
    pub(crate) fn robots(&mut self) -> Vec<RobotsRecord> {
        self.session.take_robots()
    }

    /// What is to become of the host after a deed. The last one gives it back: one commit less. Manners that
    /// outlast a pause are kept at once, as a process may die before it gives the host back.
    pub(crate) fn after(&self, outcome: &Outcome, robots: &[RobotsRecord]) -> After {
        let manners = || self.worker.fetcher.manners(&self.host);
        if self.last {
            After::GiveBack { manners: manners().unwrap_or_default(), slow: self.slow }
        } else if is_trouble(outcome) || !robots.is_empty() {
            After::Keep(manners())
        } else {
            After::Keep(None)
        }
    }

    /// The deed is done, and with it what was to become of the host.
    pub(crate) fn done(&mut self) {
        self.given_back |= self.last;
    }

    /// The time, on the monitor's clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.worker.clock.now()
    }
}

fn is_trouble(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Busy { .. } | Outcome::Failed { .. } | Outcome::Truncated { .. })
}

/// A visit that a person asked for, with everything else that is due on that host.
pub(crate) async fn visit_now(worker: &Arc<Worker>, id: SourceId) -> Result<Option<Visit>, StoreError> {
    let source = worker.store.source(id).await?;
    let before = worker.store.visits_of(id, 1).await?.first().map(|visit| visit.id);
    let planned = PlannedVisit { at: worker.clock.now(), reason: "asked for by you".into() };
    worker.store.visit_soon(id, planned).await?;
    let host = model::host_name(&source.url).unwrap_or_default();
    let Some(mut work) = worker.store.lease_host(host, worker.lease_request(1, 0)).await? else {
        return Ok(None);
    };
    // The one that was asked for comes first.
    work.visits.sort_by_key(|due| due.source.id != id);
    run(worker.clone(), work).await;
    let after = worker.store.visits_of(id, 1).await?.into_iter().next();
    Ok(after.filter(|visit| Some(visit.id) != before))
}
