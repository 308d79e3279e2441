//! One URL: leased, asked for, read and stored.

use super::Run;
use super::take_in::{Queued, Visited, failed, take_in};
use crate::hand::Held;
use crate::status::Counters;
use discovery::crawl::{HostNumber, Spot};
use fetch::{Accept, OWN_MANNERS, Reply, Request, Session};
use jiff::{SignedDuration, Timestamp};
use model::{FailureKind, Manners, Outcome, RobotsRecord};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{After, Lease};
use tokio::sync::mpsc::UnboundedSender;
use url::Url;

/// A host under our lease, with its open connection.
pub(super) struct Warm {
    pub(super) name: String,
    pub(super) lease: Lease,
    pub(super) session: Session,
    pub(super) since: Instant,
    /// What robots.txt of a seed's host was known to say: it may name sitemaps.
    pub(super) told: Vec<RobotsRecord>,
    pub(super) _held: Held,
}

/// What is to be done.
pub(super) struct Errand {
    pub(super) spot: Spot,
    pub(super) host: HostNumber,
    /// The URL, if it is known without asking the store.
    pub(super) url: Option<Url>,
    pub(super) warm: Option<Warm>,
    /// An open connection without a lease.
    pub(super) session: Option<Session>,
    /// Told as soon as the next URL of the host may be asked for.
    pub(super) freed: UnboundedSender<Freed>,
}

/// A host may be asked again while its last answer is still being read.
pub(super) struct Freed {
    pub(super) host: HostNumber,
    pub(super) warm: Warm,
}

/// An errand is over.
pub(super) struct Ended {
    pub(super) host: HostNumber,
    /// The host was freed before.
    pub(super) freed: bool,
    /// A connection that may be used again.
    pub(super) session: Option<Session>,
    /// The lease that was brought along and is still held: only the conductor knows whether it is still needed.
    pub(super) warm: Option<Warm>,
}

/// Held by another for so long at least.
const HELD: SignedDuration = SignedDuration::from_secs(1);

/// The same, once the crawl has waited for long: a host that is always due is free for a moment between two turns.
const HELD_FOR_LONG: SignedDuration = SignedDuration::from_millis(50);

/// A host that may be asked again within this time is kept: giving it back and leasing it again would cost more.
pub(super) const KEEP_WITHIN: Duration = Duration::from_millis(500);

/// URLs found a moment ago are stored a moment later.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

pub(super) async fn run(run: Arc<Run>, errand: Errand) -> Ended {
    let (host, spot) = (errand.host, errand.spot);
    let over = |session, warm| Ended { host, freed: false, session, warm };
    let known = match errand.url {
        Some(url) => Some(url),
        None => look_up(&run, spot).await,
    };
    let Some(url) = known else {
        run.desk().mind.put_back(spot);
        return over(errand.session, errand.warm);
    };
    let name = model::host_name(&url).unwrap_or_default();
    let worker = run.worker.clone();
    let refused = worker.fetcher.gate().check_url(&url).err();
    let at = worker.fetcher.earliest(&name);
    let short = errand.warm.is_some() && worker.clock.wait_until(at) <= KEEP_WITHIN;
    if refused.is_none() && at > worker.clock.now() && !short {
        put_off(&run, spot, host, at);
        return over(errand.session, errand.warm);
    }
    if let Some(refusal) = refused {
        let reply = unasked(&url, Outcome::from(refusal), worker.clock.now());
        let visited = Visited { spot, url, reply, to: None, robots: Vec::new(), host: None };
        store_now(&run, visited).await;
        return over(errand.session, errand.warm);
    }
    let is_seed = run.seeds.contains(&url);
    let Some(mut warm) = warm_up(&run, host, &name, is_seed, errand.warm, errand.session).await else {
        let wait = if run.desk().is_impatient(host) { HELD_FOR_LONG } else { HELD };
        let later = worker.clock.now().checked_add(wait).unwrap_or(Timestamp::MAX);
        put_off(&run, spot, host, later);
        return over(None, None);
    };
    let Some((reply, to)) = ask(&run, &mut warm.session, &url, &name).await else {
        // It is time to stop.
        run.desk().mind.put_back(spot);
        return over(None, Some(warm));
    };
    let mut robots = warm.session.take_robots();
    if let Outcome::Busy { status: OWN_MANNERS, until } = reply.outcome {
        put_off(&run, spot, host, until);
        store_robots(&run, robots).await;
        return over(None, Some(warm));
    }
    robots.append(&mut warm.told);
    let next = worker.fetcher.earliest(&name);
    let soon = worker.clock.wait_until(next) <= KEEP_WITHIN && !is_trouble(&reply.outcome);
    if next > worker.clock.now() {
        run.desk().mind.host_rests(host, next);
    }
    let lease = warm.lease.clone();
    let mut session = None;
    let after = if soon {
        let must_last = !robots.is_empty();
        let _ = errand.freed.send(Freed { host, warm });
        After::Keep(must_last.then(|| manners(&run, &name)))
    } else {
        session = Some(warm.session);
        After::GiveBack { manners: manners(&run, &name), slow: is_trouble(&reply.outcome) }
    };
    let held = Some((lease, after));
    let fault = Visited {
        spot,
        url: url.clone(),
        reply: broken(&url, worker.clock.now()),
        to: None,
        robots: Vec::new(),
        host: held.clone(),
    };
    let visited = Visited { spot, url, reply, to, robots, host: held };
    let taken = {
        let run = run.clone();
        worker.on_cpu(move || take_in(&run, visited)).await
    };
    let queued = match taken {
        Some(queued) => queued,
        // Reading it broke off: that URL gives no page. If the desk was being used, mind and rows may have parted.
        None if run.desk.is_poisoned() => Err(super::Trouble::Store(store::StoreError::Fenced)),
        None => Ok(failed(&run, fault, worker.clock.now())),
    };
    wait(&run, queued).await;
    Ended { host, freed: soon, session, warm: None }
}

async fn look_up(run: &Run, spot: Spot) -> Option<Url> {
    for _ in 0..100 {
        match run.worker.store.crawl_urls_at(run.id, vec![spot.0]).await {
            Ok(found) => {
                if let Some(found) = found.into_iter().next() {
                    return Some(found.url);
                }
            }
            Err(error) => {
                run.fails(super::Trouble::Store(error));
                return None;
            }
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    None
}

fn put_off(run: &Run, spot: Spot, host: HostNumber, until: Timestamp) {
    let mut desk = run.desk();
    desk.mind.put_back(spot);
    desk.mind.host_rests(host, until);
}

/// The lease, kept or new. `None` if somebody else has the host.
async fn warm_up(
    run: &Run,
    host: HostNumber,
    name: &str,
    is_seed: bool,
    warm: Option<Warm>,
    session: Option<Session>,
) -> Option<Warm> {
    if warm.is_some() {
        return warm;
    }
    let request = run.worker.lease_request(1, 0);
    // Where to begin is not put off, or a host that is visited often would lose its seed.
    let after_monitor = run.beside_monitor && !is_seed && !run.desk().is_impatient(host);
    let leased = run.worker.store.lease_host_for_crawl(name.to_owned(), request, after_monitor).await;
    run.desk().was_kept(host, name, matches!(leased, Ok(None)));
    match leased {
        Ok(Some(work)) => {
            run.worker.fetcher.restore(name, work.manners);
            let told = if run.seed_hosts.contains(name) { work.robots.clone() } else { Vec::new() };
            for record in work.robots {
                run.worker.fetcher.restore_robots(record);
            }
            let session = session.unwrap_or_else(|| {
                let (worker, pass) = (run.worker.clone(), run.pass);
                run.worker.fetcher.session().only_while(Arc::new(move || worker.fleet.allows(pass)))
            });
            let held = run.worker.hand.hold(work.lease.host_id);
            Some(Warm {
                name: name.to_owned(),
                lease: work.lease,
                session,
                since: Instant::now(),
                told,
                _held: held,
            })
        }
        Ok(None) => None,
        Err(error) => {
            run.fails(super::Trouble::Store(error));
            None
        }
    }
}

async fn ask(run: &Run, session: &mut Session, url: &Url, name: &str) -> Option<(Reply, Option<Url>)> {
    let worker = &run.worker;
    // A short pause is waited out with the lease in hand: whoever gives it back for that may never get it again.
    let patience = worker.on_clock(KEEP_WITHIN);
    let request = Request { url, validators: None, accept: Accept::Html, headers: &[], patience };
    let limit = worker.settings.longest_reply;
    let asked = async {
        // Stored manners may be stricter than what was known before the lease.
        let at = worker.fetcher.earliest(name);
        let wait = worker.clock.wait_until(at);
        if wait > KEEP_WITHIN {
            let busy = Outcome::Busy { status: OWN_MANNERS, until: at };
            return Some((unasked(url, busy, worker.clock.now()), None));
        }
        tokio::time::sleep(wait).await;
        let _place = worker.requests.acquire().await.ok()?;
        // Others may have taken us for gone, and the crawl with it.
        if !worker.fleet.allows(run.pass) {
            run.fails(super::Trouble::Store(store::StoreError::Fenced));
            return None;
        }
        Some(session.hop(&request).await)
    };
    let (reply, to) = tokio::select! {
        () = run.stop.cancelled() => return None,
        reply = tokio::time::timeout(limit, asked) => if let Ok(reply) = reply {
            reply?
        } else {
            let detail = format!("it took longer than {} s", limit.as_secs());
            let outcome = Outcome::Failed { kind: FailureKind::Timeout, detail };
            (unasked(url, outcome, worker.clock.now()), None)
        },
    };
    Counters::add(&worker.counters.requests, reply.requests.into());
    if let Some(response) = &reply.response {
        Counters::add(&worker.counters.bytes, response.body.len() as u64);
        Counters::add(&worker.counters.crawled, 1);
    }
    Some((reply, to))
}

fn unasked(url: &Url, outcome: Outcome, now: Timestamp) -> Reply {
    Reply {
        outcome,
        response: None,
        final_url: url.clone(),
        redirects: Vec::new(),
        permanent: false,
        requests: 0,
        began_at: now,
        ended_at: now,
        hosts: Vec::new(),
    }
}

fn broken(url: &Url, now: Timestamp) -> Reply {
    let detail = "the page could not be read; please report it".to_owned();
    unasked(url, Outcome::Failed { kind: FailureKind::Internal, detail }, now)
}

async fn store_now(run: &Arc<Run>, visited: Visited) {
    let queued = take_in(run, visited);
    wait(run, queued).await;
}

/// Waits until it is on disk. Whatever goes wrong ends the run: mind and rows must not part.
async fn wait(run: &Run, queued: Result<Queued, super::Trouble>) {
    match queued {
        Ok(deed) => match deed.await {
            Ok(()) => {}
            Err(error) => run.fails(super::Trouble::Store(error)),
        },
        Err(trouble) => run.fails(trouble),
    }
}

/// Gives a host back with manners as they are by now.
pub(super) async fn give_back(run: &Run, name: &str, lease: Lease) {
    let manners = manners(run, name);
    match run.worker.store.release_host(lease, manners, false).await {
        Ok(()) | Err(store::StoreError::Fenced) => {}
        Err(error) => run.fails(super::Trouble::Store(error)),
    }
}

/// Only robots.txt was read before a pause was due. What it said is known to this process, and is stored with the
/// first page; the host is given back.
async fn store_robots(run: &Run, robots: Vec<RobotsRecord>) {
    if !robots.is_empty()
        && let Err(error) = run.worker.store.save_crawl_robots(robots).await
    {
        run.fails(super::Trouble::Store(error));
    }
}

/// The pause after the last request is part of them: the host is not due before it is over.
fn manners(run: &Run, name: &str) -> Manners {
    let fetcher = &run.worker.fetcher;
    let mut manners = fetcher.manners(name).unwrap_or_default();
    let at = fetcher.earliest(name);
    if at > run.worker.clock.now() {
        manners.not_before = manners.not_before.max(Some(at));
    }
    manners
}

fn is_trouble(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Busy { .. } | Outcome::Failed { .. })
}
