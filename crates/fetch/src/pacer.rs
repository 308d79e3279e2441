//! Every request waits here for its turn: one at a time for a host, with a delay from the end of one to the
//! start of the next, across all sessions of the process.

mod turn;

use crate::politeness;
use jiff::{SignedDuration, Timestamp};
use model::{Clock, Manners};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
pub(crate) use turn::Turn;

/// The manners towards all hosts this process has to remember.
pub(crate) struct Pacer {
    clock: Arc<dyn Clock>,
    default_delay: Duration,
    /// A host not known here counts as asked then. So after a crash, too, nobody is asked sooner than the
    /// delay allows, though no request was ever written down.
    started: Timestamp,
    hosts: Mutex<Hosts>,
}

struct Hosts {
    known: HashMap<String, Arc<Host>>,
    /// The number at which the map is next swept. It doubles with what a sweep leaves, so sweeping is cheap.
    sweep_at: usize,
}

/// One host.
struct Host {
    /// Held during a request, for fairness in the order of asking.
    turn: Arc<tokio::sync::Mutex<()>>,
    memory: Mutex<Memory>,
}

/// What is remembered of a host.
struct Memory {
    manners: Manners,
    /// When the last request ended.
    ended: Timestamp,
    /// How near it is to a rest, see [`politeness::stumbles_after`]. Not stored: a restart begins at 0.
    stumbles: u32,
}

const FIRST_SWEEP: usize = 1024;

impl Pacer {
    pub(crate) fn new(clock: Arc<dyn Clock>, default_delay: Duration) -> Self {
        let started = clock.now();
        let hosts = Mutex::new(Hosts { known: HashMap::new(), sweep_at: FIRST_SWEEP });
        Self { clock, default_delay, started, hosts }
    }

    /// Waits for the turn to ask `host`. If that would take longer than `patience`, says when to come back.
    pub(crate) async fn turn(&self, host: &str, patience: Duration) -> Result<Turn, Timestamp> {
        let host = self.host(host);
        let deadline = later(self.clock.now(), patience);
        let at = self.earliest_of(&host);
        if at > deadline {
            return Err(at);
        }
        let held = if let Ok(held) = host.turn.clone().try_lock_owned() {
            held
        } else {
            let wait = self.clock.wait_until(deadline);
            let queued = tokio::time::timeout(wait, host.turn.clone().lock_owned()).await;
            queued.map_err(|_| self.after_another(&host))?
        };
        loop {
            // Asked again after each wait: meanwhile the delay may have grown, or the clock been set.
            let at = self.earliest_of(&host);
            if at > deadline {
                return Err(at);
            }
            if at <= self.clock.now() {
                return Ok(Turn::new(host, held, self.clock.clone()));
            }
            tokio::time::sleep(self.clock.wait_until(at)).await;
        }
    }

    /// When `host` may next be asked; now, or later.
    pub(crate) fn earliest(&self, host: &str) -> Timestamp {
        let known = self.hosts().known.get(key(host)).cloned();
        let at = match known {
            Some(host) => self.earliest_of(&host),
            None => politeness::earliest(&Manners::default(), self.default_delay, self.started),
        };
        at.max(self.clock.now())
    }

    /// Takes over what was stored.
    pub(crate) fn restore(&self, host: &str, stored: &Manners) {
        politeness::merge(&mut self.host(host).memory().manners, stored);
    }

    /// What is known of `host`, to be stored.
    pub(crate) fn manners(&self, host: &str) -> Option<Manners> {
        let known = self.hosts().known.get(key(host)).cloned();
        known.map(|host| host.memory().manners.clone())
    }

    /// robots.txt has spoken.
    pub(crate) fn set_crawl_delay(&self, host: &str, delay: Option<Duration>) {
        let known = self.hosts().known.get(key(host)).cloned();
        match known {
            Some(host) => host.memory().manners.crawl_delay = delay,
            None if delay.is_none() => {}
            None => self.host(host).memory().manners.crawl_delay = delay,
        }
    }

    fn earliest_of(&self, host: &Host) -> Timestamp {
        let memory = host.memory();
        politeness::earliest(&memory.manners, self.default_delay, memory.ended)
    }

    /// A guess at when the one whose turn it is will be done and the delay over.
    fn after_another(&self, host: &Host) -> Timestamp {
        let delay = politeness::delay(&host.memory().manners, self.default_delay);
        self.earliest_of(host).max(later(self.clock.now(), delay))
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts();
        if let Some(host) = hosts.known.get(key(name)) {
            return host.clone();
        }
        if hosts.known.len() >= hosts.sweep_at {
            hosts.known.retain(|_, host| Arc::strong_count(host) > 1 || !self.is_forgettable(host));
            hosts.sweep_at = (hosts.known.len() * 2).max(FIRST_SWEEP);
        }
        let memory = Memory { manners: Manners::default(), ended: self.started, stumbles: 0 };
        let host = Arc::new(Host { turn: Arc::default(), memory: Mutex::new(memory) });
        hosts.known.insert(key(name).to_owned(), host.clone());
        host
    }

    /// Whether forgetting a host changes nothing: its wait is over and its troubles forgiven. The crawl-delay
    /// comes again with robots.txt, which is looked at before every page.
    fn is_forgettable(&self, host: &Host) -> bool {
        let now = self.clock.now();
        let memory = host.memory();
        memory.manners.own_delay.is_none()
            && politeness::is_forgiven(&memory.manners, now)
            && politeness::earliest(&memory.manners, self.default_delay, memory.ended) <= now
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host {
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `example.org.` is `example.org`: a dot must not buy a second visitor.
fn key(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

fn later(at: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::clock::Fast;

    const DAY: Duration = Duration::from_hours(24);

    fn pacer(delay_seconds: u64) -> (Pacer, Arc<Fast>) {
        let clock = Arc::new(Fast::new(1_000));
        (Pacer::new(clock.clone(), Duration::from_secs(delay_seconds)), clock)
    }

    #[tokio::test]
    async fn a_fresh_process_waits_before_it_asks_anybody() {
        let (pacer, clock) = pacer(2);
        let began = clock.now();
        assert!(pacer.earliest("a.example") > began);
        assert!(pacer.turn("a.example", Duration::ZERO).await.is_err());
        pacer.turn("a.example", DAY).await.unwrap();
        assert!(clock.now().duration_since(pacer.started).as_secs() >= 2);
    }

    #[tokio::test]
    async fn a_dropped_request_counts_as_ended_when_dropped() {
        let (pacer, clock) = pacer(2);
        drop(pacer.turn("a.example", DAY).await.unwrap());
        let dropped = clock.now();
        drop(pacer.turn("A.example.".to_lowercase().as_str(), DAY).await.unwrap());
        assert!(clock.now().duration_since(dropped).as_millis() >= 1_990);
    }

    #[tokio::test]
    async fn who_is_not_patient_does_not_queue() {
        let (pacer, clock) = pacer(0);
        let held = pacer.turn("a.example", DAY).await.unwrap();
        let until = pacer.turn("a.example", Duration::from_secs(1)).await.err().unwrap();
        assert!(until <= clock.now());
        drop(held);
        assert!(pacer.turn("a.example", Duration::ZERO).await.is_ok());
    }

    #[tokio::test]
    async fn a_restored_crawl_delay_counts_from_the_start_of_the_process() {
        let (pacer, _) = pacer(0);
        let delay = Duration::from_secs(200);
        pacer.restore("a.example", &Manners { crawl_delay: Some(delay), ..Manners::default() });
        assert_eq!(pacer.earliest("a.example"), later(pacer.started, delay));
    }

    #[tokio::test]
    async fn hosts_without_memory_are_forgotten() {
        let (pacer, _) = pacer(0);
        let own = Manners { own_delay: Some(DAY), ..Manners::default() };
        pacer.restore("own.example", &own);
        for number in 0..20 * FIRST_SWEEP {
            drop(pacer.turn(&format!("{number}.example"), DAY).await.unwrap());
        }
        assert!(pacer.hosts().known.len() <= FIRST_SWEEP);
        assert_eq!(pacer.manners("own.example"), Some(own));
        assert_eq!(pacer.manners("1.example"), None);
    }

    #[tokio::test]
    async fn hosts_in_trouble_are_not_forgotten() {
        let (pacer, _) = pacer(0);
        let until = pacer.turn("bad.example", DAY).await.unwrap().trouble(None);
        for number in 0..2 * FIRST_SWEEP {
            drop(pacer.turn(&format!("{number}.example"), DAY).await.unwrap());
        }
        assert_eq!(pacer.earliest("bad.example"), until);
    }
}
