//! In a real browser: an event followed from the list to its page to a verdict.

use crate::browser::{DESKTOP, PHONE, SOON};
use crate::newsroom::Newsroom;
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
    browser.click(".plot a circle").await;
    browser.wait_until(&format!("location.pathname === '/events/{event}'"), SOON).await;
}

#[tokio::test]
async fn nothing_of_it_is_wider_than_a_phone() {
    let mut room = Newsroom::open().await;
    let event = room.burst(0).await;
    room.followed(event).await;
    let browser = Browser::start(PHONE).await;
    let folder = format!("/folders/{}", room.folder);
    for page in ["/events", &format!("/events/{event}"), &folder, "/events/settings"] {
        browser.go(&room.world.url(page)).await;
        let width = browser.run("return document.documentElement.scrollWidth").await;
        assert!(width.as_i64().unwrap() <= 390, "{page} is {width} wide");
    }
}

async fn verdict(room: &Newsroom, event: model::EventId) -> String {
    let told = room.world.get(&format!("/api/v1/events/{event}")).await.json();
    told["verdict"].as_str().unwrap().to_owned()
}
