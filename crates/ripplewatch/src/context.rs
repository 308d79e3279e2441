//! Wiring: from configuration to open data, a fetcher, an engine.

use crate::cli::SourceRef;
use crate::config::Config;
use crate::exit::bad_input;
use anyhow::Context;
use engine::{EngineHandle, Parts, SystemClock};
use fetch::Fetcher;
use model::{Clock, Source};
use page::urls;
use scheduling::PolicyName;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use store::{Alone, Store, StoreError};
use url::Url;

/// Held by whoever visits: two processes on the same data would be two visitors to each host.
pub(crate) enum DataLock {
    File { _file: File },
    Database { _lock: Alone },
}

impl DataLock {
    /// Takes the lock; `None` if another process has it.
    pub(crate) fn take(config: &Config) -> anyhow::Result<Option<Self>> {
        match &config.database {
            Some(url) => Ok(Alone::take(url.reveal())?.map(|lock| Self::Database { _lock: lock })),
            None => Self::take_folder(&config.data),
        }
    }

    fn take_folder(folder: &Path) -> anyhow::Result<Option<Self>> {
        std::fs::create_dir_all(folder)
            .map_err(|source| StoreError::Folder { folder: folder.into(), source })?;
        let path = folder.join("ripplewatch.lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|source| StoreError::Folder { folder: folder.into(), source })?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self::File { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }

    /// Takes the lock, or says who has it.
    pub(crate) fn demand(config: &Config) -> anyhow::Result<Self> {
        Self::take(config)?.ok_or_else(|| match &config.database {
            Some(_) => anyhow::anyhow!(
                "another Ripplewatch is running on this database. Stop it first, or choose another one with --database"
            ),
            None => anyhow::anyhow!(
                "another Ripplewatch is running on {}. Stop it first, or choose another folder with --data",
                config.data.display()
            ),
        })
    }
}

/// Opens the data.
pub(crate) fn open_store(config: &Config) -> anyhow::Result<Store> {
    match &config.database {
        Some(url) => Ok(Store::connect(url.reveal())?),
        None => Ok(Store::open(&config.data)?),
    }
}

/// What an engine is made of, by this configuration.
pub(crate) fn parts(config: &Config, store: Store, clock: Arc<dyn Clock>) -> anyhow::Result<Parts> {
    Ok(Parts {
        fetcher: Fetcher::new(config.fetch.clone(), clock.clone())?,
        policy: PolicyName::Planner,
        interval: config.interval,
        journal: None,
        default_delay: config.fetch.default_delay,
        settings: config.engine.clone(),
        store,
        clock,
    })
}

/// An engine that does only what it is asked.
pub(crate) fn idle_engine(config: &Config, store: Store) -> anyhow::Result<EngineHandle> {
    let mut parts = parts(config, store, Arc::new(SystemClock))?;
    parts.settings.public_url = config.link_base(config.listen);
    // A process that has just begun keeps a pause from whoever came before it: a person waits for that.
    parts.settings.patience = parts.settings.patience.max(parts.default_delay * 3);
    Ok(EngineHandle::idle(parts)?)
}

/// A URL as it was typed.
pub(crate) fn address(text: &str) -> anyhow::Result<Url> {
    let url = urls::parse_address(text).map_err(|error| bad_input(format!("“{text}”: {error}")))?;
    Ok(urls::normalise(&url))
}

/// The source that is meant.
pub(crate) async fn find_source(store: &Store, meant: &SourceRef) -> anyhow::Result<Source> {
    match meant {
        SourceRef::Id(id) => Ok(store.source(*id).await?),
        SourceRef::Url(text) => {
            let url =
                urls::normalise(&urls::parse_address(text).map_err(|error| bad_input(error.to_string()))?);
            let found = store.source_by_url(url.clone()).await?;
            found.ok_or_else(|| StoreError::NotFound { what: format!("source with the URL {url}") }.into())
        }
    }
}
