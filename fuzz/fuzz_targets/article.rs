//! Article pages.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page::{Caps, Input, read_article};
use url::Url;

fuzz_target!(|bytes: &[u8]| {
    let Ok(url) = Url::parse("https://a.example/x/y") else { return };
    let caps = Caps::default();
    let page = read_article(&Input { url: &url, content_type: Some("text/html"), bytes }, &caps);
    assert!(page.text.len() <= caps.text_bytes);
});
