//! The loop: plan → fetch → read → store, on real parts.
//!
//! A dispatcher leases hosts whose work is due. Each leased host gets a turn: its due sources are visited and
//! its new articles' pages read, one request after the other, politely. A visit is one transaction: the
//! listing, the new articles and the next plan. Each article's page follows as its own.

mod body;
mod clock;
mod crawl;
mod dispatch;
mod fleet;
mod hand;
mod housekeeping;
mod planning;
mod preview;
mod readers;
mod reading;
mod refiling;
mod settings;
mod sitemaps;
mod status;
mod telling;
mod turn;
mod visit;
mod watches;
mod watching;
mod worker;

pub use clock::{FastClock, FleetClock, SystemClock};
pub use crawl::{CrawlHost, CrawlRefusal, CrawlStatus, CrawlWish, FrontierEntry, PromotionWish, UrlStory};
pub use planning::JournalFile;
pub use preview::Preview;
pub use settings::{EngineSettings, own_url};
pub use status::{Counters, Status};
pub use telling::{ChannelError, ChannelWish, Story, StoryArticle, default_zone, signature};
pub use watches::{Fetched, Glance, WatchRefusal, WatchWish};
pub use worker::Parts;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::{ChannelId, Clock, CrawlId, SourceId, Visit, WatchId};
use page::Caps;
use page::watches::Aim;
use scheduling::Outlook;
use std::sync::Arc;
use std::time::Duration;
use store::{
    Candidate, Channel, CrawlEdit, CrawlInfo, CrawlPage, CrawlPageFilter, CrawlPhase, DeliveryInfo, Message,
    PlanChoice, Store, StoreError, Watch, WatchEdit,
};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use url::Url;
use worker::Worker;

/// A clean stop takes no longer than this: whatever is under way then is given up, and nothing is lost.
const STOP_WITHIN: Duration = Duration::from_millis(1500);

/// A running monitor.
pub struct Engine {
    worker: Arc<Worker>,
    tasks: Vec<JoinHandle<()>>,
}

/// What the rest of the program may ask of the engine, running or not. Cheap to clone.
#[derive(Clone)]
pub struct EngineHandle {
    worker: Arc<Worker>,
}

impl Engine {
    /// Starts the loop. Where the data are in a file, the caller has made sure that no other process runs one on them.
    pub async fn start(parts: Parts) -> Result<Self, StoreError> {
        if !parts.store.is_shared() {
            let ended = parts.store.end_all_leases().await?;
            if ended > 0 {
                tracing::info!(hosts = ended, "took over the hosts of a process that did not stop cleanly");
            }
        }
        let worker = Arc::new(Worker::new(parts)?);
        fleet::join(&worker).await?;
        for (host, manners) in worker.store.wary_hosts(worker.clock.now()).await? {
            worker.fetcher.restore(&host, manners);
        }
        planning::ready(&worker).await?;
        let mut tasks = vec![
            tokio::spawn(planning::keep(worker.clone())),
            tokio::spawn(housekeeping::watch_for_late_sources(worker.clone())),
            tokio::spawn(housekeeping::forget_the_old(worker.clone())),
            tokio::spawn(watching::keep(worker.clone())),
            tokio::spawn(telling::run(worker.clone())),
        ];
        if worker.fleet.is_joined() {
            tasks.push(tokio::spawn(fleet::keep(worker.clone())));
            tasks.push(tokio::spawn(fleet::hear(worker.clone())));
        }
        let roles = worker.fleet.roles;
        if roles.visiting {
            worker.store.expect_visits();
            tasks.push(tokio::spawn(dispatch::run(worker.clone())));
        }
        if roles.crawling {
            tasks.push(tokio::spawn(crawl::keep(worker.clone())));
        }
        if roles.filing {
            tasks.push(tokio::spawn(refiling::file_anew(worker.clone())));
        }
        Ok(Self { worker, tasks })
    }

    /// A handle for others.
    pub fn handle(&self) -> EngineHandle {
        EngineHandle { worker: self.worker.clone() }
    }

    /// Stops: no new requests, what was fetched is stored, hosts are given back.
    pub async fn stop(self) {
        self.worker.stop.cancel();
        let all = async {
            for task in self.tasks {
                let _ = task.await;
            }
        };
        if tokio::time::timeout(STOP_WITHIN, all).await.is_err() {
            tracing::warn!("some visits did not end in time and will be made again after the next start");
        }
        fleet::leave(&self.worker).await;
    }
}

impl EngineHandle {
    /// A handle without a running loop, for commands that visit by themselves.
    pub fn idle(parts: Parts) -> Result<Self, StoreError> {
        Ok(Self { worker: Arc::new(Worker::new(parts)?) })
    }

    /// Something became due: do not wait for the next look.
    pub fn wake(&self) {
        self.worker.wake.notify_one();
    }

    /// A message was written, or is to be tried again: do not wait for the next look.
    pub fn tell(&self) {
        self.worker.tell.notify_one();
    }

    /// Makes a channel of this kind (`webhook` or `mail`), if it can work. A webhook's secret is shown this once.
    pub async fn add_channel(&self, kind: &str, wish: ChannelWish) -> Result<Channel, ChannelError> {
        telling::add(&self.worker, kind, wish).await
    }

    /// Changes a channel. Whatever waits for it to be mended is tried at once.
    pub async fn change_channel(&self, id: ChannelId, wish: ChannelWish) -> Result<Channel, ChannelError> {
        telling::change(&self.worker, id, wish).await
    }

    /// Sends a test through a channel and waits for how that ends.
    pub async fn test_channel(&self, id: ChannelId) -> Result<DeliveryInfo, StoreError> {
        telling::test(&self.worker, id).await
    }

    /// A message in words, for people in this time zone.
    pub fn story(&self, message: &Message, zone: &TimeZone) -> Story {
        Story::of(message, self.public_url(), zone)
    }

    /// Where people reach the pages.
    pub fn public_url(&self) -> &Url {
        &self.worker.settings.public_url
    }

    /// The knowledge changed: stored articles are filed anew, and pages that follow along show it.
    pub fn knowledge_changed(&self) {
        self.worker.refile.notify_one();
        self.worker.announce();
    }

    /// What is going on.
    pub fn status(&self) -> Status {
        self.worker.counters.status(&self.worker.settings, &*self.worker.clock)
    }

    /// Raw counters for metrics.
    pub fn counters(&self) -> &Counters {
        &self.worker.counters
    }

    /// Counts up whenever something visible changed; for pages that follow along.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.worker.changes.subscribe()
    }

    /// Tells followers that something visible changed by another hand.
    pub fn announce(&self) {
        self.worker.announce();
    }

    /// The time, on the monitor's clock.
    pub fn now(&self) -> Timestamp {
        self.worker.clock.now()
    }

    /// The monitor's clock.
    pub fn clock(&self) -> &dyn Clock {
        &*self.worker.clock
    }

    /// A visit planned before this moment and not made is late.
    pub fn late_before(&self) -> Timestamp {
        self.worker.late_before()
    }

    /// The data.
    pub fn store(&self) -> &Store {
        &self.worker.store
    }

    /// What reading may cost.
    pub fn caps(&self) -> &Caps {
        &self.worker.settings.caps
    }

    /// When a new source is first visited, and why.
    pub fn first_visit(&self) -> model::PlannedVisit {
        self.worker.first_visit()
    }

    /// How visits are planned: the user's choice, or what stands in for it.
    pub fn plan_choice(&self) -> PlanChoice {
        self.worker.planning.choice()
    }

    /// What visits are planned by as long as the user chooses nothing.
    pub fn usual_plan(&self) -> &PlanChoice {
        self.worker.planning.usual()
    }

    /// How often sources are visited on average, unless the user set a budget.
    pub fn interval(&self) -> Duration {
        self.worker.planning.interval()
    }

    /// The user's choice of how visits are planned changed: it is in force at once.
    pub fn plan_changed(&self) {
        self.worker.planning.wake.notify_one();
    }

    /// What the policy expects of a source.
    pub async fn outlook(&self, source: SourceId) -> Result<Option<Outlook>, StoreError> {
        planning::outlook(&self.worker, source).await
    }

    /// Whether the gate would let a request to this URL out, as far as the URL itself tells.
    pub fn check_url(&self, url: &Url) -> Result<(), fetch::gate::Refusal> {
        self.worker.fetcher.gate().check_url(url)
    }

    /// Looks at a URL without storing anything: what would it be as a source?
    pub async fn preview(&self, url: &Url, selector: Option<&str>) -> Preview {
        preview::preview(&self.worker, url, selector).await
    }

    /// Makes a watch on a part of a source's page; the page is visited as soon as manners allow.
    pub async fn add_watch(&self, source: SourceId, wish: &WatchWish) -> Result<Watch, WatchRefusal> {
        watches::add(&self.worker, source, wish).await
    }

    /// Changes a watch. One that has ended begins anew.
    pub async fn change_watch(&self, id: WatchId, wish: &WatchWish) -> Result<Watch, WatchRefusal> {
        watches::change(&self.worker, id, wish).await
    }

    /// Pauses a watch, or lets it look again.
    pub async fn pause_watch(&self, id: WatchId, paused: bool) -> Result<Watch, WatchRefusal> {
        let edit = WatchEdit { paused: Some(paused), ..WatchEdit::default() };
        watches::edit_watch(&self.worker, id, edit).await
    }

    /// Looks at a part of a page without storing anything: what would a watch see now?
    pub async fn glance(&self, url: &Url, aim: &Aim) -> Glance {
        let fetched = watches::fetch_page(&self.worker, url).await;
        watches::glance(&self.worker, &fetched, aim).await
    }

    /// Fetches a page to look at parts of it.
    pub async fn fetch_page(&self, url: &Url) -> Fetched {
        watches::fetch_page(&self.worker, url).await
    }

    /// What a watch would see of a page that was fetched.
    pub async fn glance_at(&self, fetched: &Fetched, aim: &Aim) -> Glance {
        watches::glance(&self.worker, fetched, aim).await
    }

    /// Visits one source now, as far as manners allow, and reads its new articles.
    /// `None` if another process holds the host.
    pub async fn visit_now(&self, id: SourceId) -> Result<Option<Visit>, StoreError> {
        turn::visit_now(&self.worker, id).await
    }

    /// Starts a crawl, if it can be: it runs as soon as a monitor does, and goes on after a restart.
    pub async fn start_crawl(&self, wish: CrawlWish) -> Result<CrawlId, CrawlRefusal> {
        crawl::start(&self.worker, wish, crawl::Runner::Anybody).await
    }

    /// Makes a crawl that this process will run itself ([`EngineHandle::run_crawl`]), whoever else is there to run crawls.
    pub async fn start_crawl_here(&self, wish: CrawlWish) -> Result<CrawlId, CrawlRefusal> {
        // Whoever holds something is known to the others: should this process die now, they free it.
        fleet::join(&self.worker).await?;
        crawl::start(&self.worker, wish, crawl::Runner::Us).await
    }

    /// What people call the other worker that has a crawl, if there is one.
    pub async fn crawl_held_by(&self, id: CrawlId) -> Result<Option<String>, StoreError> {
        self.worker.store.crawl_held_by(id, &self.worker.fleet.name).await
    }

    /// Runs a crawl here, as soon as no other worker has it, until it is done, stopped or in trouble. For commands without a
    /// running monitor.
    pub async fn run_crawl(&self, id: CrawlId) -> Result<CrawlInfo, StoreError> {
        fleet::join(&self.worker).await?;
        let presence = tokio::spawn(fleet::keep(self.worker.clone()));
        let ended = match crawl::until_free(&self.worker, id).await {
            Ok(()) => crawl::run(&self.worker, id, self.worker.stop.child_token(), false).await,
            Err(error) => Err(error),
        };
        presence.abort();
        fleet::leave(&self.worker).await;
        ended
    }

    /// Stops what [`EngineHandle::run_crawl`] runs; the crawl can go on later.
    pub fn interrupt(&self) {
        self.worker.stop.cancel();
    }

    /// Stops a crawl.
    pub async fn stop_crawl(&self, id: CrawlId) -> Result<CrawlInfo, StoreError> {
        let info = self.worker.store.set_crawl_phase(id, CrawlPhase::Stopped, CrawlEdit::default()).await?;
        self.worker.crawls.wake.notify_one();
        crawl::write_lists_of_dead(&self.worker, &info).await;
        Ok(info)
    }

    /// Lets a crawl go on, perhaps with another page budget.
    pub async fn resume_crawl(&self, id: CrawlId, pages: Option<u32>) -> Result<CrawlInfo, CrawlRefusal> {
        crawl::resume(&self.worker, id, pages).await
    }

    /// All crawls, the newest first.
    pub async fn crawls(&self) -> Result<Vec<CrawlInfo>, StoreError> {
        self.worker.store.crawls().await
    }

    /// Where a crawl stands, with its harvest curve.
    pub async fn crawl_status(&self, id: CrawlId) -> Result<CrawlStatus, StoreError> {
        crawl::status(&self.worker, id).await
    }

    /// The best waiting URLs of a crawl; with how their worth came about if it runs here.
    pub async fn crawl_frontier(&self, id: CrawlId, count: usize) -> Result<Vec<FrontierEntry>, StoreError> {
        crawl::frontier(&self.worker, id, count).await
    }

    /// The hosts of a crawl and the manners towards them, the most fruitful first.
    pub async fn crawl_hosts(&self, id: CrawlId, count: usize) -> Result<Vec<CrawlHost>, StoreError> {
        crawl::hosts(&self.worker, id, count).await
    }

    /// Pages of a crawl with their evidence.
    pub async fn crawl_pages(
        &self,
        id: CrawlId,
        filter: CrawlPageFilter,
    ) -> Result<Vec<CrawlPage>, StoreError> {
        self.worker.store.crawl_pages(id, filter).await
    }

    /// All that is known about one URL of a crawl; `None` if the crawl does not know it.
    pub async fn crawl_explain(&self, id: CrawlId, url: &Url) -> Result<Option<UrlStory>, StoreError> {
        crawl::explain(&self.worker, id, url).await
    }

    /// What a crawl found worth watching, the most promising first.
    pub async fn candidates(&self, id: CrawlId, count: usize) -> Result<Vec<Candidate>, StoreError> {
        self.worker.store.candidates(id, count).await
    }

    /// Makes a candidate a source, filed and weighed as wished, and visited at once.
    pub async fn promote(&self, wish: PromotionWish) -> Result<SourceId, StoreError> {
        crawl::promote(&self.worker, wish).await
    }
}
