//! Rules: the tree, one of them, retiring, lessons; why an article is where it is; the review queue.

use crate::school::{find, has, refiled, rule_on, taught, teach};
use crate::world::World;
use knowledge::{Correction, Field};
use std::sync::atomic::Ordering;

#[tokio::test]
async fn an_article_says_where_it_is_and_why() {
    let (world, ferry, sea) = taught().await;
    let page = world.get(&format!("/articles/{ferry}")).await.text;
    for said in [
        "<mark>Ferry</mark> timetable",
        "Travel/Sea",
        "href=\"/rules/1\"",
        "“ferry”",
        "by anna",
        &format!("/articles/{ferry}/teach"),
        "Filed right",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    teach(&world, ferry, Correction::Remove(sea), vec![has(Field::Body, "turning point")]).await;
    let page = world.get(&format!("/articles/{ferry}")).await.text;
    assert!(page.contains("Kept out") && page.contains("stopped"), "{page}");
    assert!(page.contains("<mark>turning</mark> <mark>point</mark>"), "{page}");
    assert!(page.contains("File it…") && !page.contains("Filed right"), "{page}");
    let unfiled = find(&world, "lighthouse").await;
    assert!(
        world.get(&format!("/articles/{unfiled}")).await.text.contains("No folder: no rule knows it yet")
    );
}

#[tokio::test]
async fn a_filing_is_confirmed() {
    let (world, ferry, _) = taught().await;
    let mut person = world.person();
    let page = format!("/articles/{ferry}");
    let action = format!("{page}/confirm");
    let confirmed = person.send(&page, &action, &[("back", "/review")]).await;
    assert_eq!(confirmed.header("location"), "/review?done=confirmed");
    assert!(person.get(&page).await.text.contains("You said this is right"));
    assert_eq!(world.get("/api/v1/rules/1").await.json()["usage"]["confirmed"], 1);
    assert_eq!(person.send("/", "/articles/999/confirm", &[]).await.status, 404);
}

#[tokio::test]
async fn the_tree_of_rules_is_shown_and_searched() {
    let (world, ferry, sea) = taught().await;
    teach(&world, ferry, Correction::Remove(sea), vec![has(Field::Body, "winter")]).await;
    let page = world.get("/rules").await.text;
    for said in ["id=\"rule-1\"", "“ferry”", "“winter”", "stop", "corrected once", "its cornerstone"]
    {
        assert!(page.contains(said), "{said}: {page}");
    }
    for (search, found) in [
        ("ferry", true),
        ("FERRY", true),
        ("travel", true),
        ("2", true),
        ("zeppelin", false),
        ("%22%3E", false),
    ] {
        let page = world.get(&format!("/rules?search={search}")).await.text;
        assert_eq!(!page.contains("No rule matches"), found, "{search}");
    }
    assert!(world.get(&format!("/rules?folder={sea}")).await.text.contains("Rules that file into"));
    assert!(world.get("/rules?order=used&page=1").await.text.contains("rule-1"));
    assert!(world.get("/rules?page=99").await.text.contains("No rule matches"));
    let list = world.get("/api/v1/rules?limit=1").await;
    assert_eq!((list.header("x-total-count"), list.json()[0]["if"][0]["has"].as_str()), ("2", Some("ferry")));
    let next = list.header("link").trim_start_matches('<').split('>').next().unwrap().to_owned();
    assert_eq!(world.get(&next).await.json()[0]["folder"], serde_json::Value::Null);
    assert_eq!(world.get("/api/v1/rules?parent=1").await.json()[0]["id"], 2);
    assert_eq!(world.get("/api/v1/rules?sauce=1").await.status, 400);
}

#[tokio::test]
async fn many_rules_come_when_they_are_unfolded() {
    let (world, _, _) = taught().await;
    let text = (0..300).fold("if title has \"harbour\" then News [100]\n".to_owned(), |text, n| {
        text + &format!("    if body has \"word{n}\" then stop [{}]\n", 200 + n)
    });
    let import = move |base: &knowledge::Base| {
        let file = knowledge::Interchange::parse(&text).unwrap();
        let import = file.import(base, knowledge::ImportOptions::default()).unwrap();
        Ok((import.folders, import.lesson))
    };
    world.store.learn_with_folders(None, jiff::Timestamp::now(), import).await.unwrap();
    let page = world.get("/rules").await.text;
    assert!(page.contains("data-fetch=\"/rules/") && !page.contains("word7"), "{page}");
    assert!(page.len() < 60_000, "{} bytes", page.len());
    let (_, after) = page.split_once("data-fetch=\"").unwrap();
    let inner = world.get(after.split('"').next().unwrap()).await.text;
    assert!(inner.contains("id=\"exceptions\"") && inner.contains("word7"), "{inner}");
}

#[tokio::test]
async fn a_rule_has_a_page_of_its_own() {
    let (world, ferry, sea) = taught().await;
    teach(&world, ferry, Correction::Remove(sea), vec![has(Field::Body, "winter")]).await;
    let page = world.get("/rules/2").await.text;
    for said in
        ["but if", "Its cornerstone", "As it was then", "Articles it decides", "Ferry timetable", "no folder"]
    {
        assert!(page.to_lowercase().contains(&said.to_lowercase()), "{said}: {page}");
    }
    assert!(world.get("/rules/1").await.text.contains("Exceptions under it"));
    let rule = world.get("/api/v1/rules/2").await.json();
    assert_eq!((&rule["path"][0]["id"], &rule["usage"]["concluded"]), (&1.into(), &1.into()));
    assert_eq!(world.get("/rules/99").await.status, 404);
    assert_eq!(world.get("/rules/x").await.status, 404);
    assert_eq!(world.get("/api/v1/rules/99").await.status, 404);
}

#[tokio::test]
async fn a_rule_is_retired_once_its_changes_are_accepted() {
    let (world, ferry, _) = taught().await;
    let mut person = world.person();
    let asked = person.get("/rules/1/retire").await;
    assert!(asked.text.contains("1 cornerstone would be filed elsewhere"), "{}", asked.text);
    let refused = person.send("/rules/1/retire", "/rules/1/retire", &[]).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("would change"), "{}", refused.text);
    let by_program = world.json("POST", "/api/v1/rules/1/retire", "{}").await;
    assert_eq!(by_program.status, 409);
    assert!(by_program.json()["hint"].as_str().unwrap().contains("accept 1"), "{}", by_program.text);
    let done = person.send("/rules/1/retire", "/rules/1/retire", &[("accept", "1")]).await;
    assert_eq!(done.header("location"), "/rules/1?done=retired");
    refiled(&world).await;
    assert_eq!(
        world.get(&format!("/api/v1/articles/{ferry}")).await.json()["folders"],
        serde_json::json!([])
    );
    let again = world.json("POST", "/api/v1/rules/1/retire", "{}").await;
    assert_eq!(again.status, 409);
    assert!(again.text.contains("out of service already"), "{}", again.text);
    assert_eq!(person.send("/folders", "/rules/99/retire", &[]).await.status, 404);
    assert_eq!(person.get("/rules/99/retire").await.status, 404);
}

#[tokio::test]
async fn lessons_are_listed_and_the_last_is_undone() {
    let (world, ferry, _) = taught().await;
    let mut person = world.person();
    let page = person.get("/rules/lessons").await.text;
    assert!(page.contains("Anna") && page.contains("Undo") && page.contains("“ferry”"), "{page}");
    let version = world.get("/api/v1/lessons").await.json()[0]["version"].to_string();
    let late = person.send("/rules/lessons", "/rules/undo", &[("version", "0")]).await;
    assert_eq!(late.status, 409);
    assert!(late.text.contains("no longer the last lesson"), "{}", late.text);
    let back = [("version", version.as_str()), ("back", "/rules/lessons")];
    let undone = person.send("/rules/lessons", "/rules/undo", &back).await;
    assert_eq!(undone.header("location"), "/rules/lessons?done=undone");
    refiled(&world).await;
    assert_eq!(
        world.get(&format!("/api/v1/articles/{ferry}")).await.json()["folders"],
        serde_json::json!([])
    );
    assert!(world.get("/api/v1/lessons").await.json()[0]["undone_at"].is_string());
    assert_eq!(person.send("/rules/lessons", "/rules/undo", &back).await.status, 404);
}

#[tokio::test]
async fn the_base_is_checked_reported_and_taken_along() {
    let (world, _, _) = taught().await;
    let mut person = world.person();
    let checked = person.send("/rules/lessons", "/rules/check", &[]).await.text;
    assert!(checked.contains("The one cornerstone holds."), "{checked}");
    let by_program = world.get("/api/v1/cornerstones/check").await.json();
    assert_eq!((&by_program["cornerstones"], &by_program["hold"]), (&1.into(), &true.into()));
    let report = world.get("/rules/report").await.text;
    assert!(report.contains("Every rule can fire"), "{report}");
    assert_eq!(world.get("/api/v1/rules/statistics").await.json()["root_rules"], 1);
    assert_eq!(world.get("/api/v1/rules/report").await.json()["unreachable"], serde_json::json!([]));
    let lines = world.get("/rules.jsonl").await;
    assert!(lines.text.contains("\"has\":\"ferry\""), "{}", lines.text);
    assert!(lines.header("content-disposition").contains("attachment"));
    assert_eq!(world.get("/api/v1/rules/export").await.text, lines.text);
    let text = world.get("/rules.txt").await.text;
    assert_eq!(knowledge::Interchange::parse(&text).unwrap().rules.len(), 1);
}

#[tokio::test]
async fn empty_pages_about_rules_say_what_to_do() {
    let world = World::open().await;
    for (path, said) in [
        ("/rules", "No rules yet"),
        ("/rules/lessons", "Nothing was taught yet"),
        ("/rules/report", "Every rule can fire"),
        ("/review", "Nothing is filed yet"),
        ("/?folder=unfiled", "Nothing is unfiled"),
    ] {
        world.until(|| async { world.get(path).await.text.contains(said) }).await;
    }
}

#[tokio::test]
async fn an_article_with_words_of_another_folder_is_to_be_reviewed() {
    let (world, _, sea) = taught().await;
    world.published.store(8, Ordering::Relaxed);
    let visited = world.json("POST", "/api/v1/sources/1/visit", "").await;
    assert_eq!(visited.status, 202);
    world.until(|| async { world.get("/api/v1/articles").await.json().as_array().unwrap().len() == 8 }).await;
    world.all_read().await;
    // Every story speaks of the winter; the last of them is the only one about a library.
    let council = find(&world, "council votes").await;
    teach(&world, council, Correction::Add(sea), vec![has(Field::Body, "winter")]).await;
    let town = world.store.create_folder("Town".into()).await.unwrap();
    let library = find(&world, "library").await;
    // A rule asks for the library, and for a word that this story lacks: it speaks for a folder it is not in.
    rule_on(&world, town, &["library", "nowhere"]).await;
    world.until(|| async { world.get("/review").await.text.contains("Town library extends") }).await;
    let page = world.get("/review").await.text;
    assert!(page.contains("“library”") && page.contains("Correct it…"), "{page}");
    let mut person = world.person();
    let action = format!("/articles/{library}/confirm");
    let confirmed = person.send("/review", &action, &[("back", "/review")]).await;
    assert_eq!(confirmed.status, 303);
    assert!(!person.get("/review").await.text.contains("Town library extends"));
}
