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
    console::line(&format!("{articles} articles written. Try: ripplewatch replay {}", file.display()));
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
