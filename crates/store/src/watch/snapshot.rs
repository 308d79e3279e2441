//! What the watcher knows, kept so that a start need not look at all visits again.

use super::WatchSettings;
use crate::database::{Connection, OptionalExtension, params};
use crate::rows::{json, to_json};
use crate::{Store, StoreError};
use detection::{FolderWatch, Watcher};
use model::FolderId;
use std::collections::{BTreeSet, HashMap};

impl Store {
    /// Keeps what the watcher knows, if there is something new.
    pub async fn save_watch(&self) -> Result<(), StoreError> {
        let watching = self.inner.watching.clone();
        self.watch_write(move |connection, loaded| {
            if !loaded.changed {
                return Ok(());
            }
            // A folder whose articles were filed anew is told again at the next start, should this one not come to it.
            save(connection, &loaded.settings, &loaded.watcher, &watching.stale())?;
            loaded.changed = false;
            Ok(())
        })
        .await
    }
}

fn save(
    connection: &Connection,
    settings: &WatchSettings,
    watcher: &Watcher,
    stale: &BTreeSet<FolderId>,
) -> Result<(), StoreError> {
    if connection.group().is_some() {
        connection.execute_batch("DELETE FROM watch_text WHERE noted_at < now() - INTERVAL '1 hour'")?;
    }
    connection.execute("DELETE FROM watch", [])?;
    connection.execute("DELETE FROM watch_folder", [])?;
    connection.execute(
        "INSERT INTO watch (visit_id, settings, sights) SELECT coalesce(max(id), 0), ?1, ?2 FROM visit",
        params![to_json(settings)?, to_json(watcher.sights())?],
    )?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO watch_folder (folder_id, state) SELECT id, ?2 FROM folder WHERE id = ?1",
    )?;
    for (folder, watch) in watcher.folders().filter(|(folder, _)| !stale.contains(folder)) {
        insert.execute(params![folder.0, to_json(watch)?])?;
    }
    Ok(())
}

/// Takes up what was kept under the same settings; the last visit that is in it.
pub(super) fn restore(
    connection: &Connection,
    settings: &WatchSettings,
    watcher: &mut Watcher,
) -> Result<Option<i64>, StoreError> {
    let kept = connection
        .query_row("SELECT * FROM watch WHERE settings = ?1", [to_json(settings)?], |row| {
            Ok((row.get("visit_id")?, json(row, "sights")?))
        })
        .optional();
    // What an older release kept cannot be read: then all is told again.
    let Ok(Some((visit, sights))) = kept else { return Ok(None) };
    let mut statement = connection.prepare_cached("SELECT * FROM watch_folder")?;
    let rows = statement
        .query_map([], |row| Ok((FolderId(row.get("folder_id")?), json::<FolderWatch>(row, "state")?)))?;
    let Ok(folders) = rows.collect::<Result<HashMap<_, _>, _>>() else { return Ok(None) };
    watcher.restore(sights, folders);
    Ok(Some(visit))
}

/// These folders' articles were filed anew: what was kept of them is not true any more.
pub(crate) fn forget_watches(
    connection: &Connection,
    folders: &BTreeSet<FolderId>,
) -> Result<(), StoreError> {
    for folder in folders {
        connection.prepare_cached("DELETE FROM watch_folder WHERE folder_id = ?1")?.execute([folder.0])?;
    }
    Ok(())
}
