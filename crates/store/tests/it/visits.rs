use crate::shop::{Shop, at, found, is_fenced, planned, visit_record};
use model::{BodyState, FailureKind, Manners, Outcome, RobotsRecord, RobotsVerdict, SourceKind};
use store::VisitRecord;

#[tokio::test]
async fn a_visit_stores_what_is_new_once_and_in_the_order_of_the_page() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let first =
        shop.visit(id, 0, &["https://a.example/2", "https://a.example/1", "https://a.example/1"]).await;
    assert_eq!(first.new.len(), 2);
    let again =
        shop.visit(id, 60, &["https://a.example/3", "https://a.example/2", "https://a.example/1"]).await;
    assert_eq!(again.new.len(), 1);
    let articles = shop.store.articles_page(crate::articles::all()).await.unwrap().articles;
    let paths: Vec<_> = articles.iter().map(|article| article.url.path()).collect();
    assert_eq!(paths, ["/3", "/2", "/1"], "newest first");
    let visits = shop.store.visits_of(id, 10).await.unwrap();
    assert_eq!(visits.iter().map(|visit| (visit.listed, visit.new)).collect::<Vec<_>>(), [(3, 1), (3, 2)]);
    let source = shop.store.source(id).await.unwrap();
    assert_eq!((source.state.articles, source.state.last_new_at), (3, Some(at(60))));
}

#[tokio::test]
async fn the_next_plan_knows_what_this_visit_saw() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease_of(id, 0).await;
    let articles = found(&["https://a.example/1", "https://a.example/2"]);
    let record = VisitRecord {
        articles,
        kind: Some(SourceKind::Feed),
        title: Some("A".into()),
        ..visit_record(&work, id, 0)
    };
    let recorded =
        shop.store.record_visit(record, |seen| planned(seen.news.len() as i64 * 100)).await.unwrap();
    assert_eq!(recorded.planned, Some(planned(200)));
    let source = shop.store.source(id).await.unwrap();
    assert_eq!((source.kind, source.title.as_deref()), (Some(SourceKind::Feed), Some("A")));
    assert_eq!((source.state.next_at, source.state.next_reason.as_str()), (Some(at(200)), "test"));
}

#[tokio::test]
async fn failures_count_up_and_success_resets_them() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let failed = Outcome::Failed { kind: FailureKind::Timeout, detail: "20 s".into() };
    for n in 1..=3 {
        let work = shop.lease_of(id, n).await;
        let record = VisitRecord { outcome: failed.clone(), ..visit_record(&work, id, n) };
        shop.store.record_visit(record, |_| planned(1)).await.unwrap();
        shop.store.release_host(work.lease, Manners::default(), true).await.unwrap();
    }
    let state = shop.store.source(id).await.unwrap().state;
    assert_eq!((state.failures, state.last_outcome, state.last_success_at), (3, Some(failed), None));
    shop.visit(id, 9, &[]).await;
    let state = shop.store.source(id).await.unwrap().state;
    assert_eq!((state.failures, state.last_success_at), (0, Some(at(9))));
}

#[tokio::test]
async fn an_article_on_many_sources_is_one_article() {
    let shop = Shop::new();
    let (a, b) = (shop.add("https://a.example/").await, shop.add("https://a.example/sport").await);
    shop.visit(a, 0, &["https://a.example/1"]).await;
    assert!(shop.visit(b, 5, &["https://a.example/1"]).await.new.is_empty());
    let article = shop.store.articles_page(crate::articles::all()).await.unwrap().articles.remove(0);
    let listed: Vec<_> =
        shop.store.article(article.id).await.unwrap().listed_by.iter().map(|by| by.source_id).collect();
    assert_eq!((article.source_id, listed), (Some(a), vec![a, b]));
}

#[tokio::test]
async fn a_refused_write_leaves_nothing() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease_of(id, 0).await;
    let mut late = visit_record(&work, id, 0);
    late.articles = found(&["https://a.example/1"]);
    // The lease runs out, somebody else takes the host.
    let other = shop.lease_of(id, 301).await;
    assert!(is_fenced(&shop.store.record_visit(late, |_| planned(1)).await));
    assert!(is_fenced(&shop.store.release_host(work.lease, Manners::default(), false).await));
    assert!(shop.store.visits_of(id, 10).await.unwrap().is_empty());
    assert!(shop.store.articles_page(crate::articles::all()).await.unwrap().articles.is_empty());
    shop.store.release_host(other.lease, Manners::default(), false).await.unwrap();
}

#[tokio::test]
async fn only_so_many_pages_are_read_after_a_visit_the_newest_first() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease_of(id, 0).await;
    let articles = found(&["https://a.example/new", "https://a.example/old", "https://a.example/older"]);
    let record = VisitRecord { articles, bodies: 1, ..visit_record(&work, id, 0) };
    shop.store.record_visit(record, |_| planned(1000)).await.unwrap();
    shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
    let articles = shop.store.articles_page(crate::articles::all()).await.unwrap().articles;
    let states: Vec<_> = articles.iter().map(|article| article.body).collect();
    assert_eq!(states, [BodyState::Waiting, BodyState::Missing, BodyState::Missing]);
    let due: Vec<_> = shop.lease(1).await[0].bodies.iter().map(|body| body.url.path().to_owned()).collect();
    assert_eq!(due, ["/new"]);
}

#[tokio::test]
async fn what_robots_txt_said_survives_a_restart() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease_of(id, 0).await;
    let said = RobotsRecord {
        origin: "https://a.example".into(),
        fetched_at: at(0),
        expires_at: at(86_400),
        verdict: RobotsVerdict::Rules("User-agent: *\nDisallow: /x".into()),
    };
    let record = VisitRecord { robots: vec![said.clone()], ..visit_record(&work, id, 0) };
    shop.store.record_visit(record, |_| planned(1)).await.unwrap();
    let shop = shop.reopened();
    shop.store.end_all_leases().await.unwrap();
    assert_eq!(shop.lease(1).await[0].robots, [said]);
}

#[tokio::test]
async fn a_fault_in_one_deed_is_one_failed_deed() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease_of(id, 0).await;
    let mut record = visit_record(&work, id, 0);
    record.articles = found(&["https://a.example/1"]);
    let failed = shop.store.record_visit(record, |_| panic!("a fault in a policy")).await;
    assert!(matches!(failed, Err(store::StoreError::Panicked)));
    shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
    assert_eq!(
        shop.visit(id, 1, &["https://a.example/1"]).await.new.len(),
        1,
        "nothing of the failed one stayed"
    );
}

#[tokio::test]
async fn a_selector_changed_during_a_visit_is_not_forgotten() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease_of(id, 0).await;
    let edit = store::SourceEdit { selector: Some("a.x".into()), ..store::SourceEdit::default() };
    shop.store.edit_source(id, edit, at(0)).await.unwrap();
    let validators = model::Validators { etag: Some("x".into()), ..model::Validators::default() };
    let record = VisitRecord { validators: Some(validators), ..visit_record(&work, id, 0) };
    shop.store.record_visit(record, |_| planned(60)).await.unwrap();
    assert_eq!(shop.store.source(id).await.unwrap().state.validators.etag, None, "it is read afresh");
}

#[tokio::test]
async fn a_thousand_visits_at_once_are_grouped_and_all_there() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease_of(id, 0).await;
    let visits: Vec<_> = (0..1000)
        .map(|n| {
            let articles = found(&[&format!("https://a.example/{n}")]);
            let record = VisitRecord { articles, ..visit_record(&work, id, n) };
            let store = shop.store.clone();
            tokio::spawn(async move { store.record_visit(record, move |_| planned(n)).await.unwrap() })
        })
        .collect();
    for visit in visits {
        assert_eq!(visit.await.unwrap().new.len(), 1);
    }
    let shop = shop.reopened();
    assert_eq!(shop.store.source(id).await.unwrap().state.articles, 1000);
    assert_eq!(shop.store.visits_of(id, 2000).await.unwrap().len(), 1000);
    assert!(shop.store.check_integrity().await.unwrap().is_empty());
}
