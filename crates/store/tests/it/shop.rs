//! What the tests are made of: a store with throw-away data and short ways to fill it.

use crate::data::Data;
use jiff::Timestamp;
use model::{Found, Manners, Outcome, PlannedVisit, SourceId};
use std::time::Duration;
use store::{After, HostWork, Lease, LeaseRequest, NewSource, Recorded, Store, StoreError, VisitRecord};
use url::Url;

pub(crate) struct Shop {
    pub(crate) store: Store,
    pub(crate) data: Data,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self::of(Data::new())
    }

    /// In a folder, whatever the suite runs on.
    pub(crate) fn in_folder() -> Self {
        Self::of(Data::in_folder())
    }

    pub(crate) fn of(data: Data) -> Self {
        Self { store: data.open().unwrap(), data }
    }

    /// The same data after the process died or stopped.
    pub(crate) fn reopened(self) -> Self {
        let Self { store, data } = self;
        drop(store);
        Self::of(data)
    }

    pub(crate) async fn add(&self, address: &str) -> SourceId {
        self.store.add_sources(vec![new_source(address)], at(0)).await.unwrap()[0]
    }

    pub(crate) async fn lease(&self, now: i64) -> Vec<HostWork> {
        self.store.lease_due_hosts(request(now)).await.unwrap()
    }

    /// Leases the host of a source (everything of it must be free), visits, gives it back.
    pub(crate) async fn visit(&self, source: SourceId, now: i64, articles: &[&str]) -> Recorded {
        let work = self.lease_of(source, now).await;
        let record = VisitRecord { articles: found(articles), ..visit_record(&work, source, now) };
        let recorded = self.store.record_visit(record, move |_| planned(now + 60)).await.unwrap();
        self.store.release_host(work.lease, Manners::default(), false).await.unwrap();
        recorded
    }

    pub(crate) async fn lease_of(&self, source: SourceId, now: i64) -> HostWork {
        let url = self.store.source(source).await.unwrap().url;
        self.store.lease_host(model::host_name(&url).unwrap(), request(now)).await.unwrap().unwrap()
    }
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

pub(crate) fn planned(second: i64) -> PlannedVisit {
    PlannedVisit { at: at(second), reason: "test".into() }
}

pub(crate) fn new_source(address: &str) -> NewSource {
    NewSource {
        url: Url::parse(address).unwrap(),
        title: None,
        selector: None,
        interval: None,
        first_visit: planned(0),
    }
}

pub(crate) fn request(now: i64) -> LeaseRequest {
    LeaseRequest {
        owner: "me".into(),
        share: store::Share::all(),
        now: at(now),
        lease_until: at(now + 300),
        hosts: 100,
        slow_hosts: 100,
        work_per_host: 50,
        default_delay: Duration::from_secs(2),
    }
}

pub(crate) fn found(urls: &[&str]) -> Vec<Found> {
    let one = |url: &&str| Found {
        url: Url::parse(url).unwrap(),
        title: format!("Title of {}", url.rsplit('/').next().unwrap()),
        published_at: None,
        summary: None,
    };
    urls.iter().map(one).collect()
}

pub(crate) fn visit_record(work: &HostWork, source: SourceId, now: i64) -> VisitRecord {
    visit_record_under(&work.lease, source, now)
}

pub(crate) fn visit_record_under(lease: &Lease, source: SourceId, now: i64) -> VisitRecord {
    VisitRecord {
        lease: lease.clone(),
        source_id: source,
        at: at(now),
        took: Duration::from_millis(5),
        reason: "test".into(),
        outcome: Outcome::NewContent,
        bytes: 100,
        kind: None,
        title: None,
        articles: Vec::new(),
        bodies: 100,
        selector: None,
        validators: None,
        text_hash: None,
        sights: None,
        notes: Vec::new(),
        robots: Vec::new(),
        after: After::Keep(None),
        earliest: None,
        rules: store::PlanRules { keeps_timers: true, ..store::PlanRules::default() },
    }
}

pub(crate) fn is_fenced<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Fenced))
}
