//! Parts of arbitrary pages, arbitrary conditions, and the difference between any two sights.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page::watches::{Aim, Diff, Move, Notify, Stop, What, When};
use page::{Caps, Input, read_page};
use url::Url;

fuzz_target!(|data: (&str, &[u8], &[u8])| {
    let (typed, one, other) = data;
    let _ = (typed.parse::<When>(), typed.parse::<Move>(), typed.parse::<Stop>(), typed.parse::<Notify>());
    let Ok(what) = typed.parse::<What>() else { return };
    let Ok(url) = Url::parse("https://a.example/") else { return };
    let look = |bytes| {
        let input = Input { url: &url, content_type: None, bytes };
        read_page(&input, None, &[Aim::at(what.clone())], &Caps::default()).1
    };
    if let ([one], [other]) = (look(one).as_slice(), look(other).as_slice()) {
        if let (Some(one), Some(other)) = (one.part(), other.part()) {
            let _ = Diff::between(one, other).text();
        }
    }
});
