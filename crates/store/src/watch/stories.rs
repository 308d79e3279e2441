//! The same story on many sites counts once: recent headlines and texts, to recognise it by.

use crate::StoreError;
use crate::database::{Columns, Connection, Kind, Rows, Set};
use jiff::{SignedDuration, Timestamp};
use model::{ArticleId, SourceId};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A story is the same only for so long: "Markets close higher" is another one next week.
const FOR: SignedDuration = SignedDuration::from_hours(72);
/// Shorter headlines ("Live updates") say too little.
const FEWEST_WORDS: usize = 4;
/// Texts that differ in a word or two.
const NEAR: u32 = 6;
/// More are not compared: the oldest go first.
const MOST: usize = 50_000;

/// Recent headlines and texts.
#[derive(Debug, Default)]
pub(crate) struct Stories {
    headlines: HashMap<u64, (ArticleId, Timestamp)>,
    texts: Vec<(u64, ArticleId, Timestamp)>,
}

impl Stories {
    pub(super) fn load(connection: &Connection) -> Result<Self, StoreError> {
        let mut stories = Self::default();
        let newest: Option<i64> =
            connection.query_row("SELECT max(first_seen_at) FROM article", [], |row| row.get(0))?;
        let since = newest.map_or(0, |newest| newest.saturating_sub(FOR.as_millis() as i64));
        let mut statement = connection.prepare_cached(
            "SELECT coalesce(story_id, id) AS story, title, fingerprint, first_seen_at FROM article
             WHERE first_seen_at >= ?1 ORDER BY id",
        )?;
        stories.take_over(statement.query([since])?)?;
        Ok(stories)
    }

    /// Takes over what visits after this one brought.
    pub(super) fn follow(&mut self, connection: &Connection, after: i64) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached(
            "SELECT coalesce(story_id, id) AS story, title, fingerprint, first_seen_at FROM article
             WHERE visit_id > ?1 ORDER BY id",
        )?;
        self.take_over(statement.query([after])?)
    }

    fn take_over(&mut self, mut rows: Rows<'_>) -> Result<(), StoreError> {
        while let Some(row) = rows.next()? {
            let (story, at) = (ArticleId(row.get(0)?), crate::rows::time(&row, "first_seen_at")?);
            let title: String = row.get(1)?;
            self.by_headline(story, &title, at);
            if let Some(print) = row.get::<_, Option<i64>>(2)? {
                self.texts.push((print.cast_unsigned(), story, at));
            }
        }
        self.cut();
        Ok(())
    }

    fn cut(&mut self) {
        let beyond = self.texts.len().saturating_sub(MOST);
        self.texts.drain(..beyond);
    }

    /// The first article of the story that a headline tells, if another one told it; else it is remembered.
    pub(crate) fn by_headline(&mut self, id: ArticleId, title: &str, at: Timestamp) -> Option<ArticleId> {
        let key = headline(title)?;
        if self.headlines.len() >= MOST {
            self.forget_older_half();
        }
        let known = self.headlines.get(&key).filter(|(_, told)| is_recent(*told, at)).copied();
        match known {
            Some((first, _)) if first != id => Some(first),
            Some(_) => None,
            None => {
                self.headlines.insert(key, (id, at));
                None
            }
        }
    }

    /// So many headlines at once are rare; half of them go, so that this is, too.
    fn forget_older_half(&mut self) {
        let mut times: Vec<Timestamp> = self.headlines.values().map(|(_, told)| *told).collect();
        let middle = times.len() / 2;
        let (_, middle, _) = times.select_nth_unstable(middle);
        let middle = *middle;
        self.headlines.retain(|_, (_, told)| *told > middle);
    }

    /// The first article of the story that a text tells, if another one told it; else it is remembered.
    pub(crate) fn by_text(&mut self, id: ArticleId, print: u64, at: Timestamp) -> Option<ArticleId> {
        let near = |told: &&(u64, ArticleId, Timestamp)| {
            told.1 != id && is_recent(told.2, at) && page::fingerprint::distance(told.0, print) <= NEAR
        };
        let first = self.texts.iter().find(near).map(|told| told.1);
        if self.texts.len() >= MOST {
            self.texts.drain(..MOST / 2);
        }
        self.texts.push((print, first.unwrap_or(id), at));
        first
    }
}

fn is_recent(told: Timestamp, now: Timestamp) -> bool {
    now.duration_since(told).abs() <= FOR
}

/// What two headlines have in common if they are the same but for case, accents and punctuation.
fn headline(title: &str) -> Option<u64> {
    // Cut short or made from the URL: not the headline.
    if title.ends_with(['…', '.']) {
        return None;
    }
    let words = page::words::search_text(title);
    if words.split_whitespace().count() < FEWEST_WORDS {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    Some(hasher.finish())
}

/// Remembers that articles tell another one's story.
pub(crate) fn mark_copies(connection: &Connection, copies: Set) -> Result<(), StoreError> {
    connection.send_set("UPDATE article SET story_id = {first} {rows} WHERE id = {copy}", copies)?;
    Ok(())
}

/// What [`mark_copies`] wants.
pub(crate) const COPIES: Columns = &[("copy", Kind::Number), ("first", Kind::Number)];

/// Whether an article is the only one of its story in a folder, or the first there.
pub(crate) fn is_first_in(
    connection: &Connection,
    id: ArticleId,
    story: Option<ArticleId>,
    folder: i64,
) -> Result<bool, StoreError> {
    let Some(story) = story else { return Ok(true) };
    Ok(connection
        .prepare_cached(
            "SELECT NOT EXISTS (SELECT 1 FROM filing f JOIN article a ON a.id = f.article_id
             WHERE f.folder_id = ?3 AND a.id <> ?1 AND (a.id = ?2 OR a.story_id = ?2))",
        )?
        .query_row([id.0, story.0, folder], |row| row.get(0))?)
}

/// How far back the articles of sources' first visits go: twice the median age, so that one pinned old article says
/// nothing. Dates may come with the articles' own pages, after the visit.
pub(crate) fn catalogues(
    connection: &Connection,
    sources: impl IntoIterator<Item = SourceId>,
) -> Result<HashMap<SourceId, SignedDuration>, StoreError> {
    const SOURCES: Columns = &[("source", Kind::Number)];
    let sources = Set::of_numbers(SOURCES, sources.into_iter().map(|source| source.0));
    let found = connection.ask_set(
        "SELECT source_id, at - published_at FROM (
             SELECT v.source_id, v.at, a.published_at, count(*) OVER () AS dates,
                 row_number() OVER (ORDER BY a.published_at) AS place
             FROM (SELECT id, source_id, at FROM visit
                   WHERE source_id = {source} AND word IN ('new_content', 'not_modified') ORDER BY at LIMIT 1) v
             JOIN article a ON a.visit_id = v.id WHERE a.published_at <= v.at) dated
         WHERE dates >= 3 AND place = dates / 2 + 1",
        &sources,
        |row| {
            let age: i64 = row.get(1)?;
            Ok((SourceId(row.get(0)?), SignedDuration::from_millis(age.saturating_mul(2))))
        },
    )?;
    Ok(found.into_iter().collect())
}
