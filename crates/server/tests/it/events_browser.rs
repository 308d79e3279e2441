//! In a real browser: an event followed from the list to its page to a verdict.

use crate::browser::{DESKTOP, PHONE, SOON, keep};
use crate::newsroom::{Newsroom, hours_from_now};
use testkit::webdriver::Browser;

#[tokio::test]
async fn an_event_is_followed_from_the_list_to_its_verdict() {
    let mut room = Newsroom::open().await;
    let browser = Browser::start(DESKTOP).await;
    browser.go(&room.world.url("/events")).await;
    assert!(browser.text(".empty").await.contains("No events yet"));
    // It appears by itself.
    let event = room.burst(0).await;
    browser.wait_until("document.querySelectorAll('.item.event.open').length === 1", SOON).await;
    browser.wait_until("document.querySelector('#count-events').textContent.trim() === '1'", SOON).await;
    room.followed(event).await;
    browser
        .wait_until("document.querySelector('.item.event').textContent.includes('2 sources followed')", SOON)
        .await;

    // By keyboard to its page.
    browser.press("j").await;
    browser.press("o").await;
    browser.wait_until(&format!("location.pathname === '/events/{event}'"), SOON).await;
    assert!(browser.text("h1").await.contains("Travel/Sea is unusually busy"));
    let bars = "document.querySelectorAll('.plot .bar').length > 20 && document.querySelectorAll('.plot .bar.alarming').length >= 1";
    browser.wait_until(bars, SOON).await;
    assert!(browser.text(".followers li").await.contains("Harbour Times"));
    browser.click(".as-table summary").await;
    browser
        .wait_until("document.querySelector('.as-table table').getBoundingClientRect().height > 0", SOON)
        .await;

    // Confirmed with a key, and the mind changed with a click.
    browser.press("c").await;
    browser.wait_until("location.search === '?done=event_confirmed'", SOON).await;
    assert!(browser.text(".head .standing").await.contains("Confirmed"));
    assert_eq!(verdict(&room, event).await, "confirmed");
    browser.click("[data-key=d]").await;
    browser.wait_until("location.search === '?done=event_dismissed'", SOON).await;
    assert_eq!(verdict(&room, event).await, "dismissed");
    browser.wait_until("document.querySelector('#count-events').textContent.trim() === ''", SOON).await;

    // The folder has it in its timeline.
    browser.click(".folder-link").await;
    browser.wait_until("location.pathname.startsWith('/folders/')", SOON).await;
    let there = format!("location.pathname === '/events/{event}'");
    browser.click_until(".plot a circle", &there, SOON).await;
}

#[tokio::test]
async fn every_page_fits_a_desk_and_a_phone_in_light_and_dark() {
    let mut room = Newsroom::open().await;
    let event = room.burst(0).await;
    room.followed(event).await;
    expect_something(&room).await;
    let mut pages = vec![("events", "/events".to_owned()), ("event", format!("/events/{event}"))];
    pages.push(("folder-activity", format!("/folders/{}", room.folder)));
    pages.push(("covering-source", format!("/sources/{}", room.sources[1])));
    pages.push(("watching", "/events/settings".into()));
    pages.push(("calendar", "/calendar".into()));
    for (screen, name) in [(DESKTOP, "1280"), (PHONE, "390")] {
        let browser = Browser::start(screen).await;
        for (scheme, ending) in [("light", ""), ("dark", "-dark")] {
            browser.prefer_colours(scheme).await;
            for (page, path) in &pages {
                browser.go(&room.world.url(path)).await;
                keep(&browser, &format!("{page}-{name}{ending}")).await;
            }
        }
    }
    let browser = Browser::start(PHONE).await;
    room.world.store.judge_event(event, store::Verdict::Dismissed, hours_from_now(0)).await.unwrap();
    browser.go(&room.world.url("/events")).await;
    keep(&browser, "events-past-390").await;
}

/// Entries past and to come, learned from and typed.
async fn expect_something(room: &Newsroom) {
    for (title, hours, multiplier) in [
        ("Regatta 2024", -100, None),
        ("Regatta 2025", -52, None),
        ("Regatta 2026", 30, None),
        ("Boat show", 80, Some(1.7)),
    ] {
        let entry = serde_json::json!({"folder_id": room.folder.0, "title": title, "from": hours_from_now(hours),
            "to": hours_from_now(hours + 12), "multiplier": multiplier, "uncertainty": multiplier.map(|_| 0.2)});
        let added = room.world.json("POST", "/api/v1/calendar", &entry.to_string()).await;
        assert_eq!(added.status, 200, "{}", added.text);
    }
}

async fn verdict(room: &Newsroom, event: model::EventId) -> String {
    let told = room.world.get(&format!("/api/v1/events/{event}")).await.json();
    told["verdict"].as_str().unwrap().to_owned()
}
