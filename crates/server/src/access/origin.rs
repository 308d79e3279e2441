//! Was a request made by one of our own pages? Browsers say so, and pages cannot lie about it.

use http::HeaderMap;
use http::header::{HOST, ORIGIN};

/// For requests without a form token: a foreign page must not be able to send it. Programs send neither header.
pub(crate) fn is_ours(headers: &HeaderMap) -> bool {
    match (fetch_site(headers), header(headers, "origin")) {
        (Some(site), Some("null") | None) => site == "same-origin",
        (Some(site), Some(origin)) => site == "same-origin" && matches_host(headers, origin),
        (None, Some(origin)) => matches_host(headers, origin),
        (None, None) => true,
    }
}

/// For forms, whose token is checked as well. Our referrer policy makes browsers send `Origin: null` with them,
/// and over plain http from another machine they do not send `Sec-Fetch-Site` at all.
pub(crate) fn may_be_our_form(headers: &HeaderMap) -> bool {
    let from_ours = fetch_site(headers).is_none_or(|site| site == "same-origin" || site == "none");
    let origin = header(headers, ORIGIN.as_str()).filter(|origin| *origin != "null");
    from_ours && origin.is_none_or(|origin| matches_host(headers, origin))
}

fn fetch_site(headers: &HeaderMap) -> Option<&str> {
    header(headers, "sec-fetch-site")
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    // An unreadable value counts as foreign, not as absent.
    headers.get(name).map(|value| value.to_str().unwrap_or("unreadable"))
}

/// The scheme is not compared: a proxy in front may have taken the TLS away.
fn matches_host(headers: &HeaderMap, origin: &str) -> bool {
    let host = header(headers, HOST.as_str());
    origin.split_once("://").is_some_and(|(_, site)| host.is_some_and(|host| host.eq_ignore_ascii_case(site)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static("127.0.0.1:8080"))]);
        for (name, value) in pairs {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn a_foreign_page_cannot_write() {
        assert!(is_ours(&headers(&[])), "a program");
        assert!(is_ours(&headers(&[("origin", "http://127.0.0.1:8080"), ("sec-fetch-site", "same-origin")])));
        assert!(is_ours(&headers(&[("origin", "https://127.0.0.1:8080")])), "behind a proxy");
        for foreign in [
            headers(&[("origin", "https://evil.example")]),
            headers(&[("origin", "http://127.0.0.1:8081")]),
            headers(&[("origin", "null")]),
            headers(&[("sec-fetch-site", "cross-site")]),
            headers(&[("sec-fetch-site", "same-site"), ("origin", "http://127.0.0.1:8080")]),
        ] {
            assert!(!is_ours(&foreign), "{foreign:?}");
        }
    }

    #[test]
    fn forms_may_hide_their_origin_but_not_lie() {
        assert!(may_be_our_form(&headers(&[("origin", "null"), ("sec-fetch-site", "same-origin")])));
        assert!(may_be_our_form(&headers(&[("origin", "null")])), "plain http in the local network");
        assert!(!may_be_our_form(&headers(&[("origin", "null"), ("sec-fetch-site", "cross-site")])));
        assert!(!may_be_our_form(&headers(&[("origin", "https://evil.example")])));
    }
}
