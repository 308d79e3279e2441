//! Content encodings: the first byte chooses which.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page::{Caps, decode};

fuzz_target!(|data: &[u8]| {
    let Some((choice, body)) = data.split_first() else { return };
    let caps = Caps { decoded_bytes: 1 << 20, ..Caps::default() };
    let coding = ["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, deflate"][usize::from(choice % 6)];
    assert!(decode(body, Some(coding), &caps).bytes.len() <= caps.decoded_bytes);
});
