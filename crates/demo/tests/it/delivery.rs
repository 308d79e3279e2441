//! How answers travel: validators, compression, charsets, manners, failures.

use crate::client::{ask, get};
use crate::{SetClock, web};
use demo::{Behaviour, Charset, Web};
use jiff::SignedDuration;
use std::time::{Duration, Instant};

#[tokio::test]
async fn sites_with_validators_say_when_nothing_is_new() {
    let (web, clock, now) = web().await;
    for site in web.world().sites() {
        let address = web.addresses()[site.index];
        let reply = get(address, "/").await;
        assert_eq!(reply.header("etag").is_some(), site.delivery.etag, "{}", site.name);
        assert_eq!(reply.header("last-modified").is_some(), site.delivery.last_modified, "{}", site.name);
        let tag = reply.header("etag").map(|tag| ("if-none-match", tag));
        let date = reply.header("last-modified").map(|date| ("if-modified-since", date));
        let week = now + SignedDuration::from_hours(24 * 7);
        let coming = web.world().articles_between(now + SignedDuration::from_secs(1), week);
        let next = coming.iter().find(|article| article.site == site.index).unwrap();
        for validator in [tag, date].into_iter().flatten() {
            let again = ask("GET", address, "/", &[validator]).await;
            assert_eq!((again.status, again.body.len()), (304, 0), "{} {validator:?}", site.name);
            clock.set(next.published_at);
            assert_eq!(ask("GET", address, "/", &[validator]).await.status, 200, "{}", site.name);
            clock.set(now);
        }
    }
    web.stop().await;
}

#[tokio::test]
async fn compression_when_accepted() {
    let (web, _, _) = web().await;
    for site in web.world().sites() {
        let address = web.addresses()[site.index];
        let plain = get(address, "/").await;
        let packed = ask("GET", address, "/", &[("accept-encoding", "br, gzip")]).await;
        assert_eq!(packed.header("content-encoding"), site.delivery.gzip.then_some("gzip"));
        assert_eq!(plain.text(), packed.text());
        let head = ask("HEAD", address, "/", &[]).await;
        assert!(head.body.is_empty());
        assert_eq!(head.header("content-length"), Some(plain.body.len().to_string().as_str()));
    }
    web.stop().await;
}

#[tokio::test]
async fn charsets_are_declared_and_kept() {
    let (web, _, now) = web().await;
    let mut kinds = Vec::new();
    for site in web.world().sites() {
        let reply = get(web.addresses()[site.index], "/").await;
        let kind = reply.header("content-type").unwrap().to_owned();
        match site.delivery.charset {
            Charset::Utf8 => assert!(String::from_utf8(reply.body).is_ok()),
            charset => {
                let articles = web.world().newest(site.index, None, now, 0, site.page_size);
                assert!(articles.iter().any(|a| !a.summary().is_ascii()), "there is something to get wrong");
                assert!(String::from_utf8(reply.body.clone()).is_err());
                assert_eq!(kind.contains("charset"), charset == Charset::Windows1252);
                kinds.push(charset.name());
            }
        }
    }
    assert_eq!(kinds, ["windows-1252", "iso-8859-1"]);
    web.stop().await;
}

#[tokio::test]
async fn robots_say_what_is_allowed() {
    let (web, _, _) = web().await;
    let mut delays = 0;
    for address in web.addresses() {
        let robots = get(*address, "/robots.txt").await.text();
        assert!(robots.contains("Disallow: /search\n") && robots.contains("Disallow: /private/\n"));
        delays += usize::from(robots.contains("Crawl-delay: 1\n"));
    }
    assert_eq!(delays, 1);
    web.scene()
        .set(2, Behaviour { disallow: vec!["/".into()], crawl_delay: Some(7), ..Behaviour::default() });
    let robots = get(web.addresses()[2], "/robots.txt").await.text();
    assert!(robots.contains("Disallow: /\n") && robots.contains("Crawl-delay: 7\n"));
    web.stop().await;
}

#[tokio::test]
async fn scenes_change_how_a_site_behaves() {
    let (web, _, _) = web().await;
    let address = web.addresses()[5];
    web.scene().set(5, Behaviour { down: Some(Duration::from_mins(2)), ..Behaviour::default() });
    let down = get(address, "/").await;
    assert_eq!((down.status, down.header("retry-after")), (503, Some("120")));
    web.scene().set(5, Behaviour { gone: true, ..Behaviour::default() });
    assert_eq!(get(address, "/").await.status, 410);
    web.scene().set(5, Behaviour { slow: Duration::from_millis(80), ..Behaviour::default() });
    let begun = Instant::now();
    assert_eq!(get(address, "/").await.status, 200);
    assert!(begun.elapsed() >= Duration::from_millis(80));
    web.scene().calm();
    assert_eq!(web.scene().of(5), Behaviour::default());
    web.stop().await;
}

#[tokio::test]
async fn every_request_is_logged() {
    let (web, _, now) = web().await;
    get(web.addresses()[0], "/?page=2").await;
    ask("GET", web.addresses()[1], "/nowhere", &[("if-none-match", "\"x\"")]).await;
    let log = web.log();
    let told: Vec<_> = log.iter().map(|l| (l.site, l.path.as_str(), l.status, l.conditional, l.at)).collect();
    assert_eq!(told, [(0, "/?page=2", 200, false, now), (1, "/nowhere", 404, true, now)]);
    assert!(log.iter().all(|entry| entry.agent == "tester/1"));
    web.stop().await;
}

#[tokio::test]
async fn a_restart_comes_back_at_the_same_addresses() {
    let (web, clock, _) = web().await;
    let (world, addresses, ports) = (web.world().clone(), web.addresses().to_vec(), web.ports());
    let clock: std::sync::Arc<SetClock> = clock;
    let octets: std::collections::HashSet<_> = addresses.iter().map(std::net::SocketAddr::ip).collect();
    assert_eq!(octets.len(), 30, "each site has an address of its own");
    web.stop().await;
    let again = Web::start_at(world, clock, &ports).await.unwrap();
    assert_eq!(again.addresses(), addresses);
    again.stop().await;
}
