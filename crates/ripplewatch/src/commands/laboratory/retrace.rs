//! `laboratory retrace`: the journal of a live run, told again to the same policies.

use crate::console;
use crate::exit::bad_input;
use anyhow::Context;
use scheduling::journal::{Entry, Retrace};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

pub(super) fn run(file: &Path, json: bool) -> anyhow::Result<()> {
    let lines = BufReader::new(File::open(file).with_context(|| format!("cannot read {}", file.display()))?);
    let mut retrace = Retrace::default();
    for (number, line) in lines.lines().enumerate() {
        let line = line.with_context(|| format!("cannot read {}", file.display()))?;
        let at = || format!("{} line {}", file.display(), number + 1);
        let entry: Entry = serde_json::from_str(&line)
            .map_err(|error| bad_input(format!("{}: no entry of a journal: {error}", at())))?;
        if let Err(difference) = retrace.step(entry) {
            let was = serde_json::to_string(&difference.journal)?;
            anyhow::bail!("{}: decided otherwise now: {}\nThe journal says {was}", at(), difference.now);
        }
    }
    if json {
        return console::json(&serde_json::json!({ "decisions": retrace.same, "differences": 0 }));
    }
    console::line(&format!("{} decisions, all of them the same", retrace.same));
    Ok(())
}
