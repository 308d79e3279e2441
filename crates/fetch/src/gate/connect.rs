//! The one place where a connection is opened.

use super::Admitted;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use std::io;
use std::time::Duration;
use tokio::net::TcpStream;

/// How long an address is waited for before the next is tried beside it, so that a broken IPv6 route costs a
/// moment and not the whole time limit (RFC 8305 recommends this number).
const HEAD_START: Duration = Duration::from_millis(250);

/// Addresses tried at most: a name with a hundred addresses is not worth a hundred connections.
const MOST_ADDRESSES: usize = 6;

impl Admitted {
    /// Connects to the first of the addresses that answers.
    pub(crate) async fn connect(&self) -> io::Result<TcpStream> {
        let mut waiting = self.addresses.iter().take(MOST_ADDRESSES);
        let mut attempts = FuturesUnordered::new();
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        loop {
            match waiting.next() {
                Some(address) => attempts.push(TcpStream::connect(*address)),
                None if attempts.is_empty() => return Err(last),
                None => {}
            }
            tokio::select! {
                Some(attempt) = attempts.next() => match attempt {
                    Ok(stream) => {
                        // Requests are one small packet; waiting to fill it would only delay them.
                        stream.set_nodelay(true)?;
                        return Ok(stream);
                    }
                    Err(error) => last = error,
                },
                () = tokio::time::sleep(HEAD_START), if waiting.len() > 0 => {}
            }
        }
    }
}
