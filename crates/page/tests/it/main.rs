//! The page crate from outside: fixtures, hostile input, properties.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed unwrap is a failed test, and its helpers print"
)]

mod articles;
mod decoding;
mod feeds;
mod hostile;
mod lists;
mod properties;
mod selectors;
mod sitemaps;
mod subscriptions;
mod watches;
mod web_pages;
mod words;

use page::{Caps, Input, Listing, read_listing};
use url::Url;

/// Reads bytes as a listing, as the engine would.
fn listing(url: &str, content_type: &str, bytes: &[u8]) -> Listing {
    let url = Url::parse(url).unwrap();
    read_listing(&Input { url: &url, content_type: Some(content_type), bytes }, None, &Caps::default())
}
