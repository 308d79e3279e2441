//! Notifications in a real browser: a channel is added and tested with the keyboard, on a phone's width too.

use crate::browser::{DESKTOP, PHONE, SOON, keep};
use crate::world::World;
use testkit::site::{Answer as Page, Site};
use testkit::webdriver::{Browser, keys};

#[tokio::test]
async fn a_channel_is_added_and_tested() {
    for (name, screen) in [("1280", DESKTOP), ("390", PHONE)] {
        let world = World::open().await;
        world.store.create_folder("Coast/Harbour".into()).await.unwrap();
        let hook = Site::start(|_| Page::status(200)).await;
        let browser = Browser::start(screen).await;
        browser.go(&world.url("/notifications")).await;
        keep(&browser, &format!("notifications-empty-{name}")).await;
        browser.run("document.querySelector('details summary').focus()").await;
        browser.press(keys::ENTER).await;
        browser.type_into("[name=url]", hook.url("/hook").as_str()).await;
        keep(&browser, &format!("notifications-add-{name}")).await;
        browser.press(keys::ENTER).await;
        browser.find("code.secret").await;
        keep(&browser, &format!("notifications-secret-{name}")).await;
        browser.run("document.querySelector('button[value=test]').focus()").await;
        browser.press(keys::ENTER).await;
        browser.wait_until("document.body.innerText.includes('The test was delivered')", SOON).await;
        keep(&browser, &format!("notifications-{name}")).await;
        assert_eq!(hook.log().len(), 1);
        browser.go(&world.url("/notifications/1")).await;
        keep(&browser, &format!("notifications-edit-{name}")).await;
    }
}
