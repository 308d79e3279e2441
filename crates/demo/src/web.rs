//! The world on loopback: a server for each site, under a clock.

mod answer;
mod bind;
mod encoding;
mod journal;
mod robots;
mod route;
mod scene;
mod serve;
mod source;

pub use journal::Logged;
pub use scene::{Behaviour, Scene};
pub use source::{DemoSource, PublishedArticle};

use crate::world::World;
use jiff::Timestamp;
use journal::Journal;
use model::Clock;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::task::JoinSet;
use url::Url;

/// A running web. Dropping it stops it as well, but does not wait.
#[derive(Debug)]
pub struct Web {
    world: Arc<World>,
    addresses: Vec<SocketAddr>,
    sources: Vec<DemoSource>,
    journal: Arc<Journal>,
    scene: Arc<Scene>,
    servers: JoinSet<()>,
}

impl Web {
    /// Starts a server for each site, each on an address of its own, with whatever ports are free.
    pub async fn start(world: Arc<World>, clock: Arc<dyn Clock>) -> io::Result<Self> {
        Self::start_at(world, clock, &[]).await
    }

    /// Starts at the ports of an earlier run (see [`Web::ports`]), so that every address is as it was. Sites
    /// beyond the given ports get free ones.
    pub async fn start_at(world: Arc<World>, clock: Arc<dyn Clock>, ports: &[u16]) -> io::Result<Self> {
        let journal = Arc::new(Journal::default());
        let scene = Arc::new(Scene::new(world.sites().len()));
        let mut servers = JoinSet::new();
        let mut addresses = Vec::new();
        for site in world.sites() {
            let port = ports.get(site.index).copied().unwrap_or(0);
            let listener = bind::bind(site.index, port).await?;
            let address = listener.local_addr()?;
            addresses.push(address);
            let stage = answer::Stage {
                world: Arc::clone(&world),
                clock: Arc::clone(&clock),
                site: site.index,
                base: format!("http://{address}"),
                journal: Arc::clone(&journal),
                scene: Arc::clone(&scene),
            };
            servers.spawn(serve::serve(listener, Arc::new(stage)));
        }
        let sources = source::sources(&world, &addresses);
        tracing::debug!(sites = addresses.len(), sources = sources.len(), "the demo web is up");
        Ok(Self { world, addresses, sources, journal, scene, servers })
    }

    /// The world it serves.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// The port of each site, for [`Web::start_at`].
    pub fn ports(&self) -> Vec<u16> {
        self.addresses.iter().map(SocketAddr::port).collect()
    }

    /// The address of each site.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// What a monitor may watch: every page, feed and sitemap the sites offer.
    pub fn sources(&self) -> Vec<DemoSource> {
        self.sources.clone()
    }

    /// The truth: everything published by `until`, back catalogue included, oldest first.
    pub fn published(&self, until: Timestamp) -> Vec<PublishedArticle> {
        let after = until + jiff::SignedDuration::from_nanos(1);
        self.world
            .articles_between(Timestamp::MIN, after)
            .iter()
            .filter_map(|article| self.describe(article))
            .collect()
    }

    /// The truth about one source: what it lists at `at`, newest first.
    pub fn listed(&self, source: &DemoSource, at: Timestamp) -> Vec<PublishedArticle> {
        let articles = self.world.listing(source.site, source.offer, source.section, at);
        articles.iter().filter_map(|article| self.describe(article)).collect()
    }

    /// Every request received, oldest first; of very many the last million.
    pub fn log(&self) -> Vec<Logged> {
        self.journal.entries()
    }

    /// How the sites behave; change it to see what a monitor does.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Stops all servers and cuts their connections.
    pub async fn stop(mut self) {
        self.servers.shutdown().await;
    }

    fn describe(&self, article: &crate::KnownArticle) -> Option<PublishedArticle> {
        let url = source::url(*self.addresses.get(article.site)?, &article.path)?;
        let listing = self.sources.iter().filter(|source| {
            source.site == article.site && source.section.is_none_or(|section| section == article.section)
        });
        Some(PublishedArticle {
            url,
            title: article.title.clone(),
            published_at: article.published_at,
            listed_on: listing.map(|source| source.url.clone()).collect::<Vec<Url>>(),
            site: article.site,
            topic: article.topic,
            country: article.country,
            sport: article.sport,
            story: article.story,
        })
    }
}
