//! The live crawl: CPU a page and completeness on a real corpus beside two peers, memory at a million known URLs,
//! and kill -9. The judges are the servers' own logs.

mod corpus;
mod kills;
mod memory;
mod nginx;
mod peers;
mod process;

use corpus::Corpus;
use nginx::Nginx;
use process::{Cost, Process};
use std::path::{Path, PathBuf};

/// Where the corpus is kept, as it came.
const ARCHIVE: &str = "../shared/data/webs/schools-wikipedia.tar.xz";

/// Hosts the corpus is spread over: our manners ask each for one thing at a time, which makes 16 connections.
const HOSTS: usize = 16;

/// What one page may cost, in ms of CPU.
const CPU_MS: f64 = 1.5;

/// What a million known URLs may take, in MB.
const MEMORY_MB: f64 = 150.0;

/// Everything.
pub(crate) async fn run(runs: usize, kill: u32) -> anyhow::Result<bool> {
    let fast = throughput(runs)?;
    let small = memory::run(1_000_000).await?;
    println!("  peak memory at {} known URLs: {:.0} MB (bar {MEMORY_MB} MB)", small.known, small.peak_mb);
    let safe = kills::run(kill).await?;
    Ok(fast && small.peak_mb <= MEMORY_MB && safe)
}

/// Kills alone.
pub(crate) async fn kills(kills: u32) -> anyhow::Result<bool> {
    kills::run(kills).await
}

/// Memory alone.
pub(crate) async fn memory(known: usize) -> anyhow::Result<bool> {
    let held = memory::run(known).await?;
    println!(
        "{} known URLs, {} pages: peak memory {:.0} MB, {:.2} ms CPU a page; after resume {:.0} MB",
        held.known, held.pages, held.peak_mb, held.cpu_ms, held.resumed_mb
    );
    Ok(held.peak_mb <= MEMORY_MB && held.resumed_mb <= MEMORY_MB)
}

/// The corpus from nginx: ours several times, each peer once.
pub(crate) fn throughput(runs: usize) -> anyhow::Result<bool> {
    let folder = tempfile::tempdir()?;
    let corpus = Corpus::unpack(&archive(), folder.path(), HOSTS)?;
    let nginx = Nginx::start(folder.path(), &corpus)?;
    println!("  {} pages on {HOSTS} hosts, {:.0} MB", corpus.pages, corpus.bytes as f64 / 1e6);
    let mut ours = Vec::new();
    for number in 1..=runs {
        let data = folder.path().join(format!("data-{number}"));
        let cost = crawl(&data, &nginx, &corpus)?;
        let (complete, doubled) = nginx.judge(&corpus)?;
        println!(
            "  run {number}: {:.2} ms CPU a page, {:.0} pages/s, {:.0} MB, {} of {} pages fetched, {doubled} twice",
            cost.cpu_ms(corpus.pages),
            corpus.pages as f64 / cost.wall.as_secs_f64(),
            cost.peak_mb,
            complete,
            corpus.pages
        );
        ours.push((cost, complete == corpus.pages && doubled == 0));
        std::fs::remove_dir_all(&data)?;
    }
    let best = |of: &dyn Fn(&Cost) -> f64| {
        let mut all: Vec<f64> = ours.iter().map(|(cost, _)| of(cost)).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let cpu = best(&|cost| cost.cpu_ms(corpus.pages));
    let complete = ours.iter().filter(|(_, complete)| *complete).count();
    for (name, cost) in
        [("Scrapy", peers::scrapy(folder.path(), &nginx)), ("wget2", peers::wget2(folder.path(), &nginx))]
    {
        match cost {
            Ok(cost) => {
                let (reached, _) = nginx.judge(&corpus)?;
                println!(
                    "  {name}: {:.2} ms CPU a page ({:.2} times ours), {:.0} pages/s, {:.0} MB, {reached} of {} pages",
                    cost.cpu_ms(corpus.pages),
                    cost.cpu_ms(corpus.pages) / cpu,
                    corpus.pages as f64 / cost.wall.as_secs_f64(),
                    cost.peak_mb,
                    corpus.pages
                );
            }
            Err(error) => println!("  {name} could not be asked: {error:#}"),
        }
    }
    println!("{complete} of {runs} runs complete, median {cpu:.2} ms CPU a page (bar {CPU_MS} ms)");
    Ok(complete == runs && cpu <= CPU_MS)
}

fn archive() -> PathBuf {
    std::env::var_os("RIPPLEWATCH_SCHOOLS").map_or_else(|| PathBuf::from(ARCHIVE), PathBuf::from)
}

/// The whole pipeline: scoring, durable frontier, repository; without WARC, which no peer writes.
fn crawl(data: &Path, nginx: &Nginx, corpus: &Corpus) -> anyhow::Result<Cost> {
    nginx.forget()?;
    process::make_topic(data)?;
    let strategy = std::env::var("STRATEGY").unwrap_or_else(|_| "ontology".into());
    let budget = (corpus.pages * 2).to_string();
    let words = [
        "crawl",
        "start",
        "--topic",
        "Music",
        "--seed",
        &nginx.seed,
        "--pages",
        &budget,
        "--strategy",
        &strategy,
        "--allow-private",
        "--delay",
        "0s",
        "--connections",
        "16",
        "--depth",
        "1000",
    ];
    Process::ours(data, &words)?.finish()
}
