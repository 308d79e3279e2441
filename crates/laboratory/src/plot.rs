//! Pictures as SVG: no script, readable in light and dark, told apart by dashes as well as by colour.

mod bars;

pub(crate) use bars::{Bars, Mark};

use std::borrow::Cow;
use std::fmt::Write;

/// Lines over a common axis.
#[derive(Default)]
pub(crate) struct Plot {
    pub(crate) title: Cow<'static, str>,
    pub(crate) x: Cow<'static, str>,
    pub(crate) y: Cow<'static, str>,
    pub(crate) lines: Vec<Line>,
}

pub(crate) struct Line {
    pub(crate) name: Cow<'static, str>,
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;
/// Names of lines stand at least this far apart.
const NAME_HEIGHT: f64 = 14.0;
const LOOKS: [(&str, &str); 9] = [
    ("#1f6feb", ""),
    ("#d9480f", "6 4"),
    ("#2b8a3e", "2 3"),
    ("#862e9c", "9 3 2 3"),
    ("#b08800", "12 4"),
    ("#0b7285", "4 2"),
    ("#c2255c", "1 3"),
    ("#495057", "8 2 1 2 1 2"),
    ("#5c940d", "3 6"),
];

impl Plot {
    pub(crate) fn svg(&self) -> String {
        let mut out = String::new();
        // Writing into a string does not fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let (x_max, (y_min, y_max)) = (self.x_max(), self.y_range());
        let px = |x: f64| LEFT + x / x_max * (WIDTH - LEFT - RIGHT);
        let py = |y: f64| HEIGHT - BOTTOM - (y - y_min) / (y_max - y_min) * (HEIGHT - TOP - BOTTOM);
        begin(out, &self.title, HEIGHT)?;
        // More than tens need no hundredths.
        let digits = if y_max > 20.0 { 0 } else { 2 };
        for step in 0..=5 {
            let (x, y) = (x_max * f64::from(step) / 5.0, y_min + (y_max - y_min) * f64::from(step) / 5.0);
            write!(
                out,
                "<path d=\"M{LEFT} {:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{y:.digits$}</text>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x:.0}</text>",
                py(y),
                WIDTH - RIGHT,
                LEFT - 8.0,
                py(y) + 4.0,
                px(x),
                HEIGHT - BOTTOM + 18.0
            )?;
        }
        let ends: Vec<f64> =
            self.lines.iter().map(|line| line.points.last().map_or(TOP, |(_, y)| py(*y) + 4.0)).collect();
        for ((line, (colour, dashes)), height) in
            self.lines.iter().zip(LOOKS.into_iter().cycle()).zip(apart(&ends))
        {
            let points: Vec<String> =
                line.points.iter().map(|(x, y)| format!("{:.1},{:.1}", px(*x), py(*y))).collect();
            write!(
                out,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\" points=\"{}\"/>",
                points.join(" ")
            )?;
            if let Some((x, _)) = line.points.last() {
                let (x, name) = (px(*x) + 6.0, escaped(&line.name));
                write!(out, "<text x=\"{x:.1}\" y=\"{height:.1}\" fill=\"{colour}\">{name}</text>")?;
            }
        }
        axes(out, &self.x, &self.y, HEIGHT)
    }

    fn x_max(&self) -> f64 {
        self.points().map(|(x, _)| x).fold(1.0, f64::max)
    }

    /// A range with a little room, so that a flat line is not a division by nothing.
    fn y_range(&self) -> (f64, f64) {
        let low = self.points().map(|(_, y)| y).fold(f64::INFINITY, f64::min).min(1.0);
        let high = self.points().map(|(_, y)| y).fold(0.0, f64::max);
        ((low - 0.02).max(0.0), high + 0.02)
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.lines.iter().flat_map(|line| line.points.iter().copied())
    }
}

/// The same heights in the same order, moved apart so that names do not cover each other, and kept on the picture.
fn apart(wanted: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    let height = |place: &usize| wanted.get(*place).copied().unwrap_or(0.0);
    order.sort_by(|one, other| height(one).total_cmp(&height(other)));
    let lowest = HEIGHT - BOTTOM + 4.0;
    let mut heights = wanted.to_vec();
    let mut floor = TOP;
    for (done, place) in order.iter().enumerate() {
        // Those that follow need their room, too.
        let room = lowest - NAME_HEIGHT * (wanted.len() - done - 1) as f64;
        floor = height(place).min(room).max(floor);
        if let Some(height) = heights.get_mut(*place) {
            *height = floor;
        }
        floor += NAME_HEIGHT;
    }
    heights
}

/// Several pictures one under the other.
pub(crate) fn stacked(pictures: &[String]) -> String {
    let height = HEIGHT * pictures.len() as f64;
    let mut out = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\">");
    for (place, picture) in pictures.iter().enumerate() {
        let at = format!("<svg y=\"{}\" width=\"{WIDTH}\" height=\"{HEIGHT}\"", HEIGHT * place as f64);
        out.push_str(&picture.replacen("<svg", &at, 1));
    }
    out + "</svg>"
}

fn begin(out: &mut String, title: &str, height: f64) -> std::fmt::Result {
    let title = escaped(title);
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\" aria-label=\"{title}\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\" font-weight=\"600\">{title}</text>"
    )
}

fn axes(out: &mut String, x: &str, y: &str, height: f64) -> std::fmt::Result {
    write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text></svg>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        height - 14.0,
        escaped(x),
        f64::midpoint(TOP, height - BOTTOM),
        escaped(y)
    )
}

/// Text that means only itself in markup.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_order_and_their_distance() {
        let heights = apart(&[100.0, 101.0, 99.0, 400.0, 400.0]);
        let mut sorted = heights.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= NAME_HEIGHT - 1e-9), "{heights:?}");
        assert!(heights[2] < heights[0] && heights[0] < heights[1]);
        assert!(sorted[4] <= HEIGHT - BOTTOM + 5.0);
    }
}
