//! Redirects are followed by hand, one hop at a time.

use crate::world::{Names, fetcher, fetcher_with, get_once, plain, settings, validators};
use fetch::{Request, Settings};
use model::{FailureKind, Outcome};
use std::collections::HashMap;
use testkit::authority::{Authority, Offer};
use testkit::site::{Answer, Site, by_path};
use url::Url;

#[tokio::test]
async fn a_chain_is_followed_and_told() {
    let site = Site::with([
        ("/a", Answer::redirect(301, "/b")),
        ("/b", Answer::redirect(308, "c?d#e")),
        ("/c?d", Answer::html("here")),
    ])
    .await;
    let reply = get_once(&fetcher(settings()), &site.url("/a")).await;
    assert_eq!(reply.outcome, Outcome::NewContent);
    assert_eq!(reply.redirects, [site.url("/b"), site.url("/c?d")]);
    assert_eq!((reply.final_url, reply.permanent, reply.requests), (site.url("/c?d"), true, 3));
    assert_eq!(site.connections(), 1, "one origin, one connection");
}

#[tokio::test]
async fn one_passing_hop_makes_the_move_passing() {
    let site = Site::with([
        ("/a", Answer::redirect(301, "/b")),
        ("/b", Answer::redirect(302, "/c")),
        ("/c", Answer::html("here")),
    ])
    .await;
    assert!(!get_once(&fetcher(settings()), &site.url("/a")).await.permanent);
}

#[tokio::test]
async fn five_redirects_are_followed_and_not_six() {
    let site = Site::start(|asked| match asked.path.as_str() {
        "/0" => Answer::html("here"),
        path => Answer::redirect(302, format!("/{}", path[1..].parse::<u32>().unwrap() - 1)),
    })
    .await;
    let fetcher = fetcher(settings());
    assert_eq!(get_once(&fetcher, &site.url("/5")).await.outcome, Outcome::NewContent);
    let reply = get_once(&fetcher, &site.url("/6")).await;
    assert_eq!(reply.outcome.to_string(), "redirects: more than 5");
    assert_eq!(reply.requests, 6);
}

#[tokio::test]
async fn secrets_and_validators_stay_with_their_origin() {
    let other = Site::with([("/", Answer::html("here"))]).await;
    let to = other.url("/");
    let site = Site::start(move |asked| match asked.path.as_str() {
        "/" => Answer::redirect(302, "/b"),
        _ => Answer::redirect(302, &to),
    })
    .await;
    let (url, known) = (site.url("/"), validators("\"7\""));
    let own = [("Authorization".to_owned(), "secret".to_owned()), ("Cookie".to_owned(), "a=b".to_owned())];
    let request = Request { validators: Some(&known), headers: &own, ..plain(&url) };
    let reply = fetcher(settings()).session().get(&request).await;
    assert_eq!(reply.outcome, Outcome::NewContent);
    for asked in site.log() {
        assert_eq!(
            (&asked.headers["authorization"], &asked.headers["if-none-match"]),
            (&"secret".parse().unwrap(), &"\"7\"".parse().unwrap())
        );
    }
    let headers = &other.log()[0].headers;
    assert!(["authorization", "cookie", "if-none-match"].iter().all(|name| !headers.contains_key(*name)));
    assert!(headers.contains_key("user-agent"));
}

#[tokio::test]
async fn https_does_not_lead_down_to_http() {
    let authority = Authority::new();
    let plain_site = Site::with([("/", Answer::html("here"))]).await;
    let down = plain_site.url("/");
    let tls = authority.good("a.example", Offer::Http1);
    let site = Site::start_at([127, 0, 0, 1].into(), Some(tls), move |_| Answer::redirect(301, &down)).await;
    let names = Names(HashMap::from([("a.example", site.address())]));
    let fetcher = fetcher_with(Settings { extra_roots: vec![authority.root()], ..settings() }, names);
    let reply = get_once(&fetcher, &Url::parse("https://a.example/").unwrap()).await;
    assert!(
        matches!(reply.outcome, Outcome::Failed { kind: FailureKind::Redirects, .. }),
        "{:?}",
        reply.outcome
    );
    assert_eq!(plain_site.connections(), 0);
}

#[tokio::test]
async fn http_may_lead_up_to_https() {
    let authority = Authority::new();
    let tls = authority.good("a.example", Offer::Http2);
    let safe = Site::start_at([127, 0, 0, 1].into(), Some(tls), by_path([("/", Answer::html("here"))])).await;
    let site = Site::start(|_| Answer::redirect(301, "https://a.example/")).await;
    let names = Names(HashMap::from([("a.example", safe.address())]));
    let fetcher = fetcher_with(Settings { extra_roots: vec![authority.root()], ..settings() }, names);
    let reply = get_once(&fetcher, &site.url("/")).await;
    assert_eq!(reply.outcome, Outcome::NewContent);
    assert!(reply.permanent);
    assert_eq!(reply.hosts, ["127.0.0.1", "a.example"]);
}
