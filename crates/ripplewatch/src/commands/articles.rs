//! `articles`: read what was found.

use crate::cli::{ArticleOptions, Articles};
use crate::config::Config;
use crate::console;
use crate::context::{find_source, open_store};
use crate::rule_words::{paths, why};
use crate::words::when;
use jiff::Timestamp;
use knowledge::Words;
use model::{ArticleId, FolderId, RuleId};
use std::io::Write;
use store::{ArticleFilter, FilingDetail, FolderFilter, Store, StoreError};

pub(crate) async fn run(config: &Config, command: Articles, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    match command {
        Articles::List { filter } => list(&store, None, filter, json).await,
        Articles::Search { words, filter } => list(&store, Some(words.join(" ")), filter, json).await,
        Articles::Show { id, page: true } => show_page(&store, id).await,
        Articles::Show { id, page: false } => show(&store, id, json).await,
    }
}

async fn list(
    store: &Store,
    search: Option<String>,
    options: ArticleOptions,
    json: bool,
) -> anyhow::Result<()> {
    let source = match &options.source {
        Some(source) => Some(find_source(store, source).await?.id),
        None => None,
    };
    let folders = match options.folder {
        Some(path) => Some(FolderFilter::In(within(store, path).await?)),
        None => options.unfiled.then_some(FolderFilter::Unfiled),
    };
    let filter = ArticleFilter {
        search,
        source,
        folders,
        unread: options.unread,
        starred: options.starred,
        before: None,
        limit: options.limit,
    };
    let page = store.articles_page(filter).await?;
    if json {
        return console::json(&page.articles);
    }
    if page.articles.is_empty() {
        console::hint("no articles: `ripplewatch sources list` shows what is watched and how it goes");
        return Ok(());
    }
    let now = Timestamp::now();
    let rows: Vec<_> = page
        .articles
        .iter()
        .map(|article| {
            let marks =
                format!("{}{}", if article.read { " " } else { "•" }, if article.starred { "★" } else { "" });
            vec![
                article.id.to_string(),
                marks,
                when(article.first_seen_at, now),
                article.source_title.clone(),
                article.title.clone(),
            ]
        })
        .collect();
    console::table(&["id", "", "first seen", "source", "title"], &rows);
    if page.next.is_some() {
        console::note("there are more: raise --limit");
    }
    Ok(())
}

/// A folder and all in it.
async fn within(store: &Store, path: String) -> anyhow::Result<Vec<FolderId>> {
    let found = store.knowledge(move |base| Ok(base.folders().within(base.folders().demand(&path)?))).await?;
    Ok(found.map_err(StoreError::Folders)?)
}

async fn show(store: &Store, id: ArticleId, json: bool) -> anyhow::Result<()> {
    let detail = store.article(id).await?;
    let filing = store.filing(id).await?;
    let folders: Vec<FolderId> = filing.by.iter().filter_map(|by| by.folder).collect();
    if json {
        let mut value = serde_json::to_value(&detail)?;
        let mut paths = store.knowledge(move |base| paths(base.folders(), folders)).await?;
        paths.dedup();
        value["folders"] = paths.into();
        value["filed_by"] = serde_json::to_value(&filing.by)?;
        value["confirmed"] = filing.confirmed.into();
        return console::json(&value);
    }
    let now = Timestamp::now();
    console::line(&detail.article.title);
    console::line(detail.article.url.as_str());
    if let Some(published) = detail.article.published_at {
        console::line(&format!("published {}", when(published, now)));
    }
    for listed in &detail.listed_by {
        console::line(&format!("listed by {} {}", listed.title, when(listed.first_seen_at, now)));
    }
    for line in filed(store, id, &filing).await? {
        console::line(&line);
    }
    if let (None, Some(outcome)) = (&detail.text, &detail.body_outcome) {
        console::line(&format!("its page was not read: {outcome}"));
    }
    console::line("");
    console::line(
        detail.text.as_deref().or(detail.article.summary.as_deref()).unwrap_or("(its page is not read yet)"),
    );
    Ok(())
}

/// In which folders it is, and why.
async fn filed(store: &Store, id: ArticleId, filing: &FilingDetail) -> anyhow::Result<Vec<String>> {
    let mut live: Vec<RuleId> = filing.by.iter().map(|by| by.rule).collect();
    live.sort_unstable();
    if live.is_empty() {
        return Ok(vec!["in no folder".to_owned()]);
    }
    let words = Words::of(&store.article_fields(id).await?);
    let mut lines = vec!["filed in:".to_owned()];
    let reasons = store.knowledge(move |base| why(base.tree(), base.folders(), &live, &words)).await?;
    lines.extend(reasons.into_iter().map(|line| format!("  {line}")));
    Ok(lines)
}

async fn show_page(store: &Store, id: ArticleId) -> anyhow::Result<()> {
    let page = store.stored_page(id).await?;
    let page = page.ok_or_else(|| StoreError::NotFound { what: format!("stored page of article {id}") })?;
    std::io::stdout().write_all(&page.body()?)?;
    Ok(())
}
