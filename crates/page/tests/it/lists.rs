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
    ($($name:literal),* $(,)?) => {
        &[$(Case {
            name: $name,
            url: include_str!(concat!("../../../../fixtures/lists/", $name, "/url.txt")),
            page: include_str!(concat!("../../../../fixtures/lists/", $name, "/page.html")),
            expected: include_str!(concat!("../../../../fixtures/lists/", $name, "/expected.txt")),
        }),*]
    };
}

const CASES: &[Case] = cases![
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
    let (mut right, mut listed, mut wanted) = (0, 0, 0);
    let mut worst: f64 = 1.0;
    let mut mistaken = Vec::new();
    for case in CASES {
        let found = case.read();
        let expected = case.expected();
        let hits = found
            .articles
            .iter()
            .filter(|article| expected.get(article.url.as_str()) == Some(&article.title.as_str()))
            .count();
        for article in &found.articles {
            match expected.get(article.url.as_str()) {
                None => println!("{}: not an article: {} {:?}", case.name, article.url, article.title),
                Some(title) if *title != article.title => {
                    println!("{}: title {:?}, wanted {title:?}", case.name, article.title);
                }
                Some(_) => {}
            }
        }
        for (url, title) in &expected {
            if found.articles.iter().all(|article| article.url.as_str() != *url) {
                println!("{}: missed: {url} {title:?}", case.name);
            }
        }
        let (precision, recall) = (ratio(hits, found.articles.len()), ratio(hits, expected.len()));
        println!(
            "{:18} precision {precision:.2} recall {recall:.2} ({hits} of {})",
            case.name,
            expected.len()
        );
        worst = worst.min(precision).min(recall);
        (right, listed, wanted) = (right + hits, listed + found.articles.len(), wanted + expected.len());
        let kind = if expected.is_empty() { SourceKind::Page } else { SourceKind::ArticleList };
        if found.kind != kind {
            mistaken.push(case.name);
        }
    }
    let (precision, recall) = (ratio(right, listed), ratio(right, wanted));
    println!("{:18} precision {precision:.3} recall {recall:.3} ({right} of {wanted})", "overall");
    assert!(precision >= 0.95 && recall >= 0.95, "precision {precision:.3}, recall {recall:.3}");
    assert!(mistaken.is_empty(), "wrong kind: {mistaken:?}");
    assert!(worst >= 0.85, "one layout is badly read: {worst:.2}");
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
