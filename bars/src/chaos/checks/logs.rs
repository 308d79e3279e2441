//! What the processes said themselves: deeds that were refused because their lease was lost, and panics.

use super::{Check, Evidence};
use std::collections::BTreeMap;

pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Check> {
    let (mut fenced, mut panics, mut errors) = (0, Vec::new(), BTreeMap::<String, usize>::new());
    for file in std::fs::read_dir(evidence.folder).into_iter().flatten().flatten() {
        let file = file.path();
        if file.extension().is_none_or(|ending| ending != "log") {
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap_or_default()).into_owned();
        for line in text.lines() {
            fenced += usize::from(line.contains("leased to another") || line.contains("lease is lost"));
            if line.contains("panicked at") {
                panics.push(format!("{}: {line}", file.display()));
            }
            if line.contains("ERROR") {
                *errors.entry(gist(line)).or_default() += 1;
            }
        }
    }
    let says = format!("{fenced} deeds refused for a lost lease, {} panics", panics.len());
    let mut errors: Vec<(String, usize)> = errors.into_iter().collect();
    errors.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let errors = errors.into_iter().map(|(gist, count)| format!("{count} times: {gist}"));
    vec![
        Check::new("no zombie was let in, none panicked", panics.is_empty(), says)
            .with(panics.into_iter().chain(errors)),
    ]
}

/// A line without its time and numbers.
fn gist(line: &str) -> String {
    let text: String = line.chars().skip_while(|letter| *letter != 'E').collect();
    let text: String =
        text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    text.chars().take(160).collect()
}
