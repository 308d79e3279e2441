//! What must hold at the end, by the sites' own log and by the books.

mod articles;
mod crawl;
mod logs;
mod messages;
mod pauses;
mod sums;
mod visits;

use super::books::Books;
use super::driver::Happened;
use super::fleet::Life;
use super::receiver::Heard;
use super::settings::Settings;
use super::web::{Asked, Web};
use std::path::Path;
use std::time::Duration;

/// All there is to judge by.
pub(super) struct Evidence<'a> {
    pub(super) settings: &'a Settings,
    pub(super) web: &'a Web,
    pub(super) log: Vec<Asked>,
    pub(super) books: Books<'a>,
    pub(super) heard: Vec<Heard>,
    pub(super) lives: Vec<Life>,
    pub(super) happened: &'a Happened,
    pub(super) folder: &'a Path,
}

/// One thing that must hold.
pub(super) struct Check {
    name: &'static str,
    holds: bool,
    says: String,
    /// What is wrong, a few of many.
    examples: Vec<String>,
}

/// More examples say no more.
const EXAMPLES: usize = 8;

impl Check {
    fn new(name: &'static str, holds: bool, says: String) -> Self {
        Self { name, holds, says, examples: Vec::new() }
    }

    fn with(mut self, examples: impl IntoIterator<Item = String>) -> Self {
        self.examples.extend(examples.into_iter().take(EXAMPLES));
        self
    }
}

/// Looks at everything, prints it, and says whether all holds.
pub(super) fn all(evidence: &Evidence<'_>) -> bool {
    let mut checks = Vec::new();
    checks.extend(articles::check(evidence));
    checks.extend(crawl::check(evidence));
    checks.extend(pauses::check(evidence));
    checks.extend(messages::check(evidence));
    checks.extend(visits::check(evidence));
    checks.extend(sums::check(evidence));
    checks.extend(logs::check(evidence));
    println!();
    for check in &checks {
        println!("  {}  {:<34} {}", if check.holds { "ok  " } else { "FAIL" }, check.name, check.says);
        for example in &check.examples {
            println!("          {example}");
        }
    }
    println!();
    checks.iter().all(|check| check.holds)
}

/// When two times are apart because a loaded machine reads its sockets late, not because anybody was early.
pub(super) const JITTER: Duration = Duration::from_millis(20);
