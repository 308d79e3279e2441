//! A stored page as plain text: what was sent, readable, and inert.

use page::Caps;
use std::io;
use store::StoredPage;

/// The source text of a stored page. Costs CPU: call it off the async threads.
pub(crate) fn stored_text(page: &StoredPage, caps: &Caps) -> io::Result<String> {
    let body = page.body()?;
    let decoded = page::decode(&body, page.content_encoding.as_deref(), caps);
    Ok(page::text(&decoded.bytes, page.content_type.as_deref()).into_owned())
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
        assert_eq!(shown(Some("text/html; charset=\"ISO-8859-1\""), b"caf\xe9"), "café");
        assert_eq!(shown(Some("text/html"), b"<meta charset=gbk>\xc4\xe3"), "<meta charset=gbk>你");
        assert_eq!(
            shown(None, b"<?xml version='1.0' encoding='windows-1252'?>\x80"),
            "<?xml version='1.0' encoding='windows-1252'?>€"
        );
        assert_eq!(shown(None, "naïve".as_bytes()), "naïve");
    }
}
