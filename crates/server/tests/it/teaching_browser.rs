//! In a real browser: rules taught by clicking words, a conflict met and resolved, a lesson undone.

use crate::teaching::article;
use crate::world::World;
use model::ArticleId;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;
use testkit::webdriver::{Browser, Screen, keys};

const SOON: Duration = Duration::from_secs(15);
const DESKTOP: Screen = Screen::Desktop(1280, 900);
const PHONE: Screen = Screen::Phone(390, 844);

async fn newspaper() -> World {
    let world = World::open().await;
    world.published.store(8, Ordering::Relaxed);
    world.watch("/feed.xml").await;
    world.all_read().await;
    world
}

async fn open(browser: &Browser, world: &World, headline: &str) -> i64 {
    let id = article(world, headline).await;
    browser.go(&world.url(&format!("/articles/{id}/teach"))).await;
    id
}

async fn word(browser: &Browser, field: &str, word: &str) {
    browser.click(&format!(".words[data-field={field}] [data-w=\"{word}\"]")).await;
}

async fn says(browser: &Browser, selector: &str, text: &str) {
    let expression = format!("document.querySelector('{selector}')?.textContent.includes('{text}')");
    browser.wait_until(&expression, SOON).await;
}

async fn folder(browser: &Browser, path: &str) {
    browser.type_into("#to", path).await;
    browser.press(keys::ENTER).await;
}

async fn commit(browser: &Browser) {
    browser.wait_until("document.querySelector('[value=commit]')?.disabled === false", SOON).await;
    browser.click("[value=commit]").await;
    browser.wait_until("location.search.startsWith('?taught=')", SOON).await;
}

/// The folders of an article by the rules as they are.
async fn filed(world: &World, id: i64) -> serde_json::Value {
    world.get(&format!("/api/v1/articles/{id}/filing")).await.json()["folders"].take()
}

#[tokio::test]
async fn rules_are_taught_by_clicking_words() {
    let world = newspaper().await;
    let browser = Browser::start(DESKTOP).await;

    // A rule at the root, from the article's own page, into a folder that is made by it.
    let museum = article(&world, "Museum").await;
    browser.go(&world.url(&format!("/articles/{museum}"))).await;
    browser.press("f").await;
    browser.wait_until("location.pathname.endsWith('/teach')", SOON).await;
    folder(&browser, "News").await;
    word(&browser, "body", "debate").await;
    says(&browser, "#effect", "8 stored articles change: 8 gain News").await;
    says(&browser, "#conflicts", "No earlier decision changes").await;
    // Clicking again takes back; and once more picks.
    word(&browser, "body", "debate").await;
    browser.wait_until("!document.querySelector('#effect')", SOON).await;
    word(&browser, "body", "debate").await;
    commit(&browser).await;

    // A refinement: it is in News, and belongs into Sea instead.
    let ferry = open(&browser, &world, "Ferry").await;
    browser.click("[name=wrong][value=\"move:News\"]").await;
    folder(&browser, "Sea").await;
    word(&browser, "title", "ferry").await;
    says(&browser, "#effect", "gain Sea").await;
    commit(&browser).await;
    assert_eq!(filed(&world, ferry).await, json!(["Sea"]));

    // A stop.
    let tram = open(&browser, &world, "Tram").await;
    browser.click("[name=wrong][value=\"remove:News\"]").await;
    word(&browser, "title", "tram").await;
    says(&browser, "#effect", "1 stored article changes: 1 lose News").await;
    commit(&browser).await;
    assert_eq!(filed(&world, tram).await, json!([]));

    // A word that is everywhere would change three earlier decisions; one word of the difference list resolves all.
    let pier = open(&browser, &world, "Harbour").await;
    folder(&browser, "Council").await;
    word(&browser, "body", "mayor").await;
    says(&browser, "#conflicts", "3 earlier decisions would change").await;
    assert!(browser.find_now("[value=commit]:not([disabled])").await.is_none());
    says(&browser, ".difference-word .count", "−3").await;
    browser.click(".difference-word").await;
    says(&browser, "#conflicts", "No earlier decision changes").await;
    commit(&browser).await;
    assert_eq!(filed(&world, pier).await, json!(["Council", "News"]));
    let rules = world.store.knowledge(|base| base.tree().rules().to_vec()).await.unwrap();
    assert_eq!(
        rules.iter().map(|rule| (rule.id.0, rule.parent.0)).collect::<Vec<_>>(),
        [(1, 0), (2, 1), (3, 1), (4, 0)]
    );
    assert_eq!(rules[2].conclusion, knowledge::Conclusion::Stop);
    assert_eq!(rules[3].condition.len(), 2);
    assert!(rules.iter().all(|rule| rule.origin.author.as_deref() == Some("web")));

    // And it is taken back.
    browser.click("#undo").await;
    browser.wait_until("location.search === '?undone=1'", SOON).await;
    assert_eq!(filed(&world, pier).await, json!(["News"]));
    let (rules, misfiled) = world
        .store
        .knowledge(|base| (base.tree().rules().len(), base.cornerstones().misfiled(base.tree()).len()))
        .await
        .unwrap();
    assert_eq!((rules, misfiled), (3, 0));
    // The stored filing follows in the background.
    world.until(|| async { world.store.filing(ArticleId(ferry)).await.unwrap().by.len() == 1 }).await;
}

#[tokio::test]
async fn all_of_it_works_by_keyboard() {
    let world = newspaper().await;
    let browser = Browser::start(DESKTOP).await;
    let ferry = open(&browser, &world, "Ferry").await;
    browser.press("/").await;
    browser.press("Transport/Sea").await;
    browser.press(keys::ENTER).await;
    // The focus is on the first word: Ferry.
    browser.press(keys::ENTER).await;
    says(&browser, "#literals .word", "ferry").await;
    says(&browser, "#effect", "gain Transport/Sea").await;
    // Shift and arrows choose “timetable changes”.
    let key = |key: &str, shift: bool| {
        format!(
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', \
             {{ key: '{key}', shiftKey: {shift}, bubbles: true, cancelable: true }}))"
        )
    };
    for (name, shift) in [("ArrowRight", false), ("ArrowRight", true)] {
        browser.run(&key(name, shift)).await;
    }
    assert!(browser.text("#phrase").await.contains("timetable changes"));
    browser.press(keys::ENTER).await;
    browser
        .wait_until("document.querySelectorAll('#literals .literal:not(.typed)').length === 2", SOON)
        .await;
    // A word of the title can be lacking from the body.
    browser.run(&key("ArrowDown", false)).await;
    browser.press("?").await;
    browser.wait_until("document.querySelector('#teach-keys').open", SOON).await;
    browser.press(keys::ESCAPE).await;
    browser.wait_until("document.querySelector('[value=commit]')?.disabled === false", SOON).await;
    browser.press("c").await;
    browser.wait_until("location.search.startsWith('?taught=')", SOON).await;
    assert_eq!(filed(&world, ferry).await, json!(["Transport/Sea"]));
    let phrase = world
        .store
        .knowledge(|base| base.tree().rules()[0].condition[1].term().map(ToString::to_string))
        .await
        .unwrap();
    assert_eq!(phrase.as_deref(), Some("“timetable changes”"));
}

#[tokio::test]
async fn the_page_fits_a_desk_and_a_telephone() {
    let world = newspaper().await;
    let museum = article(&world, "Museum").await;
    for (path, word, field) in [
        ("News", "debate", "body"),
        ("Culture/Museums", "museum", "title"),
        ("Sports/Soccer", "charts", "title"),
    ] {
        let body = json!({ "correction": { "add": path }, "condition": [{ "field": field, "has": word }], "commit": true });
        let taught = world.json("POST", &format!("/api/v1/articles/{museum}/teach"), &body.to_string()).await;
        assert_eq!(taught.status, 200, "{}", taught.text);
    }
    for (name, screen) in [("1280", DESKTOP), ("390", PHONE)] {
        let browser = Browser::start(screen).await;
        for scheme in ["light", "dark"] {
            browser.prefer_colours(scheme).await;
            open(&browser, &world, "Harbour").await;
            keep(&browser, &format!("teach-begin-{name}-{scheme}")).await;
            browser.click("#to").await;
            browser.wait_until("!document.querySelector('#folder-list').hidden", SOON).await;
            keep(&browser, &format!("teach-folders-{name}-{scheme}")).await;
            browser.run("document.querySelector('#to').blur()").await;
            folder(&browser, "Council").await;
            word(&browser, "body", "mayor").await;
            says(&browser, "#conflicts", "would change").await;
            browser.run("document.querySelector('.reason').open = true").await;
            keep(&browser, &format!("teach-conflict-{name}-{scheme}")).await;
            browser.click("[value=fix]").await;
            browser.click("[value=use_fix]").await;
            says(&browser, "#conflicts", "No earlier decision changes").await;
            keep(&browser, &format!("teach-ready-{name}-{scheme}")).await;
        }
    }
}

/// Keeps a picture of the whole page, the panel unrolled, and checks that nothing sticks out to the side.
async fn keep(browser: &Browser, name: &str) {
    let folder = PathBuf::from(std::env::var_os("SHOTS").unwrap_or(env!("CARGO_TARGET_TMPDIR").into()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), browser.screenshot().await).unwrap();
    let width = browser
        .run("const main = document.querySelector('main'); return [main.scrollWidth, main.clientWidth]")
        .await;
    assert_eq!(width[0], width[1], "something sticks out of {name}");
}
