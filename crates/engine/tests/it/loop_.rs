//! One source through the loop: first visit, nothing new, something new, failures, stopping.

use crate::lab::{Lab, article_page, list_page, until};
use model::{BodyState, FailureKind, Outcome, SourceKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use store::{ArticleFilter, StoreError};
use testkit::site::{Answer, Site};

const FIRST: [&str; 3] = [
    "Rowers of Vantoria win the spring cup",
    "Parliament debates the harbour bill",
    "New chip plant opens in Solmere",
];

/// A news site whose front page grows when it is told to.
async fn news_site() -> (Site, Arc<AtomicUsize>) {
    let more = Arc::new(AtomicUsize::new(0));
    let count = more.clone();
    let site = Site::start(move |asked| {
        if asked.path != "/" {
            return Answer::html(article_page("A title of its own page"));
        }
        let later: Vec<String> = (0..count.load(Ordering::SeqCst))
            .rev()
            .map(|n| format!("Later story number {n} of this day"))
            .collect();
        let titles: Vec<&str> = later.iter().map(String::as_str).chain(FIRST).collect();
        Answer::html(list_page(&titles))
    })
    .await;
    (site, more)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_articles_come_in_are_read_and_come_in_once() {
    let (site, more) = news_site().await;
    let lab = Lab::new();
    let id = lab.add(&site.url("/")).await;
    let engine = lab.start().await;
    until("the first articles are there", async || lab.titles().await.len() == 3).await;
    assert_eq!(lab.titles().await, FIRST, "newest first, as on the page");
    let source = lab.source(id).await;
    assert_eq!((source.kind, source.title.as_deref()), (Some(SourceKind::ArticleList), Some("Test Times")));
    assert!(source.state.next_reason.starts_with("every"), "{}", source.state.next_reason);

    more.store(2, Ordering::SeqCst);
    until("two more are there", async || lab.titles().await.len() == 5).await;
    assert_eq!(lab.titles().await[0], "Later story number 1 of this day");
    let all = || ArticleFilter { limit: 10, ..ArticleFilter::default() };
    let all_read = async || {
        lab.store
            .articles_page(all())
            .await
            .unwrap()
            .articles
            .iter()
            .all(|article| article.body == BodyState::Read)
    };
    until("their pages are read", all_read).await;
    let unchanged = async || {
        let visits = lab.store.visits_of(id, 100).await.unwrap();
        visits.iter().any(|visit| visit.outcome == Outcome::NotModified)
    };
    until("the same bytes are seen again and not read again", unchanged).await;
    engine.stop().await;

    let visits = lab.store.visits_of(id, 100).await.unwrap();
    assert_eq!(visits.iter().map(|visit| visit.new).sum::<u32>(), 5);
    let pages = site.paths().iter().filter(|path| path.starts_with("/2026")).count();
    assert_eq!(pages, 5, "each article's page was fetched once");
    let article = lab.store.articles_page(all()).await.unwrap().articles.remove(0);
    let detail = lab.store.article(article.id).await.unwrap();
    assert!(detail.text.unwrap().contains("a decision is expected"));
    assert_eq!(detail.listed_by[0].source_id, id);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failures_are_no_news_and_pass() {
    let broken = Arc::new(AtomicBool::new(true));
    let state = broken.clone();
    let site = Site::start(move |_| {
        if state.load(Ordering::SeqCst) { Answer::html("") } else { Answer::html(list_page(&FIRST)) }
    })
    .await;
    let mut lab = Lab::new();
    lab.interval = Duration::from_millis(200);
    let id = lab.add(&site.url("/")).await;
    let visit = lab.idle().visit_now(id).await.unwrap().unwrap();
    assert!(matches!(visit.outcome, Outcome::Failed { kind: FailureKind::Empty, .. }), "{}", visit.outcome);
    let source = lab.source(id).await;
    assert_eq!((source.state.failures, source.state.last_success_at), (1, None));
    assert!(source.state.next_reason.contains("failed once"), "{}", source.state.next_reason);
    broken.store(false, Ordering::SeqCst);
    let visit = lab.idle().visit_now(id).await.unwrap().unwrap();
    assert_eq!((visit.outcome, visit.new), (Outcome::NewContent, 3));
    assert_eq!(lab.source(id).await.state.failures, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_is_clean_and_quick_even_when_a_site_hangs() {
    let (site, _) = news_site().await;
    let hanging = Site::start(|_| Answer::html("x").after(Duration::from_secs(30))).await;
    let lab = Lab::new();
    lab.add(&site.url("/")).await;
    lab.add(&hanging.url("/")).await;
    let engine = lab.start().await;
    until("the hanging site was asked", async || !hanging.log().is_empty()).await;
    let began = Instant::now();
    engine.stop().await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let health = lab.store.health(jiff::Timestamp::MIN, jiff::Timestamp::MIN).await.unwrap();
    assert_eq!(health.leased_hosts, 0, "all hosts were given back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_added_while_running_is_visited_at_once() {
    let (site, _) = news_site().await;
    let lab = Lab::new();
    let engine = lab.start().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    lab.add(&site.url("/")).await;
    engine.handle().wake();
    let began = Instant::now();
    until("it was visited", async || lab.titles().await.len() == 3).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    engine.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_of_sitemaps_brings_the_articles_of_its_newest_children() {
    let child = |day: u32| {
        Answer::typed(
            "application/xml",
            format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://news.example/2026/03/{day:02}/the-story-of-day-{day}</loc><lastmod>2026-03-{day:02}</lastmod></url></urlset>"
            ),
        )
    };
    let site = Site::start(move |asked| match asked.path.as_str() {
        "/sitemap.xml" => {
            let entry = |day: u32| format!("<sitemap><loc>/map-{day}.xml</loc><lastmod>2026-03-{day:02}</lastmod></sitemap>");
            let entries: String = (1..=9).map(entry).collect();
            Answer::typed("application/xml", format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</sitemapindex>"))
        }
        path => match path.strip_prefix("/map-").and_then(|rest| rest.strip_suffix(".xml")) {
            Some(day) => child(day.parse().unwrap()),
            None => Answer::status(404),
        },
    })
    .await;
    let lab = Lab::new();
    let id = lab.add(&site.url("/sitemap.xml")).await;
    let visit = lab.idle().visit_now(id).await.unwrap().unwrap();
    assert_eq!((visit.outcome, visit.new), (Outcome::NewContent, 5));
    assert!(visit.notes.iter().any(|note| note.contains("4 older sitemaps")), "{:?}", visit.notes);
    let titles = lab.titles().await;
    assert!(titles.contains(&"the story of day 9…".to_owned()), "{titles:?}");
    assert_eq!(lab.source(id).await.kind, Some(SourceKind::Sitemap));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sitemap_that_cannot_be_read_is_missing_not_empty_and_an_index_is_read_every_time() {
    let healthy = Arc::new(AtomicBool::new(false));
    let state = healthy.clone();
    let site = Site::start(move |asked| match asked.path.as_str() {
        "/sitemap.xml" => Answer::typed(
            "application/xml",
            "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>/map.xml</loc></sitemap></sitemapindex>",
        ),
        "/map.xml" if state.load(Ordering::SeqCst) => Answer::typed(
            "application/xml",
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://news.example/2026/03/a-story-of-the-day</loc></url></urlset>",
        ),
        _ => Answer::status(404),
    })
    .await;
    let lab = Lab::new();
    let id = lab.add(&site.url("/sitemap.xml")).await;
    let visit = lab.idle().visit_now(id).await.unwrap().unwrap();
    assert!(
        matches!(visit.outcome, Outcome::Failed { kind: FailureKind::Incomplete, .. }),
        "{}",
        visit.outcome
    );
    healthy.store(true, Ordering::SeqCst);
    let visit = lab.idle().visit_now(id).await.unwrap().unwrap();
    assert_eq!(
        (visit.outcome, visit.new),
        (Outcome::NewContent, 1),
        "the index has not changed, its sitemap has"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_feed_that_turns_into_a_page_is_a_failure_not_news() {
    let parked = Arc::new(AtomicBool::new(false));
    let state = parked.clone();
    let site = Site::start(move |asked| {
        if asked.path == "/robots.txt" {
            Answer::status(404)
        } else if state.load(Ordering::SeqCst) {
            Answer::html(list_page(&FIRST))
        } else {
            let item =
                "<item><title>A story of today</title><link>https://news.example/2026/03/story</link></item>";
            Answer::typed(
                "application/rss+xml",
                format!("<rss version=\"2.0\"><channel><title>F</title>{item}</channel></rss>"),
            )
        }
    })
    .await;
    let lab = Lab::new();
    let id = lab.add(&site.url("/feed")).await;
    assert_eq!(lab.idle().visit_now(id).await.unwrap().unwrap().new, 1);
    parked.store(true, Ordering::SeqCst);
    let visit = lab.idle().visit_now(id).await.unwrap().unwrap();
    assert!(matches!(visit.outcome, Outcome::Failed { kind: FailureKind::Changed, .. }), "{}", visit.outcome);
    assert_eq!((visit.new, lab.source(id).await.kind), (0, Some(SourceKind::Feed)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_is_empty_for_once_and_a_broken_feed_are_failures() {
    let down = Arc::new(AtomicBool::new(false));
    let state = down.clone();
    let site = Site::start(move |asked| match asked.path.as_str() {
        "/robots.txt" => Answer::status(404),
        "/broken" => Answer::typed("application/rss+xml", "<?xml version=\"1.0\"?><rss><chan"),
        _ if state.load(Ordering::SeqCst) => Answer::html("<h1>We are down for maintenance</h1>"),
        _ => Answer::html(list_page(&FIRST)),
    })
    .await;
    let lab = Lab::new();
    let broken = lab.add(&site.url("/broken")).await;
    let visit = lab.idle().visit_now(broken).await.unwrap().unwrap();
    assert!(
        matches!(visit.outcome, Outcome::Failed { kind: FailureKind::Decoding, .. }),
        "{}",
        visit.outcome
    );
    let list = lab.add(&site.url("/news")).await;
    assert_eq!(lab.idle().visit_now(list).await.unwrap().unwrap().new, 3);
    down.store(true, Ordering::SeqCst);
    let visit = lab.idle().visit_now(list).await.unwrap().unwrap();
    assert!(matches!(visit.outcome, Outcome::Failed { kind: FailureKind::Changed, .. }), "{}", visit.outcome);
    down.store(false, Ordering::SeqCst);
    let visit = lab.idle().visit_now(list).await.unwrap().unwrap();
    assert!(visit.outcome.is_success() && visit.new == 0, "{}", visit.outcome);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_page_is_watched_for_change_not_for_articles() {
    let version = Arc::new(AtomicUsize::new(0));
    let now = version.clone();
    let site = Site::start(move |_| {
        let n = now.load(Ordering::SeqCst);
        // The first change is in the markup only.
        let text = if n < 2 { "We are open from nine to five." } else { "We are closed this week." };
        Answer::html(format!("<html><head><meta name=generated content={n}></head><body><h1>Opening hours</h1><p>{text}</p></body></html>"))
    })
    .await;
    let lab = Lab::new();
    let id = lab.add(&site.url("/")).await;
    let mut outcomes = Vec::new();
    for n in 0..3 {
        version.store(n, Ordering::SeqCst);
        let visit = lab.idle().visit_now(id).await.unwrap().unwrap();
        assert_eq!(visit.listed, 0);
        outcomes.push(visit.outcome);
    }
    assert_eq!(outcomes, [Outcome::NewContent, Outcome::NotModified, Outcome::NewContent]);
    assert_eq!(lab.source(id).await.kind, Some(SourceKind::Page));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_stores_nothing() {
    let (site, _) = news_site().await;
    let lab = Lab::new();
    let preview = lab.idle().preview(&site.url("/"), None).await;
    let listing = preview.listing.unwrap();
    assert_eq!((listing.kind, listing.articles.len()), (SourceKind::ArticleList, 3));
    assert!(lab.titles().await.is_empty());
    assert!(matches!(lab.store.source(model::SourceId(1)).await, Err(StoreError::NotFound { .. })));
    let refused = lab.idle().preview(&"http://10.0.0.1/".parse().unwrap(), None).await;
    assert!(matches!(refused.outcome, Outcome::RefusedByGate { .. }), "{}", refused.outcome);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_visited_on_time_is_noticed_and_told_once() {
    let mut lab = Lab::new();
    lab.settings.late_after = Duration::ZERO;
    lab.settings.look_for_late_every = Duration::from_millis(50);
    // No place for any host: whatever is due stays due.
    lab.settings.hosts_at_once = 0;
    let id = lab.add(&"http://127.0.0.1:9/".parse().unwrap()).await;
    let engine = lab.start().await;
    until("it is counted as late", async || engine.handle().status().late == 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    engine.stop().await;
    let messages = lab.store.messages(10).await.unwrap();
    assert_eq!(messages.len(), 1, "told once: {messages:?}");
    assert_eq!((messages[0].kind.as_str(), &messages[0].payload["source"]), ("source_late", &id.0.into()));
}
