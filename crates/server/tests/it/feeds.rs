//! Feeds, read back by our own reader.

use crate::client::Answer;
use crate::world::World;
use jiff::Timestamp;
use page::{Caps, Input};
use server::Login;
use url::Url;

fn read(world: &World, path: &str, answer: &Answer) -> Vec<(String, String)> {
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    let url: Url = world.url(path);
    let input =
        Input { url: &url, content_type: Some(answer.header("content-type")), bytes: answer.text.as_bytes() };
    let listing = page::read_listing(&input, None, &Caps::default());
    listing.articles.into_iter().map(|found| (found.title, found.url.to_string())).collect()
}

#[tokio::test]
async fn articles_come_out_as_they_came_in() {
    let world = World::open().await;
    world.watch("/feed.xml").await;
    for path in ["/feeds/articles.atom", "/feeds/articles.rss"] {
        let answer = world.get(path).await;
        let found = read(&world, path, &answer);
        assert_eq!(found.len(), 3, "{}", answer.text);
        assert_eq!(found[0].0, "Researchers map the seabed where the old lighthouse stood");
        assert!(found[0].1.starts_with(world.site.url("/story/").as_str()), "{found:?}");
        assert!(
            answer.header("content-type").contains("xml")
                && answer.header("cache-control").contains("no-cache")
        );
        assert_eq!(read(&world, path, &world.get(&format!("{path}?limit=1")).await).len(), 1);
        assert_eq!(world.get(&format!("{path}?limit=201")).await.status, 400);
    }
    assert_eq!(world.get("/feeds/articles.json").await.status, 404);
    assert_eq!(world.get("/feeds/other.atom").await.status, 404);
}

#[tokio::test]
async fn what_a_hostile_page_calls_an_article_is_still_a_feed() {
    let world = World::open().await;
    world.watch("/hostile.xml").await;
    for path in ["/feeds/articles.atom", "/feeds/articles.rss"] {
        let answer = world.get(path).await;
        assert!(!read(&world, path, &answer).is_empty(), "{}", answer.text);
        assert!(!answer.text.contains("<script") && !answer.text.contains("<img"), "{}", answer.text);
    }
}

#[tokio::test]
async fn who_has_it_already_is_told_so() {
    let world = World::open().await;
    world.watch("/feed.xml").await;
    let path = "/feeds/articles.atom";
    let first = world.get(path).await;
    let (tag, modified) = (first.header("etag").to_owned(), first.header("last-modified").to_owned());
    let again = world.ask("GET", path, &[("if-none-match", &tag)], "").await;
    assert_eq!((again.status.as_u16(), again.text.as_str(), again.header("etag")), (304, "", tag.as_str()));
    assert_eq!(world.ask("GET", path, &[("if-none-match", "\"x\", W/\"y\"")], "").await.status, 200);
    assert_eq!(world.ask("GET", path, &[("if-modified-since", &modified)], "").await.status, 304);
    assert_eq!(
        world.ask("GET", path, &[("if-modified-since", "Mon, 06 Jul 2020 10:00:00 GMT")], "").await.status,
        200
    );
    assert_eq!(world.get(path).await.text, first.text, "nothing in it depends on the time");
}

#[tokio::test]
async fn a_folder_has_a_feed_of_all_within_it_and_pages_name_theirs() {
    let world = World::open().await;
    let outer = world.store.create_folder("Coast & Sea".into()).await.unwrap();
    let path = format!("/feeds/folders/{outer}.atom");
    let answer = world.get(&path).await;
    assert!(
        answer.text.contains("Coast &amp; Sea") && read(&world, &path, &answer).is_empty(),
        "{}",
        answer.text
    );
    assert_eq!(world.get("/feeds/folders/99.rss").await.status, 404);
    for (page, feed) in [
        ("/", "/feeds/articles.atom"),
        (&*format!("/folders/{outer}"), &*path),
        (&*format!("/?folder={outer}"), &*path),
    ] {
        let text = world.get(page).await.text;
        assert!(text.contains("rel=\"alternate\"") && text.contains(&format!("href=\"{feed}\">")), "{page}");
    }
    let events = world.get("/feeds/events.atom").await;
    assert!(events.status == 200 && events.text.contains("1970-01-01T00:00:00Z"), "{}", events.text);
}

#[tokio::test]
async fn a_key_opens_feeds_and_nothing_else() {
    let world = World::start(Login::Required { setup_token: None }).await;
    server::set_password(&world.store, "three quiet herons").await.unwrap();
    let mut person = world.person();
    person.send("/login", "/login", &[("password", "three quiet herons")]).await;
    assert_eq!(world.get("/feeds/articles.rss").await.status, 401);
    assert_eq!(world.get("/feeds/articles.rss?key=").await.status, 401);
    assert!(person.get("/notifications").await.text.contains("Make a key"));
    person.send("/notifications", "/notifications/feed-key", &[("deed", "renew")]).await;
    let key: String = world.store.setting("feed_key").await.unwrap().unwrap();
    assert!(person.get("/notifications").await.text.contains(&format!("/feeds/events.atom?key={key}")));
    let with = |path: &str| format!("{path}?key={key}");
    assert_eq!(world.get(&with("/feeds/articles.rss")).await.status, 200);
    assert_eq!(world.get(&format!("/feeds/articles.rss?key={}", "0".repeat(64))).await.status, 401);
    assert_eq!(world.get(&with("/api/v1/articles")).await.status, 401);
    assert_eq!(world.get(&with("/notifications")).await.status, 303);
    let token = world.store.add_token("reader".into(), Timestamp::now()).await.unwrap();
    let bearer = format!("Bearer {}", token.reveal());
    assert_eq!(world.ask("GET", "/feeds/articles.rss", &[("authorization", &bearer)], "").await.status, 200);
    person.send("/notifications", "/notifications/feed-key", &[("deed", "revoke")]).await;
    assert_eq!(world.get(&with("/feeds/articles.rss")).await.status, 401);
}
