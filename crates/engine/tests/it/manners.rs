//! Manners, by the sites' own logs.

use crate::lab::{Lab, article_page, list_page, until};
use model::Outcome;
use std::time::Duration;
use testkit::site::{Answer, Asked, Site};

const DELAY: Duration = Duration::from_millis(80);

fn gaps(log: &[Asked]) -> Vec<Duration> {
    log.windows(2).map(|pair| pair[1].at - pair[0].at).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_host_is_asked_faster_than_its_delay_across_sources_pages_and_restarts() {
    let titles: Vec<String> = (0..6).map(|n| format!("A story with a number like {n} in it")).collect();
    let site = Site::start(move |asked| {
        if asked.path.starts_with("/list") {
            Answer::html(list_page(&titles.iter().map(String::as_str).collect::<Vec<_>>()))
        } else if asked.path == "/robots.txt" {
            Answer::status(404)
        } else {
            Answer::html(article_page("One"))
        }
    })
    .await;
    let mut lab = Lab::new();
    lab.fetch.default_delay = DELAY;
    lab.interval = Duration::from_millis(300);
    for n in 0..3 {
        lab.add(&site.url(&format!("/list{n}"))).await;
    }
    for _ in 0..3 {
        let engine = lab.start().await;
        tokio::time::sleep(Duration::from_millis(700)).await;
        engine.stop().await;
    }
    let log = site.log();
    assert!(log.len() > 10, "{} requests", log.len());
    let fastest = gaps(&log).into_iter().min().unwrap();
    assert!(fastest >= DELAY, "asked again after {fastest:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_site_is_left_alone_as_long_as_it_asks_even_after_a_restart() {
    let site = Site::start(|asked| {
        if asked.path == "/robots.txt" {
            Answer::status(404)
        } else {
            Answer::status(503).header("retry-after", "3600")
        }
    })
    .await;
    let lab = Lab::new();
    let id = lab.add(&site.url("/")).await;
    for _ in 0..2 {
        let engine = lab.start().await;
        tokio::time::sleep(Duration::from_millis(600)).await;
        engine.stop().await;
    }
    assert_eq!(site.paths(), ["/robots.txt", "/"], "asked once");
    let source = lab.source(id).await;
    assert!(matches!(source.state.last_outcome, Some(Outcome::Busy { status: 503, .. })));
    assert!(source.state.next_at.unwrap() > jiff::Timestamp::now() + jiff::SignedDuration::from_mins(50));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_to_a_host_that_wants_to_be_left_alone_does_not_wear_out_the_first_one() {
    let busy = Site::start_at("127.0.0.77".parse().unwrap(), None, |asked| {
        if asked.path == "/robots.txt" {
            Answer::status(404)
        } else {
            Answer::status(503).header("retry-after", "3600")
        }
    })
    .await;
    let target = busy.url("/feed");
    let first = Site::start(move |asked| {
        if asked.path == "/robots.txt" { Answer::status(404) } else { Answer::redirect(302, &target) }
    })
    .await;
    let mut lab = Lab::new();
    lab.interval = Duration::from_millis(200);
    let id = lab.add(&first.url("/feed")).await;
    for _ in 0..2 {
        let engine = lab.start().await;
        tokio::time::sleep(Duration::from_millis(800)).await;
        engine.stop().await;
        // A person asks for it all the same: the first host is asked once more, the second is still left alone.
        lab.store
            .visit_soon(id, model::PlannedVisit { at: jiff::Timestamp::now(), reason: "test".into() })
            .await
            .unwrap();
    }
    assert_eq!(busy.paths(), ["/robots.txt", "/feed"], "asked once, also after a restart");
    let asked = first.paths().iter().filter(|path| *path == "/feed").count();
    assert_eq!(asked, 2, "each planned visit asks once");
    let visits = lab.store.visits_of(id, 10).await.unwrap();
    assert!(visits.iter().all(|visit| matches!(visit.outcome, Outcome::Busy { .. })), "{visits:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_on_one_host_is_followed_after_its_pause() {
    let site = Site::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Answer::status(404),
        "/feed" => Answer::redirect(301, "/feed/"),
        _ => Answer::html(list_page(&[
            "A story of some length today",
            "Another story of this fine day",
            "A third one of them",
        ])),
    })
    .await;
    let mut lab = Lab::new();
    lab.fetch.default_delay = Duration::from_millis(300);
    lab.settings.patience = Duration::from_millis(350);
    let id = lab.add(&site.url("/feed")).await;
    let engine = lab.start().await;
    until("it was visited", async || lab.source(id).await.state.articles == 3).await;
    engine.stop().await;
    assert!(gaps(&site.log()).into_iter().all(|gap| gap >= Duration::from_millis(300)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn robots_txt_is_obeyed_and_asked_once() {
    let site = Site::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /private"),
        _ => Answer::html(list_page(&["A public story of some length", "Another public story as well"])),
    })
    .await;
    let lab = Lab::new();
    let open = lab.add(&site.url("/")).await;
    let closed = lab.add(&site.url("/private/list")).await;
    let engine = lab.start().await;
    let both = async || {
        lab.source(open).await.state.last_visit_at.is_some()
            && lab.source(closed).await.state.last_visit_at.is_some()
    };
    until("both were tried", both).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    engine.stop().await;
    let outcome = lab.source(closed).await.state.last_outcome.unwrap();
    assert!(matches!(&outcome, Outcome::RefusedByRobots { rule } if rule.contains("/private")), "{outcome}");
    let paths = site.paths();
    assert!(!paths.iter().any(|path| path.starts_with("/private")), "{paths:?}");
    assert_eq!(paths.iter().filter(|path| *path == "/robots.txt").count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unchanged_page_costs_a_304() {
    let site = Site::start(|asked| {
        if asked.headers.get("if-none-match").is_some_and(|tag| tag == "\"v1\"") {
            return Answer::status(304);
        }
        Answer::html(list_page(&["A story that stays as it is", "Another story that stays too"]))
            .header("etag", "\"v1\"")
    })
    .await;
    let lab = Lab::new();
    let id = lab.add(&site.url("/")).await;
    for expected in [Outcome::NewContent, Outcome::NotModified, Outcome::NotModified] {
        let visit = lab.idle().visit_now(id).await.unwrap().unwrap();
        assert_eq!(visit.outcome, expected);
    }
}
