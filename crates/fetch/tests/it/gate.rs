//! Nobody can make us ask our own network.

use crate::world::{fetcher, fetcher_with, get, get_once, settings};
use fetch::gate::{Barred, Gate, Refusal};
use fetch::{BoxFuture, Resolve, Settings};
use model::Outcome;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use testkit::hostile::Rebinding;
use testkit::site::{Answer, Site, by_path};
use url::Url;

/// Hosts in URLs that must be refused, all the ways to write them we know of.
const FORBIDDEN: [&str; 62] = [
    // Loopback, in dots, numbers, octal, hexadecimal, short, padded, full-width digits and escapes.
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0x7F.0.0.0x1",
    "0177.0.0.1",
    "017700000001",
    "00000177.0.0.1",
    "127.0.0.1.",
    "１２７.０.０.１",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "0.1.2.3",
    "000.000.000.000",
    "0x0",
    // Other networks.
    "10.0.0.1",
    "0xa.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "3232235777",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "100.64.0.1",
    "100.127.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "198.18.0.1",
    "198.19.255.255",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    // IPv6, and IPv4 hidden in it.
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::a00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[2001:10::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[100::1]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
];

#[test]
fn every_way_to_write_a_forbidden_address_is_refused() {
    let gate = Gate::default();
    for host in FORBIDDEN {
        for scheme in ["http", "https"] {
            let text = format!("{scheme}://{host}:8080/x");
            // What is not even a URL is refused as well.
            let refusal = gate.read_url(&text).expect_err(&text);
            assert!(
                matches!(refusal, Refusal::Address { .. } | Refusal::NotAUrl { .. }),
                "{text}: {refusal}"
            );
        }
    }
}

#[test]
fn urls_that_two_readers_would_read_differently_are_refused() {
    let gate = Gate::default();
    for text in [
        "ftp://a.example/",
        "file:///etc/passwd",
        "gopher://a.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://user@a.example/",
        "http://user:secret@a.example/",
        "http://:secret@a.example/",
        r"http://a.example\@b.example/",
        r"http:\\a.example\",
        "http://a.example:0/",
        "http://",
        "a.example",
    ] {
        assert!(gate.read_url(text).is_err(), "{text}");
    }
    assert!(gate.read_url("https://a.example:8443/x?y=z").is_ok());
    assert!(gate.read_url("http://1.1.1.1/").is_ok());
}

#[test]
fn the_refusal_says_what_and_how_to_allow_it() {
    let refusal = Gate::default().read_url("http://127.1/").unwrap_err().to_string();
    assert_eq!(
        refusal,
        "127.0.0.1 is this machine itself (loopback); if that is meant, add \"127.0.0.1\" or its range to the allowed addresses"
    );
}

#[test]
fn what_is_allowed_by_name_is_allowed_and_nothing_beside_it() {
    let gate = Gate::new(vec!["10.1.0.0/16".parse().unwrap(), "::1/128".parse().unwrap()]);
    assert!(gate.read_url("http://10.1.2.3/").is_ok());
    assert!(gate.read_url("http://[::1]/").is_ok());
    assert!(gate.read_url("http://10.2.0.1/").is_err());
    assert!(gate.read_url("http://[::ffff:10.1.2.3]/").is_err());
}

/// Answers every name with these addresses.
struct Always(Vec<SocketAddr>);

impl Resolve for Always {
    fn resolve(&self, _: &str, _: u16) -> BoxFuture<'_, io::Result<Vec<SocketAddr>>> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

struct Changing(Arc<Rebinding>);

impl Resolve for Changing {
    fn resolve(&self, _: &str, _: u16) -> BoxFuture<'_, io::Result<Vec<SocketAddr>>> {
        Box::pin(async { Ok(self.0.answer()) })
    }
}

#[tokio::test]
async fn resolved_addresses_are_looked_at_like_written_ones() {
    let gate = Gate::default();
    let url = Url::parse("http://innocent.example/").unwrap();
    for host in FORBIDDEN {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let Ok(address) = host.parse::<IpAddr>() else {
            continue;
        };
        let resolver = Always(vec![(address, 80).into()]);
        let admitted = gate.admit(&url, &resolver).await;
        assert!(matches!(admitted, Err(Barred::Refused(Refusal::Address { .. }))), "{host}");
    }
}

#[tokio::test]
async fn a_listening_server_on_a_forbidden_address_sees_nothing() {
    let site = Site::with([("/", Answer::html("secret"))]).await;
    let port = site.address().port();
    // As by default, nothing is allowed; robots.txt would be asked first.
    let fetcher = fetcher_with(Settings::default(), Always(vec![site.address()]));
    for host in ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "localhost", "a.example", "0"] {
        let url = Url::parse(&format!("http://{host}:{port}/")).unwrap();
        let reply = get_once(&fetcher, &url).await;
        assert!(matches!(reply.outcome, Outcome::RefusedByGate { .. }), "{host}: {:?}", reply.outcome);
        assert_eq!(reply.requests, 0);
    }
    assert_eq!(site.connections(), 0);
}

#[tokio::test]
async fn a_redirect_into_a_forbidden_address_is_refused_before_connecting() {
    let inside = Site::start_at(Ipv4Addr::new(127, 0, 0, 2).into(), None, |_| Answer::html("secret")).await;
    for status in [301, 302, 303, 307, 308] {
        let to = inside.url("/admin");
        let outside = Site::start(move |_| Answer::redirect(status, &to)).await;
        let only_outside = Settings { allow: vec!["127.0.0.1/32".parse().unwrap()], ..settings() };
        let reply = get_once(&fetcher(only_outside), &outside.url("/")).await;
        assert!(matches!(reply.outcome, Outcome::RefusedByGate { .. }), "{:?}", reply.outcome);
        assert_eq!(reply.final_url, inside.url("/admin"));
        assert_eq!(outside.paths(), ["/"]);
    }
    assert_eq!(inside.connections(), 0);
}

/// "Public" is played by 127.0.0.1, allowed here, and the victim by 127.0.0.2, which is not.
#[tokio::test]
async fn a_name_that_is_bound_anew_is_refused_before_connecting() {
    let inside = Site::start_at(Ipv4Addr::new(127, 0, 0, 2).into(), None, |_| Answer::html("secret")).await;
    let outside = Site::start(by_path([
        ("/", Answer::html("bait").header("connection", "close")),
        ("/again", Answer::html("bait")),
    ]))
    .await;
    let names = Arc::new(Rebinding::new([vec![outside.address()], vec![inside.address()]]));
    let only_outside = Settings { allow: vec!["127.0.0.1/32".parse().unwrap()], ..settings() };
    let fetcher = fetcher_with(only_outside, Changing(names.clone()));
    let mut session = fetcher.session();
    let first = get(&mut session, &Url::parse("http://evil.example/").unwrap()).await;
    assert_eq!(first.outcome, Outcome::NewContent);
    assert_eq!(names.asked(), 1, "one look-up for one connection: what was checked is what is used");
    let second = get(&mut session, &Url::parse("http://evil.example/again").unwrap()).await;
    assert!(matches!(second.outcome, Outcome::RefusedByGate { .. }), "{:?}", second.outcome);
    assert_eq!(names.asked(), 2);
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn of_mixed_answers_only_the_admitted_are_used() {
    let inside = Site::start_at(Ipv4Addr::new(127, 0, 0, 2).into(), None, |_| Answer::html("secret")).await;
    let outside = Site::start(|_| Answer::html("public")).await;
    let only_outside = Settings { allow: vec!["127.0.0.1/32".parse().unwrap()], ..settings() };
    let fetcher = fetcher_with(only_outside, Always(vec![inside.address(), outside.address()]));
    let reply = get_once(&fetcher, &Url::parse("http://mixed.example/").unwrap()).await;
    assert_eq!(reply.response.unwrap().body, b"public");
    assert_eq!(inside.connections(), 0);
}
