//! The connections a session keeps: one for an origin, a few in all.

use crate::connection::Connection;

/// A site, its images' host, a login host and one more: what one visit meets.
const MOST: usize = 4;

/// Kept connections, the one used last at the end.
#[derive(Default)]
pub(super) struct Connections {
    kept: Vec<(String, Connection)>,
}

impl Connections {
    /// Takes the open connection to an origin out, if there is one.
    pub(super) fn take(&mut self, origin: &str) -> Option<Connection> {
        let index = self.kept.iter().position(|(kept, _)| kept == origin)?;
        let (_, connection) = self.kept.remove(index);
        connection.is_open().then_some(connection)
    }

    /// Keeps a connection, closing the one unused for longest if there are too many.
    pub(super) fn keep(&mut self, origin: String, connection: Connection) {
        if self.kept.len() >= MOST {
            self.kept.remove(0);
        }
        self.kept.push((origin, connection));
    }
}
