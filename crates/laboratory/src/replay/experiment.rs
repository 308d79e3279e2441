//! Policies against each other: the same history, the same visits, many seeds, all cores.

use super::budget::{CLOSE, CLOSE_ENOUGH, Met, meet};
use super::contestant::Contestant;
use super::drive::{Manners, drive};
use super::error::ReplayError;
use super::limits;
use super::measure::Measure;
use super::reacting::Reacting;
use super::row::Row;
use super::span::{Span, Training};
use super::trace::Trace;
use super::visits::Visits;
use jiff::SignedDuration;
use scheduling::{PlanSettings, PolicyName};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Policies against each other.
#[derive(Debug, Clone)]
pub struct Experiment<'a> {
    /// The history.
    pub trace: &'a Trace,
    /// Who takes part.
    pub contestants: Vec<Contestant>,
    /// Visits a source and day, one run for each.
    pub visits_per_day: Vec<f64>,
    /// What is learned from.
    pub training: Training,
    /// How many seeds, from 1 on.
    pub seeds: u64,
    /// So many newest articles stand on a page.
    pub page_size: usize,
    /// What detectors are told where events react on top of a policy; their zone is that of `plan`.
    pub watching: detection::Settings,
    /// Whatever else policies are told: pace, interests, zone, tuning. Budget and seed are set for each run.
    pub plan: PlanSettings,
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Runs done.
    pub done: usize,
    /// Runs in all.
    pub all: usize,
}

/// One run: who, with which budget, with which seed.
#[derive(Debug, Clone, Copy)]
struct Job {
    contestant: Contestant,
    budget: f64,
    seed: u64,
    /// What to ask for, for each visit of the budget, at first.
    factor: f64,
}

impl Experiment<'_> {
    /// Rows by budget, then contestant as they were named, then seed. `progress` may stop it.
    pub fn run(
        &self,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<Row>, ReplayError> {
        self.check()?;
        let span = Span::of(self.trace, self.training)?;
        let measure = Measure::new(self.trace, &span, &self.plan.interests, self.page_size);
        let runs = Runs { experiment: self, span: &span, measure: &measure };
        // The gap between even polling and the oracle is told in each row.
        let mut everybody = self.contestants.clone();
        for needed in [Contestant::Policy(PolicyName::Even), Contestant::Oracle] {
            if !everybody.contains(&needed) {
                everybody.push(needed);
            }
        }
        let pairs: Vec<(f64, Contestant)> = self
            .visits_per_day
            .iter()
            .flat_map(|budget| everybody.iter().map(|contestant| (*budget, *contestant)))
            .collect();
        let first: Vec<Job> = pairs
            .iter()
            .map(|(budget, contestant)| Job {
                contestant: *contestant,
                budget: *budget,
                seed: 1,
                factor: 1.0,
            })
            .collect();
        let seeds = |contestant: Contestant| if contestant.is_limit() { 1 } else { self.seeds };
        let all = pairs.iter().map(|(_, contestant)| seeds(*contestant) as usize).sum();
        let mut done = 0;
        let mut step = || {
            done += 1;
            progress(Progress { done, all })
        };
        // What has to be asked of a policy hardly depends on the seed: the first seed finds out for the others.
        let leading = in_parallel(&first, |job| runs.run(job), &mut step)?;
        let rest: Vec<Job> = leading
            .iter()
            .flat_map(|met| {
                let row = &met.result;
                (2..=seeds(row.contestant)).map(|seed| Job {
                    contestant: row.contestant,
                    budget: row.budget,
                    seed,
                    factor: met.factor,
                })
            })
            .collect();
        let following = in_parallel(&rest, |job| runs.run(job), &mut step)?;
        let rows: Vec<Row> = leading.into_iter().chain(following).map(|met| met.result).collect();
        Ok(self.in_order(&rows))
    }

    fn check(&self) -> Result<(), ReplayError> {
        let interests = &self.plan.interests;
        if interests.others <= 0.0 && interests.folders.values().all(|weight| *weight <= 0.0) {
            return Err(ReplayError::Budget("something must be of interest: all weights are 0".to_owned()));
        }
        let most = 86_400.0 / self.plan.shortest_gap.as_secs_f64().max(1.0);
        for budget in &self.visits_per_day {
            if !budget.is_finite() || *budget <= 0.0 {
                return Err(ReplayError::Budget(format!(
                    "{budget} visits a day are no budget: more than 0 are needed"
                )));
            }
            if *budget > most {
                return Err(ReplayError::Budget(format!(
                    "{budget} visits a day are impolite: a source is visited at most every {} minutes, {most:.0} times a day",
                    self.plan.shortest_gap.as_secs() / 60
                )));
            }
        }
        if self.visits_per_day.is_empty() {
            return Err(ReplayError::Budget("no budget is given".to_owned()));
        }
        if self.contestants.is_empty() {
            return Err(ReplayError::Policy("no policy is named".to_owned()));
        }
        if self.seeds == 0 {
            return Err(ReplayError::Budget("at least one seed is needed".to_owned()));
        }
        Ok(())
    }

    /// What was asked for, in the order it was asked for, with the gaps filled in.
    fn in_order(&self, rows: &[Row]) -> Vec<Row> {
        let find = |contestant: Contestant, budget: f64, seed: u64| {
            let seed = if contestant.is_limit() { 1 } else { seed };
            rows.iter().find(|row| {
                row.contestant == contestant && row.seed == seed && row.budget.total_cmp(&budget).is_eq()
            })
        };
        let mut ordered = Vec::new();
        for budget in &self.visits_per_day {
            for contestant in &self.contestants {
                for seed in 1..=self.seeds {
                    let Some(row) = find(*contestant, *budget, seed) else { continue };
                    let mut row = Row { seed, ..row.clone() };
                    let even = find(Contestant::Policy(PolicyName::Even), *budget, seed);
                    if let (Some(even), Some(oracle)) = (even, find(Contestant::Oracle, *budget, seed)) {
                        row.close_gap(even, oracle);
                    }
                    ordered.push(row);
                }
            }
        }
        ordered
    }
}

/// What all runs share.
struct Runs<'a> {
    experiment: &'a Experiment<'a>,
    span: &'a Span,
    measure: &'a Measure<'a>,
}

impl Runs<'_> {
    fn run(&self, job: &Job) -> Met<Row> {
        let close = if job.seed == 1 { CLOSE } else { CLOSE_ENOUGH };
        // Limits keep to the budget by themselves; where there are fewer articles than visits, they need fewer.
        if job.contestant.is_limit() {
            let visits = self.visits(job, job.budget);
            return Met { factor: 1.0, result: self.row(job, &visits) };
        }
        let met = meet(job.budget, job.factor, close, |asked| {
            let visits = self.visits(job, asked);
            (visits.per_source_day(self.span), visits)
        });
        Met { factor: met.factor, result: self.row(job, &met.result) }
    }

    fn row(&self, job: &Job, visits: &Visits) -> Row {
        let run = (job.seed, job.budget, self.experiment.plan.pace);
        let made = (visits.count(), visits.per_source_day(self.span));
        Row::new(job.contestant, run, made, self.measure.delays(visits))
    }

    fn visits(&self, job: &Job, asked: f64) -> Visits {
        let Experiment { trace, plan, page_size, watching, .. } = self.experiment;
        let plan = PlanSettings { visits_per_source_day: asked, seed: job.seed, ..plan.clone() };
        let name = match job.contestant {
            Contestant::Oracle => return limits::oracle(trace, self.span, &plan),
            Contestant::KnownRate => return limits::known_rate(trace, self.span, &plan),
            Contestant::Policy(name) => name,
        };
        let gap = |gap: std::time::Duration| SignedDuration::try_from(gap).unwrap_or(SignedDuration::MAX);
        let mut reacting = name.reaction().map(|reaction| {
            let settings = detection::Settings { zone: plan.zone.clone(), ..watching.clone() };
            Reacting::new(trace, self.span, reaction, settings, gap(plan.mean_interval()))
        });
        let manners = Manners { shortest_gap: gap(plan.shortest_gap), page_size: *page_size };
        let mut policy = name.build(&plan);
        drive(trace, self.span, policy.as_mut(), reacting.as_mut(), manners, job.seed)
    }
}

/// Works through a list with all cores; results in the order of the list. `step` is called here after each, and may stop it.
fn in_parallel<T: Sync, R: Send>(
    list: &[T],
    work: impl Fn(&T) -> R + Sync,
    step: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Vec<R>, ReplayError> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (next, stopped, work) = (&next, &stopped, &work);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(list.len());
    let mut done: Vec<(usize, R)> = Vec::with_capacity(list.len());
    std::thread::scope(|scope| {
        let (tell, told) = mpsc::channel();
        for _ in 0..threads {
            let tell = tell.clone();
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = list.get(at) else { return };
                    if tell.send((at, work(one))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(tell);
        for result in told {
            done.push(result);
            if step().is_break() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
    if stopped.load(Ordering::Relaxed) {
        return Err(ReplayError::Stopped);
    }
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}
