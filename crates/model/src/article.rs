//! Articles: what sources bring.

use crate::{ArticleId, SourceId};
use jiff::Timestamp;
use serde::Serialize;
use url::Url;

/// An article as a listing shows it: enough to file it by title before its page is read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Where it is, normalised.
    pub url: Url,
    /// Its headline; may be empty in a sitemap.
    pub title: String,
    /// When it was published, if the listing says so.
    pub published_at: Option<Timestamp>,
    /// A teaser, as plain text.
    pub summary: Option<String>,
}

/// What an article's own page says.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ArticlePage {
    /// The headline.
    pub title: Option<String>,
    /// The main text, paragraphs separated by blank lines.
    pub text: String,
    /// When it was published.
    pub published_at: Option<Timestamp>,
    /// BCP 47 language, lower case, e.g. `en` or `zh-cn`.
    pub language: Option<String>,
    /// The URL the page itself names as canonical, normalised; only if on the same site.
    pub canonical: Option<Url>,
    /// Near-duplicate fingerprint of the text; `None` for too few words.
    pub fingerprint: Option<u64>,
    /// It is a captcha or "checking your browser" page, not the article.
    pub challenge: bool,
    /// What the reader noted.
    pub notes: Vec<String>,
}

/// Whether an article's page has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyState {
    /// Planned, not yet read.
    Waiting,
    /// Read and stored.
    Read,
    /// Given up: the page is gone, refused, or failed too often. The body is *missing*, not empty.
    Missing,
}

/// A stored article.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Article {
    /// Its id.
    pub id: ArticleId,
    /// Its canonical URL.
    pub url: Url,
    /// Its headline.
    pub title: String,
    /// When the site says it was published.
    pub published_at: Option<Timestamp>,
    /// When we first saw it on any source.
    pub first_seen_at: Timestamp,
    /// The source that showed it first; `None` once that source was removed.
    pub source_id: Option<SourceId>,
    /// That source's name or URL, or the site's host name.
    pub source_title: String,
    /// Language of the text.
    pub language: Option<String>,
    /// Teaser or beginning of the text.
    pub summary: Option<String>,
    /// Whether its page was read.
    pub body: BodyState,
    /// The user has read it.
    pub read: bool,
    /// The user has starred it.
    pub starred: bool,
}

impl BodyState {
    /// A short machine word, as stored.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Read => "read",
            Self::Missing => "missing",
        }
    }

    /// The inverse of [`BodyState::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Waiting, Self::Read, Self::Missing].into_iter().find(|state| state.word() == word)
    }
}
