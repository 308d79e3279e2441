//! A stored page as plain text: what was sent, readable, and inert.

use encoding_rs::{Encoding, UTF_8};
use page::Caps;
use std::io;
use store::StoredPage;

/// How far into a page its own word about its charset is looked for, as browsers do.
const PRESCAN: usize = 1024;

/// The source text of a stored page. Costs CPU: call it off the async threads.
pub(crate) fn stored_text(page: &StoredPage, caps: &Caps) -> io::Result<String> {
    let body = page.body()?;
    let decoded = page::decode(&body, page.content_encoding.as_deref(), caps);
    let encoding = page
        .content_type
        .as_deref()
        .and_then(|content_type| label(content_type.as_bytes()))
        .or_else(|| label(&decoded.bytes[..decoded.bytes.len().min(PRESCAN)]))
        .unwrap_or(UTF_8);
    // A byte order mark wins over everything said.
    Ok(encoding.decode(&decoded.bytes).0.into_owned())
}

/// The charset named in a content type, a `<meta>` element or an XML declaration.
fn label(text: &[u8]) -> Option<&'static Encoding> {
    let text = String::from_utf8_lossy(text).to_ascii_lowercase();
    let named = ["charset=", "encoding="]
        .iter()
        .find_map(|key| text.split_once(key))?
        .1;
    let named = named.trim_start_matches(['"', '\'', ' ']);
    let end = named
        .find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c))
        .unwrap_or(named.len());
    Encoding::for_label(&named.as_bytes()[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn shown(content_type: Option<&str>, body: &[u8]) -> String {
        let page = StoredPage::pack(
            Timestamp::UNIX_EPOCH,
            "https://news.example/a".into(),
            String::new(),
            content_type.map(str::to_owned),
            None,
            body.to_vec(),
        );
        stored_text(&page, &Caps::default()).unwrap()
    }

    #[test]
    fn the_charset_is_the_header_s_then_the_page_s_own() {
        assert_eq!(
            shown(Some("text/html; charset=\"ISO-8859-1\""), b"caf\xe9"),
            "café"
        );
        assert_eq!(
            shown(Some("text/html"), b"<meta charset=gbk>\xc4\xe3"),
            "<meta charset=gbk>你"
        );
        assert_eq!(
            shown(None, b"<?xml version='1.0' encoding='windows-1252'?>\x80"),
            "<?xml version='1.0' encoding='windows-1252'?>€"
        );
        assert_eq!(shown(None, "naïve".as_bytes()), "naïve");
    }
}
