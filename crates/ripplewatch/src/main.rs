//! Ripplewatch: the program. Parses, dispatches, maps the result to an exit code.

mod cli;
mod commands;
mod config;
mod console;
mod context;
mod exit;
mod logging;
mod rule_words;
mod words;

use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => Exit::report(&error),
    }
}

fn run(cli: cli::Cli) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Parsing, reading and name look-ups are bounded by places of their own, 16 in all at the most.
        .max_blocking_threads(24)
        .build()?;
    let result = runtime.block_on(commands::run(cli));
    // A name look-up that hangs must not hold up a clean stop.
    runtime.shutdown_timeout(std::time::Duration::from_millis(300));
    result
}
