//! Something of everything, done as the program does it.

use crate::articles::body_record;
use crate::crawls::{self, new_url, page, record};
use crate::events::Newsroom;
use crate::knowledge::{has, teach};
use crate::shop::{Shop, at, planned, visit_record};
use crate::telling::{message, settings};
use crate::watches::{part, terms};
use detection::Entry;
use discovery::crawl::CrawlSettings;
use discovery::ontology::{ClassId, Lesson, LessonKind, Provenance};
use knowledge::{Correction, Field};
use model::{Manners, RobotsRecord, RobotsVerdict};
use store::{
    CandidateKind, FoundCandidate, FoundPage, Marks, NewCrawl, PageRecord, Sighting, Store, Tried, UrlEnd,
    VisitRecord,
};

/// More crawled URLs than go into one batch.
const URLS: u32 = 9_000;

/// Fills a folder; the store is closed again.
pub(super) async fn fill(shop: Shop) -> Shop {
    let mut room = Newsroom::begin(shop).await;
    room.visit(0, 9, 1).await;
    read_some(&room).await;
    tell(&room).await;
    watch(&mut room).await;
    crawl(&room.shop.store).await;
    let store = &room.shop.store;
    let entry = Entry {
        id: None,
        folder: room.sport,
        kind: "final".into(),
        title: "Cup final".into(),
        from: at(1_000_000),
        to: at(1_010_000),
        multiplier: Some(2.5),
        uncertainty: None,
    };
    store.add_expected(vec![entry]).await.unwrap();
    // The parent is younger than its child.
    let (inner, outer) = (
        store.create_folder("Finals".into()).await.unwrap(),
        store.create_folder("Cups".into()).await.unwrap(),
    );
    store.move_folder(inner, Some(outer)).await.unwrap();
    let article = store.articles_page(crate::articles::all()).await.unwrap().articles[1].id;
    let condition = vec![has(Field::Title, "town")];
    teach(store, article, Correction::Add(outer), condition).await.unwrap();
    store.add_token("ci".into(), at(3)).await.unwrap();
    store.begin_login(at(3), at(9_000_000)).await.unwrap();
    store.set_setting("plan", Some(&"as it \"was\"")).await.unwrap();
    store.save_watch().await.unwrap();
    room.shop
}

/// Texts, pages as fetched, marks, robots.txt.
async fn read_some(room: &Newsroom) {
    let store = &room.shop.store;
    let work = room.shop.lease_of(room.sources[0], room.now).await;
    let articles = room.shop.store.articles_page(crate::articles::all()).await.unwrap().articles;
    let mine = articles.iter().filter(|article| article.url.host_str() == Some("site0.example"));
    for (n, article) in mine.take(12).enumerate() {
        let text =
            format!("The Übergrößen of number {n} — «naïve» 新华社 {}", "and more words ".repeat(n * 40));
        store.record_body(body_record(&work, article.id, &text, None)).await.unwrap();
    }
    let read = Marks { read: Some(true), starred: Some(true) };
    store.mark_articles(vec![articles[0].id, articles[3].id], read).await.unwrap();
    let robots = RobotsRecord {
        origin: "https://site0.example:443".into(),
        fetched_at: at(1),
        expires_at: at(90_000),
        verdict: RobotsVerdict::Rules("User-agent: *\nDisallow: /private\n".into()),
    };
    let visit = VisitRecord { robots: vec![robots], ..visit_record(&work, room.sources[0], room.now) };
    store.record_visit(visit, |_| planned(9_999_999)).await.unwrap();
    store.release_host(work.lease, Manners::default(), false).await.unwrap();
}

/// Channels, one of which is gone again, and deliveries in every state.
async fn tell(room: &Newsroom) {
    let store = &room.shop.store;
    let channel = store.add_channel(settings("desk"), at(0)).await.unwrap();
    let gone = store.add_channel(settings("gone"), at(0)).await.unwrap();
    store.remove_channel(gone).await.unwrap();
    store.post_messages((100..110).map(message).collect()).await.unwrap();
    let now = at(500_000);
    let first = store.next_dispatch(channel, "me", now, at(600_000)).await.unwrap().unwrap();
    let again = Tried::Again { at: now, error: "no".into(), status: Some(503), channel_waits: false };
    store.record_try(&first, again, now).await.unwrap();
}

/// A watch that has seen a change.
async fn watch(room: &mut Newsroom) {
    let (store, source) = (&room.shop.store, room.sources[1]);
    store.add_watch(source, "price".into(), terms("css .price"), at(0)).await.unwrap();
    for (n, text) in ["5 crowns", "7 crowns"].into_iter().enumerate() {
        let now = room.now + 100 * (n as i64 + 1);
        store.visit_soon(source, planned(now)).await.unwrap();
        let work = room.shop.lease_of(source, now).await;
        let see = |lookout: &store::Lookout| Sighting {
            watch: lookout.watch,
            revision: lookout.revision,
            sight: part(text),
        };
        let sights = Some(work.visits[0].lookouts.iter().map(see).collect());
        let record = VisitRecord { sights, ..visit_record(&work, source, now) };
        store.record_visit(record, move |_| planned(now + 86_400)).await.unwrap();
        store.release_host(work.lease, Manners::default(), false).await.unwrap();
    }
}

/// A crawl that has read pages, learned, and found something to watch; it still runs.
async fn crawl(store: &Store) {
    let now = crawls::now();
    store.save_topic(crawls::topic(), now).await.unwrap();
    let topic = crawls::topic();
    let new = NewCrawl {
        topic,
        settings: CrawlSettings::default(),
        seeds: vec![crawls::url(0)],
        output: None,
        worker: None,
    };
    let id = store.add_crawl(new, now).await.unwrap();
    let epoch = store.begin_crawl(id, "me").await.unwrap().epoch;
    store.add_crawl_urls(id, epoch, 0, (0..URLS).map(|spot| new_url(spot, None)).collect()).await.unwrap();
    let provenance = Provenance::Crawl { lesson: 1, on_topic: 3, pages: 4, hosts: 2, examples: Vec::new() };
    let kind = LessonKind::Weight { class: ClassId(0), before: 1.0, after: 1.5 };
    for spot in 0..40_u32 {
        let end = match spot % 4 {
            0 => page(true),
            1 => said(&format!("It's “naïve” page {spot} — of BÜCHER, {}", "again and again ".repeat(100))),
            2 => page(false),
            _ => UrlEnd::Nothing("HTTP 404".into()),
        };
        let mut one: PageRecord = record(id, (epoch, i64::from(spot) + 1), spot, end, Vec::new());
        if spot == 8 {
            one.lessons = vec![Lesson { number: 1, kind: kind.clone(), provenance: provenance.clone() }];
            one.candidates = vec![FoundCandidate {
                url: crawls::url(70_000),
                kind: CandidateKind::Feed,
                title: None,
                per_day: Some(0.25),
                share: 0.1 + 0.2,
            }];
        }
        store.record_page(one).await.unwrap();
    }
}

fn said(text: &str) -> UrlEnd {
    let UrlEnd::Page(found) = page(true) else { unreachable!() };
    UrlEnd::Page(Box::new(FoundPage { title: None, text: text.into(), ..*found }))
}
