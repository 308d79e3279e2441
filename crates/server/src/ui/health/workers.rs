//! The workers: who is there, what each holds, how quick it is and how far behind.

use crate::ui::parts::when;
use crate::words::{number, plural, span_words};
use jiff::Timestamp;
use maud::{Markup, html};
use std::time::Duration;
use store::WorkerInfo;

/// The workers on the same data; `now` is by the database's clock.
pub(super) fn workers(workers: &[WorkerInfo], now: Timestamp) -> Markup {
    let visits: u64 = workers.iter().map(|worker| worker.figures.visits_a_minute).sum();
    let most = workers.iter().map(|worker| worker.figures.visits_a_minute).max().unwrap_or(0).max(1);
    html! {
        section .card #workers {
            div .section-head {
                h2 { "Workers" }
                span .quiet { (plural(workers.len() as u64, "process")) " · " (number(visits)) " visits a minute" }
            }
            table .cards {
                thead {
                    tr {
                        th { "Worker" } th { "Does" } th .number { "Part of the hosts" } th .number { "Hosts held" }
                        th .number { "Visits a minute" } th { "Behind" } th { "Heard of" }
                    }
                }
                tbody {
                    @for worker in workers {
                        tr {
                            td .name { (worker.label) @if worker.gone { " " span .why { "gone: the others take over" } } }
                            td data-label="Does" { (does(worker)) }
                            td .number data-label="Part of the hosts" {
                                (format!("{:.0} %", worker.figures.part * 100.0))
                            }
                            td .number data-label="Hosts held" { (number(worker.hosts)) }
                            td .number data-label="Visits a minute" {
                                (number(worker.figures.visits_a_minute))
                                (pace(worker.figures.visits_a_minute, most))
                            }
                            td data-label="Behind" { (behind(worker)) }
                            td data-label="Heard of" { (when(worker.seen_at, now)) }
                        }
                    }
                }
            }
            @if workers.len() == 1 {
                p .quiet {
                    "More hands: start " code { "ripplewatch worker --database …" } " here or on another machine."
                }
            }
        }
    }
}

fn does(worker: &WorkerInfo) -> String {
    let words = worker.roles.words();
    let does = if words.is_empty() { "shows pages only".to_owned() } else { words.join(", ") };
    if worker.crawls > 0 { format!("{does} ({})", plural(worker.crawls, "crawl")) } else { does }
}

fn behind(worker: &WorkerInfo) -> String {
    match worker.figures.lag_s {
        _ if !worker.roles.visiting => "–".into(),
        0..=5 => "On time".into(),
        late => span_words(Duration::from_secs(late)),
    }
}

fn pace(visits: u64, most: u64) -> Markup {
    let width = visits as f64 / most as f64 * 60.0;
    html! {
        svg .pace viewBox="0 0 60 6" aria-hidden="true" { rect .o-new_content width=(format!("{width:.1}")) height="6" rx="2" {} }
    }
}
