//! From an answer to what is stored of it. The costly part is done outside of the desk's lock.

use super::candidates::{candidates, offered};
use super::desk::Desk;
use super::reach::is_unreachable;
use super::robots_tag::robots_tag;
use super::{Run, Trouble};
use crate::reading;
use discovery::crawl::{FailReason, HostNumber, PageFacts, Spot, Verdict};
use fetch::{BoxFuture, Reply, Response};
use jiff::{SignedDuration, Timestamp};
use model::{FailureKind, Outcome, RobotsRecord, RobotsVerdict};
use page::{Input, WebKind, WebPage};
use std::sync::Arc;
use store::{After, FoundPage, FoundWord, Lease, NewCrawlUrl, PageRecord, StoreError, UrlEnd};
use url::Url;
use warc::{Kind, Record};

/// What came back.
pub(super) struct Visited {
    pub(super) spot: Spot,
    pub(super) url: Url,
    pub(super) reply: Reply,
    /// Where it leads, if it is a redirect.
    pub(super) to: Option<Url>,
    pub(super) robots: Vec<RobotsRecord>,
    /// The lease and what becomes of it; `None` if nobody was asked.
    pub(super) host: Option<(Lease, After)>,
}

/// A deed that has been queued.
pub(super) type Queued = BoxFuture<'static, Result<(), StoreError>>;

/// Asked for in vain this often, a URL is given up.
const TRIES: u32 = 4;

/// Before the second try of a URL whose host could not be reached.
const QUICK_RETRY: SignedDuration = SignedDuration::from_secs(5);

/// Before the second try of others; each further one waits four times as long.
const FIRST_RETRY: SignedDuration = SignedDuration::from_secs(30);

/// Words of evidence kept for a page.
const EVIDENCE: usize = 20;

/// Feeds asked for on one host, to see what they bring.
const FEEDS_PER_HOST: u32 = 3;

/// Reads what came back, tells the mind, and queues what is to be stored.
pub(super) fn take_in(run: &Arc<Run>, mut visited: Visited) -> Result<Queued, Trouble> {
    let now = run.worker.clock.now();
    if let (Outcome::NewContent, Some(response)) =
        (visited.reply.outcome.clone(), visited.reply.response.take())
    {
        let packed = run.desk().warc.is_some().then(|| pack(&visited.url, &response, now));
        if let Some(to) = visited.to.take() {
            return redirect(run, visited, &to, packed, now);
        }
        match read(run, &visited.url, &response) {
            Ok((page, facts)) => return arrived(run, visited, &response, page, facts, packed, now),
            Err(outcome) => visited.reply.outcome = outcome,
        }
    }
    Ok(failed(run, visited, now))
}

/// Parsing and scoring, in that order; why not, if it is no page.
fn read(run: &Run, url: &Url, response: &Response) -> Result<(WebPage, PageFacts), Outcome> {
    let caps = &run.worker.settings.caps;
    let bytes = reading::decoded(response, caps)?;
    let input = Input { url, content_type: response.content_type.as_deref(), bytes: &bytes };
    let mut page = page::read_web_page(&input, caps);
    if page.challenge {
        return Err(reading::challenge());
    }
    let tag = robots_tag(&response.headers_text);
    page.noindex |= tag.noindex;
    page.nofollow |= tag.nofollow;
    if page.kind == WebKind::Other {
        let detail = response.content_type.clone().unwrap_or_else(|| "unknown type".into());
        return Err(Outcome::Failed { kind: FailureKind::Decoding, detail: format!("not a page: {detail}") });
    }
    let linked = page.links.len();
    page.links.retain(|link| may_be_page(&link.url));
    let no_pages = (linked - page.links.len()) as u64;
    if no_pages > 0 {
        run.desk().count_dropped("not-a-page", no_pages);
    }
    let reader = run.desk().mind.reader();
    let facts = match page.kind {
        // What a list says is said by its entries: it leads on, but it is no page of the repository.
        WebKind::Feed | WebKind::Sitemap => {
            let text = std::mem::take(&mut page.text);
            let facts = reader.read_at(url, &page);
            page.text = text;
            facts
        }
        _ => reader.read_at(url, &page),
    };
    Ok((page, facts))
}

/// Addresses that are pictures, sound, archives or programs by their ending are not asked for.
fn may_be_page(url: &Url) -> bool {
    let last = url.path().rsplit('/').next().unwrap_or_default();
    let Some((_, ending)) = last.rsplit_once('.') else { return true };
    !NO_PAGES.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

#[rustfmt::skip]
const NO_PAGES: &[&str] = &[
    "jpg", "jpeg", "png", "gif", "svg", "webp", "avif", "ico", "bmp", "tif", "tiff", "css", "js", "mjs", "map", "woff", "woff2",
    "ttf", "eot", "mp3", "mp4", "m4a", "ogg", "oga", "ogv", "wav", "flac", "avi", "mov", "webm", "mkv", "mpg", "mpeg", "zip",
    "gz", "tgz", "bz2", "xz", "7z", "rar", "tar", "iso", "dmg", "exe", "msi", "deb", "rpm", "apk", "jar", "bin", "pdf", "ps",
    "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "epub", "mobi", "torrent", "swf", "csv",
];

fn pack(url: &Url, response: &Response, now: Timestamp) -> Vec<u8> {
    let head = warc::response_block(&response.headers_text);
    warc::pack(&Record {
        kind: Kind::Response,
        date: now,
        target: Some(url.as_str()),
        content_type: "application/http;msgtype=response",
        head: &head,
        payload: &response.body,
        fields: &[],
    })
}

fn arrived(
    run: &Arc<Run>,
    visited: Visited,
    response: &Response,
    page: WebPage,
    facts: PageFacts,
    packed: Option<Vec<u8>>,
    now: Timestamp,
) -> Result<Queued, Trouble> {
    let mut desk = run.desk();
    // What is not to be kept is kept nowhere.
    let warc = append(run, &mut desk, packed.filter(|_| !page.noindex), now)?;
    heard(&mut desk, visited.spot, now);
    let reader = desk.mind.reader();
    let fingerprint = facts.fingerprint();
    let verdict = desk.mind.arrived(visited.spot, facts);
    // A page that asks not to be kept leads on, and is not kept.
    let on_topic = verdict.on_topic && !page.noindex && matches!(page.kind, WebKind::Html | WebKind::Text);
    if let Some(host) = desk.mind.host_of(visited.spot) {
        desk.hits.entry(host).or_default().add(on_topic);
    }
    let evidence = evidence(&desk, &verdict);
    for (_, reason) in &verdict.dropped {
        desk.count_dropped(&format!("{reason:?}").to_lowercase(), 1);
    }
    let candidates = candidates(&visited.url, &page, &reader, verdict.score, on_topic, now);
    let mut new: Vec<NewCrawlUrl> = verdict.new.into_iter().map(|new| desk.row(new)).collect();
    if on_topic {
        new.extend(feeds(&mut desk, visited.spot, &page));
    }
    new.extend(sitemaps(run, &mut desk, &visited.robots));
    let end = UrlEnd::Page(Box::new(FoundPage {
        status: response.status,
        bytes: response.body.len() as u64,
        score: verdict.score,
        on_topic,
        evidence,
        title: page.title,
        language: page.language,
        fingerprint,
        text: if on_topic { page.text } else { String::new() },
        warc,
        unkept: page.noindex.then(|| "it asks not to be kept (noindex)".to_owned()),
    }));
    desk.tries.remove(&visited.spot.0);
    let place = desk.warc.as_ref().map(super::files::WarcFile::place);
    let record = PageRecord {
        crawl: run.id,
        epoch: run.epoch,
        deed: desk.next_deed(),
        spot: visited.spot.0,
        end,
        new,
        candidates,
        lessons: verdict.lessons,
        robots: visited.robots,
        host: visited.host,
        warc: place,
        now,
    };
    // Queued before the desk is free again: records are stored in the order the mind was told.
    Ok(Box::pin(run.worker.store.record_page(record)))
}

/// Its host has answered.
fn heard(desk: &mut Desk, spot: Spot, now: Timestamp) {
    if let Some(host) = desk.mind.host_of(spot) {
        desk.reach.heard(host, &Outcome::NewContent, now);
    }
}

fn redirect(
    run: &Arc<Run>,
    visited: Visited,
    to: &Url,
    packed: Option<Vec<u8>>,
    now: Timestamp,
) -> Result<Queued, Trouble> {
    let mut desk = run.desk();
    append(run, &mut desk, packed, now)?;
    heard(&mut desk, visited.spot, now);
    let new = desk.mind.redirected(visited.spot, to);
    let known = if new.is_none() { ", which was known already or may not be asked" } else { "" };
    let leads = format!("leads to {to}{known}");
    let mut new: Vec<NewCrawlUrl> = new.map(|new| desk.row(new)).into_iter().collect();
    new.extend(sitemaps(run, &mut desk, &visited.robots));
    let mut record = bare(run, &mut desk, visited, UrlEnd::Redirect(leads), new, now);
    record.warc = desk.warc.as_ref().map(super::files::WarcFile::place);
    Ok(Box::pin(run.worker.store.record_page(record)))
}

pub(super) fn failed(run: &Arc<Run>, visited: Visited, now: Timestamp) -> Queued {
    let outcome = &visited.reply.outcome;
    let (why, passes) = judge(outcome);
    let words = outcome.to_string();
    let mut desk = run.desk();
    let host = desk.mind.host_of(visited.spot).unwrap_or(HostNumber(u32::MAX));
    desk.reach.heard(host, outcome, now);
    let unreachable = is_unreachable(outcome);
    // A host that used to answer is down, or our own network is: that is not the URL's fault.
    let counts = !unreachable || desk.reach.is_urls_fault(host);
    let known = desk.tries.entry(visited.spot.0).or_default();
    // A robots.txt that could not be read is not asked for again soon: waiting for it at the end of a crawl is in vain.
    let step = if matches!(outcome, Outcome::RefusedByRobots { .. }) { 2 } else { 1 };
    known.count += if counts { step } else { 0 };
    known.asked_to_wait = matches!(outcome, Outcome::Busy { .. });
    let tries = known.count.max(1);
    let wait = if unreachable && tries == 1 {
        QUICK_RETRY
    } else {
        FIRST_RETRY.checked_mul(4_i32.saturating_pow(tries - 1)).unwrap_or(FIRST_RETRY)
    };
    let again = (tries < TRIES && passes).then(|| {
        let later = now.checked_add(wait).unwrap_or(now);
        match outcome {
            Outcome::Busy { until, .. } => later.max(*until),
            _ => later,
        }
    });
    let seed = run.seeds.contains(&visited.url);
    if seed || again.is_some() {
        desk.last_trouble = format!("{}{}: {words}", if seed { "seed " } else { "" }, visited.url);
    }
    desk.mind.failed(visited.spot, why, again);
    if let Some(at) = again.filter(|_| unreachable) {
        // Its other URLs would fail alike.
        let rests = visited.url.host_str().map_or(at, |name| run.worker.fetcher.earliest(name).max(at));
        desk.mind.host_rests(host, rests);
    }
    let new = sitemaps(run, &mut desk, &visited.robots);
    let end = match again {
        None => UrlEnd::Nothing(words),
        Some(at) => UrlEnd::Later { at, why: words, counts },
    };
    let record = bare(run, &mut desk, visited, end, new, now);
    Box::pin(run.worker.store.record_page(record))
}

/// What a failure means, and whether it may pass.
fn judge(outcome: &Outcome) -> (FailReason, bool) {
    match outcome {
        Outcome::Gone { .. } => (FailReason::Gone, false),
        Outcome::RefusedByGate { .. } => (FailReason::Refused, false),
        // A robots.txt that could not be read refuses for an hour; one that says no means it.
        Outcome::RefusedByRobots { rule } => (FailReason::Refused, rule.contains("could not be read")),
        Outcome::Busy { .. } => (FailReason::Trouble, true),
        Outcome::Failed { kind, detail } => match kind {
            FailureKind::Status => {
                let passes = detail.contains("HTTP 5") || detail.contains("HTTP 408");
                (if passes { FailReason::Trouble } else { FailReason::Gone }, passes)
            }
            FailureKind::Connect | FailureKind::Timeout | FailureKind::Dns | FailureKind::Protocol => {
                (FailReason::Trouble, true)
            }
            _ => (FailReason::Unreadable, false),
        },
        _ => (FailReason::Unreadable, false),
    }
}

fn bare(
    run: &Run,
    desk: &mut Desk,
    visited: Visited,
    end: UrlEnd,
    new: Vec<NewCrawlUrl>,
    now: Timestamp,
) -> PageRecord {
    PageRecord {
        crawl: run.id,
        epoch: run.epoch,
        deed: desk.next_deed(),
        spot: visited.spot.0,
        end,
        new,
        candidates: Vec::new(),
        lessons: Vec::new(),
        robots: visited.robots,
        host: visited.host,
        warc: None,
        now,
    }
}

fn append(
    run: &Run,
    desk: &mut Desk,
    packed: Option<Vec<u8>>,
    now: Timestamp,
) -> Result<Option<(u32, u64)>, Trouble> {
    let (Some(file), Some(packed)) = (&mut desk.warc, packed) else { return Ok(None) };
    // Whoever stood still for long is refused what it stores; the page is in another's file by then.
    if !run.worker.fleet.allows(run.pass) {
        return Err(Trouble::Store(StoreError::Fenced));
    }
    file.append(&packed, now).map(Some).map_err(|error| Trouble::Files(format!("the WARC file: {error}")))
}

fn evidence(desk: &Desk, verdict: &Verdict) -> Vec<FoundWord> {
    let ontology = &desk.mind.topic().ontology;
    let found = verdict.evidence.iter().take(EVIDENCE).map(|found| FoundWord {
        class: ontology.class(found.class).map_or_else(String::new, |class| class.name.clone()),
        word: found.word.clone(),
        count: found.count,
        weight: found.weight,
    });
    found.collect()
}

/// A relevant page's feeds are read soon: what they bring says whether they are worth watching.
fn feeds(desk: &mut Desk, spot: Spot, page: &WebPage) -> Vec<NewCrawlUrl> {
    let Some(host) = desk.mind.host_of(spot) else { return Vec::new() };
    let mut new = Vec::new();
    for feed in offered(page) {
        if *desk.feeds.entry(host).or_default() >= FEEDS_PER_HOST {
            break;
        }
        if let Some(seeded) = desk.mind.offered(spot, &feed.url) {
            *desk.feeds.entry(host).or_default() += 1;
            new.push(desk.row(seeded));
        }
    }
    new
}

/// The sitemaps that a seed's host names in its robots.txt are seeds, too; or, if it names none, the one at the usual place.
fn sitemaps(run: &Run, desk: &mut Desk, robots: &[RobotsRecord]) -> Vec<NewCrawlUrl> {
    let mut new = Vec::new();
    for record in robots {
        let Ok(origin) = Url::parse(&record.origin) else { continue };
        let text = match &record.verdict {
            RobotsVerdict::Rules(text) => text.as_str(),
            RobotsVerdict::AllowAll => "",
            RobotsVerdict::DisallowAll(_) => continue,
        };
        if !model::host_name(&origin).is_some_and(|host| run.seed_hosts.contains(&host)) {
            continue;
        }
        let named = text.lines().filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("sitemap").then(|| origin.join(value.trim()).ok())?
        });
        let mut sitemaps: Vec<Url> = named.take(SITEMAPS).collect();
        if sitemaps.is_empty() {
            sitemaps.extend(origin.join("/sitemap.xml"));
        }
        // Another host's sitemap may be named, too; but seeds are trusted, and nobody chose that host.
        for sitemap in sitemaps.iter().filter(|sitemap| sitemap.host() == origin.host()) {
            let seeded = desk.mind.seed(sitemap);
            new.extend(seeded.map(|seeded| desk.row(seeded)));
        }
    }
    new
}

/// Sitemaps one robots.txt may name.
const SITEMAPS: usize = 10;
