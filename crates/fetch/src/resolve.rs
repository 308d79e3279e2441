//! Names to addresses. A seam, so that tests can lie about names.

use futures_util::future::BoxFuture;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Turns a host name into addresses. Whatever it answers, the gate looks at it.
pub trait Resolve: Send + Sync {
    /// The addresses of `host`, each with the port to connect to.
    fn resolve(&self, host: &str, port: u16) -> BoxFuture<'_, io::Result<Vec<SocketAddr>>>;
}

/// A name server that does not answer holds a thread for half a minute, whatever our own time limit says. So many
/// may: the rest of the blocking threads belong to reading and to the store.
const LOOKUPS_AT_ONCE: usize = 8;

/// The system's resolver: hosts file, DNS, whatever the machine is set up with.
#[derive(Debug, Clone)]
pub struct SystemResolver {
    places: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(LOOKUPS_AT_ONCE)) }
    }
}

impl Resolve for SystemResolver {
    fn resolve(&self, host: &str, port: u16) -> BoxFuture<'_, io::Result<Vec<SocketAddr>>> {
        let (host, places) = (host.to_owned(), self.places.clone());
        Box::pin(async move {
            let place = places.acquire_owned().await.map_err(io::Error::other)?;
            let look_up = move || {
                let addresses = (host.as_str(), port).to_socket_addrs().map(Iterator::collect);
                drop(place);
                addresses
            };
            tokio::task::spawn_blocking(look_up).await.map_err(io::Error::other)?
        })
    }
}
