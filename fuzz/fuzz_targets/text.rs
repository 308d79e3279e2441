//! Addresses, words, fingerprints, challenges, selectors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page::{check_selector, fingerprint, is_challenge, urls, words};

fuzz_target!(|text: &str| {
    if let Ok(url) = urls::parse_address(text) {
        let once = urls::normalise(&url);
        assert_eq!(urls::normalise(&once), once);
    }
    let indexed = words::search_text(text);
    assert_eq!(words::search_text(&indexed), indexed);
    let _ = (words::search_query(text), fingerprint::fingerprint(text), is_challenge(text), check_selector(text));
});
