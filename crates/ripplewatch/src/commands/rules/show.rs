//! `rules show`: all about one rule.

use crate::console;
use crate::rule_words::{conclusion, condition, list, paths, rule_json};
use crate::words::{maybe_when, when};
use jiff::Timestamp;
use knowledge::{Base, Rule};
use model::RuleId;
use serde_json::{Value, json};
use store::{Store, StoreError};

/// Exceptions under a rule that are shown; `rules list` has all.
const MOST_CHILDREN: usize = 50;

struct Shown {
    path: Vec<String>,
    children: Vec<String>,
    more_children: usize,
    facts: Vec<(&'static str, String)>,
    json: Value,
}

pub(super) async fn run(store: &Store, id: RuleId, json: bool) -> anyhow::Result<()> {
    let usage = store.rule_usage().await?.get(&id).copied().unwrap_or_default();
    let now = Timestamp::now();
    let shown = store.knowledge(move |base| Some(shown(base, base.tree().get(id)?, now))).await?;
    let mut shown = shown.ok_or_else(|| StoreError::NotFound { what: format!("rule {id}") })?;
    if json {
        shown.json["usage"] = json!(usage);
        return console::json(&shown.json);
    }
    for (depth, line) in shown.path.iter().enumerate() {
        console::line(&format!("{}{line}", "  ".repeat(depth)));
    }
    console::line("");
    let fact = |name: &str, value: &str| console::line(&format!("{name:<12}{value}"));
    fact("used", &format!("{} articles decided, fired for {}", usage.concluded, usage.fired));
    fact("judged", &format!("{} times confirmed, {} times overturned", usage.confirmed, usage.overturned));
    fact("last used", &maybe_when(usage.last_used, now));
    for (name, value) in &shown.facts {
        fact(name, value);
    }
    if !shown.children.is_empty() {
        console::line("\nexceptions:");
        shown.children.iter().for_each(|child| console::line(&format!("  {child}")));
    }
    if shown.more_children > 0 {
        console::note(&format!("and {} more; see `ripplewatch rules list`", shown.more_children));
    }
    Ok(())
}

fn shown(base: &Base, rule: &Rule, now: Timestamp) -> Shown {
    let folders = base.folders();
    let line = |rule: &Rule| {
        format!("rule {}: if {} {}", rule.id, condition(folders, rule), conclusion(folders, rule))
    };
    let path = base.tree().path(rule.id);
    let children: Vec<&Rule> = base.tree().children(rule.id).collect();
    let origin = &rule.origin;
    let mut facts = vec![
        ("written", origin.at.map_or_else(|| "-".into(), |at| when(at, now))),
        ("by", origin.author.clone().unwrap_or_else(|| "-".into())),
    ];
    facts.extend(origin.note.clone().map(|note| ("note", note)));
    if children.iter().any(|child| child.is_retirement()) {
        facts.push(("state", "retired: only its exceptions still count".into()));
    }
    let cornerstone = origin.cornerstone.and_then(|id| base.cornerstones().get(id));
    if let Some(cornerstone) = cornerstone {
        let article = cornerstone.article.map_or_else(String::new, |id| format!(" (article {id})"));
        let title = cornerstone.fields.title.as_deref().unwrap_or("without a title");
        facts.push(("cornerstone", format!("{}{article}: {title}", cornerstone.id)));
        facts.push(("belongs in", list(folders, cornerstone.expected.iter().copied())));
    }
    let mut json = rule_json(base, rule);
    json["path"] = path.iter().map(|rule| rule_json(base, rule)).collect();
    json["children"] = children.iter().map(|rule| rule_json(base, rule)).collect();
    json["cornerstone"] = cornerstone.map_or(Value::Null, |cornerstone| {
        json!({
            "id": cornerstone.id, "article": cornerstone.article, "fields": cornerstone.fields,
            "expected": paths(folders, cornerstone.expected.iter().copied()),
        })
    });
    Shown {
        path: path.into_iter().map(line).collect(),
        more_children: children.len().saturating_sub(MOST_CHILDREN),
        children: children.into_iter().take(MOST_CHILDREN).map(line).collect(),
        facts,
        json,
    }
}
