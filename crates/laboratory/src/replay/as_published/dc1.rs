//! Paper 001's simulation: the detector constructor on a World Cup folder, visits every 2, 4 and 24 hours.
//!
//! All sources of the folder are visited at multiples of the delay. A window that the detector, as it was published, calls
//! unusual lets each source be visited every ten minutes until it brings nothing, at most until its next regular visit.

use super::simulation::mean;
use super::words::{WORLD_CUP, cup_and_others};
use crate::replay::error::ReplayError;
use crate::replay::trace::Trace;
use detection::{AnyDetector, Detector, DetectorName, Level, Mode, Part, Settings, Window};
use jiff::{SignedDuration, Timestamp};
use model::{FolderId, SourceId};
use serde::Serialize;
use std::path::Path;

/// What the simulation shows.
#[derive(Debug, Clone, Serialize)]
pub struct Dc1 {
    /// Articles of the World Cup folder.
    pub articles: usize,
    /// Sources that ever had one.
    pub sources: usize,
    /// The first day of the history, UTC.
    pub first_day: String,
    /// Articles a day of five folders (Fig. 3-5); the first is World Cup (Fig. 3-6).
    pub folders: Vec<Daily>,
    /// The day that is looked at: of those with an alarm at two hours, the one furthest above its last ten.
    pub day: String,
    /// Its articles in each hour (Fig. 3-7).
    pub hours: Vec<f64>,
    /// Its windows of two and of four hours (Figs. 3-8 and 3-9), and all days (Fig. 4-1).
    pub delayed: Vec<Delayed>,
    /// Its visits in minutes from midnight, with what all sources together brought (Fig. 3-10).
    pub visits: Vec<Visit>,
}

/// Articles of a folder, day by day.
#[derive(Debug, Clone, Serialize)]
pub struct Daily {
    /// The folder.
    pub name: String,
    /// One for each day.
    pub counts: Vec<f64>,
}

/// One delay between visits.
#[derive(Debug, Clone, Serialize)]
pub struct Delayed {
    /// Hours between two regular visits.
    pub hours: i64,
    /// Regular visits to all sources, once each.
    pub windows: usize,
    /// Windows that alarmed.
    pub alarms: usize,
    /// Visits to single sources that alarms caused.
    pub extra_visits: usize,
    /// Articles that those found.
    pub extra_articles: usize,
    /// Visits a source and day with the detector.
    pub visits_per_source_day: f64,
    /// Mean delay without the detector, minutes.
    pub static_minutes: f64,
    /// Mean delay with it.
    pub minutes: f64,
    /// Mean delay of even polling with the same visits.
    pub even_minutes: f64,
    /// The windows shown: of the day looked at, or all where a window is a day.
    pub shown: Vec<Shown>,
}

/// A window in a figure.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Shown {
    /// Its end, in hours from the midnight that the figure begins with.
    pub hour: i64,
    /// Articles found at its end.
    pub count: f64,
    /// Mean of the same time on the last ten days.
    pub mean: Option<f64>,
    /// Their standard deviation.
    pub deviation: Option<f64>,
    /// It alarmed.
    pub alarm: bool,
}

/// A visit to all sources that are still visited.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Visit {
    /// Minutes from midnight.
    pub minute: i64,
    /// Articles found.
    pub found: usize,
    /// Caused by an alarm.
    pub extra: bool,
}

const DAY: i64 = 86_400;
const HOUR: i64 = 3600;
/// The paper's ten minutes.
const AGAIN: i64 = 600;
/// The paper's ten days.
const DAYS: usize = 10;
const DELAYS: [i64; 3] = [2, 4, 24];

/// Repeats the simulation.
pub fn dc1(file: &Path, now: Timestamp) -> Result<Dc1, ReplayError> {
    let trace = Trace::read(file, now, cup_and_others)?;
    let cup = trace.folder(WORLD_CUP).map_err(|_| {
        ReplayError::Unsuitable(
            "no title of this history speaks of the World Cup, FIFA, Qatar or soccer".into(),
        )
    })?;
    let times = times(&trace, cup);
    let all = |at: Option<&_>| at.map_or(0, |article: &crate::replay::trace::Article| article.at.as_second());
    let from = all(trace.articles().first()).div_euclid(DAY) * DAY;
    let to = (all(trace.articles().last()).div_euclid(DAY) + 1) * DAY;
    if to - from < (DAYS as i64 + 5) * DAY {
        return Err(ReplayError::Unsuitable(format!(
            "the history has {} days; the profile of the detector alone takes {DAYS}",
            (to - from) / DAY
        )));
    }
    let courses: Vec<Course> = DELAYS.iter().map(|hours| Course::run(&times, *hours, from, to)).collect();
    let daily = |id: FolderId| {
        let mut counts = vec![0.0; ((to - from) / DAY) as usize];
        for article in trace.articles().iter().filter(|article| article.folders.contains(&id)) {
            if let Some(count) = counts.get_mut(((article.at.as_second() - from) / DAY) as usize) {
                *count += 1.0;
            }
        }
        Daily { name: trace.folder_name(id).to_owned(), counts }
    };
    let ids = (1..=trace.folders().len() as i64).map(FolderId).filter(|id| *id != cup);
    let mut others: Vec<Daily> = ids.map(daily).collect();
    others.sort_by(|one, other| other.counts.iter().sum::<f64>().total_cmp(&one.counts.iter().sum()));
    let folders: Vec<Daily> = std::iter::once(daily(cup)).chain(others.into_iter().take(4)).collect();
    let day = courses.first().map_or(from, |course| course.busiest_day(from));
    let delayed = courses.iter().map(|course| course.told(&times, from, to, day)).collect();
    let date = |second: i64| {
        Timestamp::from_second(second).map(|at| at.strftime("%Y-%m-%d").to_string()).unwrap_or_default()
    };
    Ok(Dc1 {
        articles: times.iter().map(Vec::len).sum(),
        sources: times.len(),
        first_day: date(from),
        folders,
        day: date(day),
        hours: (0..24).map(|hour| count(&times, day + hour * HOUR, day + (hour + 1) * HOUR)).collect(),
        delayed,
        visits: courses.first().map(|course| course.visits_of(day)).unwrap_or_default(),
    })
}

/// When each source that ever had one published the folder's articles.
fn times(trace: &Trace, folder: FolderId) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = Vec::new();
    for source in trace.sources() {
        let articles = source.articles.iter().filter_map(|at| trace.articles().get(*at));
        let own = articles.filter(|article| article.folders.contains(&folder));
        let times: Vec<i64> = own.map(|article| article.at.as_second()).collect();
        if !times.is_empty() {
            all.push(times);
        }
    }
    all
}

/// Articles in (since, until].
fn found(times: &[i64], since: i64, until: i64) -> usize {
    times.partition_point(|time| *time <= until) - times.partition_point(|time| *time <= since)
}

fn count(times: &[Vec<i64>], since: i64, until: i64) -> f64 {
    times.iter().map(|times| found(times, since, until)).sum::<usize>() as f64
}

/// The simulation with one delay.
struct Course {
    hours: i64,
    /// Each window's end, its articles, and whether it alarmed.
    windows: Vec<(i64, f64, bool)>,
    /// When each source was visited, with what.
    visits: Vec<Vec<i64>>,
    extra: Vec<(i64, usize)>,
    extra_visits: usize,
}

impl Course {
    fn run(times: &[Vec<i64>], hours: i64, from: i64, to: i64) -> Self {
        let mut settings = Settings { window: SignedDuration::from_hours(hours), ..Settings::default() };
        settings.dc1.mode = Mode::Faithful;
        let mut detector = AnyDetector::new(DetectorName::Dc1, &settings);
        let mut course = Self {
            hours,
            windows: Vec::new(),
            visits: vec![Vec::new(); times.len()],
            extra: Vec::new(),
            extra_visits: 0,
        };
        let delay = hours * HOUR;
        let mut end = from + delay;
        while end <= to {
            let window = window(times, end - delay, end);
            let score = detector.score(&window, &settings);
            course.windows.push((end, count(times, end - delay, end), score.alarm));
            for visits in &mut course.visits {
                visits.push(end);
            }
            if score.alarm {
                course.go_again(times, end, (end + delay).min(to));
            }
            detector.learn(&window, !score.alarm, &settings);
            end += delay;
        }
        course
    }

    /// Every ten minutes to each source, until it brings nothing.
    fn go_again(&mut self, times: &[Vec<i64>], end: i64, next: i64) {
        let mut still = vec![true; times.len()];
        let mut now = end + AGAIN;
        while now < next && still.contains(&true) {
            let mut brought = 0;
            for ((times, visits), still) in times.iter().zip(&mut self.visits).zip(&mut still) {
                if *still {
                    let new = found(times, now - AGAIN, now);
                    visits.push(now);
                    self.extra_visits += 1;
                    brought += new;
                    *still = new > 0;
                }
            }
            self.extra.push((now, brought));
            now += AGAIN;
        }
    }

    /// Of the days with an alarm (or of all, if there was none), the one that most exceeds the mean of its last ten.
    fn busiest_day(&self, from: i64) -> i64 {
        let day = |end: i64| (end - 1).div_euclid(DAY) * DAY;
        let sum = |start: i64| -> f64 {
            self.windows.iter().filter(|(end, ..)| day(*end) == start).map(|(_, count, _)| count).sum()
        };
        let first = from + DAYS as i64 * DAY;
        let mut days: Vec<i64> =
            self.windows.iter().filter(|(_, _, alarm)| *alarm).map(|(end, ..)| day(*end)).collect();
        days.retain(|day| *day >= first);
        if days.is_empty() {
            days = self.windows.iter().map(|(end, ..)| day(*end)).filter(|day| *day >= first).collect();
        }
        days.dedup();
        let excess = |start: i64| sum(start) - mean((1..=DAYS as i64).map(|back| sum(start - back * DAY)));
        days.into_iter().max_by(|one, other| excess(*one).total_cmp(&excess(*other))).unwrap_or(from)
    }

    fn visits_of(&self, day: i64) -> Vec<Visit> {
        let is_in = |at: i64| at > day && at <= day + DAY;
        let regular = self.windows.iter().filter(|(end, ..)| is_in(*end)).map(|(end, count, _)| Visit {
            minute: (end - day) / 60,
            found: *count as usize,
            extra: false,
        });
        let extra = self.extra.iter().filter(|(at, _)| is_in(*at)).map(|(at, found)| Visit {
            minute: (at - day) / 60,
            found: *found,
            extra: true,
        });
        let mut visits: Vec<Visit> = regular.chain(extra).collect();
        visits.sort_by_key(|visit| visit.minute);
        visits
    }

    fn told(&self, times: &[Vec<i64>], from: i64, to: i64, day: i64) -> Delayed {
        let days = (to - from) as f64 / DAY as f64;
        let all: usize = self.visits.iter().map(Vec::len).sum();
        let visits_per_source_day = all as f64 / (times.len() as f64 * days);
        let step = (self.hours * HOUR) as f64;
        let wait = |interval: f64, phase: f64| {
            let delay = move |time: &i64| (phase - (*time - from) as f64).rem_euclid(interval) / 60.0;
            mean(times.iter().flatten().map(delay))
        };
        let met = |visits: &[i64], time: i64| {
            let visit = visits.get(visits.partition_point(|visit| *visit < time));
            visit.map(|visit| (visit - time) as f64 / 60.0)
        };
        let delays = times.iter().zip(&self.visits).flat_map(|(times, visits)| {
            let mut visits = visits.clone();
            visits.sort_unstable();
            times.iter().filter_map(|time| met(&visits, *time)).collect::<Vec<_>>()
        });
        let interval = DAY as f64 / visits_per_source_day.max(1e-9);
        Delayed {
            hours: self.hours,
            windows: self.windows.len(),
            alarms: self.windows.iter().filter(|(_, _, alarm)| *alarm).count(),
            extra_visits: self.extra_visits,
            extra_articles: self.extra.iter().map(|(_, found)| found).sum(),
            visits_per_source_day,
            static_minutes: wait(step, 0.0),
            minutes: mean(delays),
            // Over all phases: half an interval, but for the daily rhythm.
            even_minutes: mean((0..20).map(|phase| wait(interval, interval * f64::from(phase) / 20.0))),
            shown: self.shown(from, day),
        }
    }

    fn shown(&self, from: i64, day: i64) -> Vec<Shown> {
        let (start, end) = if self.hours == 24 { (from, i64::MAX) } else { (day, day + DAY) };
        let a_day = (24 / self.hours) as usize;
        let all = self.windows.iter().enumerate();
        all.filter(|(_, (at, ..))| *at > start && *at <= end)
            .map(|(place, (at, count, alarm))| {
                let past: Vec<f64> = (1..=DAYS)
                    .filter_map(|back| place.checked_sub(back * a_day))
                    .filter_map(|before| self.windows.get(before).map(|(_, count, _)| *count))
                    .collect();
                let is_full = past.len() == DAYS;
                let usual = mean(past.iter().copied());
                let square = mean(past.iter().map(|count| (count - usual).powi(2)));
                Shown {
                    hour: (at - start) / HOUR,
                    count: *count,
                    mean: is_full.then_some(usual),
                    deviation: is_full.then_some(square.sqrt()),
                    alarm: *alarm,
                }
            })
            .collect()
    }
}

fn window(times: &[Vec<i64>], since: i64, until: i64) -> Window {
    let time = |second: i64| Timestamp::from_second(second).unwrap_or_default();
    let parts = times.iter().zip(1..).map(|(times, id)| Part {
        source: SourceId(id),
        since: time(since),
        until: time(until),
        count: found(times, since, until) as u32,
    });
    Window { from: time(since), to: time(until), open: false, level: Level::USUAL, parts: parts.collect() }
}
