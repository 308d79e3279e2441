//! The server's own log is the judge of politeness.

use crate::world::{FACTOR, Names, PATIENT, fetcher, fetcher_with, get, get_once, plain, settings};
use fetch::{OWN_MANNERS, Request, Settings};
use model::{Manners, Outcome};
use std::collections::HashMap;
use std::time::Duration;
use testkit::site::{Answer, Asked, Site};

/// On the fetcher's clock; on the server's it is 50 ms.
const DELAY: Duration = Duration::from_secs(50);

fn unhurried() -> Settings {
    Settings { default_delay: DELAY, ..settings() }
}

/// The log never shows two requests closer than the delay.
fn assert_spaced(mut log: Vec<Asked>, delay: Duration) {
    log.sort_by_key(|asked| asked.at);
    for pair in log.windows(2) {
        let gap = pair[1].at - pair[0].at;
        assert!(gap >= delay / FACTOR, "{} came {gap:?} after {}", pair[1].path, pair[0].path);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_take_turns() {
    let site = Site::start(|_| Answer::html("x").after(Duration::from_millis(5))).await;
    let fetcher = fetcher(unhurried());
    let visits: Vec<_> = (0..4)
        .map(|number| {
            let (fetcher, site_url) = (fetcher.clone(), site.url(&format!("/{number}")));
            tokio::spawn(async move {
                let mut session = fetcher.session();
                for _ in 0..2 {
                    assert_eq!(get(&mut session, &site_url).await.outcome, Outcome::NewContent);
                }
            })
        })
        .collect();
    for visit in visits {
        visit.await.unwrap();
    }
    assert_eq!(site.log().len(), 8);
    // From end to start, so the server's thinking time comes on top.
    assert_spaced(site.log(), DELAY + FACTOR * Duration::from_millis(5));
}

#[tokio::test]
async fn robots_and_redirect_hops_wait_their_turn_too() {
    let site = Site::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Answer::redirect(302, "/rules"),
        "/rules" => Answer::text("User-agent: *\nAllow: /"),
        "/c" => Answer::html("x"),
        "/a" => Answer::redirect(302, "/b"),
        _ => Answer::redirect(302, "/c"),
    })
    .await;
    let fetcher = fetcher(Settings { obey_robots: true, ..unhurried() });
    let reply = get_once(&fetcher, &site.url("/a")).await;
    assert_eq!(reply.outcome, Outcome::NewContent);
    assert_eq!(site.paths(), ["/robots.txt", "/rules", "/a", "/b", "/c"]);
    assert_spaced(site.log(), DELAY);
}

#[tokio::test]
async fn the_ports_of_one_host_share_one_visitor_and_other_hosts_do_not_wait() {
    let (one, two) = (Site::start(|_| Answer::html("x")).await, Site::start(|_| Answer::html("x")).await);
    let names = Names(HashMap::from([("b.example", one.address()), ("c.example", one.address())]));
    let fetcher = fetcher_with(unhurried(), names);
    get_once(&fetcher, &one.url("/")).await;
    get_once(&fetcher, &two.url("/")).await;
    assert_spaced([one.log(), two.log()].concat(), DELAY);
    let impatient = Duration::ZERO;
    for host in ["b.example", "c.example"] {
        let url = url::Url::parse(&format!("http://{host}/")).unwrap();
        let reply = fetcher.session().get(&Request { patience: impatient, ..plain(&url) }).await;
        assert_eq!(reply.outcome, Outcome::NewContent);
    }
}

#[tokio::test]
async fn a_restart_asks_nobody_sooner() {
    let site = Site::start(|_| Answer::html("x")).await;
    for _ in 0..3 {
        // As after a kill -9: nothing was stored, a new process begins.
        get_once(&fetcher(unhurried()), &site.url("/")).await;
    }
    assert_spaced(site.log(), DELAY);
}

#[tokio::test]
async fn the_impatient_are_told_when_to_come_back() {
    let site = Site::start(|_| Answer::html("x")).await;
    let (fetcher, url) = (fetcher(unhurried()), site.url("/"));
    let reply = fetcher.session().get(&Request { patience: Duration::ZERO, ..plain(&url) }).await;
    let Outcome::Busy { status: OWN_MANNERS, until } = reply.outcome else { panic!("{:?}", reply.outcome) };
    assert_eq!(until, fetcher.earliest("127.0.0.1"));
    assert_eq!((reply.requests, site.connections()), (0, 0));
}

#[tokio::test]
async fn a_delay_of_our_own_wins_over_the_default() {
    let site = Site::start(|_| Answer::html("x")).await;
    let fetcher = fetcher(Settings { default_delay: PATIENT, ..settings() });
    fetcher.restore("127.0.0.1", Manners { own_delay: Some(Duration::ZERO), ..Manners::default() });
    let url = site.url("/");
    for _ in 0..3 {
        let reply = fetcher.session().get(&Request { patience: Duration::ZERO, ..plain(&url) }).await;
        assert_eq!(reply.outcome, Outcome::NewContent);
    }
}

#[tokio::test]
async fn a_cancelled_request_still_counts() {
    let site = Site::start(|_| Answer::html("x").after(Duration::from_millis(300))).await;
    let fetcher = fetcher(unhurried());
    let url = site.url("/");
    let cancelled = tokio::time::timeout(Duration::from_millis(150), get_once(&fetcher, &url)).await;
    assert!(cancelled.is_err());
    get_once(&fetcher, &url).await;
    assert_eq!(site.log().len(), 2);
    assert_spaced(site.log(), DELAY);
}
