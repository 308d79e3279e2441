//! The system packages the tests need: installed through apt where that is allowed, named where it is not.

use anyhow::Context;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Program or file, and the Debian package that has it.
type Needed = &'static [(&'static str, &'static str)];

const OF_TESTS: Needed = &[
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    // Where its server is depends on the release; this comes with every one of them.
    ("/usr/bin/pg_lsclusters", "postgresql"),
];
const OF_POSTGRESQL: Needed = &[("/usr/bin/pg_lsclusters", "postgresql")];
const OF_SURVEILLANCE: Needed = &[
    ("Rscript", "r-base-core"),
    ("/usr/lib/R/site-library/surveillance/DESCRIPTION", "r-cran-surveillance"),
];

const OF_CHAOS: Needed = &[("faketime", "faketime")];

const OF_CRAWLING: Needed = &[("nginx", "nginx"), ("wget2", "wget2"), ("python3", "python3-venv")];

/// What the bar `crawling` needs.
pub(crate) fn install_crawl_peers() -> anyhow::Result<String> {
    install_all(OF_CRAWLING)
}

/// What the tests need.
pub(crate) fn install() -> anyhow::Result<String> {
    install_all(OF_TESTS)
}

/// What a PostgreSQL to try things with needs.
pub(crate) fn install_postgresql() -> anyhow::Result<String> {
    install_all(OF_POSTGRESQL)
}

/// What gives a worker of the bar `chaos` a clock that is off. Without it all clocks are right.
pub(crate) fn install_faketime() -> String {
    install_all(OF_CHAOS).unwrap_or_else(|error| format!("not there, all clocks are right: {error}"))
}

/// What the bar `surveillance` needs.
pub(crate) fn install_surveillance() -> anyhow::Result<String> {
    install_all(OF_SURVEILLANCE)
}

/// `warcio`, which says whether our WARC files are read by others, in a room of its own. Without a network the test
/// that asks it has nobody to ask.
pub(crate) fn install_warcio() -> String {
    const ROOM: &str = "target/warcio";
    if std::path::Path::new(ROOM).join("bin/warcio").exists() {
        return "there".into();
    }
    let quiet = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let made = quiet(Command::new("python3").args(["-m", "venv", ROOM]))
        && quiet(Command::new(format!("{ROOM}/bin/pip")).args(["install", "warcio"]));
    if made { "installed" } else { "not there: WARC files are read by our own reader only" }.into()
}

fn install_all(needed: Needed) -> anyhow::Result<String> {
    let missing = missing(needed);
    if missing.is_empty() {
        return Ok("all there".into());
    }
    let by_hand = format!("install them with: sudo apt-get install {}", missing.join(" "));
    let Some(apt) = apt() else { anyhow::bail!("missing: {}; {by_hand}", missing.join(", ")) };
    println!("installing {}", missing.join(", "));
    // An old package list is no reason to fail: the install itself will say.
    let _ = run(&apt, &["update", "-qq"]);
    let mut words = vec!["install", "-y", "-qq", "--no-install-recommends"];
    words.extend(&missing);
    run(&apt, &words).with_context(|| by_hand.clone())?;
    let still = self::missing(needed);
    anyhow::ensure!(still.is_empty(), "still missing: {}; {by_hand}", still.join(", "));
    Ok(format!("installed {}", missing.join(", ")))
}

fn missing(needed: Needed) -> Vec<&'static str> {
    needed.iter().filter(|(program, _)| find(program).is_none()).map(|(_, package)| *package).collect()
}

/// A program on the path, or a file by its whole name.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// How apt may be run without asking anybody: as root, or through a sudo that needs no password.
fn apt() -> Option<Vec<&'static str>> {
    find("apt-get")?;
    let quiet = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if root {
        Some(vec!["apt-get"])
    } else {
        quiet(Command::new("sudo").args(["-n", "true"])).then(|| vec!["sudo", "-n", "apt-get"])
    }
}

fn run(apt: &[&str], words: &[&str]) -> anyhow::Result<()> {
    let output = Command::new(apt[0])
        .args(&apt[1..])
        .args(words)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .output()
        .context("running apt-get")?;
    anyhow::ensure!(output.status.success(), "apt-get failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
