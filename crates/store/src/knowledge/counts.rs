//! How many articles are in each folder.

use crate::articles::numbers;
use crate::database::Connection;
use crate::{Store, StoreError};
use knowledge::Folders;
use model::FolderId;
use roaring::RoaringTreemap;
use std::collections::HashMap;

/// How many articles are in a folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct FolderCount {
    /// Articles in the folder itself.
    pub articles: u64,
    /// Unread ones among them.
    pub unread: u64,
    /// Articles in it or in a folder inside it, each once.
    pub articles_within: u64,
    /// Unread ones among those.
    pub unread_within: u64,
}

impl Store {
    /// How many articles are in each folder that holds any, itself or in a folder inside; and how many in none.
    pub async fn folder_counts(&self) -> Result<(HashMap<FolderId, FolderCount>, FolderCount), StoreError> {
        let known = self.inner.known.clone();
        self.read(move |connection| {
            let folders = known.for_reading(connection)?.base.folders().clone();
            // Only indexes are read, never the articles themselves: at 100,000 of those that would be too slow.
            let unread = numbers(connection, "SELECT id FROM article WHERE read = 0", None)?;
            let unfiled = numbers(connection, "SELECT id FROM article WHERE folders = 0", None)?;
            let filed = filed(connection)?;
            let (articles, new) = (unfiled.len(), unfiled.intersection_len(&unread));
            let none = FolderCount { articles, unread: new, articles_within: articles, unread_within: new };
            Ok((roll_up(&folders, filed, &unread), none))
        })
        .await
    }
}

/// The articles in each folder itself. An article that several rules file there is there once.
fn filed(connection: &Connection) -> Result<HashMap<FolderId, RoaringTreemap>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT folder_id, article_id FROM filing WHERE folder_id IS NOT NULL ORDER BY folder_id, article_id",
    )?;
    let mut rows = statement.query([])?;
    let mut filed = HashMap::new();
    let mut last: Option<(i64, RoaringTreemap)> = None;
    while let Some(row) = rows.next()? {
        let (folder, article): (i64, i64) = (row.get(0)?, row.get(1)?);
        match &mut last {
            Some((same, articles)) if *same == folder => {
                articles.insert(article.unsigned_abs());
            }
            _ => {
                let begun = (folder, RoaringTreemap::from_iter([article.unsigned_abs()]));
                filed.extend(last.replace(begun).map(|(folder, articles)| (FolderId(folder), articles)));
            }
        }
    }
    filed.extend(last.map(|(folder, articles)| (FolderId(folder), articles)));
    Ok(filed)
}

fn roll_up(
    folders: &Folders,
    filed: HashMap<FolderId, RoaringTreemap>,
    unread: &RoaringTreemap,
) -> HashMap<FolderId, FolderCount> {
    let mut counts: HashMap<FolderId, FolderCount> = HashMap::new();
    let mut within: HashMap<FolderId, RoaringTreemap> = HashMap::new();
    for (folder, articles) in filed {
        let count = counts.entry(folder).or_default();
        (count.articles, count.unread) = (articles.len(), articles.intersection_len(unread));
        let mut above = folders.get(folder).and_then(|folder| folder.parent);
        while let Some(outer) = above {
            *within.entry(outer).or_default() |= &articles;
            above = folders.get(outer).and_then(|folder| folder.parent);
        }
        *within.entry(folder).or_default() |= articles;
    }
    for (folder, articles) in within {
        let count = counts.entry(folder).or_default();
        (count.articles_within, count.unread_within) = (articles.len(), articles.intersection_len(unread));
    }
    counts
}
