//! WARC 1.1 (ISO 28500:2017): records to bytes and back.
//!
//! Pure: bytes in, bytes out; where they are kept and what time it is come from outside. Each record is a gzip
//! member of its own, so that a file can be read from any record on and cut after any.

mod digest;
mod http;
mod read;
mod record;

pub use digest::digest;
pub use http::{response_block, without_transfer_encoding};
pub use read::{Found, Records, WarcError};
pub use record::{Kind, Record, pack, write};
