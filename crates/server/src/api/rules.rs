//! Rules: list, one, retire, take along; lessons; the proof that all cornerstones hold.

use super::extract::{Body, Id, Params, limit};
use super::rule_views::{Checked, Lesson, Rule, RuleDetail, RuleReport, Statistics, WrongCornerstone};
use super::sources::Limit;
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use crate::telling::Told;
use crate::ui::link;
use crate::ui::rules::{Search, retire_rule};
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::{CONTENT_TYPE, LINK};
use knowledge::{Interchange, STALE_DAYS};
use model::{CornerstoneId, FolderId, RuleId};
use serde::Deserialize;
use store::StoreError;
use utoipa::{IntoParams, ToSchema};

const TOTAL: &str = "x-total-count";

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// At most this many, 1 to 1000; 50 unless said.
    limit: Option<i64>,
    /// Only those with this word in their condition, or this text in their folder.
    search: Option<String>,
    /// Only those that file into this folder.
    folder: Option<i64>,
    /// Only the exceptions directly under this rule; 0 is the root.
    parent: Option<i64>,
    /// Go on after this rule; follow the `Link` header rather than making it up.
    after: Option<i64>,
}

impl Wanted {
    fn next(&self, last: RuleId) -> String {
        let text = |number: Option<i64>| number.map(|number| number.to_string());
        let query = [
            ("limit", text(self.limit)),
            ("search", self.search.clone()),
            ("folder", text(self.folder)),
            ("parent", text(self.parent)),
            ("after", Some(last.to_string())),
        ];
        format!("<{}>; rel=\"next\"", link("/api/v1/rules", &query))
    }
}

/// Rules by id. The `Link` header has the next page.
#[utoipa::path(
    get, path = "/rules", tag = "rules", operation_id = "list_rules", params(Wanted),
    responses((status = 200, body = Vec<Rule>, headers(("X-Total-Count" = u64), ("Link" = String, description = "The next page"))),
        (status = 400, body = ErrorBody))
)]
pub(crate) async fn list(
    State(app): State<App>,
    Params(wanted): Params<Wanted>,
) -> Result<Response, Refusal> {
    let most = limit(wanted.limit, 50)?;
    let search = super::articles::search(wanted.search.as_deref())?;
    let (folder, parent, after) = (wanted.folder.map(FolderId), wanted.parent.map(RuleId), wanted.after);
    let (total, mut told) = app
        .store()
        .knowledge(move |base| {
            let search = search.as_deref().map(Search::new);
            let matches = |rule: &&knowledge::Rule| {
                folder.is_none_or(|folder| rule.conclusion.folder() == Some(folder))
                    && parent.is_none_or(|parent| rule.parent == parent)
                    && search.as_ref().is_none_or(|search| search.matches(base, rule))
            };
            let mut rules: Vec<_> = base.tree().rules().iter().filter(matches).collect();
            let total = rules.len();
            rules.sort_by_key(|rule| rule.id);
            rules.retain(|rule| after.is_none_or(|after| rule.id.0 > after));
            let told = rules.into_iter().take(most + 1).map(|rule| Told::of(base, rule));
            (total, told.collect::<Vec<_>>())
        })
        .await?;
    let more = told.len() > most;
    told.truncate(most);
    let last = told.last().map(|rule| rule.id).filter(|_| more);
    let rules: Vec<Rule> = told.into_iter().map(Rule::from).collect();
    let mut response = ([(TOTAL, HeaderValue::from(total))], Json(rules)).into_response();
    if let Some(next) = last.and_then(|last| HeaderValue::try_from(wanted.next(last)).ok()) {
        response.headers_mut().insert(LINK, next);
    }
    Ok(response)
}

/// One rule with its use, the rules above it and those under it.
#[utoipa::path(
    get, path = "/rules/{id}", tag = "rules", operation_id = "get_rule", params(("id" = i64, Path)),
    responses((status = 200, body = RuleDetail), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(State(app): State<App>, Id(id): Id) -> Result<Json<RuleDetail>, Refusal> {
    let id = RuleId(id);
    let usage = app.store().rule_usage().await?;
    let usage = usage.get(&id).copied().unwrap_or_default();
    let found = app.store().knowledge(move |base| RuleDetail::of(base, id, usage)).await?;
    Ok(Json(found.ok_or(StoreError::NotFound { what: format!("rule {id}") })?))
}

/// What to accept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetireRule {
    /// The cornerstones whose change is accepted.
    #[serde(default)]
    accept: Vec<i64>,
}

/// Takes a rule out of service. It stays in the history.
#[utoipa::path(
    post, path = "/rules/{id}/retire", tag = "rules", operation_id = "retire_rule", params(("id" = i64, Path)),
    request_body = RetireRule,
    responses((status = 200, body = RuleDetail), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "Cornerstones would change that are not accepted"))
)]
pub(crate) async fn retire(
    State(app): State<App>,
    Id(id): Id,
    Body(wish): Body<RetireRule>,
) -> Result<Json<RuleDetail>, Refusal> {
    let accepted = wish.accept.into_iter().map(CornerstoneId).collect();
    if let Err(problem) = retire_rule(&app, RuleId(id), accepted).await {
        return Err(with_conflicts(&app, RuleId(id), problem).await?.into());
    }
    one(State(app), Id(id)).await
}

/// Names the cornerstones in the way, so that they can be accepted.
async fn with_conflicts(app: &App, id: RuleId, problem: Problem) -> Result<Problem, Problem> {
    if problem.status != http::StatusCode::CONFLICT || problem.hint.is_some() {
        return Ok(problem);
    }
    let conflicts = app
        .store()
        .knowledge(move |base| {
            base.tree().get(id)?;
            base.conflicts_with(&[base.retirement(id, knowledge::Origin::default())]).ok()
        })
        .await?;
    let ids: Vec<String> =
        conflicts.into_iter().flatten().map(|conflict| conflict.cornerstone.to_string()).collect();
    Ok(if ids.is_empty() { problem } else { problem.hint(format!("accept {}", ids.join(", "))) })
}

/// How many rules there are of which kind, and how they are used.
#[utoipa::path(
    get, path = "/rules/statistics", tag = "rules", operation_id = "rule_statistics",
    responses((status = 200, body = Statistics))
)]
pub(crate) async fn statistics(State(app): State<App>) -> Result<Json<Statistics>, Refusal> {
    let usage = app.store().rule_usage().await?;
    Ok(Json(app.store().knowledge(move |base| Statistics::of(base, &usage)).await?))
}

/// Rules that can never fire, that add nothing, and that have not been used for long.
#[utoipa::path(
    get, path = "/rules/report", tag = "rules", operation_id = "rule_report",
    responses((status = 200, body = RuleReport))
)]
pub(crate) async fn report(State(app): State<App>) -> Result<Json<RuleReport>, Refusal> {
    let usage = app.store().rule_usage().await?;
    let now = app.now();
    let report = app.store().knowledge(move |base| knowledge::report(base, &usage, now, STALE_DAYS)).await?;
    Ok(Json(report.into()))
}

/// The whole base as JSON Lines: folders, rules, cornerstones.
#[utoipa::path(
    get, path = "/rules/export", tag = "rules", operation_id = "export_rules",
    responses((status = 200, body = String, content_type = "application/x-ndjson"))
)]
pub(crate) async fn export(State(app): State<App>) -> Result<Response, Refusal> {
    let file = app.store().knowledge(|base| Interchange::of(base).to_json_lines()).await?;
    Ok(([(CONTENT_TYPE, "application/x-ndjson; charset=utf-8")], file).into_response())
}

/// What was taught, the newest first.
#[utoipa::path(
    get, path = "/lessons", tag = "rules", operation_id = "list_lessons", params(Limit),
    responses((status = 200, body = Vec<Lesson>), (status = 400, body = ErrorBody))
)]
pub(crate) async fn lessons(
    State(app): State<App>,
    Params(limit): Params<Limit>,
) -> Result<Json<Vec<Lesson>>, Refusal> {
    let lessons = app.store().lessons(limit.get()?).await?;
    Ok(Json(lessons.into_iter().map(Lesson::from).collect()))
}

/// Files every cornerstone anew and tells which are not where they belong.
#[utoipa::path(
    get, path = "/cornerstones/check", tag = "rules", operation_id = "check_cornerstones",
    responses((status = 200, body = Checked))
)]
pub(crate) async fn check(State(app): State<App>) -> Result<Json<Checked>, Refusal> {
    let checked = app
        .store()
        .knowledge(|base| {
            let misfiled = base.cornerstones().misfiled(base.tree());
            Checked {
                cornerstones: base.cornerstones().len() as u64,
                hold: misfiled.is_empty(),
                wrong: misfiled.iter().map(|one| WrongCornerstone::of(base, one)).collect(),
            }
        })
        .await?;
    Ok(Json(checked))
}
