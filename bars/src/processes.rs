//! The program as several processes: started, stopped, continued, ended and killed from outside.

use anyhow::Context;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A running process of the program.
#[derive(Debug)]
pub struct Process {
    /// What it is called, with the number of its life: what sites are told as well.
    pub name: String,
    child: Child,
}

impl Process {
    /// Starts a process whose output goes to a file.
    pub fn start(command: &mut Command, name: String, log: &Path) -> anyhow::Result<Self> {
        let file = File::options().create(true).append(true).open(log)?;
        let child = command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).spawn();
        Ok(Self { name, child: child.with_context(|| format!("starting {command:?}"))? })
    }

    /// Stops it where it stands (SIGSTOP).
    pub fn halt(&self) -> anyhow::Result<()> {
        self.signal("-STOP")
    }

    /// Lets it go on (SIGCONT).
    pub fn go_on(&self) -> anyhow::Result<()> {
        self.signal("-CONT")
    }

    /// kill -9.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Asks it to end.
    pub fn ask_to_end(&self) -> anyhow::Result<()> {
        self.signal("-TERM")
    }

    /// Waits for its end; `None` if it does not come in time: then it is killed.
    pub fn wait(&mut self, within: Duration) -> anyhow::Result<Option<ExitStatus>> {
        let began = Instant::now();
        while began.elapsed() < within {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.kill()?;
        Ok(None)
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// CPU time used so far.
    pub fn cpu(&self) -> anyhow::Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        // utime and stime, in hundredths of a second.
        let ticks = |at: usize| anyhow::Ok(fields.get(at).context("times")?.parse::<u64>()?);
        Ok(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
    }

    fn signal(&self, signal: &str) -> anyhow::Result<()> {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status()?;
        anyhow::ensure!(status.success(), "kill {signal} {}: {status}", self.name);
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
