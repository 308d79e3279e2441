//! The plan: what is visited next and why, what the budget is and what was spent.

mod settings;
mod what_if;

pub(crate) use settings::{change, show_settings};
pub(crate) use what_if::{apply, ask, show_what_if};

use super::chart::{coming_chart, spent_chart};
use super::events::watch;
use super::parts::{empty, when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::plan::{PlanStanding, standing};
use crate::watching::name_of;
use crate::words::{about, capitalised, number, plural};
use axum::response::Response;
use maud::{Markup, html};
use model::Source;
use scheduling::PolicyName;

/// So many coming visits are listed, and drawn.
const LISTED: usize = 40;
const DRAWN: usize = 400;

/// The pages about the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Plan,
    Settings,
    WhatIf,
}

fn sections(current: Section) -> Markup {
    let entry = |section: Section, href: &str, name: &str| {
        html! { a href=(href) aria-current=[(section == current).then_some("page")] { (name) } }
    };
    html! {
        nav .sections aria-label="About the plan" {
            (entry(Section::Plan, "/plan", "Plan"))
            (entry(Section::WhatIf, "/plan/what-if", "What if"))
            (entry(Section::Settings, "/plan/settings", "Budget and interests"))
        }
    }
}

pub(crate) async fn show(visitor: Visitor) -> Result<Response, Trouble> {
    let standing = standing(&visitor.app).await?;
    let coming = visitor.app.store().plan(DRAWN).await?;
    let (_, zone) = watch(&visitor.app).await?;
    let content = html! {
        (sections(Section::Plan))
        div .head {
            h1 { "Plan" }
            p .quiet { "What is visited next, and why. Articles wait least when visits go where most are expected." }
        }
        div #plan data-live {
            (tiles(&standing))
            @if coming.is_empty() {
                (empty("Nothing is planned", "No source is watched, or all are paused.",
                    &html! { a .button.primary href="/sources/add" { "Add a source" } }))
            } @else {
                section .card {
                    h2 { "Spent and planned" }
                    (spent_chart(&standing.hours, &coming, standing.budget / 24.0, &zone, visitor.now))
                }
                section .card {
                    h2 { "Coming visits" }
                    (coming_chart(&coming, &zone, visitor.now))
                    (table(&visitor, &coming))
                }
            }
        }
    };
    Ok(visitor.page(Tab::Plan, "Plan", &content))
}

fn tiles(standing: &PlanStanding) -> Markup {
    let share = standing.spent as f64 / standing.budget.max(1e-9);
    let each = standing.budget / standing.sources.max(1) as f64;
    html! {
        dl .tiles {
            div {
                dt { "Policy" }
                dd {
                    (policy_words(standing.choice.policy).0)
                    span .why { a href="/plan/settings" { "Change" } }
                }
            }
            div {
                dt { "Budget" }
                dd {
                    (plural(standing.budget.round() as u64, "visit")) " a day"
                    span .why { (about(each)) " a source, " (plural(standing.sources, "source")) }
                }
            }
            div {
                dt { "Last 24 hours" }
                dd {
                    (plural(standing.spent, "visit"))
                    (gauge(share))
                    span .why { (format!("{:.0} %", share * 100.0)) " of the budget" }
                }
            }
            div {
                dt { "Interests" }
                dd {
                    @match standing.choice.interests.folders.len() as u64 {
                        0 => { "All alike" span .why { a href="/plan/settings" { "Say what matters" } } }
                        n => { (plural(n, "folder")) span .why { a href="/plan/settings" { "Change" } } }
                    }
                }
            }
        }
    }
}

/// How much of the budget is spent.
fn gauge(share: f64) -> Markup {
    let share = if share.is_finite() { share.clamp(0.0, 1.5) } else { 0.0 };
    html! { meter min="0" max="1.5" high="1.1" value={ (format!("{share:.3}")) } { (format!("{:.0} %", share * 100.0)) } }
}

fn table(visitor: &Visitor, coming: &[Source]) -> Markup {
    html! {
        table .plain.coming {
            thead { tr { th { "When" } th { "Source" } th { "Why" } } }
            tbody {
                @for source in coming.iter().take(LISTED) {
                    @if let Some(at) = source.state.next_at {
                        tr {
                            td { (when(at, visitor.now)) }
                            td { a href={ "/sources/" (source.id) } dir="auto" { (name_of(source)) } }
                            td .quiet { (capitalised(&source.state.next_reason)) }
                        }
                    }
                }
            }
        }
        @if coming.len() > LISTED {
            p .note { "The next " (number(LISTED as u64)) " visits. "
                a href="/sources?order=next" { "All sources by their next visit" } }
        }
    }
}

/// What a policy is called, what it does and who thought of it.
pub(super) fn policy_words(policy: PolicyName) -> (&'static str, &'static str) {
    match policy {
        PolicyName::Planner => (
            "Planner",
            "Each visit goes where it saves most waiting: by the hours of each source's week, its bursts, events and your interests.",
        ),
        PolicyName::Even => ("Even", "The same interval for all sources."),
        PolicyName::Sqrt => ("Square root", "Busier sources oftener, by the square root of their rate."),
        PolicyName::StaticTopDown => {
            ("Static, top down", "2, 4, 8, 12 and 24 hours, busiest sources first (2009).")
        }
        PolicyName::StaticBottomUp => {
            ("Static, bottom up", "2, 4, 8, 12 and 24 hours, quietest sources first (2009).")
        }
        PolicyName::StaticRandom => ("Static, by lot", "2, 4, 8, 12 and 24 hours, by lot (2009)."),
        PolicyName::DayHour => ("Day-hour", "Even; events send visits to similar sources (Kim et al. 2009)."),
        PolicyName::Dc1 => ("DC-1", "Even; alarms send visits to the whole folder (thesis of 2010)."),
        PolicyName::Grubbs => ("Grubbs", "As DC-1, with Grubbs' test."),
        PolicyName::Cam => ("CAM", "The instants at which a change is likeliest (Pandey et al. 2003)."),
        PolicyName::Wic => {
            ("WIC", "At each instant the sources with most unseen updates (Pandey et al. 2004).")
        }
        PolicyName::Bright => ("Bright", "When a change is as good as certain (Bright et al. 2006)."),
        PolicyName::EntryFrequency => {
            ("Entry frequency", "A week divided by the week's entries, as Miniflux does.")
        }
        PolicyName::Nutch => {
            ("Adaptive interval", "Shrinks with each change, grows with each visit in vain, as Nutch does.")
        }
        PolicyName::DuplicateShare => {
            ("Duplicate share", "By how much of a page was seen before, as Media Cloud does.")
        }
        PolicyName::LambdaCrawl => ("LambdaCrawl", "Least harmonic staleness (Kolobov et al. 2019)."),
        PolicyName::Azar => ("Azar", "Pages fresh when they are asked for (Azar et al. 2018)."),
    }
}
