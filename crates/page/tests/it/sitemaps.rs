//! Sitemaps and indexes of sitemaps.

use crate::listing;
use flate2::{Compression, write::GzEncoder};
use model::SourceKind;
use std::io::Write;

const NEWS: &[u8] = include_bytes!("../../../../fixtures/sitemaps/news.xml");

#[test]
fn a_news_sitemap() {
    let sitemap = listing("https://www.harbourtimes.example/news.xml", "application/xml", NEWS);
    assert_eq!((sitemap.kind, sitemap.format), (SourceKind::Sitemap, "sitemap"));
    let found: Vec<_> = sitemap
        .articles
        .iter()
        .map(|article| {
            (article.url.as_str(), article.title.as_str(), article.published_at.unwrap().to_string())
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                "https://www.harbourtimes.example/world/talks?a=1&b=2",
                "Talks & tension in Geneva",
                "2026-11-15T09:12:00Z".into()
            ),
            ("https://www.harbourtimes.example/uk/canal", "", "2026-11-14T00:00:00Z".into()),
        ]
    );
}

#[test]
fn a_packed_sitemap_is_unpacked() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(NEWS).unwrap();
    let sitemap = listing(
        "https://www.harbourtimes.example/news.xml.gz",
        "application/gzip",
        &packed.finish().unwrap(),
    );
    assert_eq!(sitemap.articles.len(), 2, "{:?}", sitemap.notes);
}

#[test]
fn an_index() {
    let index = listing(
        "https://www.harbourtimes.example/sitemap.xml",
        "text/xml",
        include_bytes!("../../../../fixtures/sitemaps/index.xml"),
    );
    assert_eq!((index.kind, index.format, index.articles.len()), (SourceKind::Sitemap, "sitemap index", 0));
    let found: Vec<_> =
        index.sitemaps.iter().map(|sitemap| (sitemap.url.as_str(), sitemap.modified.is_some())).collect();
    assert_eq!(
        found,
        [
            ("https://www.harbourtimes.example/sitemap-2026-11.xml.gz", true),
            ("https://www.harbourtimes.example/sitemap-2026-10.xml.gz", false),
        ]
    );
}

#[test]
fn a_cut_sitemap_gives_what_is_whole() {
    let cut = NEWS.windows(8).position(|window| window == b"uk/canal").unwrap();
    let cut = &NEWS[..cut];
    let sitemap = listing("https://www.harbourtimes.example/news.xml", "application/xml", cut);
    assert_eq!(sitemap.articles.len(), 1);
}

#[test]
fn a_long_sitemap_is_capped() {
    let many = (0..60_000)
        .map(|n| format!("<url><loc>https://a.example/{n}</loc></url>"))
        .collect::<Vec<_>>()
        .concat();
    let sitemap =
        listing("https://a.example/s.xml", "application/xml", format!("<urlset>{many}</urlset>").as_bytes());
    assert_eq!(sitemap.articles.len(), 50_000);
    assert_eq!(sitemap.notes, ["only the first part of the sitemap is read"]);
}
