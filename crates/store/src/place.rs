//! Where the data are: in a file, or on a server.

use crate::database::{Connection, Server};
use crate::{Secret, StoreError, schema};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone)]
pub(crate) enum Place {
    File(PathBuf),
    Server(Arc<Server>),
}

impl Place {
    /// A connection that may write, with the schema up to date.
    pub(crate) fn open(&self) -> Result<Connection, StoreError> {
        match self {
            Self::File(file) => Ok(schema::open(file)?.into()),
            Self::Server(server) => {
                let connection = schema::open_server(server)?;
                connection.sign_in(Secret::new("")?.reveal().to_owned())?;
                Ok(connection)
            }
        }
    }

    /// A connection that only looks.
    pub(crate) fn open_reader(&self) -> Result<Connection, StoreError> {
        match self {
            Self::File(file) => Ok(schema::open_reader(file)?.into()),
            Self::Server(server) => server.connect_reader(),
        }
    }
}
