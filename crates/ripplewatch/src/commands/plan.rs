//! `plan`: what comes next and why; policy, budget and interests.

use crate::cli::{Plan, PlanCommand, PlanSet};
use crate::commands::worker::usual_interval;
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::exit::bad_input;
use crate::words::when;
use jiff::{SignedDuration, Timestamp};
use knowledge::Folders;
use scheduling::{Pace, PolicyName};
use store::{Budget, PlanChoice, Store};

pub(crate) async fn run(config: &Config, plan: Plan, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    match plan.command {
        None => coming(&store, plan.limit, json).await,
        Some(PlanCommand::Settings) => settings(config, &store, json).await,
        Some(PlanCommand::Set(wanted)) => {
            set(&store, &wanted).await?;
            settings(config, &store, json).await
        }
    }
}

async fn coming(store: &Store, limit: usize, json: bool) -> anyhow::Result<()> {
    let sources = store.plan(limit).await?;
    if json {
        let visits = sources.iter().map(|source| {
            serde_json::json!({ "source": source.id, "url": source.url, "at": source.state.next_at, "reason": source.state.next_reason })
        });
        return console::json(&visits.collect::<Vec<_>>());
    }
    if sources.is_empty() {
        console::hint("nothing is planned: add a source with `ripplewatch sources add URL`");
        return Ok(());
    }
    let now = Timestamp::now();
    let rows: Vec<_> = sources
        .iter()
        .filter_map(|source| {
            let name = source.title.clone().unwrap_or_else(|| source.url.to_string());
            Some(vec![when(source.state.next_at?, now), name, source.state.next_reason.clone()])
        })
        .collect();
    console::table(&["visit", "source", "why"], &rows);
    Ok(())
}

async fn settings(config: &Config, store: &Store, json: bool) -> anyhow::Result<()> {
    let choice = choice(store).await?;
    let sources = store.census().await?.planned;
    let each = choice.visits_per_source_day(usual_interval(config, store).await?, sources);
    let since = Timestamp::now().checked_sub(SignedDuration::from_hours(24))?;
    let spent = store.visits_since(since).await?;
    if json {
        return console::json(&serde_json::json!({
            "choice": choice, "sources": sources, "visits_per_source_day": each,
            "visits_per_day": each * sources as f64, "spent": spent,
        }));
    }
    let folders = store.knowledge(|base| base.folders().clone()).await?;
    fact("policy", choice.policy.word());
    fact("budget", &format!("{each:.1} visits a source and day, {:.0} in all", each * sources as f64));
    fact("spent", &format!("{spent} visits in the last 24 hours"));
    fact("pace", if choice.pace == Pace::Hourly { "the same each hour" } else { "when articles come" });
    if let Some(visits) = choice.visits_per_host_and_day {
        fact("one host", &format!("at most {visits} visits a day"));
    }
    for (folder, weight) in &choice.interests.folders {
        fact("interest", &format!("{} counts {weight}", folders.path(*folder)));
    }
    fact("interest", &format!("everything else counts {}", choice.interests.others));
    Ok(())
}

fn fact(name: &str, value: &str) {
    console::line(&format!("{name:<12}{value}"));
}

async fn choice(store: &Store) -> anyhow::Result<PlanChoice> {
    let usual = || PlanChoice { policy: PolicyName::Planner, ..PlanChoice::default() };
    Ok(store.plan_choice().await?.unwrap_or_else(usual))
}

async fn set(store: &Store, wanted: &PlanSet) -> anyhow::Result<()> {
    let mut choice = choice(store).await?;
    if let Some(policy) = &wanted.policy {
        choice.policy = policy.parse().map_err(bad_input)?;
    }
    match wanted.visits_per_source.as_deref() {
        None => {}
        Some("configured") => choice.budget = Budget::Configured,
        Some(text) => choice.budget = Budget::EachSource(number(text, "visits a source and day")?),
    }
    if let Some(visits) = wanted.visits_per_day {
        choice.budget = Budget::InAll(visits);
    }
    match wanted.visits_per_host.as_deref() {
        None => {}
        Some("none") => choice.visits_per_host_and_day = None,
        Some(text) => {
            let whole =
                text.parse().map_err(|_| bad_input(format!("“{text}” is no whole number of visits")))?;
            choice.visits_per_host_and_day = Some(whole);
        }
    }
    match wanted.pace.as_deref() {
        None => {}
        Some("free") => choice.pace = Pace::Free,
        Some("hourly") => choice.pace = Pace::Hourly,
        Some(other) => return Err(bad_input(format!("there is no pace “{other}”: free or hourly"))),
    }
    let folders = store.knowledge(|base| base.folders().clone()).await?;
    for interest in &wanted.interest {
        care_for(&mut choice, &folders, interest)?;
    }
    if let Some(problem) = choice.problem() {
        return Err(bad_input(problem));
    }
    Ok(store.set_plan_choice(&choice).await?)
}

fn care_for(choice: &mut PlanChoice, folders: &Folders, interest: &str) -> anyhow::Result<()> {
    let (name, weight) = interest.rsplit_once('=').ok_or_else(|| {
        bad_input(format!("“{interest}” is no interest: write FOLDER=WEIGHT, e.g. Sport=5"))
    })?;
    if name == "others" {
        choice.interests.others = number(weight, "an interest")?;
        return Ok(());
    }
    let folder = folders
        .find(name)
        .ok_or_else(|| bad_input(format!("there is no folder “{name}”; see `ripplewatch folders list`")))?;
    if weight.is_empty() {
        choice.interests.folders.remove(&folder);
    } else {
        choice.interests.folders.insert(folder, number(weight, "an interest")?);
    }
    Ok(())
}

fn number(text: &str, what: &str) -> anyhow::Result<f64> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| bad_input(format!("“{text}” is no number of {what}")))
}
