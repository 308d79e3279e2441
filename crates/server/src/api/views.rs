//! The nouns as the API shows them. Apart from `model`, so that the API changes only on purpose.

use super::rule_views::FolderName;
use crate::app::App;
use crate::watching::Standing;
use jiff::Timestamp;
use model::ArticleId;
use serde::Serialize;
use store::StoreError;
use utoipa::ToSchema;

/// An article.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Article {
    id: i64,
    /// Its canonical URL.
    url: String,
    /// Its headline.
    title: String,
    /// When the site says it was published.
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
    /// When it was first seen on any source.
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Timestamp,
    /// The source that showed it first; null once that source was removed.
    source_id: Option<i64>,
    source_title: String,
    /// BCP 47.
    language: Option<String>,
    /// Teaser or beginning of the text.
    summary: Option<String>,
    /// Whether its page was read: `waiting`, `read` or `missing`.
    body: &'static str,
    read: bool,
    starred: bool,
    /// The folders it is in.
    folders: Vec<FolderName>,
}

/// All there is to say about one article.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArticleDetail {
    #[serde(flatten)]
    article: Article,
    /// Its text, paragraphs separated by blank lines, if its page was read.
    text: Option<String>,
    /// What the reader noted.
    notes: Vec<String>,
    /// How reading its page ended.
    body_outcome: Option<Outcome>,
    /// The sources that listed it, the first one first.
    listed_by: Vec<ListedBy>,
    /// Whether the page is kept as fetched.
    page_kept: bool,
}

/// A source that listed an article.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedBy {
    source_id: i64,
    title: String,
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Timestamp,
    visit_id: i64,
}

/// How a request ended.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Outcome {
    /// `new_content`, `not_modified`, `gone`, `refused_by_robots`, `refused_by_gate`, `busy`, `failed` or `truncated`.
    word: &'static str,
    /// The same for people, with details.
    text: String,
    /// Whether it saw what was there.
    success: bool,
}

/// A watched page, feed or sitemap.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Source {
    id: i64,
    url: String,
    title: Option<String>,
    /// `feed`, `article_list`, `sitemap` or `page`; null before the first successful visit.
    kind: Option<&'static str>,
    /// CSS selector that says where the articles are on a list page.
    selector: Option<String>,
    /// The user's own interval; null leaves it to the policy.
    interval_seconds: Option<u64>,
    paused: bool,
    /// `new`, `ok`, `failing`, `late` or `paused`.
    state: &'static str,
    #[schema(value_type = String, format = DateTime)]
    added_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_visit_at: Option<Timestamp>,
    last_outcome: Option<Outcome>,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_success_at: Option<Timestamp>,
    /// When new articles last came.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_new_at: Option<Timestamp>,
    /// Failures in a row.
    failures: u32,
    /// The next planned visit; null while paused.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_at: Option<Timestamp>,
    /// Why then.
    next_reason: String,
    /// How many articles it has listed.
    articles: u64,
}

/// One visit to one source.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Visit {
    id: i64,
    source_id: i64,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    took_ms: u64,
    /// Why it was made.
    reason: String,
    outcome: Outcome,
    bytes: u64,
    /// Articles on the page.
    listed: u32,
    /// Articles never seen before.
    new: u32,
    notes: Vec<String>,
    /// The event that caused it.
    event_id: Option<i64>,
}

impl From<model::Article> for Article {
    fn from(article: model::Article) -> Self {
        Self {
            id: article.id.0,
            url: article.url.into(),
            title: article.title,
            published_at: article.published_at,
            first_seen_at: article.first_seen_at,
            source_id: article.source_id.map(|id| id.0),
            source_title: article.source_title,
            language: article.language,
            summary: article.summary,
            body: article.body.word(),
            read: article.read,
            starred: article.starred,
            folders: Vec::new(),
        }
    }
}

/// Adds the folders of articles.
pub(crate) async fn with_folders(app: &App, articles: &mut [Article]) -> Result<(), StoreError> {
    let ids = articles.iter().map(|article| ArticleId(article.id)).collect();
    let mut filed = app.store().folders_of(ids).await?;
    let folders = app.store().knowledge(|base| base.folders().clone()).await?;
    for article in articles {
        let of = filed.remove(&ArticleId(article.id)).unwrap_or_default();
        article.folders = of.into_iter().map(|id| FolderName { id: id.0, path: folders.path(id) }).collect();
    }
    Ok(())
}

impl ArticleDetail {
    pub(crate) async fn load(app: &App, id: ArticleId) -> Result<Self, StoreError> {
        let mut detail = Self::from(app.store().article(id).await?);
        with_folders(app, std::slice::from_mut(&mut detail.article)).await?;
        Ok(detail)
    }
}

impl From<store::ArticleDetail> for ArticleDetail {
    fn from(detail: store::ArticleDetail) -> Self {
        let listed_by = detail.listed_by.into_iter().map(|listed| ListedBy {
            source_id: listed.source_id.0,
            title: listed.title,
            first_seen_at: listed.first_seen_at,
            visit_id: listed.visit_id.0,
        });
        Self {
            article: detail.article.into(),
            text: detail.text,
            notes: detail.notes,
            body_outcome: detail.body_outcome.map(Outcome::from),
            listed_by: listed_by.collect(),
            page_kept: detail.page_kept,
        }
    }
}

impl From<model::Outcome> for Outcome {
    fn from(outcome: model::Outcome) -> Self {
        Self { word: outcome.word(), text: outcome.to_string(), success: outcome.is_success() }
    }
}

impl Source {
    pub(crate) fn new(source: model::Source, app: &App) -> Self {
        let standing = Standing::of(&source, app);
        let state = source.state;
        Self {
            id: source.id.0,
            url: source.url.into(),
            title: source.title,
            kind: source.kind.map(model::SourceKind::word),
            selector: source.selector,
            interval_seconds: source.interval.map(|interval| interval.as_secs()),
            paused: source.paused,
            state: standing.word(),
            added_at: source.added_at,
            last_visit_at: state.last_visit_at,
            last_outcome: state.last_outcome.map(Outcome::from),
            last_success_at: state.last_success_at,
            last_new_at: state.last_new_at,
            failures: state.failures,
            next_at: state.next_at,
            next_reason: state.next_reason,
            articles: state.articles,
        }
    }
}

impl From<model::Visit> for Visit {
    fn from(visit: model::Visit) -> Self {
        Self {
            id: visit.id.0,
            source_id: visit.source_id.0,
            at: visit.at,
            took_ms: u64::try_from(visit.took.as_millis()).unwrap_or(u64::MAX),
            reason: visit.reason,
            outcome: visit.outcome.into(),
            bytes: visit.bytes,
            listed: visit.listed,
            new: visit.new,
            notes: visit.notes,
            event_id: visit.event.map(|id| id.0),
        }
    }
}

/// A message on its way through a channel, or at the end of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(crate) struct DeliveryView {
    id: i64,
    channel_id: i64,
    channel: String,
    /// Names the message for ever; what is sent twice carries the same.
    key: String,
    /// What it tells of.
    kind: String,
    /// The facts.
    #[schema(value_type = Object)]
    facts: serde_json::Value,
    #[schema(value_type = String, format = DateTime)]
    written_at: Timestamp,
    /// `waiting`, `delivered` or `given_up`.
    state: &'static str,
    /// When it is tried next.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Timestamp>,
    tries: u32,
    last_error: Option<String>,
    last_status: Option<u16>,
    #[schema(value_type = Option<String>, format = DateTime)]
    delivered_at: Option<Timestamp>,
}

impl From<store::DeliveryInfo> for DeliveryView {
    fn from(delivery: store::DeliveryInfo) -> Self {
        Self {
            id: delivery.id.0,
            channel_id: delivery.channel_id.0,
            channel: delivery.channel,
            key: delivery.message.key,
            kind: delivery.message.kind,
            facts: delivery.message.payload,
            written_at: delivery.message.created_at,
            state: delivery.state.word(),
            due_at: delivery.due_at,
            tries: delivery.tries,
            last_error: delivery.last_error,
            last_status: delivery.last_status,
            delivered_at: delivery.delivered_at,
        }
    }
}
