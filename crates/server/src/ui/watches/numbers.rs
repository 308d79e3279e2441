//! The first number of a part over time: a line of steps, with a dot where it was told.

use crate::words::exact;
use maud::{Markup, html};
use store::PartChange;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 96.0;
const EDGE: f64 = 8.0;

/// The chart, if there are numbers that differ. `changes` is newest first.
pub(super) fn numbers(changes: &[PartChange]) -> Markup {
    let points: Vec<(&PartChange, f64)> =
        changes.iter().rev().filter_map(|change| Some((change, change.number?))).collect();
    let (Some((first, _)), Some((last, now))) = (points.first(), points.last()) else {
        return html! {};
    };
    let low = points.iter().map(|(_, number)| *number).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|(_, number)| *number).fold(f64::NEG_INFINITY, f64::max);
    // Also where the difference is beyond what a number holds.
    if !(high - low).is_normal() {
        return html! {};
    }
    let span = (last.at.as_millisecond() - first.at.as_millisecond()).max(1) as f64;
    let x = |change: &PartChange| {
        let share = (change.at.as_millisecond() - first.at.as_millisecond()) as f64 / span;
        round(EDGE + share * (WIDTH - 2.0 * EDGE))
    };
    let y = |number: f64| round(HEIGHT - EDGE - (number - low) / (high - low) * (HEIGHT - 2.0 * EDGE));
    let steps = points.windows(2).map(|pair| format!(" H{} V{}", x(pair[1].0), y(pair[1].1)));
    let path = format!("M{} {}{}", x(first), y(points[0].1), steps.collect::<String>());
    let label = format!("From {low} to {high}, now {now}; {} values.", points.len());
    html! {
        figure .chart {
            svg .numbers viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) preserveAspectRatio="none" {
                path .steps d=(path) {}
                @for (change, number) in &points {
                    g {
                        title { (exact(change.at)) ": " (number) @if change.told { ", told" } }
                        // A stroke of no length with round ends: a dot that is round however wide the chart is.
                        path .dot.told[change.told] d={ "M" (x(change)) " " (y(*number)) "h0" } {}
                    }
                }
            }
            figcaption { (label) }
        }
    }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
