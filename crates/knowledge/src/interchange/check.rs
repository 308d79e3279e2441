//! What only the whole file can tell: whether its rules are a tree.

use super::reading::Reading;
use super::{Interchange, LineError, MOST_ERRORS, PortableAttribute, PortableRule};
use crate::folders::Folders;
use crate::literal::{Attribute, Literal};
use crate::rule::{Conclusion, ROOT, Rule};
use crate::tree::{RuleTree, TreeError};
use model::RuleId;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// Takes a file that has been read, if all of it is good.
pub(super) fn finish(mut reading: Reading) -> Result<Interchange, Vec<LineError>> {
    let unique = drop_doubles(&mut reading);
    check_parents(&mut reading, &unique);
    check_circles_of_folders(&mut reading);
    if reading.errors.is_empty() {
        return Ok(take(reading));
    }
    reading.errors.sort_by_key(|error| error.line);
    reading.errors.truncate(MOST_ERRORS);
    Err(reading.errors)
}

fn take(reading: Reading) -> Interchange {
    let rule_lines = reading.rules.iter().map(|(line, rule)| (rule.id, *line)).collect();
    let mut folders = reading.folders;
    let mut seen = HashSet::new();
    folders.retain(|path| seen.insert(path.clone()));
    Interchange {
        folders,
        rules: reading.rules.into_iter().map(|(_, rule)| rule).collect(),
        cornerstones: reading.cornerstones.into_iter().map(|(_, cornerstone)| cornerstone).collect(),
        rule_lines,
    }
}

/// Reports rules and cornerstones whose id is taken, leaves them out, and tells where the rules are.
fn drop_doubles(reading: &mut Reading) -> HashMap<RuleId, usize> {
    let mut rules = HashMap::new();
    let mut cornerstones = HashMap::new();
    let Reading { errors, .. } = reading;
    let mut is_new = |kind: &str, id: i64, line: usize, first: usize| {
        if line != first {
            errors.push(LineError { line, reason: format!("{kind} {id} is on line {first} already") });
        }
        line == first
    };
    reading.rules.retain(|(line, rule)| {
        let first = *rules.entry(rule.id).or_insert(*line);
        is_new("rule", rule.id.0, *line, first)
    });
    reading.cornerstones.retain(|(line, cornerstone)| {
        let first = *cornerstones.entry(cornerstone.id).or_insert(*line);
        is_new("cornerstone", cornerstone.id.0, *line, first)
    });
    rules
}

/// Reports rules under rules that are not there, and rules under themselves.
fn check_parents(reading: &mut Reading, lines: &HashMap<RuleId, usize>) {
    let parents: HashMap<RuleId, RuleId> =
        reading.rules.iter().map(|(_, rule)| (rule.id, rule.parent)).collect();
    let mut errors = Vec::new();
    for (line, rule) in &reading.rules {
        let parent = rule.parent;
        if parent != ROOT && !parents.contains_key(&parent) && !reading.broken.contains(&parent) {
            let reason = format!("rule {} hangs under rule {parent}, which is not in the file", rule.id);
            errors.push(LineError { line: *line, reason });
        }
    }
    for id in in_circles(&parents) {
        let reason = format!("rule {id} hangs under itself, through rule {}", parents[&id]);
        errors.push(LineError { line: lines[&id], reason });
    }
    reading.errors.extend(errors);
}

/// The rules that are their own ancestors.
fn in_circles(parents: &HashMap<RuleId, RuleId>) -> Vec<RuleId> {
    let mut walk_of: HashMap<RuleId, usize> = HashMap::new();
    let mut found = Vec::new();
    for (walk, start) in parents.keys().enumerate() {
        let mut at = *start;
        while let Some(parent) = parents.get(&at).filter(|_| !walk_of.contains_key(&at)) {
            walk_of.insert(at, walk);
            at = *parent;
        }
        // Only a walk that comes back to its own steps has found a new circle.
        if walk_of.get(&at) == Some(&walk) {
            let entry = at;
            loop {
                found.push(at);
                at = parents[&at];
                if at == entry {
                    break;
                }
            }
        }
    }
    found
}

/// Reports a rule that asks about a folder which depends on the rule. What stands in a circle does so with or without
/// the rules that could not be read.
fn check_circles_of_folders(reading: &mut Reading) {
    let order = parents_first(reading.rules.iter().map(|(_, rule)| rule), by_id);
    let rules = order.into_iter().filter_map(|at| resolve(&reading.rules[at].1, &reading.known));
    if let Err(error @ (TreeError::Cycle { id } | TreeError::TooDeep(id))) = RuleTree::new(rules)
        && let Some((line, _)) = reading.rules.iter().find(|(_, rule)| rule.id == id)
    {
        reading.errors.push(LineError { line: *line, reason: error.to_string() });
    }
}

/// Which of the rules hang together under the root: each after its parent, otherwise by key.
pub(super) fn parents_first<'a>(
    rules: impl IntoIterator<Item = &'a PortableRule>,
    key: impl Fn(usize, &PortableRule) -> i64,
) -> Vec<usize> {
    let mut children: HashMap<RuleId, Vec<(i64, usize, RuleId)>> = HashMap::new();
    for (at, rule) in rules.into_iter().enumerate() {
        children.entry(rule.parent).or_default().push((key(at, rule), at, rule.id));
    }
    let mut order = Vec::new();
    let mut ready: BinaryHeap<_> =
        children.remove(&ROOT).unwrap_or_default().into_iter().map(Reverse).collect();
    while let Some(Reverse((_, at, id))) = ready.pop() {
        order.push(at);
        ready.extend(children.remove(&id).unwrap_or_default().into_iter().map(Reverse));
    }
    order
}

/// The key by which rules come in the order of their ids.
pub(super) fn by_id(_at: usize, rule: &PortableRule) -> i64 {
    rule.id.0
}

/// The rule with folders by id; `None` if a folder is not among these.
pub(super) fn resolve(rule: &PortableRule, folders: &Folders) -> Option<Rule> {
    let mut condition = Vec::with_capacity(rule.condition.len());
    for literal in &rule.condition {
        let attribute = match &literal.attribute {
            PortableAttribute::Term(term) => Attribute::Term(term.clone()),
            PortableAttribute::Folder(path) => Attribute::Folder(folders.find(path)?),
        };
        condition.push(Literal { polarity: literal.polarity, attribute });
    }
    let conclusion = match &rule.folder {
        Some(path) => Conclusion::Folder(folders.find(path)?),
        None => Conclusion::Stop,
    };
    Some(Rule { id: rule.id, parent: rule.parent, condition, conclusion, origin: rule.origin.clone() })
}
