//! Pages made to exhaust: each must end soon, on a small stack, with a note.

use page::{Caps, Input, read_article, read_listing};
use std::ops::Range;
use std::time::Duration;
use url::Url;

/// Tokio's blocking threads have 2 MiB; an unoptimised build gets no more here.
const STACK: usize = 2 << 20;

/// Processor time for one reading in an unoptimised build; unguarded these take from ten seconds to hours.
const LIMIT: Duration = Duration::from_secs(2);

fn survives(name: &'static str, html: String, noted: bool) {
    let reader = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let url = Url::parse("https://a.example/page").unwrap();
        let input = Input { url: &url, content_type: Some("text/html"), bytes: html.as_bytes() };
        let start = processor_time();
        let listing = read_listing(&input, None, &Caps::default());
        let middle = processor_time();
        let article = read_article(&input, &Caps::default());
        (
            (middle.saturating_sub(start), listing.notes),
            (processor_time().saturating_sub(middle), article.notes),
        )
    });
    let (listing, article) = reader.unwrap().join().unwrap();
    println!("{name}: {listing:?} {article:?}");
    for (took, notes) in [listing, article] {
        assert!(took < LIMIT, "{name} took {took:?}");
        assert_eq!(!notes.is_empty(), noted, "{name}: {notes:?}");
    }
}

fn numbered(numbers: Range<u32>, piece: impl Fn(u32) -> String) -> String {
    numbers.map(piece).collect::<Vec<_>>().concat()
}

/// What this thread has used. Not the wall clock: the tests share the machine with builds.
#[expect(clippy::disallowed_methods, reason = "a test may ask the system")]
fn processor_time() -> Duration {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(spent.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}

#[test]
fn nested_blocks() {
    survives("div", "<div>".repeat(50_000), true);
}

#[test]
fn nested_inlines() {
    survives("span", "<span>".repeat(50_000), true);
}

#[test]
fn reopened_formatting() {
    let fonts = numbered(0..5_000, |n| format!("<font color=c{n}>"));
    survives("font", format!("<p>{fonts}{}", "</p><p>x".repeat(5_000)), true);
}

#[test]
fn reopened_formatting_at_harmless_depth() {
    let fonts = numbered(0..200, |n| format!("<font color=c{n}>"));
    survives("shallow font", format!("<p>{fonts}{}", "</p><p>x".repeat(20_000)), true);
}

#[test]
fn reopened_formatting_with_many_attributes() {
    let attributes = numbered(0..1_000, |n| format!(" a{n}=1"));
    let fonts = numbered(0..50, |n| format!("<font color=c{n}{attributes}>"));
    survives("attributed font", format!("<p>{fonts}{}", "</p><p>x".repeat(20_000)), true);
}

#[test]
fn one_tag_with_a_flood_of_attributes() {
    let attributes = numbered(0..400_000, |n| format!(" a{n}"));
    survives("attributes", format!("<div{attributes}>x</div>"), true);
}

#[test]
fn unmatched_end_tags_under_a_deep_stack() {
    survives("end tags", format!("{}{}", "<span>".repeat(240), "</x>".repeat(2_000_000)), true);
}

#[test]
fn misnested_formatting_and_tables() {
    survives("adoption", "<b><div><i><p></b></i>".repeat(20_000), true);
    survives("tables", "<table><div><table><td><div>".repeat(5_000), true);
    survives("templates", "<template><div>".repeat(20_000), true);
}

#[test]
fn just_under_the_gates() {
    survives("deep", format!("{}text enough to read{}", "<div>".repeat(250), "</div>".repeat(250)), false);
    survives("deep spans", format!("<p>{}text enough to read", "<span>".repeat(250)), false);
}

#[test]
fn a_flood_of_links() {
    let links = numbered(0..20_000, |n| format!("<li><a href=/{n}>Headline number {n} of very many</a>"));
    let url = Url::parse("https://a.example/page").unwrap();
    let input = Input { url: &url, content_type: None, bytes: links.as_bytes() };
    let start = processor_time();
    let listing = read_listing(&input, None, &Caps::default());
    let took = processor_time().saturating_sub(start);
    assert_eq!((listing.articles.len(), listing.notes.len()), (2_000, 1));
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[test]
fn json_and_xml_towers() {
    let json = format!("<script type=application/ld+json>{}</script>", "[".repeat(100_000));
    survives("json", json, false);
    let url = Url::parse("https://a.example/feed").unwrap();
    for tower in [
        "<rss version='2.0'>".to_owned() + &"<a>".repeat(1_000_000),
        "<urlset>".to_owned() + &"<url>".repeat(1_000_000),
    ] {
        let input = Input { url: &url, content_type: Some("text/xml"), bytes: tower.as_bytes() };
        assert!(read_listing(&input, None, &Caps::default()).notes[0].contains("deeply"));
    }
}
