//! Hands URLs out for as long as there are places, and says how it goes.

use super::desk::Desk;
use super::errand::{Ended, Errand, Freed, Warm, give_back};
use super::remainder::{self, Remainder};
use super::{Run, errand, topic_news, words};
use discovery::crawl::{CrawlCounts, HostNumber, Idle};
use fetch::Session;
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{CrawlPhase, CrawlProgress};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Why a run came to its end.
pub(super) enum Ending {
    /// There is nothing left to do.
    Done(Idle),
    /// Nothing can be done for now; why.
    Paused(String),
    /// A person stopped the crawl, or the process ends.
    Stopped,
    /// Something is in the way.
    Trouble,
}

pub(super) struct Conductor {
    run: Arc<Run>,
    errands: JoinSet<Ended>,
    freed: mpsc::UnboundedReceiver<Freed>,
    send_freed: mpsc::UnboundedSender<Freed>,
    /// Hosts that cannot be asked right now because of us.
    busy: HashSet<HostNumber>,
    /// Leased hosts that wait for their next URL.
    warm: HashMap<HostNumber, Warm>,
    /// Errands of freed hosts whose answer is not stored yet.
    pending: HashMap<HostNumber, u32>,
    /// Open connections without a lease.
    sessions: HashMap<HostNumber, (Session, Instant)>,
    /// When the topic was last changed, as far as is known.
    topic_changed: Option<Timestamp>,
    /// When a URL was last tried while nobody could be reached.
    probed: Option<Timestamp>,
    beat: Beat,
}

/// What was said last.
struct Beat {
    at: Instant,
    fetched: u32,
    rate: f64,
    /// When a page last came.
    last_page: Instant,
    snapshot: Instant,
    /// Seconds between two snapshots: more when they take long.
    every: Duration,
}

const BEAT: Duration = Duration::from_secs(1);

/// Somebody could have been asked by now and was not: the budget is spoken for, or the moment has just come.
const OVERDUE: Duration = Duration::from_millis(5);

/// While our own network is down, one URL is tried this often.
const PROBE: SignedDuration = SignedDuration::from_secs(10);

/// Without a page for this long, it is said what is awaited.
const QUIET: Duration = Duration::from_secs(3);

/// A snapshot of the mind's soft state is due this often.
const SNAPSHOT: Duration = Duration::from_secs(30);

/// Connections that are kept open without a lease.
const OPEN: usize = 256;

/// Errands may be read and stored this many at a time beyond those being asked for.
const READING: usize = 16;

/// A clean stop waits this long for answers that are under way.
const STOP_WITHIN: Duration = Duration::from_millis(1_200);

impl Conductor {
    pub(super) fn new(run: Arc<Run>) -> Self {
        let (send_freed, freed) = mpsc::unbounded_channel();
        let now = Instant::now();
        let fetched = run.desk().mind.counts().fetched;
        Self {
            run,
            errands: JoinSet::new(),
            freed,
            send_freed,
            busy: HashSet::new(),
            warm: HashMap::new(),
            pending: HashMap::new(),
            sessions: HashMap::new(),
            topic_changed: None,
            probed: None,
            beat: Beat { at: now, fetched, rate: 0.0, last_page: now, snapshot: now, every: SNAPSHOT },
        }
    }

    pub(super) async fn conduct(mut self) -> Ending {
        let ending = loop {
            if self.run.is_in_trouble() {
                break Ending::Trouble;
            }
            if self.run.stop.is_cancelled() {
                break Ending::Stopped;
            }
            self.hand_out().await;
            if self.errands.is_empty()
                && let Some(ending) = self.end().await
            {
                break ending;
            }
            self.wait().await;
            if self.beat.at.elapsed() >= BEAT && !self.say().await {
                break Ending::Stopped;
            }
        };
        self.wind_down().await;
        if !self.run.is_in_trouble() {
            remainder::store_trapped(&self.run).await;
        }
        ending
    }

    /// Whether there is nothing left to do, or nothing that is worth waiting for.
    async fn end(&self) -> Option<Ending> {
        let idle = self.run.desk().mind.idle();
        match idle {
            Idle::Budget | Idle::Exhausted => Some(Ending::Done(idle)),
            Idle::Asked { .. } => None,
            Idle::Hosts { .. } => match remainder::look(&self.run).await {
                Remainder::Waits => None,
                Remainder::GivenUp => Some(Ending::Done(self.run.desk().mind.idle())),
                Remainder::Pause(why) => Some(Ending::Paused(why)),
            },
        }
    }

    /// Whether all places are taken.
    fn is_full(&self) -> bool {
        let most = self.run.worker.settings.crawl_requests_at_once;
        self.busy.len() >= most || self.errands.len() >= most + READING
    }

    /// Whether nobody can be reached and it is not yet time to try again.
    fn is_cut_off(&mut self) -> bool {
        if self.run.desk().reach.is_down().is_none() {
            return false;
        }
        let now = self.run.worker.clock.now();
        let probes = self.errands.is_empty() && self.probed.is_none_or(|at| now.duration_since(at) >= PROBE);
        if probes {
            self.probed = Some(now);
        }
        !probes
    }

    /// Gives out as many URLs as there are places for.
    async fn hand_out(&mut self) {
        self.close_old().await;
        while !self.is_full() && !self.is_cut_off() {
            let now = self.run.worker.clock.now();
            let taken = {
                let mut desk = self.run.desk();
                let busy = &self.busy;
                let mut spot = None;
                if desk.reach.is_down().is_some() {
                    // Who used to answer tells more than who never did.
                    let known: HashSet<HostNumber> =
                        desk.mind.waiting_hosts().filter(|host| desk.reach.has_answered(*host)).collect();
                    spot = desk.mind.next(now, &|host| !busy.contains(&host) && known.contains(&host));
                }
                let spot = spot.or_else(|| desk.mind.next(now, &|host| !busy.contains(&host)));
                spot.map(|spot| {
                    let host = desk.mind.host_of(spot).unwrap_or(HostNumber(u32::MAX));
                    (spot, host, desk.recent(spot))
                })
            };
            let Some((spot, host, url)) = taken else { break };
            self.busy.insert(host);
            let errand = Errand {
                spot,
                host,
                url,
                warm: self.warm.remove(&host),
                session: self.sessions.remove(&host).map(|(session, _)| session),
                freed: self.send_freed.clone(),
            };
            self.errands.spawn(errand::run(self.run.clone(), errand));
        }
    }

    /// Waits until something may have changed.
    async fn wait(&mut self) {
        let clock = &self.run.worker.clock;
        // With all places taken, or all pages asked for, hosts that wake up change nothing: whoever comes back does.
        let until = if self.is_full() { None } else { self.run.desk().mind.wakes() };
        let wake = match until.map(|until| clock.wait_until(until)) {
            None => BEAT,
            Some(Duration::ZERO) => OVERDUE,
            Some(wait) => wait.clamp(Duration::from_millis(1), BEAT),
        };
        tokio::select! {
            () = self.run.stop.cancelled() => {}
            Some(freed) = self.freed.recv() => self.take_freed(freed),
            Some(ended) = self.errands.join_next(), if !self.errands.is_empty() => self.take_ended(ended),
            () = tokio::time::sleep(wake) => {}
        }
        // What came together is looked at together.
        while let Ok(freed) = self.freed.try_recv() {
            self.take_freed(freed);
        }
        while let Some(ended) = self.errands.try_join_next() {
            self.take_ended(ended);
        }
    }

    fn take_freed(&mut self, freed: Freed) {
        self.busy.remove(&freed.host);
        *self.pending.entry(freed.host).or_default() += 1;
        self.warm.insert(freed.host, freed.warm);
    }

    fn take_ended(&mut self, ended: Result<Ended, tokio::task::JoinError>) {
        let Ok(ended) = ended else {
            self.run.fails(super::Trouble::Store(store::StoreError::Panicked));
            return;
        };
        if ended.freed {
            // Freed first, ended later; but the messages may have crossed.
            while let Ok(freed) = self.freed.try_recv() {
                self.take_freed(freed);
            }
            if let Some(count) = self.pending.get_mut(&ended.host) {
                *count -= 1;
                if *count == 0 {
                    self.pending.remove(&ended.host);
                }
            }
            return;
        }
        self.busy.remove(&ended.host);
        if let Some(warm) = ended.warm {
            self.warm.insert(ended.host, warm);
        }
        if let Some(session) = ended.session {
            if self.sessions.len() >= OPEN {
                self.sessions.clear();
            }
            self.sessions.insert(ended.host, (session, Instant::now()));
        }
    }

    /// Hosts held for long are given back, so that others get their turn; and those with nothing left to ask.
    async fn close_old(&mut self) {
        let longest = self.run.worker.settings.turn;
        let old: Vec<HostNumber> = self
            .warm
            .iter()
            .filter(|(host, warm)| {
                let rests = self.rests_long(warm);
                (rests || warm.since.elapsed() > longest) && !self.pending.contains_key(host)
            })
            .map(|(host, _)| *host)
            .collect();
        // With answers still to be stored it must wait; until then it gets no new errands.
        for (host, warm) in &self.warm {
            if warm.since.elapsed() > longest {
                self.busy.insert(*host);
            }
        }
        for host in old {
            if let Some(warm) = self.warm.remove(&host) {
                self.release(warm).await;
                self.busy.remove(&host);
            }
        }
    }

    /// A host that may not be asked soon is given back: the monitor may come first.
    fn rests_long(&self, warm: &Warm) -> bool {
        let worker = &self.run.worker;
        worker.clock.wait_until(worker.fetcher.earliest(&warm.name)) > errand::KEEP_WITHIN
    }

    async fn release(&self, warm: Warm) {
        give_back(&self.run, &warm.name, warm.lease).await;
    }

    /// Says how it goes; false if the crawl is to stop.
    async fn say(&mut self) -> bool {
        let run = self.run.clone();
        let ran = self.beat.at.elapsed();
        self.beat.at = Instant::now();
        remainder::store_trapped(&run).await;
        let progress = self.progress(ran);
        if let Err(error) = super::run::sync(&run).await {
            run.fails(super::Trouble::Files(format!("the WARC file: {error}")));
        }
        if let Err(error) = topic_news::take_in(&run, &mut self.topic_changed).await {
            run.fails(super::Trouble::Store(error));
        }
        let soft = self.snapshot().await;
        let now = run.worker.clock.now();
        run.worker.announce();
        match run.worker.store.crawl_beat(run.id, run.epoch, progress, ran, soft, now).await {
            Ok(CrawlPhase::Running) => true,
            Ok(_) => false,
            Err(error) => {
                run.fails(super::Trouble::Store(error));
                true
            }
        }
    }

    fn progress(&mut self, ran: Duration) -> CrawlProgress {
        let run = self.run.clone();
        let desk = run.desk();
        let counts = desk.mind.counts();
        let pages = f64::from(counts.fetched.saturating_sub(self.beat.fetched));
        let rate = pages / ran.as_secs_f64().max(1e-3);
        self.beat.fetched = counts.fetched;
        self.beat.rate = if self.beat.rate == 0.0 { rate } else { 0.7 * self.beat.rate + 0.3 * rate };
        if pages > 0.0 {
            self.beat.last_page = Instant::now();
        }
        CrawlProgress {
            waiting: counts.waiting.into(),
            asking: self.busy.len() as u64,
            hosts: counts.hosts.into(),
            pages_per_second: self.beat.rate,
            idle: self.why_idle(&desk, &counts),
            dropped: desk.dropped.clone(),
        }
    }

    /// Why nothing more is under way, in words; empty if nothing holds it up.
    fn why_idle(&self, desk: &Desk, counts: &CrawlCounts) -> String {
        let now = self.run.worker.clock.now();
        if let Some(since) = desk.reach.is_down() {
            return words::down(since, &desk.last_trouble, PROBE);
        }
        let quiet = self.beat.last_page.elapsed();
        if quiet < BEAT {
            return String::new();
        }
        if self.is_full() {
            let long = quiet >= QUIET;
            return if long { words::awaited(self.busy.len()) } else { String::new() };
        }
        if let Some((name, hosts)) = desk.kept().filter(|_| quiet >= QUIET) {
            return words::kept(name, hosts);
        }
        let idle = desk.mind.idle();
        let failed = counts.fetched == 0 || matches!(idle, Idle::Hosts { hosts: 0, .. });
        let trouble = if failed { desk.last_trouble.as_str() } else { "" };
        words::with_trouble(&words::idle(&idle, now), trouble)
    }

    async fn snapshot(&mut self) -> Option<String> {
        if self.beat.snapshot.elapsed() < self.beat.every {
            return None;
        }
        let began = Instant::now();
        let soft = super::run::soft_state(&self.run).await;
        self.beat.snapshot = Instant::now();
        // At most a fiftieth of the time is spent on it.
        self.beat.every = SNAPSHOT.max(began.elapsed() * 50);
        soft
    }

    /// Answers under way are stored if they come soon; every host is given back.
    async fn wind_down(&mut self) {
        // Who waits for an answer or a place hears of it.
        self.run.stop.cancel();
        let all = async {
            let mut kept = Vec::new();
            while let Some(ended) = self.errands.join_next().await {
                kept.extend(ended.ok().and_then(|ended| Some((ended.host, ended.warm?))));
            }
            kept
        };
        let kept = tokio::time::timeout(STOP_WITHIN, all).await.unwrap_or_default();
        self.warm.extend(kept);
        self.errands.abort_all();
        while let Ok(freed) = self.freed.try_recv() {
            self.warm.insert(freed.host, freed.warm);
        }
        if self.run.is_in_trouble() {
            // Nothing can be stored: their leases run out.
            return;
        }
        for (_, warm) in std::mem::take(&mut self.warm) {
            self.release(warm).await;
        }
    }
}
