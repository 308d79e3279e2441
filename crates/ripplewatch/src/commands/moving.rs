//! `move`: all data from one database to another.

use crate::cli::Move;
use crate::config::Config;
use crate::console::{self, StatusLine};
use crate::context::DataLock;
use crate::exit::bad_input;
use anyhow::Context;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::{MoveEnd, MoveError, MovePhase, MoveStep, Moved, Store};

pub(crate) async fn run(config: &Config, options: Move, json: bool) -> anyhow::Result<()> {
    let (from, to) = (end(config, &options.from)?, end(config, &options.to)?);
    if let (MoveEnd::Folder(one), MoveEnd::Folder(other)) = (&from, &to)
        && same_folder(one, other)
    {
        return Err(MoveError::SamePlace(one.display().to_string()).into());
    }
    if let MoveEnd::Folder(folder) = &from
        && !folder.join(Store::FILE).exists()
    {
        return Err(MoveError::NothingThere(folder.display().to_string()).into());
    }
    let _locks = (lock(&from)?, lock(&to)?);
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = stop.clone();
    tokio::spawn(async move {
        if crate::commands::serve::stop_signal().await.is_ok() {
            stopping.store(true, Ordering::Relaxed);
        }
    });
    let restart = options.restart;
    let moving = tokio::task::spawn_blocking(move || {
        let mut line = StatusLine::default();
        let moved = store::move_data(&from, &to, restart, &mut |step| {
            line.show(&told(step));
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        line.end();
        moved.map(|moved| (moved, to))
    });
    let (moved, to) = moving.await.context("the move has ended without an answer")??;
    if json {
        return console::json(&moved);
    }
    summary(&moved, &to);
    Ok(())
}

/// What a word, a folder or a URL stands for.
fn end(config: &Config, typed: &str) -> anyhow::Result<MoveEnd> {
    match typed {
        "" => {
            Err(bad_input("write `sqlite`, `postgres`, a folder, or a postgres:// URL after --from and --to"))
        }
        "sqlite" => Ok(MoveEnd::Folder(config.data.clone())),
        "postgres" => match &config.database {
            Some(url) => Ok(MoveEnd::Database(url.clone())),
            None => Err(bad_input(
                "no database is configured: write its URL in place of `postgres`, or set RIPPLEWATCH_DATABASE",
            )),
        },
        url if url.contains("://") => Ok(MoveEnd::Database(store::Hidden::new(url))),
        folder if folder.ends_with(Store::FILE) && Path::new(folder).is_file() => {
            Err(bad_input(format!("name the folder that {} is in, not the file", Store::FILE)))
        }
        folder => Ok(MoveEnd::Folder(PathBuf::from(folder))),
    }
}

fn same_folder(one: &Path, other: &Path) -> bool {
    let plain = |folder: &Path| folder.canonicalize().ok();
    one == other || (plain(one).is_some() && plain(one) == plain(other))
}

/// Nobody else visits on behalf of a folder meanwhile. (Databases are looked after by the store.)
fn lock(end: &MoveEnd) -> anyhow::Result<Option<DataLock>> {
    let MoveEnd::Folder(folder) = end else { return Ok(None) };
    let in_use = || MoveError::InUse {
        place: folder.display().to_string(),
        who: "a running Ripplewatch, or another `ripplewatch move`".into(),
    };
    Ok(Some(DataLock::take_folder(folder)?.ok_or_else(in_use)?))
}

fn told(step: &MoveStep) -> String {
    let MoveStep { table, rows, of, percent, .. } = step;
    match step.phase {
        MovePhase::Copying => {
            format!("copying {table}: {rows} of {of} rows, {percent} % of all")
        }
        MovePhase::Checking => format!("comparing {table}: {rows} rows, {percent} % of all tables"),
    }
}

fn summary(moved: &Moved, to: &MoveEnd) {
    let tables = moved.tables.iter().filter(|table| table.rows > 0);
    let rows: Vec<Vec<String>> = tables
        .map(|table| vec![table.table.clone(), table.rows.to_string(), table.checksum[..16].to_owned()])
        .collect();
    console::table(&["table", "rows", "checksum (both sides)"], &rows);
    console::line(&format!(
        "{} rows moved from {} to {}: counts and checksums are the same on both sides{}",
        moved.rows,
        moved.from,
        moved.to,
        if moved.resumed { " (an earlier run had brought a part)" } else { "" }
    ));
    if moved.mended > 0 {
        console::note(&format!(
            "{} texts held a character that PostgreSQL cannot store (zero, or no UTF-8); it is U+FFFD now",
            moved.mended
        ));
    }
    console::hint(&match to {
        MoveEnd::Folder(folder) => {
            format!(
                "start it there with `ripplewatch serve --data {}`, without RIPPLEWATCH_DATABASE: a database that is named comes before a folder",
                folder.display()
            )
        }
        MoveEnd::Database(_) => "set RIPPLEWATCH_DATABASE to that URL, then start `ripplewatch serve`".into(),
    });
    console::hint(&format!(
        "{} is as it was; remove it when all is well, and do not let both visit",
        moved.from
    ));
}
