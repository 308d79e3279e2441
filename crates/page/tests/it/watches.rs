//! What watches see of whole pages, feeds, texts and files.

use page::watches::{Aim, Part, Sight};
use page::{Caps, Input, read_page};
use url::Url;

const SHOP: &str = r#"<!doctype html><title>Lamps</title>
<header><nav><ul><li><a href="/home">Home</a><li><a href="/all">All lamps</a></ul></nav></header>
<main>
  <h1>Desk lamp</h1>
  <p class="price">Now <b>€ 1.299,00</b> <s>€ 1.499,00</s></p>
  <p>Only a few left. The recall of 2025 does not concern this lamp. Ask us.</p>
  <ul class="facts"><li>Brass<li>LED<ul><li>warm<li>cold</ul></ul>
  <table><caption>Stock</caption><tr><th>Shop<th>Left<tr><td>Bonn<td>3<tr><td>Köln<td>0</table>
  <table><tr><td>Weight<td>2 kg</table>
  <p><a href="/lamps/2?utm_source=x">The next lamp</a> and <a href="https://maker.example/">its maker</a>.</p>
  <img src="/pictures/lamp.jpg" alt="The lamp"><img src="data:image/gif;base64,R0" data-src="late.png">
  <time datetime="2026-01-01">today</time>
  <script type="application/ld+json">{"price": 1299}</script>
</main><footer>© Lamps</footer>"#;

fn look(what: &str) -> Sight {
    look_at(SHOP, "text/html", Aim::at(what.parse().unwrap()))
}

fn look_at(text: &str, content_type: &str, aim: Aim) -> Sight {
    let url = Url::parse("https://shop.example/lamps/1").unwrap();
    let input = Input { url: &url, content_type: Some(content_type), bytes: text.as_bytes() };
    let (_, mut sights) = read_page(&input, None, &[aim], &Caps::default());
    sights.remove(0)
}

fn lines(sight: &Sight) -> Vec<&str> {
    match sight {
        Sight::Part(part) => part.lines.iter().map(String::as_str).collect(),
        Sight::Gone(why) => panic!("gone: {why}"),
    }
}

fn gone(sight: Sight) -> String {
    match sight {
        Sight::Part(part) => panic!("{part:?}"),
        Sight::Gone(why) => why,
    }
}

#[test]
fn any_change_is_of_the_main_text() {
    let text = look("text");
    let text = lines(&text);
    assert_eq!(text[..2], ["Desk lamp", "Now € 1.299,00 € 1.499,00"]);
    assert!(!text.iter().any(|line| line.contains("Home") || line.contains("©") || line.contains("today")));
    // Markup, menus and scripts may change as they like.
    let other = SHOP
        .replace("<p>", "<p class=new>")
        .replace("All lamps", "Every lamp")
        .replace("{\"price\"", "{\"p\"");
    assert_eq!(look_at(&other, "text/html", Aim::at("text".parse().unwrap())).hash(), look("text").hash());
}

#[test]
fn links_and_images_have_no_order() {
    let links = look("links");
    assert_eq!(
        lines(&links),
        ["The next lamp — https://shop.example/lamps/2", "its maker — https://maker.example/"]
    );
    let images = look("images");
    assert_eq!(
        lines(&images),
        ["The lamp — https://shop.example/pictures/lamp.jpg", "https://shop.example/lamps/late.png"]
    );
    let turned = SHOP
        .replace("/lamps/2?utm_source=x\">The next lamp", "#x\">")
        .replace("and <a", "<a href=/lamps/2>The next lamp</a><a");
    let turned = look_at(&turned, "text/html", Aim::at("links".parse().unwrap()));
    assert_eq!(turned.hash(), links.hash());
}

#[test]
fn words_are_shown_in_their_sentences_and_may_be_absent() {
    assert_eq!(lines(&look("keyword Recall")), ["The recall of 2025 does not concern this lamp."]);
    assert_eq!(lines(&look("phrase few LEFT")), ["Only a few left."]);
    assert!(lines(&look("keyword bankrupt")).is_empty());
    assert!(lines(&look("keyword rec")).is_empty(), "a word, not a part of one");
}

#[test]
fn tables_and_lists_are_counted_without_menus() {
    assert_eq!(lines(&look("table")), ["Shop | Left", "Bonn | 3", "Köln | 0"]);
    assert_eq!(lines(&look("table 2")), ["Weight | 2 kg"]);
    assert_eq!(gone(look("table 3")), "the page has only 2 tables");
    assert_eq!(lines(&look("list")), ["Brass", "LED", "warm", "cold"]);
    assert_eq!(gone(look("list 2")), "the page has only 1 list");
}

#[test]
fn selections_and_expressions() {
    let price = look("css .price b");
    assert_eq!(lines(&price), ["€ 1.299,00"]);
    assert_eq!(price.part().and_then(Part::number), Some(1299.0));
    assert_eq!(lines(&look("css main img @alt")), ["The lamp"]);
    assert_eq!(lines(&look("css script")), [r#"{"price": 1299}"#]);
    assert_eq!(gone(look("css .sold-out")), "nothing matches `.sold-out`");
    assert_eq!(gone(look("css .price @href")), "what matches `.price` has no href");
    assert_eq!(lines(&look(r"regex Köln \| (\d+)|Only a (\w+)")).len(), 1);
    assert_eq!(lines(&look(r"regex Only a (\w+)")), ["few"]);
    assert_eq!(gone(look("regex sold out")), "nothing matches `sold out`");
}

#[test]
fn a_selector_narrows_everything_and_lines_can_be_ignored() {
    let within = |what: &str, css: &str| Aim { within: Some(css.into()), ..Aim::at(what.parse().unwrap()) };
    assert_eq!(
        lines(&look_at(SHOP, "text/html", within("text", ".facts"))),
        ["Brass", "LED", "warm", "cold"]
    );
    assert_eq!(lines(&look_at(SHOP, "text/html", within("links", "nav"))).len(), 2);
    assert_eq!(gone(look_at(SHOP, "text/html", within("text", ".none"))), "nothing matches `.none`");
    let ignoring = Aim { ignore: Some("^(LED|warm)".into()), ..within("text", ".facts") };
    assert_eq!(lines(&look_at(SHOP, "text/html", ignoring)), ["Brass", "cold"]);
}

#[test]
fn nested_matches_are_taken_once() {
    let page = "<div>one <div>two</div></div><div>three</div>";
    assert_eq!(
        lines(&look_at(page, "text/html", Aim::at("css div".parse().unwrap()))),
        ["one", "two", "three"]
    );
}

#[test]
fn feeds_texts_and_files_can_be_watched_too() {
    let feed = r#"<rss version="2.0"><channel><title>News</title>
        <item><title>Bank holds rate</title><link>https://a.example/1</link><description>No change. Recall follows.</description></item>
        <item><title>Storm ahead</title><link>https://a.example/2</link></item></channel></rss>"#;
    let at = |text: &str, kind: &str, what: &str| look_at(text, kind, Aim::at(what.parse().unwrap()));
    assert_eq!(lines(&at(feed, "application/rss+xml", "keyword recall")), ["Recall follows."]);
    assert_eq!(lines(&at(feed, "application/rss+xml", "links")).len(), 2);
    assert!(gone(at(feed, "application/rss+xml", "css p")).ends_with("has no elements to select"));
    let text = "version 1.2\n\nreleased";
    assert_eq!(lines(&at(text, "text/plain", "text")), ["version 1.2", "released"]);
    assert_eq!(lines(&at(text, "text/plain", r"regex version (\S+)")), ["1.2"]);
    assert_eq!(gone(at(text, "text/plain", "table")), "text has no table");
    let json = r#"{"price": 12.5, "left": 3}"#;
    assert_eq!(lines(&at(json, "application/json", r#"regex "price": ([\d.]+)"#)), ["12.5"]);
    let file = "%PDF-1.7 \u{0}\u{0}";
    assert!(lines(&at(file, "application/pdf", "text"))[0].starts_with("a file of "));
    assert_eq!(gone(at(file, "application/pdf", "links")), "it is a file, not a page");
}

#[test]
fn one_reading_serves_all() {
    let url = Url::parse("https://shop.example/lamps/1").unwrap();
    let input = Input { url: &url, content_type: Some("text/html"), bytes: SHOP.as_bytes() };
    let aims: Vec<Aim> =
        ["text", "links", "css .none", "table"].map(|what| Aim::at(what.parse().unwrap())).into();
    let (listing, sights) = read_page(&input, None, &aims, &Caps::default());
    assert_eq!((listing.title.as_deref(), sights.len()), (Some("Lamps"), 4));
    assert!(sights[0].part().is_some() && sights[2].part().is_none());
    assert_eq!(listing, page::read_listing(&input, None, &Caps::default()));
}

mod properties {
    use super::*;
    use page::watches::{Diff, Move, Notify, Stop, What, When};
    use proptest::prelude::*;

    fn markup() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-z0-9 .,€]{0,12}",
            Just("<table><tr><td>".to_owned()),
            Just("</table>".to_owned()),
            Just("<ul><li>".to_owned()),
            Just("</ul>".to_owned()),
            Just("<p class=price>".to_owned()),
            Just("<a href=/x>".to_owned()),
            Just("<img src=a.png>".to_owned()),
            Just("<div hidden>".to_owned()),
            Just("</div>".to_owned()),
            "[<>&'\"/新华社\\n]{0,6}",
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// Whatever a page is made of, watches see something of it or say why not, and any two sights can be compared.
        #[test]
        fn looking_never_fails(one in markup(), other in markup()) {
            for what in ["text", "links", "images", "keyword a", "phrase a b", "table", "list", "css .price", "css a @href", r"regex (\d+)"] {
                let aim = Aim::at(what.parse().unwrap());
                let (one, other) = (look_at(&one, "text/html", aim.clone()), look_at(&other, "text/html", aim));
                if let (Some(one), Some(other)) = (one.part(), other.part()) {
                    prop_assert!(one.lines.iter().all(|line| !line.is_empty() && !line.contains('\n')));
                    let diff = Diff::between(one, other);
                    prop_assert_eq!(diff.hunks.is_empty(), one.hash() == other.hash());
                    let _ = (diff.text(), one.number());
                }
            }
        }

        /// What is typed is understood or refused, never both, and comes back as it is shown.
        #[test]
        fn what_is_typed_is_understood_or_refused(
            text in "(text|links|keyword|phrase|table|list|css|regex|every|at|up|down|by|after|told|contains|above|words|appears)?[ ]?[a-z0-9:.,%@ \\-\\[(]{0,16}",
        ) {
            macro_rules! comes_back {
                ($($kind:ty),*) => {$(
                    if let Ok(read) = text.parse::<$kind>() {
                        prop_assert_eq!(read.to_string().parse::<$kind>().ok(), Some(read));
                    }
                )*};
            }
            comes_back!(What, When, Move, Stop, Notify);
        }
    }
}
