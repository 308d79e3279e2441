//! One topic: its classes, their words, what was learned and from where.

use super::graph::graph;
use super::{Section, sections, topic_path};
use crate::topics;
use crate::ui::parts::{outward, when};
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::words::{capitalised, plural};
use axum::extract::Path;
use axum::response::Response;
use discovery::ontology::{Class, Entry, LessonKind, Provenance, Topic};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};
use store::{StoredTopic, TopicLesson};
use url::Url;

/// So many lessons are listed, the newest first.
const LESSONS: usize = 100;
/// Of a class with a great many words, so many are shown.
const WORDS: usize = 80;

pub(crate) async fn show(visitor: Visitor, Path(name): Path<String>) -> Result<Response, Trouble> {
    let store = visitor.app.store();
    let stored = topics::get(&visitor.app, &name).await?;
    let lessons = store.topic_lessons(stored.topic().name.clone(), LESSONS).await?;
    let pages = store.lesson_pages(&lessons).await?;
    let topic = stored.topic();
    let content = html! {
        (sections(Section::Topics))
        div .head {
            h1 dir="auto" { (topic.name) }
            p .quiet { (in_words(topic)) }
            div .actions {
                a .button.primary href=(crate::ui::links::link("/crawls/start", &[("topic", Some(topic.name.clone()))])) { "Crawl for it" }
                a .button href={ (topic_path(&topic.name)) "/export" } { "Export as Turtle" }
            }
        }
        section .card { h2 { "Ontology" } (graph(topic)) }
        (learned(&visitor, &stored, &lessons, &pages))
        section .card { h2 { "Words" } (lexicon(topic)) }
        section .card.danger-zone {
            form .actions method="post" action=(topic_path(&topic.name)) {
                (visitor.hidden())
                button .button.danger name="deed" value="remove" { "Remove this topic" }
                span .quiet { "Crawls keep their own copy of it." }
            }
        }
    };
    Ok(visitor.page(Tab::Discover, &topic.name, &content))
}

fn in_words(topic: &Topic) -> String {
    let classes = topic.ontology.classes();
    let words: usize = classes.iter().map(|class| class.entries.len()).sum();
    let class = topic.ontology.class(topic.class).map_or("", |class| class.name.as_str());
    format!(
        "Pages about {class}: {}, {}, {}.",
        plural(classes.len() as u64, "class"),
        plural(topic.ontology.relations().len() as u64, "relation"),
        plural(words as u64, "word")
    )
}

fn learned(
    visitor: &Visitor,
    stored: &StoredTopic,
    lessons: &[TopicLesson],
    pages: &BTreeMap<i64, Url>,
) -> Markup {
    let crawls: BTreeSet<_> = lessons.iter().filter(|it| it.undone_at.is_none()).map(|it| it.crawl).collect();
    html! {
        section #learned .card {
            h2 { "Learned" }
            @for crawl in crawls {
                form .actions method="post" action=(topic_path(&stored.topic().name)) {
                    (visitor.hidden())
                    input type="hidden" name="crawl" value=(crawl);
                    button .button name="deed" value="undo_all" { "Undo all that crawl " (crawl) " taught" }
                }
            }
            @if lessons.is_empty() {
                p .quiet { "Nothing yet. A crawl teaches its topic which classes tell its pages apart, and new words." }
            } @else {
                table .cards.compact.lessons {
                    thead { tr { th { "What" } th { "From" } th { "When" } th {} } }
                    tbody {
                        @for lesson in lessons {
                            tr .undone[lesson.undone_at.is_some()] {
                                td .name { (lesson_words(stored.topic(), lesson)) }
                                td data-label="From" {
                                    (capitalised(&lesson.lesson.provenance.to_string()))
                                    @if let Some(page) = pages.get(&lesson.id) {
                                        span .why.address { "Such as " (outward(page, &html! { (page.as_str()) })) }
                                    }
                                    span .why { a href={ "/crawls/" (lesson.crawl) } { "Crawl " (lesson.crawl) } }
                                }
                                td data-label="When" { (when(lesson.at, visitor.now)) }
                                td {
                                    @match lesson.undone_at {
                                        Some(at) => span .quiet { "Undone " (when(at, visitor.now)) },
                                        None => form method="post" action=(topic_path(&stored.topic().name)) {
                                            (visitor.hidden())
                                            input type="hidden" name="lesson" value=(lesson.id);
                                            button .button name="deed" value="undo" { "Undo" }
                                        },
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn lesson_words(topic: &Topic, lesson: &TopicLesson) -> Markup {
    let class = lesson.lesson.class_name(topic);
    html! {
        @match &lesson.lesson.kind {
            LessonKind::Word { word, weight, .. } => {
                "New word " strong dir="auto" { (word) } " for " (class) span .why { "Weight " (format!("{weight:.2}")) }
            },
            LessonKind::Dropped { word, .. } => {
                strong dir="auto" { (word) } " stands for " (class) " no more"
            },
            LessonKind::Weight { before, after, .. } => {
                strong { (class) } (if after > before { " tells more" } else { " tells less" })
                span .why { "× " (format!("{before:.2} → {after:.2}")) }
            },
            LessonKind::Spread { before, after, .. } => {
                strong { (class) } " follows its neighbours"
                span .why { "× " (format!("{before:.2} → {after:.2}")) }
            },
        }
    }
}

/// All classes that have words, the heaviest first.
fn lexicon(topic: &Topic) -> Markup {
    let weights = topic.weights();
    let weight = |at: usize| weights.get(at).copied().unwrap_or(0.0);
    let mut classes: Vec<(usize, &Class)> = topic.ontology.classes().iter().enumerate().collect();
    classes.sort_by(|a, b| weight(b.0).total_cmp(&weight(a.0)).then(a.0.cmp(&b.0)));
    html! {
        dl .lexicon {
            @for (at, class) in classes {
                div id={ "class-" (at) } {
                    dt {
                        span dir="auto" { (class.name) }
                        span .why { "Weight " (format!("{:.2}", weight(at))) ", " (class.provenance) }
                    }
                    dd {
                        @for entry in class.entries.iter().take(WORDS) { (word(entry)) " " }
                        @if class.entries.len() > WORDS { span .quiet { "and " (plural((class.entries.len() - WORDS) as u64, "more word")) } }
                        @if class.entries.is_empty() { span .quiet { "No words of its own" } }
                    }
                }
            }
        }
    }
}

fn word(entry: &Entry) -> Markup {
    let learned = matches!(entry.provenance, Provenance::Crawl { .. });
    html! {
        span .word.learned[learned] dir="auto" title={ (capitalised(&entry.provenance.to_string())) ", weight " (format!("{:.2}", entry.weight)) } { (entry.text) }
    }
}
