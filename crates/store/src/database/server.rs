//! Where a PostgreSQL server is, and how to get there. What goes wrong is told without the password.

use super::error::in_words;
use super::{Connection, DatabaseError, Link};
use crate::StoreError;
use std::time::Duration;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, NoTls};

/// Waiting longer for a server is waiting in vain.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// A server that is gone without a word is noticed after about this long.
const SILENT_FOR: Duration = Duration::from_secs(20);

/// The address of a database.
#[derive(Clone)]
pub(crate) struct Server {
    config: Config,
    /// Host, port and database; never the password.
    name: String,
}

impl Server {
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(StoreError::BadUrl("it does not begin with postgres://".into()));
        }
        let mut config: Config = url.parse().map_err(|error| StoreError::BadUrl(in_words(&error)))?;
        let host = match (config.get_hosts().first(), config.get_hostaddrs().first()) {
            (Some(Host::Tcp(host)), _) => host.clone(),
            #[cfg(unix)]
            (Some(Host::Unix(folder)), _) => folder.display().to_string(),
            (None, Some(address)) => address.to_string(),
            (None, None) => return Err(StoreError::BadUrl("it names no host".into())),
        };
        let Some(database) = config.get_dbname() else {
            return Err(StoreError::BadUrl("it names no database".into()));
        };
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let name = format!("{database} on {host}:{port}");
        if config.get_ssl_mode() == SslMode::Require {
            return Err(StoreError::NoTls { database: name });
        }
        config.ssl_mode(SslMode::Disable);
        config.application_name("ripplewatch").keepalives_idle(SILENT_FOR).tcp_user_timeout(SILENT_FOR);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_WITHIN);
        }
        Ok(Self { config, name })
    }

    /// What people know the database by.
    pub(crate) fn database(&self) -> &str {
        &self.name
    }

    /// A connection that may write. Not to be called on a thread of an async runtime.
    pub(crate) fn connect(&self) -> Result<Connection, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime =
            runtime.map_err(|source| StoreError::Io { what: "starting a connection".into(), source })?;
        let connected = runtime.block_on(async {
            let connecting = tokio::time::timeout(CONNECT_WITHIN * 2, self.config.connect(NoTls));
            let (client, connection) = connecting.await.map_err(|_| None)?.map_err(Some)?;
            // Driven whenever somebody waits for an answer.
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(error = in_words(&error), "a connection to PostgreSQL ended");
                }
            });
            Ok(client)
        });
        let client = connected.map_err(|error: Option<tokio_postgres::Error>| match error {
            Some(error) => self.refused(error),
            None => self.unreachable("no answer".into()),
        })?;
        Ok(Connection::Postgres(Link::new(client, runtime)))
    }

    /// A connection that only looks.
    pub(crate) fn connect_reader(&self) -> Result<Connection, StoreError> {
        let connection = self.connect()?;
        connection.execute_batch("SET default_transaction_read_only = on")?;
        Ok(connection)
    }

    fn unreachable(&self, detail: String) -> StoreError {
        StoreError::Unreachable { database: self.name.clone(), detail }
    }

    fn refused(&self, error: tokio_postgres::Error) -> StoreError {
        let (database, detail) = (self.name.clone(), in_words(&error));
        match error.code() {
            Some(&(SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION)) => {
                StoreError::WrongLogin { database, detail }
            }
            Some(&SqlState::INVALID_CATALOG_NAME) => StoreError::NoDatabase { database },
            Some(&SqlState::TOO_MANY_CONNECTIONS) => StoreError::Crowded { database },
            // The server wants a password and the URL has none.
            None if error.to_string().contains("password") => StoreError::WrongLogin { database, detail },
            _ => self.unreachable(detail),
        }
    }

    /// Says what to do about trouble while the data are opened.
    pub(crate) fn explain(&self, error: StoreError) -> StoreError {
        let StoreError::Sql(said @ DatabaseError::Postgres(_)) = &error else { return error };
        let (database, detail) = (self.name.clone(), said.to_string());
        match said.state() {
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => StoreError::NoRights { database, detail },
            Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => StoreError::ReadOnly { database },
            // No schema in the search path that exists.
            Some(&SqlState::INVALID_SCHEMA_NAME) => StoreError::NoRights { database, detail },
            _ => error,
        }
    }
}
