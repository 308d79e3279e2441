//! Topics: what crawls look for, and what crawls have taught them.

use crate::database::{self, Connection, OptionalExtension, Row, params};
use crate::rows::{json, maybe_time, ms, time, to_json};
use crate::{Store, StoreError};
use discovery::ontology::{Learner, Lesson, Topic};
use jiff::Timestamp;
use model::CrawlId;
use std::collections::BTreeMap;
use url::Url;

/// A topic as it is kept.
#[derive(Debug, Clone)]
pub struct StoredTopic {
    /// As people gave it.
    pub given: Topic,
    /// What crawls have taught it; `None` if nothing.
    pub learner: Option<Learner>,
    /// When it was first saved.
    pub created_at: Timestamp,
    /// When it last changed.
    pub changed_at: Timestamp,
}

/// Something a crawl taught a topic.
#[derive(Debug, Clone, serde::Serialize)]
pub struct TopicLesson {
    /// Its number among all lessons.
    pub id: i64,
    /// The crawl that taught it.
    pub crawl: CrawlId,
    /// What it says.
    pub lesson: Lesson,
    /// When.
    pub at: Timestamp,
    /// When it was taken back, if it was.
    pub undone_at: Option<Timestamp>,
}

/// What people have done to a topic.
#[derive(Debug)]
pub struct TopicNews {
    /// When it was last changed.
    pub changed_at: Timestamp,
    /// As people give it by now.
    pub given: Topic,
    /// Numbers of the crawl's own lessons that people took back.
    pub undone: Vec<u64>,
}

impl StoredTopic {
    /// The topic with all it has learned.
    pub fn topic(&self) -> &Topic {
        self.learner.as_ref().map_or(&self.given, Learner::topic)
    }
}

impl Store {
    /// All topics by name.
    pub async fn topics(&self) -> Result<Vec<StoredTopic>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM topic ORDER BY lower(name)")?;
            let rows = statement.query_map([], stored_topic)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The topic of this name, upper or lower case.
    pub async fn topic(&self, name: String) -> Result<Option<StoredTopic>, StoreError> {
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT * FROM topic WHERE lower(name) = lower(?1)")?;
            Ok(statement.query_row([&name], stored_topic).optional()?)
        })
        .await
    }

    /// Keeps a topic under its name. One that is there already is replaced, with all it had learned.
    pub async fn save_topic(&self, topic: Topic, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |connection| {
            connection.execute(
                "DELETE FROM topic_lesson WHERE topic_id IN (SELECT id FROM topic WHERE lower(name) = lower(?1))",
                [&topic.name],
            )?;
            let replaced = connection.execute(
                "UPDATE topic SET name = ?1, topic = ?2, learner = NULL, version = version + 1, changed_at = ?3
                 WHERE lower(name) = lower(?1)",
                params![topic.name, to_json(&topic)?, ms(now)],
            )?;
            if replaced == 0 { insert(connection, &topic, None, now) } else { Ok(()) }
        })
        .await
    }

    /// Lets a topic grow: replaces it and its learner, and keeps the lessons that crawls have taught it.
    pub async fn grow_topic(
        &self,
        given: Topic,
        learner: Option<Learner>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let learner = learner.as_ref().map(to_json).transpose()?;
            let grown = connection.execute(
                "UPDATE topic SET topic = ?2, learner = ?3, changed_at = ?4 WHERE lower(name) = lower(?1)",
                params![given.name, to_json(&given)?, learner, ms(now)],
            )?;
            if grown == 0 { insert(connection, &given, learner.as_deref(), now) } else { Ok(()) }
        })
        .await
    }

    /// Removes a topic; false if there is none of this name. Its crawls keep their own copy.
    pub async fn remove_topic(&self, name: String) -> Result<bool, StoreError> {
        self.write(move |connection| {
            Ok(connection.execute("DELETE FROM topic WHERE lower(name) = lower(?1)", [&name])? > 0)
        })
        .await
    }

    /// What crawls have taught a topic, newest first.
    pub async fn topic_lessons(&self, name: String, limit: usize) -> Result<Vec<TopicLesson>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT l.* FROM topic_lesson l JOIN topic t ON t.id = l.topic_id
                 WHERE lower(t.name) = lower(?1) ORDER BY l.id DESC LIMIT ?2",
            )?;
            let rows = statement.query_map(params![name, limit as i64], topic_lesson)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// A page that each lesson was learned from, by the lesson's number; those of crawls that were removed have none.
    pub async fn lesson_pages(&self, lessons: &[TopicLesson]) -> Result<BTreeMap<i64, Url>, StoreError> {
        let mut by_crawl: BTreeMap<CrawlId, Vec<(i64, u32)>> = BTreeMap::new();
        for lesson in lessons {
            if let Some(spot) = lesson.lesson.example().and_then(|spot| u32::try_from(spot).ok()) {
                by_crawl.entry(lesson.crawl).or_default().push((lesson.id, spot));
            }
        }
        let mut pages = BTreeMap::new();
        for (crawl, wanted) in by_crawl {
            let mut spots: Vec<u32> = wanted.iter().map(|(_, spot)| *spot).collect();
            spots.sort_unstable();
            spots.dedup();
            let found = self.crawl_urls_at(crawl, spots).await?;
            let urls: BTreeMap<u32, Url> = found.into_iter().map(|row| (row.spot, row.url)).collect();
            pages.extend(wanted.into_iter().filter_map(|(id, spot)| Some((id, urls.get(&spot)?.clone()))));
        }
        Ok(pages)
    }

    /// Takes a lesson back: the topic is as if it had never been taught, and it is not learned again.
    pub async fn undo_topic_lesson(&self, id: i64, now: Timestamp) -> Result<TopicLesson, StoreError> {
        self.write(move |connection| {
            let found = connection
                .query_row("SELECT * FROM topic_lesson WHERE id = ?1", [id], |row| {
                    Ok((row.get::<_, i64>("topic_id")?, topic_lesson(row)?))
                })
                .optional()?;
            let (topic, mut lesson) = found.ok_or_else(|| StoreError::not_found(format!("lesson {id}")))?;
            if lesson.undone_at.is_some() {
                return Ok(lesson);
            }
            if let Some(mut learner) = learner_of(connection, topic)? {
                // A crawl that runs keeps what it has learned until it ends, and looks for what was taken back.
                if !learner.undo(lesson.lesson.number) && !runs(connection, lesson.crawl)? {
                    let what =
                        format!("lesson {id} in what the topic knows by now: it was learned anew since");
                    return Err(StoreError::NotFound { what });
                }
                save_learner(connection, topic, &learner, now)?;
            } else {
                connection
                    .execute("UPDATE topic SET changed_at = ?2 WHERE id = ?1", params![topic, ms(now)])?;
            }
            connection
                .execute("UPDATE topic_lesson SET undone_at = ?2 WHERE id = ?1", params![id, ms(now)])?;
            lesson.undone_at = Some(now);
            Ok(lesson)
        })
        .await
    }

    /// Takes back all that crawls have taught a topic, or one of them; how many lessons that were.
    pub async fn undo_topic_lessons(
        &self,
        name: String,
        crawl: Option<CrawlId>,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        self.write(move |connection| {
            let topic: Option<i64> = connection
                .query_row("SELECT id FROM topic WHERE lower(name) = lower(?1)", [&name], |row| row.get(0))
                .optional()?;
            let topic = topic.ok_or_else(|| StoreError::not_found(format!("topic “{name}”")))?;
            let lessons: Vec<TopicLesson> = {
                let mut statement = connection.prepare_cached(
                    "SELECT * FROM topic_lesson WHERE topic_id = ?1 AND undone_at IS NULL
                         AND (crawl_id = ?2 OR ?2 IS NULL) ORDER BY id DESC",
                )?;
                let rows = statement.query_map(params![topic, crawl.map(|id| id.0)], topic_lesson)?;
                rows.collect::<Result<_, _>>()?
            };
            if let Some(mut learner) = learner_of(connection, topic)? {
                // What was learned anew since, or by a crawl that runs, is not found here, and needs not be.
                for lesson in &lessons {
                    learner.undo(lesson.lesson.number);
                }
                save_learner(connection, topic, &learner, now)?;
            } else {
                connection
                    .execute("UPDATE topic SET changed_at = ?2 WHERE id = ?1", params![topic, ms(now)])?;
            }
            for lesson in &lessons {
                connection
                    .prepare_cached("UPDATE topic_lesson SET undone_at = ?2 WHERE id = ?1")?
                    .execute(params![lesson.id, ms(now)])?;
            }
            Ok(lessons.len())
        })
        .await
    }

    /// Keeps what a crawl has taught its topic. A topic that was removed or replaced meanwhile is left alone.
    pub async fn teach_topic(
        &self,
        crawl: CrawlId,
        learner: Learner,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            if let Some(id) = topic_of(connection, crawl)? {
                save_learner(connection, id, &learner, now)?;
            }
            Ok(())
        })
        .await
    }
}

impl Store {
    /// What people have done to a crawl's topic, if it was changed at another time than this. Nothing for a topic that was
    /// removed or replaced.
    pub async fn topic_news(
        &self,
        crawl: CrawlId,
        known: Option<Timestamp>,
    ) -> Result<Option<TopicNews>, StoreError> {
        self.read(move |connection| {
            let Some(id) = topic_of(connection, crawl)? else { return Ok(None) };
            let mut statement = connection.prepare_cached("SELECT changed_at FROM topic WHERE id = ?1")?;
            let changed_at = statement.query_row([id], |row| time(row, "changed_at"))?;
            if known == Some(changed_at) {
                return Ok(None);
            }
            let given = connection.query_row("SELECT topic FROM topic WHERE id = ?1", [id], |row| json(row, "topic"))?;
            let mut statement = connection.prepare_cached(
                "SELECT number FROM topic_lesson WHERE topic_id = ?1 AND crawl_id = ?2 AND undone_at IS NOT NULL",
            )?;
            let rows = statement.query_map(params![id, crawl.0], |row| row.get::<_, i64>(0))?;
            let undone = rows.map(|number| number.map(i64::unsigned_abs)).collect::<Result<_, _>>()?;
            Ok(Some(TopicNews { changed_at, given, undone }))
        })
        .await
    }

    /// Keeps the topic that a crawl goes on with.
    pub async fn save_crawl_topic(&self, crawl: CrawlId, topic: Topic) -> Result<(), StoreError> {
        self.write(move |connection| {
            connection.execute(
                "UPDATE crawl_mind SET topic = ?2 WHERE crawl_id = ?1",
                params![crawl.0, to_json(&topic)?],
            )?;
            Ok(())
        })
        .await
    }
}

fn insert(
    connection: &Connection,
    topic: &Topic,
    learner: Option<&str>,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO topic (name, topic, learner, created_at, changed_at) VALUES (?1, ?2, ?3, ?4, ?4)",
        params![topic.name, to_json(topic)?, learner, ms(now)],
    )?;
    Ok(())
}

fn runs(connection: &Connection, crawl: CrawlId) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM crawl WHERE id = ?1 AND phase IN ('running', 'paused')";
    Ok(connection.query_row(sql, [crawl.0], |_| Ok(())).optional()?.is_some())
}

/// Writes down what was learned, in the deed of the page that taught it.
pub(crate) fn save_lessons(
    connection: &Connection,
    crawl: CrawlId,
    lessons: &[Lesson],
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(id) = topic_of(connection, crawl)? else {
        return Ok(());
    };
    for lesson in lessons {
        // A crawl that was killed learns the same again after its last snapshot.
        connection
            .prepare_cached(
                "INSERT INTO topic_lesson (topic_id, crawl_id, number, lesson, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (topic_id, crawl_id, number) DO UPDATE SET lesson = excluded.lesson, at = excluded.at",
            )?
            .send(params![id, crawl.0, lesson.number as i64, to_json(lesson)?, ms(now)])?;
    }
    Ok(())
}

/// The topic of a crawl, unless people have removed or replaced it since.
fn topic_of(connection: &Connection, crawl: CrawlId) -> Result<Option<i64>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT t.id FROM topic t JOIN crawl c ON lower(t.name) = lower(c.topic_name) AND t.version = c.topic_version WHERE c.id = ?1",
    )?;
    Ok(statement.query_row([crawl.0], |row| row.get(0)).optional()?)
}

fn learner_of(connection: &Connection, topic: i64) -> Result<Option<Learner>, StoreError> {
    let text: Option<String> =
        connection.query_row("SELECT learner FROM topic WHERE id = ?1", [topic], |row| row.get(0))?;
    let read = |text: String| {
        serde_json::from_str(&text).map_err(|_| StoreError::Unreadable("what a topic has learned".into()))
    };
    text.map(read).transpose()
}

fn save_learner(
    connection: &Connection,
    topic: i64,
    learner: &Learner,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE topic SET learner = ?2, changed_at = ?3 WHERE id = ?1",
        params![topic, to_json(learner)?, ms(now)],
    )?;
    Ok(())
}

fn stored_topic(row: &Row<'_>) -> database::Result<StoredTopic> {
    let learned: Option<String> = row.get("learner")?;
    Ok(StoredTopic {
        given: json(row, "topic")?,
        learner: learned.map(|_| json(row, "learner")).transpose()?,
        created_at: time(row, "created_at")?,
        changed_at: time(row, "changed_at")?,
    })
}

fn topic_lesson(row: &Row<'_>) -> database::Result<TopicLesson> {
    Ok(TopicLesson {
        id: row.get("id")?,
        crawl: CrawlId(row.get("crawl_id")?),
        lesson: json(row, "lesson")?,
        at: time(row, "at")?,
        undone_at: maybe_time(row, "undone_at")?,
    })
}
