//! Teaching, for pages and programs alike: from what was asked to a draft, what it would do, and the lesson.
//!
//! A request carries everything: the article, what is wrong, the words picked, the changes accepted. Nothing is
//! kept between two requests, so nothing can grow stale but the knowledge itself; and the lesson is made
//! anew from it inside the transaction.

mod doubts;
mod filing;
mod pick;
mod preview;
mod sets;

pub(crate) use doubts::{Doubt, doubts};
pub(crate) use filing::{Reason, Step, reasons};
pub(crate) use pick::{Pick, Picked, field_words, in_words};
pub(crate) use preview::{Hit, Preview, Proposal, ShownConflict, ShownEffect, TitlePiece, plain, preview};
pub(crate) use sets::numbers;

use crate::app::App;
use crate::problem::Problem;
use knowledge::{Base, Correction, Draft, Fields, FolderError, Folders, Origin, Prompt, TeachError};
use model::{ArticleId, CornerstoneId, RuleId};
use roaring::RoaringBitmap;
use std::collections::BTreeSet;
use store::{ArticleFilter, FolderFilter, Learned, StoreError};

/// A login has no names yet: whoever teaches here is known by the way they came.
const AUTHOR: &str = "web";
/// A note longer than this is a letter.
const LONGEST_NOTE: usize = 2_000;
/// To find an article that is unfiled even by the newest rules, so many are looked at.
const MOST_LOOKED_AT: usize = 50;

/// What is wrong, with folders by their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wrong {
    Add(String),
    Remove(String),
    Replace { from: String, to: String },
}

/// What a person or a program wants to teach.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) article: ArticleId,
    pub(crate) wrong: Wrong,
    pub(crate) condition: Vec<Picked>,
    /// Where the rule of an added folder goes; the root unless said.
    pub(crate) place: Option<RuleId>,
    /// Conditions of stopping rules under the new one.
    pub(crate) stops: Vec<Vec<Picked>>,
    /// Cornerstones whose change is accepted.
    pub(crate) accepted: BTreeSet<CornerstoneId>,
    /// Stored articles that the rule should not catch.
    pub(crate) unwanted: RoaringBitmap,
    pub(crate) note: Option<String>,
}

/// Why there is no draft.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error(transparent)]
    Teach(#[from] TeachError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl From<Refused> for StoreError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Teach(error) => Self::Teach(error),
            Refused::Folder(error) => Self::Folders(error),
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        StoreError::from(refused).into()
    }
}

/// A draft without its condition, and the folders as they would be.
pub(crate) fn begin(base: &Base, fields: &Fields<'static>, wish: &Wish) -> Result<(Folders, Draft), Refused> {
    let mut folders = base.folders().clone();
    let correction = match &wish.wrong {
        Wrong::Add(path) => Correction::Add(folders.create(path)?.0),
        Wrong::Remove(path) => Correction::Remove(folders.demand(path)?),
        Wrong::Replace { from, to } => {
            let from = folders.demand(from)?;
            Correction::Replace { from, to: folders.create(to)?.0 }
        }
    };
    let prompt = Prompt { article: Some(wish.article), fields: fields.clone() };
    let mut draft = Draft::new(base, prompt, correction)?;
    if let Some(place) = wish.place {
        draft.place_under(base, place)?;
    }
    let read = |stop: &Vec<Picked>| stop.iter().map(|picked| picked.literal(&folders)).collect();
    draft.set_stops(wish.stops.iter().map(read).collect::<Result<_, FolderError>>()?)?;
    Ok((folders, draft))
}

/// The whole draft.
fn draft(base: &Base, fields: &Fields<'static>, wish: &Wish) -> Result<(Folders, Draft), Refused> {
    let (folders, mut draft) = begin(base, fields, wish)?;
    let condition = wish.condition.iter().map(|picked| picked.literal(&folders));
    draft.set_condition(condition.collect::<Result<_, _>>()?)?;
    // Once more, now that the rule above them is known: a stop must be able to fire.
    draft.set_stops(draft.stops().to_vec())?;
    Ok((folders, draft))
}

/// Teaches. The lesson is made from the knowledge as it is in the transaction: what changed meanwhile counts.
pub(crate) async fn commit(app: &App, wish: Wish) -> Result<Learned, Problem> {
    let note = wish.note.clone().filter(|note| !note.trim().is_empty());
    if note.as_ref().is_some_and(|note| note.len() > LONGEST_NOTE) {
        return Err(Problem::invalid(format!("the note is longer than {LONGEST_NOTE} bytes")));
    }
    let fields = app.store().article_fields(wish.article).await?;
    check_ticked(app, &wish, &fields).await?;
    let at = app.now();
    let origin = Origin { author: Some(AUTHOR.into()), at: Some(at), cornerstone: None, note };
    let learned = app
        .store()
        .learn_with_folders(Some(AUTHOR.into()), at, move |base| {
            let (folders, draft) = draft(base, &fields, &wish)?;
            Ok((folders, draft.lesson(base, &wish.accepted, &origin)?))
        })
        .await?;
    app.engine.knowledge_changed();
    app.changed();
    Ok(learned)
}

/// What was ticked as not belonging must not be caught after all.
async fn check_ticked(app: &App, wish: &Wish, fields: &knowledge::Fields<'static>) -> Result<(), Problem> {
    if wish.unwanted.is_empty() {
        return Ok(());
    }
    let (wish, fields) = (wish.clone(), fields.clone());
    let caught = app.store().study(move |base, archive| {
        let (_, draft) = draft(base, &fields, &wish)?;
        Ok::<u64, StoreError>(draft.what_if(base, archive)?.changed().intersection_len(&wish.unwanted))
    });
    match caught.await?? {
        0 => Ok(()),
        caught => {
            let ticked = if caught == 1 { "a ticked article" } else { "ticked articles" };
            let problem = Problem::new(
                http::StatusCode::CONFLICT,
                format!("{ticked} would still change ({caught} in all), though ticked as not belonging"),
            );
            Err(problem.hint("refine the rule, stop them, or untick them"))
        }
    }
}

/// Takes the last lesson back. `version` names the one that is meant: another's lesson is not undone by mistake.
pub(crate) async fn undo(app: &App, version: Option<i64>) -> Result<Vec<RuleId>, Problem> {
    let undone = app.store().undo_lesson(app.now(), version).await?;
    let undone = undone.ok_or_else(|| Problem::not_found("there is no lesson to undo"))?;
    app.engine.knowledge_changed();
    app.changed();
    Ok(undone.rules.iter().map(|rule| rule.id).collect())
}

/// The next article in no folder, looking at older ones first.
pub(crate) async fn next_unfiled(app: &App, after: ArticleId) -> Result<Option<ArticleId>, Problem> {
    for before in [Some(after), None] {
        let filter = ArticleFilter {
            folders: Some(FolderFilter::Unfiled),
            before,
            limit: MOST_LOOKED_AT,
            ..ArticleFilter::default()
        };
        for article in app.store().articles_page(filter).await?.articles {
            // The stored filing may be behind the rules by a moment.
            if article.id != after && is_unfiled(app, article.id).await? {
                return Ok(Some(article.id));
            }
        }
    }
    Ok(None)
}

async fn is_unfiled(app: &App, id: ArticleId) -> Result<bool, Problem> {
    let fields = app.store().article_fields(id).await?;
    let file = move |base: &Base| knowledge::Filer::default().file(base.tree(), &fields);
    Ok(app.store().knowledge(file).await?.folders.is_empty())
}
