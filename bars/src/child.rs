//! The program as a child process: started, watched from outside, killed.

use anyhow::Context;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running `ripplewatch serve`.
pub(crate) struct Monitor {
    child: Child,
    /// Where its pages are.
    pub(crate) address: String,
}

/// The program that was built beside this one.
pub(crate) fn program() -> anyhow::Result<PathBuf> {
    let here = std::env::current_exe()?;
    let program = here.with_file_name("ripplewatch");
    anyhow::ensure!(program.exists(), "{} is not built: run `cargo build --release`", program.display());
    Ok(program)
}

/// Runs a command of the program to its end.
pub(crate) fn command(data: &Path, words: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program()?).args(words).arg("--data").arg(data).output()?;
    anyhow::ensure!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

impl Monitor {
    /// Starts it on loopback and waits until it says where it is.
    pub(crate) fn start(data: &Path, words: &[&str]) -> anyhow::Result<Self> {
        let mut child = Command::new(program()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--allow", "127.0.0.0/8", "--data"])
            .arg(data)
            .args(words)
            .env("RIPPLEWATCH_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .context("starting ripplewatch serve")?;
        let stdout = child.stdout.take().context("its output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let address = line.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        anyhow::ensure!(address.starts_with("http://"), "it said “{}” instead of its address", line.trim());
        Ok(Self { child, address })
    }

    /// kill -9.
    pub(crate) fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// A clean stop, and how long it took.
    pub(crate) fn stop(&mut self) -> anyhow::Result<Duration> {
        let began = std::time::Instant::now();
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        self.child.wait()?;
        Ok(began.elapsed())
    }

    /// CPU time used so far.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        // utime and stime, in hundredths of a second.
        let ticks = fields.get(11).context("utime")?.parse::<u64>()?
            + fields.get(12).context("stime")?.parse::<u64>()?;
        Ok(Duration::from_millis(ticks * 10))
    }

    /// The most memory it ever held, in MB.
    pub(crate) fn peak_memory(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("VmHWM")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1000.0)
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
