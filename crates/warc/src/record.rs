//! Writing.

use crate::digest::{digest, record_id};
use flate2::{Compression, GzBuilder};
use jiff::Timestamp;
use std::fmt::Write as _;
use std::io::Write as _;

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// About the file itself: its first record.
    Info,
    /// What was asked.
    Request,
    /// What was answered.
    Response,
    /// What was answered before, byte for byte; the block holds only the headers.
    Revisit,
    /// Something about another record.
    Metadata,
}

impl Kind {
    /// As in `WARC-Type`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "warcinfo",
            Self::Request => "request",
            Self::Response => "response",
            Self::Revisit => "revisit",
            Self::Metadata => "metadata",
        }
    }
}

/// A record to be written.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// What it holds.
    pub kind: Kind,
    /// When it was captured.
    pub date: Timestamp,
    /// What it is about; `None` for the file itself.
    pub target: Option<&'a str>,
    /// The `Content-Type` of the block.
    pub content_type: &'a str,
    /// The block before the payload: for HTTP, status line and headers with the empty line.
    pub head: &'a [u8],
    /// The payload: for HTTP, the body as sent.
    pub payload: &'a [u8],
    /// Further fields: name and value.
    pub fields: &'a [(&'a str, &'a str)],
}

/// A record as it stands in an uncompressed file.
pub fn write(record: &Record<'_>) -> Vec<u8> {
    let head = header(record);
    let mut bytes = Vec::with_capacity(head.len() + record.head.len() + record.payload.len() + 4);
    bytes.extend_from_slice(head.as_bytes());
    bytes.extend_from_slice(record.head);
    bytes.extend_from_slice(record.payload);
    bytes.extend_from_slice(b"\r\n\r\n");
    bytes
}

/// A record as a gzip member of its own. Quick rather than small: pages shrink to a quarter either way.
pub fn pack(record: &Record<'_>) -> Vec<u8> {
    let room = (record.payload.len() / 3).max(512);
    let mut packer = GzBuilder::new().write(Vec::with_capacity(room), Compression::new(1));
    let head = header(record);
    let pieces = [head.as_bytes(), record.head, record.payload, b"\r\n\r\n"];
    let written = pieces.iter().try_for_each(|piece| packer.write_all(piece)).and_then(|()| packer.finish());
    // Writing into memory does not fail.
    written.unwrap_or_default()
}

fn header(record: &Record<'_>) -> String {
    let block = digest(&[record.head, record.payload]);
    let date = record.date.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let target = record.target.map(one_line);
    let about = target.as_deref().unwrap_or_default();
    let precise = record.date.as_nanosecond().to_le_bytes();
    let id = record_id(&[record.kind.word().as_bytes(), about.as_bytes(), &precise, block.as_bytes()]);
    let mut text = String::with_capacity(512);
    let length = record.head.len() + record.payload.len();
    // Writing into a string does not fail.
    let _ = write!(text, "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Record-ID: {id}\r\n", record.kind.word());
    let _ = write!(text, "WARC-Date: {date}\r\n");
    if let Some(target) = &target {
        let _ = write!(text, "WARC-Target-URI: {target}\r\n");
    }
    if matches!(record.kind, Kind::Request | Kind::Response) {
        let _ = write!(text, "WARC-Payload-Digest: {}\r\n", digest(&[record.payload]));
    }
    let _ = write!(text, "WARC-Block-Digest: {block}\r\n");
    for (name, value) in record.fields {
        let _ = write!(text, "{}: {}\r\n", one_line(name), one_line(value));
    }
    let _ = write!(text, "Content-Type: {}\r\nContent-Length: {length}\r\n\r\n", one_line(record.content_type));
    text
}

/// A line break in a value would begin a field of the page's choice.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
