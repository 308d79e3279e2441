//! What topics are there, and what one is made of.

use crate::commands::crawl::find_topic;
use crate::console;
use discovery::ontology::{ClassId, Entry, Provenance, Topic, shipped};
use serde_json::{Value, json};
use store::Store;

pub(super) async fn list(store: &Store, json: bool) -> anyhow::Result<()> {
    let own = store.topics().await?;
    let shipped = shipped();
    let is_own = |name: &str| own.iter().any(|topic| topic.given.name.eq_ignore_ascii_case(name));
    let mut all: Vec<(&Topic, bool)> = own.iter().map(|topic| (topic.topic(), true)).collect();
    all.extend(shipped.iter().filter(|topic| !is_own(&topic.name)).map(|topic| (topic, false)));
    if json {
        return console::json(&all.iter().map(|(topic, own)| summary(topic, !own)).collect::<Vec<_>>());
    }
    let row = |(topic, own): &(&Topic, bool)| {
        vec![
            topic.name.clone(),
            class_name(topic, topic.class),
            topic.ontology.classes().len().to_string(),
            topic.ontology.relations().len().to_string(),
            topic.ontology.entries().count().to_string(),
            learned(topic).to_string(),
            if *own { "yours" } else { "comes with the program" }.to_owned(),
        ]
    };
    let rows: Vec<_> = all.iter().map(row).collect();
    console::table(&["topic", "class", "classes", "relations", "words", "learned", "from"], &rows);
    Ok(())
}

pub(super) async fn one(store: &Store, name: &str, words: usize, json: bool) -> anyhow::Result<()> {
    let topic = find_topic(store, name).await?;
    if json {
        return console::json(&whole(&topic));
    }
    console::line(&format!("“{}” looks for “{}”", topic.name, class_name(&topic, topic.class)));
    let (distances, weights) = (topic.distances(), topic.weights());
    let mut order: Vec<usize> = (0..distances.len()).collect();
    order.sort_by_key(|at| distances[*at].unwrap_or(u32::MAX));
    let rows: Vec<Vec<String>> = order
        .into_iter()
        .map(|at| {
            let class = &topic.ontology.classes()[at];
            let factor = topic.factors.get(&ClassId(at as u32)).map(|factor| format!("{factor:.2}"));
            vec![
                class.name.clone(),
                distances[at].map_or_else(|| "-".to_owned(), |steps| steps.to_string()),
                format!("{:.3}", weights[at]),
                factor.unwrap_or_else(|| "-".into()),
                class.provenance.to_string(),
                some_words(&class.entries, words),
            ]
        })
        .collect();
    console::table(&["class", "steps", "weight", "learned", "from", "words"], &rows);
    let rows: Vec<Vec<String>> = topic
        .ontology
        .relations()
        .iter()
        .map(|relation| {
            let end =
                |class: Option<ClassId>| class.map_or_else(|| "-".to_owned(), |id| class_name(&topic, id));
            vec![
                relation.name.clone(),
                end(relation.domain),
                end(relation.range),
                relation.provenance.to_string(),
                some_words(&relation.entries, words),
            ]
        })
        .collect();
    if !rows.is_empty() {
        console::line("");
        console::table(&["relation", "leads from", "to", "from", "words"], &rows);
    }
    Ok(())
}

/// The heaviest words, with what they weigh unless it is 1, and how many more there are.
fn some_words(entries: &[Entry], most: usize) -> String {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let more = entries.len().saturating_sub(most);
    let said = |entry: &&Entry| {
        let weight =
            if (entry.weight - 1.0).abs() < 1e-9 { String::new() } else { format!(" {:.2}", entry.weight) };
        let language = entry.language.as_ref().map(|code| format!("@{code}")).unwrap_or_default();
        format!("{}{language}{weight}", entry.text)
    };
    let mut text = entries.iter().take(most).map(said).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text = format!("{text} and {more} more");
    }
    text
}

/// A topic in a few numbers.
pub(super) fn summary(topic: &Topic, shipped: bool) -> Value {
    json!({
        "name": topic.name,
        "class": class_name(topic, topic.class),
        "classes": topic.ontology.classes().len(),
        "relations": topic.ontology.relations().len(),
        "words": topic.ontology.entries().count(),
        "learned": learned(topic),
        "shipped": shipped,
    })
}

/// A topic without what it has seen of the web, which is long and says nothing to people.
fn whole(topic: &Topic) -> Value {
    json!({
        "name": topic.name,
        "class": class_name(topic, topic.class),
        "settings": topic.settings,
        "distances": topic.distances(),
        "weights": topic.weights(),
        "factors": topic.factors,
        "ontology": topic.ontology,
        "pages_seen": topic.experience.background.seen(),
    })
}

fn learned(topic: &Topic) -> usize {
    let words =
        topic.ontology.entries().filter(|entry| matches!(entry.provenance, Provenance::Crawl { .. })).count();
    words + topic.factors.len()
}

fn class_name(topic: &Topic, id: ClassId) -> String {
    topic.ontology.class(id).map(|class| class.name.clone()).unwrap_or_default()
}
