//! Feeds, sitemaps and HTML lists: the first byte chooses the content type and whether a selector is used.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page::{Caps, Input, read_listing};
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let Ok(url) = Url::parse("https://a.example/x/y") else { return };
    let content_type = [None, Some("text/html"), Some("application/xml"), Some("text/plain; charset=gbk")][usize::from(choice & 3)];
    let selector = (choice & 4 != 0).then_some("a, li > *");
    let listing = read_listing(&Input { url: &url, content_type, bytes }, selector, &Caps::default());
    assert!(listing.articles.len() <= Caps::SITEMAP_ITEMS);
});
