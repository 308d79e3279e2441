//! The pages: they hold what they should, and nothing foreign comes alive in them.

use crate::world::World;
use server::{Access, routes};

const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let world = World::open().await;
    world.watch("/feed.xml").await;
    for route in routes().iter().filter(|route| route.method == "GET" && !route.path.ends_with("/stream")) {
        let path = route.path.replace("{id}", "1").replace("{file}", "nothing");
        let answer = world.get(&path).await;
        assert_eq!(answer.header("content-security-policy"), POLICY, "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin", "{path}");
        if answer.header("content-type").starts_with("text/html") {
            assert!(!answer.text.contains(" style="), "{path} has an inline style");
            assert!(!answer.text.contains("<script>"), "{path} has an inline script");
            assert_eq!(answer.text.matches("<h1").count(), 1, "{path} has one main heading");
        }
    }
    assert_eq!(world.get("/no/such/page").await.status, 404);
    assert_eq!(world.ask("GET", "/", &[("host", "x")], "").await.header("content-security-policy"), POLICY);
}

#[tokio::test]
async fn foreign_text_stays_text() {
    let world = World::open().await;
    let id = world.watch("/hostile.xml").await;
    world.all_read().await;
    for path in
        ["/".to_owned(), "/articles/1".into(), "/sources".into(), format!("/sources/{id}"), "/health".into()]
    {
        let page = world.get(&path).await.text;
        assert!(!page.contains("<script>"), "{path}: {page}");
        assert!(!page.contains("onerror=window"), "{path}: {page}");
        assert!(!page.contains("href=\"javascript:"), "{path}");
    }
    let mut person = world.person();
    let url = world.site.url("/hostile.xml").to_string();
    world.ask("DELETE", &format!("/api/v1/sources/{id}"), &[], "").await;
    let preview = person.send("/sources/add", "/sources/preview", &[("url", &url)]).await;
    assert_eq!(preview.status, 200);
    assert!(!preview.text.contains("<script>") && !preview.text.contains("javascript:"), "{}", preview.text);
    let echoed = world.get("/?search=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&done=%3Cscript%3E").await.text;
    assert!(!echoed.contains("<script>"));
    let page = world.get("/api/v1/articles/1/page").await;
    assert_eq!(page.header("content-type"), "text/plain; charset=utf-8");
}

#[tokio::test]
async fn empty_pages_say_what_to_do() {
    let world = World::open().await;
    for (path, said) in [
        ("/", "Nothing is watched yet"),
        ("/?unread=1", "All read"),
        ("/?starred=1", "No stars yet"),
        ("/?search=herons", "No article has all these words"),
        ("/?search=%21", "No article has all these words"),
        ("/sources", "Nothing is watched yet"),
        ("/sources?failing=1", "Nothing fails"),
        ("/health", "Running. Everything is on time."),
    ] {
        let page = world.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.text.contains(said), "{path}: {}", page.text);
    }
}

#[tokio::test]
async fn a_source_is_added_through_its_preview_without_a_script() {
    let world = World::open().await;
    let mut person = world.person();
    let url = world.site.url("/news").to_string();
    let preview = person.send("/sources/add", "/sources/preview", &[("url", &url)]).await;
    assert!(preview.text.contains("A page that lists 8 articles."), "{}", preview.text);
    assert!(preview.text.contains("This page offers 1 feed."));
    assert!(world.get("/api/v1/sources").await.text == "[]", "nothing is kept yet");
    let added = person
        .send("/sources/add", "/sources", &[("url", &url), ("title", "Harbour"), ("interval", "900")])
        .await;
    assert_eq!(added.status, 303, "{}", added.text);
    let page = person.get(added.header("location")).await.text;
    assert!(page.contains("Watching.") && page.contains("Harbour") && page.contains("Every 15 minutes"));
    let again = person.send("/sources/add", "/sources/preview", &[("url", &url)]).await;
    assert!(again.text.contains("already watched") && again.text.contains("/sources/1"));
}

#[tokio::test]
async fn a_preview_that_fails_says_why_and_what_next() {
    let world = World::open().await;
    let mut person = world.person();
    for (url, said) in [
        ("javascript:alert(1)".to_owned(), "cannot be watched"),
        (world.site.url("/private/x").to_string(), "Refused by robots.txt"),
        ("http://10.0.0.1/".to_owned(), "Refused by the gate"),
        (world.site.url("/nothing").to_string(), "Gone (HTTP 404)"),
    ] {
        let answer = person.send("/sources/add", "/sources/preview", &[("url", &url)]).await;
        assert_eq!(answer.status, 200, "{url}");
        assert!(answer.text.contains(said), "{url}: {}", answer.text);
    }
}

#[tokio::test]
async fn many_sources_at_once() {
    let world = World::open().await;
    world.watch("/feed.xml").await;
    let mut person = world.person();
    let list = format!(
        "{}\n# a comment\n{}\n{}\nftp://a.example\n",
        world.site.url("/feed.xml"),
        world.site.url("/news"),
        world.site.url("/news")
    );
    let checked = person.send("/sources/add", "/sources/preview", &[("many", &list)]).await.text;
    assert!(checked.contains("1 source to add") && checked.contains("Line 5:"), "{checked}");
    assert!(checked.contains("2 addresses left out"), "{checked}");
    let added = person.send("/sources/add", "/sources/many", &[("many", &list)]).await;
    assert_eq!(added.header("location"), "/sources?done=added_many&n=1");
    let opml = world.get("/sources.opml").await;
    assert!(opml.text.contains("xmlUrl"), "{}", opml.text);
    let fresh = World::open().await;
    let mut person = fresh.person();
    let added = person.send("/sources/add", "/sources/many", &[("many", &opml.text)]).await;
    assert_eq!(added.header("location"), "/sources?done=added_many&n=2");
}

#[tokio::test]
async fn deeds_on_ticked_sources() {
    let world = World::open().await;
    let (feed, news) = (world.watch("/feed.xml").await.to_string(), world.watch("/news").await.to_string());
    let mut person = world.person();
    let both = |deed: &'static str| {
        [("id", feed.as_str()), ("id", news.as_str()), ("deed", deed), ("back", "/sources")]
    };
    let paused = person.send("/sources", "/sources/deeds", &both("pause")).await;
    assert_eq!(paused.header("location"), "/sources?done=paused&n=2");
    let page = person.get("/sources?done=paused&n=2").await.text;
    assert!(page.contains("2 sources paused.") && page.contains("Paused by you"), "{page}");
    let resumed = person.send("/sources", "/sources/deeds", &both("resume")).await;
    assert_eq!(resumed.header("location"), "/sources?done=resumed&n=2");
    let sure = person.send("/sources", "/sources/deeds", &both("remove")).await;
    assert!(sure.text.contains("Remove 2 sources?") && world.get("/api/v1/sources").await.text != "[]");
    let removed = person.send("/sources", "/sources/deeds", &both("remove_confirmed")).await;
    assert_eq!(removed.header("location"), "/sources?done=removed&n=2");
    assert_eq!(world.get("/api/v1/sources").await.text, "[]");
    let none = person.send("/sources/add", "/sources/deeds", &[("deed", "pause")]).await;
    assert!(none.header("location").contains("done=nothing"));
}

#[tokio::test]
async fn marks_and_edits_by_form() {
    let world = World::open().await;
    let id = world.watch("/feed.xml").await;
    let mut person = world.person();
    let starred = person.send("/", "/articles/1/marks", &[("starred", "1"), ("back", "/?unread=1")]).await;
    assert_eq!(starred.header("location"), "/?unread=1&done=starred");
    assert_eq!(world.get("/api/v1/articles/1").await.json()["starred"], true);
    let all = person.send("/", "/articles/read", &[("up_to", "3"), ("back", "/")]).await;
    assert_eq!(all.header("location"), "/?done=all_read&n=3");
    let page = format!("/sources/{id}");
    let edited =
        person.send(&page, &page, &[("title", "New name"), ("selector", ""), ("interval", "3600")]).await;
    assert_eq!(edited.status, 303);
    assert!(person.get(&page).await.text.contains("New name"));
    let wrong = person.send(&page, &page, &[("title", "x"), ("selector", "a["), ("interval", "")]).await;
    assert_eq!(wrong.status, 422);
}

#[tokio::test]
async fn assets_may_be_kept_for_ever() {
    let world = World::open().await;
    let page = world.get("/").await.text;
    let (_, after) = page.split_once("rel=\"stylesheet\" href=\"").unwrap();
    let style = world.get(after.split('"').next().unwrap()).await;
    assert_eq!(style.header("cache-control"), "public, max-age=31536000, immutable");
    assert!(style.header("content-type").starts_with("text/css"));
    assert!(routes().iter().any(|route| route.path == "/assets/{file}" && route.access == Access::Anyone));
}
