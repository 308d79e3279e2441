//! Bars, in groups or one by one, with a mark or a band where something is to be compared.

use super::{BOTTOM, HEIGHT, LEFT, LOOKS, RIGHT, TOP, WIDTH, axes, begin, escaped};
use std::fmt::Write;

/// Groups of bars over names.
#[derive(Default)]
pub(crate) struct Bars {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    /// What the bars of a group stand for, in order. One alone needs no name.
    pub(crate) series: Vec<String>,
    /// Each group's name and its bars.
    pub(crate) groups: Vec<(String, Vec<f64>)>,
    /// Lines across the groups, such as a mean.
    pub(crate) marks: Vec<Mark>,
    /// Groups that stand out, and what for.
    pub(crate) emphasis: Vec<usize>,
    pub(crate) emphasis_name: String,
    /// Many groups with long names: names are slanted, and all are told.
    pub(crate) slanted: bool,
}

/// A line with a value at each group; groups without one break it.
pub(crate) struct Mark {
    pub(crate) name: String,
    pub(crate) values: Vec<Option<f64>>,
}

/// A colour that neither the first bars nor the first marks have.
const EMPHASIS: &str = "#c2255c";
/// Room for slanted names.
const SLANT: f64 = 70.0;

impl Bars {
    pub(crate) fn svg(&self) -> String {
        let mut out = String::new();
        // Writing into a string does not fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let bars = self.groups.iter().flat_map(|(_, values)| values.iter().copied());
        let marks = self.marks.iter().flat_map(|mark| mark.values.iter().flatten().copied());
        let (top, digits) = round_top(bars.chain(marks).fold(1.0, f64::max));
        let height = HEIGHT + if self.slanted { SLANT } else { 0.0 };
        let py = |y: f64| HEIGHT - BOTTOM - y.max(0.0) / top * (HEIGHT - TOP - BOTTOM);
        let width = (WIDTH - LEFT - RIGHT) / self.groups.len().max(1) as f64;
        begin(out, &self.title, height)?;
        for step in 0..=5 {
            let y = top * f64::from(step) / 5.0;
            write!(
                out,
                "<path d=\"M{LEFT} {:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{y:.digits$}</text>",
                py(y),
                WIDTH - RIGHT,
                LEFT - 8.0,
                py(y) + 4.0,
            )?;
        }
        // Not every name has room under its group.
        let every = if self.slanted { 1 } else { (40.0 / width).ceil().max(1.0) as usize };
        for (number, (name, values)) in self.groups.iter().enumerate() {
            let left = LEFT + width * number as f64;
            let each = width * 0.84 / values.len().max(1) as f64;
            for (place, (value, (colour, _))) in values.iter().zip(LOOKS.into_iter().cycle()).enumerate() {
                let colour = if self.emphasis.contains(&number) { EMPHASIS } else { colour };
                let x = left + width * 0.08 + each * place as f64;
                write!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"><title>{}: {value:.1}</title></rect>",
                    py(*value),
                    (each * 0.92).max(0.5),
                    (HEIGHT - BOTTOM - py(*value)).max(0.0),
                    escaped(name)
                )?;
            }
            if number.is_multiple_of(every) {
                let (x, y) = (left + width / 2.0, HEIGHT - BOTTOM + 16.0);
                let name = escaped(name);
                if self.slanted {
                    let turned = format!("translate({x:.1} {y:.1}) rotate(-40)");
                    write!(out, "<text transform=\"{turned}\" text-anchor=\"end\">{name}</text>")?;
                } else {
                    write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{name}</text>")?;
                }
            }
        }
        self.write_marks(out, &|number| LEFT + width * (number as f64 + 0.5), &py)?;
        self.write_names(out)?;
        axes(out, &self.x, &self.y, height)
    }

    fn write_marks(
        &self,
        out: &mut String,
        px: &dyn Fn(usize) -> f64,
        py: &dyn Fn(f64) -> f64,
    ) -> std::fmt::Result {
        for (mark, (colour, dashes)) in self.marks.iter().zip(LOOKS.into_iter().skip(1).cycle()) {
            let mut path = String::new();
            let mut pen = 'M';
            for (number, value) in mark.values.iter().enumerate() {
                let Some(value) = value else {
                    pen = 'M';
                    continue;
                };
                write!(path, "{pen}{:.1} {:.1}", px(number), py(*value))?;
                pen = 'L';
            }
            write!(
                out,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>"
            )?;
        }
        Ok(())
    }

    /// What the colours mean, beside the picture.
    fn write_names(&self, out: &mut String) -> std::fmt::Result {
        let series = if self.series.len() > 1 { self.series.as_slice() } else { &[] };
        let bars = series.iter().zip(LOOKS.into_iter().cycle());
        let marks = self.marks.iter().map(|mark| &mark.name).zip(LOOKS.into_iter().skip(1).cycle());
        let emphasis = (!self.emphasis.is_empty()).then_some((&self.emphasis_name, (EMPHASIS, "")));
        for (place, (name, (colour, _))) in bars.chain(marks).chain(emphasis).enumerate() {
            let (x, y) = (WIDTH - RIGHT + 10.0, TOP + 18.0 * place as f64);
            write!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + 15.0,
                y + 9.0,
                escaped(name)
            )?;
        }
        Ok(())
    }
}

/// A round number not below the highest value, that five round steps lead to; and the digits the steps need.
fn round_top(highest: f64) -> (f64, usize) {
    let step = highest / 5.0;
    let power = 10_f64.powf(step.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|round| round * power);
    let step = steps.into_iter().find(|round| *round >= step - 1e-9).unwrap_or(step);
    (5.0 * step, usize::from(step < 10.0 && step.fract() > 0.0))
}
