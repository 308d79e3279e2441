//! One line a step with its time; the whole output of a step that failed.

use anyhow::Context;
use std::process::Command;
use std::time::Instant;

/// How many tests ran.
#[derive(Debug, Default)]
pub(crate) struct Tests {
    passed: u32,
    failed: u32,
}

/// Runs a step; it returns what to say about itself.
pub(crate) fn step(name: &str, step: impl FnOnce() -> anyhow::Result<String>) -> anyhow::Result<()> {
    let began = Instant::now();
    let said = step().with_context(|| format!("the step “{name}” failed"))?;
    println!("{name:<14} ok {:>6.1} s  {said}", began.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a cargo command that must succeed.
pub(crate) fn cargo_step(name: &str, words: &[&str]) -> anyhow::Result<()> {
    step(name, || cargo(words, &[]).map(|_| String::new()))
}

/// Runs tests, with more in their environment, and counts them.
pub(crate) fn test_step(name: &str, words: &[&str], environment: &[(&str, &str)]) -> anyhow::Result<Tests> {
    let mut tests = Tests::default();
    step(name, || {
        for line in cargo(words, environment)?.lines().filter(|line| line.starts_with("test result:")) {
            tests.passed += count(line, "passed");
            tests.failed += count(line, "failed");
            let ignored = count(line, "ignored");
            anyhow::ensure!(ignored == 0, "{ignored} tests are ignored: no test is skipped here");
        }
        anyhow::ensure!(tests.passed > 0, "no test was run");
        Ok(format!("{} tests", tests.passed))
    })?;
    Ok(tests)
}

impl std::ops::AddAssign for Tests {
    fn add_assign(&mut self, more: Self) {
        self.passed += more.passed;
        self.failed += more.failed;
    }
}

impl std::fmt::Display for Tests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// The output of a cargo command; all of it is the error if it failed.
fn cargo(words: &[&str], environment: &[(&str, &str)]) -> anyhow::Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(words)
        .env("RUSTDOCFLAGS", "-D warnings")
        .envs(environment.iter().copied())
        .output()
        .context("running cargo")?;
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "cargo {} failed:\n{text}", words.join(" "));
    Ok(text)
}

/// `test result: ok. 43 passed; 0 failed; …`
fn count(line: &str, what: &str) -> u32 {
    let before = line.split(what).next().unwrap_or_default();
    before.split_whitespace().next_back().and_then(|n| n.parse().ok()).unwrap_or(0)
}
