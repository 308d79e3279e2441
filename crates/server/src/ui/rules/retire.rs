//! Taking a rule out of service: what would change is shown first.

use super::sentence::{folder_link, folder_links, sentence};
use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::telling::{Told, ToldCornerstone, ToldFolder};
use crate::ui::links::after;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use crate::words::plural;
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use knowledge::{Base, Conflict, Origin, TeachError};
use maud::{Markup, html};
use model::{CornerstoneId, RuleId};
use std::collections::BTreeSet;
use store::{ArticleFilter, FolderFilter, Learned, StoreError};

/// More changes than these are counted, not listed, and accepted together.
const LISTED: usize = 200;
/// Whoever teaches by the pages or the API: there is one user.
const AUTHOR: &str = "web";

/// What retiring a rule would do.
struct Outlook {
    told: Told,
    conflicts: Vec<Change>,
}

/// A cornerstone that would be filed elsewhere.
struct Change {
    stone: ToldCornerstone,
    before: Vec<ToldFolder>,
    after: Vec<ToldFolder>,
}

impl Outlook {
    fn of(base: &Base, id: RuleId) -> Result<Option<Self>, TeachError> {
        let Some(rule) = base.tree().get(id) else { return Ok(None) };
        let conflicts = base.conflicts_with(&[base.retirement(id, Origin::default())])?;
        let change = |conflict: &Conflict| {
            let stone = base.cornerstones().get(conflict.cornerstone)?;
            let told = |folders: &BTreeSet<_>| folders.iter().map(|id| ToldFolder::of(base, *id)).collect();
            Some(Change {
                stone: ToldCornerstone::of(stone),
                before: told(&conflict.before),
                after: told(&conflict.after),
            })
        };
        Ok(Some(Self {
            told: Told::of(base, rule),
            conflicts: conflicts.iter().filter_map(change).collect(),
        }))
    }
}

/// Retires a rule. Every cornerstone that changes must have been accepted.
pub(crate) async fn retire_rule(
    app: &App,
    id: RuleId,
    accepted: BTreeSet<CornerstoneId>,
) -> Result<Learned, Problem> {
    let in_force =
        app.store().knowledge(move |base| base.tree().get(id).map(|rule| Told::of(base, rule))).await?;
    let told = in_force.ok_or(StoreError::NotFound { what: format!("rule {id}") })?;
    if told.retired || told.is_retirement() {
        return Err(Problem::new(StatusCode::CONFLICT, format!("rule {id} is out of service already")));
    }
    let at = app.now();
    let make = move |base: &Base| {
        let origin = Origin { author: Some(AUTHOR.into()), at: Some(at), ..Origin::default() };
        base.lesson_of(vec![base.retirement(id, origin)], &accepted)
    };
    let learned = app.store().learn(Some(AUTHOR.into()), at, make).await?;
    app.engine.knowledge_changed();
    Ok(learned)
}

/// Shows what would change.
pub(crate) async fn ask(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    page(&visitor, RuleId(id), None).await
}

pub(crate) async fn retire(
    visitor: Visitor,
    Number(id): Number,
    fields: Fields,
) -> Result<Response, Trouble> {
    let id = RuleId(id);
    let more = fields.text("accept_more").split(' ').filter_map(|id| id.parse().ok());
    let accepted = fields.all("accept").into_iter().chain(more).collect();
    match retire_rule(&visitor.app, id, accepted).await {
        Ok(_) => Ok(Redirect::to(&after(&format!("/rules/{id}"), "retired", None)).into_response()),
        Err(problem) if problem.status == StatusCode::CONFLICT => page(&visitor, id, Some(problem)).await,
        Err(problem) => Err(problem.into()),
    }
}

async fn page(visitor: &Visitor, id: RuleId, refused: Option<Problem>) -> Result<Response, Trouble> {
    let store = visitor.app.store();
    let outlook = store.knowledge(move |base| Outlook::of(base, id)).await?.map_err(StoreError::from)?;
    let outlook = outlook.ok_or(StoreError::NotFound { what: format!("rule {id}") })?;
    let decided = FolderFilter::DecidedBy(id);
    let filter = ArticleFilter { folders: Some(decided), limit: 1, ..ArticleFilter::default() };
    let decides_any = !store.articles_page(filter).await?.articles.is_empty();
    let content = html! {
        section .card.narrow {
            h1 { "Retire rule " (id) "?" }
            p { (sentence(&outlook.told)) }
            p .quiet {
                "It stays in the history, and decides nothing from then on. "
                @if decides_any { "The articles it decides leave " (what_it_gives(&outlook.told)) ". " }
                "Undo takes it back."
            }
            @if let Some(problem) = &refused { p .error role="alert" { (crate::words::capitalised(&problem.error)) "." } }
            form method="post" action={ "/rules/" (id) "/retire" } {
                (visitor.hidden())
                @if !outlook.conflicts.is_empty() { (conflicts(&outlook.conflicts)) }
                div .actions {
                    button .button.danger { "Retire rule " (id) }
                    a .button href={ "/rules/" (id) } { "Keep it" }
                }
            }
        }
    };
    let mut response = visitor.page(Tab::Rules, "Retire a rule", &content);
    *response.status_mut() = refused.map_or(StatusCode::OK, |problem| problem.status);
    Ok(response)
}

fn what_it_gives(told: &Told) -> Markup {
    told.folder.as_ref().map_or_else(|| html! { "the place it kept them in" }, folder_link)
}

fn conflicts(changes: &[Change]) -> Markup {
    html! {
        p .alarm role="status" {
            (plural(changes.len() as u64, "cornerstone")) " would be filed elsewhere. Tick those whose change you accept."
        }
        ul .plain.changes {
            @for change in changes.iter().take(LISTED) {
                li {
                    label {
                        input type="checkbox" name="accept" value=(change.stone.id);
                        span {
                            @match change.stone.article {
                                Some(article) => a href={ "/articles/" (article) } dir="auto" { (change.stone.title) },
                                None => span dir="auto" { (change.stone.title) },
                            }
                            span .why { (folder_links(&change.before)) " → " (folder_links(&change.after)) }
                        }
                    }
                }
            }
        }
        @if changes.len() > LISTED {
            @let rest: Vec<String> = changes.iter().skip(LISTED).map(|change| change.stone.id.to_string()).collect();
            label .rest {
                input type="checkbox" name="accept_more" value=(rest.join(" "));
                span { "and " (rest.len()) " more" }
            }
        }
    }
}
