//! `trace`: the user's own history as a file that `replay` reads.

use crate::cli::Trace;
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::exit::bad_input;
use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use laboratory::trace::{Published, Writer};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// A week to learn from and one to judge by.
const TWO_WEEKS: f64 = 14.0;

pub(crate) async fn run(config: &Config, command: Trace, json: bool) -> anyhow::Result<()> {
    let Trace::Export { file, weeks } = command;
    let store = open_store(config)?;
    let back = SignedDuration::from_hours(i64::from(weeks) * 7 * 24);
    let since = Timestamp::now().checked_sub(back).unwrap_or(Timestamp::MIN);
    let history = store.history(since).await?;
    if history.is_empty() {
        return Err(bad_input("there is no history yet: no source has shown an article"));
    }
    let to = BufWriter::new(create(&file)?);
    let gzip = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
    let mut writer = Writer::new(to, gzip).with_context(|| writing(&file))?;
    let articles = history.len();
    let days = match (history.first(), history.last()) {
        (Some(first), Some(last)) => last.at.duration_since(first.at).as_secs_f64() / 86_400.0,
        _ => 0.0,
    };
    for article in history {
        let published = Published {
            at: article.at,
            source: article.source,
            url: article.url,
            title: article.title,
            text: None,
            folders: article.folders.into_iter().map(|(_, path)| path).collect(),
            line: 0,
        };
        writer.write(&published).with_context(|| writing(&file))?;
    }
    writer.finish().and_then(|mut to| to.flush()).with_context(|| writing(&file))?;
    if json {
        return console::json(&serde_json::json!({ "file": file, "articles": articles }));
    }
    let next = if days >= TWO_WEEKS {
        format!("Try: ripplewatch replay {} --train-weeks {}", file.display(), ((days / 14.0) as u32).max(1))
    } else {
        "`replay` needs two weeks; What if, under Plan in the browser, three days".to_owned()
    };
    console::line(&format!("{articles} articles of {days:.1} days written. {next}"));
    Ok(())
}

fn create(file: &Path) -> anyhow::Result<File> {
    File::create_new(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            bad_input(format!("{} is there already: choose another name", file.display()))
        }
        _ => anyhow::Error::new(error).context(writing(file)),
    })
}

fn writing(file: &Path) -> String {
    format!("cannot write {}", file.display())
}
