//! Teaching by program: what a rule would do, the lesson, and taking it back.

mod views;

use super::extract::{Body, Id};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use crate::teaching::{self, Pick, Picked, Proposal, Wish, Wrong, numbers};
use axum::Json;
use axum::extract::State;
use knowledge::{Base, Filer};
use model::{ArticleId, CornerstoneId, RuleId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use views::{FilingView, Taught};

/// So many conflicts are told in full; `conflicts_total` counts all.
const MOST_CONFLICTS: usize = 200;

/// What is wrong with the folders of an article; folders by their paths. One that is not there yet is made by the lesson.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CorrectionBody {
    /// It belongs here as well.
    Add(String),
    /// It does not belong here.
    Remove(String),
    /// It belongs there instead of here.
    Replace {
        /// Where it is.
        from: String,
        /// Where it belongs.
        to: String,
    },
}

/// What may be worked out besides.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProposeBody {
    /// Nothing.
    #[default]
    Nothing,
    /// Literals that exclude all conflicts and unwanted articles.
    Fix,
    /// Stopping rules for unwanted articles.
    Stops,
}

/// A lesson in the making. Everything comes with every request; nothing is kept in between.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TeachBody {
    correction: CorrectionBody,
    /// The literals of the rule; all must hold of the article.
    #[serde(default)]
    condition: Vec<Pick>,
    /// The rule under which an added folder's rule goes; at the root unless said.
    place: Option<i64>,
    /// Conditions of stopping rules under the new rule.
    #[serde(default)]
    stops: Vec<Vec<Pick>>,
    /// Cornerstones whose new folders are accepted.
    #[serde(default)]
    accepted: Vec<i64>,
    /// Stored articles that the rule should not catch.
    #[serde(default)]
    unwanted: Vec<i64>,
    #[serde(default)]
    propose: ProposeBody,
    /// Teach it; without, only say what would happen.
    #[serde(default)]
    commit: bool,
    /// Why, in your words.
    note: Option<String>,
}

impl TeachBody {
    fn wish(&self, article: ArticleId) -> Result<Wish, Problem> {
        let read = |picks: &[Pick]| picks.iter().map(Pick::read).collect::<Result<Vec<Picked>, _>>();
        Ok(Wish {
            article,
            wrong: match &self.correction {
                CorrectionBody::Add(to) => Wrong::Add(to.clone()),
                CorrectionBody::Remove(from) => Wrong::Remove(from.clone()),
                CorrectionBody::Replace { from, to } => Wrong::Replace { from: from.clone(), to: to.clone() },
            },
            condition: read(&self.condition)?,
            place: self.place.map(RuleId),
            stops: self.stops.iter().map(|stop| read(stop)).collect::<Result<_, _>>()?,
            accepted: self.accepted.iter().copied().map(CornerstoneId).collect(),
            unwanted: numbers(self.unwanted.iter().copied()),
            note: self.note.clone(),
        })
    }
}

/// What a rule would do, or, with `commit`, teaches it. Refused with 409 while earlier decisions would change that are not
/// accepted.
#[utoipa::path(
    post, path = "/articles/{id}/teach", tag = "teaching", operation_id = "teach", params(("id" = i64, Path)),
    request_body = TeachBody,
    responses((status = 200, body = Taught), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody))
)]
pub(crate) async fn teach(
    State(app): State<App>,
    Id(id): Id,
    Body(body): Body<TeachBody>,
) -> Result<Json<Taught>, Refusal> {
    let wish = body.wish(ArticleId(id))?;
    if body.commit && body.propose != ProposeBody::Nothing {
        let problem = Problem::invalid("a proposal is to be looked at before it is committed");
        return Err(problem.hint("ask with \"commit\": false, then send what you want of it").into());
    }
    let propose = match body.propose {
        ProposeBody::Nothing => Proposal::Nothing,
        ProposeBody::Fix => Proposal::Fix,
        ProposeBody::Stops => Proposal::Stops,
    };
    let preview = teaching::preview(&app, wish.clone(), propose, MOST_CONFLICTS).await?;
    if let Some((pick, reason)) = preview.condition.iter().find_map(|(pick, why)| Some((pick, why.as_ref()?)))
    {
        let said: String = pick.text().chars().take(40).collect();
        return Err(Problem::invalid(format!("“{said}” cannot be part of the rule: {reason}")).into());
    }
    let learned = if body.commit { Some(teaching::commit(&app, wish).await?) } else { None };
    Ok(Json(Taught::of(&preview, learned)))
}

/// Where an article is filed by the rules as they are, and why.
#[utoipa::path(
    get, path = "/articles/{id}/filing", tag = "teaching", operation_id = "get_filing", params(("id" = i64, Path)),
    responses((status = 200, body = FilingView), (status = 404, body = ErrorBody))
)]
pub(crate) async fn filing(State(app): State<App>, Id(id): Id) -> Result<Json<FilingView>, Refusal> {
    let fields = app.store().article_fields(ArticleId(id)).await?;
    let know = move |base: &Base| {
        let filing = Filer::default().file(base.tree(), &fields);
        FilingView::of(base, &filing)
    };
    Ok(Json(app.store().knowledge(know).await?))
}

/// Which lesson to take back.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoBody {
    /// The version the lesson made; refused if it is no longer the last one. Without it, whichever is last.
    version: Option<i64>,
}

/// What was taken back.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UndoneView {
    /// The rules that are gone.
    rules: Vec<i64>,
}

/// Takes the last lesson back.
#[utoipa::path(
    post, path = "/lessons/undo", tag = "teaching", operation_id = "undo_lesson", request_body = UndoBody,
    responses((status = 200, body = UndoneView), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody))
)]
pub(crate) async fn undo(
    State(app): State<App>,
    Body(body): Body<UndoBody>,
) -> Result<Json<UndoneView>, Refusal> {
    let rules = teaching::undo(&app, body.version).await?;
    Ok(Json(UndoneView { rules: rules.iter().map(|rule| rule.0).collect() }))
}
