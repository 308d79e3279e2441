//! Words for searching. Those of articles are made anew from their texts. The text of a crawl's page is not kept, so its
//! words are taken out of one index and put into the other: their places are in both. (PostgreSQL counts no further than
//! 16,383: see `database::search`.)

use super::batch::Key;
use super::cells::{Cell, settle};
use super::end::Source;
use super::tables::Kind;
use super::{Cargo, Load, MoveError};
use crate::database::search::{LAST_PLACE, lexemes, put_words, vector_of};
use crate::database::{Connection, Dialect, params};
use std::collections::{BTreeMap, VecDeque};

/// The indexes of words.
pub(super) const INDEXES: [&str; 2] = [ARTICLES, CRAWLS];
const ARTICLES: &str = "article_words";
const CRAWLS: &str = "crawl_words";

/// Stands in a file's index where a word is not known, so that words beside it are no phrase. Nobody types it: it is a
/// character without a meaning, yet one that FTS5 takes for a word.
const UNKNOWN: &str = "\u{e000}";
/// Texts in a batch: each has some kilobytes.
const MOST_TEXTS: i64 = 500;
/// Words taken out of a file's index in one pass over it: that many take some 100 MB.
const MOST_WORDS: u64 = 6_000_000;

/// Makes the words in a file's index readable one by one.
pub(super) fn prepare(source: &Connection) -> Result<(), MoveError> {
    // Nothing is written: the table is a view of the index, and only this connection has it.
    source.execute_batch(
        "PRAGMA query_only = OFF;
         CREATE VIRTUAL TABLE temp.crawl_word USING fts5vocab('main', 'crawl_words', 'instance');
         PRAGMA query_only = ON",
    )?;
    Ok(())
}

/// One index on its way.
pub(super) enum Words {
    /// Of articles.
    OfArticles,
    /// Of pages; those that the last pass over a file's index has brought.
    OfPages(VecDeque<(i64, Page)>),
}

/// The words of a page in their order; an empty one where it is not known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    title: Vec<String>,
    text: Vec<String>,
}

impl Words {
    pub(super) fn of(index: &str) -> Self {
        if index == ARTICLES { Self::OfArticles } else { Self::OfPages(VecDeque::new()) }
    }
}

impl Cargo for Words {
    fn name(&self) -> &str {
        match self {
            Self::OfArticles => ARTICLES,
            Self::OfPages(_) => CRAWLS,
        }
    }

    fn read(&mut self, source: &Source, after: Option<&Key>) -> Result<Load, MoveError> {
        let after = match after.and_then(|key| key.first()) {
            Some(Cell::Integer(last)) => *last,
            _ => i64::MIN,
        };
        let rows = match self {
            Self::OfArticles => texts(source, after)?,
            Self::OfPages(waiting) => pages(source, after, waiting)?,
        };
        let last = rows.last().and_then(|row| row.first().cloned()).map(|number| vec![number]);
        Ok(Load { rows, last, mended: 0 })
    }

    fn write(&self, target: &Connection, load: &Load) -> Result<(), MoveError> {
        for row in &load.rows {
            let [Cell::Integer(id), Cell::Text(title), Cell::Text(text)] = row.as_slice() else { continue };
            match (self, target.dialect()) {
                (Self::OfArticles, _) => put_words(target, ARTICLES, *id, title, text)?,
                (Self::OfPages(_), dialect) => {
                    let mut statement = target.prepare_cached(&dialect.put_words(CRAWLS))?;
                    match dialect {
                        Dialect::Sqlite => statement.send(params![id, title, text])?,
                        Dialect::Postgres => {
                            statement.send(params![id, vector_of(&known(title), &known(text))])?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// What the words of articles are made of: their titles and texts.
fn texts(source: &Source, after: i64) -> Result<Vec<Vec<Cell>>, MoveError> {
    let mut statement = source.prepare_cached(
        "SELECT a.id, a.title, coalesce(t.text, a.summary, '') FROM article a
         LEFT JOIN article_text t ON t.article_id = a.id
         WHERE a.id > ?1 AND EXISTS (SELECT 1 FROM article_words w WHERE w.rowid = a.id) ORDER BY a.id LIMIT ?2",
    )?;
    let mut found = statement.query([after, MOST_TEXTS])?;
    let columns = [("id", Kind::Integer), ("title", Kind::Text), ("text", Kind::Text)];
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        rows.push(settle(vec![row.get(0)?, row.get(1)?, row.get(2)?], "article", &columns)?.0);
    }
    Ok(rows)
}

fn pages(
    source: &Source,
    after: i64,
    waiting: &mut VecDeque<(i64, Page)>,
) -> Result<Vec<Vec<Cell>>, MoveError> {
    if waiting.is_empty() {
        *waiting = match source.dialect() {
            Dialect::Sqlite => out_of_file(source, after)?,
            Dialect::Postgres => out_of_database(source, after)?,
        };
    }
    let batch = waiting.len().min(MOST_TEXTS as usize);
    Ok(waiting.drain(..batch).map(|(id, page)| page.into_row(id)).collect())
}

/// One pass over the index of a file, which is ordered by words, for as many pages as have so many words.
fn out_of_file(source: &Source, after: i64) -> Result<VecDeque<(i64, Page)>, MoveError> {
    let mut statement =
        source.prepare_cached("SELECT id, sz FROM crawl_words_docsize WHERE id > ?1 ORDER BY id")?;
    let mut sizes = statement.query([after])?;
    let mut pages: BTreeMap<i64, Page> = BTreeMap::new();
    let mut words = 0;
    while let Some(row) = sizes.next()?
        && words < MOST_WORDS
    {
        pages.insert(row.get(0)?, Page::default());
        words += sum_of_sizes(&row.get::<_, Vec<u8>>(1)?);
    }
    drop(sizes);
    let Some((&last, _)) = pages.last_key_value() else { return Ok(VecDeque::new()) };
    let mut statement = source.prepare_cached(
        "SELECT doc, col, \"offset\", term FROM temp.crawl_word WHERE doc > ?1 AND doc <= ?2",
    )?;
    let mut found = statement.query([after, last])?;
    while let Some(row) = found.next()? {
        let (id, column, place): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let Some(page) = pages.get_mut(&id) else { continue };
        let part = if column == "title" { &mut page.title } else { &mut page.text };
        let word: String = row.get(3)?;
        put(part, place.unsigned_abs() as usize, if word == UNKNOWN { String::new() } else { word });
    }
    Ok(pages.into_iter().collect())
}

/// How many words a page has: FTS5 keeps a number for each column, in groups of seven bits.
fn sum_of_sizes(bytes: &[u8]) -> u64 {
    let (mut sum, mut number) = (0_u64, 0_u64);
    for byte in bytes {
        number = (number << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            sum += number;
            number = 0;
        }
    }
    sum
}

fn put(part: &mut Vec<String>, place: usize, word: String) {
    if part.len() <= place {
        part.resize(place + 1, String::new());
    }
    part[place] = word;
}

fn out_of_database(source: &Source, after: i64) -> Result<VecDeque<(i64, Page)>, MoveError> {
    let mut statement = source.prepare_cached(
        "SELECT rowid, CAST(words AS TEXT) FROM crawl_words WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
    )?;
    let rows = statement.query_map([after, MOST_TEXTS], |row| {
        Ok((row.get::<_, i64>(0)?, Page::of_vector(&row.get::<_, String>(1)?)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl Page {
    /// The words of a `tsvector` as PostgreSQL writes it: `'it''s':1,4 'word':2`. The first place without a word is the
    /// gap after the title. Words without a place are beyond the last one.
    fn of_vector(vector: &str) -> Self {
        let (mut all, mut beyond) = (Vec::new(), Vec::new());
        let mut rest = vector.trim_start();
        while let Some(quoted) = rest.strip_prefix('\'') {
            let (word, after) = unquoted(quoted);
            let end = after.find(' ').unwrap_or(after.len());
            let places = after[..end].trim_start_matches(':').split(',');
            let mut has_place = false;
            // Weights are letters behind a place; ours have none.
            for place in places.filter_map(|place| place.trim_end_matches(char::is_alphabetic).parse().ok()) {
                let place: usize = place;
                put(&mut all, place.saturating_sub(1), word.clone());
                has_place = true;
            }
            if !has_place {
                beyond.push(word);
            }
            rest = after[end..].trim_start();
        }
        let gap = all.iter().position(String::is_empty).unwrap_or(all.len());
        let mut text = all.split_off(gap);
        if !text.is_empty() {
            text.remove(0);
        }
        if !beyond.is_empty() {
            text.resize(text.len().max((LAST_PLACE - 1).saturating_sub(all.len())), String::new());
            text.extend(beyond.into_iter().flat_map(|word| [String::new(), word]));
        }
        Self { title: all, text }
    }

    fn into_row(self, id: i64) -> Vec<Cell> {
        let text = |words: Vec<String>| {
            let words = words.into_iter().map(|word| if word.is_empty() { UNKNOWN.to_owned() } else { word });
            Cell::Text(words.collect::<Vec<_>>().join(" "))
        };
        vec![Cell::Integer(id), text(self.title), text(self.text)]
    }
}

/// A quoted word and what follows it.
fn unquoted(quoted: &str) -> (String, &str) {
    let mut word = String::new();
    let mut letters = quoted.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\'' if letters.peek().is_none_or(|(_, next)| *next != '\'') => return (word, &quoted[at + 1..]),
            '\'' | '\\' => word.extend(letters.next().map(|(_, next)| next)),
            letter => word.push(letter),
        }
    }
    (word, "")
}

/// The words of a row as PostgreSQL's index has them.
fn known(text: &str) -> Vec<String> {
    let words = text.split(' ').filter(|word| !word.is_empty());
    words.map(|word| if word == UNKNOWN { String::new() } else { lexemes(word).collect() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(title: &[&str], text: &[&str]) -> Page {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Page { title: words(title), text: words(text) }
    }

    #[test]
    fn a_vector_is_read_as_it_was_written() {
        for page in [
            page(&["cup", "final"], &["the", "cup", "is", "won"]),
            page(&[], &["only", "text"]),
            page(&["only", "title"], &[]),
            page(&["it's", "a\\b"], &["''", "ü", "新华"]),
        ] {
            let vector = vector_of(&page.title, &page.text);
            assert_eq!(Page::of_vector(&vector), page, "{vector}");
        }
    }

    #[test]
    fn what_is_beyond_the_last_place_stays_there_and_makes_no_phrase() {
        let mut long: Vec<String> = (0..LAST_PLACE + 100).map(|n| format!("w{n}")).collect();
        long[7] = String::new();
        let vector = vector_of(&[], &long);
        let read = Page::of_vector(&vector);
        assert_eq!(read.text[..LAST_PLACE - 1], long[..LAST_PLACE - 1]);
        assert_eq!(vector_of(&[], &read.text).len(), vector.len());
        assert!(read.text.contains(&format!("w{}", LAST_PLACE + 50)));
        assert!(read.text[LAST_PLACE - 1..].iter().step_by(2).all(String::is_empty));
    }

    #[test]
    fn sizes_are_read_as_fts5_writes_them() {
        assert_eq!(sum_of_sizes(&[3, 5]), 8);
        assert_eq!(sum_of_sizes(&[0x81, 0x00, 2]), 130);
    }
}
