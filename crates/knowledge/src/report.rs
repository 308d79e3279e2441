//! What has become of the rules: which can never fire, which add nothing, which nobody needs any more.

use crate::base::Base;
use crate::literal::Literal;
use crate::reach::contradiction;
use crate::rule::{Conclusion, ROOT, Rule};
use crate::tree::RuleTree;
use crate::usage::Usage;
use jiff::Timestamp;
use model::RuleId;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// After so many days without use a rule is stale, unless one says otherwise.
pub const STALE_DAYS: u32 = 180;

/// What a look over all rules has found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The base in numbers.
    pub statistics: Statistics,
    /// Rules that can never fire.
    pub unreachable: Vec<Finding>,
    /// Rules without which everything would be filed the same.
    pub subsumed: Vec<Finding>,
    /// Rules that have not been used for long.
    pub stale: Vec<Finding>,
}

/// A rule, and why it is in the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which.
    pub rule: RuleId,
    /// Why, in a sentence that goes on after "rule 7".
    pub reason: String,
}

/// A base in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Statistics {
    /// All rules.
    pub rules: usize,
    /// Those directly under the root.
    pub root_rules: usize,
    /// Exceptions that give another folder.
    pub refinements: usize,
    /// Rules that give nothing, those that retire another included.
    pub stops: usize,
    /// Stops that take another rule out of service.
    pub retirements: usize,
    /// Literals a rule on average; retirements, which have none, left out.
    pub mean_literals: f64,
    /// The longest path.
    pub depth: usize,
    /// All folders.
    pub folders: usize,
    /// All cornerstones.
    pub cornerstones: usize,
}

/// Looks over all rules of a base. A rule is stale after `stale_days` without use.
pub fn report(
    base: &Base,
    usage: &HashMap<RuleId, Usage, impl std::hash::BuildHasher>,
    now: Timestamp,
    stale_days: u32,
) -> Report {
    let unreachable = unreachable(base);
    let dead: HashSet<RuleId> = unreachable.iter().map(|finding| finding.rule).collect();
    let of_use = |finding: &Finding| !dead.contains(&finding.rule);
    let stale = |rule: &Rule| {
        let reason = why_stale(base.tree(), rule, usage.get(&rule.id), now, stale_days)?;
        Some(Finding { rule: rule.id, reason })
    };
    Report {
        statistics: Statistics::of(base),
        subsumed: subsumed(base.tree()).into_iter().filter(of_use).collect(),
        stale: base.tree().rules().iter().filter_map(stale).filter(of_use).collect(),
        unreachable,
    }
}

/// The rules that contradict themselves or a rule above them, and all below those.
fn unreachable(base: &Base) -> Vec<Finding> {
    let mut dead: HashSet<RuleId> = HashSet::new();
    let mut found = Vec::new();
    for rule in base.tree().rules() {
        let reason = if dead.contains(&rule.parent) {
            format!("is an exception to rule {}, which can never fire", rule.parent)
        } else if let Some(reason) = contradiction(base.tree(), base.folders(), rule) {
            reason
        } else {
            continue;
        };
        dead.insert(rule.id);
        found.push(Finding { rule: rule.id, reason });
    }
    found
}

/// The rules that could go and nothing would be filed otherwise. Each could go alone: where two are the same, only the
/// later one is named.
fn subsumed(tree: &RuleTree) -> Vec<Finding> {
    let siblings = Siblings::of(tree);
    let why = |rule: &Rule| {
        if rule.is_retirement() || has_exceptions(tree, rule.id) {
            return None;
        }
        let parent = tree.get(rule.parent).filter(|parent| parent.conclusion == rule.conclusion);
        if let Some(parent) = parent
            && replaces_nothing(tree, rule)
        {
            return Some(format!("says the same as rule {}, which it is an exception to", parent.id));
        }
        let wider = siblings.wider(tree, rule)?;
        Some(format!("says the same as rule {} beside it, which fires whenever it does", wider.id))
    };
    let finding = |rule: &Rule| Some(Finding { rule: rule.id, reason: why(rule)? });
    tree.rules().iter().filter_map(finding).collect()
}

/// Whether a rule that concludes what its parent does keeps nothing else from being concluded: an exception beside it
/// may fire as well and would silence the parent, but not this rule.
fn replaces_nothing(tree: &RuleTree, rule: &Rule) -> bool {
    rule.conclusion == Conclusion::Stop || tree.children(rule.parent).nth(1).is_none()
}

/// Rules by where they hang, what they conclude, and one of their literals: a wider rule shares at least that one.
struct Siblings<'t>(HashMap<(RuleId, Conclusion, &'t Literal), Vec<&'t Rule>>);

impl<'t> Siblings<'t> {
    fn of(tree: &'t RuleTree) -> Self {
        let mut by_key: HashMap<_, Vec<&Rule>> = HashMap::new();
        for rule in tree.rules() {
            if let Some(first) = rule.condition.first() {
                by_key.entry((rule.parent, rule.conclusion, first)).or_default().push(rule);
            }
        }
        Self(by_key)
    }

    /// A rule that fires whenever this one does and concludes the same, whatever its own exceptions are.
    fn wider(&self, tree: &RuleTree, rule: &Rule) -> Option<&'t Rule> {
        let is_wider = |other: &&&Rule| {
            let is_there = |literal: &Literal| rule.condition.contains(literal);
            other.id != rule.id
                && other.condition.iter().all(is_there)
                && (rule.conclusion == Conclusion::Stop || !has_exceptions(tree, other.id))
                && !(is_within(rule, other) && !has_exceptions(tree, other.id) && rule.id < other.id)
        };
        let like = |literal| self.0.get(&(rule.parent, rule.conclusion, literal));
        rule.condition.iter().filter_map(like).flatten().find(is_wider).copied()
    }
}

/// Whether all literals of one rule are among the other's.
fn is_within(rule: &Rule, other: &Rule) -> bool {
    rule.condition.iter().all(|literal| other.condition.contains(literal))
}

fn has_exceptions(tree: &RuleTree, rule: RuleId) -> bool {
    tree.children(rule).next().is_some()
}

fn why_stale(
    tree: &RuleTree,
    rule: &Rule,
    usage: Option<&Usage>,
    now: Timestamp,
    stale_days: u32,
) -> Option<String> {
    let is_retired = tree.children(rule.id).any(Rule::is_retirement);
    if rule.is_retirement() || is_retired {
        return None;
    }
    let last_used = usage.and_then(|usage| usage.last_used);
    let days_since = |at: Timestamp| now.duration_since(at).as_hours() / 24;
    let is_long = |days: &i64| *days >= i64::from(stale_days);
    // A rule used long ago was also made long ago.
    rule.origin.at.or(last_used).map(days_since).filter(is_long).and_then(|age| match last_used {
        None => Some(format!("was made {age} days ago and has never been used")),
        Some(at) => {
            let days = Some(days_since(at)).filter(is_long)?;
            Some(format!("was last used {days} days ago"))
        }
    })
}

impl Statistics {
    /// Counts.
    pub fn of(base: &Base) -> Self {
        let rules = base.tree().rules();
        let count = |test: &dyn Fn(&Rule) -> bool| rules.iter().filter(|rule| test(rule)).count();
        let literals: usize = rules.iter().map(|rule| rule.condition.len()).sum();
        let retirements = count(&Rule::is_retirement);
        let mut depths: HashMap<RuleId, usize> = HashMap::new();
        for rule in rules {
            let above = depths.get(&rule.parent).copied().unwrap_or(0);
            depths.insert(rule.id, above + 1);
        }
        Self {
            rules: rules.len(),
            root_rules: count(&|rule| rule.parent == ROOT),
            refinements: count(&|rule| rule.parent != ROOT && rule.conclusion != Conclusion::Stop),
            stops: count(&|rule| rule.conclusion == Conclusion::Stop),
            retirements,
            mean_literals: literals as f64 / (rules.len() - retirements).max(1) as f64,
            depth: depths.into_values().max().unwrap_or(0),
            folders: base.folders().list().len(),
            cornerstones: base.cornerstones().len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interchange::{ImportOptions, Interchange};

    fn base(text: &str) -> Base {
        let mut base = Base::default();
        let import = Interchange::parse(text).unwrap().import(&base, ImportOptions::default()).unwrap();
        *base.folders_mut() = import.folders;
        base.apply(import.lesson).unwrap();
        base
    }

    fn report_on(base: &Base, usage: &HashMap<RuleId, Usage>) -> Report {
        report(base, usage, "2026-11-15T10:00:00Z".parse().unwrap(), 100)
    }

    fn told(findings: &[Finding]) -> String {
        findings.iter().map(|found| format!("rule {} {}\n", found.rule, found.reason)).collect()
    }

    #[test]
    fn what_can_never_fire_is_found_with_all_below_it() {
        let base = base(
            r#"
if title has "cup" then A  [1]
    if title lacks "cup" then stop  [2]
        if title has "tea" then B  [3]
            if body has "x" then stop  [4]
    if body has "y" and body lacks "y" then stop  [5]
    if body lacks "cup" then stop  [6]
"#,
        );
        insta::assert_snapshot!(told(&report_on(&base, &HashMap::new()).unreachable), @r#"
    rule 2 asks for title lacks “cup”, but rule 1 above it for title has “cup”
    rule 3 is an exception to rule 2, which can never fire
    rule 4 is an exception to rule 3, which can never fire
    rule 5 asks for both body has “y” and body lacks “y”
    "#);
        assert!(report_on(&base, &HashMap::new()).subsumed.is_empty());
    }

    #[test]
    fn what_adds_nothing_is_found() {
        let base = base(
            r#"
if title has "cup" then A  [1]
if title has "final" and title has "cup" then A  [2]
if title has "final" and title has "cup" then B  [3]
if title has "gold" then A  [4]
    if title has "tea" then stop  [5]
    if title has "fish" and title has "tea" then stop  [6]
if title has "gold" and title has "price" then A  [7]
if title has "twin" then C  [8]
if title has "twin" then C  [9]
if title has "same" then C  [10]
    if title has "again" then C  [11]
if title has "oil" then C  [12]
    if title has "well" then C  [13]
    if title has "tank" then stop  [14]
        if title has "car" then stop  [15]
"#,
        );
        // 3 gives another folder; 7 stands where rule 4 is stopped; 13 stands where rule 12 is.
        insta::assert_snapshot!(told(&report_on(&base, &HashMap::new()).subsumed), @r#"
    rule 2 says the same as rule 1 beside it, which fires whenever it does
    rule 6 says the same as rule 5 beside it, which fires whenever it does
    rule 9 says the same as rule 8 beside it, which fires whenever it does
    rule 11 says the same as rule 10, which it is an exception to
    rule 15 says the same as rule 14, which it is an exception to
    "#);
    }

    #[test]
    fn what_has_long_not_been_used_is_found() {
        let base = base(
            r#"
if title has "a" then A  [1 at 2025-11-15T10:00:00Z]
if title has "b" then A  [2 at 2025-11-15T10:00:00Z]
if title has "c" then A  [3 at 2025-11-15T10:00:00Z]
if title has "d" then A  [4 at 2026-11-14T10:00:00Z]
if title has "e" then A  [5]
if title has "f" then A  [6]
if title has "g" then A  [7 at 2025-11-15T10:00:00Z]
    retired  [8 at 2025-11-15T10:00:00Z]
"#,
        );
        let used = |at: &str| Usage { last_used: Some(at.parse().unwrap()), ..Usage::default() };
        let usage = HashMap::from([
            (RuleId(1), Usage::default()),
            (RuleId(2), used("2026-01-01T00:00:00Z")),
            (RuleId(3), used("2026-11-01T00:00:00Z")),
            (RuleId(6), used("2026-01-01T00:00:00Z")),
        ]);
        insta::assert_snapshot!(told(&report_on(&base, &usage).stale), @r#"
    rule 1 was made 365 days ago and has never been used
    rule 2 was last used 318 days ago
    rule 6 was last used 318 days ago
    "#);
    }

    #[test]
    fn a_base_in_numbers() {
        let base = base(
            r#"
if title has "cup" and body lacks "x" then A  [1]
    if title has "tea" then stop  [2]
        if title has "set" then B/C  [3]
if title has "oil" then D  [4]
    retired  [5]
cornerstone 1 expects A
    title "cup"
    body "y"
"#,
        );
        insta::assert_debug_snapshot!(Statistics::of(&base), @r#"
    Statistics {
        rules: 5,
        root_rules: 2,
        refinements: 1,
        stops: 2,
        retirements: 1,
        mean_literals: 1.25,
        depth: 3,
        folders: 4,
        cornerstones: 1,
    }
    "#);
        assert_eq!(Statistics::of(&Base::default()), Statistics::default());
    }
}
