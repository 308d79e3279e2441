//! What was seen of a folder, window by window, against what was expected, with its events.

use super::axis::{Across, percent, round_up};
use crate::words::{about, clock, day_clock};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use store::{Event, FolderWindow, Verdict};

/// Height of the field of bars, and of the drawing with the words below it, in pixels.
const FIELD: f64 = 160.0;
const WHOLE: f64 = 184.0;
/// Room above the highest bar for the marks of alarms.
const HEAD: f64 = 18.0;

/// What a chart of windows shows.
pub(crate) struct WindowChart<'a> {
    /// Unique on its page.
    pub(crate) id: &'a str,
    /// What it is about.
    pub(crate) title: &'a str,
    /// Oldest first.
    pub(crate) windows: &'a [FolderWindow],
    /// Events in that time.
    pub(crate) events: &'a [Event],
    /// Whether events lead to their pages.
    pub(crate) links: bool,
    pub(crate) zone: &'a TimeZone,
    pub(crate) now: Timestamp,
}

impl WindowChart<'_> {
    pub(crate) fn draw(&self) -> Markup {
        let (Some(first), Some(last)) = (self.windows.first(), self.windows.last()) else {
            return html! { p .note { "No window is complete yet: the chart appears with the first one." } };
        };
        let across = Across::new(first.from, last.to);
        let top = self.top();
        let (title, told) = (format!("{}-title", self.id), format!("{}-told", self.id));
        html! {
            figure .windows {
                div .plot {
                    svg .scale width="100%" height=(WHOLE) aria-hidden="true" {
                        @for value in [0.0, top / 2.0, top] {
                            text x="100%" y=(y(value, top) + 4.0) text-anchor="end" { (short(value)) }
                        }
                    }
                    svg .field width="100%" height=(WHOLE) role="img" aria-labelledby={ (title) " " (told) } {
                        title id=(title) { (self.title) }
                        desc id=(told) { (self.in_words()) }
                        @for value in [0.0, top / 2.0, top] {
                            line .axis x1="0" x2="100%" y1=(y(value, top)) y2=(y(value, top)) {}
                        }
                        @for event in self.events { (self.span(across, event)) }
                        @for window in self.windows { (self.window(across, window, top)) }
                        @for event in self.events { (self.noticed(across, event)) }
                        @for tick in across.ticks(self.zone) {
                            g .tick-mark.spare[tick.spare] {
                                line .axis x1=(across.percent(tick.at)) x2=(across.percent(tick.at)) y1=(FIELD) y2=(FIELD + 5.0) {}
                                text x=(across.percent(tick.at)) y=(WHOLE - 5.0) text-anchor=(anchor(across.share(tick.at))) {
                                    (tick.words)
                                }
                            }
                        }
                    }
                }
                (legend(!self.events.is_empty()))
                (self.table())
            }
        }
    }

    /// The end of the scale. A range that nobody knows yet must not flatten the bars.
    fn top(&self) -> f64 {
        let most = |value: fn(&FolderWindow) -> f64| self.windows.iter().map(value).fold(0.0, f64::max);
        let seen = most(|window| window.observed).max(most(|window| window.expected));
        round_up(seen.max(most(|window| window.high).min(seen * 2.0)))
    }

    fn window(&self, across: Across, window: &FolderWindow, top: f64) -> Markup {
        let (from, to) = (across.share(window.from), across.share(window.to));
        let (x, width) = (percent(from), percent(to - from));
        let (high, low) = (y(window.high, top), y(window.low, top));
        let bar = y(window.observed, top);
        html! {
            g {
                title { (self.told(window)) }
                rect .room x=(x) width=(width) y="0" height=(FIELD) {}
                rect .usual x=(x) width=(width) y=(high) height=((low - high).max(0.0)) {}
                rect .bar.alarming[window.alarm].going-on[window.open] x=(percent(from + (to - from) * 0.14))
                    width=(percent((to - from) * 0.72)) y=(bar) height=((FIELD - bar).max(0.0)) {}
                line .expected x1=(x) x2=(percent(to)) y1=(y(window.expected, top)) y2=(y(window.expected, top)) {}
            }
        }
    }

    fn span(&self, across: Across, event: &Event) -> Markup {
        let from = across.share(event.began_at);
        let to = across.share(event.ended_at.unwrap_or(self.now));
        html! {
            rect .span.dismissed[event.verdict == Some(Verdict::Dismissed)] x=(percent(from)) y="0"
                width=(percent((to - from).max(0.4))) height=(FIELD) {}
        }
    }

    /// A mark where it was noticed.
    fn noticed(&self, across: Across, event: &Event) -> Markup {
        let x = across.share(event.opened_at);
        let words = format!(
            "Event {}: {} against {} expected, noticed {}",
            event.id,
            about(event.peak.observed),
            about(event.peak.expected),
            day_clock(event.opened_at, self.zone)
        );
        let flag = html! {
            title { (words) }
            line .noticed x1=(percent(x)) x2=(percent(x)) y1="2" y2=(FIELD) {}
            circle .noticed cx=(percent(x)) cy="6" r="4.5" {}
        };
        html! {
            @if self.links {
                a href={ "/events/" (event.id) } aria-label=(words) { (flag) }
            } @else {
                g { (flag) }
                text .noticed-words x=(percent(x)) dx=(if x > 60.0 { "-9" } else { "9" }) y="10"
                    text-anchor=(if x > 60.0 { "end" } else { "start" }) { "noticed " (clock(event.opened_at, self.zone)) }
            }
        }
    }

    fn told(&self, window: &FolderWindow) -> String {
        format!(
            "{} to {}{}: {} seen, {} expected, usual range {} to {}{}",
            day_clock(window.from, self.zone),
            clock(window.to, self.zone),
            if window.open { " (going on)" } else { "" },
            about(window.observed),
            about(window.expected),
            about(window.low),
            about(window.high),
            if window.alarm { ", unusual" } else { "" },
        )
    }

    fn in_words(&self) -> String {
        let alarms = self.windows.iter().filter(|window| window.alarm).count();
        let busiest = self.windows.iter().max_by(|a, b| a.observed.total_cmp(&b.observed));
        let busiest =
            busiest.map(|window| format!(" The busiest: {}.", self.told(window))).unwrap_or_default();
        format!(
            "{} windows, {alarms} of them unusual.{busiest} The table below has all numbers.",
            self.windows.len()
        )
    }

    /// The same for whoever reads rather than looks.
    fn table(&self) -> Markup {
        html! {
            details id={ (self.id) "-table" } .as-table {
                summary { "As a table" }
                div .scrolling tabindex="0" role="region" aria-label=(self.title) {
                    table {
                        thead {
                            tr { th { "Window" } th .number { "Stories" } th .number { "Expected" } th .number { "Usual" } th {} }
                        }
                        tbody {
                            @for window in self.windows.iter().rev() {
                                tr {
                                    td { (day_clock(window.from, self.zone)) " to " (clock(window.to, self.zone)) }
                                    td .number { (about(window.observed)) }
                                    td .number { (about(window.expected)) }
                                    td .number { (about(window.low)) "–" (about(window.high)) }
                                    td { @if window.alarm { "unusual" } @if window.open { " going on" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn legend(events: bool) -> Markup {
    let key = |class: &str, words: &str| {
        html! { span .key { span class={ "sample " (class) } {} (words) } }
    };
    html! {
        figcaption .keys {
            (key("seen", "stories seen")) (key("unusual", "unusual window")) (key("line", "expected"))
            (key("band", "usual range"))
            @if events { (key("shade", "event")) }
        }
    }
}

/// How far down a value is.
fn y(value: f64, top: f64) -> f64 {
    let share = if value.is_finite() { (value / top.max(1e-9)).clamp(0.0, 1.0) } else { 1.0 };
    ((FIELD - share * (FIELD - HEAD)) * 10.0).round() / 10.0
}

fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Words at the edges stay inside.
fn anchor(share: f64) -> &'static str {
    match share {
        ..4.0 => "start",
        96.0.. => "end",
        _ => "middle",
    }
}
