//! What planning costs: 10,000 sources at once, one visit, and the memory of a million sources.

use anyhow::Context;
use jiff::Timestamp;
use model::{Outcome, SourceId};
use scheduling::{News, Observation, Past, PlanSettings, Planner, Policy, Watched};
use std::time::{Duration, Instant};

/// Planning all of 10,000 sources, from no prices to a plan for each.
const SOURCES: i64 = 10_000;
const PLANNED_IN: Duration = Duration::from_secs(1);
/// One visit's update, in CPU time: the machine may be busy with other things.
const VISIT: Duration = Duration::from_micros(50);
const VISITS: i64 = 100_000;
const MILLION: i64 = 1_000_000;
/// Two kilobytes for each of a million.
const MEMORY: u64 = 2_000_000_000;
const DAY: i64 = 86_400;
const WEEKS: i64 = 8;

pub(crate) fn run() -> anyhow::Result<bool> {
    let now = WEEKS * 7 * DAY;
    let begun = Instant::now();
    let mut planner = taught(SOURCES, now, 24);
    println!("  {SOURCES} sources taught, {WEEKS} weeks of up to 24 articles a day: {:.2?}", begun.elapsed());

    let cpu = cpu_time()?;
    for id in 0..SOURCES {
        planner.observe(&visit(id, now, &[]));
    }
    let all = cpu_time()?.saturating_sub(cpu);
    println!("  {SOURCES} sources planned: {all:.2?} CPU, limit {PLANNED_IN:?}");

    let cpu = cpu_time()?;
    for turn in 0..VISITS {
        let at = now + 3600 + turn / SOURCES * 5 * 3600 + turn % SOURCES;
        let news: Vec<News> = (0..turn % 4).map(|index| news(at - 900 * index - 60)).collect();
        planner.observe(&visit(turn % SOURCES, at, &news));
    }
    let one = cpu_time()?.saturating_sub(cpu) / VISITS as u32;
    println!("  one visit's update: {one:.1?} CPU, limit {VISIT:?}");
    drop(planner);

    let before = memory("VmRSS:")?;
    let begun = Instant::now();
    let mut planner = taught(MILLION, now, 2);
    println!("  {MILLION} sources taught: {:.1?}", begun.elapsed());
    let begun = Instant::now();
    for id in 0..MILLION {
        planner.observe(&visit(id, now, &[]));
    }
    let used = memory("VmRSS:")?.saturating_sub(before);
    println!(
        "  {MILLION} sources planned: {:.1?}, {} MB of memory ({} bytes a source), limit {} MB; peak of the whole run {} MB",
        begun.elapsed(),
        used / 1_000_000,
        used / MILLION as u64,
        MEMORY / 1_000_000,
        memory("VmHWM:")? / 1_000_000
    );
    let met = all < PLANNED_IN && one < VISIT && used < MEMORY;
    println!("planning within its limits: {}", if met { "met" } else { "NOT met" });
    Ok(met)
}

/// A planner that knows so many sources, with up to `most` articles a day.
fn taught(sources: i64, now: i64, most: i64) -> Planner {
    let mut planner = Planner::new(&PlanSettings::default());
    let mut articles = Vec::new();
    for id in 0..sources {
        articles.clear();
        let gap = DAY / (1 + id % most);
        articles.extend((0..now / gap).map(|index| news(index * gap + id * 7919 % gap)));
        let past = Past { from: time(0), to: time(now), news: &articles };
        planner.learn(watched(id), &past);
    }
    planner
}

fn watched(id: i64) -> Watched {
    Watched { id: SourceId(id), interval: None }
}

fn news(second: i64) -> News {
    News { at: time(second), folders: Vec::new() }
}

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or(Timestamp::MAX)
}

fn visit(id: i64, second: i64, news: &[News]) -> Observation {
    Observation {
        source: watched(id),
        at: time(second),
        outcome: if news.is_empty() { Outcome::NotModified } else { Outcome::NewContent },
        news: news.to_vec(),
        listed: 30,
        failures: 0,
        earliest: None,
    }
}

/// CPU time of this process so far.
fn cpu_time() -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().context("stat")?.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>()? + fields[12].parse::<u64>()?;
    Ok(Duration::from_millis(ticks * 10))
}

fn memory(line: &str) -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let found = status.lines().find_map(|text| text.strip_prefix(line)).context("memory")?;
    let kilobytes: u64 = found.trim().trim_end_matches(" kB").trim().parse()?;
    Ok(kilobytes << 10)
}
