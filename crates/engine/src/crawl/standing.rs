//! How a crawl stands, for people: from its mind while it runs here, else from its rows.

use super::Run;
use super::desk::Hits;
use crate::worker::Worker;
use discovery::crawl::{HostNumber, ScoreBreakdown, Spot, comes_first, url_hash};
use jiff::Timestamp;
use model::CrawlId;
use page::urls;
use serde::Serialize;
use std::collections::BTreeMap;
use store::{CrawlInfo, CrawlPage, CrawlPoint, CrawlUrl, StoreError, UrlState};
use url::Url;

/// Where a crawl stands.
#[derive(Debug, Serialize)]
pub struct CrawlStatus {
    /// The crawl.
    pub crawl: CrawlInfo,
    /// The share of the pages read that are on the topic.
    pub harvest: f64,
    /// It runs in this process.
    pub here: bool,
    /// Relevant pages against pages read.
    pub curve: Vec<CrawlPoint>,
}

/// A URL that waits.
#[derive(Debug, Serialize)]
pub struct FrontierEntry {
    /// Where it leads.
    pub url: Url,
    /// What it seems to be worth by now.
    pub priority: f32,
    /// The text of the link that told of it first.
    pub anchor: String,
    /// Links in a row from a seed.
    pub depth: u16,
    /// The page with that link.
    pub parent: Option<Url>,
    /// How its worth came about; `None` if the crawl does not run here.
    pub why: Option<ScoreBreakdown>,
}

impl FrontierEntry {
    /// What it seems to be worth by now; seeds and the feeds of good pages are not weighed.
    pub fn worth(&self) -> String {
        match &self.parent {
            _ if !comes_first(self.priority) => format!("{:.3}", self.priority),
            None => "a seed".to_owned(),
            Some(_) => "at once".to_owned(),
        }
    }
}

/// All that is known about one URL of a crawl.
#[derive(Debug, Serialize)]
pub struct UrlStory {
    /// The URL as stored.
    pub url: CrawlUrl,
    /// Its page, if it was read.
    pub page: Option<CrawlPage>,
    /// How its worth came about, as far as the running mind remembers.
    pub why: Option<ScoreBreakdown>,
    /// The links that led there, from a seed on.
    pub way: Vec<CrawlUrl>,
}

/// A host of a crawl and the manners towards it.
#[derive(Debug, Serialize)]
pub struct CrawlHost {
    /// Its name.
    pub name: String,
    /// Pages read from it.
    pub pages: u64,
    /// Those on the topic.
    pub relevant: u64,
    /// URLs of it that wait, among those looked at.
    pub waiting: u64,
    /// When it may be asked next.
    pub next_at: Timestamp,
    /// Troubles in a row.
    pub troubles: u32,
    /// The pause between two requests, in seconds.
    pub delay_seconds: f64,
}

pub(crate) async fn status(worker: &Worker, id: CrawlId) -> Result<CrawlStatus, StoreError> {
    let crawl = worker.store.crawl(id).await?;
    let curve = worker.store.crawl_curve(id, worker.crawls.curve(id)).await?;
    let points = curve.points();
    worker.crawls.keep_curve(id, curve);
    let here = worker.crawls.get(id).is_some();
    Ok(CrawlStatus { harvest: crawl.harvest(), crawl, here, curve: points })
}

pub(crate) async fn frontier(
    worker: &Worker,
    id: CrawlId,
    count: usize,
) -> Result<Vec<FrontierEntry>, StoreError> {
    let Some(run) = worker.crawls.get(id) else {
        let rows = worker.store.waiting_crawl_urls(id, count).await?;
        return entries(worker, id, rows, |row| (row.priority, None)).await;
    };
    let top: Vec<(Spot, f32)> = run.desk().mind.top(count);
    let rows = worker.store.crawl_urls_at(id, top.iter().map(|(spot, _)| spot.0).collect()).await?;
    entries(worker, id, rows, |row| {
        let now = top.iter().find(|(spot, _)| spot.0 == row.spot).map_or(row.priority, |(_, worth)| *worth);
        (now, breakdown(&run, row.spot))
    })
    .await
}

async fn entries(
    worker: &Worker,
    id: CrawlId,
    rows: Vec<CrawlUrl>,
    worth: impl Fn(&CrawlUrl) -> (f32, Option<ScoreBreakdown>),
) -> Result<Vec<FrontierEntry>, StoreError> {
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows {
        let (priority, why) = worth(&row);
        let parent = match row.parent {
            Some(parent) => worker.store.crawl_urls_at(id, vec![parent]).await?.into_iter().next(),
            None => None,
        };
        entries.push(FrontierEntry {
            url: row.url,
            priority,
            anchor: row.anchor,
            depth: row.depth,
            parent: parent.map(|parent| parent.url),
            why,
        });
    }
    Ok(entries)
}

fn breakdown(run: &Run, spot: u32) -> Option<ScoreBreakdown> {
    run.desk().mind.explain(Spot(spot))
}

/// The way from a seed is not told beyond this.
const STEPS: usize = 30;

pub(crate) async fn explain(worker: &Worker, id: CrawlId, url: &Url) -> Result<Option<UrlStory>, StoreError> {
    let url = urls::normalise(url);
    let Some(found) = worker.store.crawl_url(id, url_hash(&url), url).await? else {
        return Ok(None);
    };
    let mut way = Vec::new();
    let mut parent = found.parent;
    while let Some(spot) = parent.filter(|_| way.len() < STEPS) {
        let Some(step) = worker.store.crawl_urls_at(id, vec![spot]).await?.into_iter().next() else { break };
        parent = step.parent;
        way.push(step);
    }
    way.reverse();
    let page = match found.state {
        UrlState::Fetched => worker.store.crawl_page(id, found.spot).await?,
        _ => None,
    };
    let why = worker.crawls.get(id).and_then(|run| breakdown(&run, found.spot));
    Ok(Some(UrlStory { url: found, page, why, way }))
}

/// Pages, and URLs that wait, that are looked at to count those of each host if the crawl does not run here.
const COUNTED: usize = 5_000;

pub(crate) async fn hosts(worker: &Worker, id: CrawlId, count: usize) -> Result<Vec<CrawlHost>, StoreError> {
    if let Some(run) = worker.crawls.get(id) {
        return Ok(hosts_here(worker, &run, count));
    }
    let mut counts: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    for (url, on_topic) in worker.store.some_crawl_urls(id, COUNTED).await? {
        let [pages, relevant, waiting] =
            counts.entry(model::host_name(&url).unwrap_or_default()).or_default();
        *pages += u64::from(on_topic.is_some());
        *relevant += u64::from(on_topic == Some(true));
        *waiting += u64::from(on_topic.is_none());
    }
    let hosts = counts.into_iter().map(|(name, [pages, relevant, waiting])| {
        let hits = Hits { pages, relevant };
        host(worker, name, hits, waiting)
    });
    let mut hosts: Vec<CrawlHost> = hosts.collect();
    hosts.sort_by_key(|host| std::cmp::Reverse((host.relevant, host.pages, host.waiting)));
    hosts.truncate(count);
    Ok(hosts)
}

/// From what the running crawl has counted: its rows are not read.
fn hosts_here(worker: &Worker, run: &Run, count: usize) -> Vec<CrawlHost> {
    let chosen: Vec<(String, Hits, u64)> = {
        let desk = run.desk();
        let waiting = desk.mind.waiting_hosts().filter(|host| !desk.hits.contains_key(host));
        let mut hosts: Vec<_> = desk
            .hits
            .iter()
            .map(|(host, hits)| (*host, *hits))
            .chain(waiting.map(|host| (host, Hits::default())))
            .collect();
        let place =
            |(host, hits): &(HostNumber, Hits)| (hits.relevant, hits.pages, desk.mind.waits_on(*host));
        hosts.sort_by_cached_key(|known| std::cmp::Reverse(place(known)));
        hosts.truncate(count);
        let named = hosts.into_iter().filter_map(|(host, hits)| {
            Some((desk.mind.host_name(host)?.to_owned(), hits, desk.mind.waits_on(host) as u64))
        });
        named.collect()
    };
    chosen.into_iter().map(|(name, hits, waiting)| host(worker, name, hits, waiting)).collect()
}

fn host(worker: &Worker, name: String, hits: Hits, waiting: u64) -> CrawlHost {
    let manners = worker.fetcher.manners(&name).unwrap_or_default();
    CrawlHost {
        next_at: worker.fetcher.earliest(&name),
        troubles: manners.troubles,
        delay_seconds: fetch::politeness::delay(&manners, worker.default_delay).as_secs_f64(),
        name,
        pages: hits.pages,
        relevant: hits.relevant,
        waiting,
    }
}
