//! A connection for short words that must not wait behind deeds: being present, and what time it is.

use crate::database::Connection;
use crate::place::Place;
use crate::{Store, StoreError};
use std::sync::{Arc, Mutex, PoisonError};

/// The connection, if it is open.
#[derive(Clone, Default)]
pub(crate) struct Line {
    connection: Arc<Mutex<Option<Connection>>>,
}

impl Store {
    /// Says a few words over the line. In a file there is one writer, and words go through it like everything else.
    pub(super) async fn on_line<T, F>(&self, mut words: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let Place::Server(server) = &self.inner.place else { return self.write_beside(words).await };
        let (server, line) = (server.clone(), self.inner.line.connection.clone());
        let said = tokio::task::spawn_blocking(move || {
            let mut kept = line.lock().unwrap_or_else(PoisonError::into_inner);
            let connection = match kept.take().filter(Connection::is_usable) {
                Some(connection) => connection,
                None => server.connect()?,
            };
            let said = words(&connection);
            *kept = Some(connection);
            said
        });
        said.await.map_err(|_| StoreError::Closed)?
    }
}
