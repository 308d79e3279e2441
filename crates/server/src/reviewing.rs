//! Looking for articles that a person had better look at.
//!
//! It takes the archive of all words and more time than a page may: it is done beside the pages, kept until the
//! knowledge or the articles change, and a page shows what there is.

use crate::app::App;
use crate::telling::ToldFolder;
use knowledge::{Archive, Base, Field, Prudence, Warning};
use model::{ArticleId, RuleId};
use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::{FiledBy, StoreError};
use tokio::sync::Notify;

/// Only the newest articles are looked at: older ones are history.
const LOOKED_AT: usize = 1_000;
/// A page waits so long for an answer that is nearly there.
const PATIENCE: Duration = Duration::from_millis(25);

/// What was found, and whether somebody is looking.
#[derive(Debug, Default)]
pub(crate) struct Reviewing {
    state: Mutex<State>,
    done: Notify,
}

#[derive(Debug, Default)]
struct State {
    found: Option<Arc<Found>>,
    looking: bool,
}

/// Articles that a person had better look at, those with most new words first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    of: Moment,
    pub(crate) articles: Vec<Doubt>,
    /// How many were looked at.
    pub(crate) looked_at: usize,
}

/// What a look was based on: a later one is needed when it is no longer so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Moment {
    version: i64,
    newest: Option<ArticleId>,
}

/// An article with reasons to look at it.
#[derive(Debug, Clone)]
pub(crate) struct Doubt {
    pub(crate) article: ArticleId,
    pub(crate) reasons: Vec<Reason>,
}

/// Words that no article filed by this rule has held before.
#[derive(Debug, Clone)]
pub(crate) struct Reason {
    pub(crate) rule: RuleId,
    pub(crate) folder: ToldFolder,
    pub(crate) words: Vec<(Field, String)>,
}

impl Reviewing {
    /// What is known; the second is whether that is being brought up to date.
    pub(crate) async fn ask(&self, app: &App) -> Result<(Option<Arc<Found>>, bool), StoreError> {
        let store = app.store();
        let newest = store.unconfirmed(1).await?.first().map(|(id, _)| *id);
        let moment = Moment { version: store.knowledge_version().await?, newest };
        let done = self.done.notified();
        {
            let mut state = self.state();
            if let Some(found) = state.found.as_ref().filter(|found| found.of == moment) {
                return Ok((Some(found.clone()), false));
            }
            if !state.looking {
                state.looking = true;
                tokio::spawn(look(app.clone(), moment));
            }
        }
        let _ = tokio::time::timeout(PATIENCE, done).await;
        let state = self.state();
        Ok((state.found.clone(), state.looking))
    }

    /// A person has looked at it.
    pub(crate) fn forget(&self, article: ArticleId) {
        if let Some(found) = &mut self.state().found {
            Arc::make_mut(found).articles.retain(|doubt| doubt.article != article);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn look(app: App, moment: Moment) {
    let found = find(&app, moment).await;
    let reviewing = &app.reviewing;
    {
        let mut state = reviewing.state();
        state.looking = false;
        match found {
            Ok(found) => state.found = Some(Arc::new(found)),
            Err(error) => tracing::error!(%error, "looking for articles to review failed"),
        }
    }
    reviewing.done.notify_waiters();
    app.engine.announce();
}

async fn find(app: &App, moment: Moment) -> Result<Found, StoreError> {
    let filed = app.store().unconfirmed(LOOKED_AT).await?;
    app.store().study(move |base, archive| doubts(base, archive, &filed, moment)).await
}

fn doubts(base: &Base, archive: &Archive, filed: &[(ArticleId, Vec<FiledBy>)], moment: Moment) -> Found {
    let number = |(id, by): &(ArticleId, Vec<FiledBy>)| {
        Some((u32::try_from(id.0).ok()?, by.iter().map(|by| by.rule).collect()))
    };
    let numbered: Vec<(u32, Vec<RuleId>)> = filed.iter().filter_map(number).collect();
    let warnings = Prudence::new(base.tree()).warnings_on_all(base.tree(), archive, &numbered);
    let reason = |warning: Warning| Reason {
        rule: warning.rule,
        folder: ToldFolder::of(base, warning.folder),
        words: warning.words,
    };
    let doubt = |((number, _), warnings): (&(u32, Vec<RuleId>), Vec<Warning>)| {
        let reasons: Vec<Reason> = warnings.into_iter().map(reason).collect();
        (!reasons.is_empty()).then_some(Doubt { article: ArticleId(i64::from(*number)), reasons })
    };
    let mut articles: Vec<Doubt> = numbered.iter().zip(warnings).filter_map(doubt).collect();
    // Stable: among equals the newest stays first.
    articles
        .sort_by_key(|doubt| Reverse(doubt.reasons.iter().map(|reason| reason.words.len()).sum::<usize>()));
    Found { of: moment, articles, looked_at: numbered.len() }
}
