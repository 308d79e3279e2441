//! Channels and deliveries in the API and on the page.

use crate::world::World;
use serde_json::{Value, json};
use store::{Message, Target};
use testkit::post_office::{Manner, PostOffice};
use testkit::site::{Answer as Page, Site};

async fn add(world: &World, body: Value) -> Value {
    let added = world.json("POST", "/api/v1/channels", &body.to_string()).await;
    assert_eq!(added.status, 201, "{}", added.text);
    added.json()
}

fn late(n: i64) -> Message {
    Message {
        key: format!("source_late:{n}"),
        kind: "source_late".into(),
        payload: json!({"source": n, "title": "The <b>Harbour</b> Times", "url": "https://a.example/"}),
        created_at: jiff::Timestamp::now(),
    }
}

#[tokio::test]
async fn a_channel_is_made_tested_changed_and_removed() {
    let world = World::open().await;
    let hook = Site::start(|_| Page::status(204)).await;
    let made = add(
        &world,
        json!({"url": hook.url("/x"), "wants": ["source_late"], "quiet": "22:00-07:00", "zone": "UTC"}),
    )
    .await;
    let secret = made["secret"].as_str().unwrap();
    assert!(secret.starts_with("rwh_"), "{made}");
    assert_eq!((&made["kind"], &made["rhythm"]), (&json!("webhook"), &json!("at_once")));
    let place = format!("/api/v1/channels/{}", made["id"]);
    for path in ["/api/v1/channels", &place, "/api/v1/deliveries"] {
        assert!(!world.get(path).await.text.contains(secret), "{path} tells the secret");
    }
    let tested = world.json("POST", &format!("{place}/test"), "").await.json();
    assert_eq!(
        (&tested["state"], &tested["last_status"], &tested["kind"]),
        (&json!("delivered"), &json!(204), &json!("test"))
    );
    assert_eq!(hook.log().len(), 1);
    let changed =
        world.json("PATCH", &place, r#"{"name":"Desk","rhythm":"daily 08:30","quiet":""}"#).await.json();
    assert_eq!(
        (&changed["name"], &changed["rhythm"], &changed["quiet"]),
        (&json!("Desk"), &json!("daily 08:30"), &Value::Null)
    );
    assert!(changed.get("secret").is_none());
    let renewed = world.json("PATCH", &place, r#"{"new_secret":true}"#).await.json();
    assert_ne!(renewed["secret"], made["secret"]);
    for (method, path, body, status, said) in [
        ("POST", "/api/v1/channels", r#"{"url":"http://10.0.0.1/"}"#, 422, "allowed addresses"),
        (
            "POST",
            "/api/v1/channels",
            r#"{"url":"https://a.example/","name":"Desk"}"#,
            409,
            "already a channel",
        ),
        ("POST", "/api/v1/channels", r#"{"kind":"mail","host":"a.example"}"#, 422, "is missing"),
        ("POST", "/api/v1/channels", r#"{"colour":1}"#, 400, "colour"),
        ("PATCH", "/api/v1/channels/99", "{}", 404, "no channel 99"),
        ("POST", "/api/v1/channels/99/test", "{}", 404, "no channel 99"),
        ("GET", "/api/v1/deliveries?state=lost", "", 400, "given_up"),
        ("POST", "/api/v1/deliveries/99/retry", "{}", 404, "no delivery 99"),
    ] {
        let answer = world.json(method, path, body).await;
        assert_eq!(answer.status, status, "{method} {path} {body}: {}", answer.text);
        assert!(answer.json()["error"].as_str().unwrap().contains(said), "{}", answer.text);
    }
    assert_eq!(world.json("DELETE", &place, "").await.status, 204);
    assert_eq!(world.get("/api/v1/channels").await.json(), json!([]));
}

#[tokio::test]
async fn a_person_adds_a_webhook_sees_its_secret_once_and_tests_it() {
    let world = World::open().await;
    let hook = Site::start(|asked| Page::status(if asked.path == "/bad" { 500 } else { 200 })).await;
    let mut person = world.person();
    let empty = person.get("/notifications").await;
    assert!(
        empty.text.contains("Nobody is told yet") && empty.text.contains("/feeds/events.atom"),
        "{}",
        empty.text
    );
    let url = hook.url("/bad").to_string();
    let form =
        [("kind", "webhook"), ("url", &url), ("name", "Desk"), ("wants", "source_late"), ("zone", "UTC")];
    let shown = person.send("/notifications", "/notifications", &form).await;
    let channel = world.store.channels().await.unwrap().remove(0);
    let Target::Webhook { secret, .. } = &channel.settings.target else { panic!() };
    assert!(shown.status == 200 && shown.text.contains(secret.reveal()), "{}", shown.text);
    let page = format!("/notifications/{}", channel.id);
    assert!(!person.get("/notifications").await.text.contains(secret.reveal()));
    assert!(!person.get(&page).await.text.contains(secret.reveal()));

    let tested = person.send("/notifications", &page, &[("deed", "test")]).await;
    assert_eq!(tested.header("location"), "/notifications?done=test_failed");
    let told = person.get("/notifications?done=test_failed").await.text;
    assert!(
        told.contains("HTTP 500") && told.contains("Failing since") && told.contains("Given up"),
        "{told}"
    );
    let good = hook.url("/good").to_string();
    let form = [
        ("deed", "save"),
        ("url", &good),
        ("name", "Desk"),
        ("wants", "source_late"),
        ("zone", "UTC"),
        ("rhythm", "at_once"),
    ];
    assert_eq!(person.send(&page, &page, &form).await.status, 303);
    let tested = person.send("/notifications", &page, &[("deed", "test")]).await;
    assert_eq!(tested.header("location"), "/notifications?done=test_delivered");

    world.store.post_messages(vec![late(4)]).await.unwrap();
    world.until(|| async { hook.log().len() == 3 }).await;
    world
        .until(|| async {
            world.get("/api/v1/deliveries?state=delivered").await.json().as_array().unwrap().len() == 2
        })
        .await;
    let told = person.get("/notifications").await.text;
    assert!(told.contains("The &lt;b&gt;Harbour&lt;/b&gt; Times was not visited on time"), "{told}");
    let renewed = person.send(&page, &page, &[("deed", "secret")]).await;
    assert!(renewed.text.contains("rwh_") && !renewed.text.contains(secret.reveal()));
    assert_eq!(
        person.send(&page, &page, &[("deed", "remove")]).await.header("location"),
        "/notifications?done=channel_removed"
    );
}

#[tokio::test]
async fn what_was_typed_stays_when_it_is_refused() {
    let world = World::open().await;
    let office = PostOffice::start(Manner::default()).await;
    let mut person = world.person();
    let port = office.address().port().to_string();
    let mut form = vec![
        ("kind", "mail"),
        ("to", "desk@b.example, night@b.example"),
        ("from", "nobody"),
        ("host", "127.0.0.1"),
        ("port", port.as_str()),
        ("encryption", "none"),
        ("user", ""),
        ("password", ""),
        ("wants", "event_opened"),
        ("zone", "UTC"),
        ("rhythm", "daily"),
        ("daily_at", "08:30"),
        ("quiet_from", "22:00"),
        ("quiet_to", "07:00"),
    ];
    let refused = person.send("/notifications", "/notifications", &form).await;
    assert_eq!(refused.status, 422);
    assert!(
        refused.text.contains("is not an e-mail address") && refused.text.contains("night@b.example"),
        "{}",
        refused.text
    );
    form[2].1 = "watch@a.example";
    let added = person.send("/notifications", "/notifications", &form).await;
    assert_eq!(added.header("location"), "/notifications?done=channel_added", "{}", added.text);
    let page = person.get("/notifications").await.text;
    assert!(page.contains("Daily at 08:30") && page.contains("Quiet 22:00-07:00"), "{page}");
    person.send("/notifications", "/notifications/1", &[("deed", "test")]).await;
    assert_eq!(office.received()[0].to, ["desk@b.example", "night@b.example"]);
}
