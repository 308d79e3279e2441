//! Every event was told; whatever was told twice was told under the same key.

use super::{Check, Evidence};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Check> {
    let books = &evidence.books;
    let mut by_content: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut by_key: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for heard in &evidence.heard {
        let content = without_key(&heard.content);
        by_content.entry(content.clone()).or_default().insert(&heard.key);
        by_key.entry(&heard.key).or_default().insert(content);
    }
    let two_keys: Vec<_> = by_content.values().filter(|keys| keys.len() > 1).collect();
    let two_contents: Vec<_> = by_key.iter().filter(|(_, contents)| contents.len() > 1).collect();
    let events = books.number("SELECT count(*) FROM event");
    let says = format!(
        "{events} events, {} messages heard {} times; {} under two keys, {} keys with two contents",
        by_key.len(),
        evidence.heard.len(),
        two_keys.len(),
        two_contents.len()
    );
    let examples = two_keys.iter().map(|keys| format!("the same under {keys:?}"));
    let examples = examples.chain(two_contents.iter().map(|(key, contents)| format!("{key}: {contents:?}")));
    let keys = Check::new("no message under two keys", two_keys.is_empty() && two_contents.is_empty(), says)
        .with(examples);
    vec![keys, told(evidence, &by_key), once(evidence)]
}

/// The facts of a message; its key, and links to whoever serves pages at the moment, are not among them.
fn without_key(content: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<serde_json::Value>(content) else { return content.to_owned() };
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|name, _| !["key", "links"].contains(&name.as_str()));
    }
    value.to_string()
}

fn told(evidence: &Evidence<'_>, by_key: &BTreeMap<&str, BTreeSet<String>>) -> Check {
    let books = &evidence.books;
    let thanked: BTreeSet<&str> =
        evidence.heard.iter().filter(|heard| heard.thanked).map(|heard| heard.key.as_str()).collect();
    let posted: BTreeSet<String> =
        books.rows("SELECT idempotency_key FROM outbox").into_iter().map(|row| row.concat()).collect();
    let untold: Vec<&String> = posted.iter().filter(|key| !thanked.contains(key.as_str())).collect();
    let unknown: Vec<&&str> = by_key.keys().filter(|key| !posted.contains(**key)).collect();
    let silent = books.rows(
        "SELECT e.id FROM event e WHERE NOT EXISTS
             (SELECT 1 FROM outbox o WHERE o.idempotency_key = 'event:' || e.id || ':opened')
         OR e.ended_at IS NOT NULL AND NOT EXISTS
             (SELECT 1 FROM outbox o WHERE o.idempotency_key = 'event:' || e.id || ':ended')",
    );
    let says = format!(
        "{} posted, {} not delivered, {} delivered but not in the books, {} events without a message",
        posted.len(),
        untold.len(),
        unknown.len(),
        silent.len()
    );
    let enough = books.number("SELECT count(*) FROM event") > 0;
    let examples = untold.iter().map(|key| format!("not delivered: {key}"));
    let examples = examples.chain(unknown.iter().map(|key| format!("not in the books: {key}")));
    Check::new(
        "every event was told",
        enough && untold.is_empty() && unknown.is_empty() && silent.is_empty(),
        says,
    )
    .with(examples)
}

/// One burst is one event: those of a folder do not overlap.
fn once(evidence: &Evidence<'_>) -> Check {
    let twice = evidence.books.rows(
        "SELECT a.id, b.id, f.name FROM event a JOIN event b ON b.folder_id = a.folder_id AND b.id > a.id
             AND b.opened_at < coalesce(a.ended_at, 9223372036854775807) JOIN folder f ON f.id = a.folder_id",
    );
    let says = format!("{} pairs of events of a folder at the same time", twice.len());
    Check::new("one burst, one event", twice.is_empty(), says).with(twice.iter().map(|row| row.join(" ")))
}
