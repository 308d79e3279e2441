//! Read connections: they see the last committed state and never wait for the writer.

use crate::StoreError;
use crate::database::Connection;
use crate::place::Place;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Two cores answer no faster with more, and each connection has a page cache of its own.
const READERS: usize = 4;

/// Whoever asks waits this long for a server that is gone: a restart passes unnoticed, and a page says soon what is wrong.
const WAIT_FOR_SERVER: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) struct Readers {
    place: Place,
    idle: Arc<Mutex<Vec<Connection>>>,
    places: Arc<Semaphore>,
}

impl Readers {
    pub(crate) fn new(place: Place) -> Self {
        Self { place, idle: Arc::default(), places: Arc::new(Semaphore::new(READERS)) }
    }

    /// Asks a question, and once more if the connection was lost meanwhile.
    pub(crate) async fn run<T, F>(&self, mut question: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let permit = self.places.clone().acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let idle = self.idle.clone();
        let place = self.place.clone();
        let answer = tokio::task::spawn_blocking(move || {
            let began = Instant::now();
            let answer = loop {
                let answer = ask(&idle, &place, &mut question);
                let passes = answer.as_ref().err().is_some_and(StoreError::is_lost);
                if !passes || began.elapsed() > WAIT_FOR_SERVER {
                    break answer;
                }
                std::thread::sleep(PAUSE);
            };
            drop(permit);
            answer
        });
        answer.await.map_err(|_| StoreError::Closed)?
    }
}

fn ask<T>(
    idle: &Mutex<Vec<Connection>>,
    place: &Place,
    question: &mut dyn FnMut(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let kept = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let kept = std::iter::from_fn(kept).find(Connection::is_usable);
    let connection = match kept {
        Some(connection) => connection,
        None => place.open_reader()?,
    };
    let answer = question(&connection);
    if connection.is_usable() {
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
    answer
}
