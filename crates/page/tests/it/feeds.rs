//! Feeds of every kind, whole and broken.

use crate::listing;
use model::SourceKind;
use page::Listing;
use std::time::Duration;

fn feed(bytes: &[u8]) -> Listing {
    listing("https://www.harbourtimes.example/rss", "application/xml", bytes)
}

fn brief(listing: &Listing) -> Vec<(&str, &str)> {
    listing.articles.iter().map(|article| (article.url.as_str(), article.title.as_str())).collect()
}

#[test]
fn rss() {
    let feed = feed(include_bytes!("../../../../fixtures/feeds/rss.xml"));
    assert_eq!((feed.kind, feed.format), (SourceKind::Feed, "RSS 2.0"));
    assert_eq!(feed.title.as_deref(), Some("The Harbour Times – World"));
    assert_eq!(feed.hints.ttl, Some(Duration::from_mins(30)));
    assert_eq!(
        brief(&feed),
        [
            ("https://www.harbourtimes.example/world/talks?id=5", "Talks & tension in Geneva"),
            ("https://www.harbourtimes.example/world/relative", "Relative link"),
            ("https://www.harbourtimes.example/world/guid", "Only a guid"),
        ]
    );
    assert_eq!(feed.articles[0].summary.as_deref(), Some("Negotiators met on Sunday."));
    assert_eq!(feed.articles[0].published_at.unwrap().to_string(), "2026-11-15T09:12:00Z");
    assert_eq!(feed.notes, ["1 entries have no link and were left out"]);
}

#[test]
fn atom() {
    let feed = feed(include_bytes!("../../../../fixtures/feeds/atom.xml"));
    assert_eq!((feed.format, feed.title.as_deref()), ("Atom", Some("Slow Machines")));
    assert_eq!(
        brief(&feed),
        [("https://slowmachines.example/2026/11/14/on-boring-databases/", "On boring databases")]
    );
    assert_eq!(feed.articles[0].published_at.unwrap().to_string(), "2026-11-14T07:00:00Z");
}

#[test]
fn rdf() {
    let feed = feed(include_bytes!("../../../../fixtures/feeds/rdf.xml"));
    assert_eq!(feed.format, "RDF");
    assert_eq!(brief(&feed), [("https://www.altenhafen.example/1", "Geflügelpest: Stallpflicht")]);
    assert_eq!(feed.hints.ttl, Some(Duration::from_hours(6)));
}

#[test]
fn json_feed() {
    let feed = listing(
        "https://estuary.example/feed.json",
        "application/json",
        include_bytes!("../../../../fixtures/feeds/feed.json"),
    );
    assert_eq!((feed.kind, feed.format), (SourceKind::Feed, "JSON Feed"));
    assert_eq!(
        brief(&feed),
        [
            ("https://estuary.example/a", "The last dockers"),
            ("https://estuary.example/b", "A note without a title.")
        ]
    );
}

#[test]
fn a_cut_feed_gives_its_whole_entries() {
    let whole = include_str!("../../../../fixtures/feeds/rss.xml");
    let cut = &whole[..whole.find("Only a guid").unwrap()];
    let feed = feed(cut.as_bytes());
    assert_eq!(feed.articles.len(), 2, "{:?}", feed.notes);
    assert_eq!(feed.title.as_deref(), Some("The Harbour Times – World"));
}

#[test]
fn one_bad_entry_costs_only_itself() {
    let feed = feed(
        b"<rss version='2.0'><channel><title>T</title>\
        <item><title>Good & stray</title><link>https://a.example/1</link></item>\
        <item><title>Bad</b></title><link>https://a.example/2</link></item>\
        <item><title>Also good</title><link>https://a.example/3</link></item></channel></rss>",
    );
    assert_eq!(brief(&feed), [("https://a.example/1", "Good & stray"), ("https://a.example/3", "Also good")]);
    assert!(feed.notes[0].contains("broken"), "{:?}", feed.notes);
}

#[test]
fn the_header_names_the_charset() {
    let bytes = b"<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel><title>Caf\xe9</title></channel></rss>";
    assert_eq!(
        listing("https://a.example/", "text/xml; charset=iso-8859-1", bytes).title.as_deref(),
        Some("Café")
    );
}

#[test]
fn entity_bombs_are_not_read() {
    let bomb = b"<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY lol2 '&lol;&lol;'>]><rss version='2.0'><channel><title>&lol2;</title></channel></rss>";
    let feed = feed(bomb);
    assert_eq!((feed.articles.len(), feed.title.as_deref()), (0, None));
    assert!(feed.notes[0].contains("entities"), "{:?}", feed.notes);
}

/// Found by the property test: a declaration that is not at the beginning, naming another charset.
#[test]
fn a_second_declaration_does_not_panic() {
    let feed = feed(
        b"<rss version='2.0'><?xml version='1.0' encoding='utf-16'?><channel><title>T</title>\
        <item><title>A headline</title><link>https://a.example/1</link></item></channel></rss>",
    );
    assert_eq!(brief(&feed), [("https://a.example/1", "A headline")]);
}
