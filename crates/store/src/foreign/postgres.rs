//! The schema of a PostgreSQL database.

use super::ForeignError;
use super::database::{Connection, Database};
use discovery::ontology::relational::{Column, ColumnKind, Inclusion, Schema, Table};
use std::time::Duration;
use tokio::time::{Instant, timeout};
use tokio_postgres::config::Host;

/// Names in a list are parted by a character that names do not have.
const SEPARATOR: char = '\u{1f}';
/// Waiting longer for a server is waiting in vain.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);

const COLUMNS: &str = "SELECT c.table_schema, c.table_name, c.column_name, c.data_type
    FROM information_schema.columns c
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    WHERE t.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
    ORDER BY c.table_schema, c.table_name, c.ordinal_position";

const CONSTRAINTS: &str = "SELECT k.contype::text, n.nspname, c.relname,
        (SELECT string_agg(a.attname, chr(31) ORDER BY u.place) FROM unnest(k.conkey) WITH ORDINALITY u(number, place)
            JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number),
        fn.nspname, f.relname,
        (SELECT string_agg(a.attname, chr(31) ORDER BY u.place) FROM unnest(k.confkey) WITH ORDINALITY u(number, place)
            JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number)
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_class f ON f.oid = k.confrelid
    LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
    WHERE k.contype IN ('p', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    ORDER BY n.nspname, c.relname, k.conkey";

pub(super) async fn open(url: &str, time: Duration, deadline: Instant) -> Result<Database, ForeignError> {
    let mut config: tokio_postgres::Config =
        url.parse().map_err(|error| ForeignError::BadUrl(chain(&error)))?;
    config.connect_timeout(CONNECT_WITHIN.min(time)).application_name("ripplewatch");
    let server = server(&config);
    let unreachable = |detail: String| ForeignError::Unreachable { server: server.clone(), detail };
    // Hosts that are there but never answer are given up too.
    let opened = timeout(CONNECT_WITHIN.min(time), config.connect(tokio_postgres::NoTls)).await;
    let (client, connection) = opened
        .map_err(|_| unreachable(format!("no answer within {:?}", CONNECT_WITHIN.min(time))))?
        .map_err(|error| unreachable(chain(&error)))?;
    // Ends when the client is dropped.
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "the connection to a foreign database ended");
        }
    });
    let database = Database { connection: Connection::Postgres(client), time, deadline };
    let session = format!(
        "SET default_transaction_read_only = on; SET statement_timeout = {}; SET client_encoding = 'UTF8'",
        time.as_millis().max(1)
    );
    database.rows(&session).await?;
    Ok(database)
}

pub(super) async fn schema(database: &Database) -> Result<Schema, ForeignError> {
    let name = database.rows("SELECT current_database()").await?.into_iter().flatten().flatten().next();
    let mut schema = Schema { name: name.unwrap_or_default(), ..Schema::default() };
    for row in database.rows(COLUMNS).await? {
        let [Some(space), Some(table), Some(column), Some(kind_name)] = row.as_slice() else { continue };
        let name = full_name(space, table);
        if schema.tables.last().is_none_or(|last| last.name != name) {
            schema.tables.push(Table { name, ..Table::default() });
        }
        if let Some(table) = schema.tables.last_mut() {
            table.columns.push(Column { name: column.clone(), kind: kind(kind_name), samples: Vec::new() });
        }
    }
    for row in database.rows(CONSTRAINTS).await? {
        let cell = |at: usize| row.get(at).cloned().flatten().unwrap_or_default();
        let list = |at: usize| cell(at).split(SEPARATOR).map(str::to_owned).collect::<Vec<_>>();
        let table = full_name(&cell(1), &cell(2));
        if cell(0) == "p" {
            if let Some(table) = schema.tables.iter_mut().find(|it| it.name == table) {
                table.key = list(3);
                table.key_declared = true;
            }
        } else {
            schema.inclusions.push(Inclusion {
                from: table,
                columns: list(3),
                to: full_name(&cell(4), &cell(5)),
                to_columns: list(6),
                declared: true,
                equal: false,
            });
        }
    }
    Ok(schema)
}

fn full_name(space: &str, table: &str) -> String {
    if space == "public" { table.to_owned() } else { format!("{space}.{table}") }
}

fn kind(name: &str) -> ColumnKind {
    match name {
        "smallint" | "integer" | "bigint" | "numeric" | "real" | "double precision" => ColumnKind::Number,
        "text" | "character varying" | "character" => ColumnKind::Text,
        _ => ColumnKind::Other,
    }
}

/// Host and port, without the password.
fn server(config: &tokio_postgres::Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(path)) => path.display().to_string(),
        None => "(no host)".to_owned(),
    };
    format!("{host}:{}", config.get_ports().first().copied().unwrap_or(5432))
}

/// An error with what caused it: the driver says little by itself.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
