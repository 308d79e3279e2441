//! Bytes to what a page says: decoding with caps, charset, feeds, sitemaps, article lists, article text, words.
//!
//! Pure: no I/O, no clock. Reading never fails and never panics: every reader returns a value and, where
//! something was odd or cut short, notes a person can read.

mod article;
mod caps;
mod challenge;
mod charset;
mod dates;
mod decode;
mod feed;
pub mod fingerprint;
mod hash;
mod html;
mod jsonld;
mod language;
mod links;
mod list;
mod listing;
mod outline;
mod repair;
mod sitemap;
mod sniff;
pub mod subscriptions;
mod text;
pub mod urls;
pub mod watches;
mod web_page;
pub mod words;
mod xml;

pub use article::read_article;
pub use caps::Caps;
pub use charset::text;
pub use decode::{Decoded, Stop, decode};
pub use feed::UNREADABLE_FEED;
pub use hash::content_hash;
pub use links::{PageLink, read_links};
pub use list::{SelectorError, check_selector};
pub use listing::{ChildSitemap, FeedLink, Hints, Listing, read_listing, read_page};
pub use web_page::{DatedEntries, WebKind, WebLink, WebPage, Zone, read_web_page};

use url::Url;

/// What arrived, ready to be read.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The final URL, after redirects: what relative links are relative to.
    pub url: &'a Url,
    /// The `Content-Type` header, verbatim.
    pub content_type: Option<&'a str>,
    /// The body, already decoded by [`decode`].
    pub bytes: &'a [u8],
}
