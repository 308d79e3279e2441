//! The lessons: what was taught when, and the way back.

use super::head;
use super::sentence::{author, sentence};
use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::telling::Told;
use crate::ui::links::after;
use crate::ui::parts::{empty, when};
use crate::ui::refiling;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::words::{capitalised, plural};
use axum::extract::State;
use axum::response::{Redirect, Response};
use maud::{Markup, html};
use model::RuleId;
use std::collections::HashMap;
use store::LessonInfo;

const LISTED: usize = 100;
/// An imported file is one lesson of many rules.
const RULES_LISTED: usize = 5;

pub(crate) async fn history(visitor: Visitor) -> Result<Response, Trouble> {
    let store = visitor.app.store();
    let lessons = store.lessons(LISTED).await?;
    let rules: Vec<RuleId> =
        lessons.iter().flat_map(|lesson| lesson.rules.iter().take(RULES_LISTED).copied()).collect();
    let told: HashMap<RuleId, Told> = store
        .knowledge(move |base| {
            let found = rules.into_iter().filter_map(|id| Some((id, Told::of(base, base.tree().get(id)?))));
            found.collect()
        })
        .await?;
    let last = lessons.iter().find(|lesson| lesson.undone_at.is_none()).map(|lesson| lesson.version);
    let content = html! {
        (head("Lessons", "/rules/lessons"))
        (refiling::progress(&visitor).await?)
        @if lessons.is_empty() {
            (empty(
                "Nothing was taught yet",
                "Every rule you teach is listed here, and the last one can be undone.",
                &html! { a .button.primary href="/" { "Choose an article" } },
            ))
        } @else {
            ol #lessons .plain.lessons.card.flush data-live {
                @for lesson in &lessons { (one(&visitor, lesson, &told, last == Some(lesson.version))) }
            }
            (check(&visitor))
        }
    };
    Ok(visitor.page(Tab::Rules, "Lessons", &content))
}

fn one(visitor: &Visitor, lesson: &LessonInfo, told: &HashMap<RuleId, Told>, last: bool) -> Markup {
    let undone = lesson.undone_at.is_some();
    html! {
        li .undone[undone] {
            div .says {
                p .meta {
                    span { (capitalised(author(lesson.author.as_deref()))) }
                    span { (when(lesson.at, visitor.now)) }
                    span { (plural(lesson.rules.len() as u64, "rule")) }
                    @if let Some(at) = lesson.undone_at { span { "undone " (when(at, visitor.now)) } }
                }
                @if !undone {
                    ul .plain {
                        @for rule in lesson.rules.iter().take(RULES_LISTED) {
                            li {
                                a .rule-number href={ "/rules/" (rule) } { (rule) } " "
                                @if let Some(told) = told.get(rule) { (sentence(told)) }
                            }
                        }
                        @if lesson.rules.len() > RULES_LISTED {
                            li .quiet { "and " (lesson.rules.len() - RULES_LISTED) " more" }
                        }
                    }
                }
            }
            @if last {
                form method="post" action="/rules/undo" {
                    (visitor.hidden())
                    // Whoever taught meanwhile must not lose another lesson than the one seen here.
                    input type="hidden" name="version" value=(lesson.version);
                    button .button { "Undo" }
                }
            }
        }
    }
}

fn check(visitor: &Visitor) -> Markup {
    html! {
        form .pager method="post" action="/rules/check" {
            (visitor.hidden())
            button .button { "Check all cornerstones" }
        }
    }
}

/// Takes the last lesson back, if it is still the one that was seen.
pub(crate) async fn undo(State(app): State<App>, fields: Fields) -> Result<Redirect, Trouble> {
    let seen = fields.text("version").parse().map_err(|_| Problem::bad_request("which lesson?"))?;
    crate::teaching::undo(&app, Some(seen)).await?;
    Ok(Redirect::to(&after(fields.text("back"), "undone", None)))
}
