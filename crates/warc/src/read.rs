//! Reading: what a file holds, record by record, compressed or not.

use flate2::bufread::GzDecoder;
use std::io::Read;
use thiserror::Error;

/// A record that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it begins in the file.
    pub offset: u64,
    /// Bytes it takes there.
    pub length: u64,
    /// Its fields in their order.
    pub fields: Vec<(String, String)>,
    /// Its block.
    pub block: Vec<u8>,
}

/// Why reading stopped.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at byte {offset}: {what}")]
pub struct WarcError {
    /// Where in the file.
    pub offset: u64,
    /// What is wrong there.
    pub what: &'static str,
}

impl Found {
    /// A field by its name, upper or lower case.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// What follows the HTTP headers of the block.
    pub fn payload(&self) -> &[u8] {
        let end = find(&self.block, b"\r\n\r\n").map_or(self.block.len(), |at| at + 4);
        &self.block[end..]
    }

    /// Whether the digests that are named fit what is here; `None` if none is.
    pub fn digests_fit(&self) -> Option<bool> {
        let fits = |name, bytes: &[u8]| {
            let said = self.field(name).filter(|said| said.starts_with("sha256:"))?;
            Some(said == crate::digest(&[bytes]))
        };
        let block = fits("WARC-Block-Digest", &self.block);
        let payload = fits("WARC-Payload-Digest", self.payload());
        match (block, payload) {
            (None, None) => None,
            (block, payload) => Some(block.unwrap_or(true) && payload.unwrap_or(true)),
        }
    }
}

/// A record longer than this is not one a crawl wrote.
const LONGEST: u64 = 256 << 20;

/// Fields of one record may not be longer than this.
const HEADER: usize = 64 << 10;

/// The records of a file, or of a part that begins with a record. Ends with the first error.
#[derive(Debug)]
pub struct Records<'a> {
    rest: &'a [u8],
    offset: u64,
    broken: bool,
}

impl<'a> Records<'a> {
    /// The records in these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0, broken: false }
    }

    fn record(&mut self) -> Result<Found, &'static str> {
        let before = self.rest;
        let (found, after) = if before.starts_with(&[0x1f, 0x8b]) { packed(before)? } else { plain(before)? };
        self.rest = after;
        let length = (before.len() - after.len()) as u64;
        let offset = self.offset;
        self.offset += length;
        Ok(Found { offset, length, ..found })
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Found, WarcError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.broken || self.rest.is_empty() {
            return None;
        }
        let offset = self.offset;
        let record = self.record().map_err(|what| WarcError { offset, what });
        self.broken = record.is_err();
        Some(record)
    }
}

fn packed(bytes: &[u8]) -> Result<(Found, &[u8]), &'static str> {
    let mut decoder = GzDecoder::new(bytes);
    let mut text = Vec::new();
    let read = (&mut decoder).take(LONGEST).read_to_end(&mut text);
    read.map_err(|_| "the compressed record is damaged or cut off")?;
    let after = decoder.into_inner();
    let (found, left) = plain(&text)?;
    if left.is_empty() { Ok((found, after)) } else { Err("more than one record in a gzip member") }
}

fn plain(bytes: &[u8]) -> Result<(Found, &[u8]), &'static str> {
    let head = &bytes[..bytes.len().min(HEADER)];
    let end = find(head, b"\r\n\r\n").ok_or("no end of the record's fields")?;
    let text = std::str::from_utf8(&head[..end]).map_err(|_| "the record's fields are not UTF-8")?;
    let mut lines = text.split("\r\n");
    if !lines.next().is_some_and(|version| version.starts_with("WARC/1.")) {
        return Err("not a WARC record");
    }
    let fields: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let found = Found { offset: 0, length: 0, fields, block: Vec::new() };
    let length = found.field("Content-Length").and_then(|text| text.parse::<u64>().ok());
    let length = length.filter(|length| *length <= LONGEST).ok_or("no usable Content-Length")? as usize;
    let body = &bytes[end + 4..];
    let block = body.get(..length).ok_or("the record is cut off")?.to_vec();
    let after = body[length..].strip_prefix(b"\r\n\r\n").ok_or("no end of the record")?;
    Ok((Found { block, ..found }, after))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
