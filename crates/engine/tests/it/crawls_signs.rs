//! What sites say to crawlers besides their pages, and what people say to crawls that run.

use crate::crawls::{run, wish};
use crate::lab::Lab;
use store::{CrawlPageFilter, UrlState};
use testkit::site::{Answer, Asked, Site};

const NOVEL: &str = "<html lang=en><p>A novel, a book by an author.</p>";

#[tokio::test]
async fn a_sitemap_at_the_usual_place_is_found() {
    let lab = Lab::new();
    let map = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/only-here</loc></url></urlset>";
    let site = Site::with([
        ("/robots.txt", Answer::text("User-agent: *\nDisallow: /private\n")),
        ("/", Answer::html(NOVEL)),
        ("/sitemap.xml", Answer::typed("text/xml", map.as_bytes().to_vec())),
        ("/only-here", Answer::html(NOVEL)),
    ])
    .await;
    // The second time what robots.txt says is known, and nobody asks for it.
    for _ in 0..2 {
        let info = run(&lab.idle(), wish(vec![site.url("/").into()], 50)).await;
        let urls = lab.store.crawl_urls(info.id, 0, 50).await.unwrap();
        assert!(
            urls.iter().any(|url| url.url.path() == "/only-here" && url.state == UrlState::Fetched),
            "{urls:?}"
        );
    }
    assert_eq!(site.log().iter().filter(|asked| asked.path == "/robots.txt").count(), 1);
}

#[tokio::test]
async fn a_header_speaks_for_a_page_as_its_meta_tag_does() {
    let lab = Lab::new();
    let tagged =
        |value: &str, links: &str| Answer::html(format!("{NOVEL}{links}")).header("x-robots-tag", value);
    let kept = tagged("otherbot: none", "<a href='/hidden'>a</a> <a href='/end'>b</a>");
    let (hidden, end) =
        (tagged("noindex", "<a href='/led-to'>c</a>"), tagged("nofollow", "<a href='/never'>d</a>"));
    let site = Site::start(move |asked: &Asked| match asked.path.as_str() {
        "/" => kept.clone(),
        "/hidden" => hidden.clone(),
        "/end" => end.clone(),
        "/led-to" | "/never" => Answer::html("<p>weather</p>"),
        _ => Answer::status(404),
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let mut wish = wish(vec![site.url("/").into()], 50);
    wish.output = Some(folder.path().to_owned());
    let info = run(&lab.idle(), wish).await;
    let asked = site.paths();
    assert!(asked.contains(&"/led-to".to_owned()) && !asked.contains(&"/never".to_owned()), "{asked:?}");
    let filter = CrawlPageFilter { limit: 10, ..Default::default() };
    let pages = lab.store.crawl_pages(info.id, filter).await.unwrap();
    let mut kept: Vec<&str> = pages.iter().map(|page| page.url.path()).collect();
    kept.sort_unstable();
    assert_eq!(kept, ["/", "/end"]);
    // Why it is not kept can be asked, and its text is in no file.
    let story = lab.idle().crawl_explain(info.id, &site.url("/hidden")).await.unwrap().unwrap();
    assert!(story.url.why.is_some_and(|why| why.contains("noindex")));
    let (all, hidden) = {
        let filter = CrawlPageFilter { all: true, limit: 10, ..Default::default() };
        let pages = lab.store.crawl_pages(info.id, filter).await.unwrap();
        (pages.len(), pages.into_iter().find(|page| page.url.path() == "/hidden").unwrap())
    };
    assert!(all == 4 && hidden.warc.is_none(), "{hidden:?}");
}

#[tokio::test]
async fn a_topic_that_grows_reaches_the_crawl_that_runs() {
    let mut lab = Lab::new();
    lab.fetch.default_delay = std::time::Duration::from_millis(30);
    let site = Site::start(|asked: &Asked| {
        let links: String = (1..600).map(|n| format!("<a href='/p/{n}'>{n}</a> ")).collect();
        let links = if asked.path == "/p/0" { links } else { String::new() };
        let text = "A spinnaker, one spinnaker, seen from the harbour wall where people wait for the evening ferry home";
        // Each page has something to say that no other does, or it would be a copy.
        let number: u32 = asked.path.trim_start_matches("/p/").parse().unwrap_or(0);
        let own: String = (1..9).map(|n| format!("berth{} ", number * n)).collect();
        Answer::html(format!("<html lang=en><p>{text}. {own}</p>{links}"))
    })
    .await;
    let handle = lab.idle();
    let id = handle.start_crawl(wish(vec![site.url("/p/0").into()], 10_000)).await.unwrap();
    let running = {
        let handle = handle.clone();
        tokio::spawn(async move { handle.run_crawl(id).await.unwrap() })
    };
    let relevant = async || lab.store.crawl(id).await.unwrap().relevant;
    crate::lab::until("it reads", async || lab.store.crawl(id).await.unwrap().fetched > 5).await;
    assert_eq!(relevant().await, 0);
    let stored = lab.store.topic("Books".into()).await.unwrap().unwrap();
    let mut given = stored.given;
    given.ontology.add_entry(given.class, discovery::ontology::Entry::new("spinnaker"));
    lab.store.grow_topic(given, stored.learner, lab.clock.now()).await.unwrap();
    crate::lab::until("the new word counts", async || relevant().await > 3).await;
    handle.interrupt();
    running.await.unwrap();
    // It is the crawl's own from then on.
    let topic = lab.store.begin_crawl(id, "worker").await.unwrap().topic;
    assert!(topic.ontology.entries().any(|entry| entry.text == "spinnaker"));
}
