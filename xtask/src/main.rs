//! The project's chores: `cargo xtask test`, `cargo xtask postgres` and `cargo xtask bars`.

#![expect(clippy::print_stdout, reason = "a chore talks to whoever runs it")]

mod absences;
mod packages;
mod steps;

use anyhow::Context;
use clap::{Parser, Subcommand};
use std::process::Command;
use steps::{cargo_step, step, test_step};

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "Chores of the Ripplewatch project")]
enum Chore {
    /// Install what the tests need, then check formatting, lints, tests, documentation and absences
    Test,
    /// Start a PostgreSQL to try several workers with: on loopback, gone when it is stopped
    Postgres,
    /// Run a long measurement, or all of them; the figure is printed last
    Bars {
        #[command(subcommand)]
        bar: Bar,
    },
}

#[derive(Debug, Subcommand)]
enum Bar {
    /// Articles found on the demo's web and on the hand-written list pages
    Lists,
    /// Several processes on one PostgreSQL, killed, stopped and restarted at random while sites publish: nothing lost, nothing
    /// doubled, no host asked too fast
    Chaos {
        /// How long the trouble lasts
        #[arg(long, default_value_t = 10.0)]
        minutes: f64,
        /// Workers beside the process that serves pages
        #[arg(long, default_value_t = 4)]
        workers: usize,
        /// Hosts of the web
        #[arg(long, default_value_t = 2_000)]
        hosts: usize,
        /// Lists and feeds on them
        #[arg(long, default_value_t = 20_000)]
        sources: usize,
        /// How many faults; a few may find nobody to hit in time
        #[arg(long, default_value_t = 112)]
        faults: usize,
        /// The same seed makes the same web and the same faults
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Visits a second of 1, 2 and 4 workers on one PostgreSQL, where sites answer after 50 ms
    Scaling,
    /// kill -9 at random moments of a busy run: nothing lost, nothing doubled, no host asked too fast
    Crash {
        /// How often
        #[arg(long, default_value_t = 50)]
        kills: u32,
    },
    /// 10,000 sources on 500 loopback hosts: time, memory, CPU, beside urlwatch on the same server
    Round {
        /// How many sources
        #[arg(long, default_value_t = 10_000)]
        sources: usize,
        /// How many hosts
        #[arg(long, default_value_t = 500)]
        hosts: usize,
        /// Do not run urlwatch
        #[arg(long)]
        without_peer: bool,
    },
    /// Pages of the web UI at 100,000 articles
    Pages,
    /// Planning 10,000 sources, one visit's update, and a million sources in memory
    Planning,
    /// Filing an article by rule bases of 3,707 to 1,000,000 rules, beside a naive walk and text search engines
    Filing,
    /// Filing beside YARA-X; takes some minutes to build
    Peers,
    /// Detection's formulas beside the R package surveillance, on its own series; installs it
    Surveillance,
    /// Crawling the Schools Wikipedia from nginx beside Scrapy and wget2, memory at 1,000,000 known URLs, kill -9
    Crawling {
        /// How often the corpus is crawled
        #[arg(long, default_value_t = 10)]
        runs: usize,
        /// How often a crawl is killed
        #[arg(long, default_value_t = 50)]
        kills: u32,
    },
    /// Visits, leases and discovered URLs a second, on SQLite and on PostgreSQL
    Database,
    /// The database crashes and restarts in mid-load, with four workers on it: how soon visits go on, and that nothing is lost
    Failover,
    /// How leases, visits and pages of a crawl slow down at ten million URLs and a million articles, on PostgreSQL; 6 GB of disk
    Growth,
    /// Clicks on the teaching page at 100,000 articles and 10,000 rules
    Teaching,
    /// What watching folders costs a visit, at 1,000 folders and 10,000 sources
    Watching,
    /// All of them
    All,
}

fn main() -> anyhow::Result<()> {
    match Chore::parse() {
        Chore::Test => test(),
        Chore::Postgres => postgres(),
        Chore::Bars { bar } => bars(&bar),
    }
}

fn test() -> anyhow::Result<()> {
    step("packages", packages::install)?;
    step("warcio", || Ok(packages::install_warcio()))?;
    cargo_step("formatting", &["fmt", "--all", "--check"])?;
    cargo_step("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    cargo_step("build", &["build", "--workspace", "--all-targets", "--quiet"])?;
    let mut tests = test_step("tests", &["test", "--workspace", "--no-fail-fast"], &[])?;
    // What every store must do, and the whole program with it, on the other database.
    let words = ["test", "-p", "store", "-p", "engine", "-p", "server", "-p", "ripplewatch"];
    let words = [&words[..], &["--test", "it", "--test", "burst", "--no-fail-fast"]].concat();
    tests += test_step("on PostgreSQL", &words, &[("RIPPLEWATCH_TEST_DATABASE", "postgres")])?;
    cargo_step("documentation", &["doc", "--workspace", "--no-deps", "--quiet"])?;
    step("absences", absences::check)?;
    println!("{tests}");
    Ok(())
}

fn postgres() -> anyhow::Result<()> {
    step("packages", packages::install_postgresql)?;
    let status =
        Command::new("cargo").args(["run", "--quiet", "-p", "testkit", "--bin", "postgres"]).status();
    anyhow::ensure!(
        status.context("cargo does not start")?.success(),
        "PostgreSQL did not start; is port 54329 taken?"
    );
    Ok(())
}

fn bars(bar: &Bar) -> anyhow::Result<()> {
    match bar {
        Bar::Lists => lists(),
        Bar::Chaos { minutes, workers, hosts, sources, faults, seed } => {
            println!("faketime: {}", packages::install_faketime());
            let numbers = [workers, hosts, sources, faults].map(ToString::to_string);
            let (minutes, seed) = (minutes.to_string(), seed.to_string());
            let [workers, hosts, sources, faults] = &numbers;
            measure(&[
                "chaos",
                "--minutes",
                &minutes,
                "--workers",
                workers,
                "--hosts",
                hosts,
                "--sources",
                sources,
                "--faults",
                faults,
                "--seed",
                &seed,
            ])
        }
        Bar::Scaling => measure(&["scaling"]),
        Bar::Crash { kills } => measure(&["crash", &kills.to_string()]),
        Bar::Round { sources, hosts, without_peer } => {
            let mut words = vec!["round".to_owned(), sources.to_string(), hosts.to_string()];
            words.extend(without_peer.then(|| "without-peer".to_owned()));
            measure(&words.iter().map(String::as_str).collect::<Vec<_>>())
        }
        Bar::Pages => measure(&["pages"]),
        Bar::Planning => measure(&["planning"]),
        Bar::Filing => measure(&["filing"]),
        Bar::Surveillance => surveillance(),
        Bar::Crawling { runs, kills } => crawling(*runs, *kills),
        Bar::Database => measure(&["database"]),
        Bar::Failover => measure(&["failover"]),
        Bar::Growth => measure(&["growth"]),
        Bar::Teaching => measure(&["teaching"]),
        Bar::Watching => measure(&["watching"]),
        Bar::Peers => peers(),
        Bar::All => {
            lists()?;
            [
                "crash", "chaos", "failover", "scaling", "database", "growth", "round", "pages", "planning",
                "filing", "teaching", "watching",
            ]
            .iter()
            .try_for_each(|bar| measure(&[bar]))?;
            crawling(10, 50)?;
            surveillance()?;
            peers()
        }
    }
}

/// The figures of the tests that judge the finder of articles.
fn lists() -> anyhow::Result<()> {
    for (package, tests) in [("page", "lists::precision"), ("engine", "lists::every_article")] {
        run(Command::new("cargo").args([
            "test",
            "--quiet",
            "-p",
            package,
            "--test",
            "it",
            tests,
            "--",
            "--nocapture",
            "--test-threads",
            "1",
        ]))?;
    }
    Ok(())
}

/// A long measurement of the release build.
fn measure(words: &[&str]) -> anyhow::Result<()> {
    run(Command::new("cargo").args(["build", "--release", "-p", "ripplewatch", "-p", "bars"]))?;
    run(Command::new("target/release/bars").args(words))
        .with_context(|| format!("the bar `{}` was not met", words.join(" ")))
}

/// Each part is a bar of its own; nginx and wget2 come from Debian, Scrapy from `PyPI`.
fn crawling(runs: usize, kills: u32) -> anyhow::Result<()> {
    println!("nginx, wget2: {}", packages::install_crawl_peers()?);
    measure(&["crawling", "speed", &runs.to_string()])?;
    measure(&["crawling", "memory", "1000000"])?;
    measure(&["crawling", "kills", &kills.to_string()])
}

/// Another program's figures: it must be there first.
fn surveillance() -> anyhow::Result<()> {
    println!("r-cran-surveillance: {}", packages::install_surveillance()?);
    measure(&["surveillance"])
}

/// Engines in a workspace of their own, for they are heavy.
fn peers() -> anyhow::Result<()> {
    let manifest = ["--manifest-path", "peers/Cargo.toml", "--target-dir", "target/peers"];
    run(Command::new("cargo").args(["run", "--release", "--quiet"]).args(manifest))
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("running {command:?}"))?;
    anyhow::ensure!(status.success(), "{command:?} failed");
    Ok(())
}
