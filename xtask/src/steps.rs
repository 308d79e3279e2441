//! One line a step with its time; the whole output of a step that failed.

use anyhow::Context;
use std::process::Command;
use std::time::Instant;

/// The steps of a chore.
#[derive(Default)]
pub(crate) struct Steps {
    passed: u32,
    failed: u32,
}

impl Steps {
    /// Runs a step written in Rust; it returns what to say about itself.
    pub(crate) fn run(
        &mut self,
        name: &str,
        step: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        let began = Instant::now();
        let said = step().with_context(|| format!("the step “{name}” failed"))?;
        report(name, began, &said);
        Ok(())
    }

    /// Runs a cargo command that must succeed.
    pub(crate) fn cargo(&mut self, name: &str, words: &[&str]) -> anyhow::Result<()> {
        let began = Instant::now();
        cargo(words)?;
        report(name, began, "");
        Ok(())
    }

    /// Runs the tests and counts them.
    pub(crate) fn tests(&mut self, name: &str, words: &[&str]) -> anyhow::Result<()> {
        let began = Instant::now();
        let result = cargo(words);
        let output = match &result {
            Ok(output) => output.clone(),
            Err(error) => error.to_string(),
        };
        for line in output.lines().filter(|line| line.starts_with("test result:")) {
            self.passed += count(line, "passed");
            self.failed += count(line, "failed");
            let ignored = count(line, "ignored");
            anyhow::ensure!(
                ignored == 0,
                "{ignored} tests are ignored: no test is skipped here"
            );
        }
        result?;
        report(name, began, &format!("{} tests", self.passed));
        Ok(())
    }

    /// The last line: how many tests passed.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        anyhow::ensure!(self.passed > 0, "no test was run");
        println!("{} passed, {} failed", self.passed, self.failed);
        Ok(())
    }
}

fn report(name: &str, began: Instant, said: &str) {
    println!("{name:<14} ok {:>6.1} s  {said}", began.elapsed().as_secs_f64());
}

/// The output of a cargo command; all of it is the error if it failed.
fn cargo(words: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(words)
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()
        .context("running cargo")?;
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(
        output.status.success(),
        "cargo {} failed:\n{text}",
        words.join(" ")
    );
    Ok(text)
}

/// `test result: ok. 43 passed; 0 failed; …`
fn count(line: &str, what: &str) -> u32 {
    let before = line.split(what).next().unwrap_or_default();
    before
        .split_whitespace()
        .next_back()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}
