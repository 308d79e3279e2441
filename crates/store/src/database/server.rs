//! Where a PostgreSQL server is, and how to get there. What goes wrong is told without the password.

use super::error::in_words;
use super::tls::Tls;
use super::{Connection, DatabaseError, Link};
use crate::StoreError;
use std::path::PathBuf;
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
    pub(super) config: Config,
    /// Host, port and database; never the password.
    name: String,
    /// How to encrypt, if that was asked for.
    pub(super) tls: Option<Tls>,
}

impl Server {
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(StoreError::BadUrl("it does not begin with postgres://".into()));
        }
        // Else the end of a password would be taken for the host, and shown.
        if url.split('?').next().is_some_and(|front| front.matches('@').count() > 1) {
            return Err(StoreError::BadUrl(
                "it holds more than one @: in a password @ is written %40, / %2F and : %3A".into(),
            ));
        }
        let (url, encrypted, authorities) = encryption(url)?;
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
        // Without being asked for, it is not tried: a server's own certificate is verified by nobody's authority.
        config.ssl_mode(if encrypted { SslMode::Require } else { SslMode::Disable });
        let tls =
            encrypted.then(|| Tls::new(authorities.as_deref())).transpose().map_err(StoreError::BadUrl)?;
        config.application_name("ripplewatch").keepalives_idle(SILENT_FOR).tcp_user_timeout(SILENT_FOR);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_WITHIN);
        }
        Ok(Self { config, name, tls })
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
            let connecting = async {
                if let Some(tls) = &self.tls {
                    let (client, connection) = self.config.connect(tls.clone()).await?;
                    tokio::spawn(drive(connection));
                    return Ok(client);
                }
                let (client, connection) = self.config.connect(NoTls).await?;
                tokio::spawn(drive(connection));
                Ok(client)
            };
            tokio::time::timeout(CONNECT_WITHIN * 2, connecting).await.map_err(|_| None)?.map_err(Some)
        });
        let client = connected.map_err(|error: Option<tokio_postgres::Error>| match error {
            Some(error) => self.refused(&error),
            None => self.unreachable("no answer".into()),
        })?;
        Ok(Connection::Postgres(Box::new(Link::new(client, runtime))))
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

    fn refused(&self, error: &tokio_postgres::Error) -> StoreError {
        let (database, detail) = (self.name.clone(), in_words(error));
        match error.code() {
            Some(&(SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION)) => {
                StoreError::WrongLogin { database, detail }
            }
            Some(&SqlState::INVALID_CATALOG_NAME) => StoreError::NoDatabase { database },
            Some(&SqlState::TOO_MANY_CONNECTIONS) => StoreError::Crowded { database },
            // The server wants a password and the URL has none.
            None if detail.contains("password") => StoreError::WrongLogin { database, detail },
            _ => self.unreachable(detail),
        }
    }

    /// Says what to do about trouble while the data are opened.
    pub(crate) fn explain(&self, error: StoreError) -> StoreError {
        let StoreError::Sql(said @ DatabaseError::Postgres(_)) = &error else { return error };
        let (database, detail) = (self.name.clone(), said.to_string());
        match said.state() {
            Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => StoreError::ReadOnly { database },
            // The second: no schema of the search path exists.
            Some(&(SqlState::INSUFFICIENT_PRIVILEGE | SqlState::INVALID_SCHEMA_NAME)) => {
                StoreError::NoRights { database, detail }
            }
            _ => error,
        }
    }
}

/// Moves bytes, whenever somebody waits for an answer.
async fn drive(connection: impl Future<Output = Result<(), tokio_postgres::Error>>) {
    if let Err(error) = connection.await {
        tracing::debug!(error = in_words(&error), "a connection to PostgreSQL ended");
    }
}

/// What a URL says about encryption, in the words that `psql` knows, and the URL without them.
fn encryption(url: &str) -> Result<(String, bool, Option<PathBuf>), StoreError> {
    let Some((address, query)) = url.split_once('?') else { return Ok((url.to_owned(), false, None)) };
    let (mut encrypted, mut authorities) = (false, None);
    let mut others = Vec::new();
    for part in query.split('&') {
        match part.split_once('=') {
            Some(("sslmode", "require" | "verify-ca" | "verify-full")) => encrypted = true,
            Some(("sslmode", "disable" | "allow" | "prefer")) => {}
            Some(("sslmode", other)) => {
                return Err(StoreError::BadUrl(format!(
                    "there is no sslmode {other}; use disable or require"
                )));
            }
            Some(("sslrootcert", file)) => {
                let decoded = url::form_urlencoded::parse(file.as_bytes()).map(|(file, _)| file.into_owned());
                authorities = Some(PathBuf::from(decoded.collect::<String>()));
            }
            _ => others.push(part),
        }
    }
    let between = if others.is_empty() { "" } else { "?" };
    Ok((format!("{address}{between}{}", others.join("&")), encrypted, authorities))
}
