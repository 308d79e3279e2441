//! An address of its own for each site, so that politeness per host means something.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddrV4};
use tokio::net::TcpListener;

/// Sites per block of addresses: 1 to 250 in the last octet.
const BLOCK: usize = 250;

/// Binds the address of a site. Systems that know only 127.0.0.1 get every site there, on its own port.
pub(super) async fn bind(site: usize, port: u16) -> io::Result<TcpListener> {
    let (block, last) = ((site / BLOCK) as u8, (site % BLOCK + 1) as u8);
    let candidates =
        [[127, 0, 2 + block, last], [127, 0, 102 + block, last], [127, 1, 2 + block, last], [127, 0, 0, 1]];
    let mut failure = io::Error::from(ErrorKind::AddrNotAvailable);
    for octets in candidates {
        match TcpListener::bind(SocketAddrV4::new(Ipv4Addr::from(octets), port)).await {
            Ok(listener) => return Ok(listener),
            // A port that was asked for and is taken: moving elsewhere would silently change every address.
            Err(error) if port != 0 && error.kind() == ErrorKind::AddrInUse => return Err(error),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}
