//! Crawls of webs that are made for it, judged by what the sites were asked.

use crate::lab::Lab;
use discovery::crawl::{CrawlSettings, StrategyName};
use discovery::ontology::Topic;
use engine::{CrawlWish, EngineHandle, PromotionWish};
use model::CrawlId;
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use store::{CrawlInfo, CrawlPageFilter, CrawlPhase, UrlState};
use testkit::site::{Answer, Asked, Site};

pub(crate) fn topic() -> Topic {
    Topic::from_words("Books", &["book", "novel", "author"]).unwrap()
}

pub(crate) fn wish(seeds: Vec<String>, pages: u32) -> CrawlWish {
    let settings = CrawlSettings { pages, strategy: StrategyName::BreadthFirst, ..CrawlSettings::default() };
    CrawlWish { topic: topic(), seeds, settings, output: None }
}

/// Page `n` of `count` links to 2n + 1 and 2n + 2: all are reached from the first. Every third is on the topic.
fn tree(asked: &Asked, count: usize) -> Answer {
    let Some(n) = asked.path.strip_prefix("/p/").and_then(|n| n.parse::<usize>().ok()).filter(|n| *n < count)
    else {
        return Answer::status(404);
    };
    let links: String = [2 * n + 1, 2 * n + 2]
        .iter()
        .filter(|n| **n < count)
        .map(|n| format!("<p><a href='/p/{n}'>page {n}</a></p>"))
        .collect();
    // So short that no two are taken for copies of each other.
    let text = if n.is_multiple_of(3) { "A novel, a book by an author." } else { "Fine weather today." };
    Answer::html(format!(
        "<html lang=en><title>Page {n}</title><body><p>{text} Number {n}.</p>{links}</body></html>"
    ))
}

pub(crate) async fn run(handle: &EngineHandle, wish: CrawlWish) -> CrawlInfo {
    let id = handle.start_crawl(wish).await.unwrap();
    let run = tokio::time::timeout(Duration::from_mins(1), handle.run_crawl(id)).await;
    run.unwrap().unwrap()
}

fn counted(site: &Site) -> BTreeMap<String, usize> {
    site.paths().into_iter().fold(BTreeMap::new(), |mut counts, path| {
        *counts.entry(path).or_default() += 1;
        counts
    })
}

#[tokio::test]
async fn every_page_is_read_once_and_kept_with_its_evidence() {
    let lab = Lab::new();
    let site = Site::start(|asked| tree(asked, 60)).await;
    let folder = tempfile::tempdir().unwrap();
    let mut wish = wish(vec![site.url("/p/0").into()], 1_000);
    wish.output = Some(folder.path().join("out"));
    let handle = lab.idle();
    let info = run(&handle, wish).await;
    assert_eq!((info.phase, info.fetched, info.relevant), (CrawlPhase::Finished, 60, 20), "{}", info.why);
    let asked = counted(&site);
    assert!((0..60).all(|n| asked.get(&format!("/p/{n}")) == Some(&1)), "{asked:?}");
    assert_eq!(asked.get("/robots.txt"), Some(&1));

    let pages =
        lab.store.crawl_pages(info.id, CrawlPageFilter { limit: 100, ..Default::default() }).await.unwrap();
    assert_eq!(pages.len(), 20);
    assert!(
        pages.iter().all(|page| page.score > 0.5 && page.evidence.iter().any(|found| found.word == "novel"))
    );
    let search =
        |words: &str| CrawlPageFilter { search: Some(words.into()), limit: 10, ..Default::default() };
    assert_eq!(lab.store.crawl_pages(info.id, search("number 33")).await.unwrap().len(), 1);
    let story = handle.crawl_explain(info.id, &site.url("/p/33")).await.unwrap().unwrap();
    assert_eq!(
        story.way.iter().map(|step| step.url.path()).collect::<Vec<_>>(),
        ["/p/0", "/p/1", "/p/3", "/p/7", "/p/16"]
    );

    let bytes = std::fs::read(folder.path().join(format!("out/crawl-{}-00000.warc.gz", info.id))).unwrap();
    let records: Vec<_> = warc::Records::new(&bytes).map(Result::unwrap).collect();
    assert_eq!(records.len(), 61);
    assert!(records.iter().all(|record| record.digests_fit() == Some(true)));
    let page = &pages[0];
    let (_, offset) = page.warc.unwrap();
    let record = warc::Records::new(&bytes[offset as usize..]).next().unwrap().unwrap();
    assert_eq!(record.field("WARC-Target-URI"), Some(page.url.as_str()));
    let lines = std::fs::read_to_string(folder.path().join("out/crawl-1-pages.jsonl")).unwrap();
    let table = std::fs::read_to_string(folder.path().join("out/crawl-1-pages.csv")).unwrap();
    assert_eq!((lines.lines().count(), table.lines().count()), (20, 21));
    let curve = handle.crawl_status(info.id).await.unwrap().curve;
    assert_eq!(curve.last().map(|point| (point.pages, point.relevant)), Some((60, 20)));
}

#[tokio::test]
async fn a_budget_ends_it_and_a_larger_one_lets_it_go_on() {
    let lab = Lab::new();
    let site = Site::start(|asked| tree(asked, 50)).await;
    let handle = lab.idle();
    let info = run(&handle, wish(vec![site.url("/p/0").into()], 10)).await;
    assert_eq!((info.phase, info.fetched), (CrawlPhase::Finished, 10));
    handle.resume_crawl(info.id, Some(25)).await.unwrap();
    // Another process: only what is stored is known.
    let info = lab.idle().run_crawl(info.id).await.unwrap();
    assert_eq!((info.phase, info.fetched), (CrawlPhase::Finished, 25));
    assert!(counted(&site).iter().all(|(path, count)| *count == 1 || path == "/robots.txt"));
}

#[tokio::test]
async fn a_crawl_that_is_interrupted_goes_on_where_it_was() {
    let lab = Lab::new();
    let site = Site::start(|asked| tree(asked, 200)).await;
    let folder = tempfile::tempdir().unwrap();
    let first = lab.idle();
    let mut wish = wish(vec![site.url("/p/0").into()], 1_000);
    wish.output = Some(folder.path().to_owned());
    let id = first.start_crawl(wish).await.unwrap();
    for _ in 0..4 {
        let handle = lab.idle();
        let stop = handle.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(60)).await;
            stop.interrupt();
        });
        handle.run_crawl(id).await.unwrap();
    }
    let info = lab.idle().run_crawl(id).await.unwrap();
    assert_eq!((info.phase, info.fetched), (CrawlPhase::Finished, 200));
    // On a database each run writes a file of its own; each begins with a record about itself.
    let (mut urls, mut files, mut records) = (BTreeSet::new(), 0, 0);
    while let Ok(bytes) = std::fs::read(folder.path().join(format!("crawl-{id}-{files:05}.warc.gz"))) {
        for record in warc::Records::new(&bytes).map(Result::unwrap) {
            urls.extend(record.field("WARC-Target-URI").map(str::to_owned));
            records += 1;
        }
        files += 1;
    }
    assert_eq!((urls.len(), records), (200, 200 + files));
    assert!(lab.store.is_shared() || files == 1);
}

#[tokio::test]
async fn many_hosts_are_each_asked_politely() {
    let mut lab = Lab::new();
    lab.fetch.default_delay = Duration::from_millis(120);
    // One page a host leads to the next four hosts; a second page on each needs the host's pause.
    let mut sites: Vec<Site> = Vec::new();
    let port = {
        let probe = Site::start(|_| Answer::status(404)).await;
        probe.address().port()
    };
    for n in 0..40_u8 {
        let script = move |asked: &Asked| {
            let next: String = (1..=4)
                .map(|step| 4 * usize::from(n) + step)
                .filter(|next| *next < 40)
                .map(|next| format!("<a href='http://127.99.0.{next}:{port}/'>host {next}</a> "))
                .collect();
            match asked.path.as_str() {
                "/" => Answer::html(format!("<title>Host {n}</title><p>{next}</p><a href='/two'>two</a>")),
                "/two" => Answer::html("<p>a book</p>"),
                _ => Answer::status(404),
            }
        };
        sites.push(Site::start_on((Ipv4Addr::new(127, 99, 0, n), port).into(), None, script).await);
    }
    let began = Instant::now();
    let info = run(&lab.idle(), wish(vec![sites[0].url("/").into()], 1_000)).await;
    // And a sitemap at the usual place, which is not there.
    assert_eq!((info.fetched, info.known), (80, 81), "{}", info.why);
    for site in &sites {
        let log = site.log();
        for pair in log.windows(2) {
            let apart = pair[1].at.duration_since(pair[0].at);
            assert!(apart >= Duration::from_millis(119), "{} then {}: {apart:?}", pair[0].path, pair[1].path);
        }
    }
    // Each after the other would take 40 × 3 × 120 ms.
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[tokio::test]
async fn what_cannot_be_crawled_is_said() {
    let lab = Lab::new();
    let site = Site::with([
        ("/robots.txt", Answer::text("User-agent: *\nDisallow: /private\n")),
        ("/private/a", Answer::html("<p>secret</p>")),
    ])
    .await;
    let handle = lab.idle();
    let refused = |wish: CrawlWish| async { handle.start_crawl(wish).await.unwrap_err().to_string() };
    assert!(refused(wish(vec![], 10)).await.contains("at least one seed"));
    assert!(refused(wish(vec!["ftp://x.example/".into()], 10)).await.contains("https://"));
    assert!(refused(wish(vec!["http://169.254.169.254/".into()], 10)).await.contains("refused"));
    assert!(refused(wish(vec!["https://a.example/".into()], 0)).await.contains("at least one"));
    let mut elsewhere = wish(vec![site.url("/").into()], 10);
    elsewhere.settings.allowed = vec!["books.example".into()];
    assert!(refused(elsewhere).await.contains("may not ask"));
    let mut unwritable = wish(vec![site.url("/").into()], 10);
    unwritable.output = Some(PathBuf::from("/proc/nowhere"));
    assert!(refused(unwritable).await.contains("--output"));

    let info = run(&handle, wish(vec![site.url("/private/a").into()], 10)).await;
    assert_eq!(info.phase, CrawlPhase::Finished);
    assert!(info.why.contains("robots.txt") && info.why.contains("/private/a"), "{}", info.why);
    assert!(!site.paths().contains(&"/private/a".to_owned()));
}

#[tokio::test]
async fn redirects_and_failures_take_their_way() {
    let lab = Lab::new();
    let site = Site::with([
        ("/", Answer::html("<a href='/old'>old</a><a href='/gone'>gone</a><a href='/pic'>pic</a><a href='/a.zip'>zip</a><a href='/circle'>c</a>")),
        ("/old", Answer::redirect(301, "/new")),
        ("/new", Answer::html("<p>here</p>")),
        ("/circle", Answer::redirect(302, "/circle")),
        ("/pic", Answer::typed("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec())),
    ])
    .await;
    let info = run(&lab.idle(), wish(vec![site.url("/").into()], 50)).await;
    let urls = lab.store.crawl_urls(info.id, 0, 50).await.unwrap();
    let state = |path: &str| urls.iter().find(|url| url.url.path() == path).map(|url| url.state);
    assert_eq!(state("/old"), Some(UrlState::Redirected));
    assert_eq!(state("/new"), Some(UrlState::Fetched));
    assert_eq!(state("/gone"), Some(UrlState::Dropped));
    assert_eq!(state("/pic"), Some(UrlState::Dropped));
    assert_eq!(state("/a.zip"), None);
    assert_eq!(state("/circle"), Some(UrlState::Redirected));
    assert_eq!(info.fetched, 2);
}

#[tokio::test]
async fn sitemaps_of_seeds_are_seeds_and_feeds_become_sources() {
    let lab = Lab::new();
    let about = "A novel is a book. The author wrote this book. ".repeat(5);
    let day = |days: i64| {
        let at = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24 * days);
        jiff::fmt::rfc2822::to_string(&at.to_zoned(jiff::tz::TimeZone::UTC)).unwrap()
    };
    let items: String = (0..5)
        .map(|n| format!("<item><title>A new novel</title><link>/n/{n}</link><pubDate>{}</pubDate><description>{about}</description></item>", day(n)))
        .collect();
    let feed = format!("<rss version='2.0'><channel><title>Book news</title>{items}</channel></rss>");
    let home = format!(
        "<html lang=en><title>Books</title><link rel=alternate type='application/rss+xml' href='/feed.xml' title='News'><p>{about}</p></html>"
    );
    let site = Site::start(move |asked: &Asked| match asked.path.as_str() {
        "/robots.txt" => Answer::text("Sitemap: /map.xml\n"),
        "/" => Answer::html(home.clone()),
        "/map.xml" => Answer::typed("text/xml", b"<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/only-here</loc></url></urlset>".to_vec()),
        "/feed.xml" => Answer::typed("application/rss+xml", feed.clone().into_bytes()),
        "/only-here" => Answer::html("<p>hidden</p>"),
        _ => Answer::status(404),
    })
    .await;
    let engine = lab.start().await;
    let handle = engine.handle();
    let id = handle.start_crawl(wish(vec![site.url("/").into()], 50)).await.unwrap();
    let info = ended(&handle, id).await;
    assert!(site.paths().iter().any(|path| path == "/map.xml"));
    assert!(site.paths().iter().any(|path| path == "/feed.xml"), "{:?}", site.paths());
    let candidates = handle.candidates(info.id, 10).await.unwrap();
    let best = &candidates[0];
    assert_eq!(best.url, site.url("/feed.xml"));
    assert!(best.per_day.unwrap() > 0.8 && best.expected > 0.3, "{best:?}");

    // What makes no sense changes nothing.
    for (folder, interest) in [("Reading/Bad", -1.0), ("Reading/Bad", f64::NAN), ("//", 1.0)] {
        let (folder, interest) = (Some(folder.to_owned()), Some(interest));
        let refused = PromotionWish { candidate: best.id, folder, interest, title: None };
        assert!(handle.promote(refused).await.is_err());
    }
    assert!(handle.store().candidate(best.id).await.unwrap().promoted_to.is_none());
    assert!(handle.store().source_by_url(best.url.clone()).await.unwrap().is_none());
    let bad = handle.store().knowledge(|base| base.folders().demand("Reading/Bad").is_ok()).await.unwrap();
    assert!(!bad, "no folder is left behind");

    let wish = PromotionWish {
        candidate: best.id,
        folder: Some("Reading/Books".into()),
        interest: Some(3.0),
        title: None,
    };
    let source = handle.promote(wish.clone()).await.unwrap();
    assert_eq!(handle.promote(wish).await.unwrap(), source);
    let rules = handle.store().knowledge(|base| base.tree().rules().len()).await.unwrap();
    assert_eq!(rules, 1, "who promotes twice wants no second rule");
    let began = Instant::now();
    while handle.store().source(source).await.unwrap().state.last_success_at.is_none() {
        assert!(began.elapsed() < Duration::from_secs(10), "the promoted source should be visited");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let interests = handle.store().plan_choice().await.unwrap().unwrap().interests;
    assert_eq!(interests.folders.values().copied().collect::<Vec<_>>(), [3.0]);
    engine.stop().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_pauses_it_and_nothing_is_lost() {
    let lab = Lab::new();
    let site = Site::start(|asked| tree(asked, 30)).await;
    let folder = tempfile::tempdir().unwrap();
    let full = folder.path().join("crawl-1-00000.warc.gz");
    let mut wish = wish(vec![site.url("/p/0").into()], 1_000);
    wish.output = Some(folder.path().to_owned());
    let handle = lab.idle();
    let id = handle.start_crawl(wish.clone()).await.unwrap();
    // A device on which every write fails as on a full disk.
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let info = handle.run_crawl(id).await.unwrap();
    assert_eq!((info.phase, info.fetched), (CrawlPhase::Paused, 0));
    assert!(info.why.contains("No space left"), "{}", info.why);
    std::fs::remove_file(full).unwrap();
    let info = lab.idle().run_crawl(info.id).await.unwrap();
    assert_eq!((info.phase, info.fetched), (CrawlPhase::Finished, 30), "{}", info.why);
    // Another data folder's first crawl would write the same files.
    let refused = Lab::new().idle().start_crawl(wish).await.unwrap_err().to_string();
    assert!(refused.contains("another crawl 1"), "{refused}");
}

async fn ended(handle: &EngineHandle, id: CrawlId) -> CrawlInfo {
    let began = Instant::now();
    loop {
        let info = handle.store().crawl(id).await.unwrap();
        if info.phase != CrawlPhase::Running {
            return info;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{info:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
