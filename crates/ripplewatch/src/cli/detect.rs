//! What can be typed about detection.

use super::positive;
use clap::Args;
use detection::DetectorName;
use jiff::tz::TimeZone;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "\
The file has the columns time, folder, source and count, in any order, with a header. A time is the start of a\n\
window, as in 2026-01-31T18:00:00Z. A missing row is a window in which the source was not seen; one that was seen\n\
and had nothing has a count of 0. With --json, one line a window:\n  \
{\"time\":…,\"folder\":…,\"observed\":…,\"expected\":…,\"score\":…,\"alarm\":…}")]
pub(crate) struct Detect {
    /// The count series as CSV, or - for standard input
    pub(crate) file: PathBuf,
    /// Which detector: default, day-hour, dc1, grubbs, negative-binomial, ears or cusum
    #[arg(long, default_value_t, value_name = "NAME")]
    pub(crate) detector: DetectorName,
    /// How long a window is, e.g. 2h [default: the most common step between times]
    #[arg(long, value_parser = positive, value_name = "TIME")]
    pub(crate) window: Option<Duration>,
    /// Time zone whose hours and weekdays count, e.g. Europe/Berlin
    #[arg(long, default_value = "UTC", value_parser = zone, value_name = "ZONE")]
    pub(crate) zone: TimeZone,
}

pub(super) fn zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name)
        .map_err(|_| format!("“{name}” is no time zone; write for example Europe/Berlin or UTC"))
}
