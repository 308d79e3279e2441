//! `visit`: one source, now.

use crate::cli::SourceRef;
use crate::config::Config;
use crate::console;
use crate::context::{DataLock, clock, find_source, idle_engine, open_store};
use crate::exit::bad_input;
use model::{PlannedVisit, SourceId, Visit};
use std::time::{Duration, Instant};
use store::Store;

/// How long to wait for a running monitor to make the visit.
const WAIT: Duration = Duration::from_mins(1);

pub(crate) async fn run(config: &Config, source: &SourceRef, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    let source = find_source(&store, source).await?;
    let id = source.id;
    let visit = match DataLock::take(config, &store, |roles| roles.visiting).await? {
        Some(lock) => {
            lock.end_leases(&store).await?;
            let engine = idle_engine(config, store.clone()).await?;
            // Refused here is not failed: nothing is held against the source.
            engine
                .check_url(&source.url)
                .map_err(|refusal| bad_input(format!("refused by the gate: {refusal}")))?;
            engine.visit_now(id).await?
        }
        None => ask_the_running_one(&store, id).await?,
    };
    let Some(visit) = visit else {
        anyhow::bail!(
            "the visit has not been made yet: the host wants a pause. It stays planned; see `ripplewatch sources show {id}`"
        );
    };
    if json {
        console::json(&visit)?;
    }
    anyhow::ensure!(visit.outcome.is_success(), "the visit did not succeed: {}", visit.outcome);
    if !json {
        console::line(&format!("{}: {} articles listed, {} new", visit.outcome, visit.listed, visit.new));
        visit.notes.iter().for_each(|note| console::note(note));
    }
    Ok(())
}

/// A running `serve` has the data: plan the visit for now and see it happen.
async fn ask_the_running_one(store: &Store, id: SourceId) -> anyhow::Result<Option<Visit>> {
    let last = async || anyhow::Ok(store.visits_of(id, 1).await?.into_iter().next());
    let before = last().await?.map(|visit| visit.id);
    store
        .visit_soon(
            id,
            PlannedVisit { at: clock(store, None).await?.now(), reason: "asked for by you".into() },
        )
        .await?;
    let began = Instant::now();
    while began.elapsed() < WAIT {
        if let Some(visit) = last().await?
            && Some(visit.id) != before
        {
            return Ok(Some(visit));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(None)
}
