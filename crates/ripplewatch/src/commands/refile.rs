//! Filing stored articles anew: here, or by the monitor that runs.

use crate::config::Config;
use crate::console::{self, Progress};
use crate::context::DataLock;
use store::{Refiling, Store};

/// What filing anew came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refiled {
    pub(crate) refiling: Refiling,
    /// A monitor is running and does it.
    pub(crate) elsewhere: bool,
}

/// After a change: files the stored articles anew, unless a running monitor does.
pub(crate) async fn after_change(config: &Config, store: &Store) -> anyhow::Result<Refiled> {
    let Some(_lock) = DataLock::take(config, store, |roles| roles.filing).await? else {
        return Ok(Refiled { refiling: store.refiling().await?, elsewhere: true });
    };
    let mut refiling = store.refiling().await?;
    let mut progress = Progress::new("filing articles anew");
    while !refiling.is_finished() && !refiling.stopped {
        refiling = store.refile_some().await?;
        progress.show(refiling.done, refiling.done + refiling.left);
    }
    progress.end();
    Ok(Refiled { refiling, elsewhere: false })
}

/// The same, told to people.
pub(crate) async fn tell_after_change(config: &Config, store: &Store) -> anyhow::Result<()> {
    let refiled = after_change(config, store).await?;
    console::note(&refiled.in_words());
    Ok(())
}

impl Refiled {
    /// How far it is.
    pub(crate) fn in_words(&self) -> String {
        let Refiling { done, left, changed, stopped, .. } = self.refiling;
        match (stopped, left) {
            (true, _) => format!(
                "filing anew is stopped after {done} of {} articles; `ripplewatch rules refile --resume` goes on",
                done + left
            ),
            (_, 0) => format!("{done} articles filed anew, {changed} of them changed"),
            _ if self.elsewhere => {
                format!(
                    "the running monitor files {left} articles anew; `ripplewatch rules refile` shows how far it is"
                )
            }
            _ => format!("{done} articles filed anew, {left} to go"),
        }
    }
}
