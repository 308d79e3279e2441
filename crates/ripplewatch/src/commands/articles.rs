//! `articles`: read what was found.

use crate::cli::{ArticleOptions, Articles};
use crate::config::Config;
use crate::console;
use crate::context::{find_source, open_store};
use crate::words::when;
use jiff::Timestamp;
use model::ArticleId;
use std::io::Write;
use store::{ArticleFilter, Store, StoreError};

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
    let filter = ArticleFilter {
        search,
        source,
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

async fn show(store: &Store, id: ArticleId, json: bool) -> anyhow::Result<()> {
    let detail = store.article(id).await?;
    if json {
        return console::json(&detail);
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
    if let (None, Some(outcome)) = (&detail.text, &detail.body_outcome) {
        console::line(&format!("its page was not read: {outcome}"));
    }
    console::line("");
    console::line(
        detail.text.as_deref().or(detail.article.summary.as_deref()).unwrap_or("(its page is not read yet)"),
    );
    Ok(())
}

async fn show_page(store: &Store, id: ArticleId) -> anyhow::Result<()> {
    let page = store.stored_page(id).await?;
    let page = page.ok_or_else(|| StoreError::NotFound { what: format!("stored page of article {id}") })?;
    std::io::stdout().write_all(&page.body()?)?;
    Ok(())
}
