//! Results for people and for other programs: CSV, pictures, and one page that needs nothing else.

mod html;
mod pictures;

pub use html::Page;
pub use pictures::{budget_curve, delay_bars};

use super::row::Row;
use crate::plot::stacked;
use std::io;

/// The columns of the CSV, one row of an experiment a line.
const COLUMNS: [&str; 13] = [
    "policy",
    "seed",
    "budget",
    "pace",
    "visits_per_source_day",
    "mean_minutes",
    "median_minutes",
    "p95_minutes",
    "burst_mean_minutes",
    "interest_mean_minutes",
    "coverage",
    "visits_per_article",
    "gap_closed",
];

/// Several pictures one under the other, as one.
pub fn one_picture(pictures: &[String]) -> String {
    stacked(pictures)
}

/// The rows as CSV.
pub fn csv(rows: &[Row], to: impl io::Write) -> io::Result<()> {
    let mut lines = ::csv::Writer::from_writer(to);
    lines.write_record(COLUMNS).map_err(io::Error::other)?;
    for row in rows {
        // Rows say themselves what is in them; only the head is ours, so that an empty table has one.
        let value = serde_json::to_value(row).map_err(io::Error::other)?;
        let cell = |name: &&str| match value.get(*name) {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(serde_json::Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        lines.write_record(COLUMNS.iter().map(cell)).map_err(io::Error::other)?;
    }
    lines.flush()
}
