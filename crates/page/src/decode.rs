//! Content encodings, undone within caps.

use crate::Caps;
use model::Cap;
use std::borrow::Cow;
use std::io::{self, Read};

/// A body with its content encoding undone, as far as that went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The bytes; borrowed when there was nothing to undo.
    pub bytes: Cow<'a, [u8]>,
    /// Why the bytes are not all there, if they are not.
    pub stopped: Option<Stop>,
}

/// Why decoding stopped early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It would have cost more than allowed.
    Cap(Cap),
    /// The compressed data is damaged or incomplete; the text says how.
    Broken(String),
    /// An encoding nobody asked for.
    UnknownEncoding(String),
}

/// Undoes a `Content-Encoding`. Never returns more than `caps.decoded_bytes`.
pub fn decode<'a>(body: &'a [u8], content_encoding: Option<&str>, caps: &Caps) -> Decoded<'a> {
    let mut decoded = Decoded { bytes: Cow::Borrowed(body), stopped: None };
    let layers: Vec<&str> = content_encoding.unwrap_or_default().split(',').map(str::trim).collect();
    let layers = layers.iter().filter(|layer| !layer.is_empty() && !layer.eq_ignore_ascii_case("identity"));
    // The header names the encodings in the order they were applied.
    for (count, layer) in layers.rev().enumerate() {
        if count == MAX_LAYERS {
            decoded.stopped = Some(Stop::UnknownEncoding(format!("more than {MAX_LAYERS} encodings")));
        }
        if decoded.stopped.is_some() {
            break;
        }
        decoded = undo(&decoded.bytes, layer, body.len(), caps);
    }
    if decoded.bytes.len() > caps.decoded_bytes {
        decoded.stopped = Some(Stop::Cap(Cap::DecodedBytes));
        decoded.bytes = match decoded.bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..caps.decoded_bytes]),
            Cow::Owned(mut bytes) => {
                bytes.truncate(caps.decoded_bytes);
                Cow::Owned(bytes)
            }
        };
    }
    decoded
}

/// Whether the bytes begin as gzip does, whatever the headers say.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 0x08])
}

/// Honest servers use one encoding; two happen by misconfiguration.
const MAX_LAYERS: usize = 3;

/// Below this the ratio is not asked.
const RATIO_FREE_BYTES: usize = 1 << 20;

/// Brotli's buffer for compressed input.
const BROTLI_BUFFER: usize = 8 << 10;

fn undo(body: &[u8], layer: &str, sent: usize, caps: &Caps) -> Decoded<'static> {
    let limit = Limit { sent, caps };
    match layer.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => limit.read(flate2::read::MultiGzDecoder::new(body)),
        "deflate" => limit.read_deflate(body),
        "br" => limit.read(brotli_decompressor::Decompressor::new(body, BROTLI_BUFFER)),
        "zstd" => limit.read_zstd(body),
        other => {
            let name = other.chars().take(40).collect();
            Decoded { bytes: Cow::Owned(Vec::new()), stopped: Some(Stop::UnknownEncoding(name)) }
        }
    }
}

/// Reads from a decoder until it ends, breaks, or costs too much.
struct Limit<'c> {
    sent: usize,
    caps: &'c Caps,
}

impl Limit<'_> {
    /// RFC 9110 says `deflate` means zlib; some servers send it raw.
    fn read_deflate(&self, body: &[u8]) -> Decoded<'static> {
        let zlib = self.read(flate2::read::ZlibDecoder::new(body));
        match zlib.stopped {
            Some(Stop::Broken(_)) if zlib.bytes.is_empty() => {
                self.read(flate2::read::DeflateDecoder::new(body))
            }
            _ => zlib,
        }
    }

    /// A zstd body may be several frames.
    fn read_zstd(&self, body: &[u8]) -> Decoded<'static> {
        let mut bytes = Vec::new();
        let mut rest = body;
        while !rest.is_empty() {
            let stopped = match ruzstd::decoding::StreamingDecoder::new(&mut rest) {
                Ok(frame) => self.read_onto(frame, &mut bytes),
                Err(error) => Some(Stop::Broken(error.to_string())),
            };
            if stopped.is_some() {
                return Decoded { bytes: Cow::Owned(bytes), stopped };
            }
        }
        Decoded { bytes: Cow::Owned(bytes), stopped: None }
    }

    fn read(&self, source: impl Read) -> Decoded<'static> {
        let mut bytes = Vec::new();
        let stopped = self.read_onto(source, &mut bytes);
        Decoded { bytes: Cow::Owned(bytes), stopped }
    }

    fn read_onto(&self, mut source: impl Read, bytes: &mut Vec<u8>) -> Option<Stop> {
        let mut chunk = [0; 16 << 10];
        loop {
            match source.read(&mut chunk) {
                Ok(0) => return None,
                Ok(count) => bytes.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Some(Stop::Broken(error.to_string())),
            }
            if let Some(cap) = self.exceeded(bytes.len()) {
                bytes.truncate(self.caps.decoded_bytes);
                return Some(Stop::Cap(cap));
            }
        }
    }

    fn exceeded(&self, decoded: usize) -> Option<Cap> {
        if decoded > self.caps.decoded_bytes {
            Some(Cap::DecodedBytes)
        } else if decoded > RATIO_FREE_BYTES && decoded / self.sent.max(1) > self.caps.ratio {
            Some(Cap::Ratio)
        } else {
            None
        }
    }
}
