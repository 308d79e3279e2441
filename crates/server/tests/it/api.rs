//! The API: round trips, limits, errors.

use crate::world::World;

#[tokio::test]
async fn a_source_is_added_visited_edited_and_removed() {
    let world = World::open().await;
    let id = world.watch("/feed.xml").await;
    let path = format!("/api/v1/sources/{id}");
    let source = world.get(&path).await.json();
    assert_eq!(source["kind"], "feed");
    assert_eq!(source["title"], "The Harbour Times");
    assert_eq!(source["state"], "ok");
    assert_eq!(source["articles"], 3);
    assert_eq!(source["next_reason"], "every hour");
    assert_eq!(source["last_outcome"]["word"], "new_content");

    let edited =
        world.json("PATCH", &path, r#"{"title":"Harbour","interval_seconds":3600,"paused":true}"#).await;
    assert_eq!(edited.status, 200, "{}", edited.text);
    assert_eq!(edited.json()["title"], "Harbour");
    assert_eq!(edited.json()["state"], "paused");
    assert_eq!(edited.json()["interval_seconds"], 3600);
    let edited = world.json("PATCH", &path, r#"{"interval_seconds":null,"paused":false}"#).await.json();
    assert_eq!(edited["interval_seconds"], serde_json::Value::Null);
    assert_eq!(edited["title"], "Harbour", "what is left out stays");

    assert_eq!(world.json("POST", &format!("{path}/visit"), "").await.status, 202);
    world
        .until(|| async { world.get(&format!("{path}/visits")).await.json().as_array().unwrap().len() > 1 })
        .await;
    let visits = world.get(&format!("{path}/visits?limit=1")).await.json();
    assert_eq!(visits.as_array().unwrap().len(), 1);

    let listed = world.get("/api/v1/sources?search=harbour").await;
    assert_eq!(listed.header("x-total-count"), "1");
    let plan = world.get("/api/v1/plan").await.json();
    assert_eq!(plan[0]["source_title"], "Harbour");

    assert_eq!(world.ask("DELETE", &path, &[], "").await.status, 204);
    assert_eq!(world.get(&path).await.status, 404);
    assert_eq!(world.get("/api/v1/articles").await.json().as_array().unwrap().len(), 3, "articles stay");
}

#[tokio::test]
async fn articles_are_paged_searched_and_marked() {
    let world = World::open().await;
    world.watch("/feed.xml").await;
    world.all_read().await;
    let first = world.get("/api/v1/articles?limit=2").await;
    let articles = first.json();
    assert_eq!(articles.as_array().unwrap().len(), 2);
    for field in [
        "id",
        "url",
        "title",
        "published_at",
        "first_seen_at",
        "source_id",
        "source_title",
        "language",
        "summary",
        "body",
        "read",
        "starred",
    ] {
        assert!(articles[0].get(field).is_some(), "{field} is missing");
    }
    let next = first.header("link");
    let next = next.strip_prefix('<').and_then(|link| link.strip_suffix(">; rel=\"next\"")).unwrap();
    let second = world.get(next).await;
    assert_eq!(second.json().as_array().unwrap().len(), 1);
    assert_eq!(second.header("link"), "");

    let found = world.get("/api/v1/articles?search=ferry+timetable").await.json();
    assert_eq!(found.as_array().unwrap().len(), 1);
    let path = format!("/api/v1/articles/{}", found[0]["id"]);
    let marked = world.json("PATCH", &path, r#"{"starred":true,"read":true}"#).await.json();
    assert_eq!((&marked["starred"], &marked["read"]), (&true.into(), &true.into()));
    assert_eq!(world.get("/api/v1/articles?starred=1").await.json().as_array().unwrap().len(), 1);
    assert_eq!(world.get("/api/v1/articles?unread=true").await.json().as_array().unwrap().len(), 2);

    let one = world.get(&path).await.json();
    assert!(one["text"].as_str().unwrap().contains("turning point"), "{one}");
    assert_eq!(one["listed_by"][0]["title"], "The Harbour Times");
    let page = world.get(&format!("{path}/page")).await;
    assert_eq!(page.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert!(page.text.contains("<article>"));
}

#[tokio::test]
async fn what_cannot_be_done_is_said_with_the_right_status() {
    let world = World::open().await;
    let id = world.watch("/feed.xml").await;
    let feed = world.site.url("/feed.xml");
    for (method, path, body, status, said) in [
        ("GET", "/api/v1/articles?limit=0", String::new(), 400, "limit must be between 1 and 1000"),
        ("GET", "/api/v1/articles?limit=1001", String::new(), 400, "limit must be"),
        ("GET", "/api/v1/articles?limit=many", String::new(), 400, "limit"),
        ("GET", "/api/v1/articles?sauce=1", String::new(), 400, "sauce"),
        ("GET", "/api/v1/articles?search=%21", String::new(), 400, "nothing to search for"),
        ("GET", "/api/v1/articles/999", String::new(), 404, "no article 999"),
        ("GET", "/api/v1/articles/x", String::new(), 400, "not a number"),
        ("GET", "/api/v1/nothing", String::new(), 404, "no such path"),
        ("GET", "/api/v1/sources/999/visits", String::new(), 404, "no source 999"),
        ("POST", "/api/v1/sources", format!("{{\"url\":\"{feed}\"}}"), 409, "already watched"),
        ("POST", "/api/v1/sources", r#"{"url":"javascript:alert(1)"}"#.into(), 422, "cannot be watched"),
        ("POST", "/api/v1/sources", r#"{"url":"a.example","selector":"a["}"#.into(), 422, "selector"),
        ("POST", "/api/v1/sources", r#"{"url":"a.example","interval_seconds":1}"#.into(), 422, "1 minute"),
        ("POST", "/api/v1/sources", r#"{"url":"a.example","colour":1}"#.into(), 400, "colour"),
        ("POST", "/api/v1/sources", "{".into(), 400, "JSON"),
    ] {
        let answer = world.json(method, path, &body).await;
        assert_eq!(answer.status, status, "{method} {path} {body}: {}", answer.text);
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(said), "{path}: {error}");
    }
    let duplicate = world.json("POST", "/api/v1/sources", &format!("{{\"url\":\"{feed}\"}}")).await.json();
    assert_eq!(duplicate["source_id"], id.0);
    let huge = format!("{{\"url\":\"{}\"}}", "a".repeat(3 << 20));
    assert_eq!(world.json("POST", "/api/v1/sources", &huge).await.status, 413);
}

#[tokio::test]
async fn a_preview_keeps_nothing() {
    let world = World::open().await;
    let body = format!("{{\"url\":\"{}\"}}", world.site.url("/news"));
    let preview = world.json("POST", "/api/v1/preview", &body).await.json();
    assert_eq!(preview["kind"], "article_list", "{preview}");
    assert_eq!(preview["articles"].as_array().unwrap().len(), 8);
    assert_eq!(preview["feeds"][0]["title"], "All stories");
    let private = format!("{{\"url\":\"{}\"}}", world.site.url("/private/news"));
    let refused = world.json("POST", "/api/v1/preview", &private).await.json();
    assert_eq!(refused["outcome"]["word"], "refused_by_robots");
    assert!(world.get("/api/v1/sources").await.json().as_array().unwrap().is_empty());
}

#[tokio::test]
async fn it_says_how_it_is() {
    let world = World::open().await;
    world.watch("/feed.xml").await;
    let health = world.get("/api/v1/health").await.json();
    assert_eq!((&health["alive"], &health["sources"]), (&true.into(), &1.into()));
    assert_eq!(health["visits"][0]["outcome"], "new_content");
    let alive = world.get("/healthz").await;
    assert_eq!((alive.status.as_u16(), &alive.json()["alive"]), (200, &true.into()));
    assert_eq!(world.get("/readyz").await.status, 200);
    let metrics = world.get("/metrics").await.text;
    assert!(metrics.contains("ripplewatch_visits_total 1"), "{metrics}");
    assert!(metrics.contains("ripplewatch_sources 1"), "{metrics}");
    assert!(metrics.ends_with("# EOF\n"));
}

#[tokio::test]
async fn the_dashboard_shows_what_is_counted() {
    let world = World::open().await;
    world.store.sign_on("one", "one", store::Roles::ALL).await.unwrap();
    let metrics = world.get("/metrics").await.text;
    let dashboard = include_str!("../../../../operations/grafana.json");
    let shown: std::collections::BTreeSet<&str> = dashboard
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("ripplewatch_"))
        .collect();
    assert!(shown.len() > 10, "{shown:?}");
    for name in shown {
        let counted = metrics.lines().any(|line| line.split([' ', '{']).next() == Some(name));
        assert!(counted, "{name} is shown and not counted");
    }
}
