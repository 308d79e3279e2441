//! How two series of waiting times are distributed, side by side.

use super::axis::{percent, round_up};
use crate::words::{number, plural};
use maud::{Markup, html};

const FIELD: f64 = 130.0;
const WHOLE: f64 = 154.0;
/// Where the bins end, in minutes, and what they are called; the last is open.
const BINS: [(f64, &str); 7] = [
    (5.0, "< 5 min"),
    (15.0, "< 15 min"),
    (30.0, "< 30 min"),
    (60.0, "< 1 h"),
    (120.0, "< 2 h"),
    (240.0, "< 4 h"),
    (f64::INFINITY, "longer"),
];

/// A series of waiting times, in minutes.
pub(crate) struct Series<'a> {
    pub(crate) name: &'a str,
    pub(crate) minutes: &'a [f64],
}

/// Two series of waiting times.
pub(crate) fn waiting(title: &str, first: &Series<'_>, second: &Series<'_>) -> Markup {
    let counts = [counted(first.minutes), counted(second.minutes)];
    let most = counts.iter().flatten().copied().max().unwrap_or(0);
    let top = round_up(most as f64);
    let y = |n: u64| FIELD - n as f64 / top * (FIELD - 8.0);
    let wide = 100.0 / BINS.len() as f64;
    html! {
        figure .windows.waiting {
            svg .field width="100%" height=(WHOLE) role="img" aria-label={ (title) "; the table below has all numbers" } {
                line .axis x1="0" x2="100%" y1=(FIELD) y2=(FIELD) {}
                @for (bin, (_, name)) in BINS.iter().enumerate() {
                    @let left = bin as f64 * wide;
                    @for (series, class) in [(0, "bar"), (1, "was")] {
                        @let n = counts.get(series).and_then(|counts| counts.get(bin)).copied().unwrap_or(0);
                        rect class=(class) x=(percent(left + wide * (0.14 + 0.37 * series as f64))) width=(percent(wide * 0.35))
                            y=(y(n)) height=(FIELD - y(n)) {
                            title { (name) ": " (plural(n, "article")) }
                        }
                    }
                    text x=(percent(left + wide / 2.0)) y=(WHOLE - 6.0) text-anchor="middle" { (name) }
                }
            }
            figcaption .keys {
                span .key { span .sample.seen {} (first.name) }
                span .key { span .sample.before {} (second.name) }
            }
            details #waiting-table .as-table {
                summary { "As a table" }
                table {
                    thead { tr { th { "Seen after" } th .number { (first.name) } th .number { (second.name) } } }
                    tbody {
                        @for ((_, name), (one, other)) in BINS.iter().zip(counts[0].iter().zip(&counts[1])) {
                            tr { td { (name) } td .number { (number(*one)) } td .number { (number(*other)) } }
                        }
                    }
                }
            }
        }
    }
}

fn counted(minutes: &[f64]) -> [u64; BINS.len()] {
    let mut from = 0.0;
    BINS.map(|(to, _)| {
        let inside = minutes.iter().filter(|value| **value >= from && **value < to).count();
        from = to;
        inside as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_is_counted_once() {
        assert_eq!(counted(&[0.0, 4.9, 5.0, 59.0, 60.0, 9_999.0]), [2, 1, 0, 1, 1, 0, 1]);
    }
}
