//! What holds for every input.

use flate2::{Compression, write::GzEncoder};
use page::subscriptions::{Subscription, read, write_opml};
use page::{Caps, Input, decode, fingerprint, read_article, read_listing, urls, words};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::Write;
use url::Url;

/// Enough to find what is common; `PROPTEST_CASES` cannot raise it, the fuzz targets go further.
const CASES: u32 = 500;

/// Bytes, text, and markup-like text: the last gets far enough into the parsers to matter.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("<div class=x>"),
        Just("</div>"),
        Just("<a href=/a-b-c-d>"),
        Just("</a>"),
        Just("<p>"),
        Just("<table>"),
        Just("<td>"),
        Just("<li>"),
        Just("<b>"),
        Just("</b>"),
        Just("<h2>"),
        Just("<time datetime=2026-11-15>"),
        Just("<template>"),
        Just("<svg>"),
        Just("<title>"),
        Just("<!--"),
        Just("-->"),
        Just("<script type=application/ld+json>"),
        Just("</script>"),
        Just("{\"@type\":\"Article\"}"),
        Just("<rss version='2.0'><channel>"),
        Just("<item>"),
        Just("</item>"),
        Just("<link>"),
        Just("<feed>"),
        Just("<entry>"),
        Just("<urlset>"),
        Just("<url><loc>http://x/"),
        Just("</loc></url>"),
        Just("<![CDATA["),
        Just("]]>"),
        Just("&amp;"),
        Just("&#x0;"),
        Just("<opml><outline xmlUrl='"),
        Just("'>"),
        Just("<?xml version='1.0' encoding='utf-16'?>"),
        Just("\u{feff}"),
        Just("标题很长的新闻"),
        Just("2026-11-15 "),
        Just("12:04 "),
        Just("Some words of text "),
        Just("…"),
        Just("»"),
        Just("["),
    ];
    prop_oneof![
        vec(any::<u8>(), 0..400),
        ".{0,200}".prop_map(String::into_bytes),
        vec(piece, 0..60).prop_map(|pieces| pieces.concat().into_bytes()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_never_panics_and_stays_bounded(bytes in body(), kind in prop_oneof![Just(None), Just(Some("text/html")), Just(Some("application/xml")), Just(Some("text/plain; charset=gbk"))]) {
        let url = Url::parse("https://a.example/x/y").unwrap();
        let input = Input { url: &url, content_type: kind, bytes: &bytes };
        let caps = Caps { text_bytes: 50, items: 5, ..Caps::default() };
        for selector in [None, Some("a, li")] {
            let listing = read_listing(&input, selector, &caps);
            prop_assert!(listing.articles.len() <= Caps::SITEMAP_ITEMS);
            prop_assert!(listing.articles.iter().all(|article| article.title.len() <= 500));
            prop_assert_eq!(&read_listing(&input, selector, &caps), &listing);
        }
        prop_assert!(read_article(&input, &caps).text.len() <= 50);
        let _ = read(&bytes);
    }

    #[test]
    fn decoding_never_exceeds_its_caps(bytes in vec(any::<u8>(), 0..200), repeat in 1_usize..20_000, cap in 0_usize..100_000, coding in "(gzip|br|zstd|deflate|identity|, |x){0,5}") {
        let caps = Caps { decoded_bytes: cap, ..Caps::default() };
        prop_assert!(decode(&bytes, Some(&coding), &caps).bytes.len() <= cap);
        let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
        bomb.write_all(&bytes.repeat(repeat)).unwrap();
        prop_assert!(decode(&bomb.finish().unwrap(), Some("gzip"), &caps).bytes.len() <= cap);
    }

    #[test]
    fn normalising_twice_changes_nothing(path in "[a-zA-Z0-9/%._~é你 -]{0,40}", query in "[a-z0-9&=%+_?]{0,40}", fragment in "[a-z]{0,5}", host in "[a-z]{1,8}\\.example\\.?") {
        if let Ok(url) = Url::parse(&format!("https://{host}/{path}?{query}&utm_source=x#{fragment}")) {
            let once = urls::normalise(&url);
            prop_assert_eq!(&urls::normalise(&once), &once);
            prop_assert_eq!(Url::parse(once.as_str()).unwrap(), once);
        }
    }

    #[test]
    fn typed_addresses_are_safe_or_refused(text in ".{0,80}") {
        if let Ok(url) = urls::parse_address(&text) {
            prop_assert!(matches!(url.scheme(), "http" | "https") && url.has_host() && url.username().is_empty());
        }
    }

    #[test]
    fn what_is_indexed_can_be_searched(text in "[a-zA-ZäÉßİ你好新华社カタひら0-9 .,'-]{0,80}") {
        let indexed = words::search_text(&text);
        prop_assert_eq!(words::search_text(&indexed), indexed.clone());
        prop_assert_eq!(words::words(&text).collect::<Vec<_>>().join(" "), indexed.clone());
        let padded = format!(" {indexed} ");
        for phrase in words::search_query(&text) {
            let phrase = format!(" {} ", phrase.join(" "));
            prop_assert!(padded.contains(&phrase), "{:?} not in {:?}", phrase, padded);
        }
    }

    #[test]
    fn fingerprints_are_near_to_themselves(text in "[a-z ]{0,300}") {
        if let Some(print) = fingerprint::fingerprint(&text) {
            prop_assert_eq!(fingerprint::distance(print, fingerprint::fingerprint(&text.to_uppercase()).unwrap()), 0);
        }
    }

    #[test]
    fn opml_reads_back_as_written(sources in vec(("[a-z]{1,8}", proptest::option::of("[a-z<>&\"'äö你]{1,12}"), proptest::option::of("[a-z<>&\"'äö你]{1,8}")), 1..20)) {
        let mut written: Vec<Subscription> = sources
            .into_iter()
            .map(|(path, title, folder)| Subscription { url: Url::parse(&format!("https://a.example/{path}?a=1&b=2")).unwrap(), title, folder })
            .collect();
        let mut found = read(write_opml("Mine & yours", &written).as_bytes()).unwrap();
        // Folders are written one after the other.
        let key = |one: &Subscription| (one.folder.clone(), one.url.clone(), one.title.clone());
        written.sort_by_key(key);
        found.sort_by_key(key);
        prop_assert_eq!(found, written);
    }
}
