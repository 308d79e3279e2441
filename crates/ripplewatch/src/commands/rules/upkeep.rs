//! Looking after the rules: prove, count, report, undo, file anew.

use crate::commands::refile::{self, Refiled};
use crate::config::Config;
use crate::console;
use crate::context::DataLock;
use crate::exit::{Exit, Told};
use crate::rule_words::{conclusion, condition, list, paths, rule_json};
use jiff::Timestamp;
use knowledge::{Base, Finding, Misfiled, Report, Statistics};
use serde_json::json;
use store::{Store, StoreError};

/// Findings of one kind are told one by one up to here.
const MOST_TOLD: usize = 50;

pub(super) async fn check(store: &Store, json: bool) -> anyhow::Result<()> {
    let (lines, values, all) = store.knowledge(misfiled).await?;
    if json {
        console::json(&json!({ "cornerstones": all, "misfiled": values }))?;
    } else {
        for line in &lines {
            console::line(line);
        }
    }
    if lines.is_empty() {
        if !json {
            console::line(&format!("all {all} cornerstones are filed where they belong"));
        }
        return Ok(());
    }
    let message = format!("{} of {all} cornerstones are filed elsewhere than they belong", lines.len());
    Err(Told { exit: Exit::Failed, message }.into())
}

fn misfiled(base: &Base) -> (Vec<String>, Vec<serde_json::Value>, usize) {
    let folders = base.folders();
    let (mut lines, mut values) = (Vec::new(), Vec::new());
    for Misfiled { id, expected, given } in base.cornerstones().misfiled(base.tree()) {
        let title = base.cornerstones().get(id).and_then(|known| known.fields.title.as_deref());
        lines.push(format!(
            "cornerstone {id}: {} (belongs in {}, is in {})",
            title.unwrap_or("without a title"),
            list(folders, expected.iter().copied()),
            list(folders, given.iter().copied())
        ));
        values.push(
            json!({ "cornerstone": id, "expected": paths(folders, expected), "given": paths(folders, given) }),
        );
    }
    (lines, values, base.cornerstones().len())
}

async fn look(store: &Store, days: u32) -> anyhow::Result<Report> {
    let usage = store.rule_usage().await?;
    Ok(store.knowledge(move |base| knowledge::report(base, &usage, Timestamp::now(), days)).await?)
}

pub(super) async fn stats(store: &Store, json: bool) -> anyhow::Result<()> {
    let statistics = store.knowledge(|base| (Statistics::of(base), base.lessons())).await?;
    let (version, refiling) = (store.knowledge_version().await?, store.refiling().await?);
    let (statistics, lessons) = statistics;
    if json {
        let mut value = serde_json::to_value(statistics)?;
        value["lessons"] = lessons.into();
        value["version"] = version.into();
        value["refiling"] = json!(refiling);
        return console::json(&value);
    }
    let Statistics {
        rules,
        root_rules,
        refinements,
        stops,
        retirements,
        mean_literals,
        depth,
        folders,
        cornerstones,
    } = statistics;
    let fact = |name: &str, value: &str| console::line(&format!("{name:<14}{value}"));
    fact("rules", &rules.to_string());
    fact("at the top", &root_rules.to_string());
    fact("refining", &refinements.to_string());
    fact("stopping", &format!("{stops}, {retirements} of them retire another rule"));
    fact("words a rule", &format!("{mean_literals:.2} on average"));
    fact("deepest path", &format!("{depth} rules"));
    fact("folders", &folders.to_string());
    fact("cornerstones", &cornerstones.to_string());
    fact("lessons", &format!("{lessons} can be taken back; the knowledge is at version {version}"));
    fact("archive", &Refiled { refiling, elsewhere: false }.in_words());
    Ok(())
}

pub(super) async fn report(store: &Store, days: u32, json: bool) -> anyhow::Result<()> {
    let report = look(store, days).await?;
    if json {
        return console::json(&report);
    }
    let kinds = [
        ("can never fire", &report.unreachable),
        ("say nothing new", &report.subsumed),
        ("have not been used for long", &report.stale),
    ];
    for (what, findings) in kinds {
        console::line(&format!("{} rules {what}", findings.len()));
        for Finding { rule, reason } in findings.iter().take(MOST_TOLD) {
            console::line(&format!("  rule {rule} {reason}"));
        }
        if findings.len() > MOST_TOLD {
            console::line(&format!("  and {} more", findings.len() - MOST_TOLD));
        }
    }
    if !report.unreachable.is_empty() || !report.subsumed.is_empty() || !report.stale.is_empty() {
        console::hint(
            "`ripplewatch rules show ID` tells more, `ripplewatch rules retire ID` takes one out of service",
        );
    }
    Ok(())
}

pub(super) async fn undo(config: &Config, store: &Store, json: bool) -> anyhow::Result<()> {
    let undone = store.undo_lesson(Timestamp::now(), None).await?;
    let undone = undone.ok_or_else(|| StoreError::NotFound { what: "lesson to take back".into() })?;
    let rules = undone.rules.clone();
    let (lines, values) = store
        .knowledge(move |base| {
            let folders = base.folders();
            let line = |rule| format!("if {} {}", condition(folders, rule), conclusion(folders, rule));
            let lines: Vec<_> =
                rules.iter().map(|rule| format!("rule {}: {}", rule.id, line(rule))).collect();
            (lines, rules.iter().map(|rule| rule_json(base, rule)).collect::<Vec<_>>())
        })
        .await?;
    if json {
        console::json(&json!({ "undone": values, "cornerstones": undone.cornerstones }))?;
    } else {
        console::line(&format!("taken back: {} rules", lines.len()));
        for line in lines.iter().take(MOST_TOLD) {
            console::line(&format!("  {line}"));
        }
    }
    refile::tell_after_change(config, store).await
}

pub(super) async fn refile(
    config: &Config,
    store: &Store,
    stop: bool,
    resume: bool,
    json: bool,
) -> anyhow::Result<()> {
    let refiled = if stop {
        let elsewhere = DataLock::take(config, store, |roles| roles.filing).await?.is_none();
        Refiled { refiling: store.stop_refiling(true).await?, elsewhere }
    } else {
        if resume {
            store.stop_refiling(false).await?;
        }
        refile::after_change(config, store).await?
    };
    if json {
        let mut value = serde_json::to_value(refiled.refiling)?;
        value["by_running_monitor"] = refiled.elsewhere.into();
        return console::json(&value);
    }
    console::line(&refiled.in_words());
    Ok(())
}
