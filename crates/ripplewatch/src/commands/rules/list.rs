//! `rules list`: the tree.

use crate::console;
use crate::exit::bad_input;
use crate::rule_words::{conclusion, condition, rule_json};
use knowledge::{Base, FolderError, ROOT, Rule, Usage};
use model::{FolderId, RuleId};
use std::collections::{HashMap, HashSet};
use store::{Store, StoreError};

/// A rule as it is listed.
struct Listed {
    /// How many rules are above it.
    depth: usize,
    id: RuleId,
    condition: String,
    conclusion: String,
    json: serde_json::Value,
}

pub(super) async fn run(
    store: &Store,
    folder: Option<String>,
    word: Option<String>,
    limit: usize,
    json: bool,
) -> anyhow::Result<()> {
    let words = word.as_deref().map(folded).transpose()?;
    let usage = store.rule_usage().await?;
    let found = store.knowledge(move |base| find(base, folder.as_deref(), words.as_deref(), limit)).await?;
    let (listed, all) = found.map_err(StoreError::Folders)?;
    if json {
        let with_usage = |rule: Listed| {
            let mut value = rule.json;
            value["depth"] = rule.depth.into();
            value["usage"] = serde_json::json!(usage.get(&rule.id).copied().unwrap_or_default());
            value
        };
        return console::json(&listed.into_iter().map(with_usage).collect::<Vec<_>>());
    }
    if listed.is_empty() {
        console::hint(
            "no such rules: teach one with `ripplewatch rules add`, or import some with `ripplewatch rules import FILE`",
        );
        return Ok(());
    }
    print(&listed, &usage);
    if all > listed.len() {
        console::note(&format!("{} of {all}; more with --limit", listed.len()));
    }
    Ok(())
}

fn print(listed: &[Listed], usage: &HashMap<RuleId, Usage>) {
    let row = |rule: &Listed| {
        let used = usage.get(&rule.id).copied().unwrap_or_default();
        let indent = "  ".repeat(rule.depth);
        vec![
            rule.id.to_string(),
            format!("{}/{}", used.concluded, used.fired),
            format!("{indent}if {} {}", rule.condition, rule.conclusion),
        ]
    };
    console::table(&["id", "decided/fired", "rule"], &listed.iter().map(row).collect::<Vec<_>>());
}

/// The words of a filter, as conditions have them.
fn folded(word: &str) -> anyhow::Result<Vec<String>> {
    let words: Vec<String> = page::words::words(word).map(|word| word.to_string()).collect();
    if words.is_empty() {
        Err(bad_input(format!("“{word}” holds no word to look for")))
    } else {
        Ok(words)
    }
}

/// The rules that are meant and those above them, in the order of the tree; and how many there are in all.
fn find(
    base: &Base,
    folder: Option<&str>,
    words: Option<&[String]>,
    limit: usize,
) -> Result<(Vec<Listed>, usize), FolderError> {
    let tree = base.tree();
    let folders: Option<HashSet<FolderId>> = match folder {
        Some(path) => Some(base.folders().within(base.folders().demand(path)?).into_iter().collect()),
        None => None,
    };
    let is_meant = |rule: &Rule| {
        let gives = |folders: &HashSet<FolderId>| {
            rule.conclusion.folder().is_some_and(|folder| folders.contains(&folder))
        };
        folders.as_ref().is_none_or(gives) && words.is_none_or(|words| mentions(rule, words))
    };
    let shown: Option<HashSet<RuleId>> = (folders.is_some() || words.is_some()).then(|| {
        let meant = tree.rules().iter().filter(|rule| is_meant(rule));
        meant.flat_map(|rule| tree.path(rule.id)).map(|rule| rule.id).collect()
    });
    let all = shown.as_ref().map_or(tree.rules().len(), HashSet::len);
    let mut listed = Vec::new();
    let below = |id: RuleId, depth: usize| {
        let mut children: Vec<_> = tree.children(id).map(|rule| (depth, rule)).collect();
        // They are taken from the end.
        children.reverse();
        children
    };
    let mut open = below(ROOT, 0);
    while let Some((depth, rule)) = open.pop() {
        if shown.as_ref().is_some_and(|shown| !shown.contains(&rule.id)) {
            continue;
        }
        if listed.len() == limit {
            break;
        }
        listed.push(Listed {
            depth,
            id: rule.id,
            condition: condition(base.folders(), rule),
            conclusion: conclusion(base.folders(), rule),
            json: rule_json(base, rule),
        });
        open.extend(below(rule.id, depth + 1));
    }
    Ok((listed, all))
}

fn mentions(rule: &Rule, words: &[String]) -> bool {
    let terms = || rule.condition.iter().filter_map(knowledge::Literal::term);
    words.iter().all(|word| terms().any(|term| term.words().any(|own| own == word)))
}
