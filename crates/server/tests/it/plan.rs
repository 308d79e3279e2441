//! The plan through the router: what comes next, budget and interests, what if.

use crate::newsroom::Newsroom;
use scheduling::PolicyName;
use serde_json::json;
use store::Budget;

#[tokio::test]
async fn the_plan_shows_what_comes_and_why() {
    let room = Newsroom::open().await;
    let mut person = room.world.person();
    let page = person.get("/plan").await.text;
    for words in [
        "Coming visits",
        "Harbour Times",
        "In two days",
        "Spent and planned",
        "72 visits a day",
        "24 a source, 3 sources",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let spending = room.world.get("/api/v1/planning/spending").await.json();
    assert_eq!((&spending["sources"], &spending["budget"]), (&json!(3), &json!(72.0)));
    // Every two hours three; those of a day ago may just have left the last 24 hours.
    assert!([33, 36].contains(&spending["spent"].as_u64().unwrap()), "{spending}");
}

#[tokio::test]
async fn budget_interests_and_policy_are_chosen_and_in_force_at_once() {
    let room = Newsroom::open().await;
    let mut person = room.world.person();
    let weight = format!("interest-{}", room.folder);
    let fields = [
        ("policy", "planner"),
        ("budget", "in-all"),
        ("visits", "12"),
        ("pace", "hourly"),
        ("visits_per_host_and_day", ""),
        ("interest-others", "0,5"),
        (&*weight, "5"),
    ];
    let saved = person.send("/plan/settings", "/plan/settings", &fields).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let choice = room.world.store.plan_choice().await.unwrap().unwrap();
    assert_eq!((choice.policy, choice.budget), (PolicyName::Planner, Budget::InAll(12.0)));
    assert_eq!(choice.interests.folders.get(&room.folder), Some(&5.0));
    let page = person.get("/plan/settings").await.text;
    assert!(page.contains("value=\"12\"") && page.contains("value=\"0.5\""), "{page}");
    // The planner has learned from the ten days there are, and planned all sources anew.
    room.world
        .until(|| async {
            let plan = room.world.store.plan(10).await.unwrap();
            plan.iter().all(|source| source.state.next_reason != "in two days")
        })
        .await;
    let source = room.sources[0];
    let outlook = room.world.get(&format!("/api/v1/sources/{source}/outlook")).await.json();
    assert_eq!(outlook["week"].as_array().unwrap().len(), 168, "{outlook}");
    assert!(outlook["points"].as_array().unwrap().len() > 10, "{outlook}");
    let page = person.get(&format!("/sources/{source}")).await.text;
    assert!(page.contains("When to visit") && page.contains("class=\"threshold\""), "{page}");

    for (name, bad) in [("visits", "0"), ("visits", "many"), ("policy", "psychic"), ("interest-others", "-1")]
    {
        let fields: Vec<_> =
            fields.iter().map(|(field, value)| (*field, if *field == name { bad } else { *value })).collect();
        let refused = person.send("/plan/settings", "/plan/settings", &fields).await;
        assert_eq!(refused.status, 422, "{name}={bad}: {}", refused.text);
    }
}

#[tokio::test]
async fn programs_choose_too() {
    let room = Newsroom::open().await;
    let world = &room.world;
    assert_eq!(world.get("/api/v1/planning").await.json()["policy"], "even");
    let wanted = "{\"policy\":\"sqrt\",\"visits_per_source_day\":6}";
    let set = world.json("PUT", "/api/v1/planning", wanted).await;
    assert_eq!((set.status.as_u16(), &set.json()["visits_per_source_day"]), (200, &json!(6.0)));
    let refused = world.json("PUT", "/api/v1/planning", "{\"policy\":\"plannner\"}").await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("planner"), "{}", refused.text);
    let both = "{\"policy\":\"even\",\"visits_per_source_day\":6,\"visits_per_day\":6}";
    assert_eq!(world.json("PUT", "/api/v1/planning", both).await.status, 422);
    assert_eq!(world.get("/api/v1/sources/999/outlook").await.status, 404);
}

#[tokio::test]
async fn what_if_replays_the_own_history_and_applies_with_one_click() {
    let room = Newsroom::open().await;
    let mut person = room.world.person();
    let asked = [("policy", "planner"), ("policy", "even"), ("budgets", "6 12")];
    assert_eq!(person.send("/plan/what-if", "/plan/what-if", &asked).await.status, 303);
    room.world
        .until(|| async { room.world.person().get("/plan/what-if").await.text.contains("In numbers") })
        .await;
    let page = person.get("/plan/what-if").await.text;
    for words in ["360 articles of 3 sources", "Planner", "Even", "Mean wait", "<polyline"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let applied =
        person.send("/plan/what-if", "/plan/apply", &[("policy", "planner"), ("visits", "12")]).await;
    assert_eq!(applied.header("location"), "/plan?done=planned");
    let choice = room.world.store.plan_choice().await.unwrap().unwrap();
    assert_eq!((choice.policy, choice.budget), (PolicyName::Planner, Budget::EachSource(12.0)));

    for bad in [
        [("policy", "even"), ("budgets", "0")],
        [("policy", "even"), ("budgets", "lots")],
        [("policy", "x"), ("budgets", "3")],
    ] {
        assert_eq!(person.send("/plan/what-if", "/plan/what-if", &bad).await.status, 422, "{bad:?}");
    }
}

#[tokio::test]
async fn what_if_says_what_is_missing() {
    let world = crate::world::World::open().await;
    let mut person = world.person();
    person.send("/plan/what-if", "/plan/what-if", &[("policy", "even"), ("budgets", "6")]).await;
    world
        .until(|| async { world.person().get("/plan/what-if").await.text.contains("cannot be said yet") })
        .await;
}
