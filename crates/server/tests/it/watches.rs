//! Watches through the API, the pages and the feeds.

use crate::world::World;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use testkit::site::{Answer as Page, Site};

/// A shop whose page says what it is told to say.
pub(crate) struct Shop {
    pub(crate) site: Site,
    says: Arc<Mutex<String>>,
}

impl Shop {
    pub(crate) async fn open() -> Self {
        let says = Arc::new(Mutex::new(lamp("10 euros", 3)));
        let body = says.clone();
        let site = Site::start(move |asked| match asked.path.as_str() {
            "/lamp" => Page::html(body.lock().unwrap().clone()),
            _ => Page::status(404),
        })
        .await;
        Self { site, says }
    }

    pub(crate) fn url(&self) -> String {
        self.site.url("/lamp").to_string()
    }

    pub(crate) fn says(&self, page: String) {
        *self.says.lock().unwrap() = page;
    }

    pub(crate) fn fetched(&self) -> usize {
        self.site.paths().iter().filter(|path| *path == "/lamp").count()
    }
}

pub(crate) fn lamp(price: &str, left: u32) -> String {
    format!(
        "<!doctype html><html lang=en><title>Desk lamp</title><main><h1>Desk lamp</h1><p class=price>{price}</p>\
         <p>A lamp of brass with a heavy foot and a long neck, made in the workshop behind the harbour since 1952, \
         now with {left} left in the shop and a warm light that does not tire the eyes of whoever reads at night.</p>\
         <table><tr><th>Shop<th>Left<tr><td>Bonn<td>{left}<tr><td>Köln<td>&lt;script&gt;window.owned=1&lt;/script&gt;</table></main>"
    )
}

impl World {
    pub(crate) async fn add_watch(&self, body: Value) -> Value {
        let made = self.json("POST", "/api/v1/watches", &body.to_string()).await;
        assert_eq!(made.status, 201, "{}", made.text);
        made.json()
    }

    /// Visits the source of a watch and waits until it has looked at the page as it is now.
    ///
    /// A visit that began before may still be under way, and its look at the old page counts as well: so two looks.
    pub(crate) async fn looks_again(&self, watch: &Value) {
        let path = format!("/api/v1/watches/{}", watch["id"]);
        for _ in 0..2 {
            let before = self.get(&path).await.json()["looks"].as_u64().unwrap();
            self.json("POST", &format!("/api/v1/sources/{}/visit", watch["source_id"]), "").await;
            self.until(|| async {
                let now = self.get(&path).await.json();
                now["looks"].as_u64().unwrap() > before || now["state"] == "ended"
            })
            .await;
        }
    }

    pub(crate) async fn has_looked(&self, watch: &Value) {
        let path = format!("/api/v1/watches/{}", watch["id"]);
        self.until(|| async { self.get(&path).await.json()["looks"].as_u64().unwrap() > 0 }).await;
    }
}

#[tokio::test]
async fn a_watch_lives_in_the_api_from_its_test_to_its_end() {
    let (world, shop) = (World::open().await, Shop::open().await);
    let tried = json!({"url": shop.url(), "what": "css .price"});
    let tried = world.json("POST", "/api/v1/watches/test", &tried.to_string()).await.json();
    assert_eq!(
        (&tried["found"], &tried["lines"], &tried["number"]),
        (&json!(true), &json!(["10 euros"]), &json!(10.0))
    );
    assert_eq!(world.get("/api/v1/watches").await.json(), json!([]));

    let made = world
        .add_watch(json!({"url": shop.url(), "what": "css .price", "name": "Price", "moved": "down 10 %", "stops": ["below 5"]}))
        .await;
    assert_eq!(
        (&made["state"], &made["when"], &made["notify"]),
        (&json!("new"), &json!("every visit"), &json!("always"))
    );
    let text = world.add_watch(json!({"source_id": made["source_id"], "what": "text"})).await;
    assert_eq!(text["name"], "text");
    world.has_looked(&made).await;
    shop.says(lamp("9.50 euros", 3));
    world.looks_again(&made).await;
    shop.says(lamp("8.50 euros", 2));
    world.looks_again(&made).await;
    let path = format!("/api/v1/watches/{}", made["id"]);
    let now = world.get(&path).await.json();
    assert_eq!((&now["state"], &now["told"], &now["number"]), (&json!("looking"), &json!(1), &json!(8.5)));
    let changes = world.get(&format!("{path}/changes")).await.json();
    assert_eq!(changes[0]["diff_text"], "[-10-] {+8.50+} euros");
    assert_eq!(changes[0]["diff"][0][0], json!({"kind": "removed", "text": "10"}));
    assert_eq!(
        (&changes[1]["told"], &changes[1]["why"]),
        (&json!(false), &json!("10 → 9.5 is less than down 10 %"))
    );
    assert_eq!(changes.as_array().unwrap().len(), 3);
    let older = world.get(&format!("{path}/changes?before={}&limit=1", changes[1]["id"])).await.json();
    assert_eq!(older[0]["kind"], "first");

    let edited = world.json("PATCH", &path, r#"{"paused": true, "name": "Cheaper"}"#).await.json();
    assert_eq!(
        (&edited["state"], &edited["name"], &edited["why"]),
        (&json!("paused"), &json!("Cheaper"), &json!("paused by you"))
    );
    world.json("PATCH", &path, r#"{"paused": false}"#).await;
    shop.says(lamp("4 euros", 2));
    world.looks_again(&made).await;
    let ended = world.get(&path).await.json();
    assert_eq!((&ended["state"], &ended["why"]), (&json!("ended"), &json!("4 is below 5")));
    assert_eq!(world.ask("DELETE", &path, &[], "").await.status, 204);
    assert_eq!(world.get(&path).await.status, 404);
    let left = world.get(&format!("/api/v1/watches?source={}", made["source_id"])).await.json();
    assert_eq!(left.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_cannot_be_is_refused_with_a_reason() {
    let (world, shop) = (World::open().await, Shop::open().await);
    for (body, said) in [
        (json!({"what": "text"}), "which source"),
        (json!({"url": shop.url()}), "what to look at"),
        (json!({"url": shop.url(), "what": "css ["}), "not a CSS selector"),
        (json!({"url": shop.url(), "what": r"regex (\w{100}){100}"}), "too large"),
        (json!({"url": shop.url(), "what": "text", "stops": ["after 2001-01-01"]}), "in the past"),
        (json!({"url": shop.url(), "what": "text", "moved": "up 0"}), "more than nothing"),
        (json!({"url": "ftp://a.example/", "what": "text"}), ""),
        (json!({"url": "http://10.0.0.1/", "what": "text"}), ""),
    ] {
        let answer = world.json("POST", "/api/v1/watches", &body.to_string()).await;
        assert_eq!(answer.status, 422, "{body}: {}", answer.text);
        assert!(answer.text.contains(said), "{body}: {}", answer.text);
    }
    let typo = json!({"url": shop.url(), "what": "text", "stop": ["told 1 times"]}).to_string();
    let answer = world.json("POST", "/api/v1/watches", &typo).await;
    assert_eq!(
        (answer.status.as_u16(), answer.text.contains("unknown field `stop`")),
        (400, true),
        "{}",
        answer.text
    );
    assert_eq!(
        world.json("POST", "/api/v1/watches", r#"{"source_id": 9, "what": "text"}"#).await.status,
        404
    );
    assert_eq!(world.get("/api/v1/watches/9").await.status, 404);
    assert_eq!(world.get("/api/v1/sources").await.json(), json!([]), "nothing was made");
}

#[tokio::test]
async fn a_watch_is_made_through_its_preview_without_a_script() {
    let (world, shop) = (World::open().await, Shop::open().await);
    let mut person = world.person();
    let url = shop.url();
    let form = |of: &'static str| {
        vec![
            ("url", url.as_str()),
            ("what", "css"),
            ("of", of),
            ("when", "every visit"),
            ("notify", "always"),
            ("zone", "UTC"),
        ]
    };
    let seen = person.send("/watches/add", "/watches/preview", &form(".price")).await;
    assert!(
        seen.status == 200 && seen.text.contains("10 euros") && seen.text.contains("First number"),
        "{}",
        seen.text
    );
    assert!(seen.text.contains("value=\".price\""), "what was typed stays");
    let table = person.send("/watches/add", "/watches/preview", &form("table")).await;
    assert!(table.text.contains("&lt;script&gt;window") && !table.text.contains("<script>window"));
    let gone = person.send("/watches/add", "/watches/preview", &form(".none")).await;
    assert!(gone.text.contains("Nothing matches `.none`"), "{}", gone.text);
    assert_eq!(shop.fetched(), 1, "trying selectors asks the site once");
    let only = [form(".price"), vec![("only", "preview")]].concat();
    let part = person.send("/watches/add", "/watches/preview", &only).await;
    assert!(part.text.contains("10 euros") && !part.text.contains("<html"));
    let wrong = person.send("/watches/add", "/watches", &form("[")).await;
    assert!(wrong.status == 422 && wrong.text.contains("not a CSS selector"), "{}", wrong.text);

    let added = person.send("/watches/add", "/watches", &form(".price")).await;
    assert_eq!((added.status.as_u16(), added.header("location")), (303, "/watches/1?done=watch_added"));
    let watch = world.get("/api/v1/watches/1").await.json();
    world.has_looked(&watch).await;
    shop.says(lamp("<b>12</b> euros & more", 3));
    world.looks_again(&watch).await;
    let page = world.get("/watches/1").await.text;
    assert!(page.contains("<del>10</del>") && page.contains("<ins> 12</ins>"), "{page}");
    assert!(page.contains("euros &amp; more") || page.contains("&amp; more"), "{page}");
    assert!(page.contains("From 10 to 12, now 12; 2 values."), "the numbers are drawn");
    let source = world.get(&format!("/sources/{}", watch["source_id"])).await.text;
    assert!(source.contains("/watches/1") && source.contains("12 euros &amp; more"), "{source}");
    assert!(world.get("/watches").await.text.contains("css .price"));

    person.send("/watches/1", "/watches/1", &[("deed", "pause")]).await;
    assert!(world.get("/watches/1").await.text.contains("Paused by you"));
    person.send("/watches/1", "/watches/1", &[("deed", "resume")]).await;
    let edit = [
        form(".price"),
        vec![("deed", "edit"), ("name", "Price"), ("stop0", "told"), ("stop0_of", "5 times")],
    ]
    .concat();
    let saved = person.send("/watches/1", "/watches/1", &edit).await;
    assert_eq!(saved.header("location"), "/watches/1?done=edited", "{}", saved.text);
    assert!(world.get("/watches/1").await.text.contains("Told 5 times"));
    let wrong =
        [form(".price"), vec![("deed", "edit"), ("stop0", "after"), ("stop0_of", "2001-01-01")]].concat();
    let refused = person.send("/watches/1", "/watches/1", &wrong).await;
    assert!(
        refused.status == 422 && refused.text.contains("in the past") && refused.text.contains("2001-01-01")
    );
    let asked = person.send("/watches/1", "/watches/1", &[("deed", "remove")]).await;
    assert!(asked.text.contains("Remove this watch?"));
    person.send("/watches/1", "/watches/1", &[("deed", "remove_confirmed")]).await;
    assert_eq!(world.get("/watches/1").await.status, 404);
    assert!(world.get("/watches").await.text.contains("No watches yet"));
}

#[tokio::test]
async fn a_lost_part_says_so_on_its_page() {
    let (world, shop) = (World::open().await, Shop::open().await);
    let watch = world.add_watch(json!({"url": shop.url(), "what": "css .price"})).await;
    world.has_looked(&watch).await;
    shop.says("<!doctype html><title>Desk lamp</title><main><p>Closed for the winter.</main>".into());
    world.looks_again(&watch).await;
    let page = world.get("/watches/1").await.text;
    assert!(page.contains("The part is gone.") && page.contains("Nothing matches `.price`"), "{page}");
    assert!(page.contains("What it was last:") && page.contains("10 euros"));
    assert!(!page.contains("<del>"), "not a change to nothing");
}

#[tokio::test]
async fn feeds_hold_what_was_told() {
    let (world, shop) = (World::open().await, Shop::open().await);
    let price = world.add_watch(json!({"url": shop.url(), "what": "css .price", "name": "Price"})).await;
    let table = world.add_watch(json!({"url": shop.url(), "what": "table", "name": "Stock"})).await;
    world.has_looked(&price).await;
    world.has_looked(&table).await;
    shop.says(lamp("12 euros", 2));
    world.looks_again(&price).await;
    for format in ["atom", "rss"] {
        let all = world.get(&format!("/feeds/watches.{format}")).await;
        assert_eq!(all.status, 200);
        assert!(all.text.contains("Price: 10 → 12") && all.text.contains("Stock: "), "{}", all.text);
        assert!(all.text.contains("[-10-] {+12+} euros"), "{}", all.text);
        let one = world.get(&format!("/feeds/watches/1.{format}")).await.text;
        assert!(one.contains("Price: 10") && !one.contains("Stock: "), "{one}");
        assert!(one.contains("/watches/1#change-"), "{one}");
    }
    assert_eq!(world.get("/feeds/watches/99.atom").await.status, 404);
    assert!(world.get("/watches/1").await.text.contains("/feeds/watches/1.atom"));
}
