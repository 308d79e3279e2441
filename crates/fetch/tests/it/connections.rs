//! Connections are kept, and closed.

use crate::world::{Names, fetcher, fetcher_with, get, settings};
use fetch::{Leave, OWN_MANNERS, Settings};
use http::Version;
use model::{FailureKind, Outcome};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::authority::{Authority, Offer};
use testkit::site::{Answer, Site, by_path};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

#[tokio::test]
async fn one_session_uses_one_connection_and_two_use_two() {
    let site = Site::with([("/", Answer::html("x"))]).await;
    let fetcher = fetcher(settings());
    for _ in 0..2 {
        let mut session = fetcher.session();
        for _ in 0..5 {
            assert_eq!(get(&mut session, &site.url("/")).await.outcome, Outcome::NewContent);
        }
    }
    assert_eq!(site.connections(), 2);
}

#[tokio::test]
async fn https_speaks_http2_over_one_connection() {
    let authority = Authority::new();
    for (offer, version) in [(Offer::Http2, Version::HTTP_2), (Offer::Http1, Version::HTTP_11)] {
        let tls = authority.good("a.example", offer);
        let script = by_path([("/", Answer::html("x".repeat(300_000)))]);
        let site = Site::start_at([127, 0, 0, 1].into(), Some(tls), script).await;
        let names = Names(HashMap::from([("a.example", site.address())]));
        let fetcher = fetcher_with(Settings { extra_roots: vec![authority.root()], ..settings() }, names);
        let mut session = fetcher.session();
        for _ in 0..3 {
            let reply = get(&mut session, &Url::parse("https://a.example/").unwrap()).await;
            assert_eq!(reply.outcome, Outcome::NewContent);
            assert_eq!(reply.response.unwrap().body.len(), 300_000);
        }
        assert_eq!(site.connections(), 1);
        assert!(site.log().iter().all(|asked| asked.version == version));
    }
}

#[tokio::test]
async fn an_authority_nobody_trusts_is_not_trusted() {
    let tls = Authority::new().good("a.example", Offer::Http2);
    let site = Site::start_at([127, 0, 0, 1].into(), Some(tls), |_| Answer::html("x")).await;
    let names = Names(HashMap::from([("a.example", site.address())]));
    let fetcher = fetcher_with(settings(), names);
    let reply = get(&mut fetcher.session(), &Url::parse("https://a.example/").unwrap()).await;
    assert!(matches!(reply.outcome, Outcome::Failed { kind: FailureKind::Tls, .. }), "{:?}", reply.outcome);
    assert!(site.log().is_empty());
}

#[tokio::test]
async fn dropping_a_session_closes_its_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut buffer = [0; 4096];
        assert!(stream.read(&mut buffer).await.unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await.unwrap();
        // Waits for the end, which only the client can bring about.
        stream.read(&mut buffer).await.unwrap_or(0)
    });
    let mut session = fetcher(settings()).session();
    assert_eq!(get(&mut session, &url).await.outcome, Outcome::NewContent);
    drop(session);
    let read = tokio::time::timeout(Duration::from_secs(5), server).await.unwrap().unwrap();
    assert_eq!(read, 0);
}

/// A server may close a kept connection at the very moment we use it. Asking again is right, once.
#[tokio::test]
async fn a_lost_connection_is_replaced() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let server = tokio::spawn(async move {
        for answers in [1, 1] {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut buffer = [0; 4096];
            for _ in 0..answers {
                assert!(stream.read(&mut buffer).await.unwrap() > 0);
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await.unwrap();
            }
            // The next request is read, and the connection closed without a word.
            let _ = stream.read(&mut buffer).await;
        }
    });
    let mut session = fetcher(settings()).session();
    for _ in 0..2 {
        assert_eq!(get(&mut session, &url).await.outcome, Outcome::NewContent);
    }
    drop(session);
    server.await.unwrap();
}

#[tokio::test]
async fn nothing_is_sent_without_leave_not_even_at_the_last_moment() {
    let site = Site::with([("/", Answer::html("x"))]).await;
    let url = site.url("/");
    let host = url.host_str().unwrap();
    // How often a usual request asks for leave: the last time is when it is handed to the socket.
    let calls = Arc::new(AtomicUsize::new(0));
    let counting = calls.clone();
    let leave: Leave = Arc::new(move || counting.fetch_add(1, Ordering::SeqCst) < usize::MAX);
    let fetcher = fetcher(settings());
    assert_eq!(get(&mut fetcher.session().only_while(leave), &url).await.outcome, Outcome::NewContent);
    let usual = calls.swap(0, Ordering::SeqCst);
    assert!(usual > 1, "{usual}");
    for allowed in 0..usual {
        calls.store(0, Ordering::SeqCst);
        let counting = calls.clone();
        let leave: Leave = Arc::new(move || counting.fetch_add(1, Ordering::SeqCst) < allowed);
        let reply = get(&mut fetcher.session().only_while(leave), &url).await;
        let own = matches!(reply.outcome, Outcome::Busy { status: OWN_MANNERS, .. });
        assert!(own, "after {allowed} times: {:?}", reply.outcome);
        assert_eq!(site.log().len(), 1, "nothing more was asked after {allowed} times");
    }
    // It is not held against the host.
    assert_eq!(fetcher.manners(host).unwrap_or_default().troubles, 0);
    assert_eq!(get(&mut fetcher.session(), &url).await.outcome, Outcome::NewContent);
}
