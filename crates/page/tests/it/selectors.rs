//! Articles where the user says they are.

use page::{Caps, Input, SelectorError, check_selector, read_listing};
use url::Url;

const PAGE: &str = "<div class=box><a href=/tag/x>Tag</a><h3>First story of the day</h3><a href=/1>More</a><time datetime=2026-11-15T10:00:00Z></time></div>\
    <div class=box><a href=/2>Second story</a> <a href=/tag/y>Y</a></div><p><a class=plain href=/3>Third</a></p>";

fn found(selector: &str) -> Vec<(String, String)> {
    let url = Url::parse("https://a.example/").unwrap();
    let input = Input { url: &url, content_type: Some("text/html"), bytes: PAGE.as_bytes() };
    let listing = read_listing(&input, Some(selector), &Caps::default());
    listing.articles.iter().map(|article| (article.url.path().to_owned(), article.title.clone())).collect()
}

#[test]
fn links_or_their_boxes() {
    assert_eq!(found("a.plain"), [("/3".into(), "Third".into())]);
    assert_eq!(found(".box h3 + a, .box a:first-child")[0], ("/tag/x".into(), "Tag".into()));
    assert_eq!(found(".box")[1], ("/2".into(), "Second story".into()));
}

#[test]
fn selectors_are_checked_before_they_are_stored() {
    assert_eq!(check_selector("main .headline > a[href]"), Ok(()));
    assert_eq!(check_selector(" "), Err(SelectorError::Empty));
    assert_eq!(check_selector(&"a ".repeat(400)), Err(SelectorError::TooLong(799)));
    assert_eq!(check_selector("a:has(b)"), Err(SelectorError::TooCostly));
    assert!(matches!(check_selector("a[["), Err(SelectorError::Invalid(_))));
}

#[test]
fn a_bad_selector_is_noted_and_not_fatal() {
    let url = Url::parse("https://a.example/").unwrap();
    let input = Input { url: &url, content_type: Some("text/html"), bytes: PAGE.as_bytes() };
    let listing = read_listing(&input, Some("]["), &Caps::default());
    assert!(listing.notes[0].contains("selector"), "{:?}", listing.notes);
}
