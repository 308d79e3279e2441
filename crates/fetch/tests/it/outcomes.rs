//! What an answer means, and what a request carries.

use crate::world::{fetcher, get_once, plain, settings, validators};
use fetch::{Accept, Limits, Request, Settings};
use model::{Cap, FailureKind, Outcome};
use std::time::Duration;
use testkit::site::{Answer, Asked, Site};

#[tokio::test]
async fn an_answer_is_kept_as_sent() {
    let page = Answer::html("<p>news</p>")
        .header("etag", "\"7\"")
        .header("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        .header("cache-control", "public, max-age=60")
        .header("content-encoding", "identity");
    let site = Site::with([("/a?b=c", page)]).await;
    let reply = get_once(&fetcher(settings()), &site.url("/a?b=c#part")).await;
    assert_eq!(reply.outcome, Outcome::NewContent);
    assert_eq!((reply.requests, reply.redirects.len(), reply.permanent), (1, 0, false));
    assert_eq!(reply.hosts, ["127.0.0.1"]);
    assert!(reply.began_at <= reply.ended_at);
    let response = reply.response.unwrap();
    assert_eq!(response.body, b"<p>news</p>");
    assert_eq!(response.etag.as_deref(), Some("\"7\""));
    assert_eq!(response.last_modified.as_deref(), Some("Thu, 01 Jan 2026 00:00:00 GMT"));
    assert_eq!(response.cache_max_age, Some(Duration::from_mins(1)));
    assert_eq!(response.content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert!(response.headers_text.starts_with("HTTP/1.1 200 OK\r\n"), "{}", response.headers_text);
    assert!(response.headers_text.contains("\r\netag: \"7\"\r\n"), "{}", response.headers_text);
}

#[tokio::test]
async fn a_request_says_who_asks_and_what_is_understood() {
    let site = Site::with([("/", Answer::html("x"))]).await;
    let url = site.url("/");
    let own = [("Cookie".to_owned(), "a=b".to_owned())];
    let request = Request { accept: Accept::Html, headers: &own, ..plain(&url) };
    fetcher(settings()).session().get(&request).await;
    let Asked { headers, .. } = site.log().remove(0);
    assert_eq!(headers["user-agent"], "Ripplewatch/0.1 (+https://ripplewatch.example/bot)");
    assert_eq!(headers["accept-encoding"], "gzip, br, zstd, deflate");
    assert_eq!(headers["host"], site.address().to_string());
    assert_eq!(headers["cookie"], "a=b");
    assert!(headers["accept"].to_str().unwrap().starts_with("text/html"));
}

#[tokio::test]
async fn headers_that_could_smuggle_a_request_are_not_sent() {
    let site = Site::with([("/", Answer::html("x"))]).await;
    let url = site.url("/");
    for (name, value) in
        [("Host", "b.example"), ("Transfer-Encoding", "chunked"), ("a b", "c"), ("A", "b\r\nC: d")]
    {
        let own = [(name.to_owned(), value.to_owned())];
        let reply = fetcher(settings()).session().get(&Request { headers: &own, ..plain(&url) }).await;
        assert!(matches!(reply.outcome, Outcome::Failed { kind: FailureKind::Internal, .. }), "{name}");
    }
    assert_eq!(site.connections(), 0);
}

#[tokio::test]
async fn an_unchanged_page_costs_nothing() {
    let site = Site::start(|asked| match asked.headers.get("if-none-match") {
        Some(etag) if etag == "\"7\"" => Answer::status(304),
        _ => Answer::html("new"),
    })
    .await;
    let url = site.url("/");
    let mut session = fetcher(settings()).session();
    for (etag, expected) in [("\"7\"", Outcome::NotModified), ("\"6\"", Outcome::NewContent)] {
        let known = validators(etag);
        let reply = session.get(&Request { validators: Some(&known), ..plain(&url) }).await;
        assert_eq!(reply.outcome, expected);
    }
}

#[tokio::test]
async fn last_modified_is_sent_back_verbatim() {
    let site = Site::start(|_| Answer::status(304)).await;
    let url = site.url("/");
    let date = "Thu,  1 Jan 2026 00:00:00 GMT, more or less";
    let known = model::Validators { last_modified: Some(date.to_owned()), ..model::Validators::default() };
    let reply = fetcher(settings()).session().get(&Request { validators: Some(&known), ..plain(&url) }).await;
    assert_eq!(reply.outcome, Outcome::NotModified);
    assert_eq!(site.log()[0].headers["if-modified-since"], date);
}

#[tokio::test]
async fn statuses_are_outcomes_of_their_own() {
    let site = Site::start(|asked| Answer::status(asked.path[1..].parse().unwrap())).await;
    for (status, expected) in [
        (404, "gone (HTTP 404)"),
        (410, "gone (HTTP 410)"),
        (401, "error status: HTTP 401"),
        (403, "error status: HTTP 403"),
        (418, "error status: HTTP 418"),
        (500, "error status: HTTP 500"),
        (204, "empty page: HTTP 204 without a body"),
        (300, "error status: HTTP 300"),
    ] {
        // A fetcher each: errors in a row would hold up what follows.
        let reply = get_once(&fetcher(settings()), &site.url(&format!("/{status}"))).await;
        assert_eq!(reply.outcome.to_string(), expected);
        assert_eq!(reply.response.unwrap().status, status);
    }
}

#[tokio::test]
async fn a_body_over_the_cap_is_cut_and_said_to_be() {
    let site =
        Site::with([("/", Answer::html("x".repeat(1001))), ("/fits", Answer::html("x".repeat(1000)))]).await;
    let limits = Limits { body_bytes: 1000, ..Limits::default() };
    let fetcher = fetcher(Settings { limits, ..settings() });
    let reply = get_once(&fetcher, &site.url("/")).await;
    assert_eq!(reply.outcome, Outcome::Truncated { cap: Cap::BodyBytes });
    assert_eq!(reply.response.unwrap().body.len(), 1000);
    assert_eq!(get_once(&fetcher, &site.url("/fits")).await.outcome, Outcome::NewContent);
}

#[tokio::test]
async fn who_does_not_listen_is_not_there() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = url::Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let fetcher = fetcher(settings());
    for _ in 0..2 {
        assert!(fetcher.manners("127.0.0.1").is_none_or(|manners| manners.not_before.is_none()));
        let reply = get_once(&fetcher, &url).await;
        let connect = matches!(reply.outcome, Outcome::Failed { kind: FailureKind::Connect, .. });
        assert!(connect, "{:?}", reply.outcome);
    }
    assert!(fetcher.manners("127.0.0.1").unwrap().not_before.is_some(), "it is left in peace for a while");
    let impatient = Request { patience: Duration::from_secs(1), ..plain(&url) };
    assert!(matches!(fetcher.session().get(&impatient).await.outcome, Outcome::Busy { status: 0, .. }));
}
