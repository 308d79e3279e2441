//! `worker`: more hands on a database that others share.

use crate::cli::Worker;
use crate::commands::serve::stop_signal;
use crate::config::Config;
use crate::console;
use crate::context::{clock, open_store, parts};
use crate::exit::bad_input;
use engine::Engine;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::{Roles, Store};
use url::Url;

/// The setting in which a `serve` says what workers elsewhere should know.
const EXAMPLE: &str = "example";

/// What the `serve` that was started last does, and workers do as well unless they are told otherwise: one budget and one pause
/// for all, and links in messages that lead to its pages.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Example {
    public_url: Url,
    interval: Duration,
    delay: Duration,
}

/// How often sources are visited on average, unless the user set a budget: where others work on the same data, as they do it.
pub(crate) async fn usual_interval(config: &Config, store: &Store) -> anyhow::Result<Duration> {
    let example: Option<Example> = if store.is_shared() { store.setting(EXAMPLE).await? } else { None };
    Ok(example.map_or(config.interval, |example| example.interval))
}

impl Example {
    /// Says what this process does.
    pub(crate) async fn give(config: &Config, store: &Store, public_url: &Url) -> anyhow::Result<()> {
        let (interval, delay) = (config.interval, config.fetch.default_delay);
        let example = Self { public_url: public_url.clone(), interval, delay };
        store.set_setting(EXAMPLE, Some(&example)).await?;
        Ok(())
    }
}

/// Works until it is told to stop.
pub(crate) async fn run(mut config: Config, options: Worker) -> anyhow::Result<()> {
    if config.database.is_none() {
        return Err(bad_input(
            "a worker needs a database that others share: say where it is with --database postgres://USER:PASSWORD@HOST/NAME",
        ));
    }
    let roles = options.roles.unwrap_or(Roles::ALL);
    if roles == Roles::NONE {
        return Err(bad_input("a worker without a role has nothing to do: leave out --roles, or name some"));
    }
    let store = open_store(&config)?;
    let example: Option<Example> = store.setting(EXAMPLE).await?;
    if let Some(example) = &example {
        config.interval = example.interval;
        config.fetch.default_delay = example.delay;
    }
    config.interval = options.interval.unwrap_or(config.interval);
    config.fetch.default_delay = options.delay.unwrap_or(config.fetch.default_delay);
    config.allow(&options.allow);
    if let Some(connections) = options.connections {
        config.engine.requests_at_once = connections.into();
        config.engine.crawl_requests_at_once =
            config.engine.crawl_requests_at_once.min(connections.into()).max(1);
    }
    let clock = clock(&store, None).await?;
    let name = store.name();
    let mut parts = parts(&config, store, clock)?;
    parts.roles = roles;
    if let Some(label) = options.name {
        parts.label = label;
    }
    if let Some(example) = example {
        parts.settings.public_url = example.public_url;
    }
    let label = parts.label.clone();
    let engine = Engine::start(parts).await?;
    console::line(&format!("worker {label} on {name}: {}", roles.words().join(", ")));
    stop_signal().await?;
    console::note("stopping");
    engine.stop().await;
    Ok(())
}
