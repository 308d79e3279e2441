//! Pages as a crawl sees them.

use page::{Caps, Input, WebKind, WebPage, Zone, read_web_page};
use url::Url;

fn read(html: &str) -> WebPage {
    let url = Url::parse("https://shop.example/books/index.html").unwrap();
    let input = Input { url: &url, content_type: Some("text/html; charset=utf-8"), bytes: html.as_bytes() };
    read_web_page(&input, &Caps::default())
}

#[test]
fn links_carry_their_text_context_place_and_zone() {
    let page = read(
        r#"<html lang="en_GB"><title>Books</title><nav class="top"><a href="/">Home</a></nav>
        <main><ul class="grid x"><li class="card"><h3><a href="moby.html?utm_source=a#top">Moby <b>Dick</b></a></h3>
        <p>A whale of a novel by Melville, <a href="/melville" rel="nofollow">see him</a> for more.</p></li></ul></main>
        <footer><a href="/imprint">Imprint</a></footer></html>"#,
    );
    assert_eq!(page.title.as_deref(), Some("Books"));
    assert_eq!(page.language.as_deref(), Some("en-gb"));
    let seen: Vec<_> = page
        .links
        .iter()
        .map(|link| (link.url.path(), link.text.as_str(), link.path.as_str(), link.zone, link.disowned))
        .collect();
    assert_eq!(
        seen,
        [
            ("/", "Home", "nav.top > a", Zone::Navigation, false),
            ("/books/moby.html", "Moby Dick", "main > ul.grid > li.card > h3 > a", Zone::Heading, false),
            ("/melville", "see him", "main > ul.grid > li.card > p > a", Zone::Prose, true),
            ("/imprint", "Imprint", "footer > a", Zone::Footer, false),
        ]
    );
    assert_eq!(page.links[1].context, "A whale of a novel by Melville, see him for more.");
    assert_eq!(page.links[2].context, "A whale of a novel by Melville, for more.");
    assert!(page.links[1].url.query().is_none() && page.links[1].url.fragment().is_none());
    assert!(page.text.contains("whale") && !page.text.contains("Imprint"));
}

#[test]
fn what_a_page_asks_of_robots_and_offers_to_monitors() {
    let page = read(
        r#"<meta name="Robots" content="NOINDEX, nofollow"><link rel=canonical href="/books/?id=1">
        <link rel=alternate type="application/rss+xml" href="/feed.xml" title="News">
        <ul><li><time datetime="2026-11-10">x</time> a<li><time datetime="2026-11-12">y</time> b
        <li><time datetime="2026-11-14">z</time> c</ul>"#,
    );
    assert!(page.noindex && page.nofollow);
    assert_eq!(page.canonical.unwrap().as_str(), "https://shop.example/books/?id=1");
    assert_eq!(page.feeds[0].url.as_str(), "https://shop.example/feed.xml");
    let entries = page.dated_entries.unwrap();
    assert_eq!(entries.count, 3);
    assert!((entries.per_day("2026-11-16T00:00:00Z".parse().unwrap()) - 0.5).abs() < 1e-9);
}

#[test]
fn feeds_and_sitemaps_lead_on_and_pictures_do_not() {
    let url = Url::parse("https://shop.example/feed").unwrap();
    let read = |kind: &str, bytes: &[u8]| {
        read_web_page(&Input { url: &url, content_type: Some(kind), bytes }, &Caps::default())
    };
    let feed = read(
        "text/xml",
        b"<rss version='2.0'><channel><title>T</title><item><title>A book</title><link>https://shop.example/a</link>\
          <description>novel</description></item></channel></rss>",
    );
    assert_eq!((feed.kind, feed.links.len(), feed.links[0].text.as_str()), (WebKind::Feed, 1, "A book"));
    let map = read(
        "text/xml",
        b"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://shop.example/b</loc>\
          </url></urlset>",
    );
    assert_eq!((map.kind, map.links.len()), (WebKind::Sitemap, 1));
    assert_eq!(read("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").kind, WebKind::Other);
    assert_eq!(read("text/plain", b"just words").kind, WebKind::Text);
}

#[test]
fn any_bytes_are_read() {
    use proptest::prelude::*;
    proptest!(ProptestConfig::with_cases(64), |(bytes in proptest::collection::vec(any::<u8>(), 0..2_000))| {
        let url = Url::parse("https://shop.example/").unwrap();
        let page = read_web_page(&Input { url: &url, content_type: None, bytes: &bytes }, &Caps::default());
        prop_assert!(page.text.len() <= WebPage::TEXT_BYTES);
    });
}
