use crate::data::Data;
use discovery::crawl::CrawlSettings;
use discovery::ontology::{ClassId, Lesson, LessonKind, Provenance, Topic};
use jiff::{SignedDuration, Timestamp};
use model::{CrawlId, Manners, PlannedVisit};
use proptest::prelude::*;
use std::time::Duration;
use store::{
    After, CandidateKind, CrawlEdit, CrawlEnd, CrawlPageFilter, CrawlPhase, FoundCandidate, FoundPage,
    FoundWord, LeaseRequest, NewCrawl, NewCrawlUrl, NewSource, PageRecord, Promotion, Store, StoreError,
    UrlEnd, UrlState,
};
use url::Url;

pub(crate) fn now() -> Timestamp {
    "2026-11-16T09:00:00Z".parse().unwrap()
}

pub(crate) fn topic() -> Topic {
    Topic::from_words("Books", &["book", "novel"]).unwrap()
}

pub(crate) fn url(n: u32) -> Url {
    Url::parse(&format!("https://books.example/{n}")).unwrap()
}

pub(crate) fn new_url(spot: u32, parent: Option<u32>) -> NewCrawlUrl {
    let anchor = format!("book {spot}");
    NewCrawlUrl { spot, url: url(spot), hash: u64::from(spot) * 7, depth: 1, priority: 0.5, parent, anchor }
}

pub(crate) fn page(on_topic: bool) -> UrlEnd {
    let found = FoundWord { class: "Book".into(), word: "novel".into(), count: 3, weight: 1.0 };
    UrlEnd::Page(Box::new(FoundPage {
        unkept: None,
        status: 200,
        bytes: 10,
        score: if on_topic { 0.9 } else { 0.1 },
        on_topic,
        evidence: vec![found],
        title: Some("Moby Dick".into()),
        language: Some("en".into()),
        fingerprint: Some(u64::MAX),
        text: "Call me Ishmael 白鲸".into(),
        warc: Some((0, 17)),
    }))
}

/// Deed 0 of a start are the seeds, unless it began without.
pub(crate) fn record(
    crawl: CrawlId,
    (epoch, deed): (i64, i64),
    spot: u32,
    end: UrlEnd,
    new: Vec<NewCrawlUrl>,
) -> PageRecord {
    PageRecord {
        crawl,
        epoch,
        deed,
        spot,
        end,
        new,
        candidates: Vec::new(),
        lessons: Vec::new(),
        robots: Vec::new(),
        host: None,
        warc: None,
        now: now(),
    }
}

async fn begun() -> (Store, Data, CrawlId, i64) {
    let data = Data::new();
    let store = data.open().unwrap();
    store.save_topic(topic(), now()).await.unwrap();
    let new = NewCrawl {
        topic: topic(),
        settings: CrawlSettings::default(),
        seeds: vec![url(0)],
        output: None,
        worker: None,
    };
    let id = store.add_crawl(new, now()).await.unwrap();
    let epoch = store.begin_crawl(id, "worker").await.unwrap().epoch;
    store.add_crawl_urls(id, epoch, 0, vec![new_url(0, None)]).await.unwrap();
    (store, data, id, epoch)
}

#[tokio::test]
async fn what_came_of_a_url_is_one_deed() {
    let (store, _data, id, epoch) = begun().await;
    let links = vec![new_url(1, Some(0)), new_url(2, Some(0))];
    store.record_page(record(id, (epoch, 1), 0, page(true), links)).await.unwrap();
    let later = now() + SignedDuration::from_mins(1);
    store
        .record_page(record(
            id,
            (epoch, 2),
            1,
            UrlEnd::Later { at: later, why: "busy".into(), counts: true },
            vec![],
        ))
        .await
        .unwrap();
    store.record_page(record(id, (epoch, 3), 2, UrlEnd::Nothing("HTTP 404".into()), vec![])).await.unwrap();
    let info = store.crawl(id).await.unwrap();
    assert_eq!((info.known, info.fetched, info.relevant, info.failed), (3, 1, 1, 1));
    let urls = store.crawl_urls(id, 0, 10).await.unwrap();
    let states: Vec<_> = urls.iter().map(|url| (url.state, url.tries, url.not_before)).collect();
    assert_eq!(
        states,
        [(UrlState::Fetched, 0, None), (UrlState::Resting, 1, Some(later)), (UrlState::Dropped, 0, None)]
    );
    assert_eq!(urls[0].page, Some((0.9, true)));
    let search = |words: &str| CrawlPageFilter { search: Some(words.into()), limit: 9, ..Default::default() };
    for words in ["ishmael", "白鲸", "moby dick"] {
        assert_eq!(store.crawl_pages(id, search(words)).await.unwrap()[0].url, url(0), "{words}");
    }
    assert!(store.crawl_pages(id, search("ahab")).await.unwrap().is_empty());
    let after = |after: i64| CrawlPageFilter { after: Some(after), limit: 9, ..Default::default() };
    let first = store.crawl_pages(id, after(0)).await.unwrap().remove(0);
    assert_eq!(first.url, url(0));
    assert!(store.crawl_pages(id, after(first.id)).await.unwrap().is_empty());
    let curve = store.crawl_curve(id, store::CrawlCurve::default()).await.unwrap();
    assert_eq!(store.crawl_curve(id, curve.clone()).await.unwrap().points(), curve.points());
    assert_eq!(curve.points(), [store::CrawlPoint { pages: 1, relevant: 1 }]);
    assert!(store.remove_crawl(id).await.unwrap());
    assert!(!store.remove_crawl(id).await.unwrap());
    assert!(store.crawl_urls(id, 0, 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_late_writer_and_a_gap_are_refused() {
    let (store, _data, id, epoch) = begun().await;
    let gap = record(id, (epoch, 1), 0, page(false), vec![new_url(5, Some(0))]);
    assert!(matches!(store.record_page(gap).await, Err(StoreError::Fenced)));
    // What follows a refused deed is refused, too, even if it would fit by itself.
    let follows = record(id, (epoch, 2), 0, page(false), vec![]);
    assert!(matches!(store.record_page(follows).await, Err(StoreError::Fenced)));
    assert_eq!(store.crawl(id).await.unwrap().fetched, 0);
    let next = store.begin_crawl(id, "worker").await.unwrap().epoch;
    let late = record(id, (epoch, 1), 0, page(false), vec![]);
    assert!(matches!(store.record_page(late).await, Err(StoreError::Fenced)));
    store.record_page(record(id, (next, 0), 0, page(false), vec![new_url(1, Some(0))])).await.unwrap();
    // The same page twice is a fault, and changes nothing; so is one nobody knows.
    assert!(store.record_page(record(id, (next, 1), 0, page(false), vec![])).await.is_err());
    assert!(store.record_page(record(id, (next, 1), 9, page(false), vec![])).await.is_err());
    assert_eq!(store.crawl(id).await.unwrap().fetched, 1);
}

#[tokio::test]
async fn a_host_is_leased_to_one_visitor_and_given_back_with_the_page() {
    let (store, _data, id, epoch) = begun().await;
    let request = LeaseRequest {
        owner: "crawl".into(),
        share: store::Share::all(),
        now: now(),
        lease_until: now() + SignedDuration::from_mins(5),
        hosts: 1,
        slow_hosts: 0,
        work_per_host: 9,
        default_delay: Duration::from_secs(2),
    };
    let lease = |after: bool| store.lease_host_for_crawl("books.example".into(), request.clone(), after);
    let held = lease(true).await.unwrap().unwrap().lease;
    assert!(lease(true).await.unwrap().is_none());
    let until = now() + SignedDuration::from_secs(9);
    let manners = Manners { not_before: Some(until), ..Manners::default() };
    let after = After::GiveBack { manners, slow: false };
    let mut given_back = record(id, (epoch, 1), 0, page(false), vec![new_url(1, Some(0))]);
    given_back.host = Some((held.clone(), after.clone()));
    store.record_page(given_back).await.unwrap();
    let mut late = record(id, (epoch, 2), 1, page(false), vec![]);
    late.host = Some((held.clone(), after));
    assert!(matches!(store.record_page(late).await, Err(StoreError::Fenced)));
    // An answer that came before the host was given back is stored all the same.
    let mut kept = record(id, (epoch, 2), 1, page(false), vec![]);
    kept.host = Some((held, After::Keep(Some(Manners::default()))));
    store.record_page(kept).await.unwrap();
    // The monitor's due visit comes first, if there is a monitor.
    let first_visit = PlannedVisit { at: now(), reason: "first visit".into() };
    let source = NewSource { url: url(9), title: None, selector: None, interval: None, first_visit };
    store.add_sources(vec![source], now()).await.unwrap();
    let later =
        LeaseRequest { now: until, lease_until: until + SignedDuration::from_mins(5), ..request.clone() };
    let leased = |after| store.lease_host_for_crawl("books.example".into(), later.clone(), after);
    assert!(leased(true).await.unwrap().is_none());
    let work = leased(false).await.unwrap().unwrap();
    assert!(work.visits.is_empty());
    assert_eq!(work.manners.not_before, Some(until));
}

#[tokio::test]
async fn a_crawl_stops_goes_on_and_ends() {
    let (store, _data, id, epoch) = begun().await;
    let beat = || {
        store.crawl_beat(
            id,
            epoch,
            store::CrawlProgress::default(),
            Duration::from_secs(1),
            Some("{}".into()),
            now(),
        )
    };
    assert_eq!(beat().await.unwrap(), CrawlPhase::Running);
    store.set_crawl_phase(id, CrawlPhase::Stopped, CrawlEdit::default()).await.unwrap();
    assert_eq!(beat().await.unwrap(), CrawlPhase::Stopped);
    let end = |phase, wishes| CrawlEnd { phase, why: "done".into(), soft: Some("{\"a\":1}".into()), wishes };
    store.end_crawl(id, epoch, end(CrawlPhase::Running, 0), now()).await.unwrap();
    // What a person wanted meanwhile stays.
    assert_eq!(store.crawl(id).await.unwrap().phase, CrawlPhase::Stopped);
    assert!(store.crawls_to_run("worker").await.unwrap().is_empty());
    assert!(matches!(store.begin_crawl(id, "worker").await, Err(StoreError::NotFound { .. })));
    let edit = CrawlEdit { pages: Some(77) };
    assert_eq!(store.set_crawl_phase(id, CrawlPhase::Running, edit).await.unwrap().settings.pages, 77);
    assert_eq!(store.crawls_to_run("worker").await.unwrap(), [(id, CrawlPhase::Running)]);
    let start = store.begin_crawl(id, "worker").await.unwrap();
    assert_eq!((start.epoch, start.soft.as_deref()), (epoch + 1, Some("{\"a\":1}")));
    store.end_crawl(id, start.epoch, end(CrawlPhase::Finished, start.wishes), now()).await.unwrap();
    let info = store.crawl(id).await.unwrap();
    assert_eq!((info.phase, info.why.as_str(), info.ran_seconds), (CrawlPhase::Finished, "done", 2.0));
}

#[tokio::test]
async fn candidates_are_ranked_by_what_they_promise_and_promoted_once() {
    let (store, _data, id, epoch) = begun().await;
    let found = |n: u32, per_day: Option<f64>, share: f64| FoundCandidate {
        url: url(n),
        kind: CandidateKind::Feed,
        title: Some(format!("Feed {n}")),
        per_day,
        share,
    };
    let mut first = record(id, (epoch, 1), 0, page(true), vec![new_url(1, Some(0)), new_url(2, Some(0))]);
    first.candidates = vec![found(101, Some(0.5), 0.9), found(102, None, 0.9)];
    store.record_page(first).await.unwrap();
    let mut second = record(id, (epoch, 2), 1, page(false), vec![]);
    second.candidates = vec![found(102, Some(4.0), 0.8)];
    store.record_page(second).await.unwrap();
    let candidates = store.candidates(id, 10).await.unwrap();
    let urls: Vec<_> = candidates.iter().map(|candidate| candidate.url.clone()).collect();
    assert_eq!(urls, [url(102), url(101)]);
    // A page of two that the first page was the first to tell of has been read, and is off the topic.
    assert!((candidates[1].share - (0.0 + 2.0 * 0.9) / 3.0).abs() < 1e-9);
    let source = |n: u32| NewSource {
        url: url(n),
        title: None,
        selector: None,
        interval: None,
        first_visit: PlannedVisit { at: now(), reason: "first visit".into() },
    };
    let promotion = Promotion { candidate: candidates[0].id, source: source(102) };
    let promoted = store.promote(promotion.clone(), now()).await.unwrap();
    assert_eq!(store.promote(promotion, now()).await.unwrap(), promoted);
    assert_eq!(store.candidate(candidates[0].id).await.unwrap().promoted_to, Some(promoted));
}

#[tokio::test]
async fn topics_are_kept_with_what_they_learned() {
    let (store, _data, id, epoch) = begun().await;
    let known = store.topic("BOOKS".into()).await.unwrap().unwrap();
    assert_eq!((known.topic(), known.learner.is_none()), (&topic(), true));
    let provenance = Provenance::Crawl { lesson: 1, on_topic: 3, pages: 4, hosts: 2, examples: Vec::new() };
    let kind = LessonKind::Weight { class: ClassId(0), before: 1.0, after: 1.5 };
    let lesson = Lesson { number: 1, kind, provenance };
    for deed in 1..3 {
        // Learned again after a crash: told once.
        let taught = store.crawl(id).await.unwrap().known as u32;
        let mut record = record(id, (epoch, deed), taught - 1, page(true), vec![new_url(taught, None)]);
        record.lessons = vec![lesson.clone()];
        store.record_page(record).await.unwrap();
    }
    let lessons = store.topic_lessons("books".into(), 10).await.unwrap();
    assert_eq!((lessons.len(), &lessons[0].lesson), (1, &lesson));
    store.undo_topic_lesson(lessons[0].id, now()).await.unwrap();
    assert!(store.topic_lessons("books".into(), 10).await.unwrap()[0].undone_at.is_some());
    assert!(matches!(store.undo_topic_lesson(99, now()).await, Err(StoreError::NotFound { .. })));
    // Saved anew, it begins anew.
    store.save_topic(topic(), now()).await.unwrap();
    assert!(store.topic_lessons("books".into(), 10).await.unwrap().is_empty());
    assert!(store.remove_topic("Books".into()).await.unwrap());
    assert!(store.topics().await.unwrap().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Against a naive model: any deeds, some refused, and the rows are a prefix without a gap.
    #[test]
    fn rows_are_never_torn(deeds in prop::collection::vec((0_u32..6, 0_u32..4, 0_u8..4), 1..25)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (store, _data, id, epoch) = begun().await;
            let mut states = vec![0_u8];
            let mut deed = 1;
            for (spot, count, kind) in deeds {
                let skip = u32::from(kind == 3);
                let first = states.len() as u32 + skip;
                let new: Vec<_> = (0..count).map(|k| new_url(first + k, Some(spot))).collect();
                let known = (spot as usize) < states.len();
                let end = if kind == 0 { page(false) } else { UrlEnd::Nothing("x".into()) };
                let torn = kind == 3 && count > 0;
                let doubled = kind == 0 && states.get(spot as usize) == Some(&1);
                if !known {
                    continue;
                }
                let done = store.record_page(record(id, (epoch, deed), spot, end, new)).await;
                prop_assert_eq!(done.is_ok(), !torn && !doubled);
                if done.is_ok() {
                    deed += 1;
                    // A page once read stays one in the model, whatever is said of its URL afterwards.
                    if kind == 0 { states[spot as usize] = 1; }
                    states.extend((0..count).map(|_| 0));
                }
            }
            let rows = store.crawl_urls(id, 0, 1_000).await.unwrap();
            prop_assert_eq!(rows.len(), states.len());
            prop_assert!(rows.iter().enumerate().all(|(at, row)| row.spot as usize == at));
            let read = rows.iter().filter(|row| row.page.is_some()).count();
            let fetched = states.iter().filter(|state| matches!(**state, 1)).count();
            prop_assert_eq!(read, fetched);
            Ok(())
        })?;
    }

    /// Deeds of a crawl that are done together leave the rows, and the answers, of the same deeds one by one.
    #[test]
    fn deeds_together_leave_the_rows_that_they_leave_one_by_one(
        deeds in prop::collection::vec((0_u32..6, 0_u32..4, 0_u8..12), 1..30)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (store, data, id, epoch) = begun().await;
            let (slow_store, slow_data, slow_id, slow_epoch) = begun().await;
            // Queued one after the other, and only then waited for.
            let together: Vec<_> = plan(&deeds).map(|deed| begin(&store, id, epoch, deed)).collect();
            let mut some = Vec::new();
            for deed in together {
                some.push(deed.await.map_err(|error| error.to_string()));
            }
            let mut others = Vec::new();
            for deed in plan(&deeds) {
                others.push(begin(&slow_store, slow_id, slow_epoch, deed).await.map_err(|error| error.to_string()));
            }
            prop_assert_eq!(some, others);
            for sql in [
                "SELECT * FROM crawl_url ORDER BY spot",
                "SELECT row_number() OVER (ORDER BY id), crawl_id, spot, status, score, evidence, title, new_from, new_count
                 FROM crawl_page ORDER BY id",
                "SELECT id, deeds, known, fetched, relevant, failed, warc_file, warc_bytes FROM crawl",
            ] {
                prop_assert_eq!(data.ask(sql), slow_data.ask(sql));
            }
            Ok(())
        })?;
    }
}

/// Deeds as a crawl would do them one after the other: their number, a spot, new URLs and their kind.
fn plan(deeds: &[(u32, u32, u8)]) -> impl Iterator<Item = (i64, u32, Vec<NewCrawlUrl>, u8)> {
    let mut known = 1;
    deeds.iter().zip(1..).map(move |((spot, count, kind), number)| {
        let (spot, first) = (spot % known, known);
        known += count;
        (number, spot, (first..known).map(|new| new_url(new, Some(spot))).collect(), *kind)
    })
}

fn begin(
    store: &Store,
    crawl: CrawlId,
    epoch: i64,
    (number, spot, new, kind): (i64, u32, Vec<NewCrawlUrl>, u8),
) -> std::pin::Pin<Box<dyn Future<Output = Result<(), StoreError>>>> {
    let end = match kind {
        0 => return Box::pin(store.give_up_crawl_urls(crawl, epoch, number, vec![(spot, None)])),
        1 => return Box::pin(store.add_crawl_urls(crawl, epoch, number, new)),
        2 => UrlEnd::Later { at: now(), why: "busy".into(), counts: true },
        3 => UrlEnd::Redirect("elsewhere".into()),
        4 => UrlEnd::Nothing("HTTP 404".into()),
        kind => page(kind.is_multiple_of(2)),
    };
    // The last one speaks of a URL that is not there.
    let spot = if kind == 11 { 1_000 } else { spot };
    let mut record = record(crawl, (epoch, number), spot, end, new);
    record.warc = (kind > 7).then_some((1, u64::from(kind)));
    Box::pin(store.record_page(record))
}
