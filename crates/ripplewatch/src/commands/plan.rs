//! `plan`: what comes next, and why.

use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::words::when;
use jiff::Timestamp;

pub(crate) async fn run(config: &Config, limit: usize, json: bool) -> anyhow::Result<()> {
    let sources = open_store(config)?.plan(limit).await?;
    if json {
        let visits = sources.iter().map(|source| {
            serde_json::json!({ "source": source.id, "url": source.url, "at": source.state.next_at, "reason": source.state.next_reason })
        });
        return console::json(&visits.collect::<Vec<_>>());
    }
    if sources.is_empty() {
        console::hint("nothing is planned: add a source with `ripplewatch sources add URL`");
        return Ok(());
    }
    let now = Timestamp::now();
    let rows: Vec<_> = sources
        .iter()
        .filter_map(|source| {
            let name = source.title.clone().unwrap_or_else(|| source.url.to_string());
            Some(vec![when(source.state.next_at?, now), name, source.state.next_reason.clone()])
        })
        .collect();
    console::table(&["visit", "source", "why"], &rows);
    Ok(())
}
