//! Moving all data from one place to another: from a file to PostgreSQL, back, or to another of the same kind.
//!
//! Table by table, in an order that references allow, in batches by primary key. Each batch is one transaction together
//! with a note of how far the move is (`course`), so it goes on where it stopped, whatever stopped it. While that note is
//! there, nobody else opens the target. At the end both sides are read again and compared (`check`); only then the note
//! goes. The source is read as of one moment and never written.
//!
//! What belongs to a running process is not brought: workers, and leases, which end. Words for searching are of a form
//! of each database's own (`words`).

mod batch;
mod cells;
mod check;
mod course;
mod end;
mod error;
mod finish;
mod tables;
mod words;

pub use end::MoveEnd;
pub use error::MoveError;

pub(crate) use course::refuse_unfinished;

use crate::database::Connection;
use batch::Reading;
use course::Course;
use end::{Source, Target};
use std::ops::ControlFlow;
use tables::Table;
use words::Words;

/// How far a move is, told after each batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveStep {
    /// What is being done.
    pub phase: MovePhase,
    /// With which table.
    pub table: String,
    /// Rows of that table that are done.
    pub rows: u64,
    /// Rows it has.
    pub of: u64,
    /// Parts of the whole phase that are done, in percent.
    pub percent: u64,
}

/// What a move is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovePhase {
    /// Bringing rows.
    Copying,
    /// Reading both sides again and comparing them.
    Checking,
}

/// A move that is done.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Moved {
    /// Where the data were, and still are.
    pub from: String,
    /// Where they are now.
    pub to: String,
    /// Whether an earlier run had brought a part.
    pub resumed: bool,
    /// All rows.
    pub rows: u64,
    /// Texts with something in them that PostgreSQL cannot store (the character zero, bytes that are no UTF-8): it was
    /// replaced by U+FFFD.
    pub mended: u64,
    /// Each table.
    pub tables: Vec<MovedTable>,
}

/// A table that is the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct MovedTable {
    /// Its name.
    pub table: String,
    /// Its rows.
    pub rows: u64,
    /// The sum of their checksums.
    pub checksum: String,
}

/// Moves all data. `tell` hears of each batch and may end it there; the same call goes on later. `restart` throws away what
/// an earlier run has brought. The caller makes sure that no other process uses a folder; for a database that is checked
/// here.
pub fn move_data(
    from: &MoveEnd,
    to: &MoveEnd,
    restart: bool,
    tell: &mut (dyn FnMut(&MoveStep) -> ControlFlow<()> + Send),
) -> Result<Moved, MoveError> {
    // Whoever asks may be on a thread of an async runtime, where waiting is not allowed.
    std::thread::scope(|scope| {
        let moving = scope.spawn(|| run(from, to, restart, tell));
        moving.join().unwrap_or(Err(MoveError::Store(crate::StoreError::Panicked)))
    })
}

fn run(
    from: &MoveEnd,
    to: &MoveEnd,
    restart: bool,
    tell: &mut dyn FnMut(&MoveStep) -> ControlFlow<()>,
) -> Result<Moved, MoveError> {
    let (source_place, target_place) = (from.place()?, to.place()?);
    if source_place.name() == target_place.name() {
        return Err(MoveError::SamePlace(source_place.name()));
    }
    let tables = tables::all()?;
    let mut source = Source::open(&source_place)?;
    let target = Target::open(&target_place)?;
    source.at_one_moment(|source| {
        let mut course = Course::take_up(&target, &source.name, &tables, restart)?;
        let resumed = course.has_begun();
        let mut teller = Teller::new(source, &tables, &course, tell)?;
        for table in &tables {
            copy(source, &target, &mut course, &mut teller, &mut Rows { table })?;
        }
        for index in words::INDEXES {
            copy(source, &target, &mut course, &mut teller, &mut Words::of(index))?;
        }
        let compared = check::compare(source, &target, &tables, teller.tell)?;
        finish::settle(source, &target, &tables)?;
        Ok(Moved {
            from: source.name.clone(),
            to: target.name.clone(),
            resumed,
            rows: compared.iter().map(|table| table.rows).sum(),
            mended: course.mended(),
            tables: compared,
        })
    })
}

/// What is brought in batches.
trait Cargo {
    /// What it is called in the course.
    fn name(&self) -> &str;
    /// The next rows after a key; none if that was all.
    fn read(&mut self, source: &Source, after: Option<&batch::Key>) -> Result<Load, MoveError>;
    /// Puts them into the target.
    fn write(&self, target: &Connection, load: &Load) -> Result<(), MoveError>;
}

/// A batch: its rows, the key of the last one, and how many values had to be mended.
struct Load {
    rows: Vec<Vec<cells::Cell>>,
    last: Option<batch::Key>,
    mended: u64,
}

/// The rows of a table, as they are.
struct Rows<'a> {
    table: &'a Table,
}

impl Cargo for Rows<'_> {
    fn name(&self) -> &str {
        &self.table.name
    }

    fn read(&mut self, source: &Source, after: Option<&batch::Key>) -> Result<Load, MoveError> {
        Reading::of(self.table).batch(source, after)
    }

    fn write(&self, target: &Connection, load: &Load) -> Result<(), MoveError> {
        let columns: Vec<&str> = self.table.columns.iter().map(|column| column.name.as_str()).collect();
        Ok(target.put_rows(&self.table.name, &columns, &load.rows)?)
    }
}

/// Brings what is not there yet of one cargo.
fn copy(
    source: &Source,
    target: &Target,
    course: &mut Course,
    teller: &mut Teller<'_>,
    cargo: &mut dyn Cargo,
) -> Result<(), MoveError> {
    while !course.is_done(cargo.name()) {
        let load = cargo.read(source, course.place_in(cargo.name()).as_ref())?;
        course.advance(cargo.name(), &load);
        target.transaction(|| {
            cargo.write(target, &load)?;
            course.write(target)
        })?;
        teller.told(cargo.name(), load.rows.len() as u64)?;
    }
    Ok(())
}

/// Tells how far it is.
struct Teller<'a> {
    tell: &'a mut dyn FnMut(&MoveStep) -> ControlFlow<()>,
    /// Rows of each table.
    counts: Vec<(String, u64)>,
    /// Rows that are done of the table it is at, and of all.
    table: String,
    rows: u64,
    done: u64,
}

impl<'a> Teller<'a> {
    fn new(
        source: &Source,
        tables: &[Table],
        course: &Course,
        tell: &'a mut dyn FnMut(&MoveStep) -> ControlFlow<()>,
    ) -> Result<Self, MoveError> {
        let names = tables.iter().map(|table| table.name.as_str()).chain(words::INDEXES);
        let counts = names.map(|name| {
            let sql = format!("SELECT count(*) FROM {name}");
            let count: i64 = source.query_row(&sql, [], |row| row.get(0))?;
            Ok((name.to_owned(), count.unsigned_abs()))
        });
        let counts: Vec<_> = counts.collect::<Result<_, MoveError>>()?;
        let (table, rows, done) = course.so_far();
        Ok(Self { tell, counts, table, rows, done })
    }

    fn told(&mut self, table: &str, rows: u64) -> Result<(), MoveError> {
        if self.table != table {
            (self.table, self.rows) = (table.to_owned(), 0);
        }
        self.rows += rows;
        self.done += rows;
        let of = self.counts.iter().find(|(name, _)| name == table).map_or(0, |(_, count)| *count);
        let all: u64 = self.counts.iter().map(|(_, count)| *count).sum();
        let step = MoveStep {
            phase: MovePhase::Copying,
            table: self.table.clone(),
            rows: self.rows,
            of,
            percent: percent(self.done, all),
        };
        go_on((self.tell)(&step))
    }
}

fn percent(done: u64, all: u64) -> u64 {
    (done * 100).checked_div(all).unwrap_or(100).min(100)
}

fn go_on(answer: ControlFlow<()>) -> Result<(), MoveError> {
    if answer.is_break() { Err(MoveError::Stopped) } else { Ok(()) }
}
