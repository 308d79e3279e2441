//! `watches test`: what a watch would see of a page or a file.

use crate::config::Config;
use crate::console;
use crate::context::{address, idle_engine};
use anyhow::Context;
use page::watches::{Aim, Sight};
use page::{Caps, Input};
use serde_json::json;
use std::path::Path;
use store::Store;
use url::Url;

pub(super) async fn run(config: &Config, page: &str, aim: Aim, json: bool) -> anyhow::Result<()> {
    let file = Path::new(page);
    let sight = if !page.contains("://") && file.is_file() {
        of_file(file, &aim)?
    } else {
        of_url(config, &address(page)?, &aim).await?
    };
    let (seen, gone) = match &sight {
        Sight::Part(part) => (Some(part), None),
        Sight::Gone(why) => (None, Some(why)),
    };
    if json {
        return console::json(&json!({
            "found": seen.is_some(), "why": gone, "lines": seen.map(|part| &part.lines),
            "number": seen.and_then(page::watches::Part::number), "cut": seen.is_some_and(|part| part.cut),
        }));
    }
    let Some(part) = seen else {
        anyhow::bail!("there is no such part: {}", gone.map_or("", String::as_str));
    };
    for line in &part.lines {
        console::line(line);
    }
    if part.lines.is_empty() {
        console::note("nothing is there now; you are told when it comes");
    }
    if let Some(number) = part.number() {
        console::note(&format!("first number: {number}"));
    }
    if part.cut {
        console::note("it is longer: only this much is watched");
    }
    Ok(())
}

fn of_file(file: &Path, aim: &Aim) -> anyhow::Result<Sight> {
    let bytes = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let url = Url::from_file_path(std::path::absolute(file)?)
        .map_err(|()| anyhow::anyhow!("{} has no address", file.display()))?;
    let kind = match file.extension().and_then(|ext| ext.to_str()) {
        Some("txt" | "md" | "log") => Some("text/plain"),
        Some("csv") => Some("text/csv"),
        Some("json") => Some("application/json"),
        _ => None,
    };
    let input = Input { url: &url, content_type: kind, bytes: &bytes };
    let (_, sights) = page::read_page(&input, None, std::slice::from_ref(aim), &Caps::default());
    sights.into_iter().next().context("the page is a captcha or a browser check")
}

async fn of_url(config: &Config, url: &Url, aim: &Aim) -> anyhow::Result<Sight> {
    // Looking stores nothing, so it needs no data folder of its own.
    let scratch = tempfile::tempdir().context("making a scratch folder")?;
    let engine = idle_engine(config, Store::open(scratch.path())?).await?;
    let glance = engine.glance(url, aim).await;
    let hint = super::super::sources::gate_hint(&glance.outcome);
    glance.sight.with_context(|| format!("{url} cannot be looked at now: {}{hint}", glance.outcome))
}
