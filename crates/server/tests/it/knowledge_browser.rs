//! Folders, rules and the review queue in a real browser.

use crate::browser::{DESKTOP, PHONE, SOON, keep};
use crate::school::{find, has, refiled, rule_on, taught, teach};
use crate::world::World;
use knowledge::{Correction, Field, ImportOptions, Interchange};
use std::sync::atomic::Ordering;
use testkit::webdriver::{Browser, keys};

const BASE: &str = r#"
if title has "harbour" then Town/Council  [10]
    if body has "pier" then Town/Building  [11]
        if title lacks "storms" then stop  [12]
if title has "seabed" then Science/Oceans  [13]
"#;

async fn import(world: &World, text: String) {
    let import = move |base: &knowledge::Base| {
        let import = Interchange::parse(&text).unwrap().import(base, ImportOptions::default()).unwrap();
        Ok((import.folders, import.lesson))
    };
    world.store.learn_with_folders(Some("anna".into()), jiff::Timestamp::now(), import).await.unwrap();
    refiled(world).await;
}

/// A world with eight articles and enough rules to look at.
async fn busy() -> World {
    let (world, ferry, sea) = taught().await;
    world.published.store(8, Ordering::Relaxed);
    world.json("POST", "/api/v1/sources/1/visit", "").await;
    world.until(|| async { world.get("/api/v1/articles").await.json().as_array().unwrap().len() == 8 }).await;
    world.all_read().await;
    import(&world, BASE.to_owned()).await;
    teach(&world, ferry, Correction::Remove(sea), vec![has(Field::Body, "winter")]).await;
    let council = find(&world, "fishing fleet").await;
    teach(&world, council, Correction::Add(sea), vec![has(Field::Body, "mayor")]).await;
    let town = world.store.create_folder("Town/Library".into()).await.unwrap();
    rule_on(&world, town, &["library", "opens"]).await;
    world
}

#[tokio::test]
async fn pages_about_knowledge_fit_a_desk_and_a_telephone() {
    let world = busy().await;
    world.until(|| async { world.get("/review").await.text.contains("class=\"reason\"") }).await;
    let ferry = find(&world, "ferry timetable").await;
    let pages = [
        ("filed", "/".to_owned()),
        ("in-folder", "/?folder=1".into()),
        ("filed-article", "/articles/1".into()),
        ("stopped-article", format!("/articles/{ferry}")),
        ("folders", "/folders".into()),
        ("folder", "/folders/2".into()),
        ("rules", "/rules".into()),
        ("rules-found", "/rules?search=pier".into()),
        ("rule", "/rules/11".into()),
        ("retire", "/rules/1/retire".into()),
        ("lessons", "/rules/lessons".into()),
        ("report", "/rules/report".into()),
        ("review", "/review".into()),
    ];
    for (name, screen) in [("1280", DESKTOP), ("390", PHONE)] {
        let browser = Browser::start(screen).await;
        for (page, path) in &pages {
            browser.go(&world.url(path)).await;
            keep(&browser, &format!("{page}-{name}")).await;
        }
        browser.prefer_colours("dark").await;
        for (page, path) in [&pages[2], &pages[4], &pages[6], &pages[12]] {
            browser.go(&world.url(path)).await;
            keep(&browser, &format!("{page}-{name}-dark")).await;
        }
    }
}

#[tokio::test]
async fn a_live_list_keeps_the_keyboard_where_it_is() {
    let (world, _, _) = taught().await;
    let browser = Browser::start(DESKTOP).await;
    browser.go(&world.url("/")).await;
    browser.wait_until("document.querySelectorAll('.item').length === 3", SOON).await;
    browser.run("document.querySelector('#a2 .title').focus()").await;
    world.published.store(5, Ordering::Relaxed);
    world.json("POST", "/api/v1/sources/1/visit", "").await;
    browser.wait_until("document.querySelectorAll('.item').length === 5", SOON).await;
    let focused = browser.run("return document.activeElement.getAttribute('href')").await;
    assert_eq!(focused, "/articles/2");
}

#[tokio::test]
async fn rules_are_unfolded_where_they_are_and_stay_so() {
    let (world, _, _) = taught().await;
    let many = (0..300).fold("if title has \"harbour\" then News  [100]\n".to_owned(), |text, n| {
        text + &format!("    if body has \"word{n}\" then stop  [{}]\n", 200 + n)
    });
    import(&world, many).await;
    let browser = Browser::start(DESKTOP).await;
    browser.go(&world.url("/rules")).await;
    browser.run("document.querySelector('[data-fetch] > summary').click()").await;
    browser.wait_until("document.querySelectorAll('#rule-100 li').length === 300", SOON).await;
    // Another change comes: what is unfolded stays.
    let lighthouse = find(&world, "lighthouse").await;
    let folder = world.store.create_folder("Science".into()).await.unwrap();
    teach(&world, lighthouse, Correction::Add(folder), vec![has(Field::Title, "seabed")]).await;
    world.json("POST", "/api/v1/refiling/resume", "").await;
    browser.wait_until("document.querySelector('#rules').textContent.includes('seabed')", SOON).await;
    let unfolded = browser.run("return document.querySelectorAll('#rule-100[open] li').length").await;
    assert_eq!(unfolded, 300);
}

#[tokio::test]
async fn folders_and_marks_by_keyboard() {
    let (world, ferry, _) = taught().await;
    let browser = Browser::start(DESKTOP).await;
    browser.go(&world.url("/")).await;
    browser.press("gf").await;
    browser.wait_until("location.pathname === '/folders'", SOON).await;
    browser.type_into("[name=path]", "Town/Council").await;
    browser.press(keys::ENTER).await;
    browser.wait_until("document.querySelector('#folders').textContent.includes('Council')", SOON).await;
    browser.go(&world.url(&format!("/articles/{ferry}"))).await;
    browser
        .wait_until("document.readyState === 'complete' && document.querySelector('[data-key=c]')", SOON)
        .await;
    browser.press("c").await;
    browser.wait_until("document.querySelector('#filing').textContent.includes('You said')", SOON).await;
    browser.press("f").await;
    browser.wait_until("location.pathname.endsWith('/teach')", SOON).await;
}
