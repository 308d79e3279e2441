//! A program as a child process, and what it cost.

use anyhow::Context;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a program cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
    pub(super) peak_mb: f64,
}

impl Cost {
    pub(super) fn cpu_ms(&self, pages: usize) -> f64 {
        self.cpu.as_secs_f64() * 1e3 / pages.max(1) as f64
    }
}

/// A running program.
pub(super) struct Process {
    child: Child,
    began: Instant,
}

impl Process {
    pub(super) fn start(command: &mut Command) -> anyhow::Result<Self> {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Ok(Self { child: child.with_context(|| format!("starting {command:?}"))?, began: Instant::now() })
    }

    /// The program that was built beside this one.
    pub(super) fn ours(data: &Path, words: &[&str]) -> anyhow::Result<Self> {
        Self::start(Command::new(crate::child::program()?).args(words).arg("--data").arg(data))
    }

    /// Waits for its end and says what it cost.
    pub(super) fn finish(mut self) -> anyhow::Result<Cost> {
        let mut peak_mb: f64 = 0.0;
        // A process that ended keeps its times until somebody asks for its exit code.
        while !self.is_over()? {
            peak_mb = peak_mb.max(self.peak_mb().unwrap_or(0.0));
            std::thread::sleep(Duration::from_millis(20));
        }
        let wall = self.began.elapsed();
        let cpu = self.cpu()?;
        let status = self.child.wait()?;
        anyhow::ensure!(status.success() || status.code() == Some(8), "it ended with {status}");
        Ok(Cost { cpu, wall, peak_mb })
    }

    pub(super) fn is_over(&self) -> anyhow::Result<bool> {
        Ok(self.stat()?.first().is_none_or(|state| state == "Z"))
    }

    pub(super) fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    pub(super) fn cpu(&self) -> anyhow::Result<Duration> {
        let fields = self.stat()?;
        // utime and stime, in hundredths of a second.
        let ticks = |at: usize| anyhow::Ok(fields.get(at).context("times")?.parse::<u64>()?);
        Ok(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
    }

    pub(super) fn peak_mb(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse::<f64>().ok().map(|kb| kb / 1000.0)
    }

    fn stat(&self) -> anyhow::Result<Vec<String>> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        Ok(stat.rsplit(')').next().unwrap_or_default().split_whitespace().map(str::to_owned).collect())
    }
}

/// A topic to look for.
pub(super) fn make_topic(data: &Path) -> anyhow::Result<()> {
    let words = ["music", "song", "composer", "orchestra", "opera", "album", "singer", "musical instrument"];
    let topic = discovery::ontology::Topic::from_words("Music", &words)?;
    let store = store::Store::open(data)?;
    std::thread::scope(|scope| {
        let save = || {
            let runtime = tokio::runtime::Builder::new_current_thread().build()?;
            runtime.block_on(store.save_topic(topic, jiff::Timestamp::now()))?;
            anyhow::Ok(())
        };
        scope.spawn(save).join().map_err(|_| anyhow::anyhow!("saving the topic"))?
    })
}
