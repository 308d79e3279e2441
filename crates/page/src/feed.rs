//! Feeds: RSS, Atom, RDF, JSON Feed.

use crate::hash::Hash;
use crate::listing::{Hints, Listing};
use crate::text::{cut, strip_markup};
use crate::{Caps, repair, urls, xml};
use feed_rs::model::{Entry, Feed, FeedType, Text};
use feed_rs::parser::Builder;
use jiff::Timestamp;
use model::{Found, SourceKind};
use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Duration;
use url::Url;

/// The format of a feed none of whose parts could be read.
pub const UNREADABLE_FEED: &str = "feed";

/// Teasers are cut here.
pub(crate) const SUMMARY_BYTES: usize = 1_000;

/// Headlines are cut here.
pub(crate) const TITLE_BYTES: usize = 500;

/// Hints beyond a month are mistakes.
const LONGEST_TTL: Duration = Duration::from_hours(31 * 24);

/// Reads a feed. A broken one gives what can be read, and a note.
pub(crate) fn read(text: &str, url: &Url, caps: &Caps) -> Listing {
    let mut listing = Listing { kind: SourceKind::Feed, format: UNREADABLE_FEED, ..Listing::default() };
    let body = match xml::body(text, caps.depth) {
        _ if text.trim_start().starts_with('{') => text.trim_start(),
        Ok(body) => body,
        Err(refusal) => {
            listing.notes.push(format!("the feed was not read: {refusal}"));
            return listing;
        }
    };
    let body = &*without_declarations(body);
    let feeds = match parse(body, url) {
        Ok(feed) => vec![feed],
        Err(error) => {
            let parts: Vec<Feed> =
                repair::parts(body, caps.items).filter_map(|part| parse(&part, url).ok()).collect();
            listing
                .notes
                .push(format!("the feed is broken ({error}); {} of its parts could be read", parts.len()));
            parts
        }
    };
    listing.format = feeds.first().map_or(UNREADABLE_FEED, |feed| format_of(&feed.feed_type));
    listing.title =
        feeds.iter().find_map(|feed| feed.title.as_ref()).map(plain).filter(|title| !title.is_empty());
    listing.hints = Hints {
        ttl: feeds.first().and_then(|feed| feed.ttl).and_then(minutes).or_else(|| update_period(body)),
    };
    let entries = feeds.into_iter().flat_map(|feed| feed.entries);
    collect(entries, url, caps, &mut listing);
    listing.text_hash = listing
        .articles
        .iter()
        .fold(Hash::new(), |hash, article| {
            hash.with(article.url.as_str().as_bytes()).with(article.title.as_bytes())
        })
        .finish() as i64;
    listing
}

fn parse(text: &str, url: &Url) -> Result<Feed, feed_rs::parser::ParseFeedError> {
    // Ids are only of use when they are addresses, so none is made up.
    Builder::new()
        .base_uri(Some(url.as_str()))
        .id_generator(|_, _, _| String::new())
        .build()
        .parse(text.as_bytes())
}

/// A second XML declaration further down makes the XML reader panic when it names another charset (quick-xml
/// 0.42, `set_encoding`). Under another name it is an instruction nobody reads.
fn without_declarations(body: &str) -> Cow<'_, str> {
    if body.contains("<?xml") { Cow::Owned(body.replace("<?xml", "<?was-xml")) } else { Cow::Borrowed(body) }
}

fn format_of(kind: &FeedType) -> &'static str {
    match kind {
        FeedType::Atom => "Atom",
        FeedType::JSON => "JSON Feed",
        FeedType::RSS0 => "RSS 0.9",
        FeedType::RSS1 => "RDF",
        FeedType::RSS2 => "RSS 2.0",
    }
}

fn collect(entries: impl Iterator<Item = Entry>, url: &Url, caps: &Caps, listing: &mut Listing) {
    let mut seen = HashSet::new();
    let mut without_link = 0_usize;
    for entry in entries {
        if listing.articles.len() == caps.items {
            listing.notes.push(format!("only the first {} articles are read", caps.items));
            break;
        }
        match found(entry, url) {
            Some(article) if seen.insert(article.url.clone()) => listing.articles.push(article),
            Some(_) => {}
            None => without_link += 1,
        }
    }
    if without_link > 0 {
        listing.notes.push(format!("{without_link} entries have no link and were left out"));
    }
}

fn found(entry: Entry, base: &Url) -> Option<Found> {
    let link =
        entry.links.iter().find(|link| link.rel.as_deref().is_none_or(|rel| rel == "alternate")).or_else(
            || {
                entry.links.iter().find(|link| {
                    !matches!(link.rel.as_deref(), Some("self" | "edit" | "enclosure" | "replies"))
                })
            },
        );
    let url = link
        .and_then(|link| base.join(link.href.trim()).ok())
        .or_else(|| Url::parse(entry.id.trim()).ok())
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())?;
    let summary = entry.summary.as_ref().map(plain).or_else(|| {
        entry.content.and_then(|content| content.body).map(|body| strip_markup(cut(&body, 8_000)))
    });
    let summary =
        summary.map(|summary| cut(&summary, SUMMARY_BYTES).to_owned()).filter(|summary| !summary.is_empty());
    let mut title = entry.title.as_ref().map(plain).unwrap_or_default();
    if title.is_empty() {
        // Short posts have no headline: their first words stand in.
        title = summary.as_deref().map(|summary| cut(summary, 100).to_owned()).unwrap_or_default();
    }
    Some(Found {
        url: urls::normalise(&url),
        title: cut(&title, TITLE_BYTES).to_owned(),
        published_at: entry
            .published
            .or(entry.updated)
            .and_then(|time| Timestamp::from_millisecond(time.timestamp_millis()).ok()),
        summary,
    })
}

fn plain(text: &Text) -> String {
    strip_markup(cut(&text.content, 8_000))
}

fn minutes(ttl: u32) -> Option<Duration> {
    let ttl = Duration::from_secs(u64::from(ttl) * 60);
    (!ttl.is_zero() && ttl <= LONGEST_TTL).then_some(ttl)
}

/// The syndication module's way to say the same: a period and how often in it.
fn update_period(body: &str) -> Option<Duration> {
    let value = |name: &str| {
        let start = body.find(name)? + name.len();
        let text = body[start..].strip_prefix('>')?;
        Some(text[..text.find('<')?].trim())
    };
    let seconds: u64 = match value("<sy:updatePeriod")? {
        "hourly" => 3_600,
        "daily" => 24 * 3_600,
        "weekly" => 7 * 24 * 3_600,
        "monthly" => 30 * 24 * 3_600,
        _ => return None,
    };
    let often = value("<sy:updateFrequency").and_then(|text| text.parse().ok()).unwrap_or(1_u64);
    Some(Duration::from_secs((seconds / often.max(1)).max(60)))
}
