//! `watches`: continual queries on parts of pages.

mod show;
mod test;

use crate::cli::{SourceRef, WatchOptions, Watches};
use crate::config::Config;
use crate::console;
use crate::context::{address, find_source, idle_engine, open_store};
use crate::exit::bad_input;
use engine::{EngineHandle, WatchRefusal, WatchWish};
use fetch::gate::Gate;
use jiff::Timestamp;
use model::{SourceId, WatchId};
use store::{NewSource, Store};

pub(crate) async fn run(mut config: Config, command: Watches, json: bool) -> anyhow::Result<()> {
    match command {
        Watches::List { source } => {
            let store = open_store(&config)?;
            let source = match source {
                Some(source) => Some(find_source(&store, &source).await?.id),
                None => None,
            };
            show::list(&store.watches(source).await?, json)
        }
        Watches::Add { source, what, options, allow } => {
            config.allow(&allow);
            let store = open_store(&config)?;
            let engine = idle_engine(&config, store.clone()).await?;
            let wish = wish(Some(what), *options);
            // A watch that cannot be makes no source either.
            wish.terms(None, engine.now()).map_err(refused)?;
            let source = source_of(&config, &store, &source).await?;
            let watch = engine.add_watch(source, &wish).await.map_err(refused)?;
            if json {
                return console::json(&show::row(&watch));
            }
            console::line(&watch.id.to_string());
            console::hint("it looks as soon as `ripplewatch serve` visits its page");
            Ok(())
        }
        Watches::Show { watch, limit } => show::one(&open_store(&config)?, watch, limit, json).await,
        Watches::Edit { watch, what, options } => {
            let engine = idle_engine(&config, open_store(&config)?).await?;
            engine.change_watch(watch, &wish(what, *options)).await.map_err(refused)?;
            show::one(engine.store(), watch, 10, json).await
        }
        Watches::Pause { watches } => pause(&engine_of(&config).await?, &watches, true).await,
        Watches::Resume { watches } => pause(&engine_of(&config).await?, &watches, false).await,
        Watches::Remove { watches } => {
            let store = open_store(&config)?;
            all_there(&store, &watches).await?;
            for id in watches {
                let watch = store.remove_watch(id).await?;
                console::note(&format!("watch {id} ({}) is removed", watch.name));
            }
            Ok(())
        }
        Watches::Test { page, what, within, ignore, allow } => {
            config.allow(&allow);
            let wish = WatchWish { what: Some(what), within, ignore, ..WatchWish::default() };
            let aim = wish.terms(None, Timestamp::now()).map_err(refused)?.aim;
            test::run(&config, &page, aim, json).await
        }
    }
}

async fn engine_of(config: &Config) -> anyhow::Result<EngineHandle> {
    idle_engine(config, open_store(config)?).await
}

async fn pause(engine: &EngineHandle, watches: &[WatchId], paused: bool) -> anyhow::Result<()> {
    all_there(engine.store(), watches).await?;
    for id in watches {
        engine.pause_watch(*id, paused).await.map_err(refused)?;
    }
    console::note(if paused { "paused" } else { "resumed" });
    Ok(())
}

/// All are looked up before anything is done: a typo does nothing.
async fn all_there(store: &Store, watches: &[WatchId]) -> anyhow::Result<()> {
    for id in watches {
        store.watch(*id).await?;
    }
    Ok(())
}

/// The source that is meant; a URL that is none yet becomes one.
async fn source_of(config: &Config, store: &Store, meant: &SourceRef) -> anyhow::Result<SourceId> {
    let SourceRef::Url(text) = meant else {
        return Ok(find_source(store, meant).await?.id);
    };
    let url = address(text)?;
    if let Some(source) = store.source_by_url(url.clone()).await? {
        return Ok(source.id);
    }
    super::sources::check_gate(&Gate::new(config.fetch.allow.clone()), &url)?;
    let first_visit = super::sources::first_visit();
    let new = NewSource { url, title: None, selector: None, interval: None, first_visit };
    let ids = store.add_sources(vec![new], Timestamp::now()).await?;
    ids.first().copied().ok_or_else(|| anyhow::anyhow!("nothing was added"))
}

fn wish(what: Option<String>, options: WatchOptions) -> WatchWish {
    WatchWish {
        name: options.name,
        what,
        within: options.within,
        ignore: options.ignore,
        when: options.when,
        moved: options.moved,
        stops: (!options.stops.is_empty()).then_some(options.stops),
        notify: options.notify,
        zone: options.zone,
    }
}

fn refused(error: WatchRefusal) -> anyhow::Error {
    match error {
        WatchRefusal::Store(error) => error.into(),
        error => bad_input(error.to_string()),
    }
}
