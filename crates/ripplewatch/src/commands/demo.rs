//! `demo`: the first five minutes, offline. A small web on loopback with a fast clock, watched live.

use crate::cli::Demo;
use crate::commands::serve;
use crate::config::Config;
use crate::console;
use crate::context::{DataLock, clock, open_store};
use anyhow::Context;
use demo::{STARTER_RULES, Web, World, WorldSettings};
use discovery::crawl::CrawlSettings;
use discovery::ontology::Topic;
use jiff::Timestamp;
use knowledge::{Base, ImportOptions, Interchange};
use model::PlannedVisit;
use scheduling::Reaction;
use std::sync::Arc;
use std::time::Duration;
use store::{NewCrawl, NewSource, Roles, SourceFilter, Store, StoreError, WatchSettings};
use url::Url;

/// Often enough to see the day's rhythm, rare enough that even polling shows its delay.
const INTERVAL: Duration = Duration::from_mins(30);
/// On the demo's clock; at 600 times the speed, a request every 33 ms and host.
const DELAY: Duration = Duration::from_secs(20);

/// What the demo's crawl looks for, where it begins, and how many pages it may read.
const WEATHER: &[&str] =
    &["storm", "flood", "rain", "snow", "wind", "hurricane", "heat", "drought", "forecast"];
const SEEDS: usize = 8;
const CRAWLED: u32 = 300;

pub(crate) async fn run(mut config: Config, keep: bool, options: Demo) -> anyhow::Result<()> {
    let scratch =
        tempfile::Builder::new().prefix("ripplewatch-demo-").tempdir().context("making a scratch folder")?;
    if !keep {
        scratch.path().clone_into(&mut config.data);
    }
    let _lock = DataLock::demand(&config)?;
    let listener = serve::listen(options.listen).await?;
    let store = open_store(&config)?;
    anyhow::ensure!(
        store.sources_page(SourceFilter { limit: 1, ..SourceFilter::default() }).await?.total == 0,
        "{} holds sources already. The demo's clock and sites live only as long as the demo: choose an empty {}",
        store.name(),
        if store.is_shared() { "database" } else { "folder, or leave out --data" }
    );
    anyhow::ensure!(
        store.workers().await?.iter().all(|worker| worker.gone),
        "workers are on {} already, and live on another clock than the demo's: stop them, start the demo, then the workers",
        store.name()
    );

    let settings =
        WorldSettings { seed: options.seed, sites: options.sites.into(), ..WorldSettings::default() };
    let start = settings.start;
    let clock = clock(&store, Some((start, options.speed))).await?;
    let web = Web::start(Arc::new(World::new(settings)), clock.clone())
        .await
        .context("starting the demo's web on loopback")?;
    watch_all(&store, &web, start).await?;
    teach(&store, start).await?;
    discover(&store, &web, start).await?;
    // The reaction that shows most: every source of the folder, again and again while it brings something.
    store.set_watch_settings(WatchSettings { reaction: Reaction::Dc1, ..WatchSettings::default() }).await?;

    config.interval = INTERVAL;
    config.fetch.default_delay = DELAY;
    config.fetch.allow = vec!["127.0.0.0/8".parse()?];
    console::note(&format!(
        "demo: {} sites on this machine, one hour passes every {:.0} seconds; nothing leaves this machine",
        options.sites,
        3600.0 / options.speed
    ));
    let banner = format!(
        "Demo: {} news sites on this machine. One hour passes every {:.0} seconds.",
        options.sites,
        3600.0 / options.speed
    );
    let journal = options.journal.as_deref().map(serve::journal).transpose()?;
    serve::watch(&config, store, listener, clock, Some(banner), journal, Roles::ALL).await?;
    web.stop().await;
    Ok(())
}

/// Begins with a base that files countries and sports; what it leaves unfiled is there to be taught.
async fn teach(store: &Store, now: Timestamp) -> anyhow::Result<()> {
    let file = Interchange::parse(STARTER_RULES)
        .map_err(|errors| anyhow::anyhow!("the demo's starter base: {}", errors[0]))?;
    let import = move |base: &Base| {
        let import = file.import(base, ImportOptions::default());
        import.map(|import| (import.folders, import.lesson)).map_err(StoreError::from)
    };
    store.learn_with_folders(Some("demo".into()), now, import).await?;
    Ok(())
}

/// Sends a crawl into the demo's web for a topic, so that discovery has something to show.
async fn discover(store: &Store, web: &Web, now: Timestamp) -> anyhow::Result<()> {
    let topic = Topic::from_words("Weather", WEATHER).context("the demo's topic")?;
    store.save_topic(topic.clone(), now).await?;
    let mut seeds: Vec<Url> = Vec::new();
    for source in web.sources() {
        if seeds.len() < SEEDS && seeds.iter().all(|seed| seed.host() != source.url.host()) {
            seeds.push(source.url);
        }
    }
    let settings = CrawlSettings { pages: CRAWLED, ..CrawlSettings::default() };
    store.add_crawl(NewCrawl { topic, settings, seeds, output: None, worker: None }, now).await?;
    Ok(())
}

async fn watch_all(store: &Store, web: &Web, now: Timestamp) -> anyhow::Result<()> {
    let first = PlannedVisit { at: now, reason: "first visit".into() };
    let sources = web.sources().into_iter().map(|source| NewSource {
        url: source.url,
        title: Some(source.title),
        selector: None,
        interval: None,
        first_visit: first.clone(),
    });
    store.add_sources(sources.collect(), now).await?;
    Ok(())
}
