//! What more workers bring where sites are slow: visits a second of 1, 2 and 4 workers on one PostgreSQL, all on one machine.
//! Each has few connections, so that it waits for sites and not for the processor.

use crate::chaos::Settings;
use crate::chaos::fleet::worker;
use crate::chaos::ready::{add_sources, say};
use crate::chaos::web::Web;
use crate::chaos::world::World;
use crate::processes::Process;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Store;
use testkit::postgres::Postgres;

/// How long every site thinks.
const THINKS: Duration = Duration::from_millis(50);
/// Requests a worker has under way at the same time: a hundred visits a second at most.
const CONNECTIONS: usize = 5;
const HOSTS: usize = 1_000;
const SOURCES: usize = 5_000;
/// Each is due so often that something is due all the time.
const INTERVAL: Duration = Duration::from_secs(2);
/// Until workers have found each other and share the hosts.
const SETTLE: Duration = Duration::from_secs(20);
const MEASURE: Duration = Duration::from_secs(30);

/// Measures, and says whether the bars were met.
pub async fn run(program: PathBuf) -> anyhow::Result<bool> {
    let mut settings = Settings::calm(program, HOSTS, SOURCES, THINKS);
    (settings.connections, settings.interval) = (Some(CONNECTIONS), INTERVAL);
    let folder = tempfile::tempdir()?;
    let postgres = tokio::task::spawn_blocking(Postgres::start_durable).await?;
    let database = postgres.url_of(&postgres.new_database(None));
    let world = Arc::new(World::new(&settings));
    let listener = Web::bind().await?;
    let port = listener.local_addr()?.port();
    let url = database.clone();
    let store = tokio::task::spawn_blocking(move || Store::connect(&url)).await??;
    add_sources(&store, &world, port).await?;
    say(&settings, &database, &["plan", "set", "--policy", "even"])?;
    let web = Web::start(world, listener)?;

    // The first round reads robots.txt and the articles: done by many, before anything is measured.
    let mut many = settings.clone();
    many.connections = None;
    let first = worker(&many, folder.path(), &database, "first")?;
    until_all_read(&web).await?;
    end(vec![first])?;

    let mut speeds = Vec::new();
    for workers in [1_usize, 2, 4] {
        let start =
            |number| worker(&settings, folder.path(), &database, &format!("worker-{workers}-{number}"));
        let running: Vec<Process> = (1..=workers).map(start).collect::<Result<_, _>>()?;
        tokio::time::sleep(SETTLE).await;
        let (began, before, cpu) = (Instant::now(), web.requests(), Cpu::read(&running, &postgres)?);
        tokio::time::sleep(MEASURE).await;
        let (asked, spent) = (web.requests() - before, Cpu::read(&running, &postgres)?.less(cpu));
        let (log, wall) = (web.log(), began.elapsed().as_secs_f64());
        let visits = log.iter().skip(before).take(asked).filter(|line| is_list(&line.path)).count();
        let speed = visits as f64 / wall;
        println!(
            "  {workers} workers: {speed:.1} visits a second, {:.2} cores: workers {:.2}, PostgreSQL {:.2}, sites {:.2}; {} other requests",
            spent.all() / wall,
            spent.workers / wall,
            spent.database / wall,
            spent.sites / wall,
            asked - visits
        );
        speeds.push(speed);
        end(running)?;
    }
    let [one, two, four] = speeds[..] else { anyhow::bail!("three measurements") };
    println!(
        "figure: from 1 to 2 workers {:.2} times (bar 1.9), to 4 {:.2} times (bar 3.6)",
        two / one,
        four / one
    );
    Ok(two >= 1.9 * one && four >= 3.6 * one)
}

fn is_list(path: &str) -> bool {
    path.starts_with("/list/") || path.starts_with("/feed/")
}

/// Waits until every source was visited and every article read.
async fn until_all_read(web: &Web) -> anyhow::Result<()> {
    let began = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let log = web.log();
        let read = log.iter().filter(|line| line.path.starts_with("/2026/")).count();
        let lists = log.iter().filter(|line| is_list(&line.path)).count();
        if read >= web.world.articles.len() && lists >= web.world.sources.len() {
            println!("  first round of {lists} visits and {read} articles in {:.1?}", began.elapsed());
            return Ok(());
        }
        anyhow::ensure!(
            began.elapsed() < Duration::from_mins(6),
            "waited in vain: {lists} visits, {read} articles"
        );
    }
}

fn end(mut processes: Vec<Process>) -> anyhow::Result<()> {
    for process in &processes {
        process.ask_to_end()?;
    }
    for process in &mut processes {
        let status = process.wait(Duration::from_secs(30))?;
        anyhow::ensure!(
            status.is_some_and(|status| status.success()),
            "{} ended with {status:?}",
            process.name
        );
    }
    Ok(())
}

/// Seconds of processor time.
#[derive(Debug, Clone, Copy)]
struct Cpu {
    workers: f64,
    database: f64,
    sites: f64,
}

impl Cpu {
    fn read(workers: &[Process], postgres: &Postgres) -> anyhow::Result<Self> {
        let mut used = Duration::ZERO;
        for process in workers {
            used += process.cpu()?;
        }
        Ok(Self {
            workers: used.as_secs_f64(),
            database: of_children(postgres.process()),
            sites: of_process(std::process::id()).map_or(0.0, |(_, seconds)| seconds),
        })
    }

    fn less(self, before: Self) -> Self {
        Self {
            workers: self.workers - before.workers,
            database: self.database - before.database,
            sites: self.sites - before.sites,
        }
    }

    fn all(self) -> f64 {
        self.workers + self.database + self.sites
    }
}

/// The parent of a process, and the processor time it has used.
fn of_process(id: u32) -> Option<(u32, f64)> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<f64>().ok());
    Some((fields.get(1)?.parse().ok()?, (ticks(11)? + ticks(12)?) / 100.0))
}

/// Of a process and its children. Connections that ended meanwhile are missed: workers keep theirs.
fn of_children(parent: u32) -> f64 {
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter_map(|id| of_process(id).filter(|(above, _)| id == parent || *above == parent))
        .map(|(_, seconds)| seconds)
        .sum()
}
