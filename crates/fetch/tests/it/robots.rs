//! robots.txt is asked first, believed, and remembered.

use crate::world::{fetcher, get, get_once, settings};
use fetch::{Fetcher, Settings};
use model::{Outcome, RobotsVerdict};
use std::time::Duration;
use testkit::site::{Answer, Site, by_path};

fn obedient() -> Fetcher {
    fetcher(Settings { obey_robots: true, ..settings() })
}

fn page() -> Answer {
    Answer::html("page")
}

#[tokio::test]
async fn rules_are_obeyed_and_asked_once() {
    let rules =
        "User-agent: *\nDisallow: /\n\nUser-agent: Ripplewatch\nDisallow: /private\nAllow: /private/open";
    let site = Site::with([
        ("/robots.txt", Answer::text(rules)),
        ("/", page()),
        ("/private/open", page()),
        ("/private/x", page()),
    ])
    .await;
    let fetcher = obedient();
    let mut session = fetcher.session();
    let reply = get(&mut session, &site.url("/")).await;
    assert_eq!((reply.outcome, reply.requests), (Outcome::NewContent, 2));
    let refused = Outcome::RefusedByRobots { rule: "Disallow: /private".to_owned() };
    assert_eq!(get(&mut session, &site.url("/private/x")).await.outcome, refused);
    assert_eq!(get_once(&fetcher, &site.url("/private/open")).await.outcome, Outcome::NewContent);
    assert_eq!(site.paths(), ["/robots.txt", "/", "/private/open"]);
    let asked = &site.log()[0].headers;
    assert_eq!(asked["accept-encoding"], "identity");
}

#[tokio::test]
async fn what_was_read_can_be_stored_and_restored() {
    let site =
        Site::with([("/robots.txt", Answer::text("User-agent: *\nCrawl-delay: 20")), ("/", page())]).await;
    let first = obedient();
    let mut session = first.session();
    get(&mut session, &site.url("/")).await;
    let records = session.take_robots();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].origin, site.url("/").origin().ascii_serialization());
    assert!(session.take_robots().is_empty());
    let manners = first.manners("127.0.0.1").unwrap();
    assert_eq!(manners.crawl_delay, Some(Duration::from_secs(20)));

    let second = obedient();
    second.restore("127.0.0.1", manners);
    second.restore_robots(records[0].clone());
    let mut session = second.session();
    assert_eq!(get(&mut session, &site.url("/")).await.outcome, Outcome::NewContent);
    assert!(session.take_robots().is_empty());
    assert_eq!(site.paths(), ["/robots.txt", "/", "/"]);
    let log = site.log();
    assert!(log[1].at - log[0].at >= Duration::from_millis(20), "the delay it asks for is kept");
}

#[tokio::test]
async fn none_means_all_is_allowed_and_a_failing_one_means_nothing_is() {
    for (status, allowed) in [(404, true), (401, true), (410, true), (500, false), (503, false)] {
        let script = by_path([("/robots.txt", Answer::status(status)), ("/", page())]);
        let site = Site::start(script).await;
        let mut session = obedient().session();
        let outcome = get(&mut session, &site.url("/")).await.outcome;
        if allowed {
            assert_eq!(outcome, Outcome::NewContent, "{status}");
        } else {
            let rule = format!("robots.txt could not be read: HTTP {status}");
            assert_eq!(outcome, Outcome::RefusedByRobots { rule });
            let record = session.take_robots().remove(0);
            assert!(matches!(record.verdict, RobotsVerdict::DisallowAll(_)));
            assert_eq!(record.expires_at.duration_since(record.fetched_at).as_hours(), 1);
            assert_eq!(site.paths(), ["/robots.txt"]);
        }
    }
}

#[tokio::test]
async fn a_busy_robots_txt_is_a_busy_host_not_a_missing_file() {
    let script = by_path([("/robots.txt", Answer::status(429).header("retry-after", "3600")), ("/", page())]);
    let site = Site::start(script).await;
    let mut session = obedient().session();
    let reply = get(&mut session, &site.url("/")).await;
    assert!(matches!(reply.outcome, Outcome::Busy { status: 429, .. }), "{:?}", reply.outcome);
    assert!(session.take_robots().is_empty());
}

#[tokio::test]
async fn redirects_to_the_rules_are_followed_five_times() {
    for (hops, obeyed) in [(5, true), (6, false)] {
        let site = Site::start(move |asked| match asked.path.as_str() {
            "/robots.txt" => Answer::redirect(301, "/1"),
            "/private" => page(),
            path => {
                let hop: u32 = path[1..].parse().unwrap();
                let rules = Answer::text("User-agent: *\nDisallow: /private");
                if hop == hops { rules } else { Answer::redirect(301, format!("/{}", hop + 1)) }
            }
        })
        .await;
        let reply = get_once(&obedient(), &site.url("/private")).await;
        assert_eq!(matches!(reply.outcome, Outcome::RefusedByRobots { .. }), obeyed, "{:?}", reply.outcome);
    }
}

#[tokio::test]
async fn every_hop_is_checked_against_its_own_origin() {
    let script =
        by_path([("/robots.txt", Answer::text("User-agent: *\nDisallow: /closed")), ("/closed", page())]);
    let other = Site::start(script).await;
    let to = other.url("/closed");
    let site = Site::start(move |asked| match asked.path.as_str() {
        "/robots.txt" => Answer::status(404),
        _ => Answer::redirect(302, &to),
    })
    .await;
    let reply = get_once(&obedient(), &site.url("/")).await;
    assert_eq!(reply.outcome, Outcome::RefusedByRobots { rule: "Disallow: /closed".to_owned() });
    assert_eq!(reply.final_url, other.url("/closed"));
    assert_eq!(other.paths(), ["/robots.txt"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_sessions_ask_for_one_robots_txt_once() {
    let site = Site::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Answer::text("").after(Duration::from_millis(20)),
        _ => page(),
    })
    .await;
    let fetcher = obedient();
    let visits: Vec<_> = (0..8)
        .map(|_| {
            let (fetcher, url) = (fetcher.clone(), site.url("/"));
            tokio::spawn(async move { get_once(&fetcher, &url).await.outcome })
        })
        .collect();
    for visit in visits {
        assert_eq!(visit.await.unwrap(), Outcome::NewContent);
    }
    assert_eq!(site.paths().iter().filter(|path| *path == "/robots.txt").count(), 1);
}

#[tokio::test]
async fn only_the_first_part_of_an_endless_robots_txt_is_read() {
    let mut rules = "User-agent: *\nDisallow: /private\n".to_owned();
    rules.push_str(&"# and so on\n".repeat(100_000));
    let site =
        Site::start(by_path([("/robots.txt", Answer::text(rules)), ("/", page()), ("/private", page())]))
            .await;
    let mut session = obedient().session();
    assert_eq!(get(&mut session, &site.url("/")).await.outcome, Outcome::NewContent);
    assert!(matches!(
        get(&mut session, &site.url("/private")).await.outcome,
        Outcome::RefusedByRobots { .. }
    ));
    let RobotsVerdict::Rules(kept) = session.take_robots().remove(0).verdict else { panic!("no rules") };
    assert_eq!(kept.len(), 512 << 10);
}
