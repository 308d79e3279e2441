//! What people do to topics, by page or by API.

use crate::app::App;
use crate::problem::Problem;
use discovery::ontology::{Format, Topic, shipped};
use model::CrawlId;
use store::StoredTopic;

/// Where a new topic comes from.
pub(crate) enum TopicWish {
    /// One that comes with the program.
    Shipped(String),
    /// From a name and words, separated by commas or lines.
    Words { name: String, words: String },
    /// From a file other programs wrote.
    Ontology { name: String, text: String, class: Option<String> },
}

/// The longest name of a topic.
const LONGEST_NAME: usize = 120;

/// Keeps a new topic; its name.
pub(crate) async fn add(app: &App, wish: TopicWish) -> Result<String, Problem> {
    // A large ontology takes seconds to read.
    let topic = tokio::task::spawn_blocking(move || made(wish))
        .await
        .map_err(|_| Problem::invalid("the ontology could not be read"))??;
    if app.store().topic(topic.name.clone()).await?.is_some() {
        return Err(Problem::new(
            http::StatusCode::CONFLICT,
            format!("there is a topic {:?} already", topic.name),
        )
        .hint("choose another name, or remove the old one first"));
    }
    let name = topic.name.clone();
    app.store().save_topic(topic, app.now()).await?;
    Ok(name)
}

fn made(wish: TopicWish) -> Result<Topic, Problem> {
    let refused = |error: discovery::ontology::OntologyError| Problem::invalid(error.to_string());
    match wish {
        TopicWish::Shipped(name) => {
            let found = shipped().into_iter().find(|topic| topic.name == name);
            found.ok_or_else(|| Problem::not_found(format!("no topic {name:?} comes with the program")))
        }
        TopicWish::Words { name, words } => {
            let words: Vec<&str> =
                words.split([',', ';', '\n']).map(str::trim).filter(|word| !word.is_empty()).collect();
            if words.is_empty() {
                return Err(Problem::invalid("give at least one word that its pages use"));
            }
            Topic::from_words(checked(&name)?, &words).map_err(refused)
        }
        TopicWish::Ontology { name, text, class } => {
            let format = Format::guess(&text);
            Topic::import(checked(&name)?, &text, format, class.as_deref()).map_err(refused)
        }
    }
}

fn checked(name: &str) -> Result<&str, Problem> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(Problem::invalid(format!(
            "a topic needs a name of 1 to {LONGEST_NAME} letters, on one line"
        )));
    }
    Ok(name)
}

/// All topics: the user's own, and those that come with the program as long as nobody has used them.
pub(crate) async fn all(app: &App) -> Result<Vec<StoredTopic>, Problem> {
    let mut topics = app.store().topics().await?;
    for topic in untouched(app) {
        if !topics.iter().any(|own| own.given.name.eq_ignore_ascii_case(&topic.given.name)) {
            topics.push(topic);
        }
    }
    topics.sort_by_key(|topic| topic.given.name.to_lowercase());
    Ok(topics)
}

/// The topics that come with the program, as they came.
fn untouched(app: &App) -> Vec<StoredTopic> {
    let now = app.now();
    let topic = |given| StoredTopic { given, learner: None, created_at: now, changed_at: now };
    shipped().into_iter().map(topic).collect()
}

/// One topic, or what to say if there is none of this name.
pub(crate) async fn get(app: &App, name: &str) -> Result<StoredTopic, Problem> {
    let stored = app.store().topic(name.to_owned()).await?;
    let shipped = || untouched(app).into_iter().find(|topic| topic.given.name.eq_ignore_ascii_case(name));
    stored.or_else(shipped).ok_or_else(|| {
        Problem::not_found(format!("there is no topic {name:?}")).hint("the Topics page lists all of them")
    })
}

/// Takes back something that was learned.
pub(crate) async fn undo(app: &App, lesson: i64) -> Result<(), Problem> {
    app.store().undo_topic_lesson(lesson, app.now()).await?;
    Ok(())
}

/// Takes back all that a crawl has taught a topic.
pub(crate) async fn undo_all(app: &App, name: &str, crawl: CrawlId) -> Result<(), Problem> {
    app.store().undo_topic_lessons(name.to_owned(), Some(crawl), app.now()).await?;
    Ok(())
}

/// Forgets a topic.
pub(crate) async fn remove(app: &App, name: &str) -> Result<(), Problem> {
    if app.store().remove_topic(name.to_owned()).await? {
        Ok(())
    } else {
        Err(Problem::not_found(format!("there is no topic {name:?}")))
    }
}

/// A topic with all it has learned, as Turtle.
pub(crate) async fn turtle(app: &App, name: &str) -> Result<String, Problem> {
    Ok(get(app, name).await?.topic().export(Format::Turtle))
}
