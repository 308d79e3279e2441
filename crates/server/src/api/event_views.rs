//! Events as the API shows them.

use super::views::Visit;
use jiff::Timestamp;
use serde::Serialize;
use store::FolderWindow;
use utoipa::ToSchema;

/// A time at which a folder was unusually busy.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Event {
    id: i64,
    folder_id: i64,
    /// The folder's own name.
    folder_name: String,
    /// When the window began that shows it.
    #[schema(value_type = String, format = DateTime)]
    began_at: Timestamp,
    /// When it was noticed.
    #[schema(value_type = String, format = DateTime)]
    opened_at: Timestamp,
    /// When it was over; null while it goes on.
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// The visit that showed it.
    visit_id: Option<i64>,
    /// That visit's source.
    source_id: Option<i64>,
    source_title: Option<String>,
    /// What decided.
    detector: String,
    /// The window that opened it.
    opening: Finding,
    /// The most unusual window so far.
    peak: Finding,
    /// `confirmed` or `dismissed`; null while nobody said.
    verdict: Option<&'static str>,
    #[schema(value_type = Option<String>, format = DateTime)]
    judged_at: Option<Timestamp>,
    /// Articles of the folder while it went on.
    articles: u64,
    /// Visits it caused.
    visits: u64,
}

/// How unusual a window is, and why.
#[derive(Debug, Serialize, ToSchema)]
struct Finding {
    /// Stories seen.
    observed: f64,
    /// Stories that would have been usual.
    expected: f64,
    /// The range that would not surprise.
    low: f64,
    high: f64,
    /// On the detector's own scale.
    score: f64,
    /// From which score on it alarms.
    threshold: f64,
    alarm: bool,
    /// Why, in words.
    reason: String,
    /// The sources that contribute most above their own usual, most first.
    contributions: Vec<Contribution>,
}

/// What one source adds.
#[derive(Debug, Serialize, ToSchema)]
struct Contribution {
    source_id: i64,
    observed: f64,
    expected: f64,
    /// It alone is unusual.
    unusual: bool,
}

/// One event with everything that belongs to it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventDetail {
    #[serde(flatten)]
    event: Event,
    /// Windows from two days before to a day after, oldest first.
    windows: Vec<Window>,
    /// Who had it, the first one first.
    followers: Vec<Follower>,
    /// The visits it caused, the first one first.
    caused: Vec<Visit>,
    /// Its stories, newest first, each once.
    stories: Vec<Story>,
}

/// What was seen of a folder in one window, against what was expected.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Window {
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    observed: f64,
    expected: f64,
    low: f64,
    high: f64,
    score: f64,
    alarm: bool,
    /// Still going on.
    open: bool,
}

/// A source that took part in an event.
#[derive(Debug, Serialize, ToSchema)]
struct Follower {
    source_id: i64,
    title: String,
    /// When its first article was published, where it says so, else when it was first seen.
    #[schema(value_type = String, format = DateTime)]
    first_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    seen_at: Timestamp,
    /// How long after the first of all.
    after_seconds: i64,
    articles: u32,
}

/// A story of an event.
#[derive(Debug, Serialize, ToSchema)]
struct Story {
    /// The article that told it first.
    article_id: i64,
    title: String,
    url: String,
    source_title: String,
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Timestamp,
    /// On how many sources it was told.
    spread: u32,
}

impl From<store::Event> for Event {
    fn from(event: store::Event) -> Self {
        Self {
            id: event.id.0,
            folder_id: event.folder.0,
            folder_name: event.folder_name,
            began_at: event.began_at,
            opened_at: event.opened_at,
            ended_at: event.ended_at,
            visit_id: event.visit.map(|id| id.0),
            source_id: event.source.map(|id| id.0),
            source_title: event.source_title,
            detector: event.detector,
            opening: event.opening.into(),
            peak: event.peak.into(),
            verdict: event.verdict.map(store::Verdict::word),
            judged_at: event.judged_at,
            articles: event.articles,
            visits: event.visits,
        }
    }
}

impl From<detection::Score> for Finding {
    fn from(score: detection::Score) -> Self {
        let contributions = score.contributions.into_iter().map(|part| Contribution {
            source_id: part.source.0,
            observed: part.observed,
            expected: part.expected,
            unusual: part.unusual,
        });
        Self {
            observed: score.observed,
            expected: score.expected,
            low: score.low,
            high: score.high,
            score: score.score,
            threshold: score.threshold,
            alarm: score.alarm,
            reason: score.reason,
            contributions: contributions.collect(),
        }
    }
}

impl From<FolderWindow> for Window {
    fn from(window: FolderWindow) -> Self {
        let FolderWindow { from, to, observed, expected, low, high, score, alarm, open } = window;
        Self { from, to, observed, expected, low, high, score, alarm, open }
    }
}

impl From<store::EventDetail> for EventDetail {
    fn from(detail: store::EventDetail) -> Self {
        let followers = detail.followers.into_iter().map(|follower| Follower {
            source_id: follower.source.0,
            title: follower.title,
            first_at: follower.first_at,
            seen_at: follower.seen_at,
            after_seconds: follower.after.as_secs(),
            articles: follower.articles,
        });
        let stories = detail.stories.into_iter().map(|story| Story {
            article_id: story.article.0,
            title: story.title,
            url: story.url.into(),
            source_title: story.source,
            first_seen_at: story.first_seen_at,
            spread: story.spread,
        });
        Self {
            event: detail.event.into(),
            windows: detail.windows.into_iter().map(Window::from).collect(),
            followers: followers.collect(),
            caused: detail.visits.into_iter().map(|(visit, _)| Visit::from(visit)).collect(),
            stories: stories.collect(),
        }
    }
}
