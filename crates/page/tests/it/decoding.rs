//! Content encodings.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use model::Cap;
use page::{Caps, Stop, decode};
use std::borrow::Cow;
use std::io::Write;

const TEXT: &[u8] = b"the same words again, the same words again, the same words again";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn raw(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// "hello hello hello hello" by brotli's own tool.
const BROTLI: &[u8] = &[0x0b, 0x02, 0x80, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x03];

#[test]
fn every_encoding_is_undone() {
    let caps = Caps::default();
    for (name, body) in [
        ("gzip", gzip(TEXT)),
        ("X-GZip", gzip(TEXT)),
        ("deflate", zlib(TEXT)),
        ("deflate", raw(TEXT)),
        ("zstd", zstd(TEXT)),
        ("gzip, zstd", zstd(&gzip(TEXT))),
    ] {
        let decoded = decode(&body, Some(name), &caps);
        assert_eq!((decoded.bytes.as_ref(), decoded.stopped), (TEXT, None), "{name}");
    }
    assert_eq!(decode(BROTLI, Some("br"), &caps).bytes.as_ref(), b"hello");
}

#[test]
fn identity_is_not_copied() {
    assert!(matches!(decode(TEXT, None, &Caps::default()).bytes, Cow::Borrowed(_)));
    assert!(matches!(decode(TEXT, Some("identity"), &Caps::default()).bytes, Cow::Borrowed(_)));
}

#[test]
fn what_cannot_be_undone_is_said() {
    let caps = Caps::default();
    assert_eq!(decode(TEXT, Some("compress"), &caps).stopped, Some(Stop::UnknownEncoding("compress".into())));
    assert!(matches!(decode(TEXT, Some("gzip"), &caps).stopped, Some(Stop::Broken(_))));
    let cut = gzip(TEXT);
    assert!(matches!(decode(&cut[..cut.len() - 9], Some("gzip"), &caps).stopped, Some(Stop::Broken(_))));
    let four = decode(TEXT, Some("gzip, gzip, gzip, gzip"), &caps);
    assert!(four.stopped.is_some());
}

#[test]
fn bombs_stop_at_the_cap() {
    let caps = Caps::default();
    let zeros = vec![0; 64 << 20];
    for (name, body) in [
        ("gzip", gzip(&zeros)),
        ("deflate", zlib(&zeros)),
        ("zstd", zstd(&zeros)),
        ("gzip, gzip", gzip(&gzip(&zeros))),
    ] {
        let decoded = decode(&body, Some(name), &caps);
        assert!(
            matches!(decoded.stopped, Some(Stop::Cap(Cap::Ratio | Cap::DecodedBytes))),
            "{name}: {:?}",
            decoded.stopped
        );
        assert!(decoded.bytes.len() <= caps.decoded_bytes);
    }
    let small = Caps { decoded_bytes: 10, ..caps };
    let decoded = decode(TEXT, None, &small);
    assert_eq!((decoded.bytes.len(), decoded.stopped), (10, Some(Stop::Cap(Cap::DecodedBytes))));
}
