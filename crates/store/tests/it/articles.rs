use crate::shop::{Shop, at};
use model::{ArticleId, ArticlePage, BodyState, FailureKind, Manners, Outcome, SourceId};
use std::time::Duration;
use store::{After, ArticleFilter, BodyRecord, HostWork, Marks, Retention, StoreError, StoredPage};
use url::Url;

pub(crate) fn all() -> ArticleFilter {
    ArticleFilter { limit: 100, ..ArticleFilter::default() }
}

pub(crate) fn body_record(work: &HostWork, id: ArticleId, text: &str, canonical: Option<&str>) -> BodyRecord {
    let body = format!("<p>{text}</p>").into_bytes();
    BodyRecord {
        lease: work.lease.clone(),
        article_id: id,
        outcome: Outcome::NewContent,
        read: Some(ArticlePage {
            text: text.into(),
            fingerprint: page::fingerprint::fingerprint(text),
            canonical: canonical.map(|url| Url::parse(url).unwrap()),
            ..ArticlePage::default()
        }),
        page: Some(StoredPage::pack(
            at(1),
            "https://a.example/final".into(),
            "HTTP/1.1 200 OK".into(),
            None,
            None,
            body,
        )),
        retry_at: None,
        robots: Vec::new(),
        after: After::Keep(None),
    }
}

async fn read_body(
    shop: &Shop,
    source: SourceId,
    id: ArticleId,
    text: &str,
    canonical: Option<&str>,
) -> ArticleId {
    let work = shop.lease_of(source, 1).await;
    let holder = shop.store.record_body(body_record(&work, id, text, canonical)).await.unwrap().article;
    shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
    holder
}

#[tokio::test]
async fn a_page_is_kept_as_sent_and_its_text_can_be_searched() {
    let shop = Shop::new();
    let source = shop.add("https://a.example/").await;
    let id = shop.visit(source, 0, &["https://a.example/1"]).await.new[0];
    let text = "The parliament of Vantoria met again. ".repeat(50);
    read_body(&shop, source, id, &text, None).await;
    let detail = shop.store.article(id).await.unwrap();
    assert_eq!(
        (detail.text.as_deref(), detail.article.body, detail.page_kept),
        (Some(text.as_str()), BodyState::Read, true)
    );
    let page = shop.store.stored_page(id).await.unwrap().unwrap();
    assert_eq!(page.body().unwrap(), format!("<p>{text}</p>").into_bytes());
    for (search, hits) in [
        ("vantoria parliament", 1),
        ("parl", 1),
        ("vantoria nowhere", 0),
        ("\"met again\"", 1),
        ("\"again met\"", 0),
        ("title", 1),
    ] {
        let filter = ArticleFilter { search: Some(search.into()), ..all() };
        assert_eq!(shop.store.articles_page(filter).await.unwrap().articles.len(), hits, "{search}");
    }
}

#[tokio::test]
async fn a_search_cannot_break_the_query_language() {
    let shop = Shop::new();
    let source = shop.add("https://a.example/").await;
    shop.visit(source, 0, &["https://a.example/1"]).await;
    for search in
        ["a OR", "NEAR(", "\"", "title:x", "* *", "a-b", "'; DROP TABLE article; --", "{a b}", "^x", "a\0b"]
    {
        let filter = ArticleFilter { search: Some(search.into()), ..all() };
        match shop.store.articles_page(filter).await {
            Ok(_) | Err(StoreError::EmptySearch(_)) => {}
            Err(error) => panic!("{search}: {error}"),
        }
    }
}

#[tokio::test]
async fn pages_of_a_list_join_without_gap_or_overlap() {
    let shop = Shop::new();
    let (a, b) = (shop.add("https://a.example/").await, shop.add("https://b.example/").await);
    for n in 0..23 {
        shop.visit(a, n, &[&format!("https://a.example/{n}")]).await;
        shop.visit(b, n, &[&format!("https://b.example/{n}")]).await;
    }
    for source in [None, Some(a)] {
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let filter = ArticleFilter { source, before, limit: 5, ..ArticleFilter::default() };
            let page = shop.store.articles_page(filter).await.unwrap();
            seen.extend(page.articles.iter().map(|article| article.id));
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        assert!(seen.is_sorted_by(|x, y| x > y), "newest first, none twice");
        assert_eq!(seen.len(), if source.is_some() { 23 } else { 46 });
    }
}

#[tokio::test]
async fn marks_are_kept_and_filter() {
    let shop = Shop::new();
    let source = shop.add("https://a.example/").await;
    let new = shop.visit(source, 0, &["https://a.example/1", "https://a.example/2"]).await.new;
    let marks = Marks { read: Some(true), starred: Some(true) };
    shop.store.mark_articles(vec![new[0]], marks).await.unwrap();
    let of = async |filter| {
        let page = shop.store.articles_page(filter).await.unwrap();
        page.articles.iter().map(|article| article.id).collect::<Vec<_>>()
    };
    assert_eq!(of(ArticleFilter { unread: true, ..all() }).await, [new[1]]);
    assert_eq!(of(ArticleFilter { starred: true, ..all() }).await, [new[0]]);
    let missing = shop.store.mark_articles(vec![new[1], ArticleId(999)], marks).await;
    assert!(matches!(missing, Err(StoreError::NotFound { .. })));
    assert_eq!(of(ArticleFilter { unread: true, ..all() }).await, [new[1]], "all or none");
    assert_eq!(shop.store.mark_read_up_to(new[1]).await.unwrap(), 1);
}

/// Long enough to have a fingerprint.
fn story(about: &str) -> String {
    (0..60)
        .map(|n| format!("Sentence {n} tells something about {about} that the one before did not. "))
        .collect()
}

#[tokio::test]
async fn two_urls_of_one_article_become_one_article() {
    let shop = Shop::new();
    let source = shop.add("https://a.example/").await;
    let new = shop
        .visit(
            source,
            0,
            &["https://a.example/rowing-cup-won?ref=2", "https://a.example/rowing-cup-won?ref=1"],
        )
        .await
        .new;
    let canonical = Some("https://a.example/rowing-cup-won");
    assert_eq!(read_body(&shop, source, new[0], &story("rowing"), canonical).await, new[0]);
    assert_eq!(read_body(&shop, source, new[1], &story("rowing"), canonical).await, new[0]);
    let articles = shop.store.articles_page(all()).await.unwrap().articles;
    assert_eq!((articles.len(), articles[0].url.as_str()), (1, "https://a.example/rowing-cup-won"));
    assert_eq!(shop.store.source(source).await.unwrap().state.articles, 1);
    // All three URLs are known from now on.
    let urls = ["", "?ref=1", "?ref=2"].map(|query| format!("https://a.example/rowing-cup-won{query}"));
    let again = shop.visit(source, 9, &urls.each_ref().map(String::as_str)).await;
    assert!(again.new.is_empty());
}

#[tokio::test]
async fn a_careless_canonical_or_a_login_page_swallows_no_article() {
    let shop = Shop::new();
    let source = shop.add("https://a.example/").await;
    let urls: Vec<String> = (0..4).map(|n| format!("https://a.example/article.php?id={n}")).collect();
    let new = shop.visit(source, 0, &urls.iter().map(String::as_str).collect::<Vec<_>>()).await.new;
    for (n, id) in new.iter().enumerate() {
        let canonical = ["https://a.example/article.php", "https://a.example/login"][n % 2];
        assert_eq!(
            read_body(&shop, source, *id, &story(&format!("subject {n}")), Some(canonical)).await,
            *id
        );
    }
    let articles = shop.store.articles_page(all()).await.unwrap().articles;
    assert_eq!(articles.len(), 4);
    assert!(articles.iter().all(|article| article.body == BodyState::Read));
    assert!(!articles.iter().any(|article| article.url.path() == "/login"));
}

#[tokio::test]
async fn a_page_that_cannot_be_read_is_tried_again_and_then_missing() {
    let shop = Shop::new();
    let source = shop.add("https://a.example/").await;
    let id = shop.visit(source, 0, &["https://a.example/1"]).await.new[0];
    let failed = Outcome::Failed { kind: FailureKind::Timeout, detail: "slow".into() };
    for (retry, state) in [(Some(at(50)), BodyState::Waiting), (None, BodyState::Missing)] {
        let work = shop.lease_of(source, 1).await;
        let record = BodyRecord {
            read: None,
            page: None,
            outcome: failed.clone(),
            retry_at: retry,
            ..body_record(&work, id, "", None)
        };
        shop.store.record_body(record).await.unwrap();
        shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
        let detail = shop.store.article(id).await.unwrap();
        assert_eq!((detail.article.body, detail.body_outcome), (state, Some(failed.clone())));
    }
}

#[tokio::test]
async fn an_article_on_another_host_makes_that_host_due() {
    let shop = Shop::new();
    let source = shop.add("https://feeds.example/rss").await;
    shop.visit(source, 0, &["https://news.example/1"]).await;
    let leased = shop.lease(1).await;
    assert_eq!(
        leased.iter().map(|work| (work.name.as_str(), work.bodies.len())).collect::<Vec<_>>(),
        [("news.example", 1)]
    );
}

#[tokio::test]
async fn retention_forgets_the_old_keeps_the_starred_and_does_not_call_them_new_again() {
    let shop = Shop::new();
    let source = shop.add("https://a.example/").await;
    let old = shop.visit(source, 0, &["https://a.example/1", "https://a.example/2"]).await.new;
    shop.store.mark_articles(vec![old[0]], Marks { starred: Some(true), read: None }).await.unwrap();
    shop.visit(source, 1000, &["https://a.example/3"]).await;
    let keep = Retention {
        articles: Some(Duration::from_secs(500)),
        visits: Some(Duration::from_secs(500)),
        page_bytes: None,
        messages: None,
    };
    let removed = shop.store.enforce_retention(keep, at(1001)).await.unwrap();
    assert_eq!((removed.articles, removed.visits), (1, 1));
    assert_eq!(shop.store.articles_page(all()).await.unwrap().articles.len(), 2);
    let urls = ["https://a.example/1", "https://a.example/2", "https://a.example/3"];
    assert!(shop.visit(source, 1002, &urls).await.new.is_empty());
    assert!(shop.store.check_integrity().await.unwrap().is_empty());
}

#[tokio::test]
async fn stored_pages_stay_within_their_size() {
    let shop = Shop::new();
    let source = shop.add("https://a.example/").await;
    for n in 0..4 {
        let id = shop.visit(source, n, &[&format!("https://a.example/{n}")]).await.new[0];
        let noise: String = (0..1000_u64)
            .map(|i| char::from(b'a' + (i.wrapping_mul(i * 7 + n.cast_unsigned()) >> 3) as u8 % 26))
            .collect();
        read_body(&shop, source, id, &noise, None).await;
    }
    let keep = Retention { articles: None, visits: None, page_bytes: Some(1500), messages: None };
    let removed = shop.store.enforce_retention(keep, at(10)).await.unwrap();
    assert!((1..4).contains(&removed.pages), "{removed:?}");
    assert_eq!(shop.store.enforce_retention(keep, at(10)).await.unwrap().pages, 0);
}

#[tokio::test]
async fn messages_are_written_once_and_tokens_open_doors() {
    let shop = Shop::new();
    let message = store::Message {
        key: "late:1".into(),
        kind: "source_late".into(),
        payload: serde_json::json!({"source": 1}),
        created_at: at(0),
    };
    assert_eq!(shop.store.post_messages(vec![message.clone(), message.clone()]).await.unwrap(), 1);
    assert_eq!(shop.store.messages(10).await.unwrap(), [message]);

    let token = shop.store.add_token("ci".into(), at(0)).await.unwrap();
    assert!(shop.store.check_token(token.reveal(), at(1)).await.unwrap());
    assert!(!shop.store.check_token("rw_wrong", at(1)).await.unwrap());
    assert!(matches!(shop.store.add_token("ci".into(), at(0)).await, Err(StoreError::NameTaken { .. })));
    shop.store.remove_token("ci".into()).await.unwrap();
    assert!(!shop.store.check_token(token.reveal(), at(1)).await.unwrap());

    let login = shop.store.begin_login(at(0), at(100)).await.unwrap();
    assert!(shop.store.check_login(login.reveal(), at(99)).await.unwrap());
    assert!(!shop.store.check_login(login.reveal(), at(100)).await.unwrap());
    shop.store.end_login(Some(login.reveal())).await.unwrap();
    assert!(!shop.store.check_login(login.reveal(), at(1)).await.unwrap());
}

#[tokio::test]
async fn health_counts_and_names_what_is_late() {
    let shop = Shop::new();
    let (a, b) = (shop.add("https://a.example/").await, shop.add("https://b.example/").await);
    shop.visit(a, 0, &["https://a.example/1"]).await;
    let health = shop.store.health(at(-1), at(10)).await.unwrap();
    assert_eq!((health.sources, health.articles, health.unread, health.bodies_waiting), (2, 1, 1, 1));
    assert_eq!(health.late.iter().map(|late| late.id).collect::<Vec<_>>(), [b]);
    assert_eq!(
        (health.visits[0].outcome.as_str(), health.visits[0].visits, health.visits[0].new),
        ("new_content", 1, 1)
    );
}
