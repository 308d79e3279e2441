//! The deeds of teaching and of taking a lesson back.

use super::refile::begin_refiling;
use super::rows::{Before, CornerstoneRow, condition_to_json, unreadable};
use super::{Known, LOST, State};
use crate::database::{Connection, params};
use crate::rows::{maybe_time, ms, time, to_json};
use crate::{Store, StoreError};
use jiff::Timestamp;
use knowledge::{Base, Cornerstone, Folders, Lesson, ROOT, Rule, TeachError, Undone};
use model::{FolderId, RuleId};
use std::collections::HashSet;
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
        let mut make = Some(make);
        self.teach(move |connection| {
            // A lesson is made once, by a person's word on the base as it was: that is not done again behind their back.
            let make = make.take().ok_or(StoreError::Interrupted)?;
            let (folders, lesson) = make(&known.for_writing(connection)?.base)?;
            learn(connection, &known, author.as_deref(), at, folders, lesson)
        })
        .await
    }

    /// Takes the last lesson back; `None` if there is none. `version` names the one that is meant: another's lesson is
    /// not undone by mistake.
    pub async fn undo_lesson(
        &self,
        at: Timestamp,
        version: Option<i64>,
    ) -> Result<Option<Undone>, StoreError> {
        let known = self.inner.known.clone();
        self.teach(move |connection| undo(connection, &known, at, version)).await
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
                    at: time(&row, "at")?,
                    author: row.get("author")?,
                    rules: ids.collect::<Result<_, _>>()?,
                    undone_at: maybe_time(&row, "undone_at")?,
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
    let made = made_folders(known.read().base.folders(), &folders);
    super::folders::save(connection, &known.read().base, &folders)?;
    let version = count_up(connection)?;
    let before: Before = lesson
        .verdicts
        .iter()
        .map(|verdict| (verdict.after.id, verdict.before.clone().map(CornerstoneRow::from)))
        .collect();
    connection
        .prepare_cached(
            "INSERT INTO lesson (version, at, author, before, folders) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![version, ms(at), author, to_json(&before)?, to_json(&made)?])?;
    for rule in &lesson.rules {
        insert_rule(connection, rule, version)?;
    }
    for verdict in &lesson.verdicts {
        save_cornerstone(connection, &verdict.after)?;
    }
    let rules: Vec<RuleId> = lesson.rules.iter().map(|rule| rule.id).collect();
    count_overturned(connection, &lesson.rules, 1)?;
    known.change(version, |state| {
        state.base.apply(lesson).map_err(|error| StoreError::Teach(error.into()))?;
        *state.base.folders_mut() = folders;
        Ok(())
    })?;
    remember_ids(connection, &known.read().base)?;
    known.archive_learns(version, &rules);
    begin_refiling(connection, version)?;
    Ok(Learned { version, rules })
}

fn undo(
    connection: &Connection,
    known: &Known,
    at: Timestamp,
    wanted: Option<i64>,
) -> Result<Option<Undone>, StoreError> {
    if known.for_writing(connection)?.base.lessons() == 0 {
        return Ok(None);
    }
    let lesson: i64 = connection
        .prepare_cached("SELECT max(version) FROM lesson WHERE undone_at IS NULL")?
        .query_row([], |row| row.get(0))?;
    if wanted.is_some_and(|wanted| wanted != lesson) {
        return Err(StoreError::NotTheLastLesson);
    }
    let version = count_up(connection)?;
    let made: String = connection
        .prepare_cached("SELECT folders FROM lesson WHERE version = ?1")?
        .query_row([lesson], |row| row.get(0))?;
    let made: Vec<FolderId> = serde_json::from_str(&made).map_err(|error| unreadable(&error))?;
    let (undone, gone) = known.change(version, |state| {
        let undone = state.base.undo();
        Ok((undone, take_back_folders(&mut state.base, &made)))
    })?;
    let Some(undone) = undone else { return Ok(None) };
    count_overturned(connection, &undone.rules, -1)?;
    connection
        .prepare_cached("UPDATE lesson SET undone_at = ?2 WHERE version = ?1")?
        .execute(params![lesson, ms(at)])?;
    connection.prepare_cached("UPDATE rule SET undone = 1 WHERE version = ?1")?.execute([lesson])?;
    for folder in gone {
        super::folders::forget(connection, folder)?;
    }
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

/// The folders that were not there before, outermost first.
fn made_folders(before: &Folders, after: &Folders) -> Vec<FolderId> {
    let new = after.list().into_iter().filter(|(_, folder)| before.get(folder.id).is_none());
    new.map(|(_, folder)| folder.id).collect()
}

/// Takes folders back that a lesson made, innermost first, unless something else needs them by now.
fn take_back_folders(base: &mut Base, made: &[FolderId]) -> Vec<FolderId> {
    let unused = |id: &&FolderId| !base.is_used(**id);
    let unused: Vec<FolderId> = made.iter().rev().filter(unused).copied().collect();
    unused.into_iter().filter(|id| base.folders_mut().remove(*id).is_ok()).collect()
}

/// Counts the version up.
pub(super) fn count_up(connection: &Connection) -> Result<i64, StoreError> {
    connection.tell_everybody();
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
            "INSERT INTO cornerstone (id, article_id, fields, expected) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (id) DO UPDATE SET article_id = excluded.article_id, fields = excluded.fields,
                 expected = excluded.expected",
        )?
        .execute(params![
            cornerstone.id.0,
            cornerstone.article.map(|id| id.0),
            to_json(&cornerstone.fields)?,
            to_json(&cornerstone.expected)?
        ])?;
    Ok(())
}

/// A rule whose conclusion was corrected has been overturned once more; undone, once less.
fn count_overturned(connection: &Connection, rules: &[Rule], by: i64) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "UPDATE rule SET overturned = max(overturned + ?2, 0) WHERE id = ?1 AND undone = 0",
    )?;
    let new: HashSet<RuleId> = rules.iter().map(|rule| rule.id).collect();
    let parents = rules.iter().map(|rule| rule.parent);
    for parent in parents.filter(|parent| *parent != ROOT && !new.contains(parent)) {
        statement.execute([parent.0, by])?;
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
    /// Changes memory to a version that the running transaction has just written. A change that is refused leaves
    /// memory as it was. Should the commit fail, [`Store::teach`] makes the next one load anew.
    pub(super) fn change<T>(
        &self,
        version: i64,
        change: impl FnOnce(&mut State) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let before = state.version;
        // Should it panic, memory must not pass for any version.
        state.version = LOST;
        let result = change(&mut state);
        state.version = if result.is_ok() { version } else { before };
        result
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
