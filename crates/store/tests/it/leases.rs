use crate::shop::{Shop, at, planned, request};
use jiff::Timestamp;
use model::{Manners, PlannedVisit};
use proptest::prelude::*;
use std::collections::HashMap;
use std::time::Duration;
use store::LeaseRequest;

#[tokio::test]
async fn a_host_is_leased_to_one_at_a_time_with_all_its_due_work() {
    let shop = Shop::new();
    let (a, b) = (shop.add("https://a.example/").await, shop.add("https://a.example:8443/sport").await);
    let leased = shop.lease(0).await;
    assert_eq!(leased.len(), 1, "one host, whatever the port");
    assert_eq!(leased[0].visits.iter().map(|due| due.source.id).collect::<Vec<_>>(), [a, b]);
    assert!(shop.lease(1).await.is_empty());
    assert!(shop.store.lease_host("a.example".into(), request(1)).await.unwrap().is_none());
}

#[tokio::test]
async fn a_lease_that_ran_out_is_taken_over_at_a_distance() {
    let shop = Shop::new();
    shop.add("https://a.example/").await;
    let first = shop.lease(0).await.remove(0);
    assert_eq!(
        shop.store.next_due(&store::Share::all()).await.unwrap(),
        Some(at(300)),
        "wake up when it runs out"
    );
    let second = shop.lease(301).await.remove(0);
    assert!(second.lease.epoch > first.lease.epoch);
    // The first holder may have asked the host just before its lease ran out.
    assert_eq!(second.manners.not_before, Some(at(302)));
}

#[tokio::test]
async fn manners_survive_and_hold_work_back() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease(0).await.remove(0);
    let manners = Manners {
        own_delay: None,
        crawl_delay: Some(Duration::from_secs(9)),
        not_before: Some(at(500)),
        troubles: 3,
        last_trouble: Some(at(1)),
    };
    shop.store.release_host(work.lease, manners.clone(), true).await.unwrap();
    let shop = shop.reopened();
    assert!(shop.lease(499).await.is_empty());
    assert_eq!(shop.store.next_due(&store::Share::all()).await.unwrap(), Some(at(500)));
    let work = shop.lease(500).await.remove(0);
    assert_eq!((work.manners, work.slow), (manners, true));
    assert_eq!(work.visits[0].source.id, id);
}

#[tokio::test]
async fn slow_hosts_get_only_their_share() {
    let shop = Shop::new();
    for n in 0..10 {
        shop.add(&format!("https://slow{n}.example/")).await;
    }
    for work in shop.lease(0).await {
        shop.store.release_host(work.lease, Manners::default(), true).await.unwrap();
    }
    shop.add("https://fast.example/").await;
    let leased = shop.store.lease_due_hosts(LeaseRequest { slow_hosts: 3, ..request(1) }).await.unwrap();
    assert_eq!(leased.iter().filter(|work| work.slow).count(), 3);
    assert_eq!(leased.iter().filter(|work| !work.slow).count(), 1);
}

#[tokio::test]
async fn after_a_crash_everything_is_free_and_due_again() {
    let shop = Shop::new();
    shop.add("https://a.example/").await;
    let before = shop.lease(0).await.remove(0);
    let shop = shop.reopened();
    assert!(shop.lease(1).await.is_empty());
    assert_eq!(shop.store.end_all_leases().await.unwrap(), 1);
    let after = shop.lease(1).await.remove(0);
    assert!(after.lease.epoch > before.lease.epoch);
    assert_eq!(after.visits.len(), 1);
}

#[tokio::test]
async fn a_visit_may_give_its_host_back_in_the_same_deed() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease(0).await.remove(0);
    let manners = Manners { not_before: Some(at(70)), ..Manners::default() };
    let after = store::After::GiveBack { manners, slow: true };
    let record = store::VisitRecord { after, ..crate::shop::visit_record(&work, id, 0) };
    shop.store.record_visit(record, |_| planned(60)).await.unwrap();
    assert!(crate::shop::is_fenced(&shop.store.release_host(work.lease, Manners::default(), false).await));
    assert_eq!(shop.store.next_due(&store::Share::all()).await.unwrap(), Some(at(70)));
    assert!(shop.lease(70).await[0].slow);
}

#[tokio::test]
async fn manners_learned_by_a_redirect_never_shorten_a_pause() {
    let shop = Shop::new();
    shop.add("https://b.example/").await;
    let work = shop.lease(0).await.remove(0);
    let tomorrow = Manners {
        not_before: Some(at(86_400)),
        troubles: 4,
        last_trouble: Some(at(1)),
        ..Manners::default()
    };
    shop.store.release_host(work.lease, tomorrow, true).await.unwrap();
    let fresh = Manners { crawl_delay: Some(Duration::from_secs(7)), ..Manners::default() };
    shop.store.remember_manners(vec![("b.example".into(), fresh)]).await.unwrap();
    let (name, manners) = shop.store.wary_hosts(at(2)).await.unwrap().remove(0);
    assert_eq!((name.as_str(), manners.not_before, manners.troubles), ("b.example", Some(at(86_400)), 4));
    assert_eq!(manners.crawl_delay, Some(Duration::from_secs(7)));
}

#[tokio::test]
async fn a_host_that_asked_for_a_pause_gets_it_although_we_died_right_after() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    let work = shop.lease(0).await.remove(0);
    let manners = Manners { not_before: Some(at(900)), troubles: 1, ..Manners::default() };
    let record = store::VisitRecord {
        after: store::After::Keep(Some(manners)),
        ..crate::shop::visit_record(&work, id, 0)
    };
    shop.store.record_visit(record, |_| planned(1)).await.unwrap();
    let shop = shop.reopened();
    shop.store.end_all_leases().await.unwrap();
    assert!(shop.lease(899).await.is_empty());
    assert_eq!(shop.lease(900).await[0].manners.troubles, 1);
}

#[derive(Debug, Clone)]
enum Deed {
    Add(u8),
    Plan(u8, u16),
    Lease(u16),
    Release(u8, Option<u16>),
    Remove(u8),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        (0..12_u8).prop_map(Deed::Add),
        (0..12_u8, 0..1000_u16).prop_map(|(source, at)| Deed::Plan(source, at)),
        (0..1000_u16).prop_map(Deed::Lease),
        (0..4_u8, proptest::option::of(0..1000_u16)).prop_map(|(host, until)| Deed::Release(host, until)),
        (0..12_u8).prop_map(Deed::Remove),
    ];
    proptest::collection::vec(deed, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// The naive model: a host may be leased when nobody holds it and its earliest planned visit and its
    /// manners are both past. The store must lease exactly these hosts with exactly these sources.
    #[test]
    fn what_is_leased_is_what_a_naive_model_would_lease(deeds in deeds()) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            let shop = Shop::new();
            let mut ids: HashMap<u8, model::SourceId> = HashMap::new();
            let mut plan: HashMap<u8, i64> = HashMap::new();
            let mut not_before: HashMap<u8, i64> = HashMap::new();
            let mut held: HashMap<u8, store::Lease> = HashMap::new();
            let host = |source: u8| source % 4;
            for deed in deeds {
                match deed {
                    Deed::Add(source) if !ids.contains_key(&source) => {
                        ids.insert(source, shop.add(&format!("https://h{}.example/{source}", host(source))).await);
                        plan.insert(source, 0);
                    }
                    Deed::Plan(source, when) => if let Some(id) = ids.get(&source) {
                        let visit = PlannedVisit { at: at(when.into()), reason: "test".into() };
                        shop.store.visit_soon(*id, visit).await.unwrap();
                        plan.insert(source, when.into());
                    },
                    Deed::Lease(now) => {
                        let now = i64::from(now);
                        let mut request = request(now);
                        request.lease_until = Timestamp::MAX;
                        let mut expected: Vec<(u8, Vec<model::SourceId>)> = (0..4_u8).filter_map(|h| {
                            if held.contains_key(&h) || not_before.get(&h).is_some_and(|until| *until > now) { return None; }
                            let mut due: Vec<_> = plan.iter().filter(|(s, when)| host(**s) == h && **when <= now).map(|(s, _)| ids[s]).collect();
                            due.sort();
                            (!due.is_empty()).then_some((h, due))
                        }).collect();
                        expected.sort();
                        let mut leased = Vec::new();
                        for work in shop.store.lease_due_hosts(request).await.unwrap() {
                            let h: u8 = work.name[1..2].parse().unwrap();
                            let mut due: Vec<_> = work.visits.iter().map(|due| due.source.id).collect();
                            due.sort();
                            leased.push((h, due));
                            held.insert(h, work.lease);
                        }
                        leased.sort();
                        assert_eq!(leased, expected);
                    }
                    Deed::Release(h, until) => if let Some(lease) = held.remove(&h) {
                        let until = until.map(i64::from);
                        let manners = Manners { not_before: until.map(at), ..Manners::default() };
                        shop.store.release_host(lease, manners, false).await.unwrap();
                        not_before.remove(&h);
                        if let Some(until) = until { not_before.insert(h, until); }
                    },
                    Deed::Remove(source) => if let Some(id) = ids.remove(&source) {
                        shop.store.remove_source(id).await.unwrap();
                        plan.remove(&source);
                    },
                    Deed::Add(_) => {}
                }
            }
        });
    }
}

#[tokio::test]
async fn a_plan_in_the_future_is_not_due() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    shop.store.visit_soon(id, planned(100)).await.unwrap();
    assert!(shop.lease(99).await.is_empty());
    assert_eq!(shop.lease(100).await.len(), 1);
}
