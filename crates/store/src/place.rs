//! Where the data are: in a file, or on a server.

use crate::database::{Connection, Server};
use crate::{Secret, StoreError, moving, schema};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone)]
pub(crate) enum Place {
    File(PathBuf),
    Server(Arc<Server>),
}

impl Place {
    /// A connection that may write, with the schema up to date. Data that a move has not brought whole are refused.
    pub(crate) fn open(&self) -> Result<Connection, StoreError> {
        let connection = self.open_unfinished()?;
        moving::refuse_unfinished(&connection, self)?;
        let signed_in = connection.sign_in(Secret::new("")?.reveal().to_owned());
        match self {
            Self::File(_) => signed_in?,
            Self::Server(server) => signed_in.map_err(|error| server.explain(error.into()))?,
        }
        Ok(connection)
    }

    /// The same, for whoever brings them.
    pub(crate) fn open_unfinished(&self) -> Result<Connection, StoreError> {
        match self {
            Self::File(file) => Ok(schema::open(file)?.into()),
            Self::Server(server) => schema::open_server(server),
        }
    }

    /// What the data are called: a file, or a database with its server. Never with a password.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(file) => file.display().to_string(),
            Self::Server(server) => server.database().to_owned(),
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
