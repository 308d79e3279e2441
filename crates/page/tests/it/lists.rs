//! Article lists, found without selectors. The expected articles are written by hand: they are the truth, and
//! the finder is measured against them.

use crate::listing;
use model::SourceKind;
use page::Listing;
use std::collections::HashMap;

struct Case {
    name: &'static str,
    url: &'static str,
    page: &'static str,
    expected: &'static str,
}

macro_rules! cases {
    ($folder:literal, $($name:literal),* $(,)?) => {
        &[$(Case {
            name: $name,
            url: include_str!(concat!("../../../../fixtures/", $folder, "/", $name, "/url.txt")),
            page: include_str!(concat!("../../../../fixtures/", $folder, "/", $name, "/page.html")),
            expected: include_str!(concat!("../../../../fixtures/", $folder, "/", $name, "/expected.txt")),
        }),*]
    };
}

/// Written together with the finder, which was tuned on them.
const CASES: &[Case] = cases![
    "lists",
    "broadsheet",
    "tabloid",
    "aggregator",
    "blog",
    "notices",
    "chinese-portal",
    "japanese-ranking",
    "magazine",
    "sports",
    "tenders",
    "wire",
    "tailwind",
    "press-releases",
    "russian-feed",
    "oldschool",
    "arabic",
    "forum",
    "topic-list",
    "about",
    "reference",
    "article-related",
];

/// Written by another hand without sight of the finder, and never tuned on: the honest figure.
const UNSEEN: &[Case] = cases![
    "unseen",
    "central-bank-speeches",
    "de-regionalzeitung",
    "drupal-ministry-press",
    "eu-procurement-notices",
    "fr-quotidien-sport",
    "hashed-card-feed",
    "ja-ir-news",
    "national-daily-front",
    "ngo-hospital-news",
    "product-landing",
    "pt-portal",
    "tech-aggregator",
    "wp-blog-archive",
    "zh-ministry-notices",
];

impl Case {
    fn read(&self) -> Listing {
        listing(self.url.trim(), "text/html; charset=utf-8", self.page.as_bytes())
    }

    fn expected(&self) -> HashMap<&str, &str> {
        self.expected.lines().filter_map(|line| line.split_once('\t')).collect()
    }
}

#[test]
fn precision_and_recall() {
    let score = score("lists", CASES);
    assert!(score.precision() >= 0.95 && score.recall() >= 0.95, "{score:?}");
    assert!(score.mistaken.is_empty(), "wrong kind: {:?}", score.mistaken);
    assert_eq!(score.titled, score.found, "every headline is exact");
}

#[test]
fn precision_and_recall_on_pages_by_another_hand() {
    let score = score("unseen", UNSEEN);
    assert!(score.precision() >= 0.95 && score.recall() >= 0.95, "{score:?}");
    assert!(ratio(score.titled, score.found) >= 0.9, "headlines: {score:?}");
    // Five teasers beside as many events: the finder takes the page for a plain one. It is left so, that
    // these pages stay unseen.
    assert_eq!(score.mistaken, ["ngo-hospital-news"]);
}

/// Articles counted by their address; their headlines apart.
#[derive(Debug, Default)]
struct Score {
    /// Links taken for articles.
    listed: usize,
    /// Articles there are.
    wanted: usize,
    /// Articles found.
    found: usize,
    /// Articles found with exactly their headline.
    titled: usize,
    /// Cases whose kind was misjudged.
    mistaken: Vec<&'static str>,
}

impl Score {
    fn precision(&self) -> f64 {
        ratio(self.found, self.listed)
    }

    fn recall(&self) -> f64 {
        ratio(self.found, self.wanted)
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (precision, recall, headlines) =
            (self.precision(), self.recall(), ratio(self.titled, self.found));
        write!(
            f,
            "precision {precision:.3}, recall {recall:.3}, headlines exact {headlines:.3} ({} articles)",
            self.wanted
        )
    }
}

fn score(name: &str, cases: &[Case]) -> Score {
    let mut all = Score::default();
    for case in cases {
        let one = score_of(case);
        println!("  {:24} {one}", case.name);
        all.listed += one.listed;
        all.wanted += one.wanted;
        all.found += one.found;
        all.titled += one.titled;
        all.mistaken.extend(one.mistaken);
    }
    println!("{name}: {all}");
    all
}

fn score_of(case: &Case) -> Score {
    let (listing, expected) = (case.read(), case.expected());
    let mut score = Score { listed: listing.articles.len(), wanted: expected.len(), ..Score::default() };
    for article in &listing.articles {
        match expected.get(article.url.as_str()) {
            None => println!("  {}: not an article: {} {:?}", case.name, article.url, article.title),
            Some(title) => {
                score.found += 1;
                score.titled += usize::from(*title == article.title);
                if *title != article.title {
                    println!("  {}: headline {:?}, wanted {title:?}", case.name, article.title);
                }
            }
        }
    }
    let kind = if expected.is_empty() { SourceKind::Page } else { SourceKind::ArticleList };
    if listing.kind != kind {
        score.mistaken.push(case.name);
    }
    score
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[test]
fn cards_give_time_and_teaser() {
    let case = |name| CASES.iter().find(|case| case.name == name).unwrap().read();
    let wire = case("wire");
    assert_eq!(wire.articles[0].published_at.unwrap().to_string(), "2026-11-15T12:04:00Z");
    let notices = case("notices");
    assert_eq!(notices.articles[0].published_at.unwrap().to_string(), "2026-11-13T00:00:00Z");
    let aggregator = case("aggregator");
    assert_eq!(aggregator.articles[0].published_at.unwrap().to_string(), "2026-11-15T01:11:00Z");
    let blog = case("blog");
    assert!(blog.articles[2].summary.as_deref().unwrap().starts_with("Three short things"));
    assert_eq!(blog.articles[2].published_at.unwrap().to_string(), "2026-11-02T08:00:00Z");
    assert_eq!(blog.feeds.len(), 2);
}

#[test]
fn a_young_site_with_small_numbers_is_a_list_too() {
    let card = |n: u32| {
        format!(
            "<article><h2><a href=/a/{n}>Headline of five or six words, number {n}</a></h2><p>Teaser.</p></article>"
        )
    };
    let page: String = (1..9).map(card).collect();
    let listing = listing("https://a.example/", "text/html", format!("<main>{page}</main>").as_bytes());
    assert_eq!((listing.kind, listing.articles.len()), (SourceKind::ArticleList, 8));
}

#[test]
fn every_link_has_its_text_and_its_place() {
    let page = "<base href=/en/><nav class='top menu'><a href=/>Home</a></nav><main><article class=card>\
                <h2><a class=\"title big\" href='story?utm_source=x#top'>A\n story</a></h2></article>\
                <a rel=sponsored href=https://ads.example/>Buy</a><a href=javascript:x()>No</a></main>";
    let url = "https://a.example/news".parse().unwrap();
    let input = page::Input { url: &url, content_type: Some("text/html"), bytes: page.as_bytes() };
    let links = page::read_links(&input, &page::Caps::default());
    let shown: Vec<_> = links
        .iter()
        .map(|link| (link.url.as_str(), link.text.as_str(), link.path.as_str(), link.disowned))
        .collect();
    assert_eq!(
        shown,
        [
            ("https://a.example/", "Home", "nav.top > a", false),
            ("https://a.example/en/story", "A story", "main > article.card > h2 > a.title", false),
            ("https://ads.example/", "Buy", "main > a", true),
        ]
    );
}

#[test]
fn the_text_hash_sees_what_a_reader_sees() {
    let hash = |body: &str| listing("https://a.example/", "text/html", body.as_bytes()).text_hash;
    let before =
        hash("<nav>Menu</nav><main><p>Price: 10 €</p></main><time>12:04</time><script>var t = 1</script>");
    assert_eq!(
        before,
        hash(
            "<nav>Other menu</nav><main class=new><div><p>Price:   10 €</p></div></main><time>12:05</time><script>var t = 2</script>"
        )
    );
    assert_ne!(before, hash("<nav>Menu</nav><main><p>Price: 11 €</p></main>"));
    assert_ne!(hash("<p>one</p>"), hash("<p>two</p>"));
}
