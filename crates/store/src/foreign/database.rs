//! A connection that answers questions in rows of text, until time is up.

use super::ForeignError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// A row: text, or nothing.
pub(super) type Row = Vec<Option<String>>;

/// A connection to a foreign database.
pub(super) struct Database {
    pub(super) connection: Connection,
    pub(super) time: Duration,
    pub(super) deadline: Instant,
}

pub(super) enum Connection {
    Sqlite(Arc<Mutex<rusqlite::Connection>>),
    Postgres(tokio_postgres::Client),
}

impl Database {
    /// The rows that answer a question.
    pub(super) async fn rows(&self, sql: &str) -> Result<Vec<Row>, ForeignError> {
        match &self.connection {
            Connection::Sqlite(connection) => self.sqlite(Arc::clone(connection), sql.to_owned()).await,
            Connection::Postgres(client) => {
                let answer = timeout_at(self.deadline, client.simple_query(sql)).await;
                let messages = answer.map_err(|_| ForeignError::TooSlow(self.time))?.map_err(refused)?;
                let row = |message| match message {
                    tokio_postgres::SimpleQueryMessage::Row(row) => {
                        Some((0..row.len()).map(|at| row.get(at).map(str::to_owned)).collect())
                    }
                    _ => None,
                };
                Ok(messages.into_iter().filter_map(row).collect())
            }
        }
    }

    async fn sqlite(
        &self,
        connection: Arc<Mutex<rusqlite::Connection>>,
        sql: String,
    ) -> Result<Vec<Row>, ForeignError> {
        let interrupt = connection.lock().unwrap_or_else(PoisonError::into_inner).get_interrupt_handle();
        let work = tokio::task::spawn_blocking(move || {
            let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            answer(&connection, &sql)
        });
        match timeout_at(self.deadline, work).await {
            Ok(Ok(rows)) => rows.map_err(refused),
            Ok(Err(failed)) => Err(ForeignError::Refused(failed.to_string())),
            Err(_) => {
                interrupt.interrupt();
                Err(ForeignError::TooSlow(self.time))
            }
        }
    }
}

fn refused(error: impl std::fmt::Display) -> ForeignError {
    ForeignError::Refused(error.to_string())
}

fn answer(connection: &rusqlite::Connection, sql: &str) -> rusqlite::Result<Vec<Row>> {
    let mut statement = connection.prepare(sql)?;
    let width = statement.column_count();
    let rows = statement.query_map([], |row| (0..width).map(|at| row.get_ref(at).map(text)).collect())?;
    rows.collect()
}

fn text(value: rusqlite::types::ValueRef<'_>) -> Option<String> {
    use rusqlite::types::ValueRef;
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// A name as SQL wants it; both databases agree.
pub(super) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
