//! What stands in the database, read without the program: whoever is judged does not read out the books.

use testkit::postgres::Postgres;

/// The books.
pub(super) struct Books<'a> {
    pub(super) postgres: &'a Postgres,
    pub(super) database: &'a str,
}

impl Books<'_> {
    pub(super) fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        self.postgres.rows_of(self.database, sql)
    }

    /// The answer to a question for one number.
    pub(super) fn number(&self, sql: &str) -> i64 {
        let rows = self.rows(sql);
        rows.first().and_then(|row| row.first()).and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    /// Pairs of texts.
    pub(super) fn pairs(&self, sql: &str) -> Vec<(String, String)> {
        self.rows(sql)
            .into_iter()
            .filter_map(|row| {
                let mut row = row.into_iter();
                Some((row.next()?, row.next()?))
            })
            .collect()
    }
}
