//! Deeds of one kind that are done together: to a server that is a few statements instead of some for each.

use super::group::{Tries, disk_full};
use super::{Company, Deed, Memory, Outcome, without_panic};
use crate::StoreError;
use crate::database::{self, Connection, DatabaseError};
use std::any::Any;

/// A deed that can be done together with others of its kind.
pub(crate) trait Together: Sized + Send + 'static {
    /// What comes of it.
    type Done: Send + 'static;
    const COMPANY: Company;

    /// Does deeds in their order; what came of each. One that is refused has written nothing. Any other trouble is an error for
    /// all: they are taken back, and each is done by itself.
    fn run_together(
        connection: &Connection,
        deeds: &mut [&mut Self],
    ) -> Result<Vec<Result<Self::Done, StoreError>>, StoreError>;
}

pub(super) struct SharedJob<D: Together> {
    pub(super) deed: D,
    pub(super) outcome: Outcome<D::Done>,
}

impl<D: Together> Deed for SharedJob<D> {
    fn company(&self) -> Company {
        D::COMPANY
    }

    fn run(&mut self, connection: &Connection) -> bool {
        let deed = &mut self.deed;
        self.outcome.of(|| {
            let done = D::run_together(connection, &mut [deed])?;
            done.into_iter().next().unwrap_or(Err(StoreError::Closed))
        })
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn take_error_in_passing(&mut self, tries: Tries) -> Option<DatabaseError> {
        self.outcome.take_error_in_passing(tries)
    }

    fn fail(&mut self, error: DatabaseError) {
        self.outcome.result = Some(Err(error.into()));
    }

    fn answer(self: Box<Self>, failure: Option<&DatabaseError>) {
        self.outcome.answer(failure);
    }
}

/// Does all deeds of a kind in one savepoint, and marks them as done. Nothing is done if there are too few, or if something is
/// wrong with one of them.
pub(super) fn run_together<D: Together>(
    connection: &Connection,
    group: &mut [Box<dyn Deed>],
    done: &mut [bool],
    (tries, memory): (Tries, &dyn Memory),
) -> database::Result<()> {
    let (mut jobs, mut marks): (Vec<&mut SharedJob<D>>, Vec<&mut bool>) = group
        .iter_mut()
        .zip(done)
        .filter_map(|(deed, done)| deed.as_any().downcast_mut().map(|job| (job, done)))
        .unzip();
    if jobs.len() < 2 {
        return Ok(());
    }
    let mut deeds: Vec<&mut D> = jobs.iter_mut().map(|job| &mut job.deed).collect();
    let results = without_panic(|| D::run_together(connection, &mut deeds));
    // Statements that nobody waited for are answered here at the latest.
    match results.and_then(|results| Ok(connection.keep_deed().map(|()| results)?)) {
        Ok(results) => {
            for ((job, done), result) in jobs.iter_mut().zip(&mut marks).zip(results) {
                job.outcome.result = Some(result);
                **done = true;
            }
            Ok(())
        }
        Err(StoreError::Sql(error)) if tries.are_worth_another(&error) || connection.is_autocommit() => {
            Err(error)
        }
        Err(_) if connection.is_autocommit() => Err(disk_full()),
        Err(error) => {
            tracing::debug!(%error, deeds = jobs.len(), "deeds are done one by one");
            connection.undo_deed()?;
            memory.forget();
            Ok(())
        }
    }
}
