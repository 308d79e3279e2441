//! A world with ten days of history in one folder, made by the deeds of real visits, and bursts on demand.

use crate::school::has;
use crate::world::World;
use jiff::{SignedDuration, Timestamp};
use knowledge::Field;
use model::{EventId, FolderId, Found, Manners, Outcome, PlannedVisit, SourceId};
use std::time::Duration;
use store::{After, LeaseRequest, NewSource, Recorded, VisitRecord};

const DAYS: i64 = 10;
/// Visits are so many hours apart.
const EVERY: i64 = 2;

pub(crate) struct Newsroom {
    pub(crate) world: World,
    pub(crate) sources: Vec<SourceId>,
    pub(crate) folder: FolderId,
    written: u32,
}

impl Newsroom {
    /// Three sources on the world's site. Each brings one article every two hours, and every fourth is about ferries.
    pub(crate) async fn open() -> Self {
        let world = World::open().await;
        let folder = world.store.create_folder("Travel/Sea".into()).await.unwrap();
        let condition = vec![has(Field::Title, "ferry")];
        let lesson = move |base: &knowledge::Base| {
            let rule = knowledge::Rule {
                id: base.next_rule(),
                parent: knowledge::ROOT,
                condition,
                conclusion: knowledge::Conclusion::Folder(folder),
                origin: knowledge::Origin::default(),
            };
            base.lesson_of(vec![rule], &std::collections::BTreeSet::new())
        };
        world.store.learn(None, Timestamp::now(), lesson).await.unwrap();
        let later = PlannedVisit { at: hours_from_now(48), reason: "in two days".into() };
        let names = ["Harbour Times", "Coast Courier", "Northern Post"];
        let new = names.iter().enumerate().map(|(site, name)| NewSource {
            url: world.site.url(&format!("/feed.xml?{site}")),
            title: Some((*name).to_owned()),
            selector: None,
            interval: None,
            first_visit: later.clone(),
        });
        let sources = world.store.add_sources(new.collect(), Timestamp::now()).await.unwrap();
        let mut room = Self { world, sources, folder, written: 0 };
        for step in 0..DAYS * 24 / EVERY {
            let at = hours_from_now(EVERY * step - DAYS * 24);
            for site in 0..3 {
                let ferries = u32::from((step + site as i64) % 4 == 0);
                let recorded = room.visit(site, at, ferries, 1 - ferries).await;
                assert_eq!(recorded.events, [], "a usual day is no event");
            }
        }
        room
    }

    /// One source suddenly has many stories on ferries.
    pub(crate) async fn burst(&mut self, site: usize) -> EventId {
        let recorded = self.visit(site, Timestamp::now(), 9, 0).await;
        recorded.events[0]
    }

    /// A visit as the engine records it.
    pub(crate) async fn visit(&mut self, site: usize, at: Timestamp, ferries: u32, others: u32) -> Recorded {
        let store = &self.world.store;
        let titles = (0..ferries).map(|_| "Ferry").chain((0..others).map(|_| "Tram"));
        let articles: Vec<Found> = titles
            .map(|what| {
                self.written += 1;
                Found {
                    url: self.world.site.url(&format!("/story/history-{}", self.written)),
                    title: format!("{what} number {} leaves the quay on time", self.written),
                    published_at: None,
                    summary: None,
                }
            })
            .collect();
        let request = LeaseRequest {
            owner: "the past".into(),
            share: store::Share::all(),
            now: at,
            lease_until: at + SignedDuration::from_secs(60),
            hosts: 10,
            slow_hosts: 10,
            work_per_host: 10,
            default_delay: Duration::from_millis(1),
        };
        let name = model::host_name(&self.world.site.url("/")).unwrap();
        let lease = store.lease_host(name, request).await.unwrap().unwrap().lease;
        let record = VisitRecord {
            lease: lease.clone(),
            source_id: self.sources[site],
            at,
            took: Duration::from_millis(5),
            reason: "a usual visit".into(),
            outcome: Outcome::NewContent,
            bytes: 100,
            kind: None,
            title: None,
            articles,
            bodies: 0,
            selector: None,
            validators: None,
            text_hash: None,
            sights: None,
            notes: Vec::new(),
            robots: Vec::new(),
            after: After::Keep(None),
            earliest: None,
            rules: store::PlanRules { keeps_timers: true, ..store::PlanRules::default() },
        };
        let next = PlannedVisit { at: hours_from_now(48), reason: "in two days".into() };
        let recorded = store.record_visit(record, move |_| next).await.unwrap();
        store.release_host(lease, Manners::default(), false).await.unwrap();
        recorded
    }

    /// Waits until the engine made the visits that an event caused.
    pub(crate) async fn followed(&self, event: EventId) {
        self.world.until(|| async { self.world.store.event(event).await.unwrap().visits.len() == 2 }).await;
    }
}

pub(crate) fn hours_from_now(hours: i64) -> Timestamp {
    Timestamp::now() + SignedDuration::from_hours(hours)
}
