//! Makes the faults happen.

use super::faults::Fault;
use super::fleet::Fleet;
use super::web::Web;
use sample::Dice;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use testkit::postgres::Postgres;

/// What happened.
#[derive(Default)]
pub(super) struct Happened {
    /// How often each kind of fault.
    pub(super) faults: BTreeMap<&'static str, usize>,
    /// From when to when the database was away.
    pub(super) away: Vec<(Duration, Duration)>,
}

impl Happened {
    pub(super) fn count(&self) -> usize {
        self.faults.values().sum()
    }
}

/// What follows from a fault.
enum Next {
    GoOn(String),
    Begin(String),
    Leave(String),
}

/// How guests' clocks are off.
const SKEWS: [&str; 4] = ["+7m", "-7m", "+40s", "-3m"];
/// So often everybody is looked after.
const LOOK_EVERY: Duration = Duration::from_millis(200);
const TELL_EVERY: Duration = Duration::from_secs(15);

pub(super) struct Driver<'a> {
    pub(super) fleet: &'a mut Fleet,
    pub(super) postgres: &'a mut Postgres,
    pub(super) web: &'a Web,
    pub(super) dice: Dice,
    pub(super) happened: Happened,
    coming: BTreeMap<(Duration, usize), Next>,
    put_off: VecDeque<Fault>,
    guests: usize,
}

impl<'a> Driver<'a> {
    pub(super) fn new(fleet: &'a mut Fleet, postgres: &'a mut Postgres, web: &'a Web) -> Self {
        let dice = Dice::new(fleet.settings.seed ^ 0xd21e);
        Self {
            fleet,
            postgres,
            web,
            dice,
            happened: Happened::default(),
            coming: BTreeMap::new(),
            put_off: VecDeque::new(),
            guests: 0,
        }
    }

    /// Drives through the plan; afterwards everybody runs.
    pub(super) fn drive(mut self, plan: Vec<(Duration, Fault)>) -> anyhow::Result<Happened> {
        let mut plan = plan.into_iter().peekable();
        let (span, mut told) = (self.fleet.settings.span, Duration::ZERO);
        while self.web.now() < span || plan.peek().is_some() || !self.coming.is_empty() {
            std::thread::sleep(LOOK_EVERY);
            let now = self.web.now();
            while let Some(next) = self.coming.first_entry().filter(|next| next.key().0 <= now) {
                let next = next.remove();
                self.follow(next)?;
            }
            let fault = plan.next_if(|(at, _)| *at <= now).map(|(_, fault)| fault);
            // One that finds nobody to hit comes a little later.
            for fault in fault.into_iter().chain(self.put_off.pop_front()) {
                if !self.happen(fault)? {
                    self.put_off.push_back(fault);
                }
            }
            self.fleet.look_after()?;
            if now > told + TELL_EVERY {
                told = now;
                self.say(&format!("{} requests so far", self.web.requests()));
            }
        }
        Ok(self.happened)
    }

    fn happen(&mut self, fault: Fault) -> anyhow::Result<bool> {
        let done = match fault {
            Fault::DatabaseRestart => self.restart_database(None),
            Fault::DatabaseCrash(away) => self.restart_database(Some(away)),
            Fault::Guest(stay) => self.invite(stay)?,
            _ => self.hit_somebody(fault)?,
        };
        if done {
            *self.happened.faults.entry(fault.word()).or_default() += 1;
        }
        Ok(done)
    }

    /// A fault of one process. Somebody always stays awake.
    fn hit_somebody(&mut self, fault: Fault) -> anyhow::Result<bool> {
        let awake = self.fleet.awake();
        let lonely = awake.len() < 2 && self.fleet.members.len() > 1;
        let Some(at) = self.dice.pick(&awake).copied().filter(|_| !lonely) else { return Ok(false) };
        let (name, member) = (self.fleet.name(at), self.fleet.members[at].name.clone());
        match fault {
            Fault::Kill(pause) => {
                self.say(&format!("kill -9 {name}, back in {pause:.1?}"));
                self.fleet.kill(at)?;
                self.later(pause, Next::Begin(member));
            }
            Fault::End => {
                self.say(&format!("TERM {name}"));
                self.fleet.end(at)?;
                self.later(Duration::ZERO, Next::Begin(member));
            }
            Fault::LongStop(long) | Fault::ShortStop(long) => {
                self.say(&format!("SIGSTOP {name} for {long:.1?}"));
                self.fleet.halt(at)?;
                self.later(long, Next::GoOn(member));
            }
            Fault::Guest(_) | Fault::DatabaseRestart | Fault::DatabaseCrash(_) => {}
        }
        Ok(true)
    }

    fn invite(&mut self, stay: Duration) -> anyhow::Result<bool> {
        if self.fleet.settings.workers == 0 {
            return Ok(false);
        }
        self.guests += 1;
        let (name, skew) = (format!("guest-{}", self.guests), self.dice.pick(&SKEWS).copied());
        self.say(&format!("{name} joins for {stay:.1?}, its clock is off by {}", skew.unwrap_or("nothing")));
        self.fleet.join(name.clone(), skew)?;
        self.later(stay, Next::Leave(name));
        Ok(true)
    }

    fn restart_database(&mut self, crash: Option<Duration>) -> bool {
        let from = self.web.now();
        if let Some(away) = crash {
            self.say(&format!("the database crashes, back in {away:.1?}"));
            self.postgres.stop();
            std::thread::sleep(away);
        } else {
            self.say("the database is restarted");
            self.postgres.stop_in_order();
        }
        self.postgres.start_again();
        self.happened.away.push((from, self.web.now()));
        true
    }

    fn follow(&mut self, next: Next) -> anyhow::Result<()> {
        let (Next::GoOn(member) | Next::Begin(member) | Next::Leave(member)) = &next;
        let Some(at) = self.fleet.members.iter().position(|other| other.name == *member) else {
            return Ok(());
        };
        match next {
            Next::GoOn(_) => {
                self.say(&format!("SIGCONT {}", self.fleet.name(at)));
                self.fleet.go_on(at)
            }
            // A guest that is to leave meanwhile does not come back.
            Next::Begin(_) => self.fleet.begin(at),
            Next::Leave(_) if self.fleet.members[at].halted => {
                self.later(Duration::from_secs(1), next);
                Ok(())
            }
            Next::Leave(_) => {
                let cleanly = self.dice.chance(50);
                self.say(&format!(
                    "{} leaves, {}",
                    self.fleet.name(at),
                    if cleanly { "TERM" } else { "kill -9" }
                ));
                if cleanly {
                    self.fleet.end(at)?;
                } else {
                    self.fleet.kill(at)?;
                }
                self.coming.retain(
                    |_, coming| !matches!(coming, Next::Begin(name) if *name == self.fleet.members[at].name),
                );
                self.fleet.members.remove(at);
                Ok(())
            }
        }
    }

    fn later(&mut self, by: Duration, next: Next) {
        let key = (self.web.now() + by, self.happened.count() + self.coming.len());
        self.coming.insert(key, next);
    }

    fn say(&self, what: &str) {
        println!("  {:>6.1} s  {what}", self.web.now().as_secs_f64());
    }
}
