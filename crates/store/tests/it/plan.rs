//! Plans: what a policy learns from, plans that change without a visit, what was spent, budgets of hosts.

use crate::shop::{Shop, at, planned, visit_record};
use model::Manners;
use scheduling::{Interests, Pace, PolicyName};
use std::time::Duration;
use store::{Budget, PlanChoice, PlanRules, VisitRecord};

#[tokio::test]
async fn a_policy_learns_what_each_source_brought_and_when_it_was_last_seen() {
    let shop = Shop::new();
    let (a, b) = (shop.add("https://a.example/").await, shop.add("https://b.example/").await);
    shop.visit(a, 100, &["https://a.example/1", "https://a.example/2"]).await;
    shop.visit(a, 200, &["https://a.example/3"]).await;
    let pasts = shop.store.pasts(at(-1000), None).await.unwrap();
    assert_eq!(pasts.len(), 2);
    let of = |id| pasts.iter().find(|past| past.source.id == id).unwrap();
    assert_eq!(of(a).news.len(), 3);
    assert_eq!(of(a).last_success_at, Some(at(200)));
    assert!(of(b).news.is_empty() && of(b).last_success_at.is_none());
    assert_eq!(shop.store.pasts(at(150), None).await.unwrap()[0].news.len(), 1, "what is older is left out");
}

#[tokio::test]
async fn plans_change_without_a_visit_but_not_first_visits_or_paused_sources() {
    let shop = Shop::new();
    let ids = [
        shop.add("https://a.example/").await,
        shop.add("https://b.example/").await,
        shop.add("https://c.example/").await,
    ];
    shop.visit(ids[0], 100, &[]).await;
    shop.visit(ids[1], 100, &[]).await;
    let pause = store::SourceEdit { paused: Some(true), ..store::SourceEdit::default() };
    shop.store.edit_source(ids[1], pause, at(110)).await.unwrap();
    let plans = ids.iter().map(|id| (*id, planned(5000))).collect();
    assert_eq!(shop.store.plan_visits(plans, at(120), PlanRules::default()).await.unwrap(), 1);
    let next = |id| {
        let store = shop.store.clone();
        async move { store.source(id).await.unwrap().state.next_at }
    };
    assert_eq!(next(ids[0]).await, Some(at(5000)));
    assert_eq!(next(ids[1]).await, None, "paused");
    assert_eq!(next(ids[2]).await, Some(at(0)), "a first visit is due at once");
    let due = shop.lease(4000).await;
    assert!(due.iter().all(|work| work.name != "a.example"), "its host is not due before");
}

#[tokio::test]
async fn a_hosts_budget_is_shared_by_its_sources() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/1").await;
    shop.add("https://a.example/2").await;
    let work = shop.lease_of(id, 100).await;
    let rules = PlanRules { visits_per_host_and_day: Some(24), keeps_timers: true };
    let record = VisitRecord { rules, ..visit_record(&work, id, 100) };
    let recorded = shop.store.record_visit(record, |_| planned(160)).await.unwrap();
    shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
    let next = recorded.planned.unwrap();
    assert_eq!(next.at, at(100 + 2 * 3600), "two sources, 24 visits a day");
    assert!(next.reason.contains("24 visits a day"), "{}", next.reason);
}

#[tokio::test]
async fn tells_what_was_spent_and_what_was_published() {
    let shop = Shop::new();
    let id = shop.add("https://a.example/").await;
    shop.visit(id, 100, &["https://a.example/1"]).await;
    shop.visit(id, 200, &["https://a.example/1", "https://a.example/2"]).await;
    let hours = shop.store.hours_spent(at(0)).await.unwrap();
    assert_eq!(hours.iter().map(|hour| hour.visits).sum::<u32>(), 2);
    assert_eq!(hours.iter().map(|hour| hour.new).sum::<u32>(), 2);
    assert_eq!(shop.store.visits_since(at(150)).await.unwrap(), 1);
    let history = shop.store.history(at(0)).await.unwrap();
    let told: Vec<_> = history.iter().map(|dated| (dated.url.as_str(), dated.at)).collect();
    assert_eq!(told, [("https://a.example/1", at(100)), ("https://a.example/2", at(200))]);
    assert_eq!(history[0].source, "https://a.example/");
}

#[tokio::test]
async fn a_choice_is_kept() {
    let shop = Shop::new();
    assert_eq!(shop.store.plan_choice().await.unwrap(), None);
    let mut choice = PlanChoice {
        policy: PolicyName::Sqrt,
        budget: Budget::InAll(120.0),
        pace: Pace::Hourly,
        visits_per_host_and_day: Some(10),
        interests: Interests { others: 0.0, ..Interests::default() },
    };
    choice.interests.folders.insert(model::FolderId(3), 5.0);
    shop.store.set_plan_choice(&choice).await.unwrap();
    assert_eq!(shop.reopened().store.plan_choice().await.unwrap(), Some(choice.clone()));
    assert!((choice.visits_per_source_day(Duration::from_mins(30), 60) - 2.0).abs() < 1e-9);
}

#[test]
fn says_what_is_wrong_with_a_choice() {
    let wrong = |budget| PlanChoice { budget, ..PlanChoice::default() }.problem();
    for budget in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(wrong(Budget::InAll(budget)).is_some(), "{budget}");
    }
    assert!(wrong(Budget::EachSource(1000.0)).unwrap().contains("rude"));
    assert_eq!(wrong(Budget::EachSource(48.0)), None);
    let nothing = Interests { others: 0.0, ..Interests::default() };
    let idle = PlanChoice { interests: nothing, ..PlanChoice::default() };
    assert!(idle.problem().unwrap().contains("of interest"));
}
