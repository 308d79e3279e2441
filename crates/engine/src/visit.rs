//! One visit through the line: fetch, read, store the listing and the next plan in one transaction.

use crate::reading::{self, Read};
use crate::sitemaps;
use crate::status::Counters;
use crate::turn::{Step, Turn};
use fetch::{Accept, Reply, Request};
use jiff::{SignedDuration, Timestamp};
use model::{FailureKind, Found, Outcome, Source, SourceKind, Validators};
use page::Listing;
use page::watches::Sight;
use scheduling::{Observation, Watched};
use std::time::Duration;
use store::{DueVisit, Lookout, SeenByVisit, Sighting, StoreError, VisitRecord};
use url::Url;

/// Visits a source whose time has come.
pub(crate) async fn visit(turn: &mut Turn<'_>, due: DueVisit) -> Result<Step, StoreError> {
    let Some(source) = still_wanted(turn, due.source).await? else { return Ok(Step::Next) };
    let request = Request {
        url: &source.url,
        validators: Some(&source.state.validators),
        accept: Accept::Feed,
        headers: &[],
        patience: turn.patience(),
    };
    let Some(reply) = turn.get(&request).await else {
        return Ok(Step::GiveBack);
    };
    let seen = look(turn, &source, due.text_hash, &due.lookouts, reply).await;
    record(turn, &source, seen).await?;
    Ok(Step::Next)
}

/// In a long turn a source waits: it may have been changed, paused or removed since the host was leased.
async fn still_wanted(turn: &Turn<'_>, source: Source) -> Result<Option<Source>, StoreError> {
    if turn.age() < LONG {
        return Ok(Some(source));
    }
    match turn.worker.store.source(source.id).await {
        Ok(source) => Ok(Some(source).filter(|source| !source.paused)),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A server's hint holds visits back no longer than this: a feed that says "next year" is not believed.
const LONGEST_HINT: Duration = Duration::from_hours(24);

const LONG: Duration = Duration::from_secs(1);

/// What a visit saw.
struct Seen {
    outcome: Outcome,
    began_at: Timestamp,
    ended_at: Timestamp,
    bytes: u64,
    kind: Option<SourceKind>,
    title: Option<String>,
    articles: Vec<Found>,
    validators: Option<Validators>,
    text_hash: Option<i64>,
    /// What the watches saw; `None` if the page is as it was.
    sights: Option<Vec<Sighting>>,
    notes: Vec<String>,
    /// The server's hints: not before this long.
    hint: Option<Duration>,
}

async fn look(
    turn: &mut Turn<'_>,
    source: &Source,
    text_hash: Option<i64>,
    lookouts: &[Lookout],
    reply: Reply,
) -> Seen {
    let mut seen = Seen {
        outcome: reply.outcome,
        began_at: reply.began_at,
        ended_at: reply.ended_at,
        bytes: reply.response.as_ref().map_or(0, |response| response.body.len() as u64),
        kind: None,
        title: None,
        articles: Vec::new(),
        validators: None,
        text_hash: None,
        sights: None,
        notes: Vec::new(),
        hint: reply.response.as_ref().and_then(|response| response.cache_max_age),
    };
    if let Some(moved) = moved_note(source, &reply.final_url, reply.permanent) {
        seen.notes.push(moved);
    }
    let (Outcome::NewContent, Some(response)) = (&seen.outcome, reply.response) else {
        return seen;
    };
    let (etag, last_modified) = (response.etag.clone(), response.last_modified.clone());
    let last_hash = source.state.validators.content_hash;
    let aims = lookouts.iter().map(|lookout| lookout.aim.clone()).collect();
    let read =
        reading::listing(turn.worker, response, reply.final_url, source.selector.clone(), aims, last_hash);
    match read.await {
        Read::Same => seen.outcome = Outcome::NotModified,
        Read::Unusable(outcome) => seen.outcome = outcome,
        Read::Listing(mut listing, sights, hash) => {
            seen.sights = Some(sighted(lookouts, sights));
            let index = !listing.sitemaps.is_empty();
            let missed = sitemaps::follow(turn, source, &mut listing).await;
            // An index may stay the same while its sitemaps change: it is read every time.
            let known = Validators { etag, last_modified, content_hash: Some(hash) };
            seen.validators = Some(if index { Validators::default() } else { known });
            let cut = listing.cut;
            take_in(&mut seen, source, text_hash, *listing);
            if let Some(detail) = missed {
                seen.outcome = Outcome::Failed { kind: FailureKind::Incomplete, detail };
            }
            if let Some(cap) = cut {
                (seen.outcome, seen.validators) = (Outcome::Truncated { cap }, None);
                seen.articles.clear();
            }
        }
    }
    seen
}

fn sighted(lookouts: &[Lookout], sights: Vec<Sight>) -> Vec<Sighting> {
    let seen = lookouts.iter().zip(sights);
    seen.map(|(lookout, sight)| Sighting { watch: lookout.watch, revision: lookout.revision, sight })
        .collect()
}

/// Turns what the page says into what the visit saw.
fn take_in(seen: &mut Seen, source: &Source, text_hash: Option<i64>, listing: Listing) {
    seen.notes.extend(listing.notes.iter().cloned());
    seen.title.clone_from(&listing.title);
    seen.text_hash = Some(listing.text_hash);
    seen.hint = seen.hint.max(listing.hints.ttl);
    if let Some((kind, detail)) = not_what_it_was(source, &listing) {
        // A parked domain, a maintenance page or a cut-off feed with status 200: neither "no news" nor "all is new".
        seen.outcome = Outcome::Failed { kind, detail };
        (seen.validators, seen.text_hash) = (None, None);
        return;
    }
    seen.kind = Some(listing.kind);
    if listing.kind == SourceKind::Page {
        match text_hash {
            Some(old) if old == listing.text_hash => seen.outcome = Outcome::NotModified,
            Some(_) => seen.notes.push("its text has changed".into()),
            None => {}
        }
    }
    seen.articles = listing.articles;
    let soon = seen.ended_at.checked_add(SignedDuration::from_hours(24)).unwrap_or(Timestamp::MAX);
    for article in &mut seen.articles {
        // A date in the future is a mistake of the site, not a date.
        article.published_at = article.published_at.filter(|at| *at <= soon);
        if article.title.is_empty() {
            article.title = title_from(&article.url);
        }
    }
}

/// What is wrong with a listing that can be read. Not held against a source that has been so for several visits:
/// then it is what it is.
fn not_what_it_was(source: &Source, listing: &Listing) -> Option<(FailureKind, String)> {
    const BELIEVED_AFTER: u32 = 4;
    let machine = |kind: SourceKind| matches!(kind, SourceKind::Feed | SourceKind::Sitemap);
    let was = source.kind.filter(|_| source.state.failures < BELIEVED_AFTER)?;
    if machine(was) && !machine(listing.kind) {
        return Some((FailureKind::Changed, format!("it was a {was} and now shows a {}", listing.kind)));
    }
    let empty = listing.articles.is_empty() && listing.sitemaps.is_empty();
    (empty && source.state.articles > 0 && was != SourceKind::Page).then(|| {
        let why = listing.notes.first().map(|note| format!(": {note}")).unwrap_or_default();
        (FailureKind::Changed, format!("it listed articles and now lists none{why}"))
    })
}

/// Where a listing gives no headline (sitemaps), the URL's own words, until the article's page is read.
fn title_from(url: &Url) -> String {
    let last = url.path_segments().and_then(|segments| segments.rev().find(|segment| !segment.is_empty()));
    let words = last.unwrap_or_default().replace(['-', '_', '+'], " ");
    let words = words.split('.').next().unwrap_or_default().trim();
    // The mark tells the store that a better title is welcome.
    if words.is_empty() { "…".into() } else { format!("{words}…") }
}

fn moved_note(source: &Source, final_url: &Url, permanent: bool) -> Option<String> {
    (final_url != &source.url).then(|| {
        let how = if permanent { "has moved for good" } else { "redirects" };
        format!("the page {how} to {final_url}")
    })
}

async fn record(turn: &mut Turn<'_>, source: &Source, seen: Seen) -> Result<(), StoreError> {
    let worker = turn.worker;
    let settings = &worker.settings;
    let first = source.state.last_success_at.is_none();
    let took = seen.ended_at.duration_since(seen.began_at).try_into().unwrap_or_default();
    let outcome = seen.outcome.clone();
    let robots = turn.robots();
    let after = turn.after(&outcome, &robots);
    let at = seen.ended_at;
    let earliest = seen.hint.and_then(|hint| later(at, hint.min(LONGEST_HINT)));
    let record = VisitRecord {
        lease: turn.lease.clone(),
        source_id: source.id,
        at: seen.began_at,
        took,
        reason: source.state.next_reason.clone(),
        outcome: seen.outcome,
        bytes: seen.bytes,
        kind: seen.kind,
        title: seen.title,
        articles: seen.articles,
        bodies: if first { settings.bodies_at_first } else { settings.bodies_per_visit },
        selector: source.selector.clone(),
        validators: seen.validators,
        text_hash: seen.text_hash,
        sights: seen.sights,
        notes: seen.notes,
        robots,
        after,
        earliest,
        rules: worker.planning.choice().rules(),
    };
    let planning = worker.planning.of_visit();
    let plan = {
        let outcome = outcome.clone();
        move |seen: &SeenByVisit| {
            planning(&Observation {
                source: Watched { id: seen.source.id, interval: seen.source.interval },
                at,
                outcome,
                news: seen.news.clone(),
                listed: seen.listed,
                failures: seen.failures,
                earliest,
            })
        }
    };
    match worker.store.record_visit(record, plan).await {
        Ok(recorded) => {
            turn.done();
            worker.counters.well();
            Counters::add(&worker.counters.visits, 1);
            Counters::add(&worker.counters.successes, outcome.is_success().into());
            Counters::add(&worker.counters.new_articles, recorded.new.len() as u64);
            tracing::debug!(source = %source.id, url = %source.url, %outcome, new = recorded.new.len(), "visited");
            worker.react(&recorded.events, recorded.triggered).await;
            if recorded.told > 0 {
                worker.tell.notify_one();
            }
            worker.announce();
            Ok(())
        }
        // Removed while it was being visited.
        Err(StoreError::NotFound { .. }) => Ok(()),
        Err(error) => {
            worker.planning.forget();
            Err(error)
        }
    }
}

fn later(at: Timestamp, by: Duration) -> Option<Timestamp> {
    at.checked_add(SignedDuration::try_from(by).ok()?).ok()
}
