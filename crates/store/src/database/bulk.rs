//! Many rows at once: COPY on PostgreSQL, one statement a row on SQLite, which is as quick.

use super::{Connection, Result, ToValue};

impl Connection {
    /// Puts rows into a table; each has a value for each of the columns, in their order.
    pub(crate) fn put_rows<T: ToValue>(&self, table: &str, columns: &[&str], rows: &[Vec<T>]) -> Result<()> {
        let names = columns.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        match self {
            Self::Sqlite(_) => {
                let places = vec!["?"; columns.len()].join(", ");
                let sql = format!("INSERT INTO {table} ({names}) VALUES ({places})");
                let mut statement = self.prepare_cached(&sql)?;
                rows.iter().try_for_each(|row| statement.execute(row.as_slice()).map(drop))
            }
            Self::Postgres(link) => link.copy(table, &names, rows),
        }
    }
}
