//! The deeds on folders.

use super::lessons::count_up;
use super::refile::begin_refiling;
use super::rows::{Before, unreadable};
use crate::database::{Connection, params};
use crate::watch::forget_watches;
use crate::{Store, StoreError};
use knowledge::{Base, FolderError, Folders};
use model::FolderId;

impl Store {
    /// Makes a folder with all above it; one that is there already is found.
    pub async fn create_folder(&self, path: String) -> Result<FolderId, StoreError> {
        self.change_folders(move |folders| Ok(folders.create(&path)?.0)).await
    }

    /// Gives a folder another name.
    pub async fn rename_folder(&self, id: FolderId, name: String) -> Result<(), StoreError> {
        self.change_folders(move |folders| folders.rename(id, &name)).await
    }

    /// Puts a folder, with all in it, into another one or to the top.
    pub async fn move_folder(&self, id: FolderId, parent: Option<FolderId>) -> Result<(), StoreError> {
        self.change_folders(move |folders| folders.move_to(id, parent)).await
    }

    /// Renames and moves a folder at once; `None` leaves its name or its place as it is.
    pub async fn edit_folder(
        &self,
        id: FolderId,
        name: Option<String>,
        parent: Option<Option<FolderId>>,
    ) -> Result<(), StoreError> {
        self.change_folders(move |folders| {
            if let Some(parent) = parent {
                folders.move_to(id, parent)?;
            }
            name.as_ref().map_or(Ok(()), |name| folders.rename(id, name))
        })
        .await
    }

    /// Takes a folder away that holds nothing and that no rule speaks of.
    pub async fn remove_folder(&self, id: FolderId) -> Result<(), StoreError> {
        let known = self.inner.known.clone();
        // Its number may come again, and must not find what was usual in this one.
        self.inner.watching.mark_stale([id]);
        self.teach(move |connection| {
            let state = known.for_writing(connection)?;
            let mut folders = state.base.folders().clone();
            let path = folders.path(id);
            folders.remove(id)?;
            let filed: bool = connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM filing WHERE folder_id = ?1)")?
                .query_row([id.0], |row| row.get(0))?;
            if filed || state.base.is_used(id) {
                return Err(StoreError::FolderInUse { path });
            }
            drop(state);
            known.set_folders(connection, folders)
        })
        .await
    }

    /// Makes one folder out of two: rules, articles and folders inside go along.
    pub async fn merge_folders(&self, from: FolderId, to: FolderId) -> Result<(), StoreError> {
        let (known, watching) = (self.inner.known.clone(), self.inner.watching.clone());
        self.teach(move |connection| {
            let before = known.for_writing(connection)?.base.folders().clone();
            if before.get(from).is_none() || before.get(to).is_none() || from == to {
                return Err(FolderError::Unknown(before.path(if from == to { from } else { to })).into());
            }
            let version = count_up(connection)?;
            known.change(version, |state| Ok(state.base.merge(from, to)?))?;
            let state = known.read();
            for (_, folder) in state.base.folders().list() {
                save_folder(connection, folder)?;
            }
            for table in ["rule", "filing"] {
                let sql = format!("UPDATE {table} SET folder_id = ?2 WHERE folder_id = ?1");
                connection.execute(&sql, [from.0, to.0])?;
            }
            save_merged(connection, &state.base)?;
            merge_in_lessons(connection, from, to)?;
            merge_events(connection, from, to)?;
            // What is usual there is another thing now.
            forget_watches(connection, &[from, to].into())?;
            watching.mark_stale([from, to]);
            connection.execute("DELETE FROM folder WHERE id = ?1", [from.0])?;
            begin_refiling(connection, version)
        })
        .await
    }

    async fn change_folders<T, F>(&self, mut change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&mut Folders) -> Result<T, FolderError> + Send + 'static,
    {
        let known = self.inner.known.clone();
        self.teach(move |connection| {
            let mut folders = known.for_writing(connection)?.base.folders().clone();
            let result = change(&mut folders)?;
            known.set_folders(connection, folders)?;
            Ok(result)
        })
        .await
    }
}

impl super::Known {
    fn set_folders(&self, connection: &Connection, folders: Folders) -> Result<(), StoreError> {
        save(connection, &self.read().base, &folders)?;
        let version = count_up(connection)?;
        if let Some(archived) = self.archived().as_mut() {
            // Folders keep their ids: nothing is filed elsewhere.
            archived.step(version, |_| ());
        }
        self.change(version, |state| {
            *state.base.folders_mut() = folders;
            Ok(())
        })
    }
}

/// Stores folders that are new or changed, and forgets those that are gone.
pub(super) fn save(connection: &Connection, base: &Base, folders: &Folders) -> Result<(), StoreError> {
    for (_, folder) in folders.list() {
        if base.folders().get(folder.id) != Some(folder) {
            save_folder(connection, folder)?;
        }
    }
    for (_, folder) in base.folders().list() {
        if folders.get(folder.id).is_none() {
            forget(connection, folder.id)?;
        }
    }
    Ok(())
}

/// Forgets a folder. Rules that were undone still name it, and articles may until they are filed anew.
pub(super) fn forget(connection: &Connection, id: FolderId) -> Result<(), StoreError> {
    connection.execute("UPDATE rule SET folder_id = NULL WHERE folder_id = ?1 AND undone = 1", [id.0])?;
    connection.execute("UPDATE filing SET folder_id = NULL WHERE folder_id = ?1", [id.0])?;
    connection.execute("DELETE FROM folder WHERE id = ?1", [id.0])?;
    Ok(())
}

fn save_folder(connection: &Connection, folder: &knowledge::Folder) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO folder (id, parent_id, name) VALUES (?1, ?2, ?3)
             ON CONFLICT (id) DO UPDATE SET parent_id = excluded.parent_id, name = excluded.name",
        )?
        .execute(params![folder.id.0, folder.parent.map(|parent| parent.0), folder.name])?;
    Ok(())
}

/// Events and coming dates go along. Where both folders have an event, it is one from now on.
fn merge_events(connection: &Connection, from: FolderId, to: FolderId) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE event SET ended_at = opened_at WHERE folder_id = ?1 AND ended_at IS NULL
             AND EXISTS (SELECT 1 FROM event WHERE folder_id = ?2 AND ended_at IS NULL)",
        [from.0, to.0],
    )?;
    connection.execute("UPDATE event SET folder_id = ?2 WHERE folder_id = ?1", [from.0, to.0])?;
    connection.execute(
        "UPDATE expected SET folder_id = ?2 WHERE folder_id = ?1 AND NOT EXISTS (
             SELECT 1 FROM expected other WHERE other.folder_id = ?2 AND other.title = expected.title
                 AND other.from_at = expected.from_at)",
        [from.0, to.0],
    )?;
    Ok(())
}

/// Rules may ask about the folder that is gone, and cornerstones expect it.
fn save_merged(connection: &Connection, base: &Base) -> Result<(), StoreError> {
    for rule in base.tree().rules().iter().filter(|rule| rule.condition.iter().any(|l| l.folder().is_some()))
    {
        connection
            .prepare_cached("UPDATE rule SET condition = ?2 WHERE id = ?1 AND undone = 0")?
            .execute(params![rule.id.0, super::rows::condition_to_json(&rule.condition)?])?;
    }
    for cornerstone in base.cornerstones().iter() {
        connection
            .prepare_cached("UPDATE cornerstone SET expected = ?2 WHERE id = ?1")?
            .execute(params![cornerstone.id.0, crate::rows::to_json(&cornerstone.expected)?])?;
    }
    Ok(())
}

/// What undoing brings back must not expect a folder that is gone.
fn merge_in_lessons(connection: &Connection, from: FolderId, to: FolderId) -> Result<(), StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT version, before FROM lesson WHERE before LIKE '%\"expected\"%'")?;
    let lessons: Vec<(i64, String)> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (version, before) in lessons {
        let mut before: Before = serde_json::from_str(&before).map_err(|error| unreadable(&error))?;
        for row in before.iter_mut().filter_map(|(_, row)| row.as_mut()) {
            row.replace_folder(from, to);
        }
        connection
            .prepare_cached("UPDATE lesson SET before = ?2 WHERE version = ?1")?
            .execute(params![version, crate::rows::to_json(&before)?])?;
    }
    Ok(())
}
