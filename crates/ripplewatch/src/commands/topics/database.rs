//! A topic from the tables of a database.

use crate::cli::TopicDatabase;
use crate::commands::crawl::find_topic;
use crate::console;
use crate::exit::bad_input;
use discovery::ontology::relational::{Derived, derive};
use discovery::ontology::{Gain, OntologyError, Topic};
use jiff::Timestamp;
use serde_json::json;
use store::{CrawlInfo, CrawlPhase, ForeignLimits, Store, read_foreign};

pub(super) async fn learn(store: &Store, options: &TopicDatabase, json: bool) -> anyhow::Result<()> {
    let limits = ForeignLimits { time: options.time, tables: options.tables, ..ForeignLimits::default() };
    // What cannot be is said before the database is asked anything.
    if let Some(name) = &options.into {
        find_topic(store, name).await?;
    }
    if let Some(name) = options.name.as_ref().or(options.class.as_ref()).filter(|_| !options.dry_run) {
        super::must_be_free(store, name, options.replace).await?;
    }
    let schema =
        read_foreign(&options.address, &limits).await.map_err(|error| bad_input(error.to_string()))?;
    let derived = derive(&schema);
    if derived.ontology.classes().is_empty() {
        return Err(bad_input(
            "no table has a key, so there is nothing to make classes of. Nothing was saved",
        ));
    }
    if options.dry_run {
        return tell(&derived, &schema.notes, json);
    }
    if let Some(name) = &options.into {
        let was_own = store.topic(name.clone()).await?.is_some();
        let gain = grow(store, name, &derived).await?;
        tell(&derived, &schema.notes, json)?;
        console::note(&format!("topic “{name}”: {gain}"));
        console::note(&if was_own {
            "this cannot be undone by lessons; a copy made before with `topics export` can be imported again"
                .to_owned()
        } else {
            format!(
                "“{name}” comes with the program: from now on yours stands in its place. `ripplewatch topics remove \"{name}\"` \
                 brings back the one that came, without what was added or learned"
            )
        });
        let runs =
            |crawl: &CrawlInfo| crawl.phase == CrawlPhase::Running && crawl.topic.eq_ignore_ascii_case(name);
        for crawl in store.crawls().await?.iter().filter(|crawl| runs(crawl)) {
            console::note(&format!("crawl {} goes on with it from now on", crawl.id));
        }
        let apart = unconnected(&find_topic(store, name).await?, &derived);
        if !apart.is_empty() {
            let (some, more) =
                (apart.iter().take(10).cloned().collect::<Vec<_>>(), apart.len().saturating_sub(10));
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            console::note(&format!(
                "warning: nothing connects these classes with the topic, so that they weigh nothing: {}{more}",
                some.join(", ")
            ));
        }
        return Ok(());
    }
    let topic = chosen(options, &derived)?;
    tell(&derived, &schema.notes, json)?;
    store.save_topic(topic.clone(), Timestamp::now()).await?;
    super::said(&topic);
    Ok(())
}

/// Derived classes that are not connected with what the topic looks for.
fn unconnected(topic: &Topic, derived: &Derived) -> Vec<String> {
    let distances = topic.distances();
    let here = topic.ontology.classes().iter().zip(distances);
    let names = derived.ontology.classes().iter().map(|class| class.name.to_lowercase());
    let names: std::collections::HashSet<String> = names.collect();
    let apart = here.filter(|(class, steps)| steps.is_none() && names.contains(&class.name.to_lowercase()));
    apart.map(|(class, _)| class.name.clone()).collect()
}

/// Adds to a topic what was derived; what crawls have taught it stays.
async fn grow(store: &Store, name: &str, derived: &Derived) -> anyhow::Result<Gain> {
    let stored = store.topic(name.to_owned()).await?;
    let (mut given, mut learner) = match stored {
        Some(stored) => (stored.given, stored.learner),
        // One that comes with the program becomes the user's own.
        None => (find_topic(store, name).await?, None),
    };
    let gain = given.ontology.absorb(&derived.ontology);
    if let Some(learner) = &mut learner {
        learner.absorb(&derived.ontology);
    }
    let broken = |error: OntologyError| bad_input(format!("{error}\nNothing was saved"));
    given.check().map_err(broken)?;
    given.ontology.check().map_err(broken)?;
    store.grow_topic(given, learner, Timestamp::now()).await?;
    Ok(gain)
}

/// A new topic: somebody has to say which class is looked for.
fn chosen(options: &TopicDatabase, derived: &Derived) -> anyhow::Result<Topic> {
    let Some(class) = &options.class else {
        let names: Vec<&str> =
            derived.ontology.classes().iter().map(|class| class.name.as_str()).take(20).collect();
        let why = "say which class to look for with --class, or add to a topic with --into";
        return Err(bad_input(format!("{why}. Some classes: {}\nNothing was saved", names.join(", "))));
    };
    let name = options.name.as_ref().unwrap_or(class);
    Topic::new(name, derived.ontology.clone(), class)
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
