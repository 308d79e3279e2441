//! The result: a table, a picture.

use super::bootstrap::Interval;
use super::measure::{Curve, Point};
use crate::plot::{Line, Plot};
use serde::Serialize;

/// False alarms a folder and week of the two points that are compared: one a week, one a day.
pub const COMPARED: [f64; 2] = [1.0, 7.0];

/// All curves, the default detector's first.
#[derive(Debug, Clone)]
pub struct Report {
    /// One for each contender.
    pub curves: Vec<Curve>,
    /// For resampling.
    pub seed: u64,
}

/// A contender at one of the two points that are compared.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The contender.
    pub name: &'static str,
    /// False alarms a folder and week that were allowed.
    pub allowed: f64,
    /// False alarms a folder and week.
    pub false_alarms: f64,
    /// From which score on it alarmed.
    pub threshold: f64,
    /// Mean delay, hours.
    pub mean_delay: f64,
    /// Share of bursts that were never noticed.
    pub missed: f64,
    /// The default's delay minus this one's.
    pub default_minus_this: Interval,
}

impl Report {
    /// Each contender at both points.
    pub fn rows(&self, missed: f64) -> Vec<Row> {
        let mut rows = Vec::new();
        for curve in &self.curves {
            for allowed in COMPARED {
                let Some(point) = find(curve, allowed) else { continue };
                let Some(default) = self.curves.first().and_then(|first| find(first, allowed)) else {
                    continue;
                };
                let lost = point.delays.iter().filter(|delay| **delay >= missed).count();
                rows.push(Row {
                    name: curve.name,
                    allowed,
                    false_alarms: point.false_alarms,
                    threshold: point.threshold,
                    mean_delay: point.mean_delay(),
                    missed: lost as f64 / point.delays.len().max(1) as f64,
                    default_minus_this: Interval::of(&default.delays, &point.delays, self.seed),
                });
            }
        }
        rows
    }

    /// Delay against false alarms.
    pub fn svg(&self) -> String {
        let line = |curve: &Curve| Line {
            name: curve.name.into(),
            points: curve.points.iter().map(|point| (point.false_alarms, point.mean_delay())).collect(),
        };
        Plot {
            title: "Mean delay against false alarms".into(),
            x: "false alarms a folder and week".into(),
            y: "mean delay, hours (48 if missed)".into(),
            lines: self.curves.iter().map(line).collect(),
        }
        .svg()
    }
}

fn find(curve: &Curve, allowed: f64) -> Option<&Point> {
    curve.points.iter().find(|point| point.allowed.total_cmp(&allowed).is_eq())
}
