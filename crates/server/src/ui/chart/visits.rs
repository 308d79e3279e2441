//! Visits over time: what was spent, what is planned, and what one source's visits are planned by.

use super::axis::{Across, percent, round_up};
use crate::watching::name_of;
use crate::words::{about, clock, exact, plural};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use model::Source;
use scheduling::Outlook;
use std::collections::BTreeMap;
use store::HourSpent;

const FIELD: f64 = 120.0;
const WHOLE: f64 = 144.0;
const HOUR: i64 = 3_600_000;

/// Visits of each of the last hours, and those already planned for the coming ones, against the budget of an hour.
pub(crate) fn spent_chart(
    spent: &[HourSpent],
    coming: &[Source],
    budget: f64,
    zone: &TimeZone,
    now: Timestamp,
) -> Markup {
    let mut planned: BTreeMap<i64, u32> = BTreeMap::new();
    for at in coming.iter().filter_map(|source| source.state.next_at) {
        *planned.entry(at.max(now).as_millisecond().div_euclid(HOUR) * HOUR).or_default() += 1;
    }
    let from = now.checked_sub(SignedDuration::from_hours(24)).unwrap_or(now);
    let to = now.checked_add(SignedDuration::from_hours(12)).unwrap_or(now);
    let across = Across::new(from, to);
    let most = spent.iter().map(|hour| hour.visits).chain(planned.values().copied()).max().unwrap_or(0);
    let top = round_up(f64::from(most).max(budget));
    let bar = |from: Timestamp, count: u32, base: u32, class: &str, words: String| {
        let end = from.checked_add(SignedDuration::from_hours(1)).unwrap_or(from);
        let (left, right) = (across.share(from), across.share(end));
        let (low, high) = (y(f64::from(base), top), y(f64::from(base + count), top));
        html! {
            rect class=(class) x=(percent(left + 0.1)) width=(percent((right - left - 0.2).max(0.1))) y=(high)
                height=((low - high).max(0.0)) { title { (words) } }
        }
    };
    let total: u64 = spent.iter().map(|hour| u64::from(hour.visits)).sum();
    let label =
        format!("{} in the last 24 hours; the budget is {} an hour.", plural(total, "visit"), about(budget));
    html! {
        figure .windows.spent {
            div .plot {
                (scale(top))
                svg .field width="100%" height=(WHOLE) role="img" aria-label=(label) {
                    line .axis x1="0" x2="100%" y1=(FIELD) y2=(FIELD) {}
                    @for hour in spent {
                        @let words = format!("{}: {}, {} by events, {} new", clock(hour.from, zone),
                            plural(u64::from(hour.visits), "visit"), hour.by_events, plural(u64::from(hour.new), "article"));
                        (bar(hour.from, hour.visits - hour.by_events, 0, "bar", words.clone()))
                        (bar(hour.from, hour.by_events, hour.visits - hour.by_events, "bar alarming", words))
                    }
                    @for (hour, count) in &planned {
                        @let at = Timestamp::from_millisecond(*hour).unwrap_or(now);
                        @if at < to {
                            (bar(at, *count, 0, "bar planned", format!("{}: {} planned so far", clock(at, zone),
                                plural(u64::from(*count), "visit"))))
                        }
                    }
                    line .expected x1="0" x2="100%" y1=(y(budget, top)) y2=(y(budget, top)) {}
                    line .noticed x1=(across.percent(now)) x2=(across.percent(now)) y1="0" y2=(FIELD) {}
                    (ticks(across, zone))
                }
            }
            figcaption .keys {
                span .key { span .sample.bar-key {} "visits made" }
                span .key { span .sample.event-key {} "caused by events" }
                span .key { span .sample.planned-key {} "planned so far" }
                span .key { span .sample.line-key {} "budget of an hour" }
            }
        }
    }
}

/// Coming visits as marks on a line of time, each with its reason.
pub(crate) fn coming_chart(coming: &[Source], zone: &TimeZone, now: Timestamp) -> Markup {
    let Some(last) = coming.iter().filter_map(|source| source.state.next_at).max() else { return html! {} };
    let to = last.max(now.checked_add(SignedDuration::from_hours(1)).unwrap_or(now));
    let across = Across::new(now, to);
    html! {
        figure .windows.marks {
            svg .field width="100%" height="52" role="img"
                aria-label={ (plural(coming.len() as u64, "visit")) " until " (exact(to)) } {
                line .axis x1="0" x2="100%" y1="28" y2="28" {}
                @for source in coming {
                    @if let Some(at) = source.state.next_at {
                        line .visit x1=(across.percent(at)) x2=(across.percent(at)) y1="8" y2="28" {
                            title { (clock(at, zone)) " " (name_of(source)) ": " (source.state.next_reason) }
                        }
                    }
                }
                @for tick in across.ticks(zone) {
                    text .spare[tick.spare] x=(across.percent(tick.at)) y="46" text-anchor=(anchor(across.share(tick.at))) { (tick.words) }
                }
            }
        }
    }
}

/// What is expected of a source in the coming hours, and how much has to be expected for a visit.
pub(crate) fn outlook_chart(outlook: &Outlook, next: Option<Timestamp>, zone: &TimeZone) -> Markup {
    let (Some(first), Some(last)) = (outlook.points.first(), outlook.points.last()) else { return html! {} };
    let across = Across::new(first.at, last.at);
    // Where the lines cross is what matters: what is expected far beyond that leaves the chart at its top.
    let highest = |value: fn(&scheduling::Point) -> f64| {
        outlook.points.iter().map(value).filter(|value| value.is_finite()).fold(0.0, f64::max)
    };
    let (backlog, threshold) = (highest(|point| point.backlog), highest(|point| point.threshold));
    let top = round_tenth(threshold.max(backlog.min(threshold * 4.0)));
    let line = |value: fn(&scheduling::Point) -> f64| {
        let points = outlook.points.iter().filter(|point| value(point).is_finite());
        points
            .map(|point| format!("{:.2},{:.1}", across.share(point.at) * 7.2, y(value(point), top)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    html! {
        figure .windows.outlook {
            div .plot {
                svg .scale width="100%" height=(WHOLE) aria-hidden="true" {
                    @for value in [0.0, top / 2.0, top] {
                        text x="100%" y=(y(value, top) + 4.0) text-anchor="end" { (about(value)) }
                    }
                }
                div .field {
                    svg width="100%" height=(WHOLE) viewBox={ "0 0 720 " (WHOLE) } preserveAspectRatio="none" role="img"
                        aria-label="Articles expected since the last visit, and how many make a visit worth while" {
                        line .axis x1="0" x2="720" y1=(FIELD) y2=(FIELD) {}
                        polyline .threshold points=(line(|point| point.threshold)) {}
                        polyline .backlog points=(line(|point| point.backlog)) {}
                        @if let Some(next) = next.filter(|next| *next >= first.at && *next <= last.at) {
                            line .noticed x1=(across.share(next) * 7.2) x2=(across.share(next) * 7.2) y1="0" y2=(FIELD) {}
                        }
                    }
                    svg .words width="100%" height="20" aria-hidden="true" {
                        @for tick in across.ticks(zone).into_iter().filter(|tick| !tick.spare) {
                            text .spare[tick.spare] x=(across.percent(tick.at)) y="14" text-anchor=(anchor(across.share(tick.at))) { (tick.words) }
                        }
                    }
                }
            }
            figcaption .keys {
                span .key { span .sample.backlog-key {} "articles expected, were it not visited" }
                span .key { span .sample.threshold-key {} "enough for a visit" }
            }
        }
    }
}

fn scale(top: f64) -> Markup {
    html! {
        svg .scale width="100%" height=(WHOLE) aria-hidden="true" {
            @for value in [0.0, top / 2.0, top] {
                text x="100%" y=(y(value, top) + 4.0) text-anchor="end" { (about(value)) }
            }
        }
    }
}

fn ticks(across: Across, zone: &TimeZone) -> Markup {
    html! {
        @for tick in across.ticks(zone) {
            g .tick-mark.spare[tick.spare] {
                line .axis x1=(across.percent(tick.at)) x2=(across.percent(tick.at)) y1=(FIELD) y2=(FIELD + 5.0) {}
                text x=(across.percent(tick.at)) y=(WHOLE - 5.0) text-anchor=(anchor(across.share(tick.at))) { (tick.words) }
            }
        }
    }
}

fn anchor(share: f64) -> &'static str {
    match share {
        share if share < 4.0 => "start",
        share if share > 96.0 => "end",
        _ => "middle",
    }
}

/// As [`round_up`], for what may stay far below one.
fn round_tenth(most: f64) -> f64 {
    if most >= 2.0 { round_up(most) } else { round_up((most * 100.0).max(2.0)) / 100.0 }
}

fn y(value: f64, top: f64) -> f64 {
    let share = (value / top.max(1e-9)).clamp(0.0, 1.0);
    ((FIELD - share * (FIELD - 8.0)) * 10.0).round() / 10.0
}
