//! Charts, drawn by hand as SVG: no script, no inline style.

mod axis;
mod curve;
mod harvest;
mod heat;
mod histogram;
mod spark;
mod visits;
mod windows;

pub(crate) use curve::curve_chart;
pub(crate) use harvest::harvest_chart;
pub(crate) use heat::heat_map;
pub(crate) use histogram::{Series, waiting};
pub(crate) use spark::spark;
pub(crate) use visits::{coming_chart, outlook_chart, spent_chart};
pub(crate) use windows::WindowChart;

use crate::words::{exact, outcome_word, plural};
use maud::{Markup, html};
use model::Visit;
use store::VisitCounts;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 96.0;
/// Room below the bars for the marks of failures.
const FLOOR: f64 = 82.0;

/// New articles of each visit over time; failures are marked below the line. `visits` is newest first.
pub(crate) fn visits_chart(visits: &[Visit]) -> Markup {
    let (Some(newest), Some(oldest)) = (visits.first(), visits.last()) else {
        return html! {};
    };
    let span = (newest.at.as_millisecond() - oldest.at.as_millisecond()).max(1) as f64;
    let x = |visit: &Visit| {
        6.0 + (visit.at.as_millisecond() - oldest.at.as_millisecond()) as f64 / span * (WIDTH - 12.0)
    };
    let most = visits.iter().map(|visit| visit.new).max().unwrap_or(0).max(1);
    // Square roots: the first visit brings a whole back catalogue and must not flatten all others.
    let height = |visit: &Visit| (f64::from(visit.new) / f64::from(most)).sqrt() * (FLOOR - 8.0);
    let failures = visits.iter().filter(|visit| !visit.outcome.is_success()).count() as u64;
    let brought = visits.iter().map(|visit| u64::from(visit.new)).sum();
    let label = format!(
        "{} brought {}; {}.",
        plural(visits.len() as u64, "visit"),
        plural(brought, "new article"),
        plural(failures, "failure")
    );
    html! {
        figure .chart {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) preserveAspectRatio="none" {
                line .axis x1="0" x2=(WIDTH) y1=(FLOOR) y2=(FLOOR) {}
                @for visit in visits {
                    g {
                        title { (exact(visit.at)) ": " (visit.outcome) ", " (visit.new) " new" }
                        @if visit.outcome.is_success() {
                            rect .bar x=(round(x(visit) - 3.0)) width="6" rx="1" y=(round(FLOOR - height(visit).max(1.5)))
                                height=(round(height(visit).max(1.5))) {}
                        } @else {
                            path .fail d={ "M" (round(x(visit) - 4.0)) " 94 l4 -8 l4 8 z" } {}
                        }
                    }
                }
            }
            figcaption { (label) @if failures > 0 { " Triangles mark failures." } }
        }
    }
}

/// How the visits of a day ended, as one bar. The table beside it has the numbers.
pub(crate) fn outcome_bar(counts: &[VisitCounts]) -> Markup {
    let total = counts.iter().map(|count| count.visits).sum::<u64>().max(1) as f64;
    let mut at = 0.0;
    let parts: Vec<(f64, f64, &VisitCounts)> = counts
        .iter()
        .map(|count| {
            let (from, width) = (at, count.visits as f64 / total * WIDTH);
            at += width;
            (from, width, count)
        })
        .collect();
    html! {
        svg .outcomes viewBox={ "0 0 " (WIDTH) " 16" } preserveAspectRatio="none" role="img"
            aria-label="Visits of the last 24 hours by outcome; the table has the numbers" {
            @for (from, width, count) in parts {
                rect class={ "o-" (count.outcome) } x=(round(from)) y="0" width=(round(width)) height="16" {
                    title { (outcome_word(&count.outcome)) ": " (count.visits) }
                }
            }
        }
    }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
