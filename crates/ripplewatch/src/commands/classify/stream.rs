//! Articles as JSON Lines, filed as they are read.

use super::Rulebook;
use crate::commands::rules::{file_name, read_file};
use crate::exit::bad_input;
use crate::rule_words::list;
use anyhow::Context;
use knowledge::{Filer, parse_article};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;

/// A longer line is no article.
const LONGEST_LINE: u64 = 256 << 20;

/// Files every article of a file and prints it at once. Ends at the first bad line.
pub(super) fn run(rulebook: &Rulebook, file: &Path, json: bool) -> anyhow::Result<()> {
    let mut reader = read_file(file)?;
    let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    match stream(rulebook, &mut reader, &mut out, file, json) {
        // Whoever reads has read enough.
        Err(error) if is_closed_pipe(&error) => Ok(()),
        Err(error) => {
            // What came before the bad line is good.
            let _ = out.flush();
            Err(error)
        }
        Ok(()) => match out.flush() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        },
    }
}

fn stream(
    rulebook: &Rulebook,
    reader: &mut BufReader<impl Read>,
    out: &mut impl Write,
    file: &Path,
    json: bool,
) -> anyhow::Result<()> {
    let mut filer = Filer::default();
    let (mut bytes, mut answer) = (Vec::new(), Vec::new());
    for number in 1_u64.. {
        bytes.clear();
        let bad = |reason: &str| bad_input(format!("{}: line {number}: {reason}", file_name(file)));
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.with_context(|| format!("cannot read line {number} of {}", file_name(file)))?;
        if read == 0 {
            break;
        }
        if read as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
            return Err(bad("the line is longer than 256 MB: that is no article"));
        }
        let line = std::str::from_utf8(&bytes).map_err(|_| bad("this is not UTF-8"))?;
        let line = line.strip_prefix('\u{feff}').unwrap_or(line).trim();
        if !line.is_empty() {
            let article = parse_article(line).map_err(|reason| bad(&reason))?;
            let filing = filer.file(&rulebook.tree, &article.fields);
            if json {
                answer.clear();
                serde_json::to_writer(&mut answer, &rulebook.filed(article.url.as_deref(), &filing))?;
                answer.push(b'\n');
                out.write_all(&answer)?;
            } else {
                let name = article.url.as_deref().or(article.fields.title.as_deref()).unwrap_or("?");
                let name: String =
                    name.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
                writeln!(out, "{name}\t{}", list(&rulebook.folders, filing.folders.iter().copied()))?;
            }
        }
        // Before waiting for more, show what is there.
        if reader.buffer().is_empty() {
            out.flush()?;
        }
    }
    Ok(())
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
