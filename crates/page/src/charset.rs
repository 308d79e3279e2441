//! Bytes to text: which charset, and how we know.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;

/// The text of a page or feed: byte order mark, then `Content-Type`, then what the document says of itself,
/// then a guess. Borrowed when it was UTF-8 all along.
pub fn text<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    let encoding =
        content_type.and_then(charset_of).or_else(|| declared(bytes)).unwrap_or_else(|| guess(bytes));
    encoding.decode_without_bom_handling(bytes).0
}

/// The `charset` parameter of a content type.
fn charset_of(content_type: &str) -> Option<&'static Encoding> {
    let at = find_ignoring_case(content_type.as_bytes(), b"charset")?;
    let value = content_type[at + "charset".len()..].trim_start().strip_prefix('=')?;
    let value = value.trim_start().trim_start_matches(['"', '\'']);
    let label = value.split([';', '"', '\'', ' ', ',']).next()?;
    Encoding::for_label(label.as_bytes())
}

/// What the first kilobyte says: `<meta charset>`, `<meta http-equiv>`, or the XML declaration.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(1024)];
    let xml = head.trim_ascii_start().starts_with(b"<?xml");
    let at = match find_ignoring_case(head, b"encoding=") {
        Some(at) if xml => at + b"encoding=".len(),
        _ => find_ignoring_case(head, b"charset=")? + b"charset=".len(),
    };
    let value = head[at..].trim_ascii_start();
    let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
    let end = value.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"-_:.".contains(byte))?;
    let encoding = Encoding::for_label(&value[..end])?;
    // A document that could be read this far as ASCII cannot be UTF-16, whatever it says.
    Some(if encoding.is_ascii_compatible() { encoding } else { UTF_8 })
}

/// Enough to tell the legacy encodings apart.
const GUESS_BYTES: usize = 64 << 10;

fn guess(bytes: &[u8]) -> &'static Encoding {
    let sample = &bytes[..bytes.len().min(GUESS_BYTES)];
    if std::str::from_utf8(sample).is_ok() || cut_utf8(sample) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, sample.len() == bytes.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// UTF-8 that only ends in the middle of a character.
fn cut_utf8(sample: &[u8]) -> bool {
    std::str::from_utf8(sample).is_err_and(|error| error.error_len().is_none())
}

fn find_ignoring_case(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_wins_over_the_document() {
        let bytes = b"<meta charset=utf-8>\xe9";
        assert_eq!(text(bytes, Some("text/html; Charset=\"ISO-8859-1\"")), "<meta charset=utf-8>é");
    }

    #[test]
    fn the_document_speaks_for_itself() {
        assert_eq!(
            text(b"<?xml version='1.0' encoding='windows-1251'?>\xcf", None).chars().last(),
            Some('П')
        );
        assert_eq!(text(b"<meta charset=gbk>\xc4\xe3\xba\xc3", None), "<meta charset=gbk>你好");
        assert_eq!(text(b"\xef\xbb\xbfhello", Some("text/html; charset=latin1")), "hello");
        assert_eq!(text(b"\xff\xfeh\0i\0", None), "hi");
    }

    #[test]
    fn undeclared_shift_jis_is_guessed() {
        let (bytes, _, _) =
            encoding_rs::SHIFT_JIS.encode("東京の天気は晴れ、最高気温は二十五度の見込みです。");
        assert!(text(&bytes, None).contains("東京の天気"));
    }
}
