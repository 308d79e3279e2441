//! A server with everything behind it, and a web site to watch.

use crate::client::{self, Answer, Person};
use engine::{Engine, EngineSettings, Parts, SystemClock};
use fetch::{Fetcher, Settings};
use model::SourceId;
use scheduling::PolicyName;
use server::{Login, ServerSettings};
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use store::{ArticleFilter, Store};
use tempfile::TempDir;
use testkit::postgres::{shared, wanted};
use testkit::site::{Answer as Page, Asked, Site};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use url::Url;

pub(crate) struct World {
    pub(crate) address: SocketAddr,
    pub(crate) store: Store,
    pub(crate) site: Site,
    /// How many articles the site has published.
    pub(crate) published: Arc<AtomicUsize>,
    stop: CancellationToken,
    server: JoinHandle<std::io::Result<()>>,
    engine: Engine,
    _folder: TempDir,
}

impl World {
    /// A server without a login.
    pub(crate) async fn open() -> Self {
        Self::start(Login::Open).await
    }

    pub(crate) async fn start(login: Login) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = if wanted() {
            Store::connect(&shared().url_of(&shared().new_database(None))).unwrap()
        } else {
            Store::open(folder.path()).unwrap()
        };
        let clock = Arc::new(SystemClock);
        let delay = Duration::from_millis(1);
        let settings = Settings {
            allow: vec!["127.0.0.0/8".parse().unwrap()],
            default_delay: delay,
            ..Settings::default()
        };
        let engine = Engine::start(Parts {
            label: "test".into(),
            roles: store::Roles::ALL,
            store: store.clone(),
            fetcher: Fetcher::new(settings, clock.clone()).unwrap(),
            clock,
            policy: PolicyName::Even,
            interval: Duration::from_hours(1),
            journal: None,
            default_delay: delay,
            settings: EngineSettings::default(),
        })
        .await
        .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let settings = ServerSettings {
            login,
            allowed_hosts: vec!["watch.example".into()],
            demo: None,
            interval: Duration::from_hours(1),
        };
        let stopped = stop.clone().cancelled_owned();
        let server = tokio::spawn(server::serve(listener, engine.handle(), settings, stopped));
        let published = Arc::new(AtomicUsize::new(3));
        let site = Site::start(script(published.clone())).await;
        Self { address, store, site, published, stop, server, engine, _folder: folder }
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    pub(crate) fn person(&self) -> Person {
        Person::new(self.address)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        client::ask(self.address, "GET", path, &[], "").await
    }

    pub(crate) async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        client::ask(self.address, method, path, headers, body).await
    }

    /// A request as a program on this machine makes it.
    pub(crate) async fn json(&self, method: &str, path: &str, body: &str) -> Answer {
        self.ask(method, path, &[("content-type", "application/json")], body).await
    }

    /// Watches a page of the site and waits for its first articles.
    pub(crate) async fn watch(&self, path: &str) -> SourceId {
        self.watch_url(&self.site.url(path)).await
    }

    pub(crate) async fn watch_url(&self, url: &Url) -> SourceId {
        let body = format!("{{\"url\":\"{url}\"}}");
        let added = self.json("POST", "/api/v1/sources", &body).await;
        assert_eq!(added.status, 201, "{}", added.text);
        let id = SourceId(added.json()["id"].as_i64().unwrap());
        self.until(|| async { self.store.source(id).await.unwrap().state.last_visit_at.is_some() }).await;
        id
    }

    /// Waits until every article's page was read.
    pub(crate) async fn all_read(&self) {
        self.until(|| async {
            let all = ArticleFilter { limit: 1000, ..ArticleFilter::default() };
            let page = self.store.articles_page(all).await.unwrap();
            !page.articles.is_empty() && page.articles.iter().all(|article| article.body.word() != "waiting")
        })
        .await;
    }

    pub(crate) async fn until<F: Future<Output = bool>>(&self, done: impl Fn() -> F) {
        let until = Instant::now() + Duration::from_secs(20);
        while !done().await {
            assert!(Instant::now() < until, "it never happened");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Stops the server and says how long that took.
    pub(crate) async fn stop(self) -> Duration {
        let began = Instant::now();
        self.stop.cancel();
        self.server.await.unwrap().unwrap();
        let took = began.elapsed();
        self.engine.stop().await;
        took
    }
}

/// A small newspaper with a feed, a front page, and a hostile corner.
fn script(published: Arc<AtomicUsize>) -> impl Fn(&Asked) -> Page + Send + Sync {
    move |asked| {
        let n = published.load(Ordering::Relaxed);
        match asked.path.split('?').next().unwrap_or_default() {
            "/feed.xml" => Page::typed("application/rss+xml", feed(n)),
            "/news" => Page::html(front_page(n)),
            "/hostile.xml" => Page::typed("application/rss+xml", HOSTILE_FEED),
            "/robots.txt" => Page::text("User-agent: *\nDisallow: /private\n"),
            path if path.starts_with("/story/") => Page::html(story(path)),
            _ => Page::status(404),
        }
    }
}

const HEADLINES: [&str; 8] = [
    "Harbour council votes to rebuild the eastern pier after winter storms",
    "Ferry timetable changes as a second crossing opens in spring",
    "Researchers map the seabed where the old lighthouse stood",
    "Fishing fleet reports the best herring season in twelve years",
    "Tram line to the airport delayed until the autumn, operator says",
    "Museum of navigation reopens with a collection of sea charts",
    "Regional grid tests a wave power station off the northern cape",
    "Town library extends its opening hours after a public petition",
];

/// Where the site keeps a story.
fn address(index: usize) -> String {
    let slug: Vec<&str> = HEADLINES[index % HEADLINES.len()].split_whitespace().take(5).collect();
    format!("/story/{}-{index}", slug.join("-").to_lowercase())
}

fn feed(n: usize) -> String {
    let mut items = String::new();
    for index in (0..n).rev() {
        let title = HEADLINES[index % HEADLINES.len()];
        let _ = write!(
            items,
            "<item><title>{title}</title><link>{}</link><description>{title}: what the people of the \
             coast say about it, and what happens next according to the council.</description>\
             <pubDate>Mon, 06 Jul 2026 {:02}:00:00 GMT</pubDate></item>",
            address(index),
            index % 24
        );
    }
    format!(
        "<rss version=\"2.0\"><channel><title>The Harbour Times</title><link>/</link>{items}</channel></rss>"
    )
}

fn front_page(n: usize) -> String {
    let mut cards = String::new();
    for index in (0..n.max(8)).rev() {
        let title = HEADLINES[index % HEADLINES.len()];
        let _ = write!(
            cards,
            "<article><h2><a href=\"{}\">{title}</a></h2><p>{title}, in a few more words than the \
             headline has.</p></article>",
            address(index)
        );
    }
    format!(
        "<html lang=en><head><title>The Harbour Times</title><link rel=alternate type=application/rss+xml \
         title=\"All stories\" href=/feed.xml></head><body><nav><a href=/about>About</a></nav><main>{cards}</main></body></html>"
    )
}

fn story(path: &str) -> String {
    let index: usize = path.rsplit('-').next().and_then(|index| index.parse().ok()).unwrap_or(0);
    let title = HEADLINES[index % HEADLINES.len()];
    let paragraph = "The decision was taken late in the evening, after four hours of debate in which residents, \
        fishermen and the port authority were heard. The mayor called it a turning point for the whole coast and \
        thanked the engineers who had worked through the winter. Work begins in the first week of March and will \
        take eleven months, according to the plan that was published on Monday.";
    format!(
        "<html lang=en><head><title>{title}</title></head><body><article><h1>{title}</h1><p>{paragraph}</p>\
         <p>{paragraph} Story {index}.</p><p>{paragraph}</p></article></body></html>"
    )
}

/// Titles, links and texts that would run if they were let.
const HOSTILE_FEED: &str = "<rss version=\"2.0\"><channel><title>&lt;script&gt;window.owned=1&lt;/script&gt;</title>\
    <item><title>&lt;img src=x onerror=window.owned=1&gt; breaking &lt;/a&gt;&lt;script&gt;window.owned=1&lt;/script&gt;</title>\
    <link>/story/hostile-6?q=\"&gt;&lt;script&gt;window.owned=1&lt;/script&gt;</link>\
    <description>&lt;script&gt;window.owned=1&lt;/script&gt;&lt;b onclick=window.owned=1&gt;bold&lt;/b&gt;</description></item>\
    <item><title>a link that runs</title><link>javascript:window.owned=1</link></item>\
    </channel></rss>";
