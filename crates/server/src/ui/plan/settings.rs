//! Policy, budget and interests.

use super::{Section, policy_words, sections};
use crate::access::csrf::Fields;
use crate::plan::{PlanStanding, choose, standing};
use crate::problem::Problem;
use crate::ui::filed;
use crate::ui::links::after;
use crate::ui::parts::refusal;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::words::{about, plural};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use knowledge::Folders;
use maud::{Markup, html};
use model::FolderId;
use scheduling::{Interests, Pace, PolicyName};
use store::{Budget, PlanChoice};

/// Those that most people choose from; the others are for comparison.
pub(super) const USUAL: [PolicyName; 3] = [PolicyName::Planner, PolicyName::Sqrt, PolicyName::Even];

pub(crate) async fn show_settings(visitor: Visitor) -> Result<Response, Trouble> {
    let standing = standing(&visitor.app).await?;
    page(&visitor, &standing, None).await
}

pub(crate) async fn change(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    let mut standing = standing(&visitor.app).await?;
    let problem = match read(&fields) {
        Ok(choice) => {
            standing.choice = choice;
            choose(&visitor.app, &standing.choice).await.err()
        }
        Err(problem) => Some(problem),
    };
    match problem {
        None => Ok(Redirect::to(&after("/plan/settings", "edited", None)).into_response()),
        Some(problem) if problem.status.is_client_error() => page(&visitor, &standing, Some(&problem)).await,
        Some(problem) => Err(problem.into()),
    }
}

fn read(fields: &Fields) -> Result<PlanChoice, Problem> {
    let visits = || decimal(fields.text("visits"), "the number of visits");
    let budget = match fields.text("budget") {
        "each-source" => Budget::EachSource(visits()?),
        "in-all" => Budget::InAll(visits()?),
        // Whoever typed another number than was there means it.
        _ if fields.text("visits") != fields.text("shown") => Budget::EachSource(visits()?),
        _ => Budget::Configured,
    };
    let per_host = fields.filled("visits_per_host_and_day").map(|text| {
        text.parse::<u32>().map_err(|_| Problem::invalid("visits a day to one host must be a whole number"))
    });
    let mut interests = Interests::default();
    for (name, value) in fields.pairs() {
        let Some(folder) = name.strip_prefix("interest-") else { continue };
        let weight = if value.trim().is_empty() { None } else { Some(decimal(value, "an interest")?) };
        match (folder.parse().map(FolderId), weight) {
            (Ok(id), Some(weight)) => _ = interests.folders.insert(id, weight),
            (Err(_), Some(weight)) => interests.others = weight,
            (_, None) => {}
        }
    }
    Ok(PlanChoice {
        policy: fields.text("policy").parse().map_err(Problem::invalid)?,
        budget,
        pace: if fields.text("pace") == "hourly" { Pace::Hourly } else { Pace::Free },
        visits_per_host_and_day: per_host.transpose()?,
        interests,
    })
}

pub(super) fn decimal(text: &str, what: &str) -> Result<f64, Problem> {
    let number = text.trim().replace(',', ".").parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| Problem::invalid(format!("{what} must be a number such as 4.8")))
}

async fn page(
    visitor: &Visitor,
    standing: &PlanStanding,
    problem: Option<&Problem>,
) -> Result<Response, Trouble> {
    let folders = filed::folders(&visitor.app).await?;
    let content = html! {
        (sections(Section::Settings))
        div .head {
            h1 { "Budget and interests" }
            p .quiet { "A change is in force at once: the policy learns from the stored history and plans all visits anew." }
        }
        form .watching method="post" action="/plan/settings" {
            (visitor.hidden())
            @if let Some(problem) = problem { (refusal(problem)) }
            (budget(visitor, standing))
            (interests(&folders, &standing.choice))
            (policies(standing.choice.policy))
            p .actions { button .button.primary { "Save" } }
        }
    };
    let mut response = visitor.page(Tab::Plan, "Budget and interests", &content);
    *response.status_mut() = problem.map_or(StatusCode::OK, |problem| problem.status);
    Ok(response)
}

fn budget(visitor: &Visitor, standing: &PlanStanding) -> Markup {
    let choice = &standing.choice;
    let usual = 86_400.0 / visitor.app.engine.interval().as_secs_f64().max(1e-3);
    let (kind, visits) = match choice.budget {
        Budget::Configured => ("configured", usual),
        Budget::EachSource(visits) => ("each-source", visits),
        Budget::InAll(visits) => ("in-all", visits),
    };
    let option = |word: &str, words: &str| html! { option value=(word) selected[word == kind] { (words) } };
    html! {
        fieldset .card {
            legend { "Budget" }
            div .fields {
                label {
                    span { "Visits a day" }
                    input type="text" inputmode="decimal" name="visits" value=(exactly(visits)) autocomplete="off";
                    input type="hidden" name="shown" value=(exactly(visits));
                    small { "Now " (plural(standing.budget.round() as u64, "visit")) " a day for "
                        (plural(standing.sources, "source")) "." }
                }
                label {
                    span { "For" }
                    select name="budget" {
                        (option("configured", &format!("each source, as configured: {}", about(usual))))
                        (option("each-source", "each source, on average"))
                        (option("in-all", "all sources together"))
                    }
                    small { "Sources with an interval of their own are not counted." }
                }
                label {
                    span { "To one host, at most" }
                    input type="number" name="visits_per_host_and_day" min="1" max="1000000" placeholder="no limit"
                        value=[choice.visits_per_host_and_day];
                    small { "Visits a day, shared by the sources on it. Manners hold in any case." }
                }
                label {
                    span { "Over the day" }
                    select name="pace" {
                        option value="free" selected[choice.pace == Pace::Free] { "when articles come" }
                        option value="hourly" selected[choice.pace == Pace::Hourly] { "the same each hour" }
                    }
                    small { "Visits may move from the night to the day, or the load stays even." }
                }
            }
        }
    }
}

/// A number as it would be typed: nothing is lost when it is saved again.
fn exactly(value: f64) -> String {
    format!("{}", (value * 1e6).round() / 1e6)
}

fn interests(folders: &Folders, choice: &PlanChoice) -> Markup {
    let weight = |name: String, label: Markup, value: Option<f64>, usual: &str| {
        html! {
            label .interest {
                span { (label) }
                input type="text" inputmode="decimal" name=(name) value=[value.map(exactly)] placeholder=(usual)
                    autocomplete="off" size="5";
            }
        }
    };
    let all: Vec<(FolderId, String)> =
        folders.list().into_iter().map(|(path, folder)| (folder.id, path)).collect();
    html! {
        fieldset .card {
            legend { "Interests" }
            p .quiet { "How much an article of a folder counts. 1 is the usual, 5 makes its sources come five times as urgent, 0 \
                leaves them out. An empty field counts as everything else does." }
            div .interests {
                (weight("interest-others".into(), html! { em { "everything else" } }, Some(choice.interests.others), "1"))
                @for (id, path) in &all {
                    (weight(format!("interest-{id}"), html! { bdi { (path) } },
                        choice.interests.folders.get(id).copied(), ""))
                }
            }
            @if all.is_empty() {
                p .note { "There are no folders yet. " a href="/folders" { "Make one" }
                    ", file an article in it, and say here how much it matters." }
            }
        }
    }
}

fn policies(chosen: PolicyName) -> Markup {
    let others = PolicyName::ALL.into_iter().filter(|policy| !USUAL.contains(policy));
    let choice = |policy: PolicyName| {
        let (words, what) = policy_words(policy);
        html! {
            label .radio {
                input type="radio" name="policy" value=(policy.word()) checked[policy == chosen];
                span { strong { (words) } " " span .quiet { (what) } }
            }
        }
    };
    html! {
        fieldset .card {
            legend { "Who decides" }
            @for policy in USUAL { (choice(policy)) }
            details open[!USUAL.contains(&chosen)] {
                summary { "Policies of the papers and of other programs, for comparison" }
                @for policy in others { (choice(policy)) }
            }
        }
    }
}
