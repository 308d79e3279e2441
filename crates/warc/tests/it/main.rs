//! The warc crate from outside: what is written is read back, also by others.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "another program is asked whether it agrees"
)]

use jiff::Timestamp;
use proptest::prelude::*;
use warc::{Kind, Record, Records, pack, response_block, write};

fn date() -> Timestamp {
    "2026-11-16T08:30:00.25Z".parse().unwrap()
}

fn response<'a>(target: &'a str, head: &'a [u8], payload: &'a [u8]) -> Record<'a> {
    Record {
        kind: Kind::Response,
        date: date(),
        target: Some(target),
        content_type: "application/http;msgtype=response",
        head,
        payload,
        fields: &[("WARC-IP-Address", "127.0.0.1")],
    }
}

fn info() -> Record<'static> {
    Record {
        kind: Kind::Info,
        date: date(),
        target: None,
        content_type: "application/warc-fields",
        head: b"",
        payload: b"software: Ripplewatch\r\nformat: WARC File Format 1.1\r\n",
        fields: &[("WARC-Filename", "crawl-1.warc.gz")],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_back(
        target in "\\PC{0,40}",
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..6),
        compressed in any::<bool>(),
    ) {
        let head = response_block("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n");
        let mut file = Vec::new();
        let mut offsets = Vec::new();
        for body in &bodies {
            offsets.push(file.len() as u64);
            let record = response(&target, &head, body);
            file.extend(if compressed { pack(&record) } else { write(&record) });
        }
        let found: Vec<_> = Records::new(&file).map(Result::unwrap).collect();
        prop_assert_eq!(found.len(), bodies.len());
        for ((found, body), offset) in found.iter().zip(&bodies).zip(&offsets) {
            prop_assert_eq!(found.payload(), body.as_slice());
            prop_assert_eq!(found.offset, *offset);
            prop_assert_eq!(found.field("warc-target-uri").unwrap_or_default(), target.trim());
            prop_assert_eq!(found.digests_fit(), Some(true));
        }
        // From any record on, and up to any.
        let last = *offsets.last().unwrap();
        prop_assert_eq!(Records::new(&file[last as usize..]).count(), 1);
        prop_assert_eq!(Records::new(&file[..last as usize]).flatten().count(), bodies.len() - 1);
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(Records::new(&bytes).count() <= bytes.len() + 1);
    }

    #[test]
    fn a_cut_file_gives_its_whole_records(cut in 0_usize..2_000) {
        let head = response_block("HTTP/1.1 200 OK\r\n");
        let one = pack(&response("http://a.example/", &head, &[b'x'; 200]));
        let mut file = [one.clone(), one.clone(), one.clone()].concat();
        file.truncate(cut);
        let whole = Records::new(&file).flatten().count();
        prop_assert_eq!(whole, (cut / one.len()).min(3));
    }
}

#[test]
fn a_page_cannot_add_fields() {
    let bytes =
        write(&response("http://a.example/\r\nWARC-Type: warcinfo", b"HTTP/1.1 200 OK\r\n\r\n", b"x"));
    let found = Records::new(&bytes).next().unwrap().unwrap();
    assert_eq!(found.fields.iter().filter(|(name, _)| name == "WARC-Type").count(), 1);
    assert_eq!(found.field("WARC-Type"), Some("response"));
}

/// `warcio` from `PyPI` reads the same and agrees with every digest. `cargo xtask test` installs it; without it there is
/// nobody to ask.
#[test]
fn warcio_agrees() {
    let head = response_block("HTTP/2.0 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n");
    let mut file = pack(&info());
    for n in 0..20 {
        let body = format!("<p>page {n}</p>").repeat(n * 50);
        file.extend(pack(&response(&format!("http://a.example/{n}?x=ä"), &head, body.as_bytes())));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl-1.warc.gz");
    std::fs::write(&path, &file).unwrap();
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/warcio/bin/warcio");
    let warcio = if std::path::Path::new(own).exists() { own } else { "warcio" };
    let Ok(told) = std::process::Command::new(warcio).arg("check").arg("-v").arg(&path).output() else {
        return;
    };
    let said = String::from_utf8_lossy(&told.stdout).into_owned() + &String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{said}");
    assert_eq!(said.matches("digest pass").count(), 21, "{said}");
}
