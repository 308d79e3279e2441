//! In a real browser: a topic is made, a crawl started and followed, and what it found is watched.

use crate::browser::{DESKTOP, PHONE, SOON, keep};
use crate::discovery::Railway;
use crate::world::World;
use testkit::webdriver::Browser;

#[tokio::test]
async fn from_words_to_a_watched_source() {
    let (world, railway) = (World::open().await, Railway::open().await);
    let browser = Browser::start(DESKTOP).await;
    browser.go(&world.url("/")).await;
    browser.press("g").await;
    browser.press("c").await;
    browser.wait_until("location.pathname === '/crawls'", SOON).await;
    browser.click(".sections a[href='/topics']").await;
    assert!(browser.text(".topics").await.contains("E-commerce"), "what comes with the program is there");
    browser.click(".head .primary").await;
    browser.type_into("[name=name]", "Railways").await;
    browser.type_into("[name=words]", "railway, locomotive, train, station").await;
    browser.click("form .primary").await;
    browser.wait_until("location.pathname === '/topics/Railways'", SOON).await;
    assert!(browser.text(".lexicon").await.contains("locomotive"));
    browser.click(".head .primary").await;
    browser.type_into("[name=seeds]", &railway.url()).await;
    browser.click("form .primary").await;
    // Pages appear by themselves.
    browser
        .wait_until(
            "document.querySelector('#crawl .crawl-pages')?.textContent.includes('A locomotive')",
            SOON,
        )
        .await;
    browser
        .wait_until("document.querySelector('#crawl .standing')?.textContent.includes('Finished')", SOON)
        .await;
    assert_eq!(browser.run("return window.owned === undefined").await, true, "what pages say is text");
    // What is worth watching was found while the page was open.
    browser.go(&world.url("/crawls/1")).await;
    browser.click("#candidates summary").await;
    browser.click("#candidates form .primary").await;
    browser.wait_until("location.search === '?done=promoted'", SOON).await;
    assert!(browser.text("#candidates").await.contains("Watched"));
    browser.click("#candidates a[href^='/sources/']").await;
    browser.wait_until("location.pathname === '/sources/1'", SOON).await;
}

#[tokio::test]
async fn its_pages_fit_a_desk_and_a_phone_in_light_and_dark() {
    let (world, railway) = (World::open().await, Railway::open().await);
    let shop = serde_json::json!({"name": discovery::ontology::shipped()[0].name});
    world.json("POST", "/api/v1/topics", &shop.to_string()).await;
    world.crawled(&railway).await;
    let shop = format!("/topics/{}", discovery::ontology::shipped()[0].name.replace(' ', "%20"));
    let pages = [
        ("crawls", "/crawls"),
        ("crawl", "/crawls/1"),
        ("crawl-pages", "/crawls/1/pages?all=1"),
        ("crawl-start", "/crawls/start"),
        ("topics", "/topics"),
        ("topic", "/topics/Railways"),
        ("topic-shipped", shop.as_str()),
        ("topic-add", "/topics/add"),
    ];
    for (screen, name) in [(DESKTOP, "1280"), (PHONE, "390")] {
        let browser = Browser::start(screen).await;
        for (scheme, ending) in [("light", ""), ("dark", "-dark")] {
            browser.prefer_colours(scheme).await;
            for (page, path) in pages {
                browser.go(&world.url(path)).await;
                keep(&browser, &format!("{page}-{name}{ending}")).await;
            }
        }
    }
}
