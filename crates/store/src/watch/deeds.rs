//! What visits and texts mean for folders, told to the watcher inside their deeds.

use super::Loaded;
use super::follow::TextNote;
use super::load::longest_gap;
use super::stories::{COPIES, catalogues, is_first_in, mark_copies};
use crate::StoreError;
use crate::database::{Connection, Set, params};
use crate::events::{Seen, Told, apply};
use crate::knowledge::Refiled;
use crate::rows::span_ms;
use crate::visits::{Gathered, NewArticle, VisitRecord};
use detection::{Count, Sighting, What};
use jiff::SignedDuration;
use model::{ArticleId, ArticlePage, FolderId, SourceId, VisitId};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a visit means for the folders its source covers. `catalogue`, if it is known already, is how far back its first articles go.
pub(crate) fn watch_visit(
    connection: &Connection,
    loaded: &mut Loaded,
    gathered: &mut Gathered,
    seen: &VisitSeen<'_>,
) -> Result<Told, StoreError> {
    let record = seen.record;
    let counts = count_stories(connection, loaded, gathered, record, seen.new)?;
    let wants_catalogue = loaded.watcher.wants_catalogue(record.source_id, record.at);
    let catalogue = match seen.catalogue {
        _ if !wants_catalogue => None,
        Some(Catalogue(known)) => known,
        None => {
            gathered.write(connection)?;
            catalogues(connection, [record.source_id])?.remove(&record.source_id)
        }
    };
    let sighting = Sighting {
        source: record.source_id,
        at: record.at,
        counts: &counts,
        longest_gap: longest_gap(seen.interval.map(span_ms)),
        catalogue,
    };
    let findings = loaded.watcher.observe(&sighting);
    if !seen.new.is_empty() && !loaded.watcher.measures(record.source_id, record.at) {
        gathered.caught_up(seen.visit);
    }
    loaded.changed = true;
    loaded.told_visit(seen.visit);
    if findings.iter().any(|finding| !matches!(finding.what, What::Closed(_))) {
        // What follows from them looks at visits and sources.
        gathered.write(connection)?;
    }
    let seen = Seen { at: record.at, visit: Some(seen.visit), source: Some(record.source_id) };
    apply(connection, loaded, &seen, findings)
}

/// How far back the first articles of a source go, if they say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Catalogue(pub(crate) Option<SignedDuration>);

/// What the watcher is told of a visit.
pub(crate) struct VisitSeen<'a> {
    pub(crate) record: &'a VisitRecord,
    pub(crate) visit: VisitId,
    pub(crate) interval: Option<Duration>,
    pub(crate) new: &'a [NewArticle<'a>],
    /// How far back the first articles of the source go, if that was asked already.
    pub(crate) catalogue: Option<Catalogue>,
}

/// What new articles mean for each folder: a story that another site told before counts as an article only.
fn count_stories(
    connection: &Connection,
    loaded: &mut Loaded,
    gathered: &mut Gathered,
    record: &VisitRecord,
    new: &[NewArticle<'_>],
) -> Result<Vec<Count>, StoreError> {
    let mut counts: BTreeMap<FolderId, Count> = BTreeMap::new();
    for article in new {
        let story = loaded.stories.by_headline(article.id, &article.found.title, record.at);
        if let Some(first) = story {
            gathered.copy(article.id, first);
            if !article.folders.is_empty() {
                // Who else told it is asked of what is stored.
                gathered.write(connection)?;
            }
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
        let mut copies = Set::new(COPIES);
        copies.push(params![id.0, first.0]);
        mark_copies(connection, copies)?;
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
