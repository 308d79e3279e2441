//! Line plots as SVG: no script, readable in light and dark, told apart by dashes as well as by colour.

use std::fmt::Write;

pub(crate) struct Plot {
    pub(crate) title: &'static str,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
    pub(crate) lines: Vec<Line>,
}

pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;
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
        write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\" role=\"img\" aria-label=\"{}\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"15\" font-weight=\"600\">{}</text>",
            self.title, self.title
        )?;
        for step in 0..=5 {
            let (x, y) = (x_max * f64::from(step) / 5.0, y_min + (y_max - y_min) * f64::from(step) / 5.0);
            write!(
                out,
                "<path d=\"M{LEFT} {:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{y:.2}</text>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x:.0}</text>",
                py(y),
                WIDTH - RIGHT,
                LEFT - 8.0,
                py(y) + 4.0,
                px(x),
                HEIGHT - BOTTOM + 18.0
            )?;
        }
        for (line, (colour, dashes)) in self.lines.iter().zip(LOOKS) {
            let points: Vec<String> =
                line.points.iter().map(|(x, y)| format!("{:.1},{:.1}", px(*x), py(*y))).collect();
            write!(
                out,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\" points=\"{}\"/>",
                points.join(" ")
            )?;
            if let Some((x, y)) = line.points.last() {
                let (x, y) = (px(*x) + 6.0, py(*y) + 4.0);
                write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{}</text>", line.name)?;
            }
        }
        write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text></svg>",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 14.0,
            self.x,
            f64::midpoint(TOP, HEIGHT - BOTTOM),
            self.y
        )
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
