//! Long measurements, one a command, each with its figure last. Run through `cargo xtask bars`.

#![expect(clippy::print_stdout, reason = "a measurement prints its figure")]

mod child;
mod crash;
mod crawling;
mod database;
mod filing;
mod growth;
mod pages;
mod planning;
mod round;
mod surveillance;
mod teaching;
mod watching;

use bars::chaos::Settings;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the bar was met.
fn run(words: &[&str]) -> anyhow::Result<bool> {
    let runtime = tokio::runtime::Runtime::new()?;
    match words {
        ["chaos", rest @ ..] => runtime.block_on(bars::chaos::run(chaos_settings(rest)?)),
        ["crash"] => runtime.block_on(crash::run(50)),
        ["crash", kills] => runtime.block_on(crash::run(kills.parse()?)),
        ["round"] => runtime.block_on(round::run(10_000, 500, true)),
        ["round", sources, hosts, rest @ ..] => {
            runtime.block_on(round::run(sources.parse()?, hosts.parse()?, rest.is_empty()))
        }
        ["crawling"] => runtime.block_on(crawling::run(10, 50)),
        ["crawling", "kills", kills] => runtime.block_on(crawling::kills(kills.parse()?)),
        ["crawling", "memory", known] => runtime.block_on(crawling::memory(known.parse()?)),
        ["crawling", "speed", runs] => crawling::throughput(runs.parse()?),
        ["database"] => runtime.block_on(database::run()),
        ["failover"] => runtime.block_on(bars::chaos::run(Settings::failover(child::program()?))),
        ["filing"] => filing::run(),
        ["growth"] => runtime.block_on(growth::run()),
        ["planning"] => planning::run(),
        ["pages"] => runtime.block_on(pages::run()),
        ["scaling"] => runtime.block_on(bars::scaling::run(child::program()?)),
        ["surveillance"] => surveillance::run(),
        ["teaching"] => runtime.block_on(teaching::run()),
        ["watching"] => watching::run(),
        _ => anyhow::bail!(
            "usage: cargo xtask bars chaos|crash|crawling|database|failover|growth|round|pages|planning|filing|scaling|surveillance|teaching|all"
        ),
    }
}

/// What the words change of the bar's settings.
fn chaos_settings(words: &[&str]) -> anyhow::Result<Settings> {
    let program = child::program()?;
    let (mut settings, mut words) = (Settings::full(program.clone()), words);
    if let ["--short", rest @ ..] = words {
        (settings, words) = (Settings::short(program), rest);
    }
    for pair in words.chunks(2) {
        match pair {
            ["--minutes", minutes] => settings.span = Duration::from_secs_f64(minutes.parse::<f64>()? * 60.0),
            ["--workers", workers] => settings.workers = workers.parse()?,
            ["--hosts", hosts] => settings.have_hosts(hosts.parse()?),
            ["--sources", sources] => settings.have_sources(sources.parse()?),
            ["--faults", faults] => settings.have_faults(faults.parse()?),
            ["--seed", seed] => settings.seed = seed.parse()?,
            ["--keep", folder] => settings.keep = Some(folder.into()),
            _ => anyhow::bail!(
                "usage: bars chaos [--short] [--minutes N] [--workers N] [--hosts N] [--sources N] [--faults N] [--seed N] [--keep DIR]"
            ),
        }
    }
    Ok(settings)
}
