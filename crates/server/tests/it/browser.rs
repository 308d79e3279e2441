//! In a real browser: the journey of a newcomer, and how every page looks.

use crate::world::World;
use server::Login;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use testkit::site::{Answer as Page, Site};
use testkit::webdriver::{Browser, Screen, keys};

pub(crate) const SOON: Duration = Duration::from_secs(15);
pub(crate) const DESKTOP: Screen = Screen::Desktop(1280, 900);
pub(crate) const PHONE: Screen = Screen::Phone(390, 844);

#[tokio::test]
async fn a_newcomer_adds_a_source_and_sees_its_articles_arrive() {
    let world = World::open().await;
    let browser = Browser::start(DESKTOP).await;
    browser.go(&world.url("/")).await;
    browser.click(".empty .primary").await;
    browser.type_into("[name=url]", world.site.url("/news").as_str()).await;
    browser.press(keys::ENTER).await;
    assert!(browser.text(".understood").await.contains("lists 8 articles"));
    browser.click(".offer button").await;
    browser.wait_until("document.querySelector('.understood')?.textContent.includes('A feed')", SOON).await;
    browser.click(".facts .primary").await;
    browser.wait_until("document.querySelectorAll('.item').length === 3", SOON).await;
    assert!(browser.text("h1").await.contains("The Harbour Times") || !browser.text("h1").await.is_empty());

    browser.go(&world.url("/")).await;
    browser.wait_until("document.querySelectorAll('.item').length === 3", SOON).await;
    browser.press("j").await;
    let chosen = browser.text(".item.current .title").await;
    world.published.store(5, Ordering::Relaxed);
    let visited = world.json("POST", "/api/v1/sources/1/visit", "").await;
    assert_eq!(visited.status, 202);
    browser.wait_until("document.querySelectorAll('.item').length === 5", SOON).await;
    assert_eq!(browser.text(".item.current .title").await, chosen, "the choice stays where it was");
    browser.wait_until("document.querySelector('#count-unread').textContent.trim() === '5'", SOON).await;

    browser.press("/").await;
    browser.press("ferry").await;
    browser.press(keys::ENTER).await;
    browser.wait_until("document.querySelectorAll('.item').length === 1", SOON).await;
    browser.press("j").await;
    browser.press("s").await;
    browser
        .wait_until("document.querySelector('.mark.star').getAttribute('aria-pressed') === 'true'", SOON)
        .await;
    assert_eq!(world.get("/api/v1/articles?starred=1").await.json().as_array().unwrap().len(), 1);
    browser.press("m").await;
    browser.wait_until("!document.querySelector('.item').classList.contains('unread')", SOON).await;
    browser.press("m").await;
    browser.wait_until("document.querySelector('.item').classList.contains('unread')", SOON).await;
    browser.press("o").await;
    browser.wait_until("location.pathname.startsWith('/articles/')", SOON).await;
    browser.wait_until("document.querySelector('[data-open]').hasAttribute('data-read')", SOON).await;

    browser.press("?").await;
    browser.wait_until("document.querySelector('dialog').open", SOON).await;
    browser.press(keys::ESCAPE).await;
    browser.press("gh").await;
    browser.wait_until("location.pathname === '/health'", SOON).await;
    assert!(browser.text(".verdict").await.contains("Everything is on time"));
}

#[tokio::test]
async fn foreign_text_does_not_run() {
    let world = World::open().await;
    let id = world.watch("/hostile.xml").await;
    let browser = Browser::start(DESKTOP).await;
    for path in ["/".to_owned(), "/articles/1".into(), "/sources".into(), format!("/sources/{id}")] {
        browser.go(&world.url(&path)).await;
        assert_eq!(browser.run("return window.owned ?? null").await, serde_json::Value::Null, "{path}");
    }
}

#[tokio::test]
async fn every_page_fits_a_desk_and_a_telephone() {
    let world = World::open().await;
    world.published.store(8, Ordering::Relaxed);
    let feed = world.watch("/feed.xml").await;
    world.watch("/news").await;
    // On a host of its own: a host in trouble is left alone for a while.
    let broken = Site::start_at("127.0.0.7".parse().unwrap(), None, |_| Page::status(500)).await;
    world.watch_url(&broken.url("/world/")).await;
    world.watch("/hostile.xml").await;
    world.all_read().await;
    for (id, marks) in
        [(2, r#"{"read":true}"#), (3, r#"{"read":true,"starred":true}"#), (6, r#"{"starred":true}"#)]
    {
        world.json("PATCH", &format!("/api/v1/articles/{id}"), marks).await;
    }
    for _ in 0..6 {
        let before = world.store.visits_of(feed, 50).await.unwrap().len();
        world.published.fetch_add(1, Ordering::Relaxed);
        world.json("POST", &format!("/api/v1/sources/{feed}/visit"), "").await;
        world.until(|| async { world.store.visits_of(feed, 50).await.unwrap().len() > before }).await;
    }
    world.json("PATCH", "/api/v1/sources/2", r#"{"paused":true}"#).await;
    let pages = [
        ("articles", "/".to_owned()),
        ("search", "/?search=ferry".into()),
        ("article", "/articles/1".into()),
        ("sources", "/sources?done=paused&n=1".into()),
        ("source", format!("/sources/{feed}")),
        ("failing", "/sources/3".into()),
        ("add", "/sources/add".into()),
        ("health", "/health".into()),
        ("nothing", "/no/such/page".into()),
    ];
    for (name, screen) in [("1280", DESKTOP), ("390", PHONE)] {
        let browser = Browser::start(screen).await;
        for (page, path) in &pages {
            browser.go(&world.url(path)).await;
            keep(&browser, &format!("{page}-{name}")).await;
        }
        browser.go(&world.url("/sources/add")).await;
        browser.type_into("[name=url]", world.site.url("/news?page=1").as_str()).await;
        browser.press(keys::ENTER).await;
        browser.find(".understood").await;
        keep(&browser, &format!("preview-{name}")).await;
        browser.prefer_colours("dark").await;
        for (page, path) in [&pages[0], &pages[3], &pages[7]] {
            browser.go(&world.url(path)).await;
            keep(&browser, &format!("{page}-{name}-dark")).await;
        }
    }
}

#[tokio::test]
async fn the_doors_and_empty_pages_fit_too() {
    let world = World::start(Login::Required { setup_token: Some("token".into()) }).await;
    let open = World::open().await;
    let browser = Browser::start(PHONE).await;
    browser.go(&world.url("/")).await;
    keep(&browser, "setup-390").await;
    browser.type_into("[name=token]", "token").await;
    browser.type_into("[name=password]", "three quiet herons").await;
    browser.type_into("[name=again]", "three quiet herons").await;
    browser.press(keys::ENTER).await;
    browser.wait_until("location.pathname === '/login'", SOON).await;
    keep(&browser, "login-390").await;
    browser.type_into("[name=password]", "three quiet herons").await;
    browser.press(keys::ENTER).await;
    browser.wait_until("location.pathname === '/'", SOON).await;
    keep(&browser, "empty-390").await;
    let browser = Browser::start(DESKTOP).await;
    browser.go(&open.url("/")).await;
    keep(&browser, "empty-1280").await;
    browser.go(&world.url("/login")).await;
    keep(&browser, "login-1280").await;
}

/// Keeps a picture of the page, and checks that nothing sticks out to the side.
pub(crate) async fn keep(browser: &Browser, name: &str) {
    let folder = PathBuf::from(std::env::var_os("SHOTS").unwrap_or(env!("CARGO_TARGET_TMPDIR").into()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), browser.screenshot().await).unwrap();
    let width = browser.run("return [document.documentElement.scrollWidth, innerWidth]").await;
    let (page, screen) = (width[0].as_u64().unwrap(), width[1].as_u64().unwrap());
    assert!(page <= screen && (!name.contains("390") || page <= 390), "{name} is {page} pixels wide");
}
