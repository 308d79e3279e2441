//! All that is said otherwise to PostgreSQL than to SQLite, each difference once.

use std::fmt::Write as _;

/// Which database is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// After a question: the rows it names stay as they are until the deed is over.
    pub(crate) fn holding_rows(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR NO KEY UPDATE",
        }
    }

    /// The same, without waiting: rows that another deed holds are passed over.
    pub(crate) fn holding_free_rows(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR NO KEY UPDATE SKIP LOCKED",
        }
    }

    /// The database's own time in milliseconds since 1970.
    pub(crate) fn now_ms(self) -> &'static str {
        match self {
            Self::Sqlite => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
            Self::Postgres => "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
        }
    }

    /// The same in microseconds.
    pub(crate) fn now_us(self) -> &'static str {
        match self {
            Self::Sqlite => "CAST(unixepoch('subsec') * 1000000 AS INTEGER)",
            Self::Postgres => "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
        }
    }

    /// Since when the database is there, in milliseconds since 1970.
    pub(crate) fn up_since_ms(self) -> &'static str {
        match self {
            Self::Sqlite => "0",
            Self::Postgres => "CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000 AS BIGINT)",
        }
    }

    /// A set of numbers that is given as a JSON array at `place`: to be asked with `IN`.
    pub(crate) fn numbers_of_json(self, place: &str) -> String {
        match self {
            Self::Sqlite => format!("(SELECT value FROM json_each({place}))"),
            Self::Postgres => {
                format!("(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST({place} AS JSON)))")
            }
        }
    }

    /// Distinct numbers of a group as one text, with commas between.
    pub(crate) fn list_of_numbers(self, column: &str) -> String {
        match self {
            Self::Sqlite => format!("group_concat(DISTINCT {column})"),
            Self::Postgres => format!("string_agg(DISTINCT CAST({column} AS TEXT), ',')"),
        }
    }

    /// After the name of a table: it is read in the order of its numbers, not by an index. PostgreSQL has an index in that
    /// order.
    pub(crate) fn by_number(self) -> &'static str {
        match self {
            Self::Sqlite => " NOT INDEXED",
            Self::Postgres => "",
        }
    }

    /// The next numbers of a table, as many as `?1` says. A file has one writer; a server gives each number once.
    pub(crate) fn next_numbers(self, table: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "WITH RECURSIVE next (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM next WHERE number < ?1)
                 SELECT number + (SELECT coalesce(max(id), 0) FROM {table}) FROM next"
            ),
            // The sequence is looked up once, not for each number.
            Self::Postgres => format!(
                "SELECT nextval(own.numbers) FROM (
                     SELECT CAST(pg_get_serial_sequence('{table}', 'id') AS REGCLASS) AS numbers OFFSET 0) own,
                 generate_series(1, CAST(?1 AS BIGINT))"
            ),
        }
    }

    /// Whether the words in `table`, called `alias` here, hold what is asked for at `place`.
    pub(crate) fn matches(self, table: &str, alias: &str, place: &str) -> String {
        match self {
            Self::Sqlite => format!("{table} MATCH {place}"),
            Self::Postgres => format!("{alias}.words @@ CAST(CAST({place} AS TEXT) AS tsquery)"),
        }
    }

    /// Puts words into `table` under a number, in place of what was there: number, title, text.
    pub(crate) fn put_words(self, table: &str) -> String {
        match self {
            Self::Sqlite => {
                format!("INSERT OR REPLACE INTO {table} (rowid, title, text) VALUES (?1, ?2, ?3)")
            }
            Self::Postgres => format!(
                "INSERT INTO {table} (rowid, words) VALUES (?1, CAST(CAST(?2 AS TEXT) AS tsvector))
                 ON CONFLICT (rowid) DO UPDATE SET words = excluded.words"
            ),
        }
    }
}

/// A statement as PostgreSQL wants it: `?1` is `$1`, a bare `?` counts on, and `max` and `min` of several values are
/// `greatest` and `least`. (Those pass over NULL, where SQLite's answer NULL: deeds ask no such question.)
pub(super) fn to_postgres(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len() + 16);
    let (mut rest, mut counted) = (sql, 0_u32);
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '\'' | '"' => {
                let end = rest[1..].find(first).map_or(rest.len(), |end| end + 2);
                out.push_str(&rest[..end]);
                end
            }
            '?' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                if digits == 0 {
                    counted += 1;
                    let _ = write!(out, "${counted}");
                } else {
                    let _ = write!(out, "${}", &rest[1..=digits]);
                }
                1 + digits
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                out.push_str(match word {
                    "max" if has_several_values(after) => "greatest",
                    "min" if has_several_values(after) => "least",
                    word => word,
                });
                end
            }
            other => {
                out.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    out
}

/// Whether a call that begins here has more than one argument.
fn has_several_values(call: &str) -> bool {
    let mut depth = 0;
    for c in call.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 1 => return true,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::to_postgres;

    #[test]
    fn places_are_numbered_and_texts_are_left_alone() {
        assert_eq!(
            to_postgres("SELECT ?1, '?2', \"a?\" WHERE x = ?12"),
            "SELECT $1, '?2', \"a?\" WHERE x = $12"
        );
        assert_eq!(to_postgres("a < ? AND b = ? LIMIT ?"), "a < $1 AND b = $2 LIMIT $3");
        assert_eq!(to_postgres("'it''s ?' || ?1 || '…'"), "'it''s ?' || $1 || '…'");
    }

    #[test]
    fn the_greatest_of_several_values_is_told_from_the_greatest_of_many_rows() {
        let sql = "SELECT max(id), max(min(at, ?1), coalesce(x, 0)), min(f(a, b)), maximum FROM t";
        let same = "SELECT max(id), greatest(least(at, $1), coalesce(x, 0)), min(f(a, b)), maximum FROM t";
        assert_eq!(to_postgres(sql), same);
    }
}
