//! Taking back what a crawl has taught a topic.

use crate::commands::crawl::find_topic;
use crate::console;
use crate::exit::bad_input;
use crate::words::when;
use discovery::ontology::{LessonKind, Topic};
use jiff::Timestamp;
use model::CrawlId;
use store::{Store, StoreError, TopicLesson};

/// Lessons looked at, the newest first.
const MOST: usize = 10_000;

pub(super) async fn undo(store: &Store, name: &str, lesson: Option<&str>, json: bool) -> anyhow::Result<()> {
    let topic = find_topic(store, name).await?;
    let lessons = store.topic_lessons(topic.name.clone(), MOST).await?;
    let Some(wanted) = lesson else { return list(store, &topic, &lessons, json).await };
    let found = lessons.iter().find(|lesson| fits(lesson, wanted)).ok_or_else(|| StoreError::NotFound {
        what: format!(
            "lesson “{wanted}” of “{}”; `ripplewatch topics undo \"{}\"` lists all",
            topic.name, topic.name
        ),
    })?;
    if found.undone_at.is_some() {
        return Err(bad_input(format!("lesson {} was undone before", found.id)));
    }
    let undone = store.undo_topic_lesson(found.id, Timestamp::now()).await?;
    if json {
        return console::json(&undone);
    }
    console::note(&format!("undone: {}", in_words(&topic, &undone)));
    Ok(())
}

/// All that crawls, or one of them, have taught a topic.
pub(super) async fn many(
    store: &Store,
    name: &str,
    crawl: Option<CrawlId>,
    json: bool,
) -> anyhow::Result<()> {
    let topic = find_topic(store, name).await?;
    if let Some(crawl) = crawl {
        store.crawl(crawl).await?;
    }
    let undone = match store.topic(topic.name.clone()).await? {
        // One that comes with the program and was never taught.
        None => 0,
        Some(_) => store.undo_topic_lessons(topic.name.clone(), crawl, Timestamp::now()).await?,
    };
    if json {
        return console::json(&serde_json::json!({ "undone": undone }));
    }
    let whom = crawl.map_or_else(|| "crawls have".to_owned(), |crawl| format!("crawl {crawl} has"));
    console::note(&match undone {
        0 => format!("there is nothing that {whom} taught “{}” and that still holds", topic.name),
        1 => "undone: 1 lesson".to_owned(),
        count => format!("undone: {count} lessons"),
    });
    Ok(())
}

/// A number is the lesson's, anything else a word that was learned; the newest that still holds.
fn fits(lesson: &TopicLesson, wanted: &str) -> bool {
    match (wanted.parse::<i64>(), &lesson.lesson.kind) {
        (Ok(number), _) => lesson.id == number,
        (Err(_), LessonKind::Word { word, .. }) => {
            word.to_lowercase() == wanted.to_lowercase() && lesson.undone_at.is_none()
        }
        (Err(_), _) => false,
    }
}

async fn list(store: &Store, topic: &Topic, lessons: &[TopicLesson], json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(&lessons);
    }
    if lessons.is_empty() {
        console::note(&format!("no crawl has taught “{}” anything yet", topic.name));
        return Ok(());
    }
    let now = Timestamp::now();
    let pages = store.lesson_pages(lessons).await?;
    let row = |lesson: &TopicLesson| {
        let page = pages.get(&lesson.id).map_or_else(String::new, ToString::to_string);
        let undone = lesson.undone_at.map_or_else(String::new, |at| format!("undone {}", when(at, now)));
        vec![
            lesson.id.to_string(),
            in_words(topic, lesson),
            lesson.lesson.provenance.to_string(),
            lesson.crawl.to_string(),
            page,
            when(lesson.at, now),
            undone,
        ]
    };
    let rows: Vec<_> = lessons.iter().map(row).collect();
    console::table(&["no.", "what", "from", "crawl", "such as", "when", ""], &rows);
    Ok(())
}

fn in_words(topic: &Topic, lesson: &TopicLesson) -> String {
    let class = lesson.lesson.class_name(topic);
    match &lesson.lesson.kind {
        LessonKind::Word { word, .. } => format!("new word “{word}” for {class}"),
        LessonKind::Dropped { word, .. } => format!("“{word}” stands for {class} no more"),
        LessonKind::Weight { before, after, .. } => {
            format!("{class} counts × {after:.2} (before {before:.2})")
        }
        LessonKind::Spread { before, after, .. } => {
            format!("{class} follows its neighbours, × {after:.2} (before {before:.2})")
        }
    }
}
