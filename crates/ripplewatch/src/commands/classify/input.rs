//! One article from somewhere: a file, a page on the web, standard input.

use crate::config::Config;
use crate::context::address;
use crate::exit::bad_input;
use anyhow::Context;
use engine::SystemClock;
use fetch::{Accept, Fetcher, Request};
use knowledge::Fields;
use model::{ArticlePage, Outcome};
use page::{Caps, Input};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// An HTML page, or a text whose first line is the title.
pub(super) fn file(file: &Path) -> anyhow::Result<Fields<'static>> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let is_text = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    if is_text {
        return Ok(text(&page::text(&bytes, None)));
    }
    // A page on disk has no address; one is needed only for the links in it, which nobody follows.
    let nowhere = Url::parse("file:///")?;
    let input = Input { url: &nowhere, content_type: Some("text/html"), bytes: &bytes };
    Ok(fields(page::read_article(&input, &Caps::default()), None))
}

/// A text whose first line is the title.
pub(super) fn standard_input() -> anyhow::Result<Fields<'static>> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).context("reading standard input")?;
    Ok(text(&page::text(&bytes, None)))
}

fn text(text: &str) -> Fields<'static> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    let (title, body) = text.split_once('\n').unwrap_or((text, ""));
    Fields {
        title: Some(title.trim().to_owned().into()),
        body: Some(body.trim().to_owned().into()),
        ..Fields::default()
    }
}

/// A page, fetched as a visit would: through the gate, with manners, if robots.txt allows.
pub(super) async fn url(config: &Config, typed: &str) -> anyhow::Result<Fields<'static>> {
    let url = address(typed)?;
    let fetcher = Fetcher::new(config.fetch.clone(), Arc::new(SystemClock))?;
    // A process that has just begun keeps a pause from whoever came before it: a person waits for that.
    let patience = config.engine.patience.max(config.fetch.default_delay * 3);
    let request = Request { url: &url, validators: None, accept: Accept::Html, headers: &[], patience };
    let reply = fetcher.session().get(&request).await;
    let (Outcome::NewContent, Some(response)) = (&reply.outcome, reply.response) else {
        anyhow::bail!("{url} cannot be read now: {}{}", reply.outcome, gate_hint(&reply.outcome));
    };
    let caps = config.engine.caps;
    let decoded = page::decode(&response.body, response.content_encoding.as_deref(), &caps);
    if decoded.stopped.is_some() {
        return Err(bad_input(format!("{url} cannot be read: it is broken or too large")));
    }
    let input = Input {
        url: &reply.final_url,
        content_type: response.content_type.as_deref(),
        bytes: &decoded.bytes,
    };
    let page = page::read_article(&input, &caps);
    anyhow::ensure!(!page.challenge, "{url} answered with a captcha or browser check instead of its page");
    Ok(fields(page, Some(reply.final_url)))
}

fn gate_hint(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::RefusedByGate { .. } => "\nhint: if you mean it, allow the address with --allow NET",
        _ => "",
    }
}

fn fields(page: ArticlePage, url: Option<Url>) -> Fields<'static> {
    let body = Some(page.text).filter(|text| !text.is_empty());
    Fields {
        title: page.title.map(Into::into),
        body: body.map(Into::into),
        url: url.map(|url| url.to_string().into()),
        language: page.language.map(Into::into),
        ..Fields::default()
    }
}
