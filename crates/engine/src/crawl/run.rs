//! A run of a crawl from its rows to its end.

use super::conductor::{Conductor, Ending};
use super::desk::Desk;
use super::files::{WarcFile, write_lists};
use super::restore::restore;
use super::{Run, Trouble, topic_news, words};
use crate::fleet::Pass;
use crate::worker::Worker;
use discovery::crawl::Idle;
use jiff::SignedDuration;
use model::CrawlId;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use store::{CrawlEnd, CrawlInfo, CrawlPhase, CrawlStart, StoreError};
use tokio_util::sync::CancellationToken;
use url::Url;

/// A run that was refused by the store begins again from the rows; not for ever.
const AGAIN: usize = 5;

/// Runs a crawl until it is done, stopped or in trouble. What it is then is stored.
pub(crate) async fn run(
    worker: &Arc<Worker>,
    id: CrawlId,
    stop: CancellationToken,
    beside_monitor: bool,
) -> Result<CrawlInfo, StoreError> {
    let (mut attempts, mut fetched) = (0, None);
    loop {
        let pass = worker.fleet.pass();
        let start = match worker.store.begin_crawl(id, &worker.fleet.name).await {
            // Stopped before it began.
            Err(StoreError::NotFound { .. }) => break,
            start => start?,
        };
        let (epoch, wishes) = (start.epoch, start.wishes);
        // Whoever gets ahead may be refused again.
        attempts =
            if fetched.replace(start.info.fetched) == Some(start.info.fetched) { attempts + 1 } else { 1 };
        let output = start.info.output.clone();
        let (phase, why, soft) = match once(worker, start, stop.clone(), beside_monitor, pass).await? {
            Over::End(phase, why, soft) => (phase, why, soft),
            Over::Fenced if stop.is_cancelled() => (CrawlPhase::Running, String::new(), None),
            Over::Fenced if attempts >= AGAIN => {
                (CrawlPhase::Paused, "its deeds were refused again and again".to_owned(), None)
            }
            Over::Fenced => {
                tracing::warn!(crawl = %id, "a deed was refused; the crawl goes on from what is stored");
                continue;
            }
        };
        if let Some(folder) = &output
            && let Err(error) = write_lists(&worker.store, id, folder).await
        {
            tracing::error!(crawl = %id, error, "the lists of pages could not be written");
        }
        let end = CrawlEnd { phase, why, soft, wishes };
        worker.store.end_crawl(id, epoch, end, worker.clock.now()).await?;
        worker.announce();
        break;
    }
    worker.store.crawl(id).await
}

/// Waits until no other worker has a crawl: until it ends there, or that worker is found to be gone.
pub(crate) async fn until_free(worker: &Worker, id: CrawlId) -> Result<(), StoreError> {
    while worker.store.crawl_held_by(id, &worker.fleet.name).await?.is_some() {
        tokio::select! {
            () = worker.stop.cancelled() => break,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
    Ok(())
}

/// A crawl that nobody runs any more, because its process was killed, has no one to write its lists when it is stopped.
pub(crate) async fn write_lists_of_dead(worker: &Worker, info: &CrawlInfo) {
    let now = worker.clock.now();
    let alive = worker.crawls.get(info.id).is_some()
        || info.beat_at.is_some_and(|at| now.duration_since(at) < SILENT && info.ended_at.is_none());
    if let Some(folder) = info.output.as_ref().filter(|_| !alive)
        && let Err(error) = write_lists(&worker.store, info.id, folder).await
    {
        tracing::error!(crawl = %info.id, error, "the lists of pages could not be written");
    }
}

const LOOK_EVERY: std::time::Duration = std::time::Duration::from_millis(500);

/// A crawl that runs says something every second.
const SILENT: SignedDuration = SignedDuration::from_secs(10);

enum Over {
    /// What the crawl is now, why, and the mind's soft state.
    End(CrawlPhase, String, Option<String>),
    /// Mind and rows have parted: begin again from the rows.
    Fenced,
}

async fn once(
    worker: &Arc<Worker>,
    start: CrawlStart,
    stop: CancellationToken,
    beside_monitor: bool,
    pass: Pass,
) -> Result<Over, StoreError> {
    let id = start.info.id;
    let paused = |why: String| Ok(Over::End(CrawlPhase::Paused, why, None));
    if let Some(why) = shut_out(worker, &start.info) {
        return paused(why);
    }
    let now = worker.clock.now();
    let taken_over = worker.store.is_shared() && start.epoch > 1;
    let open = if taken_over { WarcFile::open_next } else { WarcFile::open };
    let warc = match start.info.output.as_deref().map(|folder| open(folder, id, start.warc, now)).transpose()
    {
        Ok(warc) => warc,
        Err(error) => return paused(format!("its files cannot be written: {error}")),
    };
    let restored =
        restore(&worker.store, id, start.topic, start.info.settings.clone(), start.soft.clone()).await?;
    let restored = match restored {
        Ok(restored) => restored,
        Err(error) => return paused(error.to_string()),
    };
    let named = restored.hits.into_iter().filter_map(|(name, hits)| Some((restored.mind.host(&name)?, hits)));
    let hits: HashMap<_, _> = named.collect();
    let mut desk = Desk::new(restored.mind, warc);
    desk.reach.answered_before(hits.keys().copied());
    desk.hits = hits;
    if let Some(learner) = start.learner.filter(|_| start.soft.is_none()) {
        desk.mind.continue_learning(learner);
    }
    desk.tries = restored.tries;
    let run = Arc::new(Run {
        worker: worker.clone(),
        id,
        epoch: start.epoch,
        seeds: start.info.seeds.clone(),
        seed_hosts: start.info.seeds.iter().filter_map(model::host_name).collect::<HashSet<_>>(),
        beside_monitor,
        pass,
        // Of its own: a run that winds down cancels it, and the next run of the crawl begins with another.
        stop: stop.child_token(),
        desk: Mutex::new(desk),
        trouble: Mutex::new(None),
    });
    sow(&run, &start.info).await;
    worker.crawls.enter(run.clone());
    let ending = Conductor::new(run.clone()).conduct().await;
    worker.crawls.leave(id);
    end(&run, ending).await
}

/// Why the gate of this process is not for this crawl. It was begun where its seeds were allowed; here every URL like
/// them would be refused and given up for good.
pub(super) fn shut_out(worker: &Worker, info: &CrawlInfo) -> Option<String> {
    let refused = |seed: &Url| worker.fetcher.gate().check_url(seed).err();
    let (seed, refusal) = info.seeds.iter().find_map(|seed| Some((seed, refused(seed)?)))?;
    let by =
        if worker.fleet.is_joined() { format!(" (so says {})", worker.fleet.label) } else { String::new() };
    Some(format!(
        "seed {seed}: {refusal}{by}. Nothing is lost: it goes on with `crawl resume {} --allow-private`, or in a `serve --allow ADDRESS` \
         or `worker --allow ADDRESS`",
        info.id
    ))
}

/// The seeds that are not known yet.
async fn sow(run: &Run, info: &CrawlInfo) {
    let queued = {
        let mut desk = run.desk();
        let seeds: Vec<_> = info.seeds.iter().filter_map(|seed| desk.mind.seed(seed)).collect();
        let new = seeds.into_iter().map(|seed| desk.row(seed)).collect();
        let deed = desk.next_deed();
        run.worker.store.add_crawl_urls(run.id, run.epoch, deed, new)
    };
    if let Err(error) = queued.await {
        run.fails(Trouble::Store(error));
    }
}

async fn end(run: &Arc<Run>, ending: Ending) -> Result<Over, StoreError> {
    let trouble = run.take_trouble();
    let paused = |why: String| Over::End(CrawlPhase::Paused, why, None);
    match trouble {
        Some(Trouble::Store(StoreError::Fenced)) => return Ok(Over::Fenced),
        Some(trouble) => {
            tracing::error!(crawl = %run.id, %trouble, "the crawl is paused");
            return Ok(paused(trouble.to_string()));
        }
        None => {}
    }
    // What was done to the topic in the last second is not overwritten.
    topic_news::take_in(run, &mut None).await?;
    let soft = soft_state(run).await;
    if let Err(error) = sync(run).await {
        return Ok(paused(format!("the WARC file: {error}")));
    }
    let learner = run.desk().mind.learner().cloned();
    if let Some(learner) = learner {
        run.worker.store.teach_topic(run.id, learner, run.worker.clock.now()).await?;
    }
    let (phase, why) = match ending {
        Ending::Done(idle) => (CrawlPhase::Finished, why_done(run, &idle).await?),
        Ending::Paused(why) => (CrawlPhase::Paused, why),
        // Running: whoever is there next goes on with it, unless a person said otherwise meanwhile.
        Ending::Stopped | Ending::Trouble => (CrawlPhase::Running, String::new()),
    };
    Ok(Over::End(phase, why, soft))
}

/// A crawl that read nothing says what became of its seeds, and what to do.
async fn why_done(run: &Run, idle: &Idle) -> Result<String, StoreError> {
    let (counts, given_up) = {
        let desk = run.desk();
        (desk.mind.counts(), desk.given_up)
    };
    if counts.fetched > 0 {
        return Ok(words::done(idle, given_up, run.worker.clock.now()));
    }
    let first = run.worker.store.crawl_urls(run.id, 0, run.seeds.len() + 50).await?;
    // A sitemap that nobody asked for is no seed.
    let told = first.iter().filter(|url| url.parent.is_some() || run.seeds.contains(&url.url));
    let reasons = told.filter_map(|url| Some((url.url.as_str(), url.why.as_deref()?)));
    Ok(words::nothing_read(&reasons.collect::<Vec<_>>()))
}

/// Brings the WARC file to disk, so that a power cut takes no page that is stored.
pub(super) async fn sync(run: &Run) -> std::io::Result<()> {
    let file = run.desk().warc.as_ref().map(WarcFile::handle).transpose()?;
    let Some(file) = file else { return Ok(()) };
    run.worker.on_cpu(move || file.sync_data()).await.unwrap_or(Ok(()))
}

/// The mind's soft state as JSON, made off the async threads.
pub(super) async fn soft_state(run: &Arc<Run>) -> Option<String> {
    let run = run.clone();
    let worker = run.worker.clone();
    worker
        .on_cpu(move || {
            let state = run.desk().mind.state();
            serde_json::to_string(&state).ok()
        })
        .await
        .flatten()
}
