//! Crawls: their settings, their standing, and the URLs they know. Rows are the hard truth: a crawl that was killed
//! goes on from them.

mod candidates;
mod curve;
mod deed;
mod gathered;
mod pages;
mod record;
mod removal;
mod urls;

pub use candidates::{Candidate, CandidateKind, Promotion};
pub use curve::{CrawlCurve, CrawlPoint};
pub(crate) use deed::CrawlDeed;
pub use pages::{CrawlPage, CrawlPageFilter};
pub use record::{FoundCandidate, FoundPage, FoundWord, NewCrawlUrl, PageRecord, UrlEnd};
pub use urls::{CrawlUrl, UrlState};

use crate::database::{self, Connection, DatabaseError, OptionalExtension, Row, params};
use crate::rows::{json, maybe_time, ms, time, to_json};
use crate::{Store, StoreError};
use discovery::crawl::CrawlSettings;
use discovery::ontology::{Learner, Topic};
use jiff::Timestamp;
use model::CrawlId;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use url::Url;

/// A crawl to be started.
#[derive(Debug, Clone)]
pub struct NewCrawl {
    /// What it looks for.
    pub topic: Topic,
    /// What it may do.
    pub settings: CrawlSettings,
    /// Where it begins.
    pub seeds: Vec<Url>,
    /// The folder for its files, if any.
    pub output: Option<PathBuf>,
    /// The worker that is to run it; whoever is there to run crawls, if none is named.
    pub worker: Option<String>,
}

/// Where a crawl stands.
#[derive(Debug, Clone, Serialize)]
pub struct CrawlInfo {
    /// Its number.
    pub id: CrawlId,
    /// The topic's name.
    pub topic: String,
    /// What it may do.
    pub settings: CrawlSettings,
    /// Where it began.
    pub seeds: Vec<Url>,
    /// The folder for its files, if any.
    pub output: Option<PathBuf>,
    /// Whether it runs.
    pub phase: CrawlPhase,
    /// Why it does not run, or what keeps it.
    pub why: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Seconds it has run.
    pub ran_seconds: f64,
    /// URLs it knows.
    pub known: u64,
    /// Pages it has read.
    pub fetched: u64,
    /// Those on the topic.
    pub relevant: u64,
    /// URLs that gave no page.
    pub failed: u64,
    /// What it said of itself last, and when.
    pub progress: Option<CrawlProgress>,
    /// When it last said something.
    pub beat_at: Option<Timestamp>,
}

impl CrawlInfo {
    /// The share of the pages read that are on the topic.
    pub fn harvest(&self) -> f64 {
        if self.fetched == 0 { 0.0 } else { self.relevant as f64 / self.fetched as f64 }
    }
}

/// Whether a crawl runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrawlPhase {
    /// It runs, or will as soon as a process is there to run it.
    Running,
    /// Something is in the way; it goes on once that is gone.
    Paused,
    /// A person stopped it; it can go on.
    Stopped,
    /// It has nothing left to do.
    Finished,
}

impl CrawlPhase {
    /// As it is stored and shown.
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Stopped => "stopped",
            Self::Finished => "finished",
        }
    }

    fn from_word(word: &str) -> Self {
        match word {
            "running" => Self::Running,
            "paused" => Self::Paused,
            "stopped" => Self::Stopped,
            _ => Self::Finished,
        }
    }
}

/// What a running crawl says of itself every second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CrawlProgress {
    /// URLs that wait.
    pub waiting: u64,
    /// Requests under way.
    pub asking: u64,
    /// Hosts known.
    pub hosts: u64,
    /// Pages a second, lately.
    pub pages_per_second: f64,
    /// Why nothing more is under way, in words; empty if nothing holds it up.
    pub idle: String,
    /// Links that were not followed, by reason.
    pub dropped: std::collections::BTreeMap<String, u64>,
}

/// What a crawl needs to go on.
#[derive(Debug)]
pub struct CrawlStart {
    /// Which start of it this is; every deed shows it.
    pub epoch: i64,
    /// How often people had stopped it or let it go on.
    pub wishes: i64,
    /// The crawl.
    pub info: CrawlInfo,
    /// What it looks for, as it was at its first start.
    pub topic: Topic,
    /// What earlier crawls have taught the topic.
    pub learner: Option<Learner>,
    /// The mind's soft state, as JSON, if there is one.
    pub soft: Option<String>,
    /// The WARC file being written, and how much of it is good.
    pub warc: (u32, u64),
}

/// A change to a crawl's budget.
#[derive(Debug, Clone, Copy, Default)]
pub struct CrawlEdit {
    /// At most this many pages in all.
    pub pages: Option<u32>,
}

/// How a run of a crawl ended.
#[derive(Debug, Clone)]
pub struct CrawlEnd {
    /// What it is then.
    pub phase: CrawlPhase,
    /// Why, in words.
    pub why: String,
    /// The mind's soft state, as JSON.
    pub soft: Option<String>,
    /// What [`CrawlStart::wishes`] was: if people have wished something since, their wish stays.
    pub wishes: i64,
}

impl Store {
    /// Makes a crawl that is to run.
    pub async fn add_crawl(&self, new: NewCrawl, now: Timestamp) -> Result<CrawlId, StoreError> {
        self.write(move |connection| {
            let id: i64 = connection.query_row(
                "INSERT INTO crawl (topic_name, topic_version, settings, seeds, output, phase, created_at, lease_owner)
                 VALUES (?1, (SELECT version FROM topic WHERE lower(name) = lower(?1)), ?2, ?3, ?4, 'running', ?5, ?6)
                 RETURNING id",
                params![
                    new.topic.name,
                    to_json(&new.settings)?,
                    to_json(&new.seeds)?,
                    new.output.as_ref().map(|folder| folder.to_string_lossy().into_owned()),
                    ms(now),
                    new.worker
                ],
                |row| row.get(0),
            )?;
            connection.execute(
                "INSERT INTO crawl_mind (crawl_id, topic) VALUES (?1, ?2)",
                params![id, to_json(&new.topic)?],
            )?;
            connection.tell_everybody();
            Ok(CrawlId(id))
        })
        .await
    }

    /// All crawls, the newest first.
    pub async fn crawls(&self) -> Result<Vec<CrawlInfo>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM crawl ORDER BY id DESC")?;
            let rows = statement.query_map([], crawl_info)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// One crawl.
    pub async fn crawl(&self, id: CrawlId) -> Result<CrawlInfo, StoreError> {
        self.read(move |connection| get_crawl(connection, id)).await
    }

    /// Crawls that are to run, and those that wait for trouble to pass; but none that another worker runs.
    pub async fn crawls_to_run(&self, worker: &str) -> Result<Vec<(CrawlId, CrawlPhase)>, StoreError> {
        let worker = worker.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, phase FROM crawl WHERE phase IN ('running', 'paused')
                     AND (lease_owner IS NULL OR lease_owner = ?1) ORDER BY id",
            )?;
            let rows = statement.query_map([&worker], |row| {
                Ok((CrawlId(row.get(0)?), CrawlPhase::from_word(&row.get::<_, String>(1)?)))
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// What people call the worker that has a crawl, if it is another than this one.
    pub async fn crawl_held_by(&self, id: CrawlId, but: &str) -> Result<Option<String>, StoreError> {
        let but = but.to_owned();
        self.read(move |connection| {
            let sql = "SELECT coalesce(w.label, c.lease_owner) FROM crawl c LEFT JOIN worker w ON w.name = c.lease_owner
                 WHERE c.id = ?1 AND c.lease_owner <> ?2";
            Ok(connection.query_row(sql, params![id.0, but], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// Begins a run of a crawl that is to run: whoever ran it before is refused from now on. A crawl that was stopped, has
    /// finished or is run by another worker is not found.
    pub async fn begin_crawl(&self, id: CrawlId, worker: &str) -> Result<CrawlStart, StoreError> {
        let worker = worker.to_owned();
        self.write_beside(move |connection| {
            let begun = connection.execute(
                "UPDATE crawl SET epoch = epoch + 1, deeds = 0, phase = 'running', why = '', ended_at = NULL,
                     lease_owner = ?2
                 WHERE id = ?1 AND phase IN ('running', 'paused') AND (lease_owner IS NULL OR lease_owner = ?2)",
                params![id.0, worker],
            )?;
            if begun == 0 {
                return Err(StoreError::not_found(format!("crawl {id} that is to run")));
            }
            let start = connection
                .query_row(
                    "SELECT c.*, m.topic, m.soft, t.learner FROM crawl c JOIN crawl_mind m ON m.crawl_id = c.id
                     LEFT JOIN topic t ON lower(t.name) = lower(c.topic_name) AND t.version = c.topic_version WHERE c.id = ?1",
                    [id.0],
                    crawl_start,
                )
                .optional()?;
            start.ok_or_else(|| StoreError::not_found(format!("crawl {id}")))
        })
        .await
    }

    /// Says how a running crawl does; the answer is what is wanted of it by now.
    pub async fn crawl_beat(
        &self,
        id: CrawlId,
        epoch: i64,
        progress: CrawlProgress,
        ran: std::time::Duration,
        soft: Option<String>,
        now: Timestamp,
    ) -> Result<CrawlPhase, StoreError> {
        self.write_beside(move |connection| {
            let phase: Option<String> = connection
                .prepare_cached(
                    "UPDATE crawl SET progress = ?3, beat_at = ?4, ran_ms = ran_ms + ?5
                     WHERE id = ?1 AND epoch = ?2 RETURNING phase",
                )?
                .query_row(
                    params![id.0, epoch, to_json(&progress)?, ms(now), crate::rows::span_ms(ran)],
                    |row| row.get(0),
                )
                .optional()?;
            let phase = phase.ok_or(StoreError::Fenced)?;
            save_soft(connection, id, soft.as_deref())?;
            Ok(CrawlPhase::from_word(&phase))
        })
        .await
    }

    /// Ends a run. What a person wanted meanwhile stays: a crawl stopped by hand is stopped.
    pub async fn end_crawl(
        &self,
        id: CrawlId,
        epoch: i64,
        end: CrawlEnd,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write_beside(move |connection| {
            let changed = connection.execute(
                "UPDATE crawl SET phase = CASE WHEN wishes = ?6 THEN ?3 ELSE phase END,
                     why = CASE WHEN wishes = ?6 THEN ?4 ELSE why END,
                     ended_at = CASE WHEN ?3 IN ('running', 'paused') THEN NULL ELSE CAST(?5 AS BIGINT) END,
                     lease_owner = NULL
                 WHERE id = ?1 AND epoch = ?2",
                params![id.0, epoch, end.phase.word(), end.why, ms(now), end.wishes],
            )?;
            if changed > 0 { save_soft(connection, id, end.soft.as_deref()) } else { Ok(()) }
        })
        .await
    }

    /// Stops a crawl, or lets it go on, perhaps with a larger budget. A running process notices within a second.
    pub async fn set_crawl_phase(
        &self,
        id: CrawlId,
        phase: CrawlPhase,
        edit: CrawlEdit,
    ) -> Result<CrawlInfo, StoreError> {
        self.write(move |connection| {
            let mut info = get_crawl(connection, id)?;
            removal::check(connection, id)?;
            // What is over keeps its reason.
            if (phase, info.phase) == (CrawlPhase::Stopped, CrawlPhase::Finished) {
                return Ok(info);
            }
            info.settings.pages = edit.pages.unwrap_or(info.settings.pages);
            let why = if phase == CrawlPhase::Stopped { "stopped by you" } else { "" };
            connection.execute(
                "UPDATE crawl SET phase = ?2, why = ?3, settings = ?4, ended_at = NULL, wishes = wishes + 1 WHERE id = ?1",
                params![id.0, phase.word(), why, to_json(&info.settings)?],
            )?;
            connection.tell_everybody();
            get_crawl(connection, id)
        })
        .await
    }
}

pub(crate) fn get_crawl(connection: &Connection, id: CrawlId) -> Result<CrawlInfo, StoreError> {
    let mut statement = connection.prepare_cached("SELECT * FROM crawl WHERE id = ?1")?;
    let info = statement.query_row([id.0], crawl_info).optional()?;
    info.ok_or_else(|| StoreError::not_found(format!("crawl {id}")))
}

fn crawl_start(row: &Row<'_>) -> database::Result<CrawlStart> {
    let learned: Option<String> = row.get("learner")?;
    Ok(CrawlStart {
        epoch: row.get("epoch")?,
        wishes: row.get("wishes")?,
        info: crawl_info(row)?,
        topic: json(row, "topic")?,
        learner: learned.map(|_| json(row, "learner")).transpose()?,
        soft: row.get::<_, Option<Vec<u8>>>("soft")?.and_then(|packed| unpack(&packed)),
        warc: (row.get("warc_file")?, row.get::<_, i64>("warc_bytes")?.unsigned_abs()),
    })
}

fn save_soft(connection: &Connection, id: CrawlId, soft: Option<&str>) -> Result<(), StoreError> {
    if let Some(soft) = soft {
        connection
            .execute("UPDATE crawl_mind SET soft = ?2 WHERE crawl_id = ?1", params![id.0, pack(soft)])?;
    }
    Ok(())
}

fn crawl_info(row: &Row<'_>) -> database::Result<CrawlInfo> {
    let count = |column: &str| Ok::<_, DatabaseError>(row.get::<_, i64>(column)?.unsigned_abs());
    let progress: Option<String> = row.get("progress")?;
    let output: Option<String> = row.get("output")?;
    Ok(CrawlInfo {
        id: CrawlId(row.get("id")?),
        topic: row.get("topic_name")?,
        settings: json(row, "settings")?,
        seeds: json(row, "seeds")?,
        output: output.map(PathBuf::from),
        phase: CrawlPhase::from_word(&row.get::<_, String>("phase")?),
        why: row.get("why")?,
        created_at: time(row, "created_at")?,
        ended_at: maybe_time(row, "ended_at")?,
        ran_seconds: count("ran_ms")? as f64 / 1_000.0,
        known: count("known")?,
        fetched: count("fetched")?,
        relevant: count("relevant")?,
        failed: count("failed")?,
        progress: progress.and_then(|text| serde_json::from_str(&text).ok()),
        beat_at: maybe_time(row, "beat_at")?,
    })
}

/// A snapshot is a megabyte of JSON and shrinks to a fifth.
fn pack(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

/// `None` for what cannot be read: soft state may be lost.
fn unpack(packed: &[u8]) -> Option<String> {
    use std::io::Read;
    let mut text = String::new();
    flate2::read::ZlibDecoder::new(packed).read_to_string(&mut text).ok()?;
    Some(text)
}
