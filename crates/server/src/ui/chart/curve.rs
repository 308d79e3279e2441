//! Waiting against visits: one line a policy.

use super::axis::round_up;
use crate::words::about;
use laboratory::replay::Row;
use maud::{Markup, html};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const FLOOR: f64 = 230.0;
const LEFT: f64 = 48.0;
/// Colours are told apart by number in the style sheet.
const COLOURS: usize = 8;

/// The mean wait of each policy at each budget. `in_force` is the policy and the budget that are.
pub(crate) fn curve_chart(rows: &[Row], in_force: (&str, f64)) -> Markup {
    let mut policies: Vec<&str> = Vec::new();
    for row in rows {
        if !policies.contains(&row.policy) {
            policies.push(row.policy);
        }
    }
    let most = round_up(rows.iter().map(|row| row.interest_mean_minutes).fold(0.0, f64::max));
    let budgets = || rows.iter().map(|row| row.budget.max(1e-6).ln());
    let (least, longest) =
        (budgets().fold(f64::INFINITY, f64::min), budgets().fold(f64::NEG_INFINITY, f64::max));
    let width = (longest - least).max(1e-6);
    // Halves and doubles are equally far apart.
    let x = |budget: f64| {
        let share = if longest > least { (budget.max(1e-6).ln() - least) / width } else { 0.5 };
        (LEFT + 8.0 + share * (WIDTH - LEFT - 24.0)).round()
    };
    let y = |minutes: f64| ((FLOOR - minutes / most * (FLOOR - 12.0)) * 10.0).round() / 10.0;
    let mut shown: Vec<f64> = rows.iter().map(|row| row.budget).collect();
    shown.sort_by(f64::total_cmp);
    shown.dedup();
    html! {
        figure .chart.curve {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label="Mean wait against visits a source and day; the table below has the numbers" {
                @for value in [0.0, most / 2.0, most] {
                    line .axis x1=(LEFT) x2=(WIDTH) y1=(y(value)) y2=(y(value)) {}
                    text x=(LEFT - 6.0) y=(y(value) + 4.0) text-anchor="end" { (about(value)) }
                }
                text x=(LEFT - 6.0) y=(HEIGHT - 6.0) text-anchor="end" { "min" }
                @for budget in &shown {
                    text x=(x(*budget)) y=(HEIGHT - 10.0) text-anchor="middle" { (about(*budget)) }
                }
                @for (place, policy) in policies.iter().enumerate() {
                    @let own = || rows.iter().filter(|row| row.policy == *policy);
                    g class={ "line c" (place % COLOURS) } {
                        polyline points=(own().map(|row| format!("{},{}", x(row.budget), y(row.interest_mean_minutes))).collect::<Vec<_>>().join(" ")) {}
                        @for row in own() {
                            @let now = row.policy == in_force.0 && (row.budget - in_force.1).abs() < 0.05 * in_force.1;
                            circle .now[now] cx=(x(row.budget)) cy=(y(row.interest_mean_minutes)) r=(if now { 6 } else { 3 }) {
                                title { (row.policy) ", " (about(row.budget)) " visits: " (about(row.interest_mean_minutes)) " minutes" }
                            }
                        }
                    }
                }
            }
            figcaption .keys {
                @for (place, policy) in policies.iter().enumerate() {
                    span .key { span class={ "sample line-sample c" (place % COLOURS) } {} (policy) }
                }
                span { "Minutes an article waits, by visits a source and day." }
            }
        }
    }
}
