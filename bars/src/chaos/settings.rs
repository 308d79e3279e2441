//! How large the web is, how many processes there are, and how much trouble they get.

use super::words::TOPICS;
use std::path::PathBuf;
use std::time::Duration;

/// What a run is told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The program.
    pub program: PathBuf,
    /// Everything random comes from it.
    pub seed: u64,
    /// How long the trouble lasts.
    pub span: Duration,
    /// Workers beside the one that serves pages.
    pub workers: usize,
    /// Hosts of the web.
    pub hosts: usize,
    /// Lists and feeds on them.
    pub sources: usize,
    /// Faults, at least.
    pub faults: usize,
    /// Of these so many stops beyond the time after which a process is taken for gone.
    pub long_stops: usize,
    /// And so many restarts of the database.
    pub database_restarts: usize,
    /// How long such a stop is.
    pub long_stop: (Duration, Duration),
    /// The pause the program is told to keep.
    pub delay: Duration,
    /// What the robots.txt of a tenth of the hosts asks for.
    pub crawl_delay: Duration,
    /// How long each host thinks before it answers; by default a tenth of them do, for a while.
    pub thinks: Option<Duration>,
    /// Requests that a process has under way at the same time, if not the usual number.
    pub connections: Option<usize>,
    /// How often sources are visited on average.
    pub interval: Duration,
    /// Articles that come while it runs, besides those of the bursts.
    pub news: usize,
    /// Folders that have a burst.
    pub topics: usize,
    /// Hosts with pages for the crawl.
    pub crawled: usize,
    /// Every so many hosts one answers 503 now and then; 0 for none.
    pub busy_every: usize,
    /// Percent of the messages that are not thanked for.
    pub failing: usize,
    /// How long it may take at the end until everything is done.
    pub drain: Duration,
    /// The hosts are 127.`net`.0.1 and up.
    pub net: u8,
    /// Where everything is written; a throw-away folder if it is not said.
    pub keep: Option<PathBuf>,
}

impl Settings {
    /// The bar: 4 workers, 2,000 hosts, 20,000 sources, 10 minutes, at least 100 faults: some find nobody to hit in time.
    pub fn full(program: PathBuf) -> Self {
        Self {
            program,
            seed: 1,
            span: Duration::from_mins(10),
            workers: 4,
            hosts: 2_000,
            sources: 20_000,
            faults: 112,
            long_stops: 22,
            database_restarts: 6,
            long_stop: (Duration::from_secs(20), Duration::from_secs(40)),
            delay: Duration::from_secs(1),
            crawl_delay: Duration::from_secs(2),
            thinks: None,
            connections: None,
            interval: Duration::from_secs(150),
            news: 30_000,
            topics: TOPICS.len(),
            crawled: 400,
            busy_every: 40,
            failing: 4,
            drain: Duration::from_mins(10),
            net: 81,
            keep: None,
        }
    }

    /// Another number of hosts; a fifth of them have pages for the crawl.
    pub fn have_hosts(&mut self, hosts: usize) {
        (self.hosts, self.crawled) = (hosts, (hosts / 5).max(1));
    }

    /// Another number of sources, with as much news on each.
    pub fn have_sources(&mut self, sources: usize) {
        (self.sources, self.news) = (sources, sources * 3 / 2);
    }

    /// Another number of faults, of the same kinds.
    pub fn have_faults(&mut self, faults: usize) {
        self.faults = faults;
        (self.long_stops, self.database_restarts) = (faults * 22 / 100, faults * 6 / 100);
    }

    /// The same in small, for every run of the tests.
    pub fn short(program: PathBuf) -> Self {
        Self {
            span: Duration::from_secs(40),
            workers: 3,
            hosts: 60,
            sources: 300,
            faults: 11,
            long_stops: 2,
            database_restarts: 2,
            long_stop: (Duration::from_secs(18), Duration::from_secs(20)),
            delay: Duration::from_millis(250),
            crawl_delay: Duration::from_millis(500),
            interval: Duration::from_secs(12),
            news: 400,
            topics: 6,
            crawled: 20,
            busy_every: 30,
            failing: 0,
            drain: Duration::from_mins(4),
            net: 82,
            ..Self::full(program)
        }
    }

    /// No trouble but the database's: it crashes and restarts in mid-load.
    pub fn failover(program: PathBuf) -> Self {
        let mut settings = Self {
            span: Duration::from_mins(2),
            faults: 8,
            long_stops: 0,
            database_restarts: 8,
            interval: Duration::from_mins(1),
            ..Self::full(program)
        };
        settings.have_hosts(1_000);
        settings.have_sources(10_000);
        settings
    }

    /// Many hosts that all answer after the same time, nothing but their first articles, and no trouble: for measuring.
    pub(crate) fn calm(program: PathBuf, hosts: usize, sources: usize, thinks: Duration) -> Self {
        Self {
            hosts,
            sources,
            thinks: Some(thinks),
            delay: Duration::ZERO,
            crawl_delay: Duration::ZERO,
            news: 0,
            topics: 0,
            crawled: 0,
            busy_every: 0,
            net: 83,
            ..Self::full(program)
        }
    }

    /// Nothing new appears after this: what is on the lists has time to be seen while there is trouble.
    pub(crate) fn published_until(&self) -> Duration {
        self.span.mul_f64(0.95)
    }

    pub(crate) fn busy_twice(&self) -> bool {
        self.span >= Duration::from_mins(5)
    }
}
