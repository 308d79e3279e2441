//! Read connections: they see the last committed state and never wait for the writer.

use crate::StoreError;
use crate::database::Connection;
use crate::place::Place;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// Two cores answer no faster with more, and each connection has a page cache of its own.
const READERS: usize = 4;

pub(crate) struct Readers {
    place: Place,
    idle: Arc<Mutex<Vec<Connection>>>,
    places: Arc<Semaphore>,
}

impl Readers {
    pub(crate) fn new(place: Place) -> Self {
        Self { place, idle: Arc::default(), places: Arc::new(Semaphore::new(READERS)) }
    }

    pub(crate) async fn run<T, F>(&self, question: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let permit = self.places.clone().acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let idle = self.idle.clone();
        let place = self.place.clone();
        let answer = tokio::task::spawn_blocking(move || {
            let kept = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let connection = match kept {
                Some(connection) => connection,
                None => place.open_reader()?,
            };
            let answer = question(&connection);
            if connection.is_usable() {
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            }
            drop(permit);
            answer
        });
        answer.await.map_err(|_| StoreError::Closed)?
    }
}
