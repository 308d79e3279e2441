use crate::shop::{Shop, at, new_source};
use std::time::Duration;
use store::{SourceEdit, SourceFilter, SourceOrder, StoreError};

#[tokio::test]
async fn a_duplicate_adds_nothing_at_all() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let both = vec![new_source("https://b.example/"), new_source("https://a.example/")];
    let error = shop.store.add_sources(both, at(0)).await.unwrap_err();
    assert!(matches!(error, StoreError::DuplicateSource { id: known, .. } if known == id), "{error}");
    assert_eq!(shop.store.sources_page(all()).await.unwrap().total, 1);
}

#[tokio::test]
async fn sources_are_listed_searched_and_paged() {
    let shop = Shop::new();
    for n in 0..25 {
        shop.add(&format!("https://site{n:02}.example/100%_news")).await;
    }
    let page = shop.store.sources_page(SourceFilter { offset: 20, limit: 10, ..all() }).await.unwrap();
    assert_eq!((page.sources.len(), page.total), (5, 25));
    let search = |text: &str| SourceFilter { search: Some(text.into()), ..all() };
    assert_eq!(shop.store.sources_page(search("site07")).await.unwrap().total, 1);
    assert_eq!(shop.store.sources_page(search("100%_")).await.unwrap().total, 25);
    assert_eq!(shop.store.sources_page(search("100__")).await.unwrap().total, 0, "no wildcard from the user");
}

#[tokio::test]
async fn pausing_takes_a_source_out_of_the_plan_and_resuming_brings_it_back() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let pause = |paused| SourceEdit { paused: Some(paused), ..SourceEdit::default() };
    let source = shop.store.edit_source(id, pause(true), at(1)).await.unwrap();
    assert_eq!(source.state.next_at, None);
    assert!(shop.lease(1000).await.is_empty());
    shop.store.edit_source(id, pause(false), at(5)).await.unwrap();
    assert_eq!(shop.lease(5).await[0].visits[0].source.id, id);
}

#[tokio::test]
async fn a_new_selector_makes_the_next_visit_read_the_page_afresh() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease_of(id, 0).await;
    let record = store::VisitRecord {
        validators: Some(model::Validators {
            etag: Some("x".into()),
            last_modified: None,
            content_hash: Some(1),
        }),
        ..crate::shop::visit_record(&work, id, 0)
    };
    shop.store.record_visit(record, |_| crate::shop::planned(60)).await.unwrap();
    shop.store.release_host(work.lease, model::Manners::default(), false).await.unwrap();
    assert_eq!(shop.store.source(id).await.unwrap().state.validators.etag.as_deref(), Some("x"));
    let edit = SourceEdit {
        selector: Some("a.x".into()),
        interval: Some(Some(Duration::from_mins(5))),
        ..SourceEdit::default()
    };
    let source = shop.store.edit_source(id, edit, at(1)).await.unwrap();
    assert_eq!(source.state.validators, model::Validators::default());
    assert_eq!((source.selector.as_deref(), source.interval), (Some("a.x"), Some(Duration::from_mins(5))));
}

#[tokio::test]
async fn removing_a_source_keeps_its_articles() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    shop.visit(id, 0, &["https://a.example/one"]).await;
    shop.store.remove_source(id).await.unwrap();
    assert!(matches!(shop.store.source(id).await, Err(StoreError::NotFound { .. })));
    let articles = shop.store.articles_page(crate::articles::all()).await.unwrap().articles;
    assert_eq!(
        (articles.len(), articles[0].source_id, articles[0].source_title.as_str()),
        (1, None, "a.example")
    );
}

#[tokio::test]
async fn the_plan_is_in_the_order_of_time() {
    let shop = Shop::new();
    let (a, b) = (shop.add("https://a.example/").await, shop.add("https://b.example/").await);
    shop.visit(a, 0, &[]).await;
    let plan = shop.store.plan(10).await.unwrap();
    assert_eq!(plan.iter().map(|source| source.id).collect::<Vec<_>>(), [b, a]);
}

fn all() -> SourceFilter {
    SourceFilter { limit: 100, order: SourceOrder::Title, ..SourceFilter::default() }
}
