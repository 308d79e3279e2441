//! Our formulas beside those of the R package surveillance, on its own series.

use anyhow::{Context, ensure};
use detection::EarsClassic;
use detection::statistics::{ln_tail, quantile};
use std::collections::BTreeMap;
use std::process::Command;

const SCRIPT: &str = include_str!("surveillance.R");
/// The largest difference that is let pass.
const BAR: f64 = 1e-4;

/// The largest difference of one kind of value.
#[derive(Debug, Default)]
struct Differences {
    values: usize,
    largest: f64,
    at: String,
}

pub(crate) fn run() -> anyhow::Result<bool> {
    let output = Command::new("Rscript").args(["--vanilla", "-e", SCRIPT]).output();
    let output =
        output.context("cannot run Rscript; install it with: apt-get install r-cran-surveillance")?;
    ensure!(output.status.success(), "R failed:\n{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    let mut series: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, Differences> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let (kind, ours, theirs) = match fields.as_slice() {
            ["version", version] => {
                println!("surveillance {version}");
                continue;
            }
            ["series", name, counts] => {
                let counts: Result<Vec<f64>, _> = counts.split(';').map(str::parse).collect();
                series.insert((*name).to_owned(), counts?);
                continue;
            }
            ["ears", name, method, alpha, n, bound] => {
                let method = if *method == "C1" { EarsClassic::C1 } else { EarsClassic::C2 };
                let counts = series.get(*name).context("bounds of a series that was not told")?;
                let ours = method.bound(counts, n.parse()?, alpha.parse()?).context("no bound of ours")?;
                (if method == EarsClassic::C1 { "EARS C1" } else { "EARS C2" }, ours, bound.parse()?)
            }
            ["quantile", level, mu, phi, bound] => (
                "negative-binomial quantile",
                quantile(level.parse()?, mu.parse()?, phi.parse()?),
                bound.parse()?,
            ),
            ["tail", x, mu, phi, ln] => {
                ("logarithm of the tail", ln_tail(x.parse()?, mu.parse()?, phi.parse()?), ln.parse()?)
            }
            _ => anyhow::bail!("R said what is not understood: {line}"),
        };
        kinds.entry(kind).or_default().take(ours, theirs, line);
    }
    ensure!(kinds.len() == 4, "R told values of {} kinds, and 4 were asked for", kinds.len());
    for (kind, differences) in &kinds {
        println!(
            "{kind:<28} {:>6} values, largest difference {:.2e}",
            differences.values, differences.largest
        );
        if differences.largest > BAR {
            println!("  at {}", differences.at);
        }
    }
    let largest = kinds.values().map(|differences| differences.largest).fold(0.0, f64::max);
    println!("largest difference {largest:.2e} (bar {BAR:.0e})");
    Ok(largest <= BAR)
}

impl Differences {
    /// Differences are absolute up to 1 and relative above it: a logarithm of −4,000 has no four digits after the point.
    fn take(&mut self, ours: f64, theirs: f64, line: &str) {
        let difference = (ours - theirs).abs() / theirs.abs().max(1.0);
        self.values += 1;
        // A value that is no number is as wrong as can be.
        let difference = if difference.is_nan() { f64::INFINITY } else { difference };
        if difference > self.largest {
            *self = Self { values: self.values, largest: difference, at: format!("{line}; ours {ours}") };
        }
    }
}
