//! Sources in and out: OPML and plain lists.

use super::{check_gate, first_visit};
use crate::console;
use crate::exit::bad_input;
use anyhow::Context;
use fetch::gate::Gate;
use jiff::Timestamp;
use model::Source;
use page::subscriptions::{self, Subscription};
use page::urls;
use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use store::{NewSource, SourceFilter, Store, StoreError};

pub(super) async fn import(store: &Store, gate: &Gate, file: &Path, json: bool) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).context("reading standard input")?;
    } else {
        bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    }
    let wanted = subscriptions::read(&bytes)
        .map_err(|error| bad_input(format!("{}: {error}\nNothing was imported", file.display())))?;
    let (mut new, mut seen, mut known) = (Vec::new(), HashSet::new(), 0);
    for Subscription { url, title, .. } in wanted {
        let url = urls::normalise(&url);
        check_gate(gate, &url)?;
        if store.source_by_url(url.clone()).await?.is_some() || !seen.insert(url.clone()) {
            known += 1;
        } else {
            new.push(NewSource { url, title, selector: None, interval: None, first_visit: first_visit() });
        }
    }
    let ids = store.add_sources(new, Timestamp::now()).await?;
    if json {
        return console::json(&serde_json::json!({ "added": ids, "known": known }));
    }
    console::line(&format!("{} sources added, {known} were watched already", ids.len()));
    Ok(())
}

pub(super) async fn export(store: &Store, file: Option<PathBuf>, list: bool) -> anyhow::Result<()> {
    let all = SourceFilter { limit: usize::MAX >> 1, ..SourceFilter::default() };
    let sources = store.sources_page(all).await?.sources;
    let text = if list {
        sources.iter().fold(String::new(), |text, source| text + source.url.as_str() + "\n")
    } else {
        let subscription =
            |source: Source| Subscription { url: source.url, title: source.title, folder: None };
        subscriptions::write_opml(
            "Ripplewatch sources",
            &sources.into_iter().map(subscription).collect::<Vec<_>>(),
        )
    };
    match file {
        None => console::line(text.trim_end()),
        Some(file) => std::fs::write(&file, text)
            .map_err(|source| StoreError::Io { what: format!("writing {}", file.display()), source })?,
    }
    Ok(())
}
