//! `crawl`: finding pages on a topic.

mod follow;
mod show;

use crate::cli::{Crawl, CrawlManners, CrawlResume, CrawlStart};
use crate::commands::serve::stop_signal;
use crate::config::Config;
use crate::console;
use crate::context::{DataLock, address, idle_engine, open_store};
use crate::exit::{bad_input, not_found};
use discovery::crawl::CrawlSettings;
use discovery::ontology::Topic;
use engine::{CrawlRefusal, CrawlWish, EngineHandle, PromotionWish};
use ipnet::IpNet;
use jiff::Timestamp;
use model::CrawlId;
use std::time::Duration;
use store::{CrawlPageFilter, CrawlPhase, GONE_AFTER, Store};

pub(crate) async fn run(mut config: Config, command: Crawl, json: bool) -> anyhow::Result<()> {
    match command {
        Crawl::Start(options) => start(&mut config, *options, json).await,
        Crawl::Resume(options) => resume(&mut config, options, json).await,
        other => {
            let store = open_store(&config)?;
            let handle = idle_engine(&config, store.clone()).await?;
            look(&store, &handle, other, json).await
        }
    }
}

/// Everything that runs no crawl here.
async fn look(store: &Store, handle: &EngineHandle, command: Crawl, json: bool) -> anyhow::Result<()> {
    match command {
        Crawl::Start(_) | Crawl::Resume(_) => Ok(()),
        Crawl::Status { id: None, .. } => show::all(&store.crawls().await?, json),
        Crawl::Status { id: Some(id), frontier } => show::status(handle, id, frontier, json).await,
        Crawl::Stop { id } => {
            let info = handle.stop_crawl(id).await?;
            if json {
                return console::json(&info);
            }
            console::note(&if info.phase == CrawlPhase::Finished {
                format!("crawl {id} is finished already: {}", info.why)
            } else {
                format!("crawl {id} stops; `ripplewatch crawl resume {id}` lets it go on")
            });
            Ok(())
        }
        Crawl::Pages { id, search, all, limit } => {
            let id = newest(store, id).await?;
            let filter = CrawlPageFilter { search, all, limit, ..CrawlPageFilter::default() };
            show::pages(&handle.crawl_pages(id, filter).await?, json)
        }
        Crawl::Explain { url, crawl } => {
            let id = newest(store, crawl).await?;
            let url = address(&url)?;
            let found = handle.crawl_explain(id, &url).await?;
            let found = found.ok_or_else(|| store::StoreError::NotFound {
                what: format!("URL {url} among those crawl {id} knows"),
            })?;
            show::story(&found, json)
        }
        Crawl::Candidates { id, limit } => {
            let id = newest(store, id).await?;
            show::candidates(&handle.candidates(id, limit).await?, json)
        }
        Crawl::Promote { candidate, title, folder, interest } => {
            if folder.as_ref().is_some_and(|path| path.trim().is_empty()) {
                return Err(bad_input(
                    "--folder needs the path of a folder, e.g. --folder News; leave it out to file by rules alone",
                ));
            }
            let source = handle.promote(PromotionWish { candidate, title, folder, interest }).await?;
            if json {
                return console::json(&serde_json::json!({ "source": source }));
            }
            console::note(&format!("watched as source {source}; a running `serve` visits it at once"));
            Ok(())
        }
        Crawl::Remove { id } => {
            let info = store.crawl(id).await?;
            if info.phase == CrawlPhase::Running {
                return Err(bad_input(format!(
                    "crawl {id} runs: stop it first with `ripplewatch crawl stop {id}`"
                )));
            }
            store.remove_crawl(id).await?;
            console::note(&format!("crawl {id} is forgotten"));
            Ok(())
        }
    }
}

async fn start(config: &mut Config, options: CrawlStart, json: bool) -> anyhow::Result<()> {
    be_as_told(config, &options.manners);
    let store = open_store(config)?;
    let topic = find_topic(&store, &options.topic).await?;
    let mut settings = CrawlSettings {
        pages: options.pages,
        strategy: options.strategy,
        allowed: options.allowed,
        forbidden: options.forbidden,
        learning: !options.no_learning,
        ..CrawlSettings::default()
    };
    settings.depth = options.depth.unwrap_or(settings.depth);
    let wish = CrawlWish { topic, seeds: options.seeds, settings, output: options.output };
    if let Some(lock) = right_to_run(config, &store, &options.manners).await? {
        let handle = idle_engine(config, store.clone()).await?;
        let id = handle.start_crawl_here(wish).await.map_err(refused)?;
        return here(&lock, &store, &handle, id, json).await;
    }
    // Nothing is asked for from here: the gate of whoever runs the crawl decides, and pauses it if it must.
    let mut gate = config.clone();
    allow_private(&mut gate);
    let handle = idle_engine(&gate, store.clone()).await?;
    let id = handle.start_crawl(wish).await.map_err(refused)?;
    there(config, &store, id, json).await
}

async fn resume(config: &mut Config, options: CrawlResume, json: bool) -> anyhow::Result<()> {
    be_as_told(config, &options.manners);
    let store = open_store(config)?;
    let id = newest(&store, options.id).await?;
    let lock = right_to_run(config, &store, &options.manners).await?;
    let handle = idle_engine(config, store.clone()).await?;
    handle.resume_crawl(id, options.pages).await.map_err(refused)?;
    match lock {
        Some(lock) => here(&lock, &store, &handle, id, json).await,
        None => there(config, &store, id, json).await,
    }
}

/// Whether the crawl runs here: nobody else is there to run it, or it has manners of its own and there is room for several on
/// the same data.
async fn right_to_run(
    config: &Config,
    store: &Store,
    manners: &CrawlManners,
) -> anyhow::Result<Option<DataLock>> {
    let lock = DataLock::take(config, store, |roles| roles.crawling).await?;
    match (lock, said(manners)) {
        (None, Some(_)) if store.is_shared() => Ok(Some(DataLock::Database)),
        (None, Some((option, way_out))) => Err(bad_input(format!(
            "{option} cannot be used here: another Ripplewatch has the data and would run the crawl by its own manners. \
             Either {way_out}, or stop it and run the crawl alone"
        ))),
        (lock, _) => Ok(lock),
    }
}

/// Runs the crawl in this process. Interrupted, it stops cleanly and can go on.
async fn here(
    lock: &DataLock,
    store: &Store,
    handle: &EngineHandle,
    id: CrawlId,
    json: bool,
) -> anyhow::Result<()> {
    lock.end_leases(store).await?;
    if let Some(other) = handle.crawl_held_by(id).await? {
        console::note(&format!(
            "{other} has crawl {id}: it goes on here when that one ends or, should it be gone, within {} s",
            GONE_AFTER.as_secs()
        ));
    }
    let ended = tokio::sync::Notify::new();
    let running = async {
        // A mind is large: it lives on the heap while the crawl runs.
        let info = Box::pin(handle.run_crawl(id)).await;
        ended.notify_one();
        info
    };
    let interrupted = async {
        let _ = stop_signal().await;
        handle.interrupt();
        std::future::pending::<()>().await;
    };
    let (info, ()) = tokio::join!(running, async {
        tokio::select! {
            () = follow::progress(store, id) => {}
            () = interrupted => {}
            () = ended.notified() => {}
        }
    });
    let mut info = info?;
    if info.phase == CrawlPhase::Running {
        info = handle.stop_crawl(id).await?;
    }
    show::ended(&info, json)
}

/// Another process has the data. A `serve` has the crawl, too: shows how it goes until it ends. Another crawl does not: this one
/// begins when that one ends.
async fn there(config: &Config, store: &Store, id: CrawlId, json: bool) -> anyhow::Result<()> {
    console::note(&format!(
        "crawl {id} is left to the Ripplewatch that has the data; Ctrl-C ends only this view"
    ));
    tokio::select! {
        () = follow::progress(store, id) => show::ended(&store.crawl(id).await?, json),
        lock = left_alone(config, store, id) => {
            let lock = lock?;
            let handle = idle_engine(config, store.clone()).await?;
            here(&lock, store, &handle, id, json).await
        }
        _ = stop_signal() => Ok(()),
    }
}

/// Waits until nobody else has the data, for a crawl that nobody has begun.
async fn left_alone(config: &Config, store: &Store, id: CrawlId) -> anyhow::Result<DataLock> {
    let asked = Timestamp::now();
    let mut looks = 0;
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        // Whoever began it may end for a moment only, and wants the data back.
        if store.crawl(id).await?.beat_at.is_some_and(|at| at >= asked) {
            std::future::pending::<()>().await;
        }
        if looks > 2
            && let Some(lock) = DataLock::take(config, store, |roles| roles.crawling).await?
        {
            return Ok(lock);
        }
        looks += 1;
        if looks == 3 {
            console::note(&format!(
                "nobody has begun crawl {id} yet: whoever has the data is busy with a crawl of its own. It begins here when that ends"
            ));
        }
    }
}

const LOOK_EVERY: Duration = Duration::from_secs(1);

fn be_as_told(config: &mut Config, manners: &CrawlManners) {
    if manners.allow_private {
        allow_private(config);
    }
    config.fetch.default_delay = manners.delay.unwrap_or(config.fetch.default_delay);
    if let Some(connections) = manners.connections {
        config.engine.crawl_requests_at_once = connections.into();
        config.engine.requests_at_once = config.engine.requests_at_once.max(connections.into());
    }
}

fn allow_private(config: &mut Config) {
    let nets = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"];
    let nets: Vec<IpNet> = nets.iter().filter_map(|net| net.parse().ok()).collect();
    config.allow(&nets);
}

/// Manners that were said, and what to do instead where another process runs the crawl: they belong to the process that asks.
fn said(manners: &CrawlManners) -> Option<(&'static str, &'static str)> {
    let said = [
        (manners.allow_private, "--allow-private", "start it with `--allow ADDRESS`"),
        (manners.delay.is_some(), "--delay", "set `politeness.delay` in its configuration"),
        (manners.connections.is_some(), "--connections", "leave it out"),
    ];
    said.into_iter().find(|(said, ..)| *said).map(|(_, option, way_out)| (option, way_out))
}

fn refused(refusal: CrawlRefusal) -> anyhow::Error {
    match refusal {
        CrawlRefusal::Store(error) => error.into(),
        CrawlRefusal::Gate { private: true, .. } => {
            bad_input(format!("{refusal}. For a crawl: add --allow-private"))
        }
        CrawlRefusal::Budget { .. } => bad_input(format!("{refusal}; say so with --pages")),
        refusal => bad_input(refusal.to_string()),
    }
}

async fn newest(store: &Store, id: Option<CrawlId>) -> anyhow::Result<CrawlId> {
    match id {
        Some(id) => Ok(store.crawl(id).await?.id),
        None => store.crawls().await?.first().map(|crawl| crawl.id).ok_or_else(|| {
            not_found("there is no crawl yet: start one with `ripplewatch crawl start --topic T --seed URL`")
        }),
    }
}

/// The topic that is meant, or the nearest that could have been.
pub(crate) async fn find_topic(store: &Store, name: &str) -> anyhow::Result<Topic> {
    if let Some(found) = store.topic(name.to_owned()).await? {
        return Ok(found.topic().clone());
    }
    let shipped = discovery::ontology::shipped();
    if let Some(found) = shipped.iter().find(|topic| topic.name.eq_ignore_ascii_case(name)) {
        return Ok(found.clone());
    }
    let known = store.topics().await?;
    let names =
        known.iter().map(|topic| &topic.given.name).chain(shipped.iter().map(|topic| &topic.name)).cloned();
    let wanted = name.to_lowercase();
    let apart = |known: &String| distance(&known.to_lowercase(), &wanted);
    // A third of the letters may be wrong; beyond that it is another word.
    let near = |known: &String| 3 * apart(known) <= wanted.chars().count().max(3);
    let hint = names.filter(near).min_by_key(apart).map_or_else(
        || "`ripplewatch topics list` shows all, `topics build` and `topics import` make one".to_owned(),
        |nearest| format!("did you mean “{nearest}”? See `ripplewatch topics list`"),
    );
    Err(not_found(format!("there is no topic “{name}”: {hint}")))
}

/// Letters to insert, drop or change to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (done, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], done + 1);
        for (place, other) in to.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[place + 1];
            row[place + 1] = change.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}
