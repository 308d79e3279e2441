//! An event's windows, small enough for a line of a list.

use super::round;
use maud::{Markup, html};
use store::{Event, FolderWindow};

const WIDTH: f64 = 112.0;
const HEIGHT: f64 = 32.0;

/// The words beside it say what it shows.
pub(crate) fn spark(event: &Event, windows: &[FolderWindow]) -> Markup {
    let top = windows.iter().map(|window| window.observed.max(window.expected)).fold(1.0, f64::max);
    let step = WIDTH / windows.len().max(1) as f64;
    let y = |value: f64| round(HEIGHT - (value / top).clamp(0.0, 1.0) * (HEIGHT - 2.0));
    let inside = |window: &FolderWindow| {
        window.to > event.began_at && event.ended_at.is_none_or(|ended| window.from < ended)
    };
    html! {
        svg .spark viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) height=(HEIGHT) aria-hidden="true" {
            line .axis x1="0" x2=(WIDTH) y1=(HEIGHT - 0.5) y2=(HEIGHT - 0.5) {}
            @for (index, window) in windows.iter().enumerate() {
                rect .bar.inside[inside(window)] x=(round(index as f64 * step + step * 0.12)) width=(round(step * 0.76))
                    y=(y(window.observed)) height=(round(HEIGHT - y(window.observed))) {}
                line .expected x1=(round(index as f64 * step)) x2=(round((index + 1) as f64 * step))
                    y1=(y(window.expected)) y2=(y(window.expected)) {}
            }
        }
    }
}
