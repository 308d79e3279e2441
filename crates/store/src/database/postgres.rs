//! A connection to PostgreSQL, used by one thread at a time as a file would be.
//!
//! The thread that asks also drives the socket, on a small runtime of the connection's own: no other thread has to wake
//! up for an answer. So it must never be used on a thread that is itself part of an async runtime; the writer's thread
//! and the threads for blocking work are none.

mod values;

use super::dialect::to_postgres;
use super::group::Unsettled;
use super::set::Column;
use super::value::{Params, ToValue};
use super::{DatabaseError, Result};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use tokio::runtime::Runtime;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Statement};
use values::collect;

pub(super) use values::Raw;

/// Statements are few and written in the program; some are put together in a handful of ways.
const MOST_STATEMENTS: usize = 1_000;

/// A statement that was sent and not yet answered.
type Sent = Pin<Box<dyn Future<Output = std::result::Result<u64, Error>> + Send>>;

/// Answers that nobody has looked at are limited: each holds some memory.
const MOST_SENT: usize = 256;

pub(crate) struct Link {
    client: Arc<Client>,
    /// Statements whose answers are looked at together with the next one that somebody waits for.
    sent: RefCell<Vec<Sent>>,
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
            client: Arc::new(client),
            sent: RefCell::default(),
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

    /// Waits for an answer, and for all that was sent before. The first of those that failed is the error: what came after it
    /// only says that the transaction is no good any more.
    fn wait<T>(&self, answer: impl Future<Output = std::result::Result<T, Error>>) -> Result<T> {
        let Some(runtime) = &self.runtime else {
            return Err(DatabaseError::NotCommitted("the connection is closed".into()));
        };
        let sent = self.sent.take();
        let answer = runtime.block_on(async {
            let mut answer = pin!(answer);
            // It is on its way before anything is waited for.
            let mut answered = poll_fn(|context| Poll::Ready(at_once(answer.as_mut().poll(context)))).await;
            let mut failed = None;
            for one in sent {
                failed = failed.or(one.await.err());
            }
            if answered.is_none() {
                answered = Some(answer.await);
            }
            match (failed, answered) {
                (None, Some(answer)) => answer.map_err(Some),
                (failed, _) => Err(failed),
            }
        });
        answer.map_err(|error| {
            let error = error.map_or(DatabaseError::NoRow, DatabaseError::from);
            self.lost.set(self.lost.get() || error.is_lost());
            error
        })
    }

    /// Sends a statement without waiting for its answer. Should it fail, whoever waits next hears of it.
    pub(super) fn send(&self, statement: &Statement, params: &impl Params) -> Result<()> {
        self.send_values(statement, values::owned(statement, params)?)
    }

    /// The same with all rows of a set.
    pub(super) fn send_columns(&self, statement: &Statement, columns: Vec<Column>) -> Result<()> {
        self.send_values(statement, columns)
    }

    fn send_values<T>(&self, statement: &Statement, values: Vec<T>) -> Result<()>
    where
        T: ToSql + Send + 'static,
    {
        if self.sent.borrow().len() >= MOST_SENT {
            self.wait(async { Ok(()) })?;
        }
        let (client, statement) = (self.client.clone(), statement.clone());
        let mut sent: Sent = Box::pin(async move { client.execute_raw(&statement, values).await });
        // The first step hands it to the connection; the bytes leave with the next thing that is waited for. One that is lost
        // says so at once.
        match sent.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => self.sent.borrow_mut().push(sent),
            Poll::Ready(answer) => {
                self.wait(async { answer })?;
            }
        }
        Ok(())
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

    /// Puts many rows into a table at once.
    pub(super) fn copy<T: ToValue>(&self, table: &str, columns: &str, rows: &[Vec<T>]) -> Result<()> {
        let like = self.prepare(&format!("SELECT {columns} FROM {table}"))?;
        let types: Vec<Type> = like.columns().iter().map(|column| column.type_().clone()).collect();
        if let Some(odd) = rows.iter().find(|row| row.len() != types.len()) {
            return Err(DatabaseError::Values { given: odd.len(), expected: types.len() });
        }
        let sql = format!("COPY {table} ({columns}) FROM STDIN (FORMAT binary)");
        self.wait(async {
            let mut out = pin!(BinaryCopyInWriter::new(self.client.copy_in(&*sql).await?, &types));
            for row in rows {
                out.as_mut().write_raw(row.iter().map(values::bound)).await?;
            }
            out.finish().await.map(drop)
        })
    }

    /// Does something with all rows of a set.
    pub(super) fn execute_columns(&self, statement: &Statement, columns: &[Column]) -> Result<usize> {
        let touched = self.wait(self.client.execute_raw(statement, columns))?;
        Ok(usize::try_from(touched).unwrap_or(usize::MAX))
    }

    /// Asks about all rows of a set.
    pub(super) fn query_columns(
        &self,
        statement: &Statement,
        columns: &[Column],
    ) -> Result<Vec<tokio_postgres::Row>> {
        let values: Vec<&(dyn ToSql + Sync)> = columns.iter().map(|column| column as _).collect();
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
        self.look_again();
    }

    /// What was looked at at the beginning of the group may be otherwise now.
    pub(super) fn look_again(&self) {
        self.begun.set(self.begun.get() + 1);
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
            "RELEASE deed; WITH kept AS (UPDATE committed SET last = {}, seen_at = now() WHERE writer = '{writer}' AND closed = 0
             RETURNING 1) SELECT 1 / count(*) FROM kept; {} COMMIT",
            self.group.get(),
            // The server takes such commits one after the other: only what people change is told.
            if self.told.get() { "NOTIFY ripplewatch;" } else { "" }
        ));
        // An answer, whatever it says, settles it.
        self.committing.set(done.as_ref().is_err_and(DatabaseError::is_lost));
        done.map_err(|error| {
            if error.state() != Some(&SqlState::DIVISION_BY_ZERO) {
                return error;
            }
            self.lost.set(true);
            DatabaseError::SignedOut
        })
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

fn at_once<T>(polled: Poll<T>) -> Option<T> {
    match polled {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
