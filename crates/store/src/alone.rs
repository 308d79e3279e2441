//! Being the only one: a lock on a database that goes with the process that holds it.

use crate::StoreError;
use crate::database::{Connection, Server};
use std::sync::Mutex;

/// "RPPL" and one: the lock of whoever visits.
const VISITOR: i64 = 0x5250_504C_0001;

/// Held by the one process that visits on behalf of a database. The server lets go of it when the process is gone.
pub struct Alone {
    _connection: Box<Mutex<Connection>>,
}

impl Alone {
    /// Takes the lock of the database with this URL; `None` if another process has it.
    pub fn take(url: &str) -> Result<Option<Self>, StoreError> {
        let server = Server::parse(url)?;
        // Whoever asks may be on a thread of an async runtime, where waiting is not allowed.
        let taking = std::thread::spawn(move || {
            let connection = server.connect()?;
            let taken =
                connection.query_row("SELECT pg_try_advisory_lock(?1)", [VISITOR], |row| row.get(0))?;
            let taken: bool = taken;
            Ok(taken.then(|| Self { _connection: Box::new(Mutex::new(connection)) }))
        });
        taking.join().unwrap_or(Err(StoreError::Panicked))
    }
}
