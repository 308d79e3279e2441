//! The deed of a visit: what it found, what follows from it, and when the next one is, in one transaction.

mod deed;
mod gathered;
mod listed;
mod record;

pub(crate) use deed::VisitDeed;
pub(crate) use gathered::Gathered;
pub(crate) use listed::NewArticle;

use crate::database::{self, params};
use crate::leases::{After, Lease};
use crate::plan::PlanRules;
use crate::rows::{json, time};
use crate::watches::Sighting;
use crate::writer::Haste;
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{
    ArticleId, EventId, Found, Outcome, PlannedVisit, RobotsRecord, Source, SourceId, SourceKind, Validators,
    Visit, VisitId,
};
use scheduling::News;
use std::time::Duration;

/// Everything one visit brought.
#[derive(Debug, Clone)]
pub struct VisitRecord {
    /// The lease under which it was made.
    pub lease: Lease,
    /// The source visited.
    pub source_id: SourceId,
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// Why it was made.
    pub reason: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Bytes received.
    pub bytes: u64,
    /// What the page is, if it was read.
    pub kind: Option<SourceKind>,
    /// What the page calls itself.
    pub title: Option<String>,
    /// The articles on it, in the order of the page.
    pub articles: Vec<Found>,
    /// For how many of the new ones the page is to be read as well.
    pub bodies: usize,
    /// The selector the page was read with.
    pub selector: Option<String>,
    /// What to send the next time; `None` keeps the old ones.
    pub validators: Option<Validators>,
    /// Hash of the visible text; `None` keeps the old one.
    pub text_hash: Option<i64>,
    /// What the watches saw of it; `None` if the page is as it was.
    pub sights: Option<Vec<Sighting>>,
    /// What the reader noted.
    pub notes: Vec<String>,
    /// robots.txt files read on the way.
    pub robots: Vec<RobotsRecord>,
    /// What becomes of the host.
    pub after: After,
    /// The server asked not to be visited before this.
    pub earliest: Option<Timestamp>,
    /// What the user's plan asks for.
    pub rules: PlanRules,
}

/// What the planner is told about a visit, inside its transaction.
#[derive(Debug)]
pub struct SeenByVisit {
    /// The source as it was before.
    pub source: Source,
    /// Failures in a row, this visit included.
    pub failures: u32,
    /// Articles on the page.
    pub listed: u32,
    /// Articles never seen before.
    pub news: Vec<News>,
}

/// What came of recording a visit.
#[derive(Debug)]
pub struct Recorded {
    /// The visit.
    pub visit_id: VisitId,
    /// Articles never seen before, oldest first.
    pub new: Vec<ArticleId>,
    /// The next visit.
    pub planned: Option<PlannedVisit>,
    /// Events that this visit showed first.
    pub events: Vec<EventId>,
    /// Visits to other sources that were brought forward because of them.
    pub triggered: usize,
    /// Messages that watches posted.
    pub told: usize,
}

impl Store {
    /// Records a visit. `plan` says when the next one is, knowing what this one saw; it runs inside the
    /// transaction, so that a crash can never separate the two.
    pub async fn record_visit<P>(&self, record: VisitRecord, plan: P) -> Result<Recorded, StoreError>
    where
        P: FnOnce(&SeenByVisit) -> PlannedVisit + Send + 'static,
    {
        let deed = VisitDeed::new(self.inner.known.clone(), self.inner.watching.clone(), record, plan);
        self.inner.writer.begin_together(Haste::AtOnce, deed).await
    }

    /// The last visits to a source, newest first.
    pub async fn visits_of(&self, source: SourceId, limit: usize) -> Result<Vec<Visit>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT * FROM visit WHERE source_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2",
            )?;
            let rows = statement.query_map(params![source.0, limit as i64], visit)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

pub(crate) fn visit(row: &database::Row<'_>) -> database::Result<Visit> {
    Ok(Visit {
        id: VisitId(row.get("id")?),
        source_id: SourceId(row.get("source_id")?),
        at: time(row, "at")?,
        took: Duration::from_millis(row.get::<_, i64>("took_ms")?.unsigned_abs()),
        reason: row.get("reason")?,
        outcome: json(row, "outcome")?,
        bytes: row.get::<_, i64>("bytes")?.unsigned_abs(),
        listed: row.get("listed")?,
        new: row.get("new")?,
        notes: json(row, "notes")?,
        event: row.get::<_, Option<i64>>("event_id")?.map(EventId),
    })
}
