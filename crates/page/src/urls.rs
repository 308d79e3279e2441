//! Addresses: one spelling for each page, and what a user may type.

mod address;
mod tracking;

pub use address::{AddressError, parse_address};

use tracking::is_tracking;
use url::Url;

/// One spelling for each page: no fragment, no tracking parameters, percent-encoding in one form. Parameters
/// that mean something stay, in their order. Normalising twice changes nothing.
pub fn normalise(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    if let Some(query) = url.query() {
        let kept: Vec<&str> =
            query.split('&').filter(|pair| !pair.is_empty() && !is_tracking(name_of(pair))).collect();
        let kept = (!kept.is_empty()).then(|| tidy_percent(&kept.join("&")));
        url.set_query(kept.as_deref());
    }
    let path = tidy_percent(url.path());
    if path != url.path() {
        url.set_path(&path);
    }
    // A trailing dot names the same host.
    if let Some(host) = url.host_str().and_then(|host| host.strip_suffix('.')).map(str::to_owned)
        && !host.is_empty()
    {
        // A host that is refused without its dot keeps it.
        let _ = url.set_host(Some(&host));
    }
    url
}

/// The part of a host that names its owner, roughly: without `www.` and friends. Good enough to tell "same
/// site" from "elsewhere" without shipping the public suffix list.
pub(crate) fn site_of(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    if url.host().is_some_and(|host| !matches!(host, url::Host::Domain(_))) {
        return host;
    }
    let mut cuts = host.rmatch_indices('.').map(|(at, _)| at);
    let last = cuts.next();
    let Some(second) = cuts.next() else { return host };
    // `example.co.uk`, `example.com.cn`: a short second label belongs to the suffix.
    let label = &host[second + 1..last.unwrap_or(host.len())];
    let cut =
        if label.len() <= 3 && host.len() - last.unwrap_or(0) == 3 { cuts.next() } else { Some(second) };
    cut.map_or(host, |cut| &host[cut + 1..])
}

fn name_of(pair: &str) -> &str {
    pair.split('=').next().unwrap_or(pair)
}

/// Upper-case hex digits, and no encoding for characters that never need it (RFC 3986, 6.2.2).
fn tidy_percent(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        tidy.push_str(&rest[..at]);
        rest = &rest[at..];
        let code = rest.get(1..3).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            // A dot stays encoded: decoding it could make a `..` that means something else.
            Some(byte) if byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) => {
                tidy.push(char::from(byte));
                rest = &rest[3..];
            }
            Some(_) => {
                tidy.push_str(&rest[..3].to_ascii_uppercase());
                rest = &rest[3..];
            }
            // A percent sign for itself. Left bare it could join what is decoded after it into a new escape.
            None => {
                tidy.push_str("%25");
                rest = &rest[1..];
            }
        }
    }
    tidy.push_str(rest);
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(url: &str) -> String {
        normalise(&Url::parse(url).unwrap()).to_string()
    }

    #[test]
    fn one_spelling() {
        assert_eq!(
            normalised("HTTPS://News.Example:443/a%7eb/?utm_source=x&id=7&fbclid=1#top"),
            "https://news.example/a~b/?id=7"
        );
        assert_eq!(normalised("http://news.example./?"), "http://news.example/");
        assert_eq!(normalised("https://a.example/p?b=2&a=1&&"), "https://a.example/p?b=2&a=1");
        assert_eq!(normalised("https://a.example/%e4%bd%a0"), "https://a.example/%E4%BD%A0");
        assert_eq!(normalised("https://a.example/%%330"), "https://a.example/%2530");
        assert_eq!(normalised("https://a.example/100%25"), "https://a.example/100%25");
    }

    #[test]
    fn sites_share_an_owner() {
        let site = |url: &str| site_of(&Url::parse(url).unwrap()).to_owned();
        assert_eq!(site("https://www.news.example/"), "news.example");
        assert_eq!(site("https://sport.news.co.uk/"), "news.co.uk");
        assert_eq!(site("https://bbc.co.uk/"), "bbc.co.uk");
        assert_eq!(site("http://127.0.0.1:80/"), "127.0.0.1");
        assert_eq!(site("http://localhost/"), "localhost");
    }
}
