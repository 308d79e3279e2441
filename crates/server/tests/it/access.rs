//! Who may do what: every route in both login modes, tokens, forms, hosts, the password.

use crate::client::{Answer, Person};
use crate::world::World;
use jiff::Timestamp;
use server::{Access, Login, Route, routes};

const PASSWORD: &str = "three quiet herons";

async fn locked() -> World {
    let world = World::start(Login::Required { setup_token: None }).await;
    server::set_password(&world.store, PASSWORD).await.unwrap();
    world
}

async fn logged_in(world: &World) -> Person {
    let mut person = world.person();
    let answer = person.send("/login", "/login", &[("password", PASSWORD)]).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    person
}

/// A path with numbers and files where it has names. The stream is left out where it would never end.
fn example(route: &Route) -> String {
    route.path.replace("{id}", "1").replace("{file}", "nothing.css")
}

async fn try_it(world: &World, route: &Route, headers: &[(&str, &str)]) -> Answer {
    world.ask(route.method, &example(route), headers, "").await
}

#[tokio::test]
async fn every_route_asks_for_the_login() {
    let world = locked().await;
    let (pages, programs) = (count(Access::Person), count(Access::Program));
    assert!(pages >= 14 && programs >= 14, "{pages} pages, {programs} for programs");
    for route in routes() {
        let answer = try_it(&world, &route, &[("content-type", "application/json")]).await;
        match route.access {
            Access::Person => {
                assert_eq!(answer.status, 303, "{route:?}");
                assert!(answer.header("location").starts_with("/login"), "{route:?}");
            }
            Access::Program | Access::Reader => {
                assert_eq!(answer.status, 401, "{route:?}");
                assert!(answer.json()["error"].is_string(), "{route:?}");
            }
            Access::Anyone => assert_ne!(answer.status, 401, "{route:?}"),
        }
    }
}

fn count(access: Access) -> usize {
    routes().iter().filter(|route| route.access == access).count()
}

#[tokio::test]
async fn every_route_opens_with_the_login_or_a_token() {
    let world = locked().await;
    let cookie = logged_in(&world).await.cookie();
    let token = world.store.add_token("test".into(), Timestamp::now()).await.unwrap();
    let bearer = format!("Bearer {}", token.reveal());
    for route in routes().iter().filter(|route| route.method == "GET" && !route.path.ends_with("/stream")) {
        let as_person = try_it(&world, route, &[("cookie", &cookie)]).await;
        assert!(as_person.status != 401 && !as_person.header("location").starts_with("/login"), "{route:?}");
        let as_program = try_it(&world, route, &[("authorization", &bearer)]).await;
        let refused = as_program.status == 303 || as_program.status == 401;
        assert_eq!(
            refused,
            route.access == Access::Person || route.path == "/setup" || route.path == "/sources/preview",
            "{route:?}"
        );
    }
}

#[tokio::test]
async fn without_a_login_every_page_can_be_read_and_no_foreign_page_can_write() {
    let world = World::open().await;
    for route in routes() {
        let reads = route.method == "GET";
        if reads && !route.path.ends_with("/stream") {
            let answer = try_it(&world, &route, &[]).await;
            assert!(answer.status != 401 && answer.status != 403, "{route:?}: {}", answer.status);
        }
        if !reads {
            for foreign in [
                vec![("origin", "https://evil.example"), ("content-type", "application/json")],
                vec![("sec-fetch-site", "cross-site"), ("content-type", "application/json")],
                vec![
                    ("content-type", "application/x-www-form-urlencoded"),
                    ("origin", "https://evil.example"),
                ],
            ] {
                let answer = try_it(&world, &route, &foreign).await;
                assert_eq!(answer.status, 403, "{route:?} {foreign:?}");
            }
        }
        if !reads && route.access == Access::Program && route.method != "DELETE" {
            let answer = try_it(&world, &route, &[("content-type", "text/plain")]).await;
            assert_eq!(answer.status, 415, "{route:?}");
        }
    }
}

#[tokio::test]
async fn forms_need_the_token_of_this_browser() {
    let world = World::open().await;
    for route in routes().iter().filter(|route| route.method == "POST" && route.access != Access::Program) {
        let mut person = world.person();
        person.get("/").await;
        let without = person.send_raw(&example(route), &[("deed", "pause"), ("id", "1")]).await;
        assert_eq!(without.status, 403, "{route:?}");
        let mut other = world.person();
        let foreign = other.token("/sources/add").await;
        let with_foreign = person.send_raw(&example(route), &[("form_token", &foreign)]).await;
        assert_eq!(with_foreign.status, 403, "{route:?}");
        assert!(with_foreign.text.contains("reload the page"), "{}", with_foreign.text);
    }
}

#[tokio::test]
async fn tokens_come_and_go() {
    let world = locked().await;
    let token = world.store.add_token("reader".into(), Timestamp::now()).await.unwrap();
    let bearer = format!("Bearer {}", token.reveal());
    let read = |bearer: String| {
        let world = &world;
        async move { world.ask("GET", "/api/v1/articles", &[("authorization", &bearer)], "").await.status }
    };
    assert_eq!(read(bearer.clone()).await, 200);
    assert_eq!(read("Bearer rw_wrong".into()).await, 401);
    assert_eq!(read("Basic x".into()).await, 401);
    world.store.remove_token("reader".into()).await.unwrap();
    assert_eq!(read(bearer).await, 401);
    let open = World::open().await;
    let wrong = open.ask("GET", "/api/v1/articles", &[("authorization", "Bearer rw_wrong")], "").await;
    assert_eq!(wrong.status, 401, "a wrong token is wrong even where none is needed");
}

#[tokio::test]
async fn other_host_names_are_refused() {
    let world = World::open().await;
    for path in ["/", "/api/v1/articles", "/healthz", "/nothing"] {
        let answer = world.ask("GET", path, &[("host", "evil.example")], "").await;
        assert_eq!(answer.status, 421, "{path}");
        assert!(answer.text.contains("allowed hosts"));
    }
    for host in ["localhost:1", "watch.example", "127.0.0.1"] {
        assert_eq!(world.ask("GET", "/", &[("host", host)], "").await.status, 200, "{host}");
    }
}

#[tokio::test]
async fn the_first_password_needs_the_setup_token() {
    let world = World::start(Login::Required { setup_token: Some("token-from-the-terminal".into()) }).await;
    let mut person = world.person();
    assert_eq!(person.get("/").await.header("location"), "/setup");
    let set = |token: &'static str, password: &'static str, again: &'static str| {
        [("token", token), ("password", password), ("again", again)]
    };
    let wrong = person.send("/setup", "/setup", &set("guess", PASSWORD, PASSWORD)).await;
    assert!(wrong.status == 422 && wrong.text.contains("not the setup token"));
    let short = person.send("/setup", "/setup", &set("token-from-the-terminal", "short", "short")).await;
    assert!(short.status == 422 && short.text.contains("at least 10 characters"));
    let differ =
        person.send("/setup", "/setup", &set("token-from-the-terminal", PASSWORD, "other words here")).await;
    assert!(differ.text.contains("passwords differ"));
    let done = person.send("/setup", "/setup", &set("token-from-the-terminal", PASSWORD, PASSWORD)).await;
    assert_eq!(done.status, 303);
    assert_eq!(person.get("/setup").await.status, 303, "only once");

    let answer =
        person.send("/login?next=/health", "/login", &[("password", PASSWORD), ("next", "/health")]).await;
    assert_eq!(answer.header("location"), "/health");
    let cookie = answer.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert_eq!(person.get("/health").await.status, 200);
    let out = person.send("/", "/logout", &[]).await;
    assert_eq!(out.status, 303);
    assert_eq!(person.get("/health").await.header("location"), "/login?next=%2Fhealth");
}

#[tokio::test]
async fn a_login_leads_nowhere_else() {
    let world = locked().await;
    for next in ["https://evil.example", "//evil.example", "/\\evil.example"] {
        let mut person = world.person();
        let answer = person.send("/login", "/login", &[("password", PASSWORD), ("next", next)]).await;
        assert_eq!(answer.header("location"), "/", "{next}");
    }
}

#[tokio::test]
async fn guessing_the_password_is_slow() {
    let world = locked().await;
    let mut person = world.person();
    for _ in 0..8 {
        let answer = person.send("/login", "/login", &[("password", "a wrong password")]).await;
        assert_eq!(answer.status, 401);
    }
    let answer = person.send("/login", "/login", &[("password", PASSWORD)]).await;
    assert_eq!(answer.status, 429, "even the right one has to wait");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 600);
}

#[tokio::test]
async fn a_new_password_ends_all_logins() {
    let world = locked().await;
    let mut person = logged_in(&world).await;
    assert_eq!(person.get("/").await.status, 200);
    server::set_password(&world.store, "another long password").await.unwrap();
    assert_eq!(person.get("/").await.status, 303);
}
