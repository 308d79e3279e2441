//! Teaching by API and by plain form: what is refused, what is stored, what is taken back.

use crate::world::World;
use model::ArticleId;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// A world whose eight articles were read. Feed order: article 1 is the newest headline.
async fn taught_world() -> World {
    let world = World::open().await;
    world.published.store(8, Ordering::Relaxed);
    world.watch("/feed.xml").await;
    world.all_read().await;
    world
}

/// The article whose headline begins so.
pub(crate) async fn article(world: &World, headline: &str) -> i64 {
    let all = world.get("/api/v1/articles?limit=100").await.json();
    let all = all.as_array().unwrap().iter();
    let mut found = all.filter(|article| article["title"].as_str().unwrap().starts_with(headline));
    found.next().unwrap_or_else(|| panic!("no article begins “{headline}”"))["id"].as_i64().unwrap()
}

async fn teach(world: &World, id: i64, body: &Value) -> crate::client::Answer {
    world.json("POST", &format!("/api/v1/articles/{id}/teach"), &body.to_string()).await
}

fn has(word: &str) -> Value {
    json!({ "field": "title", "has": word, "mode": "exact" })
}

async fn folders(world: &World, id: i64) -> Value {
    world.get(&format!("/api/v1/articles/{id}/filing")).await.json()["folders"].take()
}

async fn rules(world: &World) -> usize {
    world.store.knowledge(|base| base.tree().rules().len()).await.unwrap()
}

#[tokio::test]
async fn a_root_rule_a_refinement_and_a_stop() {
    let world = taught_world().await;
    let [ferry, library, museum] =
        [article(&world, "Ferry").await, article(&world, "Town").await, article(&world, "Museum").await];
    // Root: everything that opens.
    let body =
        json!({ "correction": { "add": "Transport/Sea" }, "condition": [has("opens")], "note": "ships" });
    let seen = teach(&world, ferry, &body).await;
    assert_eq!(seen.status, 200, "{}", seen.text);
    let seen = seen.json();
    assert_eq!(seen["expected"], json!(["Transport/Sea"]));
    assert_eq!(seen["effect"]["folders"], json!([{ "folder": "Transport/Sea", "gain": 1, "lose": 0 }]));
    assert_eq!(seen["committed"], Value::Null);
    assert_eq!(rules(&world).await, 0, "a preview stores nothing");
    assert_eq!(world.store.knowledge(|base| base.folders().list().len()).await.unwrap(), 0);
    let mut commit = body;
    commit["commit"] = json!(true);
    let taught = teach(&world, ferry, &commit).await.json();
    assert_eq!(taught["committed"]["rules"], json!([1]));
    assert_eq!(folders(&world, ferry).await, json!(["Transport/Sea"]));
    let why = world.get(&format!("/api/v1/articles/{ferry}/filing")).await.json();
    assert_eq!(why["reasons"][0]["path"][0]["condition"], json!(["title has “opens”"]));
    assert_eq!(why["reasons"][0]["path"][0]["author"], "web");
    assert_eq!(why["reasons"][0]["path"][0]["note"], "ships");

    // Refinement: what was caught by too wide a rule moves on.
    let wide = json!({ "correction": { "add": "Town" }, "condition": [{ "field": "title", "has": "its" }], "commit": true });
    assert_eq!(teach(&world, library, &wide).await.status, 200);
    let wide = json!({ "correction": { "add": "Town" }, "condition": [{ "field": "body", "has": "debate" }],
        "accepted": [1, 2], "commit": true });
    assert_eq!(teach(&world, museum, &wide).await.status, 200);
    assert_eq!(folders(&world, museum).await, json!(["Town"]));
    let refine = json!({ "correction": { "replace": { "from": "Town", "to": "Culture" } },
        "condition": [has("museum")], "commit": true });
    assert_eq!(teach(&world, museum, &refine).await.status, 200);
    assert_eq!(folders(&world, museum).await, json!(["Culture"]));

    // Stop: out, and nowhere instead.
    let herring = article(&world, "Fishing").await;
    let stop = json!({ "correction": { "remove": "Town" }, "condition": [has("herring")], "commit": true });
    let stopped = teach(&world, herring, &stop).await;
    assert_eq!(stopped.status, 200, "{}", stopped.text);
    assert_eq!(folders(&world, herring).await, json!([]));

    // Undo gives back what was.
    let undone = world.json("POST", "/api/v1/lessons/undo", "{}").await;
    assert_eq!(undone.json()["rules"].as_array().unwrap().len(), 1);
    assert_eq!(folders(&world, herring).await, json!(["Town"]));
    let stale = world.json("POST", "/api/v1/lessons/undo", r#"{"version":1}"#).await;
    assert_eq!(stale.status, 409, "{}", stale.text);
}

#[tokio::test]
async fn a_conflict_is_refused_then_resolved_or_accepted() {
    let world = taught_world().await;
    let [ferry, tram] = [article(&world, "Ferry").await, article(&world, "Tram").await];
    let first = json!({ "correction": { "add": "Sea" }, "condition": [has("ferry")], "commit": true });
    assert_eq!(teach(&world, ferry, &first).await.status, 200);
    // The same debate is in every story: the ferry would move.
    let debate = json!({ "field": "body", "has": "debate" });
    let mut body = json!({ "correction": { "add": "Rail" }, "condition": [debate], "commit": true });
    let refused = teach(&world, tram, &body).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    assert_eq!(rules(&world).await, 1);
    body["commit"] = json!(false);
    body["propose"] = json!("fix");
    let seen = teach(&world, tram, &body).await.json();
    assert_eq!((&seen["conflicts_total"], &seen["conflicts_open"]), (&json!(1), &json!(1)));
    assert_eq!(seen["conflicts"][0]["before"], json!(["Sea"]));
    assert_eq!(seen["conflicts"][0]["after"], json!(["Rail", "Sea"]));
    assert_eq!(seen["suggestions"][0]["excludes"], 1);
    let fix = seen["fix"]["add"].as_array().unwrap().clone();
    assert_eq!(fix.len(), 1);

    // A proposal is to be looked at first.
    body["commit"] = json!(true);
    assert_eq!(teach(&world, tram, &body).await.status, 422);
    body["propose"] = json!("nothing");

    // Accepted, it is recorded.
    let mut accepted = body.clone();
    (accepted["accepted"], accepted["commit"]) = (json!([seen["conflicts"][0]["cornerstone"]]), json!(true));
    assert_eq!(teach(&world, tram, &accepted).await.status, 200);
    assert_eq!(folders(&world, ferry).await, json!(["Rail", "Sea"]));
    world.json("POST", "/api/v1/lessons/undo", "{}").await;
    assert_eq!(folders(&world, ferry).await, json!(["Sea"]));

    // Or resolved by what was proposed.
    body["condition"].as_array_mut().unwrap().extend(fix);
    body["commit"] = json!(true);
    assert_eq!(teach(&world, tram, &body).await.status, 200);
    assert_eq!(folders(&world, ferry).await, json!(["Sea"]));
    assert_eq!(folders(&world, tram).await, json!(["Rail"]));
}

#[tokio::test]
async fn ticked_articles_refine_the_rule_or_are_stopped() {
    let world = taught_world().await;
    let [ferry, tram] = [article(&world, "Ferry").await, article(&world, "Tram").await];
    let debate = json!({ "field": "body", "has": "debate" });
    let body = json!({ "correction": { "add": "Council" }, "condition": [debate], "unwanted": [tram], "propose": "stops" });
    let seen = teach(&world, ferry, &body).await.json();
    assert_eq!(seen["stops"].as_array().unwrap().len(), 1, "{seen}");
    let mut commit = body.clone();
    (commit["propose"], commit["commit"]) = (json!("nothing"), json!(true));
    let still = teach(&world, ferry, &commit).await;
    assert_eq!(still.status, 409, "what was ticked would be filed: {}", still.text);
    commit["stops"] = json!([[{ "field": "body", "lacks": "debate" }]]);
    assert_eq!(teach(&world, ferry, &commit).await.status, 422, "a stop that never fires");
    assert_eq!(rules(&world).await, 0);
    commit["stops"] = seen["stops"].clone();
    assert_eq!(teach(&world, ferry, &commit).await.json()["committed"]["rules"], json!([1, 2]));
    assert_eq!(folders(&world, tram).await, json!([]));
    assert_eq!(folders(&world, ferry).await, json!(["Council"]));
    world.json("POST", "/api/v1/lessons/undo", "").await;
    world.json("POST", "/api/v1/lessons/undo", "{}").await;
    let mut refined = body;
    refined["propose"] = json!("fix");
    let seen = teach(&world, ferry, &refined).await.json();
    assert!(!seen["fix"]["add"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn what_cannot_be_taught_says_why_and_stores_nothing() {
    let world = taught_world().await;
    let ferry = article(&world, "Ferry").await;
    let long = "x".repeat(1 << 20);
    let add = json!({ "add": "Sea" });
    let cases = [
        (json!({ "correction": add, "condition": [], "commit": true }), 422, "pick at least one word"),
        (
            json!({ "correction": add, "condition": [has("herring")], "commit": true }),
            422,
            "does not have it",
        ),
        (json!({ "correction": add, "condition": [has("🎉")], "commit": true }), 422, "holds no word"),
        (json!({ "correction": add, "condition": [has("a\0b")], "commit": true }), 422, "2 words"),
        (json!({ "correction": add, "condition": [has(&long)], "commit": true }), 422, "too long"),
        (json!({ "correction": { "remove": "Nowhere" }, "condition": [has("ferry")] }), 404, "no folder"),
        (json!({ "correction": { "add": "a//b" }, "condition": [has("ferry")] }), 422, "no name"),
        (json!({ "correction": { "add": "" }, "condition": [has("ferry")] }), 422, "no name"),
        (json!({ "correction": add, "condition": [has("ferry")], "place": 77 }), 422, "does not fire"),
        (json!({ "correction": add, "condition": [{ "field": "smell", "has": "x" }] }), 422, "field"),
        (json!({ "correction": { "burn": "Sea" }, "condition": [] }), 400, "burn"),
        (json!({ "correction": add, "condition": [has("ferry")], "wish": 1 }), 400, "wish"),
        (json!({ "correction": add, "condition": [has("ferry")], "stops": [[]] }), 422, "at least one word"),
        (
            json!({ "correction": add, "condition": [has("ferry")], "note": "n".repeat(3000), "commit": true }),
            422,
            "note",
        ),
    ];
    for (body, status, said) in cases {
        let answer = teach(&world, ferry, &body).await;
        let shown: String = body.to_string().chars().take(200).collect();
        assert_eq!(answer.status, status, "{shown}: {}", answer.text);
        assert!(answer.text.contains(said), "{shown}: {}", answer.text);
        assert!(answer.text.len() < 1000, "{}", answer.text.len());
    }
    assert_eq!(teach(&world, 999, &json!({ "correction": add, "condition": [] })).await.status, 404);
    assert_eq!(world.get("/api/v1/articles/999/filing").await.status, 404);
    assert_eq!(world.json("POST", "/api/v1/lessons/undo", "{}").await.status, 404);
    assert_eq!(rules(&world).await, 0);
    assert_eq!(world.store.knowledge(|base| base.folders().list().len()).await.unwrap(), 0);
}

#[tokio::test]
async fn without_a_script_a_plain_form_teaches() {
    let world = taught_world().await;
    let [ferry, tram] = [article(&world, "Ferry").await, article(&world, "Tram").await];
    let page = format!("/articles/{ferry}/teach");
    let mut person = world.person();
    let shown = person.get(&page).await;
    assert_eq!(shown.status, 200);
    assert!(shown.text.contains("data-w=\"ferry\"") && shown.text.contains("Where does it belong?"));
    assert!(world.get(&format!("/articles/{ferry}")).await.text.contains(&format!("href=\"{page}\"")));
    let row = [("field", "body"), ("polarity", "has"), ("word", "debate"), ("mode", "")];
    let form = |deed: &'static str, to: &'static str| {
        let mut form = vec![("wrong", "add"), ("to", to), ("note", "by hand"), ("deed", deed)];
        form.extend(row);
        form
    };
    let seen = person.send(&page, &page, &form("preview", "Sea/Ships")).await;
    assert_eq!(seen.status, 200);
    assert!(seen.text.contains("8 stored articles change: 8 gain Sea/Ships"), "{}", seen.text);
    assert!(seen.text.contains("new folder"));
    let done = person.send(&page, &page, &form("commit", "Sea/Ships")).await;
    assert_eq!(done.status, 303, "{}", done.text);
    let there = done.header("location").to_owned();
    assert!(there.starts_with(&format!("/articles/{ferry}?taught=")), "{there}");
    assert!(person.get(&there).await.text.contains("Undo"));
    assert_eq!(folders(&world, ferry).await, json!(["Sea/Ships"]));

    // A conflict comes back with everything that was typed, and nothing is stored.
    let other = format!("/articles/{tram}/teach");
    let refused = person.send(&other, &other, &form("commit", "Rail")).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("earlier decision") && refused.text.contains("value=\"by hand\""));
    assert_eq!(rules(&world).await, 1);
    let version = there.rsplit('=').next().unwrap();
    let undone = person.send(&page, "/lessons/undo", &[("version", version), ("back", &page)]).await;
    assert_eq!(undone.header("location"), format!("{page}?undone=1"));
    assert_eq!(rules(&world).await, 0);
    for odd in ["{", "[{\"field\":7}]"] {
        let answer = person.send(&page, &page, &[("wrong", "add"), ("to", "Sea"), ("stop", odd)]).await;
        assert_eq!(answer.status, 400, "{}", answer.text);
    }
}

#[tokio::test]
async fn committing_goes_on_to_the_next_unfiled_article() {
    let world = taught_world().await;
    let ferry = article(&world, "Ferry").await;
    let page = format!("/articles/{ferry}/teach");
    let mut person = world.person();
    let form = [
        ("wrong", "add"),
        ("to", "Sea"),
        ("field", "title"),
        ("polarity", "has"),
        ("word", "ferry"),
        ("mode", "exact"),
        ("deed", "commit_next"),
    ];
    let done = person.send(&page, &page, &form).await;
    let there = done.header("location").to_owned();
    assert!(there.contains("/teach?taught="), "{there}");
    let next: i64 = there.split('/').nth(2).unwrap().parse().unwrap();
    assert_ne!(next, ferry);
    assert!(world.store.article(ArticleId(next)).await.is_ok());
    assert!(person.get(&there).await.text.contains("id=\"undo\""));
}
