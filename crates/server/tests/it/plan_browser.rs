//! In a real browser: the plan, and a What-if that is applied.

use crate::browser::{DESKTOP, PHONE, SOON, keep};
use crate::newsroom::Newsroom;
use scheduling::PolicyName;
use testkit::webdriver::Browser;

#[tokio::test]
async fn a_better_plan_is_found_and_applied() {
    let room = Newsroom::open().await;
    let browser = Browser::start(DESKTOP).await;
    browser.go(&room.world.url("/plan")).await;
    browser.click("nav.sections a[href='/plan/what-if']").await;
    browser.wait_until("location.pathname === '/plan/what-if'", SOON).await;
    browser.click(".what-if button").await;
    // The answer appears by itself.
    browser.wait_until("document.querySelectorAll('.curve polyline').length >= 3", SOON * 4).await;
    browser.click("table.figures form:has([value=planner]) button").await;
    browser.wait_until("location.pathname === '/plan'", SOON).await;
    assert!(browser.text(".flash").await.contains("In force"));
    assert_eq!(room.world.store.plan_choice().await.unwrap().unwrap().policy, PolicyName::Planner);
    for (screen, name) in [(DESKTOP, "1280"), (PHONE, "390")] {
        let browser = Browser::start(screen).await;
        for (page, path) in
            [("plan", "/plan"), ("plan-settings", "/plan/settings"), ("what-if", "/plan/what-if")]
        {
            browser.go(&room.world.url(path)).await;
            keep(&browser, &format!("{page}-{name}")).await;
        }
        browser.go(&room.world.url(&format!("/sources/{}", room.sources[0]))).await;
        keep(&browser, &format!("expected-{name}")).await;
    }
}
