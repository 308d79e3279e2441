//! Topics and crawls through the API and the pages.

use crate::world::World;
use serde_json::{Value, json};
use testkit::site::{Answer as Page, Site};

/// A small site on railways with a feed, and pages on cooking beside it.
pub(crate) struct Railway {
    pub(crate) site: Site,
}

impl Railway {
    pub(crate) async fn open() -> Self {
        let site = Site::start(|asked| {
            let path = asked.path.as_str();
            match path {
                "/" => Page::html(page("Railways of the coast", RAIL, &["/rail/1", "/rail/2", "/cook/1"])),
                "/feed.xml" => {
                    let host =
                        asked.headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
                    Page::typed("application/rss+xml", feed(host))
                }
                _ if path.starts_with("/rail/") => {
                    let n: u32 = path.trim_start_matches("/rail/").parse().unwrap_or(0);
                    let next = format!("/rail/{}", n + 2);
                    if n > 8 {
                        Page::status(404)
                    } else {
                        Page::html(page("A locomotive", RAIL, &[&next, "/cook/2"]))
                    }
                }
                "/cook/1" | "/cook/2" => Page::html(page("Soup", COOK, &["/cook/1"])),
                _ => Page::status(404),
            }
        })
        .await;
        Self { site }
    }

    pub(crate) fn url(&self) -> String {
        self.site.url("/").to_string()
    }
}

const RAIL: &str = "The steam locomotive pulled the train along the railway to the station, where the engine driver \
    and the signalman waited beside the track with the coal wagons of the railway company and its locomotive works.";
const COOK: &str = "Stir the soup slowly with butter and onions, add salt and herbs from the garden, and let the pot \
    simmer for an hour before serving it hot with fresh bread and a glass of cold cider in the kitchen.";

fn page(title: &str, text: &str, links: &[&str]) -> String {
    let links: String = links.iter().map(|to| format!("<li><a href={to}>More: {to}</a>")).collect();
    format!(
        "<!doctype html><html lang=en><title>{title} &lt;script&gt;window.owned=1&lt;/script&gt;</title>\
         <link rel=alternate type=application/rss+xml href=/feed.xml title=News><main><h1>{title}</h1><p>{text}</p><ul>{links}</ul></main>"
    )
}

fn feed(host: &str) -> String {
    let items: String = (0..9)
        .map(|n| {
            format!(
                "<item><title>Locomotive {n} leaves the railway station</title><link>http://{host}/news/{n}</link>\
                 <pubDate>Mon, 0{} Jun 2026 08:00:00 GMT</pubDate></item>",
                n + 1
            )
        })
        .collect();
    format!(
        "<?xml version='1.0'?><rss version='2.0'><channel><title>Railway news</title>{items}</channel></rss>"
    )
}

impl World {
    /// A topic, and a crawl of the site for it that has ended.
    pub(crate) async fn crawled(&self, railway: &Railway) -> Value {
        let topic = json!({"name": "Railways", "words": ["railway", "locomotive", "train", "station", "engine driver"]});
        assert_eq!(self.json("POST", "/api/v1/topics", &topic.to_string()).await.status, 201);
        let wanted = json!({"topic": "railways", "seeds": [railway.url()], "pages": 30});
        let started = self.json("POST", "/api/v1/crawls", &wanted.to_string()).await;
        assert_eq!(started.status, 201, "{}", started.text);
        let id = started.json()["crawl"]["id"].as_i64().unwrap();
        self.crawl_has_ended(id).await
    }

    pub(crate) async fn crawl_has_ended(&self, id: i64) -> Value {
        let path = format!("/api/v1/crawls/{id}");
        self.until(|| async { self.get(&path).await.json()["crawl"]["phase"] == "finished" }).await;
        self.get(&path).await.json()
    }
}

#[tokio::test]
async fn a_crawl_finds_pages_says_why_and_its_feed_becomes_a_source() {
    let (world, railway) = (World::open().await, Railway::open().await);
    let ended = world.crawled(&railway).await;
    let relevant = ended["crawl"]["relevant"].as_u64().unwrap();
    assert!(relevant >= 8, "{ended}");
    let pages = world.get("/api/v1/crawls/1/pages?search=locomotive").await.json();
    let pages = pages.as_array().unwrap();
    assert!(
        pages.iter().all(|page| page["on_topic"] == true && !page["evidence"].as_array().unwrap().is_empty())
    );
    let all = world.get("/api/v1/crawls/1/pages?all=true").await.json();
    assert!(all.as_array().unwrap().iter().any(|page| page["on_topic"] == false), "the soup is read, too");

    let url = railway.site.url("/rail/3");
    let why = world.get(&format!("/api/v1/crawls/1/explain?url={url}")).await.json();
    assert_eq!(why["way"].as_array().unwrap().len(), 2, "the seed, then the first engine: {why}");
    assert_eq!(world.get("/api/v1/crawls/1/explain?url=http://nowhere.example/").await.status, 404);

    let candidates = world.get("/api/v1/crawls/1/candidates").await.json();
    let feed = &candidates[0];
    assert!(feed["url"].as_str().unwrap().ends_with("/feed.xml"), "{candidates}");
    let wish = json!({"folder": "Trains", "interest": 3.0});
    let promote = format!("/api/v1/candidates/{}/promote", feed["id"]);
    let promoted = world.json("POST", &promote, &wish.to_string()).await;
    assert_eq!(promoted.status, 201, "{}", promoted.text);
    let source = promoted.json()["source_id"].as_i64().unwrap();
    let visited = || async {
        !world.get(&format!("/api/v1/sources/{source}/visits")).await.json().as_array().unwrap().is_empty()
    };
    world.until(visited).await;
    let folders = world.get("/api/v1/folders").await.json();
    assert!(folders.to_string().contains("Trains"), "{folders}");
    let filed = || async {
        let articles = world.get("/api/v1/articles").await.json();
        let articles = articles.as_array().unwrap();
        !articles.is_empty() && articles.iter().all(|one| one["folders"].to_string().contains("Trains"))
    };
    world.until(filed).await;
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_with_what_to_do() {
    let (world, railway) = (World::open().await, Railway::open().await);
    let post = |path: &'static str, body: Value| {
        let world = &world;
        async move {
            let answer = world.json("POST", path, &body.to_string()).await;
            (answer.status, answer.text)
        }
    };
    let nameless = post("/api/v1/topics", json!({"name": " ", "words": ["a"]})).await;
    assert_eq!(nameless.0, 422, "{}", nameless.1);
    let unreadable =
        post("/api/v1/topics", json!({"name": "X", "ontology": "this is no ontology at all"})).await;
    assert_eq!(unreadable.0, 422, "{}", unreadable.1);
    assert_eq!(post("/api/v1/topics", json!({"name": "Trains", "words": ["train"]})).await.0, 201);
    assert_eq!(post("/api/v1/topics", json!({"name": "trains", "words": ["train"]})).await.0, 409);

    let unknown = post("/api/v1/crawls", json!({"topic": "Ships", "seeds": [railway.url()]})).await;
    assert_eq!(unknown.0, 404, "{}", unknown.1);
    let empty = post("/api/v1/crawls", json!({"topic": "Trains", "seeds": []})).await;
    assert!(empty.0 == 422 && empty.1.contains("seed"), "{}", empty.1);
    let gate = post("/api/v1/crawls", json!({"topic": "Trains", "seeds": ["http://10.0.0.1/"]})).await;
    assert_eq!(gate.0, 422, "{}", gate.1);
    let strategy =
        post("/api/v1/crawls", json!({"topic": "Trains", "seeds": [railway.url()], "strategy": "shark"}))
            .await;
    assert!(strategy.0 == 422 && strategy.1.contains("shark-search"), "{}", strategy.1);
    assert_eq!(world.get("/api/v1/crawls/77").await.status, 404);
    assert_eq!(world.get("/crawls/77").await.status, 404);
    assert_eq!(world.get("/topics/Ships").await.status, 404);
}

#[tokio::test]
async fn a_topic_goes_out_as_turtle_and_comes_in_again() {
    let world = World::open().await;
    let words = json!({"name": "Café & Tea", "words": ["green tea", "teapot"]});
    assert_eq!(world.json("POST", "/api/v1/topics", &words.to_string()).await.status, 201);
    let turtle = world.get("/api/v1/topics/Caf%C3%A9%20%26%20Tea/turtle").await;
    assert_eq!(turtle.status, 200);
    let again = json!({"name": "Tea again", "ontology": turtle.text, "class": "Café & Tea"});
    let made = world.json("POST", "/api/v1/topics", &again.to_string()).await;
    assert_eq!(made.status, 201, "{}", made.text);
    assert!(made.text.contains("green tea") && made.text.contains("teapot"), "{}", made.text);
    let page = world.get("/topics/Caf%C3%A9%20%26%20Tea").await;
    assert!(page.status == 200 && page.text.contains("teapot"));
}
