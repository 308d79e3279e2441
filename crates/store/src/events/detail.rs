//! One event with everything that belongs to it.

use super::{Event, FolderWindow, get_event};
use crate::database::{Connection, params};
use crate::rows::{ms, time};
use crate::visits::visit;
use crate::{Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use model::{ArticleId, EventId, SourceId, Visit};
use url::Url;

/// One event with everything that belongs to it.
#[derive(Debug, Clone, serde::Serialize)]
pub struct EventDetail {
    /// The event.
    pub event: Event,
    /// Complete windows from two days before to a day after.
    pub windows: Vec<FolderWindow>,
    /// Who had it, the first one first.
    pub followers: Vec<Follower>,
    /// The visits it caused, the first one first, each with its source's name.
    pub visits: Vec<(Visit, String)>,
    /// Its stories, newest first, each once.
    pub stories: Vec<Story>,
}

/// A source that took part in an event.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Follower {
    /// The source.
    pub source: SourceId,
    /// Its name.
    pub title: String,
    /// When its first article of the event was published, where it says so, else when it was first seen.
    pub first_at: Timestamp,
    /// When that article was first seen here.
    pub seen_at: Timestamp,
    /// How long after the first of all.
    pub after: SignedDuration,
    /// Its articles.
    pub articles: u32,
}

/// A story of an event.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Story {
    /// The article that told it first.
    pub article: ArticleId,
    /// Its headline.
    pub title: String,
    /// Where it is.
    pub url: Url,
    /// The source that showed it first.
    pub source: String,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// On how many sources it was told.
    pub spread: u32,
}

/// More are in the folder itself.
const MOST_STORIES: i64 = 100;
const MOST_VISITS: i64 = 200;

impl Store {
    /// One event with everything that belongs to it.
    pub async fn event(&self, id: EventId) -> Result<EventDetail, StoreError> {
        let open = self.read(move |connection| get_event(connection, id)).await?;
        let after = |at: Timestamp, hours| at.saturating_add(SignedDuration::from_hours(hours)).unwrap_or(at);
        let until = open.ended_at.map_or(Timestamp::MAX, |at| after(at, 24));
        let windows = self.folder_windows(open.folder, after(open.began_at, -48), until).await?;
        self.read(move |connection| {
            let event = get_event(connection, id)?;
            Ok(EventDetail {
                followers: followers(connection, &event)?,
                visits: caused(connection, id)?,
                stories: stories(connection, &event)?,
                windows: windows.clone(),
                event,
            })
        })
        .await
    }
}

/// Articles of the event: of its folder, seen while it went on.
const ARTICLES: &str = "FROM article a JOIN listing l ON l.article_id = a.id JOIN source s ON s.id = l.source_id
     WHERE a.caught_up = 0 AND a.id IN (SELECT article_id FROM filing WHERE folder_id = ?1)
       AND a.id >= coalesce((SELECT id FROM article WHERE first_seen_at > ?2 ORDER BY first_seen_at, id LIMIT 1), 9223372036854775807) AND a.first_seen_at <= ?3";

fn span(event: &Event) -> (i64, i64, i64) {
    (event.folder.0, ms(event.began_at), event.ended_at.map_or(i64::MAX, ms))
}

fn followers(connection: &Connection, event: &Event) -> Result<Vec<Follower>, StoreError> {
    // A date far before the event is a mistake of the site, or an old article that was listed again.
    let told = "CASE WHEN a.published_at BETWEEN ?2 AND l.first_seen_at THEN a.published_at ELSE l.first_seen_at END";
    let sql = format!(
        "SELECT s.id, coalesce(s.title, s.url) AS title, min({told}) AS first_at, min(l.first_seen_at) AS seen_at,
                count(DISTINCT a.id) AS articles
         {ARTICLES} GROUP BY s.id ORDER BY first_at, seen_at"
    );
    let (folder, from, to) = span(event);
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![folder, from, to], |row| {
        Ok(Follower {
            source: SourceId(row.get("id")?),
            title: row.get("title")?,
            first_at: time(row, "first_at")?,
            seen_at: time(row, "seen_at")?,
            after: SignedDuration::ZERO,
            articles: row.get("articles")?,
        })
    })?;
    let mut followers: Vec<Follower> = rows.collect::<Result<_, _>>()?;
    let first = followers.first().map(|follower| follower.first_at);
    for follower in &mut followers {
        follower.after = first.map_or(SignedDuration::ZERO, |first| follower.first_at.duration_since(first));
    }
    Ok(followers)
}

fn caused(connection: &Connection, id: EventId) -> Result<Vec<(Visit, String)>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT v.*, coalesce(s.title, s.url) AS source FROM visit v JOIN source s ON s.id = v.source_id
         WHERE v.event_id = ?1 ORDER BY v.id LIMIT ?2",
    )?;
    let rows =
        statement.query_map(params![id.0, MOST_VISITS], |row| Ok((visit(row)?, row.get("source")?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn stories(connection: &Connection, event: &Event) -> Result<Vec<Story>, StoreError> {
    let sql = format!(
        "WITH told AS (
             SELECT min(a.id) AS id, min(a.first_seen_at) AS seen, count(DISTINCT s.id) AS spread
             {ARTICLES} GROUP BY coalesce(a.story_id, a.id) ORDER BY min(a.id) DESC LIMIT ?4)
         SELECT told.id, first.title, first.url, told.seen, told.spread,
                (SELECT coalesce(s.title, s.url) FROM listing l JOIN source s ON s.id = l.source_id
                 WHERE l.article_id = told.id ORDER BY l.first_seen_at, s.id LIMIT 1) AS source
         FROM told JOIN article first ON first.id = told.id ORDER BY told.id DESC"
    );
    let (folder, from, to) = span(event);
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![folder, from, to, MOST_STORIES], |row| {
        Ok(Story {
            article: ArticleId(row.get("id")?),
            title: row.get("title")?,
            url: crate::rows::url(row, "url")?,
            source: row.get("source")?,
            first_seen_at: time(row, "seen")?,
            spread: row.get("spread")?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
