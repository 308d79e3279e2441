//! Delays and false alarms of one contender.

use super::Protocol;
use super::contender::{Contender, Entrant};
use super::injection::Injection;
use super::series::Series;
use detection::{Settings, Window};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A contender at one threshold.
#[derive(Debug, Clone)]
pub struct Point {
    /// False alarms a folder and week that were allowed.
    pub allowed: f64,
    /// The threshold that keeps to them.
    pub threshold: f64,
    /// False alarms a folder and week.
    pub false_alarms: f64,
    /// Hours from onset to alarm, for each burst.
    pub delays: Vec<f64>,
}

/// A contender at all thresholds.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Its name.
    pub name: &'static str,
    /// Fewest false alarms first.
    pub points: Vec<Point>,
}

impl Point {
    /// Mean delay in hours.
    pub fn mean_delay(&self) -> f64 {
        self.delays.iter().sum::<f64>() / self.delays.len().max(1) as f64
    }
}

/// Measures a contender at each allowed rate of false alarms, fewest first; `progress` is called after each.
pub fn measure(
    contender: &Contender,
    all: &[Series],
    injections: &[Injection],
    allowed: &[f64],
    protocol: &Protocol,
    settings: &Settings,
    progress: &mut dyn FnMut(),
) -> Curve {
    let mut course =
        Course { contender, all, injections, protocol, settings, runs: HashMap::new(), scores: Vec::new() };
    course.scores = course.distinct_scores();
    let mut highest = course.scores.len();
    let mut points = Vec::with_capacity(allowed.len());
    for allowed in allowed {
        let (point, at) = course.point(*allowed, highest);
        points.push(point);
        // Who may alarm more often needs no higher threshold.
        highest = at;
        progress();
    }
    Curve { name: contender.name, points }
}

struct Course<'a> {
    contender: &'a Contender,
    all: &'a [Series],
    injections: &'a [Injection],
    protocol: &'a Protocol,
    settings: &'a Settings,
    /// Scores of the series as they were; by threshold where that matters.
    runs: HashMap<u64, Vec<Vec<f64>>>,
    /// All scores there are, lowest first: the thresholds that can be told apart.
    scores: Vec<f64>,
}

impl Course<'_> {
    fn distinct_scores(&mut self) -> Vec<f64> {
        let burn_in = self.protocol.burn_in;
        let run = self.run(f64::INFINITY);
        let mut scores: Vec<f64> =
            run.iter().flat_map(|scores| scores.iter().skip(burn_in).copied()).collect();
        scores.retain(|score| *score > 0.0);
        scores.sort_by(f64::total_cmp);
        scores.dedup();
        // Where each threshold needs a run of its own, five hundred are told apart well enough.
        let every = if self.contender.begins_anew { scores.len().div_ceil(500).max(1) } else { 1 };
        scores.into_iter().step_by(every).collect()
    }

    /// The lowest threshold that keeps to what is allowed, and the delays there.
    fn point(&mut self, allowed: f64, highest: usize) -> (Point, usize) {
        // False alarms fall with the threshold: halve. At `high` they are few enough.
        let (mut low, mut high) = (0, highest);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.false_alarms(self.threshold(middle)) <= allowed {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let threshold = self.threshold(high);
        let false_alarms = self.false_alarms(threshold);
        (Point { allowed, threshold, false_alarms, delays: self.delays(threshold) }, high)
    }

    /// Beyond the last there is no alarm.
    fn threshold(&self, at: usize) -> f64 {
        self.scores.get(at).copied().unwrap_or(f64::MAX)
    }

    fn false_alarms(&mut self, threshold: f64) -> f64 {
        let protocol = *self.protocol;
        let run = self.run(threshold);
        let count: usize = run.iter().map(|scores| alarms(scores, threshold, &protocol).len()).sum();
        let windows: usize = run.iter().map(|scores| scores.len().saturating_sub(protocol.burn_in)).sum();
        count as f64 / (windows as f64 * protocol.hours / 168.0).max(1e-9)
    }

    fn run(&mut self, threshold: f64) -> &Vec<Vec<f64>> {
        let key = if self.contender.begins_anew { threshold.to_bits() } else { 0 };
        let (contender, all) = (self.contender, self.all);
        let settings = self.settings_at(threshold);
        self.runs.entry(key).or_insert_with(|| {
            in_parallel(all, |series| {
                let mut scores = Vec::with_capacity(series.windows());
                walk(contender, series, &settings, |_, _, score| scores.push(score));
                scores
            })
        })
    }

    fn delays(&mut self, threshold: f64) -> Vec<f64> {
        let settings = self.settings_at(threshold);
        let protocol = *self.protocol;
        let run = self.run(threshold).clone();
        let (contender, injections) = (self.contender, self.injections);
        let numbered: Vec<(usize, &Series)> = self.all.iter().enumerate().collect();
        let found = in_parallel(&numbered, |(folder, series)| {
            let mut own: Vec<usize> = (0..injections.len())
                .filter(|at| injections.get(*at).is_some_and(|one| one.folder == *folder))
                .collect();
            own.sort_by_key(|at| injections.get(*at).map(|one| one.onset));
            let base =
                run.get(*folder).map(|scores| alarms(scores, threshold, &protocol)).unwrap_or_default();
            let mut next = own.iter().peekable();
            let mut delays = Vec::with_capacity(own.len());
            walk(contender, series, &settings, |at, detector, _| {
                while let Some(number) = next.peek()
                    && let Some(burst) = injections.get(**number)
                    && burst.onset == at
                {
                    let trial = Trial { series, burst, base: &base, threshold, protocol: &protocol };
                    delays.push((**number, trial.delay(detector.copy(), &settings)));
                    next.next();
                }
            });
            delays
        });
        let mut delays = vec![protocol.missed(); injections.len()];
        for (number, delay) in found.into_iter().flatten() {
            if let Some(place) = delays.get_mut(number) {
                *place = delay;
            }
        }
        delays
    }

    fn settings_at(&self, threshold: f64) -> Settings {
        Settings { threshold: Some(threshold), ..self.contender.settings(self.settings) }
    }
}

/// Lets a fresh detector see a series; `each` gets its state before each window, and the window's score.
fn walk(
    contender: &Contender,
    series: &Series,
    settings: &Settings,
    mut each: impl FnMut(usize, &dyn Entrant, f64),
) {
    let mut detector = contender.fresh(settings);
    let mut window = series.blank();
    for at in 0..series.windows() {
        series.fill(at, series.at(at), &mut window);
        let score = detector.bare_score(&window, settings);
        each(at, &*detector, score);
        detector.learn(&window, true, settings);
    }
}

/// The windows that alarm after the burn-in: at or above the threshold, and not shortly after another.
fn alarms(scores: &[f64], threshold: f64, protocol: &Protocol) -> Vec<usize> {
    let mut alarms: Vec<usize> = Vec::new();
    for (at, score) in scores.iter().enumerate().skip(protocol.burn_in) {
        let is_free = alarms.last().is_none_or(|last| at - last >= protocol.refractory);
        if *score >= threshold && is_free {
            alarms.push(at);
        }
    }
    alarms
}

/// One burst put before one detector.
struct Trial<'a> {
    series: &'a Series,
    burst: &'a Injection,
    /// The windows in which the series alarms as it was.
    base: &'a [usize],
    threshold: f64,
    protocol: &'a Protocol,
}

impl Trial<'_> {
    /// Hours to the first alarm that the series as it was does not raise, in the same window or so shortly before that
    /// this one would be silenced.
    fn delay(&self, mut detector: Box<dyn Entrant>, settings: &Settings) -> f64 {
        let onset = self.burst.onset;
        let refractory = self.protocol.refractory;
        let mut last = self.base.iter().copied().rfind(|alarm| *alarm < onset);
        let mut window = self.series.blank();
        for later in 0..self.protocol.patience {
            let at = onset + later;
            with_burst(self.series, self.burst, at, &mut window);
            let score = detector.bare_score(&window, settings);
            if score >= self.threshold && last.is_none_or(|last| at - last >= refractory) {
                last = Some(at);
                if !self.base.iter().any(|alarm| *alarm <= at && at - alarm < refractory) {
                    return self.protocol.delay(later);
                }
            }
            detector.learn(&window, true, settings);
        }
        self.protocol.missed()
    }
}

/// Puts a window of the series with the burst in it into `window`.
pub(super) fn with_burst(series: &Series, burst: &Injection, at: usize, window: &mut Window) {
    let mut counts = series.at(at).to_vec();
    for (later, source, stories) in &burst.added {
        if burst.onset + later == at
            && let Some(count) = counts.get_mut(*source)
        {
            *count += stories;
        }
    }
    series.fill(at, &counts, window);
}

/// Works through a list with as many threads as there are cores; results in the order of the list.
pub(super) fn in_parallel<T: Sync, R: Send>(list: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(list.len().max(1));
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(one) = list.get(at) else { return done };
                done.push((at, work(one)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| match worker.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
