//! A topic from the tables of a database.

use crate::cli::TopicDatabase;
use crate::commands::crawl::find_topic;
use crate::console;
use crate::exit::bad_input;
use discovery::ontology::relational::{Derived, derive};
use discovery::ontology::{Topic, shipped};
use serde_json::json;
use store::{ForeignLimits, Store, read_foreign};

pub(super) async fn learn(store: &Store, options: &TopicDatabase, json: bool) -> anyhow::Result<()> {
    let limits = ForeignLimits { time: options.time, tables: options.tables, ..ForeignLimits::default() };
    let into = match &options.into {
        Some(name) => Some(find_topic(store, name).await?),
        None => None,
    };
    if let Some(name) = options.name.as_ref().or(options.class.as_ref()).filter(|_| !options.dry_run) {
        super::must_be_free(store, name, options.replace).await?;
    }
    let schema =
        read_foreign(&options.address, &limits).await.map_err(|error| bad_input(error.to_string()))?;
    let derived = derive(&schema);
    tell(&derived, &schema.notes, json)?;
    if derived.ontology.classes().is_empty() {
        return Err(bad_input(
            "no table has a key, so there is nothing to make classes of. Nothing was saved",
        ));
    }
    if options.dry_run {
        return Ok(());
    }
    let topic = match into {
        Some(mut topic) => {
            let is_shipped = shipped().iter().any(|it| it.name.eq_ignore_ascii_case(&topic.name));
            let grown = topic.ontology.absorb(&derived.ontology);
            topic.check().map_err(|error| bad_input(format!("{error}\nNothing was saved")))?;
            console::note(&format!("{grown}{}", if is_shipped { "; kept as a topic of yours" } else { "" }));
            topic
        }
        None => chosen(options, derived)?,
    };
    super::save(store, topic, json).await
}

/// A new topic: somebody has to say which class is looked for.
fn chosen(options: &TopicDatabase, derived: Derived) -> anyhow::Result<Topic> {
    let Some(class) = &options.class else {
        let names: Vec<&str> =
            derived.ontology.classes().iter().map(|class| class.name.as_str()).take(20).collect();
        let why = "say which class to look for with --class, or add to a topic with --into";
        return Err(bad_input(format!("{why}. Some classes: {}\nNothing was saved", names.join(", "))));
    };
    let name = options.name.as_ref().unwrap_or(class);
    Topic::new(name, derived.ontology, class)
        .map_err(|error| bad_input(format!("{error}\nNothing was saved")))
}

/// What was derived and why.
fn tell(derived: &Derived, notes: &[String], json: bool) -> anyhow::Result<()> {
    if json {
        let steps = derived.account.iter();
        let steps: Vec<_> = steps
            .map(|step| json!({ "rule": step.rule, "what": step.what, "because": step.because }))
            .collect();
        return console::json(&json!({ "account": steps, "notes": notes }));
    }
    for step in &derived.account {
        console::line(&step.to_string());
    }
    for note in notes {
        console::note(note);
    }
    Ok(())
}
