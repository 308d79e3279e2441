//! One address a line; `#` begins a comment.

use super::{MOST, Problem, Subscription};
use crate::urls::parse_address;

pub(super) fn read(text: &str) -> (Vec<Subscription>, Vec<Problem>) {
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // A # inside an address is its fragment; only one after a space begins a comment.
        let line = line.split(" #").next().unwrap_or(line).trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if found.len() == MOST {
            problems.push(Problem::new("the file", format!("more than {MOST} sources: split the list")));
            break;
        }
        match parse_address(line) {
            Ok(url) => found.push(Subscription { url, title: None, folder: None }),
            Err(error) => problems.push(Problem::new(format!("line {}", index + 1), error.to_string())),
        }
    }
    (found, problems)
}
