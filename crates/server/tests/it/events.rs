//! Events through the router: pages for people, the API for programs, both against bad input.

use crate::newsroom::Newsroom;
use crate::world::World;
use serde_json::json;

#[tokio::test]
async fn an_event_is_listed_shown_and_judged() {
    let mut room = Newsroom::open().await;
    let event = room.burst(0).await;
    room.followed(event).await;
    let mut person = room.world.person();

    let list = person.get("/events").await.text;
    for words in
        ["Going on now", "Travel/Sea", "began at", "Harbour Times", "2 sources followed", "2 visits", "<svg"]
    {
        assert!(list.contains(words), "{words}: {list}");
    }
    assert!(
        list.contains("id=\"count-events\" data-live><span class=\"count alarming\" title=\"1 going on\">1<"),
        "{list}"
    );

    let page = person.get(&format!("/events/{event}")).await.text;
    for words in [
        "is unusually busy: ",
        "Harbour Times first; ",
        "at the same time Coast Courier",
        "Why it was told",
        "unusual by itself",
        "noticed ",
        "As a table",
        "Event ",
        "number 361 leaves the quay",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let caused = page.split("Visits it caused").last().unwrap();
    assert!(caused.contains("Northern Post") && caused.contains("is unusually busy"), "{caused}");

    let action = format!("/events/{event}/verdict");
    let here = format!("/events/{event}");
    let judged = person.send(&here, &action, &[("verdict", "confirmed"), ("back", &here)]).await;
    assert_eq!(
        (judged.status.as_u16(), judged.header("location")),
        (303, &*format!("{here}?done=event_confirmed"))
    );
    assert!(person.get(&here).await.text.contains("You confirmed it"));
    assert!(person.get("/events?show=confirmed").await.text.contains("Travel/Sea</strong>"));
    assert!(person.get("/events?show=dismissed").await.text.contains("No such event"));
    person.send(&here, &action, &[("verdict", "dismissed"), ("back", "/events")]).await;
    let page = person.get(&here).await.text;
    assert!(page.contains("was unusually busy") && page.contains("You dismissed it"), "{page}");
    assert_eq!(person.send(&here, &action, &[("verdict", "maybe")]).await.status, 422);
    assert_eq!(person.get("/events/77").await.status, 404);
}

#[tokio::test]
async fn a_folder_and_a_source_show_what_goes_on() {
    let mut room = Newsroom::open().await;
    let event = room.burst(1).await;
    room.followed(event).await;
    let mut person = room.world.person();
    let page = person.get(&format!("/folders/{}", room.folder)).await.text;
    for words in [
        "The last two weeks",
        "When articles come",
        "Who covers it",
        "Unusually busy: ",
        "Coast Courier",
        "Rename",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert_eq!(page.matches("<td class=\"h").count(), 7 * 24);
    assert!(page.contains(&format!("href=\"/events/{event}\"")));
    let source = person.get(&format!("/sources/{}", room.sources[0])).await.text;
    assert!(source.contains("Covers") && source.contains("Travel/Sea"), "{source}");
    assert!(source.contains(&format!("<a href=\"/events/{event}\">Event {event}</a>")), "{source}");

    let activity = room.world.get(&format!("/api/v1/folders/{}/activity?days=3", room.folder)).await.json();
    let windows = activity["windows"].as_array().unwrap();
    assert!((30..=40).contains(&windows.len()), "{}", windows.len());
    assert_eq!(windows.last().unwrap()["open"], true);
    assert_eq!(activity["week"].as_array().unwrap().len(), 7);
    assert_eq!(activity["covered_by"][0]["similarity"], 1.0);
}

#[tokio::test]
async fn programs_list_and_judge_events() {
    let mut room = Newsroom::open().await;
    let event = room.burst(0).await;
    let world = &room.world;
    let list = world.get("/api/v1/events?open=true").await.json();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["folder_name"]), (1, &json!("Travel/Sea")));
    assert!(list[0]["opening"]["observed"].as_f64().unwrap() >= 9.0, "{list}");
    assert_eq!(world.get("/api/v1/events?verdict=confirmed").await.json(), json!([]));
    let one = world.get(&format!("/api/v1/events/{event}")).await.json();
    assert_eq!((&one["id"], &one["followers"][0]["title"]), (&json!(event.0), &json!("Harbour Times")));
    assert!(one["stories"].as_array().unwrap().len() >= 9);

    let path = format!("/api/v1/events/{event}/verdict");
    let judged = world.json("POST", &path, "{\"verdict\":\"dismissed\"}").await;
    assert_eq!((judged.status.as_u16(), &judged.json()["verdict"]), (200, &json!("dismissed")));
    assert!(judged.json()["ended_at"].is_string());
    let refused = world.json("POST", &path, "{\"verdict\":\"perhaps\"}").await;
    assert_eq!(refused.status, 422);
    assert!(refused.json()["error"].as_str().unwrap().contains("confirmed"), "{}", refused.text);
    assert_eq!(world.json("POST", &path, "{}").await.status, 400);
    assert_eq!(
        world.json("POST", "/api/v1/events/9/verdict", "{\"verdict\":\"confirmed\"}").await.status,
        404
    );
    for bad in ["?verdict=maybe", "?open=perhaps", "?limit=0", "?colour=red"] {
        assert_eq!(world.get(&format!("/api/v1/events{bad}")).await.status, 400, "{bad}");
    }
    assert_eq!(world.get("/api/v1/folders/99/activity").await.status, 404);
    assert_eq!(world.get(&format!("/api/v1/folders/{}/activity?days=0", room.folder)).await.status, 400);
}

#[tokio::test]
async fn the_list_says_what_is_missing_for_events() {
    let world = World::open().await;
    let page = world.get("/events").await.text;
    assert!(page.contains("No folders, no events") && page.contains("href=\"/folders\""), "{page}");
    world.store.create_folder("Sea".into()).await.unwrap();
    assert!(world.get("/events").await.text.contains("there is no history"));
    world.watch("/feed.xml").await;
    assert!(world.get("/events").await.text.contains("known after 14 days"));
    let folder = world.get("/folders/1").await.text;
    assert!(folder.contains("Nothing was filed here yet"), "{folder}");
}

#[tokio::test]
async fn watching_is_set_by_people_and_programs() {
    let world = World::open().await;
    let mut person = world.person();
    let page = "/events/settings";
    let fields = |zone: &'static str| {
        [
            ("detector", "ears"),
            ("reaction", "dc1"),
            ("zone", zone),
            ("window_minutes", "60"),
            ("visits_per_host_and_hour", "7"),
        ]
    };
    let refused = person.send(page, page, &fields("Mars/Olympus")).await;
    assert_eq!(refused.status, 422);
    assert!(
        refused.text.contains("no time zone") && refused.text.contains("value=\"Mars/Olympus\""),
        "{}",
        refused.text
    );
    assert_eq!(person.send(page, page, &fields("Europe/Berlin")).await.status, 303);
    let set = world.get("/api/v1/watching").await.json();
    let expected = json!({"detector": "ears", "reaction": "dc1", "zone": "Europe/Berlin", "window_minutes": 60, "visits_per_host_and_hour": 7});
    assert_eq!(set, expected);
    let chosen = person.get(page).await.text;
    assert!(
        chosen.contains("value=\"ears\" checked") && chosen.contains("value=\"dc1\" checked"),
        "{chosen}"
    );

    let put = |body: serde_json::Value| async move { body.to_string() };
    let changed = put(json!({"detector": "cusum", "reaction": "none", "zone": "UTC", "window_minutes": 120, "visits_per_host_and_hour": 12})).await;
    assert_eq!(world.json("PUT", "/api/v1/watching", &changed).await.json()["detector"], "cusum");
    for (name, value) in [
        ("detector", json!("oracle")),
        ("reaction", json!("panic")),
        ("window_minutes", json!(7)),
        ("zone", json!("")),
        ("visits_per_host_and_hour", json!(99_999)),
    ] {
        let mut bad = expected.clone();
        bad[name] = value;
        let refused = world.json("PUT", "/api/v1/watching", &bad.to_string()).await;
        assert_eq!(refused.status, 422, "{name}: {}", refused.text);
    }
    assert_eq!(world.json("PUT", "/api/v1/watching", "{\"zone\":\"UTC\"}").await.status, 400);
    assert_eq!(world.get("/api/v1/watching").await.json()["detector"], "cusum", "nothing half done");
}
