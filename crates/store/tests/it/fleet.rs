//! Several workers on the same data: presence, shares, and what becomes of what a worker held that is gone.

use crate::shop::{Shop, at, request};
use scheduling::Share;
use scheduling::market::Demand;
use std::time::{Duration, Instant};
use store::{ClockRate, Entered, Figures, GONE_AFTER, LeaseRequest, Roles, StoreError};

const DELAY: Duration = Duration::from_secs(2);

#[tokio::test]
async fn whoever_signs_on_is_known_with_what_it_tells_until_it_signs_off() {
    let shop = Shop::new();
    let roles = Roles { crawling: false, ..Roles::ALL };
    shop.store.sign_on("one", "harbour (12)", roles).await.unwrap();
    let demand = Demand { sources: 3, points: vec![(0.5, 7.0)] };
    let figures = Figures { visits: 7, ..Figures::default() };
    assert!(shop.store.renew("one", figures.clone(), Some(demand.clone())).await.unwrap());
    let known = shop.store.workers().await.unwrap();
    assert_eq!((known[0].label.as_str(), known[0].roles, known[0].gone), ("harbour (12)", roles, false));
    assert_eq!((&known[0].figures, &known[0].demand), (&figures, &Some(demand)));
    assert!(known[0].seen_at >= known[0].started_at);
    shop.store.sign_off("one", at(0), DELAY).await.unwrap();
    assert!(shop.store.workers().await.unwrap().is_empty());
    assert!(!shop.store.renew("one", figures, None).await.unwrap(), "gone is gone");
}

#[tokio::test]
async fn what_is_signed_off_is_free_at_a_distance_and_the_late_writer_is_refused() {
    let shop = Shop::new();
    shop.add("https://a.example/").await;
    shop.store.sign_on("worker", "one", Roles::ALL).await.unwrap();
    let held =
        shop.store.lease_due_hosts(LeaseRequest { owner: "worker".into(), ..request(0) }).await.unwrap();
    assert_eq!(shop.store.workers().await.unwrap()[0].hosts, 1);
    shop.store.sign_off("worker", at(10), DELAY).await.unwrap();
    let late = shop.store.release_host(held[0].lease.clone(), model::Manners::default(), false).await;
    assert!(matches!(late, Err(StoreError::Fenced)), "{late:?}");
    // Its last request may have been a moment ago.
    assert!(shop.lease(11).await.is_empty());
    assert_eq!(shop.lease(12).await[0].manners.not_before, Some(at(12)));
}

#[tokio::test]
async fn a_worker_that_is_present_is_not_taken_for_gone() {
    let shop = Shop::new();
    shop.store.sign_on("one", "one", Roles::ALL).await.unwrap();
    assert!(shop.store.free_gone("looking", at(0), DELAY).await.unwrap().is_empty());
    assert_eq!(shop.store.workers().await.unwrap().len(), 1);
    assert!(GONE_AFTER > store::ASKS_FOR, "a request on its way must be over before others ask");
}

#[tokio::test]
async fn a_worker_leases_the_hosts_of_its_share_only() {
    let shop = Shop::new();
    for n in 0..40 {
        shop.add(&format!("https://host{n}.example/")).await;
    }
    let names = ["one", "two", "three"];
    let mut seen = Vec::new();
    for name in names {
        let share = Share::of(name, &names);
        assert!(shop.store.next_due(&share).await.unwrap().is_some());
        let request = LeaseRequest { owner: name.into(), share: share.clone(), ..request(0) };
        let leased = shop.store.lease_due_hosts(request).await.unwrap();
        assert!(leased.iter().all(|work| share.holds(work.lease.host_id.0)));
        seen.extend(leased.into_iter().map(|work| work.lease.host_id.0));
        let awake = shop.store.awake_sources(&share).await.unwrap();
        assert!(!awake.is_empty() && awake.len() < 40);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 40, "every host is somebody's");
    assert_eq!(shop.store.next_due(&Share::none()).await.unwrap(), None);
}

#[tokio::test]
async fn what_nobody_has_in_hand_is_free_again_and_the_rest_is_not() {
    let shop = Shop::new();
    for n in 0..3 {
        shop.add(&format!("https://host{n}.example/")).await;
    }
    let leased = shop.lease(0).await;
    let (held, forgotten) = (leased[0].lease.clone(), leased[1].lease.clone());
    let free = |until: i64| {
        let held = vec![held.host_id, leased[2].lease.host_id];
        shop.store.free_forgotten("me", held, at(until), at(30), DELAY)
    };
    assert_eq!(free(299).await.unwrap(), 0, "what was leased a moment ago is on its way");
    assert_eq!(free(320).await.unwrap(), 1);
    let late = shop.store.release_host(forgotten, model::Manners::default(), false).await;
    assert!(matches!(late, Err(StoreError::Fenced)), "{late:?}");
    shop.store.release_host(held, model::Manners::default(), false).await.unwrap();
    assert_eq!(shop.lease(32).await.len(), 2, "after a pause");
}

#[tokio::test]
async fn a_host_that_a_redirect_leads_to_is_entered_by_one_worker() {
    let shop = Shop::new();
    let by = |owner: &str, now: i64| LeaseRequest { owner: owner.into(), ..request(now) };
    let entered =
        |owner: &'static str, now: i64| shop.store.enter_host("www.a.example".into(), by(owner, now));
    let Entered::Leased(work) = entered("one", 0).await.unwrap() else { panic!("it was free") };
    assert!(work.visits.is_empty(), "its own work is for its own turn");
    assert!(matches!(entered("one", 1).await.unwrap(), Entered::Ours));
    assert!(matches!(entered("two", 1).await.unwrap(), Entered::Held));
    shop.store.release_host(work.lease, model::Manners::default(), false).await.unwrap();
    assert!(matches!(entered("two", 2).await.unwrap(), Entered::Leased(_)));
}

#[tokio::test]
async fn the_databases_clock_is_read_closely() {
    let shop = Shop::new();
    let first = shop.store.database_time().await.unwrap();
    tokio::time::sleep(Duration::from_millis(30)).await;
    let second = shop.store.database_time().await.unwrap();
    let (shown, passed) = (second.at.duration_since(first.at), second.taken - first.taken);
    let apart = (shown.as_secs_f64() - passed.as_secs_f64()).abs();
    assert!(apart <= (first.within + second.within).as_secs_f64() + 0.002, "{apart} s apart");
    assert!(second.taken <= Instant::now());
    let rate = ClockRate { base: first.at, start: at(0), speed: 600.0 };
    shop.store.set_setting("clock", Some(&rate)).await.unwrap();
    assert_eq!(shop.store.setting::<ClockRate>("clock").await.unwrap(), Some(rate));
}
