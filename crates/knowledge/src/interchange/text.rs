//! The form for people and for version control: rules as sentences, exceptions indented under them.

use super::lexer::{name, quoted};
use super::{Interchange, PortableAttribute, PortableCornerstone, PortableLiteral, PortableRule};
use crate::literal::Mode;
use crate::rule::ROOT;
use model::RuleId;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The first line: what the file is, and which version of the form.
pub(super) const HEADING: &str = "# Ripplewatch rules";
/// The version of the form.
pub(super) const VERSION: &str = "1";
/// One step down the tree.
pub(super) const INDENT: &str = "    ";

pub(super) fn write(file: &Interchange) -> String {
    let mut text = format!("{HEADING} {VERSION}\n");
    let mut children: HashMap<RuleId, Vec<&PortableRule>> = HashMap::new();
    // Turned round, because they are taken from the end.
    for rule in file.rules.iter().rev() {
        children.entry(rule.parent).or_default().push(rule);
    }
    let below = |depth: usize, rules: Vec<_>| rules.into_iter().map(move |rule| (depth, rule));
    let mut open: Vec<(usize, &PortableRule)> =
        below(0, children.remove(&ROOT).unwrap_or_default()).collect();
    while let Some((depth, rule)) = open.pop() {
        push_rule(&mut text, depth, rule);
        open.extend(below(depth + 1, children.remove(&rule.id).unwrap_or_default()));
    }
    for path in &file.folders {
        push(&mut text, format_args!("folder {}\n", name(path)));
    }
    for cornerstone in &file.cornerstones {
        push_cornerstone(&mut text, cornerstone);
    }
    text
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing into memory does not fail.
    let _ = text.write_fmt(what);
}

fn push_rule(text: &mut String, depth: usize, rule: &PortableRule) {
    text.push_str(&INDENT.repeat(depth));
    if rule.condition.is_empty() {
        text.push_str("retired");
    } else {
        let condition: Vec<String> = rule.condition.iter().map(literal).collect();
        let conclusion = rule.folder.as_deref().map_or_else(|| "stop".to_owned(), name);
        push(text, format_args!("if {} then {conclusion}", condition.join(" and ")));
    }
    push(text, format_args!("  [{}", rule.id));
    let origin = &rule.origin;
    if let Some(author) = &origin.author {
        push(text, format_args!(" by {}", name(author)));
    }
    if let Some(at) = origin.at {
        push(text, format_args!(" at {at}"));
    }
    if let Some(cornerstone) = origin.cornerstone {
        push(text, format_args!(" cornerstone {cornerstone}"));
    }
    if let Some(note) = &origin.note {
        push(text, format_args!(" note {}", quoted(note)));
    }
    text.push_str("]\n");
}

fn literal(literal: &PortableLiteral) -> String {
    let polarity = literal.polarity.word();
    match &literal.attribute {
        PortableAttribute::Folder(path) => format!("folder {polarity} {}", name(path)),
        PortableAttribute::Term(term) => {
            let mode = match term.mode() {
                Mode::Exact => String::new(),
                mode => format!("{} ", mode.word()),
            };
            format!("{} {polarity} {mode}{}", term.field(), quoted(term.text()))
        }
    }
}

fn push_cornerstone(text: &mut String, cornerstone: &PortableCornerstone) {
    push(text, format_args!("cornerstone {}", cornerstone.id));
    if let Some(article) = cornerstone.article {
        push(text, format_args!(" article {article}"));
    }
    let expected: Vec<String> = cornerstone.expected.iter().map(|path| name(path)).collect();
    let expected = if expected.is_empty() { "nothing".to_owned() } else { expected.join(", ") };
    push(text, format_args!(" expects {expected}\n"));
    for (field, said) in cornerstone.fields.present() {
        push(text, format_args!("{INDENT}{field} {}\n", quoted(said)));
    }
}
