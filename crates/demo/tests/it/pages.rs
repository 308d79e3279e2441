//! What pages show is what the world knows.

use crate::client::{ask, between, canonical, get, gunzip, links, unescape};
use crate::web;
use demo::{Offer, Web};
use model::SourceKind;
use std::collections::{HashMap, HashSet};
use std::time::Instant;

#[tokio::test]
async fn list_pages_link_to_exactly_the_listed_articles() {
    let (web, _, now) = web().await;
    let known: HashSet<_> =
        web.published(now).iter().map(|article| (article.site, path_of(article))).collect();
    let is_article = |site: usize, path: &String| known.contains(&(site, path.clone()));
    for source in web.sources().iter().filter(|source| source.kind == SourceKind::ArticleList) {
        let address = web.addresses()[source.site];
        let reply = get(address, source.url.path()).await;
        assert_eq!(reply.status, 200, "{}", source.url);
        let listed: HashMap<String, String> = web
            .world()
            .listing(source.site, source.offer, source.section, now)
            .iter()
            .map(|article| (article.path.clone(), article.title.clone()))
            .collect();
        let mut shown: HashMap<String, HashSet<String>> = HashMap::new();
        for (href, text) in links(&reply.text()) {
            if let Some(path) = canonical(&href, address).filter(|path| is_article(source.site, path)) {
                shown.entry(path).or_default().insert(text);
            }
        }
        assert_eq!(shown.len(), listed.len(), "{}", source.url);
        for (path, title) in listed {
            let texts = shown.get(&path).unwrap_or_else(|| panic!("{path} missing on {}", source.url));
            assert!(texts.iter().any(|text| text.ends_with(&title)), "{title:?} is not among {texts:?}");
        }
    }
    web.stop().await;
}

#[tokio::test]
async fn every_listed_link_leads_to_its_article() {
    let (web, _, now) = web().await;
    for site in web.world().sites() {
        let address = web.addresses()[site.index];
        let on_page = links(&get(address, "/").await.text());
        let mut seen = HashSet::new();
        for article in web.world().listing(site.index, Offer::Front, None, now) {
            let (href, _) = on_page
                .iter()
                .find(|(href, _)| canonical(href, address).as_ref() == Some(&article.path))
                .expect("it is listed");
            let path = href.strip_prefix(&format!("http://{address}")).unwrap_or(href);
            let path = path.split('#').next().unwrap();
            let page = get(address, path).await;
            assert_eq!(page.status, 200, "{href}");
            let page = unescape(&page.text());
            assert!(page.contains(&format!("<h1>{}</h1>", article.title)), "{}", article.title);
            assert!(
                page.contains(&format!("<link rel=\"canonical\" href=\"http://{address}{}\">", article.path))
            );
            assert!(page.contains(&article.published_at.to_string()));
            assert!(page.contains(&article.summary()));
            seen.insert(article.path.clone());
        }
        assert_eq!(seen.len(), site.page_size, "{} has a full front page", site.name);
    }
    web.stop().await;
}

#[tokio::test]
async fn furniture_leads_to_pages_that_are_no_articles() {
    let (web, _, now) = web().await;
    let known: HashSet<_> = web.published(now).iter().map(|a| (a.site, path_of(a))).collect();
    for site in web.world().sites() {
        let address = web.addresses()[site.index];
        let all: HashSet<String> =
            links(&get(address, "/").await.text()).into_iter().map(|(href, _)| href).collect();
        let furniture = all.iter().filter(|href| href.starts_with('/'));
        let furniture: Vec<_> = furniture
            .filter(|href| !known.contains(&(site.index, canonical(href, address).unwrap())))
            .collect();
        assert!(furniture.len() >= 15, "{} has {} other links", site.name, furniture.len());
        for href in furniture {
            assert_eq!(get(address, href).await.status, 200, "{} {href}", site.name);
        }
    }
    web.stop().await;
}

#[tokio::test]
async fn feeds_and_sitemaps_hold_what_they_should() {
    let (web, _, now) = web().await;
    for source in web.sources().iter().filter(|source| source.kind != SourceKind::ArticleList) {
        let truth: Vec<String> =
            web.listed(source, now).iter().map(|article| article.url.to_string()).collect();
        assert!(!truth.is_empty());
        let mut shown = addresses_in(&web, source.site, source.offer, source.url.path()).await;
        if source.offer == Offer::SitemapIndex {
            let mut inner = Vec::new();
            for part in shown {
                let path = part.split_once("//").unwrap().1.split_once('/').unwrap().1;
                let reply = get(web.addresses()[source.site], &format!("/{path}")).await;
                let text = String::from_utf8(gunzip(&reply.body)).unwrap();
                inner.extend(between(&text, "<loc>", "</loc>").into_iter().map(unescape));
            }
            shown = inner;
        }
        assert_eq!(shown, truth, "{}", source.url);
    }
    web.stop().await;
}

async fn addresses_in(web: &Web, site: usize, offer: Offer, path: &str) -> Vec<String> {
    let text = get(web.addresses()[site], path).await.text();
    let (open, close) = match offer {
        Offer::Rss => ("</title><link>", "</link><guid"),
        Offer::Atom => ("<link rel=\"alternate\" href=\"", "\""),
        Offer::Rdf => ("<item rdf:about=\"", "\""),
        Offer::JsonFeed => ("\"url\":\"", "\""),
        _ => ("<loc>", "</loc>"),
    };
    between(&text, open, close).into_iter().map(unescape).collect()
}

#[tokio::test]
async fn older_pages_continue_where_the_first_ends() {
    let (web, _, now) = web().await;
    let address = web.addresses()[0];
    let first = web.world().newest(0, None, now, 0, 1000);
    let html = get(address, "/?page=2").await.text();
    let size = web.world().sites()[0].page_size;
    for article in &first[size..2 * size] {
        assert!(html.contains(&article.path), "{}", article.path);
    }
    web.stop().await;
}

#[tokio::test]
async fn what_is_not_yet_published_is_not_found() {
    let (web, clock, now) = web().await;
    let later = now + jiff::SignedDuration::from_hours(5);
    let coming = web.world().articles_between(now + jiff::SignedDuration::from_secs(1), later);
    let article = coming.first().unwrap();
    let address = web.addresses()[article.site];
    assert_eq!(get(address, &article.path).await.status, 404);
    assert!(!get(address, "/").await.text().contains(&article.path));
    clock.set(article.published_at);
    assert_eq!(get(address, &article.path).await.status, 200);
    assert!(get(address, "/").await.text().contains(&article.path));
    assert_eq!(get(address, "/no/such/page").await.status, 404);
    assert_eq!(ask("POST", address, "/", &[]).await.status, 405);
    web.stop().await;
}

#[tokio::test]
async fn pages_are_quick() {
    let (web, _, _) = web().await;
    let mut count = 0_u32;
    let begun = Instant::now();
    for source in web.sources() {
        get(web.addresses()[source.site], source.url.path()).await;
        count += 1;
    }
    // Debug builds on a busy machine, connection included; a release build needs a tenth.
    let mean = begun.elapsed() / count;
    assert!(mean.as_millis() < 60, "{mean:?} a page");
    web.stop().await;
}

fn path_of(article: &demo::PublishedArticle) -> String {
    let url = &article.url;
    url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
}
