//! Folders: the tree, what is in them, and everything done to them.

use crate::school::{find, has, refiled, taught, teach};
use crate::world::World;
use knowledge::{Correction, Field};

#[tokio::test]
async fn the_tree_shows_counts_rolled_up() {
    let (world, _, _) = taught().await;
    let page = world.get("/folders").await.text;
    for said in ["Travel", "Sea", "Unfiled", "href=\"/?folder=unfiled\""] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let folders = world.get("/api/v1/folders").await.json();
    let [travel, sea] = [&folders["folders"][0], &folders["folders"][1]];
    assert_eq!((travel["path"].as_str(), sea["path"].as_str()), (Some("Travel"), Some("Travel/Sea")));
    assert_eq!((&travel["articles"], &travel["articles_within"]), (&0.into(), &1.into()));
    assert_eq!((&sea["articles"], &sea["unread_within"]), (&1.into(), &1.into()));
    assert_eq!(folders["unfiled"]["articles"], 2);
}

#[tokio::test]
async fn without_folders_the_page_says_what_to_do() {
    let world = World::open().await;
    let page = world.get("/folders").await.text;
    assert!(page.contains("No folders yet: open an article and file it"), "{page}");
    assert!(page.contains("ripplewatch rules import"), "{page}");
}

#[tokio::test]
async fn the_list_is_narrowed_to_a_folder() {
    let (world, ferry, sea) = taught().await;
    let travel = world.get("/api/v1/folders").await.json()["folders"][0]["id"].as_i64().unwrap();
    let title = "Ferry timetable changes";
    for (path, there) in [
        (format!("/?folder={sea}"), true),
        (format!("/?folder={travel}"), true),
        ("/?folder=unfiled".into(), false),
        (format!("/?folder={sea}&search=ferry"), true),
        (format!("/?folder={sea}&search=lighthouse"), false),
        (format!("/?folder={sea}&unread=1"), true),
        (format!("/?folder={sea}&starred=1"), false),
        (format!("/?folder={sea}&source=1"), true),
        (format!("/?folder={sea}&source=99"), false),
        ("/?rule=1".into(), true),
    ] {
        let page = world.get(&path).await.text;
        let list = page.split("id=\"list\"").nth(1).unwrap();
        assert_eq!(list.contains(title), there, "{path}");
    }
    let page = world.get("/").await.text;
    assert!(page.contains(&format!("class=\"chip filed\" href=\"/?folder={sea}\"")), "{page}");
    assert!(world.get("/?folder=999").await.text.contains("There is no folder 999"));
    let listed = world.get(&format!("/api/v1/articles?folder={travel}")).await.json();
    assert_eq!(listed[0]["id"], ferry.0);
    assert_eq!(listed[0]["folders"][0]["path"], "Travel/Sea");
    assert_eq!(world.get("/api/v1/articles?folder=unfiled").await.json().as_array().unwrap().len(), 2);
    assert_eq!(world.get("/api/v1/articles?folder=999").await.status, 404);
    assert_eq!(world.get("/api/v1/articles?folder=x").await.status, 400);
}

#[tokio::test]
async fn folders_are_made_changed_and_removed_by_form() {
    let (world, _, sea) = taught().await;
    let mut person = world.person();
    let made = person.send("/folders", "/folders", &[("path", "Town/Council")]).await;
    assert_eq!(made.header("location"), "/folders?done=folder_created");
    let council = world.get("/api/v1/folders").await.json()["folders"][1]["id"].to_string();
    let page = format!("/folders/{council}");
    let renamed = person.send(&page, &page, &[("deed", "rename"), ("name", "Mayor")]).await;
    assert_eq!(renamed.header("location"), format!("{page}?done=folder_renamed"));
    let moved = person.send(&page, &page, &[("deed", "move"), ("parent", &sea.to_string())]).await;
    assert_eq!(moved.header("location"), format!("{page}?done=folder_moved"));
    assert!(person.get(&page).await.text.contains("Travel/Sea/Mayor"));
    let into_itself = person
        .send(
            &format!("/folders/{sea}"),
            &format!("/folders/{sea}"),
            &[("deed", "move"), ("parent", &council)],
        )
        .await;
    assert_eq!(into_itself.status, 422);
    assert!(into_itself.text.contains("that is inside it"), "{}", into_itself.text);
    let deleted = person.send(&page, &page, &[("deed", "delete")]).await;
    assert_eq!(deleted.header("location"), "/folders?done=folder_removed");
    assert_eq!(person.get(&page).await.status, 404);
}

#[tokio::test]
async fn a_folder_in_use_is_merged_not_deleted() {
    let (world, ferry, sea) = taught().await;
    let mut person = world.person();
    let page = format!("/folders/{sea}");
    assert!(person.get(&page).await.text.contains("Merge it into another folder instead"));
    let refused = person.send(&page, &page, &[("deed", "delete")]).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("merge it into another folder instead"), "{}", refused.text);
    let ships = world.store.create_folder("Ships".into()).await.unwrap();
    let merged = person.send(&page, &page, &[("deed", "merge"), ("into", &ships.to_string())]).await;
    assert_eq!(merged.header("location"), format!("/folders/{ships}?done=folder_merged"));
    refiled(&world).await;
    let article = world.get(&format!("/api/v1/articles/{ferry}")).await.json();
    assert_eq!(article["folders"][0]["path"], "Ships");
}

#[tokio::test]
async fn what_cannot_be_done_to_folders_is_said() {
    let (world, _, sea) = taught().await;
    let mut person = world.person();
    let long = "x".repeat(300);
    for bad in ["", "a//b", "a\u{0}b", &long] {
        let answer = person.send("/folders", "/folders", &[("path", bad)]).await;
        assert_eq!(answer.status, 422, "{bad:?}");
        assert!(answer.text.contains("no name for a folder"), "{bad:?}: {}", answer.text);
    }
    let page = format!("/folders/{sea}");
    for (fields, status) in [
        (vec![("deed", "merge"), ("into", "")], 422),
        (vec![("deed", "merge"), ("into", "999")], 404),
        (vec![("deed", "move"), ("parent", "999")], 404),
        (vec![("deed", "explode")], 400),
    ] {
        let answer = person.send(&page, &page, &fields).await;
        assert_eq!(answer.status, status, "{fields:?}: {}", answer.text);
    }
    assert_eq!(world.get("/folders/999").await.status, 404);
    for (method, path, body, status, said) in [
        ("POST", "/api/v1/folders".to_owned(), r#"{"path":""}"#.to_owned(), 422, "no name"),
        ("PATCH", format!("/api/v1/folders/{sea}"), r#"{"name":"a/b"}"#.into(), 422, "slash"),
        ("PATCH", format!("/api/v1/folders/{sea}"), format!("{{\"parent_id\":{sea}}}"), 422, "inside"),
        ("PATCH", "/api/v1/folders/999".into(), r#"{"name":"a"}"#.into(), 404, "no folder 999"),
        ("POST", format!("/api/v1/folders/{sea}/merge"), format!("{{\"into\":{sea}}}"), 422, "itself"),
        ("POST", format!("/api/v1/folders/{sea}/merge"), r#"{"into":999}"#.into(), 404, "no folder"),
        ("DELETE", format!("/api/v1/folders/{sea}"), String::new(), 409, "merge it"),
        ("DELETE", "/api/v1/folders/999".into(), String::new(), 404, "no folder"),
    ] {
        let answer = world.json(method, &path, &body).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text);
        assert!(answer.text.contains(said), "{method} {path}: {}", answer.text);
    }
}

#[tokio::test]
async fn folders_are_changed_by_programs() {
    let world = World::open().await;
    let made = world.json("POST", "/api/v1/folders", r#"{"path":"Sports/Soccer"}"#).await;
    assert_eq!((made.status.as_u16(), &made.json()["path"]), (201, &"Sports/Soccer".into()));
    let path = made.header("location").to_owned();
    let edited = world.json("PATCH", &path, r#"{"name":"Football","parent_id":null}"#).await.json();
    assert_eq!(edited["path"], "Football");
    assert_eq!(world.get(&path).await.json()["name"], "Football");
    assert_eq!(world.ask("DELETE", &path, &[], "").await.status, 204);
    assert_eq!(world.get("/api/v1/folders").await.json()["folders"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn filing_anew_is_stopped_and_resumed() {
    let (world, _, sea) = taught().await;
    let lighthouse = find(&world, "lighthouse").await;
    teach(&world, lighthouse, Correction::Add(sea), vec![has(Field::Title, "seabed")]).await;
    let state = world.get("/api/v1/refiling").await.json();
    assert_eq!((&state["finished"], &state["left"]), (&true.into(), &0.into()));
    let mut person = world.person();
    let stopped = person.send("/folders", "/refiling", &[("deed", "stop"), ("back", "/folders")]).await;
    assert_eq!(stopped.header("location"), "/folders?done=refiling_stopped");
    assert_eq!(world.get("/api/v1/refiling").await.json()["stopped"], true);
    let resumed = person.send("/folders", "/refiling", &[("deed", "resume"), ("back", "/rules")]).await;
    assert_eq!(resumed.header("location"), "/rules?done=refiling_resumed");
    assert_eq!(world.json("POST", "/api/v1/refiling/stop", "").await.json()["stopped"], true);
    assert_eq!(world.json("POST", "/api/v1/refiling/resume", "").await.json()["stopped"], false);
    assert_eq!(person.send("/folders", "/refiling", &[("deed", "fly")]).await.status, 400);
}
