//! Articles: list, read, mark.

use super::extract::{Body, Id, Params, flag, limit};
use super::views::{Article, ArticleDetail, with_folders};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use crate::stored_text::stored_text;
use crate::ui::link;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, LINK};
use http::{HeaderValue, StatusCode};
use model::{ArticleId, FolderId, SourceId};
use serde::Deserialize;
use store::{ArticleFilter, FolderFilter, Marks};
use utoipa::{IntoParams, ToSchema};

/// Longer searches are refused: every word costs.
const LONGEST_SEARCH: usize = 200;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// At most this many, 1 to 1000; 50 unless said.
    limit: Option<i64>,
    /// Only those with all these words; words in quotes in this order.
    search: Option<String>,
    /// Only those that this source listed.
    source: Option<i64>,
    /// Only those in this folder or one inside it, by its number; or `unfiled`.
    folder: Option<String>,
    /// Only unread ones.
    #[serde(default, deserialize_with = "flag")]
    unread: bool,
    /// Only starred ones.
    #[serde(default, deserialize_with = "flag")]
    starred: bool,
    /// Go on after the last page; follow the `Link` header rather than making it up.
    before: Option<i64>,
}

impl Wanted {
    async fn filter(&self, app: &App) -> Result<ArticleFilter, Problem> {
        Ok(ArticleFilter {
            search: search(self.search.as_deref())?,
            source: self.source.map(SourceId),
            folders: self.folders(app).await?,
            unread: self.unread,
            starred: self.starred,
            before: self.before.map(ArticleId),
            limit: limit(self.limit, 50)?,
        })
    }

    async fn folders(&self, app: &App) -> Result<Option<FolderFilter>, Problem> {
        let id: FolderId = match self.folder.as_deref() {
            None | Some("") => return Ok(None),
            Some("unfiled") => return Ok(Some(FolderFilter::Unfiled)),
            Some(id) => id
                .parse()
                .map_err(|_| Problem::bad_request("folder must be a folder's number or “unfiled”"))?,
        };
        let found =
            app.store().knowledge(move |base| base.folders().get(id).map(|_| base.folders().within(id)));
        let found = found.await?.ok_or_else(|| Problem::not_found(format!("there is no folder {id}")))?;
        Ok(Some(FolderFilter::In(found)))
    }

    fn next(&self, before: ArticleId) -> String {
        let text = |number: Option<i64>| number.map(|number| number.to_string());
        let query = [
            ("limit", text(self.limit)),
            ("search", self.search.clone()),
            ("source", text(self.source)),
            ("folder", self.folder.clone()),
            ("unread", self.unread.then(|| "true".into())),
            ("starred", self.starred.then(|| "true".into())),
            ("before", Some(before.to_string())),
        ];
        format!("<{}>; rel=\"next\"", link("/api/v1/articles", &query))
    }
}

/// A search as typed, if it is one.
pub(crate) fn search(typed: Option<&str>) -> Result<Option<String>, Problem> {
    let typed = typed.filter(|typed| !typed.trim().is_empty());
    if typed.is_some_and(|typed| typed.chars().count() > LONGEST_SEARCH) {
        return Err(Problem::bad_request(format!("the search is longer than {LONGEST_SEARCH} characters")));
    }
    Ok(typed.map(str::to_owned))
}

/// Articles, newest first. The `Link` header has the next page.
#[utoipa::path(
    get, path = "/articles", tag = "articles", operation_id = "list_articles", params(Wanted),
    responses((status = 200, body = Vec<Article>, headers(("Link" = String, description = "The next page"))),
        (status = 400, body = ErrorBody))
)]
pub(crate) async fn list(
    State(app): State<App>,
    Params(wanted): Params<Wanted>,
) -> Result<Response, Refusal> {
    let page = app.store().articles_page(wanted.filter(&app).await?).await?;
    let mut articles: Vec<Article> = page.articles.into_iter().map(Article::from).collect();
    with_folders(&app, &mut articles).await?;
    let mut response = Json(articles).into_response();
    if let Some(next) = page.next.and_then(|next| HeaderValue::try_from(wanted.next(next)).ok()) {
        response.headers_mut().insert(LINK, next);
    }
    Ok(response)
}

/// One article with everything about it.
#[utoipa::path(
    get, path = "/articles/{id}", tag = "articles", operation_id = "get_article", params(("id" = i64, Path)),
    responses((status = 200, body = ArticleDetail), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(State(app): State<App>, Id(id): Id) -> Result<Json<ArticleDetail>, Refusal> {
    Ok(Json(ArticleDetail::load(&app, ArticleId(id)).await?))
}

/// What to change; a mark left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MarkArticle {
    read: Option<bool>,
    starred: Option<bool>,
}

/// Marks an article as read or starred.
#[utoipa::path(
    patch, path = "/articles/{id}", tag = "articles", operation_id = "mark_article", params(("id" = i64, Path)),
    request_body = MarkArticle,
    responses((status = 200, body = ArticleDetail), (status = 404, body = ErrorBody))
)]
pub(crate) async fn mark(
    State(app): State<App>,
    Id(id): Id,
    Body(marks): Body<MarkArticle>,
) -> Result<Json<ArticleDetail>, Refusal> {
    let marks = Marks { read: marks.read, starred: marks.starred };
    app.store().mark_articles(vec![ArticleId(id)], marks).await?;
    app.changed();
    one(State(app), Id(id)).await
}

/// The article's page as it was fetched, as text.
#[utoipa::path(
    get, path = "/articles/{id}/page", tag = "articles", operation_id = "get_page", params(("id" = i64, Path)),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = ErrorBody))
)]
pub(crate) async fn page(State(app): State<App>, Id(id): Id) -> Result<Response, Refusal> {
    let kept = app.store().stored_page(ArticleId(id)).await?;
    let kept = kept.ok_or_else(|| Problem::not_found("the page of this article is not kept"))?;
    let caps = *app.engine.caps();
    let text = tokio::task::spawn_blocking(move || stored_text(&kept, &caps)).await;
    match text {
        Ok(Ok(text)) => Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()),
        _ => {
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the stored page cannot be unpacked").into())
        }
    }
}
