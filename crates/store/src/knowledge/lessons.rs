//! The deeds of teaching and of taking a lesson back.

use super::refile::begin_refiling;
use super::rows::{CornerstoneRow, condition_to_json};
use super::{Known, State};
use crate::rows::{maybe_time, ms, time, to_json};
use crate::{Store, StoreError};
use jiff::Timestamp;
use knowledge::{Base, Cornerstone, Folders, Lesson, Rule, TeachError, Undone};
use model::{CornerstoneId, RuleId};
use rusqlite::{Connection, params};
use std::sync::PoisonError;

/// What was learned.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The version of the knowledge now.
    pub version: i64,
    /// The new rules.
    pub rules: Vec<RuleId>,
}

/// A lesson as the history shows it.
#[derive(Debug, Clone, serde::Serialize)]
pub struct LessonInfo {
    /// The version it made.
    pub version: i64,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub author: Option<String>,
    /// The rules it added.
    pub rules: Vec<RuleId>,
    /// When it was taken back, if it was.
    pub undone_at: Option<Timestamp>,
}

impl Store {
    /// Teaches. `make` makes the lesson from the knowledge base as it is in the transaction; whatever it answers is
    /// stored whole or not at all. Stored articles are then filed anew, in the background.
    pub async fn learn<F>(
        &self,
        author: Option<String>,
        at: Timestamp,
        make: F,
    ) -> Result<Learned, StoreError>
    where
        F: FnOnce(&Base) -> Result<Lesson, TeachError> + Send + 'static,
    {
        self.learn_with_folders(author, at, move |base| {
            Ok((base.folders().clone(), make(base).map_err(StoreError::Teach)?))
        })
        .await
    }

    /// Teaches with new folders: `make` also says what the folders are then.
    pub async fn learn_with_folders<F>(
        &self,
        author: Option<String>,
        at: Timestamp,
        make: F,
    ) -> Result<Learned, StoreError>
    where
        F: FnOnce(&Base) -> Result<(Folders, Lesson), StoreError> + Send + 'static,
    {
        let known = self.inner.known.clone();
        self.write(move |connection| {
            let (folders, lesson) = make(&known.for_writing(connection)?.base)?;
            learn(connection, &known, author.as_deref(), at, folders, lesson)
        })
        .await
    }

    /// Takes the last lesson back; `None` if there is none.
    pub async fn undo_lesson(&self, at: Timestamp) -> Result<Option<Undone>, StoreError> {
        let known = self.inner.known.clone();
        self.write(move |connection| undo(connection, &known, at)).await
    }

    /// The lessons, newest first.
    pub async fn lessons(&self, limit: usize) -> Result<Vec<LessonInfo>, StoreError> {
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT * FROM lesson ORDER BY version DESC LIMIT ?1")?;
            let mut rules =
                connection.prepare_cached("SELECT id FROM rule WHERE version = ?1 ORDER BY place")?;
            let mut rows = statement.query([limit as i64])?;
            let mut lessons = Vec::new();
            while let Some(row) = rows.next()? {
                let version: i64 = row.get("version")?;
                let ids = rules.query_map([version], |row| row.get(0).map(RuleId))?;
                lessons.push(LessonInfo {
                    version,
                    at: time(row, "at")?,
                    author: row.get("author")?,
                    rules: ids.collect::<Result<_, _>>()?,
                    undone_at: maybe_time(row, "undone_at")?,
                });
            }
            Ok(lessons)
        })
        .await
    }
}

fn learn(
    connection: &Connection,
    known: &Known,
    author: Option<&str>,
    at: Timestamp,
    folders: Folders,
    lesson: Lesson,
) -> Result<Learned, StoreError> {
    super::folders::save(connection, &known.read().base, &folders)?;
    let version = count_up(connection)?;
    let before: Vec<(CornerstoneId, Option<CornerstoneRow>)> = lesson
        .verdicts
        .iter()
        .map(|verdict| (verdict.after.id, verdict.before.clone().map(CornerstoneRow::from)))
        .collect();
    connection
        .prepare_cached("INSERT INTO lesson (version, at, author, before) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![version, ms(at), author, to_json(&before)?])?;
    for rule in &lesson.rules {
        insert_rule(connection, rule, version)?;
    }
    for verdict in &lesson.verdicts {
        save_cornerstone(connection, &verdict.after)?;
    }
    let rules: Vec<RuleId> = lesson.rules.iter().map(|rule| rule.id).collect();
    count_overturned(connection, &lesson)?;
    known.change(version, |state| {
        *state.base.folders_mut() = folders;
        state.base.apply(lesson).map_err(|error| StoreError::Teach(error.into()))?;
        Ok(())
    })?;
    remember_ids(connection, &known.read().base)?;
    known.archive_learns(version, &rules);
    begin_refiling(connection, version)?;
    Ok(Learned { version, rules })
}

fn undo(connection: &Connection, known: &Known, at: Timestamp) -> Result<Option<Undone>, StoreError> {
    if known.for_writing(connection)?.base.lessons() == 0 {
        return Ok(None);
    }
    let version = count_up(connection)?;
    let undone = known.change(version, |state| Ok(state.base.undo()))?;
    let Some(undone) = undone else { return Ok(None) };
    let lesson: i64 = connection
        .prepare_cached("SELECT max(version) FROM lesson WHERE undone_at IS NULL")?
        .query_row([], |row| row.get(0))?;
    connection
        .prepare_cached("UPDATE lesson SET undone_at = ?2 WHERE version = ?1")?
        .execute(params![lesson, ms(at)])?;
    connection.prepare_cached("UPDATE rule SET undone = 1 WHERE version = ?1")?.execute([lesson])?;
    for id in &undone.cornerstones {
        match known.read().base.cornerstones().get(*id) {
            Some(before) => save_cornerstone(connection, before)?,
            None => {
                connection.prepare_cached("DELETE FROM cornerstone WHERE id = ?1")?.execute([id.0])?;
            }
        }
    }
    known.archive_unlearns(version, &undone.rules);
    begin_refiling(connection, version)?;
    Ok(Some(undone))
}

/// Counts the version up.
pub(super) fn count_up(connection: &Connection) -> Result<i64, StoreError> {
    let next = "UPDATE knowledge SET version = version + 1 RETURNING version";
    Ok(connection.prepare_cached(next)?.query_row([], |row| row.get(0))?)
}

fn insert_rule(connection: &Connection, rule: &Rule, version: i64) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO rule (id, parent_id, condition, folder_id, author, at, cornerstone_id, note, version)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            rule.id.0,
            rule.parent.0,
            condition_to_json(&rule.condition)?,
            rule.conclusion.folder().map(|folder| folder.0),
            rule.origin.author,
            rule.origin.at.map(ms),
            rule.origin.cornerstone.map(|id| id.0),
            rule.origin.note,
            version
        ])?;
    Ok(())
}

fn save_cornerstone(connection: &Connection, cornerstone: &Cornerstone) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO cornerstone (id, article_id, fields, expected) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![
            cornerstone.id.0,
            cornerstone.article.map(|id| id.0),
            to_json(&cornerstone.fields)?,
            to_json(&cornerstone.expected)?
        ])?;
    Ok(())
}

/// A rule whose conclusion was corrected has been overturned once more.
fn count_overturned(connection: &Connection, lesson: &Lesson) -> Result<(), StoreError> {
    let mut statement = connection
        .prepare_cached("UPDATE rule SET overturned = overturned + 1 WHERE id = ?1 AND undone = 0")?;
    let new: Vec<RuleId> = lesson.rules.iter().map(|rule| rule.id).collect();
    for parent in lesson.rules.iter().map(|rule| rule.parent).filter(|parent| !new.contains(parent)) {
        statement.execute([parent.0])?;
    }
    Ok(())
}

fn remember_ids(connection: &Connection, base: &Base) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE knowledge SET last_rule = ?1, last_cornerstone = ?2")?
        .execute([base.next_rule().0 - 1, base.next_cornerstone().0 - 1])?;
    Ok(())
}

impl Known {
    /// Changes memory to a version that the running transaction has just written. Should its commit fail, the next
    /// writer finds memory ahead, and loads anew.
    pub(super) fn change<T>(
        &self,
        version: i64,
        change: impl FnOnce(&mut State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        // A change that fails halfway must not pass for the version before.
        state.version = -1;
        let result = change(&mut state)?;
        state.version = version;
        Ok(result)
    }

    fn archive_learns(&self, version: i64, rules: &[RuleId]) {
        let state = self.read();
        let tree = state.base.tree();
        let rules: Vec<Rule> = rules.iter().filter_map(|id| tree.get(*id).cloned()).collect();
        if let Some(archived) = self.archived().as_mut() {
            archived.step(version, |archive| archive.learn(tree, &rules));
        }
    }

    fn archive_unlearns(&self, version: i64, rules: &[Rule]) {
        let state = self.read();
        if let Some(archived) = self.archived().as_mut() {
            archived.step(version, |archive| archive.unlearn(state.base.tree(), rules));
        }
    }
}
