//! Crawls: start, follow, stop, resume, what they found, and promotion of what is worth watching.

use super::extract::{Body, Id, Params};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::crawls;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use discovery::crawl::CrawlSettings;
use engine::{CrawlHost, CrawlStatus, FrontierEntry, PromotionWish, UrlStory};
use http::StatusCode;
use model::CrawlId;
use serde::{Deserialize, Serialize};
use store::{Candidate, CrawlInfo, CrawlPage, CrawlPageFilter};
use utoipa::{IntoParams, ToSchema};

/// At most this many of anything in one answer.
const MOST: usize = 500;

/// A crawl to start.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartCrawl {
    /// The topic's name.
    topic: String,
    /// Where to begin.
    seeds: Vec<String>,
    /// Read at most so many pages.
    pages: Option<u32>,
    /// `ontology`, or another strategy that `ripplewatch crawl start --help` names.
    strategy: Option<String>,
    /// Follow at most so many links in a row from a seed.
    depth: Option<u16>,
    /// Only these hosts and what is under them.
    #[serde(default)]
    allowed: Vec<String>,
    /// Never these hosts.
    #[serde(default)]
    forbidden: Vec<String>,
    /// Whether to learn from what is found.
    learning: Option<bool>,
}

/// How a crawl goes on.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ResumeCrawl {
    /// Read at most so many pages in all.
    pages: Option<u32>,
}

/// A candidate that is to be watched.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Promote {
    /// What to call the source.
    title: Option<String>,
    /// The folder all its articles are filed into, by its path; made if it is not there.
    folder: Option<String>,
    /// How much that folder counts when visits are planned; 1 is the usual.
    interest: Option<f64>,
}

/// The source a candidate became.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Promoted {
    source_id: i64,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// Words to search for, among pages on the topic.
    search: Option<String>,
    /// Pages off the topic, too.
    #[serde(default)]
    all: bool,
    /// Skip this many.
    #[serde(default)]
    offset: usize,
    /// At most this many; 50 unless said, 500 at most.
    limit: Option<usize>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Limit {
    /// At most this many; 50 unless said, 500 at most.
    limit: Option<usize>,
}

impl Limit {
    fn of(limit: Option<usize>) -> usize {
        limit.unwrap_or(50).min(MOST)
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Address {
    /// The URL.
    url: String,
}

/// All crawls, the newest first.
#[utoipa::path(
    get, path = "/crawls", tag = "crawls", operation_id = "list_crawls", responses((status = 200, body = Vec<Object>))
)]
pub(crate) async fn list(State(app): State<App>) -> Result<Json<Vec<CrawlInfo>>, Refusal> {
    Ok(Json(app.store().crawls().await?))
}

/// Starts a crawl; it runs as soon as manners allow.
#[utoipa::path(
    post, path = "/crawls", tag = "crawls", operation_id = "start_crawl", request_body = StartCrawl,
    responses((status = 201, body = Object), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn start(
    State(app): State<App>,
    Body(wanted): Body<StartCrawl>,
) -> Result<(StatusCode, Json<CrawlStatus>), Refusal> {
    let usual = CrawlSettings::default();
    let strategy = match &wanted.strategy {
        Some(word) => word.parse().map_err(Problem::invalid)?,
        None => usual.strategy,
    };
    let settings = CrawlSettings {
        strategy,
        pages: wanted.pages.unwrap_or(usual.pages),
        depth: wanted.depth.unwrap_or(usual.depth),
        allowed: wanted.allowed,
        forbidden: wanted.forbidden,
        learning: wanted.learning.unwrap_or(usual.learning),
        ..usual
    };
    let id = crawls::begin(&app, &wanted.topic, wanted.seeds, settings).await?;
    Ok((StatusCode::CREATED, Json(app.engine.crawl_status(id).await?)))
}

/// How a crawl stands, with its harvest curve.
#[utoipa::path(
    get, path = "/crawls/{id}", tag = "crawls", operation_id = "get_crawl", params(("id" = i64, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(State(app): State<App>, Id(id): Id) -> Result<Json<CrawlStatus>, Refusal> {
    Ok(Json(app.engine.crawl_status(CrawlId(id)).await?))
}

/// Forgets a crawl and the pages it found. Files stay.
#[utoipa::path(
    delete, path = "/crawls/{id}", tag = "crawls", operation_id = "remove_crawl", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody))
)]
pub(crate) async fn remove(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Refusal> {
    crawls::remove(&app, CrawlId(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops a crawl. It can go on later.
#[utoipa::path(
    post, path = "/crawls/{id}/stop", tag = "crawls", operation_id = "stop_crawl", params(("id" = i64, Path)),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody))
)]
pub(crate) async fn stop(State(app): State<App>, Id(id): Id) -> Result<Json<CrawlStatus>, Refusal> {
    crawls::stop(&app, CrawlId(id)).await?;
    one(State(app), Id(id)).await
}

/// Lets a crawl go on, perhaps for more pages.
#[utoipa::path(
    post, path = "/crawls/{id}/resume", tag = "crawls", operation_id = "resume_crawl", params(("id" = i64, Path)),
    request_body = ResumeCrawl,
    responses((status = 200, body = Object), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn resume(
    State(app): State<App>,
    Id(id): Id,
    Body(wanted): Body<ResumeCrawl>,
) -> Result<Json<CrawlStatus>, Refusal> {
    crawls::go_on(&app, CrawlId(id), wanted.pages).await?;
    one(State(app), Id(id)).await
}

/// Pages of a crawl with the evidence for each, the best first.
#[utoipa::path(
    get, path = "/crawls/{id}/pages", tag = "crawls", operation_id = "crawl_pages", params(("id" = i64, Path), Page),
    responses((status = 200, body = Vec<Object>), (status = 404, body = ErrorBody))
)]
pub(crate) async fn pages(
    State(app): State<App>,
    Id(id): Id,
    Params(page): Params<Page>,
) -> Result<Json<Vec<CrawlPage>>, Refusal> {
    let crawl = app.store().crawl(CrawlId(id)).await?;
    let filter = CrawlPageFilter {
        search: page.search,
        all: page.all,
        offset: page.offset,
        limit: Limit::of(page.limit),
        ..CrawlPageFilter::default()
    };
    Ok(Json(app.store().crawl_pages(crawl.id, filter).await?))
}

/// The URLs that come next, with what makes them worth it.
#[utoipa::path(
    get, path = "/crawls/{id}/frontier", tag = "crawls", operation_id = "crawl_frontier", params(("id" = i64, Path), Limit),
    responses((status = 200, body = Vec<Object>), (status = 404, body = ErrorBody))
)]
pub(crate) async fn frontier(
    State(app): State<App>,
    Id(id): Id,
    Params(limit): Params<Limit>,
) -> Result<Json<Vec<FrontierEntry>>, Refusal> {
    let crawl = app.store().crawl(CrawlId(id)).await?;
    Ok(Json(app.engine.crawl_frontier(crawl.id, Limit::of(limit.limit)).await?))
}

/// The hosts of a crawl and the manners towards them.
#[utoipa::path(
    get, path = "/crawls/{id}/hosts", tag = "crawls", operation_id = "crawl_hosts", params(("id" = i64, Path), Limit),
    responses((status = 200, body = Vec<Object>), (status = 404, body = ErrorBody))
)]
pub(crate) async fn hosts(
    State(app): State<App>,
    Id(id): Id,
    Params(limit): Params<Limit>,
) -> Result<Json<Vec<CrawlHost>>, Refusal> {
    let crawl = app.store().crawl(CrawlId(id)).await?;
    Ok(Json(app.engine.crawl_hosts(crawl.id, Limit::of(limit.limit)).await?))
}

/// All that is known about one URL of a crawl: the way there, its worth, its page.
#[utoipa::path(
    get, path = "/crawls/{id}/explain", tag = "crawls", operation_id = "explain_url", params(("id" = i64, Path), Address),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody))
)]
pub(crate) async fn explain(
    State(app): State<App>,
    Id(id): Id,
    Params(address): Params<Address>,
) -> Result<Json<UrlStory>, Refusal> {
    Ok(Json(crawls::explain(&app, CrawlId(id), &address.url).await?))
}

/// Feeds and lists a crawl found, by the relevant articles a day they promise.
#[utoipa::path(
    get, path = "/crawls/{id}/candidates", tag = "crawls", operation_id = "crawl_candidates", params(("id" = i64, Path), Limit),
    responses((status = 200, body = Vec<Object>), (status = 404, body = ErrorBody))
)]
pub(crate) async fn candidates(
    State(app): State<App>,
    Id(id): Id,
    Params(limit): Params<Limit>,
) -> Result<Json<Vec<Candidate>>, Refusal> {
    let crawl = app.store().crawl(CrawlId(id)).await?;
    Ok(Json(app.store().candidates(crawl.id, Limit::of(limit.limit)).await?))
}

/// Makes a candidate a source, visited at once.
#[utoipa::path(
    post, path = "/candidates/{id}/promote", tag = "crawls", operation_id = "promote_candidate", params(("id" = i64, Path)),
    request_body = Promote, responses((status = 201, body = Promoted), (status = 404, body = ErrorBody))
)]
pub(crate) async fn promote(
    State(app): State<App>,
    Id(id): Id,
    Body(wanted): Body<Promote>,
) -> Result<(StatusCode, Json<Promoted>), Refusal> {
    let wish = PromotionWish {
        candidate: id,
        title: wanted.title,
        folder: wanted.folder,
        interest: wanted.interest,
    };
    let source = app.engine.promote(wish).await?;
    Ok((StatusCode::CREATED, Json(Promoted { source_id: source.0 })))
}
