//! The policy that runs live: learned from what is stored, switched at once, and the same as in replay.

use crate::lab::{Lab, until};
use demo::{Web, World, WorldSettings};
use engine::{Engine, FastClock};
use model::PlannedVisit;
use scheduling::PolicyName;
use scheduling::journal::{Entry, Retrace};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::{Budget, NewSource, PlanChoice};

/// An hour in four seconds.
const SPEED: f64 = 900.0;

/// A journal in memory.
#[derive(Clone, Default)]
struct Pages(Arc<Mutex<Vec<u8>>>);

impl Write for Pages {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Pages {
    fn entries(&self) -> Vec<Entry> {
        let bytes = self.0.lock().unwrap().clone();
        bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    }
}

async fn newsroom() -> (Lab, Web) {
    // Few sites: other tests run beside these.
    let settings = WorldSettings { sites: 6, ..WorldSettings::default() };
    let start = settings.start;
    let mut lab = Lab::new();
    lab.clock = Arc::new(FastClock::new(start, SPEED));
    lab.interval = Duration::from_mins(30);
    lab.fetch.default_delay = Duration::from_secs(20);
    let web = Web::start(Arc::new(World::new(settings)), lab.clock.clone()).await.unwrap();
    let sources = web.sources().into_iter().map(|source| NewSource {
        url: source.url,
        title: Some(source.title),
        selector: None,
        interval: None,
        first_visit: PlannedVisit { at: start, reason: "first visit".into() },
    });
    lab.store.add_sources(sources.collect(), start).await.unwrap();
    (lab, web)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_live_run_told_again_gives_the_same_decisions() {
    let (lab, _web) = newsroom().await;
    let pages = Pages::default();
    let run = |policy| {
        let mut parts = lab.parts();
        parts.policy = policy;
        parts.journal = Some(Box::new(pages.clone()));
        Engine::start(parts)
    };
    // Twice: what was learned before a restart is learned again from what is stored.
    for seconds in [12, 8] {
        let engine = run(PolicyName::Planner).await.unwrap();
        tokio::time::sleep(Duration::from_secs(seconds) / 2).await;
        // Visits under way while the policy changes are told to one of the two, never to both.
        let budget = Budget::EachSource(60.0 + f64::from(seconds as u32));
        let choice = PlanChoice { budget, ..PlanChoice::default() };
        lab.store.set_plan_choice(&choice).await.unwrap();
        engine.handle().plan_changed();
        tokio::time::sleep(Duration::from_secs(seconds) / 2).await;
        engine.stop().await;
    }
    let mut retrace = Retrace::default();
    let entries = pages.entries();
    let visits = entries.iter().filter(|entry| matches!(entry, Entry::Observed { .. })).count();
    assert!(visits > 50, "{visits}");
    for entry in entries {
        retrace.step(entry).unwrap();
    }
    assert!(retrace.same >= visits);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_policy_and_budget_are_in_force_at_once() {
    let (lab, _web) = newsroom().await;
    let engine = lab.start().await;
    until("every source was visited", async || {
        lab.store
            .plan(1000)
            .await
            .unwrap()
            .iter()
            .all(|source| source.state.last_success_at.is_some() || source.state.failures > 0)
    })
    .await;
    let choice =
        PlanChoice { policy: PolicyName::Planner, budget: Budget::EachSource(1.0), ..PlanChoice::default() };
    lab.store.set_plan_choice(&choice).await.unwrap();
    engine.handle().plan_changed();
    let day = jiff::SignedDuration::from_hours(5);
    until("all visits are planned anew", async || {
        let far = lab.clock.now() + day;
        let sources = lab.store.plan(1000).await.unwrap();
        let later = sources.iter().filter(|source| source.state.next_at.is_some_and(|at| at > far)).count();
        later > sources.len() / 2
    })
    .await;
    assert_eq!(engine.handle().plan_choice(), choice);
    let any = lab.store.plan(1).await.unwrap().remove(0);
    assert!(engine.handle().outlook(any.id).await.unwrap().is_some(), "the planner says what it expects");
    engine.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_policy_that_plans_in_rounds_visits_too() {
    let (lab, _web) = newsroom().await;
    let mut parts = lab.parts();
    parts.policy = PolicyName::Wic;
    let engine = Engine::start(parts).await.unwrap();
    until("sources are visited again", async || {
        let since = lab.clock.now() - jiff::SignedDuration::from_hours(100);
        lab.store.visits_since(since).await.unwrap() > 60
    })
    .await;
    engine.stop().await;
}
