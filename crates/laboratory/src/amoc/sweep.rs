//! What paper 000 left open: which θ is best for C > A + θ·A, and how long to wait between detection and reaction.

use super::Protocol;
use super::contender::{Contender, Entrant};
use super::injection::Injection;
use super::measure::{in_parallel, with_burst};
use super::series::Series;
use detection::{AnyDetector, DetectorName, Settings};
use serde::Serialize;

const THETAS: [f64; 12] = [0.0, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0];
/// Windows in a row in which the rule must hold before anything is done.
const HELD: [usize; 4] = [1, 2, 3, 4];

/// The paper's rule with one θ and one time to wait.
#[derive(Debug, Clone, Serialize)]
pub struct Reaction {
    /// θ as a share of A.
    pub theta: f64,
    /// Hours from the start of the first window in which the rule holds until the reaction.
    pub held_hours: f64,
    /// Reactions a folder and week without a burst.
    pub false_alarms: f64,
    /// Mean hours from a burst's onset to the reaction, 48 if there is none.
    pub mean_delay: f64,
}

/// Measures every θ with every time to wait.
pub fn sweep(
    all: &[Series],
    injections: &[Injection],
    protocol: &Protocol,
    settings: &Settings,
) -> Vec<Reaction> {
    let contender = Contender::new("day-hour ratio", |settings| {
        Box::new(AnyDetector::new(DetectorName::DayHour, settings))
    });
    let numbered: Vec<(usize, &Series)> = all.iter().enumerate().collect();
    let heard = in_parallel(&numbered, |(folder, series)| {
        hear(&contender, series, *folder, injections, protocol, settings)
    });
    let weeks: f64 =
        all.iter().map(|series| series.windows().saturating_sub(protocol.burn_in) as f64).sum::<f64>()
            * protocol.hours
            / 168.0;
    let mut reactions = Vec::new();
    for theta in THETAS {
        for held in HELD {
            let rule = Rule { above: 1.0 + theta, held, protocol };
            let count: usize = heard.iter().map(|one| rule.reactions(&one.base).len()).sum();
            let delays: Vec<f64> = heard.iter().flat_map(|one| rule.delays(one)).collect();
            reactions.push(Reaction {
                theta,
                held_hours: held as f64 * protocol.hours,
                false_alarms: count as f64 / weeks.max(1e-9),
                mean_delay: delays.iter().sum::<f64>() / delays.len().max(1) as f64,
            });
        }
    }
    reactions
}

/// The ratios C / A of one folder, as it was and with each of its bursts.
struct Heard {
    base: Vec<f64>,
    bursts: Vec<(usize, Vec<f64>)>,
}

fn hear(
    contender: &Contender,
    series: &Series,
    folder: usize,
    injections: &[Injection],
    protocol: &Protocol,
    settings: &Settings,
) -> Heard {
    let mut detector = contender.fresh(settings);
    let mut window = series.blank();
    let mut heard = Heard { base: Vec::with_capacity(series.windows()), bursts: Vec::new() };
    for at in 0..series.windows() {
        for burst in injections.iter().filter(|burst| burst.folder == folder && burst.onset == at) {
            let mut copy: Box<dyn Entrant> = detector.copy();
            let mut ratios = Vec::with_capacity(protocol.patience);
            for later in 0..protocol.patience {
                with_burst(series, burst, at + later, &mut window);
                ratios.push(copy.bare_score(&window, settings));
                copy.learn(&window, true, settings);
            }
            heard.bursts.push((at, ratios));
        }
        series.fill(at, series.at(at), &mut window);
        heard.base.push(detector.bare_score(&window, settings));
        detector.learn(&window, true, settings);
    }
    heard
}

/// C > A + θ·A in so many windows in a row.
struct Rule<'a> {
    above: f64,
    held: usize,
    protocol: &'a Protocol,
}

impl Rule<'_> {
    /// The windows at whose end something is done: no other within the refractory time.
    fn reactions(&self, ratios: &[f64]) -> Vec<usize> {
        let mut reactions: Vec<usize> = Vec::new();
        let mut held = 0;
        for (at, ratio) in ratios.iter().enumerate() {
            held = if *ratio > self.above { held + 1 } else { 0 };
            let is_free = reactions.last().is_none_or(|last| at - last >= self.protocol.refractory);
            if held >= self.held && is_free && at >= self.protocol.burn_in {
                reactions.push(at);
            }
        }
        reactions
    }

    /// As for every contender: what is done without the burst does not count.
    fn delays(&self, heard: &Heard) -> Vec<f64> {
        let base = self.reactions(&heard.base);
        let delay = |(onset, ratios): &(usize, Vec<f64>)| {
            let mut series: Vec<f64> = heard.base.iter().take(*onset).copied().collect();
            series.extend(ratios);
            let refractory = self.protocol.refractory;
            let own =
                |at: &usize| at >= onset && !base.iter().any(|alarm| alarm <= at && at - alarm < refractory);
            let first = self.reactions(&series).into_iter().find(own);
            first.map_or(self.protocol.missed(), |at| self.protocol.delay(at - onset))
        };
        heard.bursts.iter().map(delay).collect()
    }
}
