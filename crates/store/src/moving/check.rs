//! Reading both sides again, and comparing what is there.

use super::batch::Reading;
use super::cells::Sum;
use super::end::{Source, Target};
use super::tables::Table;
use super::{MoveError, MovePhase, MoveStep, MovedTable, go_on, percent, words};
use crate::database::{Connection, Dialect};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Every table on both sides; an error names the first that differs.
pub(super) fn compare(
    source: &mut Source,
    target: &Target,
    tables: &[Table],
    tell: &mut dyn FnMut(&MoveStep) -> ControlFlow<()>,
) -> Result<Vec<MovedTable>, MoveError> {
    let readings = || {
        let plain = tables.iter().map(|table| (table.name.as_str(), Reading::of(table)));
        plain.chain(words::INDEXES.map(|index| (index, Reading::numbers_of(index))))
    };
    // Both sides at once: they are read by different processes, or at least from different files.
    let source = source.connection();
    let stop = &AtomicBool::new(false);
    let sums = std::thread::scope(|scope| {
        let theirs = scope.spawn(move || {
            let mut told = |_| if stop.load(Ordering::Relaxed) { Err(MoveError::Stopped) } else { Ok(()) };
            let sums = readings().map(|(_, reading)| sum(source, &reading, &mut told));
            sums.collect::<Result<Vec<_>, _>>()
        });
        let (all, mut done) = (readings().count() as u64, 0);
        let mut ours = Vec::new();
        for (table, reading) in readings() {
            let mut told = |rows| {
                let percent = percent(done, all);
                let table = table.to_owned();
                go_on(tell(&MoveStep { phase: MovePhase::Checking, table, rows, of: rows, percent }))
            };
            ours.push(sum(target, &reading, &mut told).inspect_err(|_| stop.store(true, Ordering::Relaxed))?);
            done += 1;
        }
        let theirs = theirs.join().unwrap_or(Err(MoveError::Store(crate::StoreError::Panicked)))?;
        Ok::<_, MoveError>((theirs, ours))
    });
    let (theirs, ours) = sums?;
    let mut same = Vec::new();
    for ((table, _), (before, after)) in readings().zip(theirs.iter().zip(&ours)) {
        if before != after {
            return Err(MoveError::Differs {
                table: table.to_owned(),
                source_rows: before.rows,
                target_rows: after.rows,
            });
        }
        same.push(MovedTable { table: table.to_owned(), rows: after.rows, checksum: after.checksum() });
    }
    refuse_dangling(target)?;
    Ok(same)
}

fn sum(
    connection: &Connection,
    reading: &Reading<'_>,
    tell: &mut dyn FnMut(u64) -> Result<(), MoveError>,
) -> Result<Sum, MoveError> {
    let (mut sum, mut after) = (Sum::default(), None);
    loop {
        let load = reading.batch(connection, after.as_ref())?;
        let Some(last) = load.last else { return Ok(sum) };
        load.rows.iter().for_each(|row| sum.add(row));
        tell(sum.rows)?;
        after = Some(last);
    }
}

/// A file took rows without looking at what they refer to. (PostgreSQL has looked.)
fn refuse_dangling(target: &Target) -> Result<(), MoveError> {
    if target.dialect() == Dialect::Postgres {
        return Ok(());
    }
    let mut statement = target.prepare_cached("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1")?;
    let mut rows = statement.query([])?;
    match rows.next()? {
        None => Ok(()),
        Some(row) => Err(MoveError::Unsuited {
            table: row.get(0)?,
            column: "*".into(),
            found: "a reference to a row that is not there",
        }),
    }
}
