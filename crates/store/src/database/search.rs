//! Words for searching. SQLite's FTS5 cuts and compares them itself; for PostgreSQL they are cut here the same way, for its
//! own way of cutting knows hyphens and addresses that FTS5 does not.
//!
//! PostgreSQL counts words up to 16,383 and remembers 255 places of each: phrases further down in a very long text are not
//! found there, words are.

use super::{Columns, Connection, Dialect, Kind, Result, Set, params};
use crate::StoreError;
use std::collections::HashMap;
use std::fmt::Write as _;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The last place PostgreSQL counts to.
pub(crate) const LAST_PLACE: usize = 16_383;
/// Places it remembers of one word.
const MOST_PLACES: usize = 255;
/// A longer word is no word; PostgreSQL refuses more than 2,046 bytes.
const LONGEST_WORD: usize = 512;
/// All words of a text together; PostgreSQL refuses more than a megabyte.
const MOST_BYTES: usize = 700_000;

/// Puts the words of a title and a text into an index, in place of what was there.
pub(crate) fn put_words(
    connection: &Connection,
    table: &str,
    id: i64,
    title: &str,
    text: &str,
) -> Result<()> {
    let (title, text) = (page::words::search_text(title), page::words::search_text(text));
    let dialect = connection.dialect();
    let mut statement = connection.prepare_cached(&dialect.put_words(table))?;
    match dialect {
        Dialect::Sqlite => statement.send(params![id, title, text]),
        Dialect::Postgres => statement.send(params![id, vector(&title, &text)]),
    }
}

/// Words of new rows, gathered for an index.
pub(crate) struct NewWords {
    table: &'static str,
    dialect: Dialect,
    words: Set,
}

impl NewWords {
    pub(crate) fn new(dialect: Dialect, table: &'static str) -> Self {
        const CUT: Columns = &[("number", Kind::Number), ("title", Kind::Text), ("text", Kind::Text)];
        const WITH_PLACES: Columns = &[("number", Kind::Number), ("words", Kind::Text)];
        let columns = match dialect {
            Dialect::Sqlite => CUT,
            Dialect::Postgres => WITH_PLACES,
        };
        Self { table, dialect, words: Set::new(columns) }
    }

    pub(crate) fn push(&mut self, id: i64, title: &str, text: &str) {
        let (title, text) = (page::words::search_text(title), page::words::search_text(text));
        match self.dialect {
            Dialect::Sqlite => self.words.push(params![id, title, text]),
            Dialect::Postgres => self.words.push(params![id, vector(&title, &text)]),
        }
    }

    pub(crate) fn write(&mut self, connection: &Connection) -> Result<()> {
        let template = match self.dialect {
            Dialect::Sqlite => {
                format!(
                    "INSERT INTO {} (rowid, title, text) VALUES ({{number}}, {{title}}, {{text}})",
                    self.table
                )
            }
            Dialect::Postgres => {
                format!(
                    "INSERT INTO {} (rowid, words) VALUES ({{number}}, CAST({{words}} AS tsvector))",
                    self.table
                )
            }
        };
        connection.send_set(&template, self.words.take())
    }
}

/// All words, in any order; words in quotes or without spaces between (Chinese) in this order; the last may be a
/// beginning. What a person types never reaches a database's own syntax: every word is quoted.
pub(crate) fn match_expression(dialect: Dialect, search: &str) -> std::result::Result<String, StoreError> {
    let phrases = page::words::search_query(search);
    let open_end = !search.ends_with(char::is_whitespace) && !search.ends_with('"');
    let expression = match dialect {
        Dialect::Sqlite => for_fts5(&phrases, open_end),
        Dialect::Postgres => for_tsquery(&phrases, open_end),
    };
    expression.ok_or_else(|| StoreError::EmptySearch(search.chars().take(80).collect()))
}

fn for_fts5(phrases: &[Vec<String>], open_end: bool) -> Option<String> {
    let phrases = phrases.iter().filter(|terms| !terms.is_empty());
    let phrases: Vec<String> =
        phrases.map(|terms| format!("\"{}\"", terms.join(" ").replace('"', " "))).collect();
    (!phrases.is_empty()).then(|| phrases.join(" AND ") + if open_end { "*" } else { "" })
}

fn for_tsquery(phrases: &[Vec<String>], open_end: bool) -> Option<String> {
    let phrases: Vec<Vec<String>> = phrases
        .iter()
        .map(|terms| terms.iter().flat_map(|term| lexemes(term)).collect::<Vec<_>>())
        .filter(|words| !words.is_empty())
        .collect();
    let mut query = String::new();
    for (n, words) in phrases.iter().enumerate() {
        query.push_str(if n > 0 { " & (" } else { "(" });
        for (m, word) in words.iter().enumerate() {
            let is_last = n + 1 == phrases.len() && m + 1 == words.len();
            let between = if m > 0 { " <-> " } else { "" };
            let beginning = if is_last && open_end { ":*" } else { "" };
            let _ = write!(query, "{between}{}{beginning}", Quoted(word));
        }
        query.push(')');
    }
    (!phrases.is_empty()).then_some(query)
}

/// The words of a title and of a text with their places, as PostgreSQL writes a `tsvector`. No phrase goes from one to
/// the other.
fn vector(title: &str, text: &str) -> String {
    let words = |part: &str| part.split(' ').flat_map(lexemes).collect::<Vec<_>>();
    vector_of(&words(title), &words(text))
}

/// The same of words that are cut already. An empty one stands for a place of which nothing is known.
pub(crate) fn vector_of(title: &[String], text: &[String]) -> String {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    let (mut place, mut bytes) = (0, 0);
    for part in [title, text] {
        for word in part {
            place += 1;
            if word.is_empty() {
                continue;
            }
            let size = word.len() + 2;
            let known = places.entry(word).or_default();
            if known.is_empty() {
                bytes += size;
            }
            if known.len() < MOST_PLACES && place <= LAST_PLACE {
                known.push(place);
                bytes += 2;
            }
            if bytes > MOST_BYTES {
                break;
            }
        }
        place += 1;
    }
    let mut vector = String::with_capacity(bytes * 3);
    for (word, places) in &places {
        let _ = write!(vector, "{}", Quoted(word));
        for (n, place) in places.iter().enumerate() {
            let _ = write!(vector, "{}{place}", if n > 0 { ',' } else { ':' });
        }
        vector.push(' ');
    }
    vector
}

/// What FTS5's `unicode61 remove_diacritics 2` makes of a word: letters and digits, Latin ones without their accents.
pub(crate) fn lexemes(word: &str) -> impl Iterator<Item = String> {
    word.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c))
        .map(|part| {
            let mut plain: String = part.chars().map(without_accent).collect();
            plain.retain(|c| !is_accent(c));
            plain.truncate(plain.floor_char_boundary(LONGEST_WORD));
            plain
        })
        .filter(|part| !part.is_empty())
}

fn without_accent(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    match [c].into_iter().nfd().next() {
        Some(base) if base.is_ascii_alphabetic() => base,
        _ => c,
    }
}

/// Accents that stand by themselves.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{331}')
}

/// A word between quotes; neither can end them.
struct Quoted<'a>(&'a str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "'{}'", self.0.replace('\\', "\\\\").replace('\'', "''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_fts5_cuts_them() {
        let cut = |word: &str| lexemes(word).collect::<Vec<_>>();
        assert_eq!(cut("café's"), ["cafe", "s"]);
        assert_eq!(cut("мой"), ["мой"]);
        assert_eq!(cut("…"), [""; 0]);
        assert_eq!(cut("新华"), ["新华"]);
    }

    #[test]
    fn a_query_is_quoted_phrases() {
        let query = |text: &str| match_expression(Dialect::Postgres, text).unwrap();
        assert_eq!(query("gold price"), "('gold') & ('price':*)");
        assert_eq!(query("\"gold price\""), "('gold' <-> 'price')");
        assert_eq!(query("新华社 "), "('新华' <-> '华社')");
        assert!(match_expression(Dialect::Postgres, " & ").is_err());
    }

    #[test]
    fn a_vector_has_places_and_a_gap_after_the_title() {
        let one = vector("cup", "cup final");
        assert!(one.contains("'cup':1,3") && one.contains("'final':4"), "{one}");
    }
}
