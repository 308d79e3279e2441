//! What a watched page lists.

use crate::hash::hash;
use crate::list::page_listing;
use crate::sniff::{Document, sniff};
use crate::watches::{self, Aim, Sight};
use crate::{Caps, Input, Stop, charset, decode, feed, sitemap};
use jiff::Timestamp;
use model::{Cap, Found, SourceKind};
use std::borrow::Cow;
use std::time::Duration;
use url::Url;

/// What a watched page, feed or sitemap says.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// What it was understood to be.
    pub kind: SourceKind,
    /// What it calls itself.
    pub title: Option<String>,
    /// Its articles, in its order, each address once.
    pub articles: Vec<Found>,
    /// The sitemaps an index names.
    pub sitemaps: Vec<ChildSitemap>,
    /// The feeds an HTML page offers.
    pub feeds: Vec<FeedLink>,
    /// What it says about its own rhythm.
    pub hints: Hints,
    /// Stable hash of the visible main text: changes when a reader would see a change, not when markup or
    /// scripts change.
    pub text_hash: i64,
    /// Its format, for people.
    pub format: &'static str,
    /// It is a captcha or "checking your browser" page, not the content.
    pub challenge: bool,
    /// It was cut short at a cap: what is here is not the whole.
    pub cut: Option<Cap>,
    /// What the reader noted.
    pub notes: Vec<String>,
}

/// A sitemap named by a sitemap index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildSitemap {
    /// Where it is.
    pub url: Url,
    /// When it last changed, if the index says so.
    pub modified: Option<Timestamp>,
}

/// A feed a page offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedLink {
    /// Where it is.
    pub url: Url,
    /// What the page calls it.
    pub title: Option<String>,
}

/// What a source says about its own rhythm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hints {
    /// How long it asks to be left alone.
    pub ttl: Option<Duration>,
}

/// Reads a watched page. `selector` says where the articles are on an HTML page; without it they are found.
pub fn read_listing(input: &Input<'_>, selector: Option<&str>, caps: &Caps) -> Listing {
    read_page(input, selector, &[], caps).0
}

/// Reads a watched page once for all: what it lists, and what each watch sees of it. A captcha shows them nothing.
pub fn read_page(
    input: &Input<'_>,
    selector: Option<&str>,
    aims: &[Aim],
    caps: &Caps,
) -> (Listing, Vec<Sight>) {
    let mut stopped = None;
    let mut bytes = Cow::Borrowed(input.bytes);
    if decode::is_gzip(input.bytes) {
        // A `.xml.gz` sitemap is gzip by itself, not by its transfer.
        let unpacked = decode::decode(input.bytes, Some("gzip"), caps);
        stopped = unpacked.stopped;
        bytes = unpacked.bytes;
    }
    let text = charset::text(&bytes, input.content_type);
    let listed = |listing: Listing| {
        let sights = watches::of_listing(aims, &listing);
        (listing, sights)
    };
    let (mut listing, sights) = match sniff(&text, input.content_type) {
        Document::XmlFeed | Document::JsonFeed => listed(feed::read(&text, input.url, caps)),
        Document::Sitemap => listed(sitemap::read(&text, input.url, caps)),
        Document::SitemapIndex => listed(sitemap::read_index(&text, input.url, caps)),
        Document::Html => page_listing(&text, input.url, selector, aims, caps),
        Document::Plain => {
            let listing = Listing { text_hash: hash(&text) as i64, format: "text", ..Listing::default() };
            (listing, watches::of_plain(aims, &text))
        }
        Document::Binary => {
            let notes = vec!["not a page: it is watched for any change of its bytes".to_owned()];
            let text_hash = hash(&text) as i64;
            let listing = Listing { text_hash, format: "file", notes, ..Listing::default() };
            (listing, watches::of_binary(aims, &bytes))
        }
    };
    listing.notes.extend(stopped.as_ref().map(stop_note));
    listing.cut = match stopped {
        Some(Stop::Cap(cap)) => Some(cap),
        _ => None,
    };
    (listing, sights)
}

impl Default for Listing {
    /// A page that says nothing.
    fn default() -> Self {
        Self {
            kind: SourceKind::Page,
            title: None,
            articles: Vec::new(),
            sitemaps: Vec::new(),
            feeds: Vec::new(),
            hints: Hints::default(),
            text_hash: 0,
            format: "HTML",
            challenge: false,
            cut: None,
            notes: Vec::new(),
        }
    }
}

fn stop_note(stop: &Stop) -> String {
    match stop {
        Stop::Cap(cap) => cap.to_string(),
        Stop::Broken(why) => format!("the compressed file is damaged: {why}"),
        Stop::UnknownEncoding(name) => format!("unknown encoding {name}"),
    }
}
