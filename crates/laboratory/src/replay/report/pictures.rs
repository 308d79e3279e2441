//! Delay against visits, and delays side by side.

use crate::plot::{Bars, Line, Plot};
use crate::replay::summary::Summary;

/// Mean delay against visits made, one line a policy.
pub fn budget_curve(summaries: &[Summary]) -> String {
    let mut lines: Vec<Line> = Vec::new();
    for one in summaries {
        let point = (one.mean.visits_per_source_day, one.mean.mean_minutes);
        match lines.iter_mut().find(|line| line.name == one.mean.policy) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { name: one.mean.policy.into(), points: vec![point] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    Plot {
        title: "Mean delay against visits".into(),
        x: "visits a source and day".into(),
        y: "mean delay, minutes".into(),
        lines,
    }
    .svg()
}

/// Mean, median and burst delay of each policy with one budget.
pub fn delay_bars(summaries: &[Summary], budget: f64) -> String {
    let mut these: Vec<&Summary> =
        summaries.iter().filter(|one| (one.mean.budget - budget).abs() < 1e-9).collect();
    these.sort_by(|one, other| one.mean.mean_minutes.total_cmp(&other.mean.mean_minutes));
    Bars {
        title: format!("Delays with {budget} visits a source and day"),
        y: "minutes".into(),
        series: ["mean", "median", "in bursts"].map(str::to_owned).to_vec(),
        groups: these
            .iter()
            .map(|one| {
                let row = &one.mean;
                let bars = vec![row.mean_minutes, row.median_minutes, row.burst_mean_minutes];
                (row.policy.to_owned(), bars)
            })
            .collect(),
        slanted: these.len() > 8,
        ..Bars::default()
    }
    .svg()
}
