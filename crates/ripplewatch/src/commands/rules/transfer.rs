//! Rules in and out as files.

use crate::commands::refile;
use crate::config::Config;
use crate::console;
use crate::exit::{Exit, Told, bad_input};
use anyhow::Context;
use jiff::Timestamp;
use knowledge::{Base, Import, ImportError, ImportOptions, Interchange};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use store::{Store, StoreError};

/// Larger files of rules are something else.
const MOST_BYTES: u64 = 1 << 30;
/// Rules that can never fire are told one by one up to here.
const MOST_TOLD: usize = 20;
/// How gzipped files begin.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Opens a file, or standard input for `-`; gzipped ones are unpacked.
pub(crate) fn read_file(file: &Path) -> anyhow::Result<BufReader<Box<dyn Read>>> {
    let named = || format!("cannot read {}", file.display());
    let source: Box<dyn Read> = if file == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(file).with_context(named)?)
    };
    let mut reader = BufReader::with_capacity(1 << 16, source);
    if reader.fill_buf().with_context(named)?.starts_with(&GZIP) {
        let unpacked: Box<dyn Read> = Box::new(flate2::bufread::MultiGzDecoder::new(reader));
        reader = BufReader::with_capacity(1 << 16, unpacked);
    }
    Ok(reader)
}

/// Reads a file of rules; every bad line is named.
pub(crate) fn parse_rules(file: &Path) -> anyhow::Result<Interchange> {
    let mut bytes = Vec::new();
    read_file(file)?
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let name = file_name(file);
    if bytes.len() as u64 > MOST_BYTES {
        return Err(bad_input(format!("{name} is larger than a gigabyte: that is no file of rules")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.split(|byte| *byte == b'\n').count();
        bad_input(format!("{name}: line {line}: this is not UTF-8"))
    })?;
    Interchange::parse(&text).map_err(|errors| {
        let lines: Vec<_> = errors.iter().map(|error| format!("{name}: {error}")).collect();
        bad_input(lines.join("\n"))
    })
}

/// What a file is called in messages.
pub(crate) fn file_name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".into() } else { file.display().to_string() }
}

pub(super) async fn import(
    config: &Config,
    store: &Store,
    file: &Path,
    options: ImportOptions,
    dry_run: bool,
    json: bool,
) -> anyhow::Result<()> {
    let nothing = |error: anyhow::Error| match error.downcast::<Told>() {
        Ok(told) => Told { message: format!("{}\nNothing was imported", told.message), ..told }.into(),
        Err(other) => other,
    };
    let interchange = std::sync::Arc::new(parse_rules(file).map_err(nothing)?);
    let trial = interchange.clone();
    let import = store.knowledge(move |base| trial.import(base, options)).await?;
    let import = import.map_err(|error| refusal(file, &error))?;
    let summary = summary(&import, dry_run);
    if dry_run
        || (import.lesson.rules.is_empty()
            && import.lesson.verdicts.is_empty()
            && import.new_folders.is_empty())
    {
        return tell(&import, &summary, json);
    }
    let make = move |base: &Base| {
        let import = interchange.import(base, options)?;
        Ok((import.folders, import.lesson))
    };
    store.learn_with_folders(super::plan::author(), Timestamp::now(), make).await?;
    tell(&import, &summary, json)?;
    refile::tell_after_change(config, store).await
}

fn refusal(file: &Path, error: &ImportError) -> anyhow::Error {
    let exit = match error {
        ImportError::Conflicts(_) | ImportError::Misfiled(_) => Exit::Refused,
        _ => Exit::BadInput,
    };
    Told { exit, message: format!("{}: {error}\nNothing was imported", file_name(file)) }.into()
}

fn summary(import: &Import, dry_run: bool) -> Value {
    let accepted = import.lesson.verdicts.iter().filter(|verdict| verdict.before.is_some()).count();
    let unreachable = import.unreachable.iter().map(|unreachable| {
        json!({ "rule": unreachable.rule, "line": unreachable.line, "reason": unreachable.reason })
    });
    json!({
        "dry_run": dry_run,
        "rules": import.lesson.rules.len(),
        "known_rules": import.skipped,
        "cornerstones": import.lesson.verdicts.len() - accepted,
        "known_cornerstones": import.skipped_cornerstones,
        "folders": import.new_folders,
        "changed_cornerstones": accepted + import.misfiled.len(),
        "unreachable": unreachable.collect::<Vec<_>>(),
    })
}

fn tell(import: &Import, summary: &Value, json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(summary);
    }
    let verb = if summary["dry_run"] == true { "would be imported" } else { "imported" };
    console::line(&format!(
        "{} rules, {} cornerstones and {} new folders {verb}; {} rules and {} cornerstones were there already",
        summary["rules"],
        summary["cornerstones"],
        import.new_folders.len(),
        import.skipped,
        import.skipped_cornerstones
    ));
    if summary["changed_cornerstones"] != 0 {
        console::note(&format!("{} cornerstones get a new verdict", summary["changed_cornerstones"]));
    }
    for unreachable in import.unreachable.iter().take(MOST_TOLD) {
        let line = unreachable.line.map_or_else(String::new, |line| format!("line {line}: "));
        console::note(&format!("{line}rule {} can never fire: it {}", unreachable.rule, unreachable.reason));
    }
    if import.unreachable.len() > MOST_TOLD {
        console::note(&format!("and {} more that can never fire", import.unreachable.len() - MOST_TOLD));
    }
    Ok(())
}

pub(super) async fn export(store: &Store, file: Option<PathBuf>, text: bool) -> anyhow::Result<()> {
    let form = move |base: &Base| {
        let interchange = Interchange::of(base);
        if text { interchange.to_text() } else { interchange.to_json_lines() }
    };
    let content = store.knowledge(form).await?;
    match file {
        None => {
            // To the letter: this is a file, not talk.
            let _ = std::io::stdout().write_all(content.as_bytes());
        }
        Some(file) => std::fs::write(&file, content)
            .map_err(|source| StoreError::Io { what: format!("writing {}", file.display()), source })?,
    }
    Ok(())
}
