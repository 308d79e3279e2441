//! Looking at a URL before it becomes a source. Nothing is stored.

use crate::reading;
use crate::worker::Worker;

use model::Outcome;
use page::{Listing, PageLink};
use url::Url;

/// What a URL would be as a source.
#[derive(Debug)]
pub struct Preview {
    /// How the fetch ended.
    pub outcome: Outcome,
    /// Where it led in the end.
    pub final_url: Url,
    /// What was understood, if it could be read.
    pub listing: Option<Listing>,
    /// All its links with their places, to write a selector from.
    pub links: Vec<PageLink>,
}

pub(crate) async fn preview(worker: &Worker, url: &Url, selector: Option<&str>) -> Preview {
    let reply = worker.ask_once(url).await;
    let mut preview =
        Preview { outcome: reply.outcome, final_url: reply.final_url, listing: None, links: Vec::new() };
    let (Outcome::NewContent, Some(response)) = (&preview.outcome, reply.response) else {
        return preview;
    };
    let (url, caps) = (preview.final_url.clone(), worker.settings.caps);
    let selector = selector.map(str::to_owned);
    let read = move || {
        let listing = reading::read_listing(&response, &url, selector.as_deref(), &caps)?;
        Ok((listing, reading::read_links(&response, &url, &caps)))
    };
    match worker.on_cpu(read).await {
        Some(Ok((listing, links))) => (preview.listing, preview.links) = (Some(listing), links),
        Some(Err(outcome)) => preview.outcome = outcome,
        None => {}
    }
    preview
}
