//! urlwatch, from Python's package index, on the same server: CPU a check, its start-up subtracted.

use super::web::Pages;
use anyhow::Context;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Enough to be precise, few enough not to take minutes.
const CHECKS: usize = 2000;

/// CPU in milliseconds a check.
pub(crate) struct Peer {
    pub(crate) unchanged: f64,
    pub(crate) changed: f64,
}

pub(crate) fn urlwatch(pages: &Pages) -> anyhow::Result<Peer> {
    let program = install()?;
    let folder = tempfile::tempdir()?;
    let one = Jobs::new(folder.path(), "one", &pages.urls[..1])?;
    let many = Jobs::new(folder.path(), "many", &pages.urls[..CHECKS.min(pages.urls.len())])?;
    let per_check = |cpu: f64, startup: f64| (cpu - startup) * 1000.0 / many.count as f64;
    one.run(&program)?;
    many.run(&program)?;
    let startup = one.run(&program)?;
    let unchanged = per_check(many.run(&program)?, startup);
    pages.publish();
    let changed = per_check(many.run(&program)?, startup);
    Ok(Peer { unchanged, changed })
}

struct Jobs {
    urls: PathBuf,
    cache: PathBuf,
    config: PathBuf,
    count: usize,
}

impl Jobs {
    fn new(folder: &Path, name: &str, urls: &[String]) -> anyhow::Result<Self> {
        let file = folder.join(format!("{name}.yaml"));
        let jobs = urls.iter().fold(String::new(), |mut text, url| {
            let _ = writeln!(text, "url: {url}\n---");
            text
        });
        std::fs::write(&file, jobs.trim_end_matches("---\n"))?;
        let config = folder.join(format!("{name}-config.yaml"));
        std::fs::write(&config, "report:\n  stdout:\n    enabled: false\n")?;
        Ok(Self { urls: file, cache: folder.join(format!("{name}.db")), config, count: urls.len() })
    }

    /// CPU seconds of one run, by the shell's own count of its children.
    fn run(&self, program: &Path) -> anyhow::Result<f64> {
        let script = "\"$0\" \"$@\" >/dev/null 2>&1; times";
        let output = Command::new("bash")
            .args(["-c", script])
            .arg(program)
            .arg("--urls")
            .arg(&self.urls)
            .arg("--cache")
            .arg(&self.cache)
            .arg("--config")
            .arg(&self.config)
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let children = text.lines().nth(1).context("the shell's times")?;
        children.split_whitespace().map(seconds).sum()
    }
}

/// `0m1.234s`
fn seconds(text: &str) -> anyhow::Result<f64> {
    let (minutes, rest) = text.trim_end_matches('s').split_once('m').context("a time")?;
    Ok(minutes.parse::<f64>()? * 60.0 + rest.parse::<f64>()?)
}

fn install() -> anyhow::Result<PathBuf> {
    let folder = Path::new("target/peers/urlwatch");
    let program = folder.join("bin/urlwatch");
    if !program.exists() {
        let folder = folder.to_string_lossy().into_owned();
        let pip = format!("{folder}/bin/pip");
        for words in [vec!["python3", "-m", "venv", &folder], vec![&pip, "install", "--quiet", "urlwatch"]] {
            let status = Command::new(words[0]).args(&words[1..]).status()?;
            anyhow::ensure!(status.success(), "installing urlwatch failed at {words:?}");
        }
    }
    Ok(program)
}
