//! Rules in words and as JSON.

use knowledge::{Attribute, Base, Folders, Literal, Mode, Rule, RuleTree, Words};
use model::{FolderId, RuleId};
use serde_json::{Value, json};

/// "title has “cup” and body lacks “tea”".
pub(crate) fn condition(folders: &Folders, rule: &Rule) -> String {
    if rule.is_retirement() {
        return format!("always (retires rule {})", rule.parent);
    }
    let literals: Vec<_> = rule.condition.iter().map(|literal| in_words(folders, literal)).collect();
    literals.join(" and ")
}

/// "title has “cup”".
pub(crate) fn in_words(folders: &Folders, literal: &Literal) -> String {
    let verb = literal.polarity.word();
    match &literal.attribute {
        Attribute::Term(term) => format!("{} {verb} {term}", term.field()),
        Attribute::Folder(folder) => format!("folder {verb} “{}”", folders.path(*folder)),
    }
}

/// "→ Sports/Soccer", or that it stops.
pub(crate) fn conclusion(folders: &Folders, rule: &Rule) -> String {
    rule.conclusion.folder().map_or_else(|| "stop".to_owned(), |folder| format!("→ {}", folders.path(folder)))
}

/// The paths of folders, in order.
pub(crate) fn paths(folders: &Folders, ids: impl IntoIterator<Item = FolderId>) -> Vec<String> {
    let mut paths: Vec<_> = ids.into_iter().map(|id| folders.path(id)).collect();
    paths.sort_unstable();
    paths
}

/// "Sports/Soccer, World", or that it is nowhere.
pub(crate) fn list(folders: &Folders, ids: impl IntoIterator<Item = FolderId>) -> String {
    let paths = paths(folders, ids);
    if paths.is_empty() { "no folder".to_owned() } else { paths.join(", ") }
}

/// A rule as files of rules have it.
pub(crate) fn rule_json(base: &Base, rule: &Rule) -> Value {
    let literals: Vec<_> =
        rule.condition.iter().map(|literal| literal_json(base.folders(), literal)).collect();
    let folder = rule.conclusion.folder().map(|folder| base.folders().path(folder));
    let mut value = json!({
        "id": rule.id, "parent": rule.parent, "if": literals, "folder": folder, "author": rule.origin.author,
        "at": rule.origin.at, "cornerstone": rule.origin.cornerstone, "note": rule.origin.note,
    });
    if rule.is_retirement() {
        value["always"] = true.into();
    }
    value
}

/// A literal as files of rules have it.
pub(crate) fn literal_json(folders: &Folders, literal: &Literal) -> Value {
    let verb = literal.polarity.word();
    match &literal.attribute {
        Attribute::Term(term) if term.mode() == Mode::Exact => {
            json!({ "field": term.field().word(), verb: term.text() })
        }
        Attribute::Term(term) => {
            json!({ "field": term.field().word(), verb: term.text(), "mode": term.mode().word() })
        }
        Attribute::Folder(folder) => json!({ "field": "folder", verb: folders.path(*folder) }),
    }
}

/// Why an article is filed as it is: for each live rule its path, with the words that matched.
pub(crate) fn why(tree: &RuleTree, folders: &Folders, live: &[RuleId], words: &Words) -> Vec<String> {
    let mut lines = Vec::new();
    for id in live {
        let path = tree.path(*id);
        let Some(last) = path.last() else { continue };
        lines.push(match last.conclusion.folder() {
            Some(folder) => folders.path(folder),
            None => "(stopped)".to_owned(),
        });
        for (depth, rule) in path.iter().enumerate() {
            let indent = "  ".repeat(depth + 1);
            let literals: Vec<_> =
                rule.condition.iter().map(|literal| with_matches(folders, literal, words)).collect();
            let condition =
                if rule.is_retirement() { condition(folders, rule) } else { literals.join(" and ") };
            lines.push(format!("{indent}rule {}: {condition}", rule.id));
        }
    }
    lines
}

/// A literal, and the words that it matched if they are not its own.
fn with_matches(folders: &Folders, literal: &Literal, words: &Words) -> String {
    let text = in_words(folders, literal);
    let matched = matched(literal, words);
    let is_own = |word: &String| literal.term().is_some_and(|term| term.words().any(|own| own == word));
    if matched.iter().all(is_own) { text } else { format!("{text} ({})", matched.join(", ")) }
}

/// The words of an article that a literal matched, each once, in their order.
pub(crate) fn matched(literal: &Literal, words: &Words) -> Vec<String> {
    let Some(term) = literal.term() else { return Vec::new() };
    let all = words.in_order(term.field());
    let mut matched: Vec<String> = Vec::new();
    for place in words.places(term) {
        if let Some(word) = all.get(place)
            && !matched.contains(word)
        {
            matched.push(word.clone());
        }
    }
    matched
}
