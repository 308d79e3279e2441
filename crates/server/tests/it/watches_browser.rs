//! In a real browser: a watch made while one sees what it finds, and its change word by word.

use crate::browser::{DESKTOP, PHONE, SOON, keep};
use crate::watches::{Shop, lamp};
use crate::world::World;
use serde_json::json;
use testkit::webdriver::{Browser, keys};

#[tokio::test]
async fn a_watch_is_made_with_a_live_preview_and_shows_its_change() {
    let (world, shop) = (World::open().await, Shop::open().await);
    let browser = Browser::start(DESKTOP).await;
    browser.go(&world.url("/")).await;
    browser.press("g").await;
    browser.press("w").await;
    browser.wait_until("location.pathname === '/watches'", SOON).await;
    browser.click(".empty .primary").await;
    browser.type_into("[name=url]", &shop.url()).await;
    browser.press(keys::TAB).await;
    // The whole text is looked at first; then what is chosen.
    browser.wait_until("document.querySelector('#seen').textContent.includes('heavy foot')", SOON).await;
    browser.run("const what = document.querySelector('[name=what]'); what.value = 'css'; what.dispatchEvent(new Event('input', { bubbles: true }))").await;
    browser.type_into("[name=of]", ".price").await;
    browser
        .wait_until("document.querySelector('#seen').textContent.trim().startsWith('10 euros')", SOON)
        .await;
    assert_eq!(shop.fetched(), 1, "typing asks the site once");
    browser.press(keys::ENTER).await;
    browser.wait_until("location.pathname === '/watches/1'", SOON).await;
    // The first look, and then the change, appear by themselves.
    browser.wait_until("document.querySelector('#watch .seen')?.textContent === '10 euros'", SOON).await;
    shop.says(lamp("12 euros", 3));
    let watch = world.get("/api/v1/watches/1").await.json();
    world.looks_again(&watch).await;
    browser.wait_until("document.querySelector('.diff ins')?.textContent.trim() === '12'", SOON).await;
    assert_eq!(browser.text(".diff del").await, "10");
    assert!(browser.text(".standing").await.contains("Looking"));
    browser.click(".head .actions form button").await;
    browser.wait_until("location.search === '?done=watch_paused'", SOON).await;
    assert!(browser.text(".standing").await.contains("Paused"));
}

#[tokio::test]
async fn its_pages_fit_a_desk_and_a_phone_in_light_and_dark() {
    let (world, shop) = (World::open().await, Shop::open().await);
    let watch = world
        .add_watch(json!({"url": shop.url(), "what": "text", "name": "The whole page", "when": "at 09:00, 17:30 on mon-fri",
            "stops": ["after 2999-12-31", "contains sold out"]}))
        .await;
    let every = world.add_watch(json!({"url": shop.url(), "what": "table", "name": "Stock"})).await;
    world.add_watch(json!({"url": shop.url(), "what": "css .none"})).await;
    world.has_looked(&watch).await;
    world.has_looked(&every).await;
    shop.says(lamp("12 euros and 50 cents, a little more than it was before the winter", 2));
    world.looks_again(&every).await;
    let pages = [
        ("watches", "/watches".to_owned()),
        ("watch", format!("/watches/{}", every["id"])),
        ("watch-calendar", format!("/watches/{}", watch["id"])),
        ("watch-add", format!("/watches/add?source={}", watch["source_id"])),
        ("watched-source", format!("/sources/{}", watch["source_id"])),
    ];
    for (screen, name) in [(DESKTOP, "1280"), (PHONE, "390")] {
        let browser = Browser::start(screen).await;
        for (scheme, ending) in [("light", ""), ("dark", "-dark")] {
            browser.prefer_colours(scheme).await;
            for (page, path) in &pages {
                browser.go(&world.url(path)).await;
                keep(&browser, &format!("{page}-{name}{ending}")).await;
            }
        }
    }
}
