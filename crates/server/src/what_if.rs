//! What if? The user's own history, replayed under other policies and budgets beside the pages. One at a time.

use crate::app::App;
use crate::plan::standing;
use crate::problem::Problem;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use laboratory::replay::{Collector, Contestant, Experiment, Progress, ReplayError, Row, Trace, Training};
use scheduling::{Interests, PlanSettings, PolicyName};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A year is enough to judge by, and keeps the longest answer a matter of minutes.
const LOOKED_BACK: SignedDuration = SignedDuration::from_hours(365 * 24);
/// Pages that follow along are told no oftener.
const TELL_EVERY: Duration = Duration::from_millis(700);
/// The part of the history that is learned from.
const LEARNED: f64 = 0.6;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    pub(crate) policies: Vec<PolicyName>,
    /// Visits a source and day.
    pub(crate) budgets: Vec<f64>,
}

/// How it stands with an answer.
#[derive(Debug, Clone, Default)]
pub(crate) enum Answer {
    /// Nobody asked yet.
    #[default]
    None,
    /// Being worked out.
    Running { question: Question, done: usize, all: usize },
    /// It could not be worked out, for this reason.
    Refused { question: Question, why: String },
    /// There it is.
    Done { question: Question, at: Timestamp, about: About, rows: Vec<Row> },
}

/// What an answer was made from.
#[derive(Debug, Clone)]
pub(crate) struct About {
    pub(crate) articles: usize,
    pub(crate) sources: usize,
    pub(crate) days: f64,
}

/// The last question and its answer.
#[derive(Debug, Default)]
pub(crate) struct WhatIf {
    answer: Mutex<Answer>,
    /// Counts questions: an old one that still runs notices and gives up.
    asked: Mutex<u64>,
    /// One is worked out at a time.
    place: tokio::sync::Mutex<()>,
}

impl WhatIf {
    pub(crate) fn answer(&self) -> Answer {
        lock(&self.answer).clone()
    }

    fn ask(&self, question: Question) -> u64 {
        let mut asked = lock(&self.asked);
        *asked += 1;
        *lock(&self.answer) = Answer::Running { question, done: 0, all: 0 };
        *asked
    }

    /// Takes an answer, unless somebody has asked something else meanwhile.
    fn tell(&self, number: u64, answer: Answer) -> bool {
        let asked = lock(&self.asked);
        if *asked == number {
            *lock(&self.answer) = answer;
        }
        *asked == number
    }

    /// Nobody wants the answer any more.
    pub(crate) fn stop(&self) {
        *lock(&self.asked) += 1;
        *lock(&self.answer) = Answer::None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to work out an answer.
pub(crate) async fn ask(app: &App, question: Question) -> Result<(), Problem> {
    if question.policies.is_empty() || question.budgets.is_empty() {
        return Err(Problem::invalid("choose at least one policy and one budget"));
    }
    let standing = standing(app).await?;
    let zone = app.store().watch_settings().await?.unwrap_or_default().zone;
    let zone = TimeZone::get(&zone).unwrap_or(TimeZone::UTC);
    let folders = crate::ui::folders_of(app).await?;
    let plan = standing.choice.settings(app.engine.interval(), standing.sources, zone, &folders);
    let number = app.what_if.ask(question.clone());
    let app = app.clone();
    tokio::spawn(async move {
        let _place = app.what_if.place.lock().await;
        let answer = match history(&app, plan).await {
            Err(why) => Answer::Refused { question, why },
            Ok((trace, plan)) => work_out(&app, number, question, trace, plan).await,
        };
        app.what_if.tell(number, answer);
        app.changed();
    });
    Ok(())
}

/// The stored articles as a history, and the interests in its folders.
async fn history(app: &App, plan: PlanSettings) -> Result<(Trace, PlanSettings), String> {
    let now = app.now();
    let since = now.checked_sub(LOOKED_BACK).unwrap_or(Timestamp::MIN);
    let mut collector = Collector::new(now);
    let mut names = BTreeMap::new();
    let stored = app.store().history(since).await.map_err(|error| error.to_string())?;
    for article in stored {
        names.extend(article.folders.iter().map(|(id, name)| (*id, name.clone())));
        let folders = article.folders.into_iter().map(|(_, name)| name).collect();
        let published = laboratory::trace::Published {
            at: article.at,
            source: article.source,
            url: article.url,
            title: article.title,
            text: None,
            folders: Vec::new(),
            line: 0,
        };
        collector.add(&published, folders)?;
    }
    let trace = collector.finish().map_err(|error| error.to_string())?;
    // The same folders have other numbers in a history.
    let mut interests = Interests { others: plan.interests.others, folders: BTreeMap::new() };
    for (id, weight) in &plan.interests.folders {
        if let Some(folder) = names.get(id).and_then(|name| trace.folder(name).ok()) {
            interests.folders.insert(folder, *weight);
        }
    }
    Ok((trace, PlanSettings { interests, ..plan }))
}

async fn work_out(app: &App, number: u64, question: Question, trace: Trace, plan: PlanSettings) -> Answer {
    let (asker, asked) = (app.clone(), question.clone());
    let worked = tokio::task::spawn_blocking(move || {
        let about =
            About { articles: trace.articles().len(), sources: trace.sources().len(), days: days(&trace) };
        let experiment = Experiment {
            trace: &trace,
            contestants: asked.policies.iter().copied().map(Contestant::Policy).collect(),
            visits_per_day: asked.budgets.clone(),
            training: Training::Share(LEARNED),
            seeds: 1,
            page_size: 30,
            watching: detection::Settings::default(),
            plan,
        };
        let mut told = Instant::now();
        let rows = experiment.run(&mut |Progress { done, all }| {
            let running = Answer::Running { question: asked.clone(), done, all };
            if !asker.what_if.tell(number, running) || asker.stopped.is_cancelled() {
                return ControlFlow::Break(());
            }
            if told.elapsed() > TELL_EVERY {
                told = Instant::now();
                asker.changed();
            }
            ControlFlow::Continue(())
        });
        rows.map(|rows| (about, rows))
    })
    .await;
    match worked {
        Ok(Ok((about, rows))) => Answer::Done { question, at: app.now(), about, rows },
        Ok(Err(ReplayError::Stopped)) => Answer::None,
        Ok(Err(error)) => Answer::Refused { question, why: error.to_string() },
        Err(_) => Answer::Refused { question, why: "it broke off; please report this".into() },
    }
}

fn days(trace: &Trace) -> f64 {
    match (trace.articles().first(), trace.articles().last()) {
        (Some(first), Some(last)) => last.at.duration_since(first.at).as_secs_f64() / 86_400.0,
        _ => 0.0,
    }
}
