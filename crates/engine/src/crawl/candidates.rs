//! What a page promises to whoever would watch it.

use discovery::crawl::PageReader;
use jiff::Timestamp;
use page::{WebKind, WebPage};
use store::{CandidateKind, FoundCandidate};
use url::Url;

/// A list of fewer entries is none.
const ENTRIES: u32 = 3;

/// Entries of a feed that are read to judge the rest.
const READ: usize = 25;

/// Feeds one page may offer; blogs offer one for every comment thread.
const FEEDS: usize = 4;

/// Candidates a document that was read is or offers. `score` says how much it has to do with the topic.
pub(super) fn candidates(
    url: &Url,
    page: &WebPage,
    reader: &PageReader,
    score: f64,
    on_topic: bool,
    now: Timestamp,
) -> Vec<FoundCandidate> {
    let per_day =
        page.dated_entries.filter(|entries| entries.count >= ENTRIES).map(|entries| entries.per_day(now));
    match page.kind {
        WebKind::Feed => vec![FoundCandidate {
            url: url.clone(),
            kind: CandidateKind::Feed,
            title: page.title.clone(),
            per_day: Some(per_day.unwrap_or(0.0)),
            share: share(page, reader),
        }],
        WebKind::Html => {
            let list = per_day.filter(|_| on_topic || score > 0.2).map(|per_day| FoundCandidate {
                url: url.clone(),
                kind: CandidateKind::List,
                title: page.title.clone(),
                per_day: Some(per_day),
                share: score,
            });
            list.into_iter()
                .chain(offered(page).filter(|_| on_topic).map(|feed| FoundCandidate {
                    url: feed.url.clone(),
                    kind: CandidateKind::Feed,
                    title: feed.title.clone(),
                    per_day: None,
                    share: score,
                }))
                .collect()
        }
        WebKind::Sitemap | WebKind::Text | WebKind::Other => Vec::new(),
    }
}

/// The feeds a page offers, without those of its comments.
pub(super) fn offered(page: &WebPage) -> impl Iterator<Item = &page::FeedLink> {
    let talk = |feed: &&page::FeedLink| {
        let title = feed.title.as_deref().unwrap_or_default().to_lowercase();
        !title.contains("comment") && !feed.url.path().contains("comment")
    };
    page.feeds.iter().filter(talk).take(FEEDS)
}

/// The share of a feed's entries that are on the topic by what they say themselves.
fn share(feed: &WebPage, reader: &PageReader) -> f64 {
    let entries: Vec<_> = feed.links.iter().take(READ).collect();
    let on_topic = entries.iter().filter(|entry| {
        let page = WebPage {
            title: Some(entry.text.clone()),
            text: entry.context.clone(),
            language: feed.language.clone(),
            ..WebPage::default()
        };
        reader.read(&page).reading.relevant
    });
    on_topic.count() as f64 / entries.len().max(1) as f64
}
