//! Text to bytes: charsets and compression.

use crate::site::Charset;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// What windows-1252 has where ISO-8859-1 has control characters, as far as the vocabulary uses it.
const WINDOWS: [(char, u8); 8] =
    [('€', 0x80), ('…', 0x85), ('‘', 0x91), ('’', 0x92), ('“', 0x93), ('”', 0x94), ('–', 0x96), ('›', 0x9B)];

/// The bytes of a page. What a charset cannot say becomes a numeric reference, as editors of old sites do.
pub(super) fn encoded(text: String, charset: Charset) -> Vec<u8> {
    if charset == Charset::Utf8 {
        return text.into_bytes();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        let special = WINDOWS.iter().find(|(known, _)| charset == Charset::Windows1252 && *known == letter);
        match (letter, special) {
            ('\0'..='\x7f' | '\u{a0}'..='\u{ff}', _) => bytes.push(letter as u8),
            (_, Some((_, byte))) => bytes.push(*byte),
            _ => bytes.extend_from_slice(format!("&#{};", u32::from(letter)).as_bytes()),
        }
    }
    bytes
}

/// The bytes compressed. Memory does not fail, but if it did the bytes would go out as they are: `None`.
pub(super) fn gzipped(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_charsets_say_what_they_can() {
        assert_eq!(encoded("é’".into(), Charset::Windows1252), b"\xe9\x92");
        assert_eq!(encoded("é’".into(), Charset::Latin1), b"\xe9&#8217;");
        assert_eq!(encoded("é".into(), Charset::Utf8), "é".as_bytes());
    }
}
