//! What if? The delay–budget curve of the user's own history.

use super::settings::{USUAL, decimal};
use super::{Section, policy_words, sections};
use crate::access::csrf::Fields;
use crate::plan::{choose, standing};
use crate::problem::Problem;
use crate::ui::chart::curve_chart;
use crate::ui::links::after;
use crate::ui::parts::{refusal, when};
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::what_if::{About, Answer, Question, ask as begin};
use crate::words::{about, number, plural};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use laboratory::replay::Row;
use maud::{Markup, html};
use scheduling::PolicyName;
use store::{Budget, PlanChoice};

/// More would be a long wait, and a crowded chart.
const MOST: usize = 8;

pub(crate) async fn show_what_if(visitor: Visitor) -> Result<Response, Trouble> {
    page(&visitor, None).await
}

pub(crate) async fn ask(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    if fields.filled("stop").is_some() {
        visitor.app.what_if.stop();
        return Ok(Redirect::to("/plan/what-if").into_response());
    }
    let asked = match question(&fields) {
        Ok(question) => begin(&visitor.app, question).await,
        Err(problem) => Err(problem),
    };
    match asked {
        Ok(()) => Ok(Redirect::to("/plan/what-if").into_response()),
        Err(problem) if problem.status.is_client_error() => page(&visitor, Some(&problem)).await,
        Err(problem) => Err(problem.into()),
    }
}

/// Takes over a policy and a budget of the answer.
pub(crate) async fn apply(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    let standing = standing(&visitor.app).await?;
    let choice = PlanChoice {
        policy: fields.text("policy").parse().map_err(Problem::invalid)?,
        budget: Budget::EachSource(decimal(fields.text("visits"), "the number of visits")?),
        ..standing.choice
    };
    choose(&visitor.app, &choice).await?;
    Ok(Redirect::to(&after("/plan", "planned", None)).into_response())
}

fn question(fields: &Fields) -> Result<Question, Problem> {
    let chosen: Vec<PolicyName> = fields.all("policy");
    let policies: Vec<PolicyName> = in_order().filter(|policy| chosen.contains(policy)).collect();
    let mut budgets = Vec::new();
    for text in fields.text("budgets").split([' ', ';']).filter(|text| !text.is_empty()) {
        let budget = decimal(text, "a budget")?;
        if budget <= 0.0 || budget > 288.0 {
            return Err(Problem::invalid("a budget is more than 0 and at most 288 visits a source and day"));
        }
        budgets.push(budget);
    }
    budgets.sort_by(f64::total_cmp);
    budgets.dedup();
    if policies.len() > MOST || budgets.len() > MOST {
        return Err(Problem::invalid(format!("choose at most {MOST} policies and {MOST} budgets")));
    }
    Ok(Question { policies, budgets })
}

async fn page(visitor: &Visitor, problem: Option<&Problem>) -> Result<Response, Trouble> {
    let standing = standing(&visitor.app).await?;
    let now = standing.budget / standing.sources.max(1) as f64;
    let answer = visitor.app.what_if.answer();
    let content = html! {
        (sections(Section::WhatIf))
        div .head {
            h1 { "What if" }
            p .quiet { "How long would your articles have waited under other policies and budgets? Your own history is replayed through \
                the very code that plans your visits: the first part to learn from, the rest to judge by." }
        }
        (form(visitor, &answer, standing.choice.policy, now, problem))
        div #answer data-live { (told(visitor, &answer, standing.choice.policy, now)) }
    };
    let mut response = visitor.page(Tab::Plan, "What if", &content);
    *response.status_mut() = problem.map_or(StatusCode::OK, |problem| problem.status);
    Ok(response)
}

fn form(
    visitor: &Visitor,
    answer: &Answer,
    policy: PolicyName,
    now: f64,
    problem: Option<&Problem>,
) -> Markup {
    let asked = match answer {
        Answer::None => None,
        Answer::Running { question, .. }
        | Answer::Refused { question, .. }
        | Answer::Done { question, .. } => Some(question),
    };
    let chosen = |name: PolicyName| match asked {
        Some(question) => question.policies.contains(&name),
        None => [PolicyName::Planner, PolicyName::Sqrt, PolicyName::Even, policy].contains(&name),
    };
    let budgets = match asked {
        Some(question) => question.budgets.clone(),
        None => [0.25, 0.5, 1.0, 2.0].iter().map(|times| (times * now).clamp(0.1, 288.0)).collect(),
    };
    let budgets: Vec<String> =
        budgets.into_iter().map(|budget| format!("{}", (budget * 10.0).round() / 10.0)).collect();
    html! {
        form .card.what-if method="post" action="/plan/what-if" {
            (visitor.hidden())
            @if let Some(problem) = problem { (refusal(problem)) }
            fieldset .plainly {
                legend { "Policies" }
                div .ticks {
                    @for name in in_order() {
                        label title=(policy_words(name).1) {
                            input type="checkbox" name="policy" value=(name.word()) checked[chosen(name)];
                            " " (policy_words(name).0)
                        }
                    }
                }
            }
            label .field {
                span { "Visits a source and day" }
                input type="text" name="budgets" value=(budgets.join("  ")) required autocomplete="off";
                small { "Several, separated by spaces. Now it is " (about(now)) "." }
            }
            p .actions { button .button.primary { "Replay my history" } }
        }
    }
}

/// Those that most people compare first.
fn in_order() -> impl Iterator<Item = PolicyName> {
    let others = PolicyName::ALL.into_iter().filter(|policy| !USUAL.contains(policy));
    USUAL.into_iter().chain(others)
}

fn told(visitor: &Visitor, answer: &Answer, policy: PolicyName, now: f64) -> Markup {
    match answer {
        Answer::None => html! {},
        Answer::Running { done, all, .. } => html! {
            section .card {
                p role="status" {
                    "Replaying"
                    @if *all > 0 { ": " (number(*done as u64)) " of " (plural(*all as u64, "run")) }
                    " …"
                }
                progress max=((*all).max(1)) value=(done) {}
                form method="post" action="/plan/what-if" {
                    (visitor.hidden())
                    p .actions { button .button name="stop" value="1" { "Stop" } }
                }
            }
        },
        Answer::Refused { why, .. } => html! {
            section .card { p .note role="status" { "It cannot be said yet: " (why) "." } }
        },
        Answer::Done { at, about, rows, .. } => html! {
            section .card {
                h2 { "Waiting against visits" }
                (curve_chart(rows, (policy.word(), now)))
                p .small-print { (made_from(about)) " Worked out " (when(*at, visitor.now)) "." }
            }
            section .card { h2 { "In numbers" } (table(visitor, rows, policy, now)) }
        },
    }
}

fn made_from(made: &About) -> String {
    format!(
        "From {} of {} in {} days: the first six tenths were learned from, the rest was judged by. Articles without a date count from when they were first seen; what a source showed \
         before it was watched is left out, and so are the visits that events cause.",
        plural(made.articles as u64, "article"),
        plural(made.sources as u64, "source"),
        about(made.days)
    )
}

fn table(visitor: &Visitor, rows: &[Row], policy: PolicyName, now: f64) -> Markup {
    let best = |budget: f64| {
        let same = rows.iter().filter(move |row| row.budget.total_cmp(&budget).is_eq());
        same.map(|row| row.interest_mean_minutes).fold(f64::INFINITY, f64::min)
    };
    html! {
        div .scroll {
            table .plain.figures {
                thead { tr {
                    th { "Visits a source and day" } th { "Policy" } th { "Mean wait" } th { "Half wait less than" } th { "One in 20 waits over" }
                    th { "Met in time" } th {}
                } }
                tbody {
                    @for row in rows {
                        @let in_force = row.policy == policy.word() && (row.budget - now).abs() < 0.05 * now;
                        tr .best[row.interest_mean_minutes <= best(row.budget)] {
                            td { (about(row.budget)) }
                            td { (row.policy.parse().map_or(row.policy, |name| policy_words(name).0)) }
                            td { (minutes(row.interest_mean_minutes)) }
                            td { (minutes(row.median_minutes)) }
                            td { (minutes(row.p95_minutes)) }
                            td { (format!("{:.1} %", row.coverage * 100.0)) }
                            td {
                                @if in_force { span .quiet { "in force" } }
                                @else {
                                    form method="post" action="/plan/apply" {
                                        (visitor.hidden())
                                        input type="hidden" name="policy" value=(row.policy);
                                        input type="hidden" name="visits" value=(row.budget);
                                        button .button.small aria-label={ "Apply " (row.policy) " with " (about(row.budget)) " visits" } { "Apply" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn minutes(minutes: f64) -> String {
    if minutes >= 180.0 { format!("{:.1} h", minutes / 60.0) } else { format!("{minutes:.0} min") }
}
