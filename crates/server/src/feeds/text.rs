//! Text as XML takes it, and dates as each format writes them.

use jiff::Timestamp;

/// Without the characters that no XML may hold, however they are written.
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .filter(|character| match character {
            '\t' | '\n' | '\r' => true,
            '\u{fffe}' | '\u{ffff}' => false,
            other => *other >= ' ',
        })
        .collect()
}

/// Plain text where a reader expects HTML.
pub(super) fn as_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

pub(super) fn http_date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

pub(super) fn rss_date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

/// To the second: a fraction tells a reader nothing.
pub(super) fn atom_date(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_left_out() {
        assert_eq!(clean("a\u{0}b\u{1b}[31m\tc\u{ffff}\u{fffe}d\ne"), "ab[31m\tcd\ne");
        assert_eq!(as_html("<b> & >"), "&lt;b&gt; &amp; &gt;");
    }
}
