//! The calendar through the router: typed, imported, removed, and what is wrong told by line.

use crate::world::World;
use serde_json::json;

const ICS: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Regatta 2031\r\nDTSTART:20310706T100000Z\r\n\
    DTEND:20310706T180000Z\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Backwards\r\nDTSTART:20310707T100000Z\r\n\
    DTEND:20310707T090000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[tokio::test]
async fn entries_are_typed_imported_and_removed() {
    let world = World::open().await;
    let mut person = world.person();
    let empty = person.get("/calendar").await.text;
    assert!(empty.contains("Nothing is expected") && empty.contains("href=\"/folders\""), "{empty}");
    world.store.create_folder("Sea".into()).await.unwrap();
    let fields = |to: &'static str, times: &'static str| {
        [
            ("folder", "1"),
            ("title", "Ferry day 2031"),
            ("from", "2031-07-06T10:00"),
            ("to", to),
            ("multiplier", times),
            ("give_or_take", "25"),
        ]
    };
    let added = person.send("/calendar", "/calendar", &fields("2031-07-06T18:00", "1,7")).await;
    assert_eq!((added.status.as_u16(), added.header("location")), (303, "/calendar?done=expected_added"));
    let page = person.get("/calendar").await.text;
    for words in
        ["Ferry day 2031", "Sun 6 Jul 10:00 to 18:00", "× 1.7 (1.4 to 2.1)", "as typed", "kind: ferry day"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    for (to, times, told) in [
        ("2031-07-06T09:00", "2", "it ends before it begins"),
        ("soon", "2", "“soon” is no time"),
        ("2031-07-06T18:00", "many", "“many” is no number"),
        ("2031-07-06T18:00", "0", "its multiplier is 0"),
    ] {
        let refused = person.send("/calendar", "/calendar", &fields(to, times)).await;
        assert_eq!(refused.status, 422, "{told}");
        assert!(
            refused.text.contains(told) && refused.text.contains("value=\"Ferry day 2031\""),
            "{told}: {}",
            refused.text
        );
    }

    let preview = person.send("/calendar", "/calendar/preview", &[("folder", "1"), ("ics", ICS)]).await.text;
    assert!(preview.contains("1 entry understood") && preview.contains("Regatta 2031"), "{preview}");
    assert!(preview.contains("Line ") && preview.contains("Backwards"), "{preview}");
    assert_eq!(
        world.get("/api/v1/calendar").await.json().as_array().unwrap().len(),
        1,
        "nothing is kept yet"
    );
    let imported = person.send("/calendar", "/calendar/import", &[("folder", "1"), ("ics", ICS)]).await;
    assert_eq!(imported.header("location"), "/calendar?done=expected_imported&n=1");
    let broken =
        person.send("/calendar", "/calendar/preview", &[("folder", "1"), ("ics", "dear diary")]).await;
    assert_eq!(broken.status, 422);
    assert!(broken.text.contains("dear diary") && broken.text.contains("role=\"alert\""), "{}", broken.text);
    let nowhere = person.send("/calendar", "/calendar/preview", &[("folder", ""), ("ics", ICS)]).await;
    assert!(nowhere.text.contains("Choose a folder first"));

    assert_eq!(person.send("/calendar", "/calendar/1/remove", &[]).await.status, 303);
    assert_eq!(person.send("/calendar", "/calendar/1/remove", &[]).await.status, 404);
}

#[tokio::test]
async fn programs_keep_the_calendar() {
    let world = World::open().await;
    world.store.create_folder("Sea".into()).await.unwrap();
    let entry = json!({"folder_id": 1, "title": "Boat show", "from": "2031-01-01T00:00:00Z", "to": "2031-01-03T00:00:00Z"});
    let added = world.json("POST", "/api/v1/calendar", &entry.to_string()).await;
    assert_eq!(added.json(), json!({"added": 1, "updated": 0, "problems": []}));
    assert_eq!(world.json("POST", "/api/v1/calendar", &entry.to_string()).await.json()["updated"], 1);
    let body = json!({"folder_id": 1, "ics": ICS}).to_string();
    let imported = world.json("POST", "/api/v1/calendar/import", &body).await.json();
    assert_eq!(
        (&imported["added"], imported["problems"].as_array().unwrap().len()),
        (&json!(1), 1),
        "{imported}"
    );
    let list = world.get("/api/v1/calendar?folder=1").await.json();
    assert_eq!(
        (&list[0]["kind"], &list[0]["multiplier"], &list[0]["level"]["multiplier"]),
        (&json!("boat show"), &json!(null), &json!(1.0))
    );
    assert_eq!(world.get("/api/v1/calendar?folder=9").await.json(), json!([]));
    for (name, value, status) in [
        ("to", json!("2030-01-01T00:00:00Z"), 422),
        ("from", json!("yesterday"), 422),
        ("folder_id", json!(9), 404),
        ("colour", json!(1), 400),
    ] {
        let mut bad = entry.clone();
        bad[name] = value;
        assert_eq!(world.json("POST", "/api/v1/calendar", &bad.to_string()).await.status, status, "{name}");
    }
    let body = json!({"folder_id": 1, "ics": "BEGIN:VCALENDAR\nBEGIN:VEVENT"}).to_string();
    assert_eq!(world.json("POST", "/api/v1/calendar/import", &body).await.status, 422);
    assert_eq!(world.json("DELETE", "/api/v1/calendar/1", "").await.status, 204);
    assert_eq!(world.json("DELETE", "/api/v1/calendar/1", "").await.status, 404);
}
