//! Visits of the days before, put into the books as the program does it.

use crate::chaos::world::{PastVisit, World};
use jiff::{SignedDuration, Timestamp};
use model::{Found, Manners, Outcome, PlannedVisit, SourceId};
use std::time::Duration;
use store::{After, LeaseRequest, PlanRules, Share, Store, VisitRecord};
use url::Url;

pub(super) async fn visit(store: &Store, world: &World, port: u16, ids: &[SourceId]) -> anyhow::Result<()> {
    let mut past: Vec<&PastVisit> = world.past.iter().collect();
    // The oldest first: time never runs backwards.
    past.sort_by_key(|visit| std::cmp::Reverse(visit.hours_ago));
    let now = Timestamp::now();
    for visit in past {
        let at = now - SignedDuration::from_hours(visit.hours_ago.into());
        record(store, world, port, ids[visit.source], visit, at, now).await?;
    }
    Ok(())
}

async fn record(
    store: &Store,
    world: &World,
    port: u16,
    id: SourceId,
    visit: &PastVisit,
    at: Timestamp,
    now: Timestamp,
) -> anyhow::Result<()> {
    let request = LeaseRequest {
        owner: "past".into(),
        share: Share::all(),
        now: at,
        lease_until: at + SignedDuration::from_mins(1),
        hosts: 1,
        slow_hosts: 0,
        work_per_host: 0,
        default_delay: Duration::ZERO,
    };
    let host = world.hosts[world.sources[visit.source].host].address.to_string();
    let work = store.lease_host(host, request).await?;
    let work = work.ok_or_else(|| anyhow::anyhow!("nobody else is there yet"))?;
    let mut articles = Vec::new();
    if let Some(article) = visit.found.map(|number| &world.articles[number]) {
        articles.push(Found {
            url: Url::parse(&world.url(port, article.host, &article.path))?,
            title: article.title.clone(),
            published_at: None,
            summary: None,
        });
    }
    let record = VisitRecord {
        lease: work.lease.clone(),
        source_id: id,
        at,
        took: Duration::ZERO,
        reason: "first visit".into(),
        outcome: Outcome::NewContent,
        bytes: 1,
        kind: None,
        title: None,
        bodies: articles.len(),
        articles,
        selector: None,
        validators: None,
        text_hash: None,
        sights: None,
        notes: Vec::new(),
        robots: Vec::new(),
        after: After::GiveBack { manners: Manners::default(), slow: false },
        earliest: None,
        rules: PlanRules { keeps_timers: true, ..PlanRules::default() },
    };
    let next = PlannedVisit { at: now, reason: "first visit".into() };
    store.record_visit(record, move |_| next).await?;
    Ok(())
}
