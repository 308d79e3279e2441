//! A host's turn: its due work, one request after the other, for as long as politeness and fairness allow.

mod elsewhere;

use crate::fleet::Pass;
use crate::status::Counters;
use crate::worker::Worker;
use crate::{body, visit};
use elsewhere::Elsewhere;
use fetch::{Reply, Request, Session, politeness};
use jiff::Timestamp;
use model::{FailureKind, Manners, Outcome, PlannedVisit, RobotsRecord, SourceId, Visit};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{After, DueBody, DueVisit, HostWork, Lease, StoreError};

/// What is done under one lease.
pub(crate) struct Turn<'a> {
    pub(crate) worker: &'a Worker,
    pub(crate) lease: Lease,
    pub(crate) session: Session,
    /// Under which presence the host was leased.
    pass: Pass,
    host: String,
    began: Instant,
    slow: bool,
    /// The piece of work under way is the last one: its deed gives the host back.
    last: bool,
    given_back: bool,
    /// Hosts met by redirects, whose manners are still to be remembered.
    others: Vec<String>,
    /// The same that other workers must keep away from meanwhile.
    elsewhere: Elsewhere,
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
pub(crate) async fn run(worker: Arc<Worker>, work: HostWork, pass: Pass) {
    let _held = worker.hand.hold(work.lease.host_id);
    let visits = work.visits.into_iter().map(|due| Work::Visit(Box::new(due)));
    let queue: VecDeque<Work> = visits.chain(work.bodies.into_iter().map(Work::Body)).collect();
    worker.fetcher.restore(&work.name, work.manners);
    for record in work.robots {
        worker.fetcher.restore_robots(record);
    }
    let (asking, elsewhere) = (worker.clone(), Elsewhere::default());
    let session = worker.fetcher.session().entering(elsewhere.entry(&worker, &work.name));
    let mut turn = Turn {
        // A request may wait for its turn long after it was begun: whether the host is still ours is asked when it leaves.
        session: session.only_while(Arc::new(move || asking.fleet.allows(pass))),
        lease: work.lease,
        pass,
        host: work.name,
        began: Instant::now(),
        slow: false,
        last: false,
        given_back: false,
        others: Vec::new(),
        elsewhere,
        worker: &worker,
    };
    let ended = turn.work_through(queue).await;
    turn.elsewhere.give_back(&worker).await;
    match ended {
        Ok(()) => {}
        Err(StoreError::Fenced) => {
            tracing::warn!(host = turn.host, "the host was leased to another worker");
            return;
        }
        Err(error) => {
            // The host is not given back: what cannot be stored need not be fetched again at once. It is found forgotten, once
            // that can be stored.
            worker.store_trouble(&format!("storing a visit to {}", turn.host), &error);
            return;
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
        let settings = &self.worker.settings;
        let at = self.worker.fetcher.earliest(&self.host);
        if self.worker.clock.wait_until(at) > settings.patience || !self.worker.sleep_until(at).await {
            return None;
        }
        // Whatever is begun now must be over before the lease is.
        if self.began.elapsed() + settings.longest_reply > settings.lease_for {
            return None;
        }
        // Others may have taken us for gone, and the host with it.
        if !self.worker.fleet.allows(self.pass) {
            return None;
        }
        let began = Instant::now();
        let reply = tokio::select! {
            () = self.worker.stop.cancelled() => return None,
            reply = tokio::time::timeout(settings.longest_reply, self.ask(request)) => reply,
        };
        let reply = reply.unwrap_or_else(|_| Some(self.took_too_long(request)))?;
        self.slow |= began.elapsed() > settings.slow_after || is_trouble(&reply.outcome);
        Counters::add(&self.worker.counters.requests, reply.requests.into());
        if let Some(response) = &reply.response {
            Counters::add(&self.worker.counters.bytes, response.body.len() as u64);
        }
        self.remember_others(&reply).await;
        // Only robots.txt was read before a pause was due: the page itself follows in another turn. After a
        // redirect, though, this was a visit, and the next one must be planned.
        let by_own_manners = matches!(reply.outcome, Outcome::Busy { status: fetch::OWN_MANNERS, .. });
        (!by_own_manners || !reply.redirects.is_empty()).then_some(reply)
    }

    async fn ask(&mut self, request: &Request<'_>) -> Option<Reply> {
        let _place = self.worker.requests.acquire().await.ok()?;
        Some(self.session.get(request).await)
    }

    fn took_too_long(&self, request: &Request<'_>) -> Reply {
        let limit = self.worker.settings.longest_reply.as_secs();
        Reply {
            outcome: Outcome::Failed {
                kind: FailureKind::Timeout,
                detail: format!("with all its redirects it took longer than {limit} s"),
            },
            response: None,
            final_url: request.url.clone(),
            redirects: Vec::new(),
            permanent: false,
            requests: 1,
            began_at: self.now(),
            ended_at: self.now(),
            hosts: vec![self.host.clone()],
        }
    }

    /// How long a redirect may wait for its turn, on the monitor's clock: at least one pause of this host.
    pub(crate) fn patience(&self) -> Duration {
        let manners = self.worker.fetcher.manners(&self.host).unwrap_or_default();
        let pause = politeness::delay(&manners, self.worker.default_delay);
        let longest = self.worker.on_clock(self.worker.settings.longest_reply / 2);
        self.worker.on_clock(self.worker.settings.patience).max(pause * 3 / 2).min(longest)
    }

    /// Hosts met by redirects: that they are in trouble must outlast a crash, the rest is kept at the end.
    async fn remember_others(&mut self, reply: &Reply) {
        for host in reply.hosts.iter().filter(|host| **host != self.host) {
            if !self.others.contains(host) {
                self.others.push(host.clone());
            }
        }
        if is_trouble(&reply.outcome) && !self.others.is_empty() {
            self.store_others().await;
        }
    }

    async fn store_others(&mut self) {
        let fetcher = &self.worker.fetcher;
        let met = self.others.drain(..).filter_map(|host| Some((host.clone(), fetcher.manners(&host)?)));
        let met: Vec<_> = met.collect();
        if !met.is_empty()
            && let Err(error) = self.worker.store.remember_manners(met).await
        {
            self.worker.store_trouble("remembering manners", &error);
        }
    }

    async fn give_back(mut self) -> Result<(), StoreError> {
        self.store_others().await;
        if self.given_back {
            return Ok(());
        }
        let manners = self.manners();
        match self.worker.store.release_host(self.lease, manners, self.slow).await {
            // Somebody else has it by now and will give it back.
            Err(StoreError::Fenced) => Ok(()),
            result => result,
        }
    }

    /// Manners towards the host by now.
    fn manners(&self) -> Manners {
        self.worker.manners(&self.host)
    }

    /// robots.txt files read on the way, to be kept with the deed that led to them.
    pub(crate) fn robots(&mut self) -> Vec<RobotsRecord> {
        self.session.take_robots()
    }

    /// What is to become of the host after a deed. The last one gives it back: one commit less. Manners that
    /// outlast a pause are kept at once, as a process may die before it gives the host back.
    pub(crate) fn after(&self, outcome: &Outcome, robots: &[RobotsRecord]) -> After {
        if self.last {
            After::GiveBack { manners: self.manners(), slow: self.slow }
        } else if is_trouble(outcome) || !robots.is_empty() {
            After::Keep(Some(self.manners()))
        } else {
            After::Keep(None)
        }
    }

    /// The deed is done, and with it what was to become of the host.
    pub(crate) fn done(&mut self) {
        self.given_back |= self.last;
    }

    /// How long ago the host was leased.
    pub(crate) fn age(&self) -> Duration {
        self.began.elapsed()
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
    crate::planning::ready(worker).await?;
    let source = worker.store.source(id).await?;
    let before = worker.store.visits_of(id, 1).await?.first().map(|visit| visit.id);
    let planned = PlannedVisit { at: worker.clock.now(), reason: "asked for by you".into() };
    worker.store.visit_soon(id, planned).await?;
    let host = model::host_name(&source.url).unwrap_or_default();
    let pass = worker.fleet.pass();
    let Some(mut work) = worker.store.lease_host(host, worker.lease_request(1, 0)).await? else {
        return Ok(None);
    };
    // The one that was asked for comes first.
    work.visits.sort_by_key(|due| due.source.id != id);
    run(worker.clone(), work, pass).await;
    let after = worker.store.visits_of(id, 1).await?.into_iter().next();
    Ok(after.filter(|visit| Some(visit.id) != before))
}
