//! Names to addresses. A seam, so that tests can lie about names.

use futures_util::future::BoxFuture;
use std::io;
use std::net::SocketAddr;

/// Turns a host name into addresses. Whatever it answers, the gate looks at it.
pub trait Resolve: Send + Sync {
    /// The addresses of `host`, each with the port to connect to.
    fn resolve(&self, host: &str, port: u16) -> BoxFuture<'_, io::Result<Vec<SocketAddr>>>;
}

/// The system's resolver: hosts file, DNS, whatever the machine is set up with.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, host: &str, port: u16) -> BoxFuture<'_, io::Result<Vec<SocketAddr>>> {
        let host = host.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    }
}
