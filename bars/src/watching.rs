//! What watching folders costs a visit, at a thousand folders and ten thousand sources: once as it is (each source covers
//! some folders), once as bad as it can be (every source covers every folder).

use anyhow::Context;
use detection::{Count, DetectorName, Settings, Sighting, Watcher};
use jiff::{SignedDuration, Timestamp};
use model::{FolderId, SourceId};
use std::time::{Duration, Instant};

const FOLDERS: u64 = 1_000;
const SOURCES: u64 = 10_000;
/// A limit on the mean, in CPU time: the machine may be busy with other things.
const LIMIT: Duration = Duration::from_millis(1);
/// Visits before the measurement: every source twice, so that all are known.
const WARM_UP: u64 = 2;

pub(crate) fn run() -> anyhow::Result<bool> {
    println!(
        "  {FOLDERS} folders, {SOURCES} sources, default detector; each visit brings stories to up to three folders"
    );
    println!(
        "  {:>22} {:>9} {:>12} {:>12} {:>12} {:>9}",
        "folders a source", "pairs", "mean CPU", "p99 wall", "slowest", "memory"
    );
    let mut met = true;
    for covers in [20, FOLDERS] {
        let row = measure(covers)?;
        println!(
            "  {:>22} {:>9} {:>12.1?} {:>12.1?} {:>12.1?} {:>6} MB",
            covers,
            covers * SOURCES,
            row.mean,
            row.p99,
            row.slowest,
            row.memory >> 20
        );
        met &= row.mean < LIMIT;
    }
    println!("one visit's detection work < 1 ms CPU: {}", if met { "met" } else { "NOT met" });
    Ok(met)
}

struct Row {
    mean: Duration,
    p99: Duration,
    slowest: Duration,
    memory: u64,
}

fn measure(covers: u64) -> anyhow::Result<Row> {
    let before = resident()?;
    let mut world = World {
        watcher: Watcher::new(DetectorName::Default, Settings::default(), Vec::new()),
        covers,
        seed: 7,
        visits: 0,
    };
    for _ in 0..WARM_UP * SOURCES {
        world.visit();
    }
    let memory = resident()?.saturating_sub(before);
    let mut spans = Vec::with_capacity(SOURCES as usize);
    let began = on_cpu()?;
    for _ in 0..SOURCES {
        let began = Instant::now();
        world.visit();
        spans.push(began.elapsed());
    }
    let mean = on_cpu()?.saturating_sub(began) / SOURCES as u32;
    spans.sort_unstable();
    let at =
        |share: usize| spans.get(spans.len() * share / 100).or(spans.last()).copied().unwrap_or_default();
    Ok(Row { mean, p99: at(99), slowest: at(100), memory })
}

/// Sources visited one after the other, all within three hours.
struct World {
    watcher: Watcher,
    covers: u64,
    seed: u64,
    visits: u64,
}

impl World {
    fn visit(&mut self) {
        let source = self.visits % SOURCES;
        let seconds = i64::try_from(self.visits * 3 * 3600 / SOURCES).unwrap_or(0);
        let first = self.visits < SOURCES;
        self.visits += 1;
        let at = Timestamp::from_second(1_800_000_000 + seconds).unwrap_or_default();
        let counts: Vec<Count> = if first {
            // What it covers shows at the first visit.
            (0..self.covers).map(|place| count((source * 31 + place) % FOLDERS)).collect()
        } else {
            let mut folders: Vec<u64> =
                (0..3).map(|_| (source * 31 + self.random() % self.covers) % FOLDERS).collect();
            folders.sort_unstable();
            folders.dedup();
            folders.into_iter().map(count).collect()
        };
        self.watcher.observe(&Sighting {
            source: SourceId(source as i64),
            at,
            counts: &counts,
            longest_gap: SignedDuration::from_hours(24),
            catalogue: Some(SignedDuration::from_hours(48)),
        });
    }

    /// Splitmix: the same in every run.
    fn random(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

fn count(folder: u64) -> Count {
    Count { folder: FolderId(folder as i64), stories: 1, articles: 1 }
}

/// What this thread has spent on a core.
fn on_cpu() -> anyhow::Result<Duration> {
    let text =
        std::fs::read_to_string("/proc/thread-self/schedstat").context("reading this thread's CPU time")?;
    let nanoseconds = text.split_whitespace().next().context("no CPU time")?.parse()?;
    Ok(Duration::from_nanos(nanoseconds))
}

fn resident() -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("/proc/self/status").context("reading memory")?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory")?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes << 10)
}
