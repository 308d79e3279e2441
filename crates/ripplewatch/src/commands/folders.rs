//! `folders`: where articles go.

use super::refile;
use crate::cli::Folders;
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::exit::bad_input;
use model::FolderId;
use serde::Serialize;
use store::{FolderCount, Store};

pub(crate) async fn run(config: &Config, command: Folders, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    match command {
        Folders::List => list(&store, json).await,
        Folders::Create { path } => {
            let id = store.create_folder(path).await?;
            told(&store, id, json).await
        }
        Folders::Rename { path, name } => {
            let id = find(&store, path).await?;
            store.rename_folder(id, name).await?;
            told(&store, id, json).await
        }
        Folders::Move { path, into, .. } => {
            let id = find(&store, path).await?;
            let parent = match into {
                Some(into) => Some(find(&store, into).await?),
                None => None,
            };
            store.move_folder(id, parent).await?;
            told(&store, id, json).await
        }
        Folders::Merge { path, into } | Folders::Delete { path, into: Some(into) } => {
            let (from, to) = (find(&store, path).await?, find(&store, into).await?);
            if from == to {
                return Err(bad_input("a folder cannot be merged into itself"));
            }
            store.merge_folders(from, to).await?;
            told(&store, to, json).await?;
            refile::tell_after_change(config, &store).await
        }
        Folders::Delete { path, into: None } => {
            let id = find(&store, path).await?;
            store.remove_folder(id).await?;
            console::note("deleted");
            Ok(())
        }
    }
}

/// The folder that is meant.
pub(crate) async fn find(store: &Store, path: String) -> anyhow::Result<FolderId> {
    Ok(store
        .knowledge(move |base| base.folders().demand(&path))
        .await?
        .map_err(store::StoreError::Folders)?)
}

async fn told(store: &Store, id: FolderId, json: bool) -> anyhow::Result<()> {
    let path = store.knowledge(move |base| base.folders().path(id)).await?;
    if json {
        return console::json(&serde_json::json!({ "id": id, "path": path }));
    }
    console::line(&path);
    Ok(())
}

async fn list(store: &Store, json: bool) -> anyhow::Result<()> {
    let (counts, unfiled) = store.folder_counts().await?;
    let folders = store.knowledge(|base| base.folders().clone()).await?;
    let count = |id: FolderId| counts.get(&id).copied().unwrap_or_default();
    if json {
        let folder = |(path, folder): (String, &knowledge::Folder)| FolderRow {
            id: folder.id,
            path,
            count: count(folder.id),
        };
        let folders: Vec<_> = folders.list().into_iter().map(folder).collect();
        return console::json(&serde_json::json!({ "folders": folders, "unfiled": unfiled }));
    }
    if folders.is_empty() {
        console::hint(
            "no folders: make one with `ripplewatch folders create PATH`, or teach a rule with `ripplewatch rules add`",
        );
        return Ok(());
    }
    let row = |name: String, count: FolderCount| {
        let FolderCount { articles, articles_within, unread_within, .. } = count;
        vec![name, articles.to_string(), articles_within.to_string(), unread_within.to_string()]
    };
    let indented = |(path, folder): (String, &knowledge::Folder)| {
        let indent = "  ".repeat(path.matches('/').count());
        row(format!("{indent}{}", folder.name), count(folder.id))
    };
    let mut rows: Vec<_> = folders.list().into_iter().map(indented).collect();
    rows.push(row("(unfiled)".into(), unfiled));
    console::table(&["folder", "articles", "with inner", "unread"], &rows);
    Ok(())
}

#[derive(Debug, Serialize)]
struct FolderRow {
    id: FolderId,
    path: String,
    #[serde(flatten)]
    count: FolderCount,
}
