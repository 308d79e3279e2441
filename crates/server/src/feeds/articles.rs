//! Articles as a feed: all of them, or those of a folder and of the folders inside it.

use super::{Entry, Feed, key};
use crate::app::App;
use crate::problem::Problem;
use model::{Article, FolderId};
use store::{ArticleFilter, FolderFilter, StoreError};

pub(super) async fn all(app: &App, limit: usize) -> Result<Feed, Problem> {
    let names = key::names(app).await?;
    let entries = entries(app, &names, ArticleFilter { limit, ..ArticleFilter::default() }).await?;
    Ok(Feed {
        id: format!("{names}articles"),
        title: "Ripplewatch: all articles".into(),
        own: None,
        page: Some(app.engine.public_url().clone()),
        entries,
    })
}

pub(super) async fn of_folder(app: &App, id: FolderId, limit: usize) -> Result<Feed, Problem> {
    let folders = app.store().knowledge(|base| base.folders().clone()).await?;
    if folders.get(id).is_none() {
        return Err(StoreError::NotFound { what: format!("folder {id}") }.into());
    }
    let within = Some(FolderFilter::In(folders.within(id)));
    let names = key::names(app).await?;
    let filter = ArticleFilter { folders: within, limit, ..ArticleFilter::default() };
    let entries = entries(app, &names, filter).await?;
    Ok(Feed {
        id: format!("{names}folders/{id}"),
        title: format!("Ripplewatch: {}", folders.path(id)),
        own: None,
        page: app.engine.public_url().join(&format!("/?folder={id}")).ok(),
        entries,
    })
}

async fn entries(app: &App, names: &str, filter: ArticleFilter) -> Result<Vec<Entry>, Problem> {
    let articles = app.store().articles_page(filter).await?.articles;
    let filed = app.store().folders_of(articles.iter().map(|article| article.id).collect()).await?;
    let folders = app.store().knowledge(|base| base.folders().clone()).await?;
    let entry = |article: Article| {
        let within = filed.get(&article.id).into_iter().flatten();
        let categories = within.map(|id| folders.path(*id)).collect();
        entry(format!("{names}articles/{}", article.id), article, categories)
    };
    Ok(articles.into_iter().map(entry).collect())
}

fn entry(id: String, article: Article, categories: Vec<String>) -> Entry {
    Entry {
        id,
        title: article.title,
        url: Some(article.url).filter(|url| matches!(url.scheme(), "http" | "https")),
        // Sites date articles as they like, also into the future; what counts here is when it was found.
        published: article
            .published_at
            .filter(|at| *at <= article.first_seen_at)
            .unwrap_or(article.first_seen_at),
        updated: article.first_seen_at,
        summary: article.summary,
        author: Some(article.source_title),
        categories,
    }
}
