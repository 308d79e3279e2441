//! Taking back what a crawl has taught a topic.

use crate::commands::crawl::find_topic;
use crate::console;
use crate::exit::bad_input;
use crate::words::when;
use discovery::ontology::{ClassId, LessonKind, Topic};
use jiff::Timestamp;
use store::{Store, StoreError, TopicLesson};

/// Lessons looked at, the newest first.
const MOST: usize = 10_000;

pub(super) async fn undo(store: &Store, name: &str, lesson: Option<&str>, json: bool) -> anyhow::Result<()> {
    let topic = find_topic(store, name).await?;
    let lessons = store.topic_lessons(topic.name.clone(), MOST).await?;
    let Some(wanted) = lesson else { return list(&topic, &lessons, json) };
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

fn list(topic: &Topic, lessons: &[TopicLesson], json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(&lessons);
    }
    if lessons.is_empty() {
        console::note(&format!("no crawl has taught “{}” anything yet", topic.name));
        return Ok(());
    }
    let now = Timestamp::now();
    let row = |lesson: &TopicLesson| {
        let undone = lesson.undone_at.map_or_else(String::new, |at| format!("undone {}", when(at, now)));
        vec![
            lesson.id.to_string(),
            in_words(topic, lesson),
            lesson.lesson.provenance.to_string(),
            when(lesson.at, now),
            undone,
        ]
    };
    let rows: Vec<_> = lessons.iter().map(row).collect();
    console::table(&["no.", "what", "from", "when", ""], &rows);
    Ok(())
}

fn in_words(topic: &Topic, lesson: &TopicLesson) -> String {
    let class = |id: &ClassId| topic.ontology.class(*id).map_or("a class that is gone", |class| &class.name);
    match &lesson.lesson.kind {
        LessonKind::Word { class: id, word, .. } => format!("new word “{word}” for {}", class(id)),
        LessonKind::Dropped { class: id, word } => format!("“{word}” stands for {} no more", class(id)),
        LessonKind::Weight { class: id, before, after } => {
            format!("{} counts × {after:.2} (before {before:.2})", class(id))
        }
        LessonKind::Spread { class: id, before, after } => {
            format!("{} follows its neighbours, × {after:.2} (before {before:.2})", class(id))
        }
    }
}
