//! Many sources on many hosts: time, memory and CPU of a round, of the next one when nothing has changed, and
//! of one in which every source has something new; beside urlwatch on the same server in the same run.

mod peer;
mod web;

use crate::child::{Monitor, command};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tokio::time::sleep;
use web::{Counts, Pages};

/// Between two rounds: long enough for a round and the article pages to be over before the next begins.
const INTERVAL: Duration = Duration::from_mins(1);

pub(crate) async fn run(sources: usize, hosts: usize, with_peer: bool) -> anyhow::Result<bool> {
    let pages = Pages::start(sources, hosts).await?;
    let folder = tempfile::tempdir()?;
    let list = folder.path().join("list.txt");
    std::fs::write(&list, pages.urls.join("\n"))?;
    command(folder.path(), &["sources", "import", "--allow", "127.0.0.0/8", &list.to_string_lossy()])?;

    let interval = format!("{}s", INTERVAL.as_secs());
    let began = Instant::now();
    let mut monitor = Monitor::start(folder.path(), &["--delay", "0s", "--interval", &interval])?;
    let started_in = began.elapsed();
    until(&pages, |counts| counts.listings >= sources).await?;
    let first_round = began.elapsed();
    println!(
        "  started in {started_in:.2?}; first round of {sources} sources on {hosts} hosts in {first_round:.1?}, {:.3} ms CPU a visit",
        per(monitor.cpu()?, sources)
    );

    // Each list brought an article of its own and each host nine shared ones; all their pages are read.
    let unread = sources + hosts * 9;
    until(&pages, |counts| counts.articles >= unread).await?;
    settle(&pages).await;
    let unchanged =
        measure(&monitor, &pages, |before, counts| counts.listings >= before.listings + sources).await?;
    anyhow::ensure!(
        unchanged.counts.not_modified == unchanged.counts.listings,
        "not all were 304: {:?}",
        unchanged.counts
    );
    println!("  second round, all 304: {:.3} ms CPU a visit", unchanged.per_visit());

    settle(&pages).await;
    pages.publish();
    let changed =
        measure(&monitor, &pages, |before, counts| counts.articles >= before.articles + sources).await?;
    println!(
        "  third round, one new article a source and its page read: {:.3} ms CPU a visit",
        changed.per_visit()
    );
    let memory = monitor.peak_memory()?;
    let stopped_in = monitor.stop()?;

    let idle = idle(folder.path()).await?;
    println!("  clean stop in {stopped_in:.2?}, peak memory {memory:.0} MB, idle {:.2} % CPU", idle * 100.0);
    let met = first_round < Duration::from_mins(1) && memory < 150.0 && idle < 0.01;
    let mut figure =
        format!("{sources} sources in {first_round:.1?}, {memory:.0} MB, idle {:.2} %", idle * 100.0);
    if with_peer {
        let peer = peer::urlwatch(&pages)?;
        println!(
            "  urlwatch on the same server: {:.3} ms CPU a check unchanged, {:.3} ms changed",
            peer.unchanged, peer.changed
        );
        let _ = write!(
            figure,
            "; urlwatch uses {:.1} times our CPU unchanged, {:.1} times with new articles (whose pages it does not read)",
            peer.unchanged / unchanged.per_visit(),
            peer.changed / changed.per_visit()
        );
    }
    println!("{figure}");
    Ok(met)
}

/// CPU and requests of one round.
struct Round {
    cpu: Duration,
    counts: Counts,
}

impl Round {
    fn per_visit(&self) -> f64 {
        per(self.cpu, self.counts.listings)
    }
}

fn per(cpu: Duration, visits: usize) -> f64 {
    cpu.as_secs_f64() * 1000.0 / visits.max(1) as f64
}

async fn measure(
    monitor: &Monitor,
    pages: &Pages,
    over: impl Fn(&Counts, &Counts) -> bool,
) -> anyhow::Result<Round> {
    let (before, cpu) = (pages.counts(), monitor.cpu()?);
    let after = until(pages, |counts| over(&before, counts)).await?;
    let counts = Counts {
        listings: after.listings - before.listings,
        not_modified: after.not_modified - before.not_modified,
        articles: after.articles - before.articles,
    };
    Ok(Round { cpu: monitor.cpu()?.saturating_sub(cpu), counts })
}

/// Lets article pages that are still being read come to an end.
async fn settle(pages: &Pages) {
    let mut last = pages.counts().articles;
    loop {
        sleep(Duration::from_secs(1)).await;
        let now = pages.counts().articles;
        if now == last {
            return;
        }
        last = now;
    }
}

/// The same sources with nothing due: the share of one core that waiting costs.
async fn idle(data: &std::path::Path) -> anyhow::Result<f64> {
    let mut monitor = Monitor::start(data, &["--delay", "0s", "--interval", "200h"])?;
    // What is still due from before is visited once more.
    sleep(INTERVAL * 2).await;
    let cpu = monitor.cpu()?;
    let span = Duration::from_secs(20);
    sleep(span).await;
    let used = monitor.cpu()?.saturating_sub(cpu);
    monitor.stop()?;
    Ok(used.as_secs_f64() / span.as_secs_f64())
}

async fn until(pages: &Pages, holds: impl Fn(&Counts) -> bool) -> anyhow::Result<Counts> {
    let began = Instant::now();
    loop {
        let counts = pages.counts();
        if holds(&counts) {
            return Ok(counts);
        }
        anyhow::ensure!(began.elapsed() < Duration::from_mins(4), "waited in vain: {counts:?}");
        sleep(Duration::from_millis(50)).await;
    }
}
