//! The harvest of a crawl: pages on the topic against pages read.

use super::axis::round_up;
use crate::words::number;
use maud::{Markup, html};
use store::CrawlPoint;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
const FLOOR: f64 = 212.0;
const LEFT: f64 = 52.0;

/// The curve. The dashed line is what a crawl would have that finds nothing else.
pub(crate) fn harvest_chart(points: &[CrawlPoint]) -> Markup {
    let Some(last) = points.last() else {
        return html! { p .quiet { "No page has been read yet." } };
    };
    let most = round_up(last.relevant.max(1) as f64);
    let pages = last.pages.max(1) as f64;
    let x = |pages_read: f64| round(LEFT + pages_read / pages * (WIDTH - LEFT - 8.0));
    let y = |relevant: f64| round(FLOOR - relevant / most * (FLOOR - 12.0));
    let line: Vec<String> = std::iter::once((0.0, 0.0))
        .chain(points.iter().map(|point| (point.pages as f64, point.relevant as f64)))
        .map(|(pages, relevant)| format!("{},{}", x(pages), y(relevant)))
        .collect();
    let best = pages.min(most);
    html! {
        figure .chart.curve.harvest {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
                aria-label={ (number(last.relevant)) " of " (number(last.pages)) " pages are on the topic" } {
                @for value in [0.0, most / 2.0, most] {
                    line .axis x1=(LEFT) x2=(WIDTH) y1=(y(value)) y2=(y(value)) {}
                    text x=(LEFT - 6.0) y=(y(value) + 4.0) text-anchor="end" { (crate::words::about(value)) }
                }
                @for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                    text x=(x(pages * share)) y=(HEIGHT - 8.0) text-anchor=(if share > 0.9 { "end" } else { "middle" }) {
                        (number((pages * share).round() as u64))
                    }
                }
                line .best x1=(x(0.0)) y1=(y(0.0)) x2=(x(best)) y2=(y(best)) {}
                g .line.c0 { polyline points=(line.join(" ")) {} }
            }
            figcaption .keys {
                span .key { span .sample.line-sample.c0 {} "Pages on the topic, by pages read" }
                span .key { span .sample.line-sample.best {} "If every page were" }
            }
        }
    }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
