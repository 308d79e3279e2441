//! What the tests are made of: an engine on a throw-away store, and ways to wait for what it does.

use engine::{Engine, EngineHandle, EngineSettings, Parts, SystemClock};
use fetch::Fetcher;
use model::{Clock, Source, SourceId};
use scheduling::PolicyName;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{ArticleFilter, NewSource, Store};
use tempfile::TempDir;
use testkit::postgres::{shared, wanted};
use url::Url;

pub(crate) struct Lab {
    pub(crate) store: Store,
    _folder: TempDir,
    pub(crate) interval: Duration,
    pub(crate) fetch: fetch::Settings,
    pub(crate) settings: EngineSettings,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Lab {
    /// Loopback allowed, no delay between requests, sources visited every half second.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fetch = fetch::Settings {
            allow: vec!["127.0.0.0/8".parse().unwrap()],
            default_delay: Duration::ZERO,
            ..fetch::Settings::default()
        };
        Self {
            store: new_store(folder.path()),
            _folder: folder,
            interval: Duration::from_millis(500),
            fetch,
            settings: EngineSettings::default(),
            clock: Arc::new(SystemClock),
        }
    }

    pub(crate) fn parts(&self) -> Parts {
        Parts {
            label: "test".into(),
            roles: store::Roles::ALL,
            store: self.store.clone(),
            fetcher: Fetcher::new(self.fetch.clone(), self.clock.clone()).unwrap(),
            clock: self.clock.clone(),
            policy: PolicyName::Even,
            interval: self.interval,
            journal: None,
            default_delay: self.fetch.default_delay,
            settings: self.settings.clone(),
        }
    }

    pub(crate) async fn start(&self) -> Engine {
        Engine::start(self.parts()).await.unwrap()
    }

    pub(crate) fn idle(&self) -> EngineHandle {
        EngineHandle::idle(self.parts()).unwrap()
    }

    pub(crate) async fn add(&self, url: &Url) -> SourceId {
        let now = self.clock.now();
        let first_visit = model::PlannedVisit { at: now, reason: "first visit".into() };
        let new = NewSource { url: url.clone(), title: None, selector: None, interval: None, first_visit };
        self.store.add_sources(vec![new], now).await.unwrap()[0]
    }

    /// Watches every source of the demo's web, from now on.
    pub(crate) async fn watch_all(&self, web: &demo::Web, now: jiff::Timestamp) {
        let first_visit = model::PlannedVisit { at: now, reason: "first visit".into() };
        let new = web.sources().into_iter().map(|source| NewSource {
            url: source.url,
            title: Some(source.title),
            selector: None,
            interval: None,
            first_visit: first_visit.clone(),
        });
        self.store.add_sources(new.collect(), now).await.unwrap();
    }

    pub(crate) async fn source(&self, id: SourceId) -> Source {
        self.store.source(id).await.unwrap()
    }

    pub(crate) async fn titles(&self) -> Vec<String> {
        let all = ArticleFilter { limit: 100_000, ..ArticleFilter::default() };
        let page = self.store.articles_page(all).await.unwrap();
        page.articles.into_iter().map(|article| article.title).collect()
    }
}

/// Nothing yet: in this folder, or on PostgreSQL if that is what is tested.
pub(crate) fn new_store(folder: &Path) -> Store {
    if !wanted() {
        return Store::open(folder).unwrap();
    }
    Store::connect(&shared().url_of(&shared().new_database(None))).unwrap()
}

/// Waits until something holds, for as long as a busy machine may need.
pub(crate) async fn until<F: AsyncFn() -> bool>(what: &str, holds: F) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < Duration::from_secs(30), "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A list page with these articles.
pub(crate) fn list_page(titles: &[&str]) -> String {
    let card = |title: &&str| {
        let slug = title.to_lowercase().replace(' ', "-");
        format!(
            "<article><h2><a href=\"/2026/03/{slug}.html\">{title}</a></h2><p>A teaser for it that says more.</p></article>"
        )
    };
    let cards: String = titles.iter().map(card).collect();
    format!(
        "<!doctype html><html lang=en><head><title>Test Times</title></head><body><nav><a href=/>Home</a>\
         <a href=/about>About</a></nav><main>{cards}</main><footer><a href=/imprint>Imprint</a></footer></body></html>"
    )
}

/// An article's page.
pub(crate) fn article_page(title: &str) -> String {
    let paragraph =
        "Officials met on Tuesday to discuss the matter, and a decision is expected within days. ".repeat(4);
    format!(
        "<!doctype html><html lang=en><head><title>{title}</title></head><body><article><h1>{title}</h1>\
         <p>{paragraph}</p><p>{paragraph}</p><p>{paragraph}</p></article></body></html>"
    )
}
