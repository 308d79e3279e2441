//! Logs go to stderr: for people by default, JSON for machines.

use crate::cli::LogFormat;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts logging at `level` unless `RIPPLEWATCH_LOG` says otherwise.
pub(crate) fn start(level: &str, format: LogFormat) {
    let filter = EnvFilter::try_from_env("RIPPLEWATCH_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    // A second start (tests) keeps the first.
    let _ = match format {
        LogFormat::Text => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
}
