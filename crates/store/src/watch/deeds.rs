//! What visits and texts mean for folders, told to the watcher inside their deeds.

use super::Loaded;
use super::follow::TextNote;
use super::load::longest_gap;
use super::stories::{catalogue, is_first_in, mark_copy};
use crate::StoreError;
use crate::database::Connection;
use crate::events::{Seen, Told, apply};
use crate::knowledge::Refiled;
use crate::rows::span_ms;
use crate::visits::{NewArticle, VisitRecord};
use detection::{Count, Sighting};
use model::{ArticleId, ArticlePage, FolderId, SourceId, VisitId};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a visit means for the folders its source covers.
pub(crate) fn watch_visit(
    connection: &Connection,
    loaded: &mut Loaded,
    record: &VisitRecord,
    visit: VisitId,
    interval: Option<Duration>,
    new: &[NewArticle<'_>],
) -> Result<Told, StoreError> {
    let counts = count_stories(connection, loaded, record, new)?;
    let wants_catalogue = loaded.watcher.wants_catalogue(record.source_id, record.at);
    let seen = Sighting {
        source: record.source_id,
        at: record.at,
        counts: &counts,
        longest_gap: longest_gap(interval.map(span_ms)),
        catalogue: if wants_catalogue { catalogue(connection, record.source_id)? } else { None },
    };
    let findings = loaded.watcher.observe(&seen);
    if !loaded.watcher.measures(record.source_id, record.at) {
        connection.prepare_cached("UPDATE article SET caught_up = 1 WHERE visit_id = ?1")?.send([visit.0])?;
    }
    loaded.changed = true;
    loaded.told_visit(visit);
    let seen = Seen { at: record.at, visit: Some(visit), source: Some(record.source_id) };
    apply(connection, loaded, &seen, findings)
}

/// What new articles mean for each folder: a story that another site told before counts as an article only.
fn count_stories(
    connection: &Connection,
    loaded: &mut Loaded,
    record: &VisitRecord,
    new: &[NewArticle<'_>],
) -> Result<Vec<Count>, StoreError> {
    let mut counts: BTreeMap<FolderId, Count> = BTreeMap::new();
    for article in new {
        let story = loaded.stories.by_headline(article.id, &article.found.title, record.at);
        if let Some(first) = story {
            mark_copy(connection, article.id, first)?;
        }
        for folder in &article.folders {
            let is_first = is_first_in(connection, article.id, story, folder.0)?;
            let count = counts.entry(*folder).or_insert(Count { folder: *folder, stories: 0, articles: 0 });
            count.articles += 1;
            count.stories += u32::from(is_first);
        }
    }
    Ok(counts.into_values().collect())
}

/// What an article's text means for its folders: it may belong to others than its headline said, or tell a story that
/// another site told before.
pub(crate) fn watch_body(
    connection: &Connection,
    loaded: &mut Loaded,
    id: ArticleId,
    read: &ArticlePage,
    refiled: &Refiled,
) -> Result<Told, StoreError> {
    let (source, seen_at, story) = connection
        .prepare_cached("SELECT source_id, first_seen_at, story_id FROM article WHERE id = ?1")?
        .query_row([id.0], |row| {
            let source: Option<i64> = row.get(0)?;
            let story: Option<i64> = row.get(2)?;
            Ok((source.map(SourceId), crate::rows::time(row, "first_seen_at")?, story.map(ArticleId)))
        })?;
    let Some(source) = source else { return Ok(Told::default()) };
    let told = read.fingerprint.and_then(|print| loaded.stories.by_text(id, print, seen_at));
    let is_news = story.is_none() && told.is_some();
    if let Some(first) = told.filter(|_| is_news) {
        mark_copy(connection, id, first)?;
    }
    let mut notes = Vec::new();
    // A copy was never counted.
    for folder in refiled.removed.iter().filter(|_| story.is_none()) {
        loaded.watcher.take_back(source, *folder, seen_at);
        notes.push(TextNote { folder: *folder, added: false, first: false });
    }
    let story = story.or(told);
    let mut findings = Vec::new();
    for folder in folders_of(connection, id)? {
        let is_first = is_first_in(connection, id, story, folder.0)?;
        if refiled.added.contains(&folder) {
            findings.extend(loaded.watcher.add(source, folder, seen_at, is_first));
            notes.push(TextNote { folder, added: true, first: is_first });
        } else if is_news && !is_first {
            loaded.watcher.take_back(source, folder, seen_at);
            notes.push(TextNote { folder, added: false, first: false });
        }
    }
    loaded.note_texts(connection, id.0, source, seen_at, &notes)?;
    loaded.changed = true;
    // Texts are read after the visit: the clock's last tick is nearer.
    let at = loaded.watcher.last_seen(source).unwrap_or(seen_at).max(loaded.now);
    let seen = Seen { at, visit: None, source: Some(source) };
    apply(connection, loaded, &seen, findings)
}

fn folders_of(connection: &Connection, id: ArticleId) -> Result<Vec<FolderId>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT folder_id FROM filing WHERE article_id = ?1 AND folder_id IS NOT NULL",
    )?;
    let rows = statement.query_map([id.0], |row| Ok(FolderId(row.get(0)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
