//! The processes that work on the same data.

use super::Refusal;
use crate::app::App;
use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// Who works on the data, and how it goes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Fleet {
    /// Others may work on the same data: they are in a database.
    shared: bool,
    /// Visits of all workers in the last minute.
    visits_a_minute: u64,
    /// Sources that should have been visited by now.
    late: u64,
    /// The workers, the longest there first; empty where the data are in a file.
    workers: Vec<Worker>,
}

/// A process that works.
#[derive(Debug, Serialize, ToSchema)]
struct Worker {
    /// One name for each start of a process.
    name: String,
    /// The machine and the process, or what it was called with `--name`.
    label: String,
    /// `visiting`, `crawling`, `filing`.
    roles: Vec<&'static str>,
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it last said that it is present.
    #[schema(value_type = String, format = DateTime)]
    seen_at: Timestamp,
    /// It was not heard of for so long that the others take over what it held.
    gone: bool,
    /// Hosts that it holds now.
    hosts: u64,
    /// Crawls that it runs now.
    crawls: u64,
    figures: Figures,
}

/// What a worker tells of itself, since its start where nothing else is said.
#[derive(Debug, Serialize, ToSchema)]
struct Figures {
    version: String,
    visits: u64,
    visits_a_minute: u64,
    new_articles: u64,
    bodies: u64,
    requests: u64,
    bytes: u64,
    /// Pages its crawls have read.
    crawled: u64,
    /// Hosts that have their turn now.
    turns: u64,
    hosts_at_once: u64,
    /// How long the most overdue of its hosts waits, in seconds.
    lag_s: u64,
    store_errors: u64,
    /// The part of all hosts that is its, from 0 to 1.
    part: f64,
}

/// The workers on the same data, with what each holds and does.
#[utoipa::path(get, path = "/fleet", tag = "state", operation_id = "fleet", responses((status = 200, body = Fleet)))]
pub(crate) async fn show(State(app): State<App>) -> Result<Json<Fleet>, Refusal> {
    let workers = app.store().workers().await?;
    Ok(Json(Fleet {
        shared: app.store().is_shared(),
        visits_a_minute: workers.iter().map(|worker| worker.figures.visits_a_minute).sum(),
        late: app.store().count_late(app.engine.late_before()).await?,
        workers: workers.into_iter().map(Worker::from).collect(),
    }))
}

impl From<store::WorkerInfo> for Worker {
    fn from(info: store::WorkerInfo) -> Self {
        Self {
            name: info.name,
            label: info.label,
            roles: info.roles.words(),
            started_at: info.started_at,
            seen_at: info.seen_at,
            gone: info.gone,
            hosts: info.hosts,
            crawls: info.crawls,
            figures: info.figures.into(),
        }
    }
}

impl From<store::Figures> for Figures {
    fn from(figures: store::Figures) -> Self {
        Self {
            version: figures.version,
            visits: figures.visits,
            visits_a_minute: figures.visits_a_minute,
            new_articles: figures.new_articles,
            bodies: figures.bodies,
            requests: figures.requests,
            bytes: figures.bytes,
            crawled: figures.crawled,
            turns: figures.turns,
            hosts_at_once: figures.hosts_at_once,
            lag_s: figures.lag_s,
            store_errors: figures.store_errors,
            part: figures.part,
        }
    }
}
