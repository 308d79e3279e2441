//! Wiring: from configuration to open data, a fetcher, an engine.

use crate::cli::SourceRef;
use crate::config::Config;
use crate::exit::bad_input;
use anyhow::Context;
use engine::{EngineHandle, FastClock, FleetClock, Parts, SystemClock};
use fetch::Fetcher;
use jiff::Timestamp;
use model::{Clock, Source};
use page::urls;
use scheduling::PolicyName;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use store::{ClockRate, Roles, Store, StoreError, WorkerInfo};
use url::Url;

/// Held by whoever visits on behalf of a file: two processes would be two visitors to each host. A database is for several
/// processes: leases keep them apart.
pub(crate) enum DataLock {
    File { _file: File },
    Database,
}

impl DataLock {
    /// Takes the lock for work that others might be there to do; `None` if they are: another process has the file, or a worker
    /// on the database does such work.
    pub(crate) async fn take(
        config: &Config,
        store: &Store,
        does: fn(&Roles) -> bool,
    ) -> anyhow::Result<Option<Self>> {
        if config.database.is_none() {
            return Self::take_folder(&config.data);
        }
        let others = store.workers().await?;
        let does = |worker: &WorkerInfo| !worker.gone && does(&worker.roles);
        Ok((!others.iter().any(does)).then_some(Self::Database))
    }

    /// Ends what a process has left behind that had the file before.
    pub(crate) async fn end_leases(&self, store: &Store) -> anyhow::Result<()> {
        if matches!(self, Self::File { .. }) {
            store.end_all_leases().await?;
        }
        Ok(())
    }

    /// Takes the lock of a data folder; `None` if another process has it.
    pub(crate) fn take_folder(folder: &Path) -> anyhow::Result<Option<Self>> {
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
        if config.database.is_some() {
            return Ok(Self::Database);
        }
        Self::take_folder(&config.data)?.ok_or_else(|| {
            anyhow::anyhow!(
                "another Ripplewatch is running on {}. Stop it first, or choose another folder with --data",
                config.data.display()
            )
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
        label: label(),
        roles: Roles::NONE,
        settings: config.engine.clone(),
        store,
        clock,
    })
}

/// What people call this process, among others on the same data.
fn label() -> String {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let machine = machine.trim();
    let machine = if machine.is_empty() { "this machine" } else { machine };
    format!("{machine} ({})", std::process::id())
}

/// The setting that says that a database's data live on a faster clock.
const CLOCK: &str = "clock";

/// The clock of the data: this machine's, or the database's, so that all workers mean the same time. `fast` begins a faster one.
pub(crate) async fn clock(store: &Store, fast: Option<(Timestamp, f64)>) -> anyhow::Result<Arc<dyn Clock>> {
    if !store.is_shared() {
        return Ok(match fast {
            Some((start, speed)) => Arc::new(FastClock::new(start, speed)),
            None => Arc::new(SystemClock),
        });
    }
    let rate = match fast {
        Some((start, speed)) => {
            let rate = ClockRate { base: store.database_time().await?.at, start, speed: speed.max(1.0) };
            store.set_setting(CLOCK, Some(&rate)).await?;
            Some(rate)
        }
        // A faster clock ends with the last process that lived on it.
        None if store.workers().await?.iter().all(|worker| worker.gone) => {
            if store.setting::<ClockRate>(CLOCK).await?.is_some() {
                store.set_setting::<ClockRate>(CLOCK, None).await?;
            }
            None
        }
        None => store.setting(CLOCK).await?,
    };
    Ok(FleetClock::start(store, rate).await?)
}

/// An engine that does only what it is asked.
pub(crate) async fn idle_engine(config: &Config, store: Store) -> anyhow::Result<EngineHandle> {
    let clock = clock(&store, None).await?;
    let mut parts = parts(config, store, clock)?;
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
