//! Health: is it running, what is late, what fails, and why.

mod workers;

use super::chart::outcome_bar;
use super::icons::{Icon, icon};
use super::parts::when;
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::watching::{bare, name_of};
use crate::words::{bytes, capitalised, number, outcome_word, plural, relative};
use axum::response::Response;
use engine::Status;
use maud::{Markup, html};
use model::Source;
use store::{Health, HostInfo, LateSource, Message, SourceFilter, WorkerInfo};

const FAILING: usize = 20;
const HOSTS: usize = 100;
const MESSAGES: usize = 20;

pub(crate) async fn show(visitor: Visitor) -> Result<Response, Trouble> {
    let app = &visitor.app;
    let health = app.health().await?;
    let filter = SourceFilter { failing: true, limit: FAILING, ..SourceFilter::default() };
    let failing = app.store().sources_page(filter).await?;
    let hosts = app.store().hosts(HOSTS).await?;
    let waiting: Vec<&HostInfo> = hosts
        .iter()
        .filter(|host| host.troubles > 0 && host.not_before.is_some_and(|at| at > visitor.now))
        .collect();
    let messages = app.store().messages(MESSAGES).await?;
    let status = app.engine.status();
    let shared = if app.store().is_shared() { Some(app.store().workers().await?) } else { None };
    let status = match &shared {
        Some(workers) => of_all(status, workers),
        None => status,
    };
    let is_visitor = |worker: &WorkerInfo| !worker.gone && worker.roles.visiting;
    let nobody_visits = shared.as_ref().is_some_and(|workers| !workers.iter().any(is_visitor));
    let seen = shared.iter().flatten().map(|worker| worker.seen_at).max();
    let content = html! {
        div #health data-live {
            (verdict(&status, &health, nobody_visits))
            (numbers(&status, &health))
            @if let (Some(workers), Some(seen)) = (&shared, seen) { (workers::workers(workers, seen)) }
            (late(&visitor, &health.late))
            (failures(&visitor, &failing.sources, failing.total))
            (back_off(&visitor, &waiting))
            (visits(&health))
            (told(&visitor, &messages))
            p .quiet.foot {
                "Ripplewatch " (env!("CARGO_PKG_VERSION")) " · " (visitor.app.store().name())
                " · " a href="/api/v1/openapi.json" { "API" } " · " a href="/metrics" { "metrics" }
            }
        }
    };
    Ok(visitor.page(Tab::Health, "Health", &content))
}

/// The figures of all workers together.
fn of_all(status: Status, workers: &[WorkerInfo]) -> Status {
    let sum = |figure: fn(&store::Figures) -> u64| workers.iter().map(|worker| figure(&worker.figures)).sum();
    Status {
        visits: sum(|figures| figures.visits),
        successes: sum(|figures| figures.successes),
        turns: sum(|figures| figures.turns),
        hosts_at_once: workers.iter().filter(|worker| worker.roles.visiting).count() * status.hosts_at_once,
        ..status
    }
}

fn verdict(status: &Status, health: &Health, nobody_visits: bool) -> Markup {
    let (class, drawing, words) = if nobody_visits {
        (
            "alarm",
            Icon::Warning,
            "Nobody visits: no worker with that role is there. Start `ripplewatch worker` on this database.",
        )
    } else if !status.alive {
        (
            "alarm",
            Icon::Warning,
            "The loop is not looking for work. Restart Ripplewatch; if it happens again, look at its log.",
        )
    } else if !health.late.is_empty() {
        ("alarm", Icon::Clock, "Running, but some sources are late.")
    } else if health.failing > 0 {
        ("note", Icon::Check, "Running, and on time. Some sources fail.")
    } else {
        ("fine", Icon::Check, "Running. Everything is on time.")
    };
    html! {
        h1 .visually-hidden { "Health" }
        p class={ "verdict " (class) } role="status" { (icon(drawing)) span { (words) } }
        @if let Some((at, what)) = &status.trouble {
            p .alarm { (icon(Icon::Warning)) span { "The store refused a deed " (when(*at, status.now)) ": " (what) } }
        }
    }
}

fn numbers(status: &Status, health: &Health) -> Markup {
    let tile = |name: &str, value: String, more: String| {
        html! { div { dt { (name) } dd { (value) @if !more.is_empty() { span .why { (more) } } } } }
    };
    let some = |n: u64, what: &str| {
        if n > 0 { format!("{} {what}", number(n)) } else { String::new() }
    };
    html! {
        dl .tiles.six {
            (tile("Sources", number(health.sources), some(health.paused, "paused")))
            (tile("Articles", number(health.articles), some(health.unread, "unread")))
            (tile("Visits since the start", number(status.visits), some(status.visits - status.successes.min(status.visits), "failed")))
            (tile("Pages to read", number(health.bodies_waiting), String::new()))
            (tile("Hosts busy now", format!("{} of {}", status.turns, status.hosts_at_once), String::new()))
            (tile("Data", bytes(health.file_bytes), String::new()))
        }
    }
}

fn late(visitor: &Visitor, late: &[LateSource]) -> Markup {
    html! {
        @if !late.is_empty() {
            section .card {
                h2 { "Late" }
                table .cards {
                    thead { tr { th { "Source" } th { "Was due" } th { "Why" } } }
                    tbody {
                        @for source in late {
                            tr {
                                td .name { a href={ "/sources/" (source.id) } { (source.title.as_deref().unwrap_or_else(|| bare(&source.url))) } }
                                td data-label="Was due" { (when(source.due_at, visitor.now)) }
                                td data-label="Why" { (why_late(visitor, source)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn why_late(visitor: &Visitor, source: &LateSource) -> String {
    match (source.host_not_before, &source.last_outcome) {
        (Some(until), _) if until > visitor.now => {
            format!("Manners keep us from its host; next request {}", relative(until, visitor.now))
        }
        (_, Some(outcome)) if !outcome.is_success() => format!("The last visit failed: {outcome}"),
        _ => "More is due than can be visited; its turn comes".into(),
    }
}

fn failures(visitor: &Visitor, failing: &[Source], total: u64) -> Markup {
    html! {
        @if !failing.is_empty() {
            section .card {
                h2 { "Failing" }
                table .cards {
                    thead { tr { th { "Source" } th { "Last outcome" } th .number { "In a row" } th { "Next try" } } }
                    tbody {
                        @for source in failing {
                            tr {
                                td .name { a href={ "/sources/" (source.id) } { (name_of(source)) } }
                                td data-label="Last outcome" {
                                    @if let Some(outcome) = &source.state.last_outcome { (capitalised(&outcome.to_string())) }
                                }
                                td .number data-label="In a row" { (source.state.failures) }
                                td data-label="Next try" {
                                    @match source.state.next_at {
                                        Some(at) => (when(at, visitor.now)),
                                        None => "Paused",
                                    }
                                }
                            }
                        }
                    }
                }
                @if total > failing.len() as u64 {
                    p { a href="/sources?failing=1" { "All " (plural(total, "failing source")) } }
                }
            }
        }
    }
}

fn back_off(visitor: &Visitor, hosts: &[&HostInfo]) -> Markup {
    html! {
        @if !hosts.is_empty() {
            section .card {
                h2 { "Hosts that asked for rest" }
                table .cards {
                    thead { tr { th { "Host" } th { "Not before" } th .number { "Troubles in a row" } th .number { "Sources" } } }
                    tbody {
                        @for host in hosts {
                            tr {
                                td .name { (host.name) }
                                td data-label="Not before" {
                                    @if let Some(at) = host.not_before { (when(at, visitor.now)) }
                                }
                                td .number data-label="Troubles in a row" { (host.troubles) }
                                td .number data-label="Sources" { (host.sources) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn visits(health: &Health) -> Markup {
    let total: u64 = health.visits.iter().map(|count| count.visits).sum();
    html! {
        section .card {
            div .section-head { h2 { "Visits of the last 24 hours" } span .quiet { (plural(total, "visit")) } }
            @if health.visits.is_empty() {
                p .note { "None yet." }
            } @else {
                (outcome_bar(&health.visits))
                table .compact {
                    thead { tr { th { "Outcome" } th .number { "Visits" } th .number { "New articles" } } }
                    tbody {
                        @for count in &health.visits {
                            tr {
                                td {
                                    svg .swatch viewBox="0 0 10 10" aria-hidden="true" {
                                        rect class={ "o-" (count.outcome) } width="10" height="10" rx="2" {}
                                    }
                                    (outcome_word(&count.outcome))
                                }
                                td .number { (number(count.visits)) }
                                td .number { (number(count.new)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn told(visitor: &Visitor, messages: &[Message]) -> Markup {
    html! {
        @if !messages.is_empty() {
            section .card {
                h2 { "Messages" }
                ul .plain.messages {
                    @for message in messages {
                        li {
                            (when(message.created_at, visitor.now)) " "
                            @match message.kind.as_str() {
                                "source_late" => { "A source was late: " (fact(message, "title").or_else(|| fact(message, "url")).unwrap_or("?")) },
                                other => (other.replace('_', " ")),
                            }
                        }
                    }
                }
            }
        }
    }
}

fn fact<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    message.payload.get(name).and_then(serde_json::Value::as_str)
}
