//! For whoever runs it: is it alive, is it ready, what does it count.

use crate::app::App;
use crate::routes::Listed;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use store::{Roles, WorkerInfo};

/// A store that does not answer a small question in this time is failing.
const STORE_ANSWERS_WITHIN: Duration = Duration::from_secs(2);

pub(crate) fn open() -> Listed {
    Listed::default().get("/healthz", healthz).get("/readyz", readyz)
}

pub(crate) fn guarded() -> Listed {
    Listed::default().get("/metrics", metrics)
}

/// Whether it does its work. Nothing here tells a stranger more than that.
#[derive(Debug, Serialize)]
struct Liveness {
    alive: bool,
    engine: &'static str,
    store: &'static str,
    late_sources: u64,
}

async fn healthz(State(app): State<App>) -> Response {
    let status = app.engine.status();
    let refused = status.trouble.is_some();
    let store_fine = !refused && store_answers(&app).await;
    let liveness = Liveness {
        alive: status.alive && store_fine,
        engine: if status.alive { "running" } else { "stuck" },
        store: if store_fine { "fine" } else { "failing" },
        late_sources: status.late,
    };
    let code = if liveness.alive { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (code, Json(liveness)).into_response()
}

async fn readyz(State(app): State<App>) -> Response {
    if store_answers(&app).await {
        Json(serde_json::json!({ "ready": true })).into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, Json(serde_json::json!({ "ready": false }))).into_response()
    }
}

async fn store_answers(app: &App) -> bool {
    let everywhere = store::Share::all();
    let asked = app.store().next_due(&everywhere);
    matches!(tokio::time::timeout(STORE_ANSWERS_WITHIN, asked).await, Ok(Ok(_)))
}

async fn metrics(State(app): State<App>) -> Response {
    let mut text = String::new();
    if encode(&mut text, &registry(&app).await).is_err() {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
}

/// Made anew for each look: the engine and the store already count.
async fn registry(app: &App) -> Registry {
    let mut registry = Registry::with_prefix("ripplewatch");
    let counters = app.engine.counters();
    let counted: [(&str, &str, &AtomicU64); 9] = [
        ("visits", "Visits made", &counters.visits),
        ("visits_succeeded", "Visits that saw their page", &counters.successes),
        ("articles_new", "Articles never seen before", &counters.new_articles),
        ("events", "Events that visits showed", &counters.events),
        ("visits_triggered", "Visits that events brought forward", &counters.triggered),
        ("bodies_read", "Article pages read", &counters.bodies),
        ("requests", "Requests made, robots.txt and redirects included", &counters.requests),
        ("received_bytes", "Bytes received", &counters.bytes),
        ("store_errors", "Deeds the store refused", &counters.store_errors),
    ];
    for (name, help, value) in counted {
        let shown = Counter::<u64>::default();
        shown.inc_by(value.load(Ordering::Relaxed));
        registry.register(name, help, shown);
    }
    let status = app.engine.status();
    gauge(&mut registry, "alive", "1 while the loop looks for work", u64::from(status.alive));
    gauge(&mut registry, "turns", "Hosts having their turn now", status.turns);
    gauge(&mut registry, "sources_late", "Sources not visited on time", status.late);
    let counts = tokio::time::timeout(STORE_ANSWERS_WITHIN, app.counts()).await;
    let up = matches!(counts, Ok(Ok(_)));
    gauge(&mut registry, "store_up", "1 while the file or the database answers", u64::from(up));
    if let Ok(Ok(counts)) = counts {
        gauge(&mut registry, "sources", "Sources, paused ones included", counts.sources);
        gauge(&mut registry, "sources_failing", "Sources whose last visit failed", counts.failing);
        gauge(&mut registry, "articles_unread", "Unread articles", counts.unread);
    }
    workers(app, &mut registry).await;
    registry
}

/// Name, help, and where it is told.
type Figure = (&'static str, &'static str, fn(&WorkerInfo) -> u64);

const OF_A_WORKER: [Figure; 8] = [
    ("worker_visits", "Visits of a worker since its start", |worker| worker.figures.visits),
    ("worker_visits_a_minute", "Visits of a worker in its last minute", |worker| {
        worker.figures.visits_a_minute
    }),
    ("worker_articles_new", "New articles of a worker since its start", |worker| worker.figures.new_articles),
    ("worker_requests", "Requests of a worker since its start", |worker| worker.figures.requests),
    ("worker_store_errors", "Deeds of a worker that the store refused", |worker| worker.figures.store_errors),
    ("worker_hosts", "Hosts that a worker holds", |worker| worker.hosts),
    ("worker_crawls", "Crawls that a worker runs", |worker| worker.crawls),
    ("worker_lag_seconds", "How long a worker's most overdue host waits", |worker| worker.figures.lag_s),
];

/// Each worker on the same data, by its label.
async fn workers(app: &App, registry: &mut Registry) {
    // Whoever asks gives up soon: without the database the rest is told.
    let asked = tokio::time::timeout(STORE_ANSWERS_WITHIN, app.store().workers());
    let Ok(Ok(workers)) = asked.await else { return };
    let present = |has: fn(&Roles) -> bool| {
        workers.iter().filter(|worker| !worker.gone && has(&worker.roles)).count() as u64
    };
    gauge(registry, "workers", "Workers that are present", present(|roles| *roles != Roles::NONE));
    gauge(registry, "workers_visiting", "Workers that visit", present(|roles| roles.visiting));
    for (name, help, figure) in OF_A_WORKER {
        let family = Family::<Vec<(String, String)>, Gauge>::default();
        for worker in &workers {
            // Two may be called the same.
            let names = [("worker", &worker.label), ("process", &worker.name)];
            let label = names.map(|(name, value)| (name.to_owned(), value.clone())).to_vec();
            family.get_or_create(&label).set(i64::try_from(figure(worker)).unwrap_or(i64::MAX));
        }
        registry.register(name, help, family);
    }
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: u64) {
    let gauge = Gauge::<i64>::default();
    gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
    registry.register(name, help, gauge);
}
