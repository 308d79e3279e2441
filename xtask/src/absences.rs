//! What must not be there: libraries we decided against, dependencies between crates that the architecture
//! forbids, and dependencies without a written reason.

use anyhow::Context;
use std::process::Command;

/// A second TLS library, C++ and frameworks we do without (see ARCHITECTURE.md).
const BANNED: &[&str] = &[
    "openssl-sys",
    "native-tls",
    "aws-lc-sys",
    "reqwest",
    "sqlx-core",
    "diesel",
    "sea-orm",
    "cxx",
    "link-cplusplus",
];

/// Crates that decide may not know the crates that do, nor anything that does I/O.
const PURE: &[&str] = &["model", "page", "knowledge", "detection", "scheduling", "discovery", "warc"];
const SHELL: &[&str] =
    &["fetch", "store", "engine", "server", "demo", "ripplewatch", "tokio", "hyper", "rusqlite"];

pub(crate) fn check() -> anyhow::Result<String> {
    let all = tree(&["--workspace", "--edges", "normal,build"])?;
    for banned in BANNED {
        anyhow::ensure!(
            !all.iter().any(|name| name == banned),
            "{banned} is in the tree: see ARCHITECTURE.md"
        );
    }
    for pure in PURE {
        let below = tree(&["--package", pure, "--edges", "normal"])?;
        for shell in SHELL {
            anyhow::ensure!(
                !below.iter().any(|name| name == shell),
                "the pure crate {pure} depends on {shell}"
            );
        }
    }
    let reasons = std::fs::read_to_string("docs/dependencies.md").context("reading docs/dependencies.md")?;
    let direct = tree(&["--workspace", "--depth", "1", "--edges", "normal,build,dev"])?;
    let own = tree(&["--workspace", "--depth", "0"])?;
    for name in direct.iter().filter(|name| !own.contains(name)) {
        anyhow::ensure!(
            reasons.contains(&format!("`{name}`")),
            "docs/dependencies.md gives no reason for {name}"
        );
    }
    Ok(format!("{} crates, none of {} banned ones", all.len(), BANNED.len()))
}

/// The names of the packages in a dependency tree.
fn tree(words: &[&str]) -> anyhow::Result<Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--prefix", "none", "--format", "{p}"])
        .args(words)
        .output()
        .context("running cargo tree")?;
    anyhow::ensure!(
        output.status.success(),
        "cargo tree failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let mut names: Vec<String> =
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup();
    Ok(names)
}
