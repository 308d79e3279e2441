//! `topics`: what crawls look for.

mod build;
mod database;
mod show;
mod undo;

use crate::cli::Topics;
use crate::commands::crawl::find_topic;
use crate::commands::rules::{file_name, read_file};
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::exit::{bad_input, not_found};
use anyhow::Context;
use discovery::ontology::{Format, Topic, shipped};
use jiff::Timestamp;
use std::io::Read;
use std::path::Path;
use store::Store;

/// A little more than is read of an ontology, so that too much is told from enough.
const MOST_BYTES: u64 = 33 << 20;

pub(crate) async fn run(config: Config, command: Topics, json: bool) -> anyhow::Result<()> {
    let store = open_store(&config)?;
    match command {
        Topics::List => show::list(&store, json).await,
        Topics::Show { name, words } => show::one(&store, &name, words, json).await,
        Topics::Build(options) => {
            let (name, replace) = (options.name.clone(), options.replace);
            must_be_free(&store, &name, replace).await?;
            let topic = build::build(config, &store, options).await?;
            save(&store, topic, json).await
        }
        Topics::Import { file, name, class, format, replace } => {
            if name.is_none() && file == Path::new("-") {
                return Err(bad_input("standard input has no name: say what to call the topic with --name"));
            }
            let name = name.unwrap_or_else(|| stem(&file));
            must_be_free(&store, &name, replace).await?;
            let topic = import(&file, &name, class.as_deref(), format)?;
            save(&store, topic, json).await
        }
        Topics::Export { name, file, format, given } => {
            let topic =
                if given { given_topic(&store, &name).await? } else { find_topic(&store, &name).await? };
            write(&topic.export(format), file.as_deref())?;
            let relations = topic.ontology.relations().len();
            if format == Format::Skos && relations > 0 {
                console::note(&format!(
                    "SKOS has no place for relations: {relations} were left out. --format turtle or rdf-xml keeps them"
                ));
            }
            Ok(())
        }
        Topics::Undo { name, all: false, crawl: None, lesson } => {
            undo::undo(&store, &name, lesson.as_deref(), json).await
        }
        Topics::Undo { name, crawl, .. } => undo::many(&store, &name, crawl, json).await,
        Topics::LearnFromDatabase(options) => database::learn(&store, &options, json).await,
        Topics::Remove { name } => {
            if store.remove_topic(name.clone()).await? {
                console::note("removed");
                return Ok(());
            }
            let comes_with = shipped().iter().any(|topic| topic.name.eq_ignore_ascii_case(&name));
            let why = if comes_with {
                "it comes with the program and stays"
            } else {
                "see `ripplewatch topics list`"
            };
            Err(not_found(format!("there is no topic “{name}” of yours: {why}")))
        }
    }
}

fn import(file: &Path, name: &str, class: Option<&str>, format: Option<Format>) -> anyhow::Result<Topic> {
    let file_name = file_name(file);
    let mut bytes = Vec::new();
    let read = read_file(file)?.take(MOST_BYTES).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {file_name}"))?;
    let nothing = |reason: String| bad_input(format!("{file_name}: {reason}\nNothing was imported"));
    let text =
        String::from_utf8(bytes).map_err(|_| nothing("this is not UTF-8; save the file as UTF-8".into()))?;
    let format = format.unwrap_or_else(|| Format::guess(&text));
    Topic::import(name, &text, format, class).map_err(|error| nothing(error.to_string()))
}

/// Keeps a topic and says what is in it.
async fn save(store: &Store, topic: Topic, json: bool) -> anyhow::Result<()> {
    topic.check().map_err(|error| bad_input(error.to_string()))?;
    store.save_topic(topic.clone(), Timestamp::now()).await?;
    if json {
        return console::json(&show::summary(&topic, false));
    }
    said(&topic);
    Ok(())
}

/// Says what is in a topic, and what to do with it.
fn said(topic: &Topic) {
    let ontology = &topic.ontology;
    console::note(&format!(
        "topic “{}”: {} classes, {} relations, {} words",
        topic.name,
        ontology.classes().len(),
        ontology.relations().len(),
        ontology.entries().count()
    ));
    console::hint(&format!("ripplewatch crawl start --topic \"{}\" --seed URL", topic.name));
}

/// A topic may have learned for weeks: it is not overwritten by mistake.
async fn must_be_free(store: &Store, name: &str, replace: bool) -> anyhow::Result<()> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        return Err(bad_input(format!("a topic is called by words on one line, not {name:?}")));
    }
    if !replace && store.topic(name.to_owned()).await?.is_some() {
        let why = "choose another name, or replace it and all it has learned with --replace";
        return Err(bad_input(format!("there is a topic “{name}” already: {why}")));
    }
    let same = shipped().into_iter().find(|topic| topic.name.eq_ignore_ascii_case(name));
    if let Some(same) = same.filter(|_| !replace) {
        let why = "yours would hide it. Choose another name, or hide it with --replace";
        return Err(bad_input(format!("the topic “{}” comes with the program: {why}", same.name)));
    }
    Ok(())
}

async fn given_topic(store: &Store, name: &str) -> anyhow::Result<Topic> {
    match store.topic(name.to_owned()).await? {
        Some(found) => Ok(found.given),
        None => find_topic(store, name).await,
    }
}

fn write(text: &str, file: Option<&Path>) -> anyhow::Result<()> {
    if let Some(file) = file {
        return std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()));
    }
    text.lines().for_each(console::line);
    Ok(())
}

fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| "topic".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
