//! A connection to PostgreSQL, used by one thread at a time as a file would be.
//!
//! The thread that asks also drives the socket, on a small runtime of the connection's own: no other thread has to wake
//! up for an answer. So it must never be used on a thread that is itself part of an async runtime; the writer's thread
//! and the threads for blocking work are none.

use super::dialect::to_postgres;
use super::group::Unsettled;
use super::value::{Params, ValueRef};
use super::{DatabaseError, Result};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use tokio::runtime::Runtime;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type};
use tokio_postgres::{Client, Statement};

/// Statements are few and written in the program; some are put together in a handful of ways.
const MOST_STATEMENTS: usize = 1_000;

pub(crate) struct Link {
    client: Client,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    statements: RefCell<HashMap<String, Statement>>,
    in_transaction: Cell<bool>,
    /// A statement has told that the connection is lost.
    lost: Cell<bool>,
    /// The name of a writer, the number of its last group, and whether the commit of that one is under way.
    writer: RefCell<Option<String>>,
    group: Cell<i64>,
    begun: Cell<i64>,
    told: Cell<bool>,
    committing: Cell<bool>,
}

impl Link {
    pub(super) fn new(client: Client, runtime: Runtime) -> Self {
        Self {
            client,
            runtime: Some(runtime),
            statements: RefCell::default(),
            in_transaction: Cell::default(),
            lost: Cell::default(),
            writer: RefCell::default(),
            group: Cell::default(),
            begun: Cell::default(),
            told: Cell::default(),
            committing: Cell::default(),
        }
    }

    fn wait<T>(
        &self,
        answer: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        match &self.runtime {
            Some(runtime) => runtime.block_on(answer).map_err(|error| {
                let error = DatabaseError::from(error);
                self.lost.set(self.lost.get() || error.is_lost());
                error
            }),
            None => Err(DatabaseError::NotCommitted("the connection is closed".into())),
        }
    }

    pub(super) fn prepare(&self, sql: &str) -> Result<Statement> {
        if let Some(statement) = self.statements.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.wait(self.client.prepare(&to_postgres(sql)))?;
        let mut statements = self.statements.borrow_mut();
        if statements.len() >= MOST_STATEMENTS {
            statements.clear();
        }
        statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    pub(super) fn execute(&self, statement: &Statement, params: &impl Params) -> Result<usize> {
        let values = collect(statement, params)?;
        let touched = self.wait(self.client.execute_raw(statement, values))?;
        Ok(usize::try_from(touched).unwrap_or(usize::MAX))
    }

    pub(super) fn query(
        &self,
        statement: &Statement,
        params: &impl Params,
    ) -> Result<Vec<tokio_postgres::Row>> {
        let values = collect(statement, params)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        self.wait(self.client.query(statement, &values))
    }

    pub(super) fn execute_batch(&self, sql: &str) -> Result<()> {
        self.wait(self.client.batch_execute(sql))
    }

    /// How many transactions were begun.
    pub(super) fn begun(&self) -> i64 {
        self.begun.get()
    }

    /// Begins a transaction.
    pub(super) fn begin(&self, sql: &str) -> Result<()> {
        self.begun.set(self.begun.get() + 1);
        self.told.set(false);
        self.execute_batch(sql)?;
        self.in_transaction.set(true);
        Ok(())
    }

    pub(super) fn tell_everybody(&self) {
        self.told.set(true);
    }

    pub(super) fn has_told(&self) -> bool {
        self.told.get()
    }

    pub(super) fn sign_in(&self, name: String) {
        *self.writer.borrow_mut() = Some(name);
    }

    /// Commits what was kept. Should a deed have passed over an error, the server refuses the release; without it, it would
    /// answer to COMMIT that all is well, and take everything back.
    pub(super) fn commit_group(&self) -> Result<()> {
        let writer = self.writer.borrow();
        let Some(writer) = writer.as_ref() else { return self.end("RELEASE deed; COMMIT") };
        self.group.set(self.group.get() + 1);
        self.committing.set(true);
        // Divided by nothing, it fails: a successor has closed this connection.
        let done = self.end(&format!(
            "RELEASE deed; WITH kept AS (UPDATE committed SET last = {} WHERE writer = '{writer}' AND closed = 0
             RETURNING 1) SELECT 1 / count(*) FROM kept; {} COMMIT",
            self.group.get(),
            // The server takes such commits one after the other: only what people change is told.
            if self.told.get() { "NOTIFY ripplewatch;" } else { "" }
        ));
        // An answer, whatever it says, settles it.
        self.committing.set(done.as_ref().is_err_and(DatabaseError::is_lost));
        done
    }

    /// The group of which nobody knows whether it was committed.
    pub(super) fn unsettled(&self) -> Option<Unsettled> {
        let writer = self.writer.borrow().clone().filter(|_| self.committing.get())?;
        Some(Unsettled { writer, number: self.group.get() })
    }

    /// Ends a transaction; one that could not be committed was taken back.
    pub(super) fn end(&self, sql: &str) -> Result<()> {
        let ended = self.execute_batch(sql);
        // Only the end of a transaction ends it: what came before it in the same breath may have failed.
        self.in_transaction.set(ended.is_err() && !self.client.is_closed() && sql != "ROLLBACK");
        ended
    }

    pub(super) fn is_autocommit(&self) -> bool {
        !self.in_transaction.get()
    }

    pub(super) fn is_usable(&self) -> bool {
        if let Some(runtime) = &self.runtime {
            // Nobody looked at the socket while it lay idle: the server may have hung up.
            runtime.block_on(async {
                for _ in 0..3 {
                    tokio::task::yield_now().await;
                }
            });
        }
        !self.lost.get() && !self.client.is_closed() && !self.in_transaction.get()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Waiting for it is not allowed everywhere. The server notices the closed socket.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The values in a row, as many as there are places.
fn collect<'a>(statement: &Statement, params: &'a impl Params) -> Result<Vec<Bound<'a>>> {
    let mut values = Vec::with_capacity(statement.params().len());
    params.for_each(&mut |value| {
        values.push(Bound(value));
        Ok(())
    })?;
    let (given, expected) = (values.len(), statement.params().len());
    if given == expected { Ok(values) } else { Err(DatabaseError::Values { given, expected }) }
}

/// A value, written the way the server expects it at its place.
#[derive(Debug)]
struct Bound<'a>(ValueRef<'a>);

type Trouble = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Bound<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Trouble> {
        match (self.0, kind) {
            (ValueRef::Null, _) => return Ok(IsNull::Yes),
            (ValueRef::Integer(number), &Type::INT8) => out.extend_from_slice(&number.to_be_bytes()),
            (ValueRef::Integer(number), &Type::INT4) => {
                out.extend_from_slice(&i32::try_from(number)?.to_be_bytes());
            }
            (ValueRef::Integer(number), &Type::BOOL) => out.extend_from_slice(&[u8::from(number != 0)]),
            (ValueRef::Integer(number), &Type::FLOAT8) => {
                out.extend_from_slice(&(number as f64).to_be_bytes());
            }
            (ValueRef::Real(number), &Type::FLOAT8) => out.extend_from_slice(&number.to_be_bytes()),
            (ValueRef::Text(text), &(Type::TEXT | Type::VARCHAR | Type::NAME | Type::JSON)) => {
                put_text(text, out);
            }
            (ValueRef::Blob(bytes), &Type::BYTEA) => out.extend_from_slice(bytes),
            (value, kind) => return Err(format!("{value:?} where PostgreSQL expects {kind}").into()),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

/// PostgreSQL has no place for the character zero in a text, and pages may hold any.
fn put_text(text: &str, out: &mut BytesMut) {
    if text.as_bytes().contains(&0) {
        out.extend_from_slice(text.replace('\0', "\u{fffd}").as_bytes());
    } else {
        out.extend_from_slice(text.as_bytes());
    }
}

/// A value as it came.
pub(super) struct Raw<'a>(pub(super) ValueRef<'a>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> std::result::Result<Self, Trouble> {
        Ok(Self(match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_be_bytes(raw.try_into()?)),
            Type::INT4 => ValueRef::Integer(i32::from_be_bytes(raw.try_into()?).into()),
            Type::INT2 => ValueRef::Integer(i16::from_be_bytes(raw.try_into()?).into()),
            Type::BOOL => ValueRef::Integer(i64::from(raw != [0])),
            Type::FLOAT8 => ValueRef::Real(f64::from_be_bytes(raw.try_into()?)),
            Type::TEXT | Type::VARCHAR | Type::NAME => ValueRef::Text(std::str::from_utf8(raw)?),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => return Err(format!("PostgreSQL answered with {kind}").into()),
        }))
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Self, Trouble> {
        Ok(Self(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
