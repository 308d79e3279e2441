//! OPML and plain lists; what can be read can be written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page::subscriptions::{read, write_opml};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(found) = read(bytes) {
        let again = read(write_opml("fuzz", &found).as_bytes());
        assert!(again.is_ok_and(|again| again.len() == found.len()));
    }
});
