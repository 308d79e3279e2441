//! The processes of the program: workers, and the one that also serves pages. Each start is a life of its own, and its
//! name is what the sites are told.

use super::settings::Settings;
use crate::processes::Process;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Debian's place for it.
const FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
/// A clean stop takes two seconds; a busy machine needs more.
const END_WITHIN: Duration = Duration::from_secs(30);

/// All of them, and what became of them.
pub(crate) struct Fleet {
    pub(crate) settings: Settings,
    pub(crate) database: String,
    pub(crate) folder: PathBuf,
    began: Instant,
    pub(crate) members: Vec<Member>,
    pub(crate) lives: Vec<Life>,
    /// Processes that ended though nobody had asked them to.
    pub(crate) ended_by_themselves: Vec<String>,
    /// The longest clean stop.
    pub(crate) slowest_end: Duration,
}

pub(crate) struct Member {
    pub(crate) name: String,
    /// How its clock is off.
    skew: Option<&'static str>,
    lives: u32,
    process: Option<Process>,
    pub(crate) halted: bool,
}

/// From a start to an end, and the time it was stopped in between. Times count from the beginning of the web.
#[derive(Debug, Clone)]
pub(crate) struct Life {
    pub(crate) name: String,
    pub(crate) from: Duration,
    pub(crate) to: Option<Duration>,
    pub(crate) halts: Vec<(Duration, Option<Duration>)>,
}

impl Fleet {
    pub(crate) fn start(
        settings: Settings,
        database: String,
        folder: PathBuf,
        began: Instant,
    ) -> anyhow::Result<Self> {
        let mut fleet = Self {
            settings,
            database,
            folder,
            began,
            members: Vec::new(),
            lives: Vec::new(),
            ended_by_themselves: Vec::new(),
            slowest_end: Duration::ZERO,
        };
        fleet.join("serve".into(), None)?;
        for worker in 1..=fleet.settings.workers {
            fleet.join(format!("worker-{worker}"), None)?;
        }
        Ok(fleet)
    }

    /// Another process joins.
    pub(crate) fn join(&mut self, name: String, skew: Option<&'static str>) -> anyhow::Result<()> {
        let skew = skew.filter(|_| Path::new(FAKETIME).exists());
        self.members.push(Member { name, skew, lives: 0, process: None, halted: false });
        self.begin(self.members.len() - 1)
    }

    /// Starts a member's next life.
    pub(crate) fn begin(&mut self, at: usize) -> anyhow::Result<()> {
        let member = &mut self.members[at];
        member.lives += 1;
        member.halted = false;
        let name = format!("{}.{}", member.name, member.lives);
        let mut command = command(&self.settings, &self.folder, &self.database, &member.name, &name)?;
        if let Some(skew) = member.skew {
            command
                .env("LD_PRELOAD", FAKETIME)
                .env("FAKETIME", skew)
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
        let log = self.folder.join(format!("{name}.log"));
        member.process = Some(Process::start(&mut command, name.clone(), &log)?);
        self.lives.push(Life { name, from: self.began.elapsed(), to: None, halts: Vec::new() });
        Ok(())
    }

    pub(crate) fn kill(&mut self, at: usize) -> anyhow::Result<()> {
        if let Some(mut process) = self.members[at].process.take() {
            process.kill()?;
            self.life_ends(&process.name);
        }
        Ok(())
    }

    /// Asks a member to end and waits for it; false if it had to be killed or ended badly.
    pub(crate) fn end(&mut self, at: usize) -> anyhow::Result<bool> {
        let Some(mut process) = self.members[at].process.take() else { return Ok(true) };
        let began = Instant::now();
        process.ask_to_end()?;
        let status = process.wait(END_WITHIN)?;
        self.slowest_end = self.slowest_end.max(began.elapsed());
        self.life_ends(&process.name);
        let well = status.is_some_and(|status| status.success());
        if !well {
            self.ended_by_themselves.push(format!("{} did not end well: {status:?}", process.name));
        }
        Ok(well)
    }

    pub(crate) fn halt(&mut self, at: usize) -> anyhow::Result<()> {
        let (now, member) = (self.began.elapsed(), &mut self.members[at]);
        if let Some(process) = &member.process {
            process.halt()?;
            member.halted = true;
            let life = self.lives.iter_mut().find(|life| life.name == process.name);
            if let Some(life) = life {
                life.halts.push((now, None));
            }
        }
        Ok(())
    }

    pub(crate) fn go_on(&mut self, at: usize) -> anyhow::Result<()> {
        let (now, member) = (self.began.elapsed(), &mut self.members[at]);
        if let Some(process) = &member.process {
            process.go_on()?;
            member.halted = false;
            let life = self.lives.iter_mut().find(|life| life.name == process.name);
            if let Some(halt) = life.and_then(|life| life.halts.last_mut()) {
                halt.1 = Some(now);
            }
        }
        Ok(())
    }

    /// Starts again who has ended without being asked to.
    pub(crate) fn look_after(&mut self) -> anyhow::Result<()> {
        for at in 0..self.members.len() {
            let Some(process) = &mut self.members[at].process else { continue };
            if let Some(status) = process.ended()? {
                let name = process.name.clone();
                self.members[at].process = None;
                self.life_ends(&name);
                let said = last_words(&self.folder.join(format!("{name}.log")));
                println!(
                    "  {:>6.1} s  {name} has ended by itself: {status}: {said}",
                    self.began.elapsed().as_secs_f64()
                );
                self.ended_by_themselves.push(format!("{name}: {status}: {said}"));
                self.begin(at)?;
            }
        }
        Ok(())
    }

    /// Members that run, and are not stopped.
    pub(crate) fn awake(&self) -> Vec<usize> {
        let is_awake = |member: &Member| member.process.is_some() && !member.halted;
        (0..self.members.len()).filter(|at| is_awake(&self.members[*at])).collect()
    }

    /// What a member is called in this life.
    pub(crate) fn name(&self, at: usize) -> String {
        let member = &self.members[at];
        member.process.as_ref().map_or_else(|| member.name.clone(), |process| process.name.clone())
    }

    fn life_ends(&mut self, name: &str) {
        let now = self.began.elapsed();
        self.lives.iter_mut().filter(|life| life.name == name).for_each(|life| life.to = Some(now));
    }
}

/// A worker beside any fleet.
pub(crate) fn worker(
    settings: &Settings,
    folder: &Path,
    database: &str,
    name: &str,
) -> anyhow::Result<Process> {
    let mut command = command(settings, folder, database, name, name)?;
    Process::start(&mut command, name.to_owned(), &folder.join(format!("{name}.log")))
}

/// A process of the program, untouched by the machine's own configuration.
fn command(
    settings: &Settings,
    folder: &Path,
    database: &str,
    member: &str,
    life: &str,
) -> anyhow::Result<Command> {
    let config = folder.join(format!("{life}.toml"));
    let mut text = format!(
        "[politeness]\ndelay = \"{}\"\ncontact = \"http://rig/{life}\"\nallow = [\"127.0.0.0/8\"]\n[visits]\ninterval = \"{}\"\n",
        in_words(settings.delay),
        in_words(settings.interval)
    );
    if let Some(connections) = settings.connections {
        // Turns wait for places: some more of them, so that places never wait for turns.
        let _ = write!(text, "requests_at_once = {connections}\nhosts_at_once = {}\n", connections * 6);
    }
    std::fs::write(&config, text)?;
    let mut command = bare(&settings.program, database);
    command.arg("--config").arg(config).arg("--data").arg(folder.join(member));
    if member == "serve" {
        command.args(["serve", "--listen", "127.0.0.1:0"]);
    } else {
        // Said here as well: what the last `serve` said would count for more than the configuration.
        let (delay, interval) = (in_words(settings.delay), in_words(settings.interval));
        command.args(["worker", "--name", life, "--delay", &delay, "--interval", &interval]);
    }
    Ok(command)
}

fn in_words(span: Duration) -> String {
    format!("{}ms", span.as_millis())
}

/// The program on a database.
pub(crate) fn bare(program: &Path, database: &str) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", std::env::temp_dir());
    command.env("RIPPLEWATCH_DATABASE", database).env("RIPPLEWATCH_LOG", "info");
    command
}

fn last_words(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().last().unwrap_or_default().to_owned()
}
