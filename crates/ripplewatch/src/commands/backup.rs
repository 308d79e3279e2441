//! `backup` and `restore`.

use crate::config::Config;
use crate::console;
use crate::context::{DataLock, open_store};
use crate::exit::bad_input;
use crate::words::size;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use store::{BackupManifest, Store, StoreError};

pub(crate) async fn write(config: &Config, file: PathBuf, json: bool) -> anyhow::Result<()> {
    let data = config.data.join(Store::FILE);
    if config.database.is_none() && !data.exists() {
        return Err(bad_input(format!(
            "there is no data in {}: say where it is with --data",
            config.data.display()
        )));
    }
    let manifest = open_store(config)?.backup(file.clone(), Timestamp::now()).await?;
    told(&manifest, &format!("written to {}", file.display()), json)
}

pub(crate) fn restore(config: &Config, file: &Path, replace: bool, json: bool) -> anyhow::Result<()> {
    if config.database.is_some() {
        return Err(StoreError::NoFile("restoring a backup").into());
    }
    let _lock = DataLock::demand(config)?;
    let manifest = store::restore(file, &config.data, replace)?;
    told(&manifest, &format!("restored to {}", config.data.display()), json)
}

fn told(manifest: &BackupManifest, what: &str, json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(manifest);
    }
    let BackupManifest { sources, articles, bytes, .. } = manifest;
    console::line(&format!("{sources} sources and {articles} articles ({}) {what}", size(*bytes)));
    Ok(())
}
