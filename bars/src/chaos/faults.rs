//! Which faults happen when: all from the seed, before anything is started.

use super::settings::Settings;
use super::world::between;
use sample::Dice;
use std::time::Duration;

/// A kind of trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// kill -9, and started again after this long.
    Kill(Duration),
    /// TERM, and started again.
    End,
    /// SIGSTOP for longer than it takes to be taken for gone.
    LongStop(Duration),
    /// SIGSTOP for a moment.
    ShortStop(Duration),
    /// Another worker joins for this long, with a clock that is off.
    Guest(Duration),
    /// The database ends in order and is started again.
    DatabaseRestart,
    /// The database crashes, and is gone for this long.
    DatabaseCrash(Duration),
}

impl Fault {
    /// What tables call it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Kill(_) => "kill -9",
            Self::End => "TERM",
            Self::LongStop(_) => "SIGSTOP beyond the lease",
            Self::ShortStop(_) => "SIGSTOP for a moment",
            Self::Guest(_) => "worker joins and leaves",
            Self::DatabaseRestart => "database restarted",
            Self::DatabaseCrash(_) => "database crashed",
        }
    }
}

/// The faults of a run, in the order of their times.
pub(super) fn plan(settings: &Settings) -> Vec<(Duration, Fault)> {
    let mut dice = Dice::new(settings.seed ^ 0xfa17);
    let second = Duration::from_secs(1);
    let mut faults = Vec::new();
    for _ in 0..settings.long_stops {
        let long = between(&mut dice, settings.long_stop.0, settings.long_stop.1);
        faults.push(Fault::LongStop(long));
    }
    for number in 0..settings.database_restarts {
        let away = between(&mut dice, second / 2, second * 5);
        faults.push(if number % 2 == 0 { Fault::DatabaseCrash(away) } else { Fault::DatabaseRestart });
    }
    while faults.len() < settings.faults {
        faults.push(match dice.below(20) {
            0..8 => Fault::Kill(between(&mut dice, Duration::ZERO, second * 4)),
            8..12 => Fault::End,
            12..17 => Fault::ShortStop(between(&mut dice, second, second * 5)),
            _ => Fault::Guest(between(&mut dice, settings.span / 20, settings.span / 8)),
        });
    }
    let mut plan: Vec<(Duration, Fault)> = faults
        .into_iter()
        .map(|fault| {
            // Everybody is up again at the end.
            let last = match fault {
                Fault::LongStop(long) | Fault::ShortStop(long) | Fault::Guest(long) => {
                    settings.span.saturating_sub(long)
                }
                _ => settings.span.saturating_sub(second * 5),
            };
            (between(&mut dice, second * 4, last), fault)
        })
        .collect();
    plan.sort();
    plan
}
