//! Sources: what is watched.

use crate::{HostId, Outcome, SourceId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use url::Url;

/// What a source turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// RSS, Atom, RDF or JSON Feed.
    Feed,
    /// An HTML page that lists articles.
    ArticleList,
    /// A sitemap or an index of sitemaps.
    Sitemap,
    /// A page without a list: watched for change.
    Page,
}

/// A watched page, feed or sitemap.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Source {
    /// Its id.
    pub id: SourceId,
    /// Where it is.
    pub url: Url,
    /// The host it belongs to.
    pub host_id: HostId,
    /// What the user, or the page itself, calls it.
    pub title: Option<String>,
    /// What it was understood to be; `None` before the first successful visit.
    pub kind: Option<SourceKind>,
    /// CSS selector that says where the articles are on a list page.
    pub selector: Option<String>,
    /// The user's own interval; `None` leaves it to the policy.
    pub interval: Option<Duration>,
    /// Paused sources are never planned.
    pub paused: bool,
    /// When it was added.
    pub added_at: Timestamp,
    /// What has come of it so far.
    pub state: SourceState,
}

/// What has come of a source so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceState {
    /// The last visit, whatever came of it.
    pub last_visit_at: Option<Timestamp>,
    /// How it ended.
    pub last_outcome: Option<Outcome>,
    /// The last visit that saw the page.
    pub last_success_at: Option<Timestamp>,
    /// When new articles last came.
    pub last_new_at: Option<Timestamp>,
    /// Failures in a row.
    pub failures: u32,
    /// The next planned visit; `None` while paused.
    pub next_at: Option<Timestamp>,
    /// Why then.
    pub next_reason: String,
    /// What to send so that an unchanged page costs nothing.
    #[serde(skip)]
    pub validators: Validators,
    /// How many articles it has listed.
    pub articles: u64,
}

/// What an earlier answer told us to send with the next conditional request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    /// The `ETag`, verbatim.
    pub etag: Option<String>,
    /// The `Last-Modified`, verbatim.
    pub last_modified: Option<String>,
    /// Hash of the body as sent, for servers that know neither.
    pub content_hash: Option<i64>,
}

impl SourceKind {
    /// A short machine word, as stored.
    pub fn word(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::ArticleList => "article_list",
            Self::Sitemap => "sitemap",
            Self::Page => "page",
        }
    }

    /// The inverse of [`SourceKind::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Feed, Self::ArticleList, Self::Sitemap, Self::Page]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

impl fmt::Display for SourceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Feed => "feed",
            Self::ArticleList => "article list",
            Self::Sitemap => "sitemap",
            Self::Page => "plain page",
        })
    }
}
