//! Why a crawl does nothing right now, in words.

use discovery::crawl::Idle;
use jiff::{SignedDuration, Timestamp};

pub(super) fn idle(idle: &Idle, now: Timestamp) -> String {
    match idle {
        Idle::Budget => "as many pages were read as were asked for".into(),
        Idle::Exhausted => "every known URL has been asked for".into(),
        Idle::Asked { urls: 1 } => "the last URL has been asked for; its answer is awaited".into(),
        Idle::Asked { urls } => format!("all known URLs have been asked for; {urls} answers are awaited"),
        Idle::Hosts { hosts: 0, until } => {
            let wait = wait(*until, now).map_or_else(String::new, |wait| format!(", the next in {wait}"));
            format!("only URLs that failed are left; they are tried again{wait}")
        }
        Idle::Hosts { hosts, until } => {
            let hosts = if *hosts == 1 {
                "the only host left rests".into()
            } else {
                format!("all {hosts} hosts rest")
            };
            let wait = wait(*until, now);
            let wait = wait.map_or_else(String::new, |wait| format!("; the next may be asked in {wait}"));
            format!("{hosts} between requests{wait}")
        }
    }
}

fn wait(until: Option<Timestamp>, now: Timestamp) -> Option<String> {
    until.map(|at| at.duration_since(now).as_secs_f64()).filter(|wait| *wait > 0.0).map(span)
}

/// Why, and what went wrong last.
pub(super) fn with_trouble(why: &str, trouble: &str) -> String {
    if trouble.is_empty() { why.to_owned() } else { format!("{trouble}; {why}") }
}

/// Nobody can be reached.
pub(super) fn down(since: Timestamp, trouble: &str, every: SignedDuration) -> String {
    let every = every.as_secs();
    format!(
        "no host can be reached since {since:.0}: the network seems to be down ({trouble}). Tried again every {every} s"
    )
}

/// All places are taken and no page came for a while.
pub(super) fn awaited(requests: usize) -> String {
    match requests {
        1 => "the answer to a slow request is awaited; one is made at a time".to_owned(),
        _ => format!("the answers to {requests} slow requests are awaited; no more are made at a time"),
    }
}

/// Others ask the hosts that are left.
pub(super) fn kept(name: &str, hosts: usize) -> String {
    let more = if hosts > 1 { format!(" and {} more are", hosts - 1) } else { " is".to_owned() };
    format!("{name}{more} being asked by a visit or another crawl; this one waits for its turn")
}

/// Why a crawl that read something has ended.
pub(super) fn done(why: &Idle, given_up: u64, now: Timestamp) -> String {
    let why = idle(why, now);
    match given_up {
        0 => why,
        1 => format!("{why}; one that failed again and again was given up"),
        count => format!(
            "{why}; {count} that failed again and again, or whose host could not be reached, were given up"
        ),
    }
}

/// A crawl that read nothing: what became of its seeds, and what to do.
pub(super) fn nothing_read(reasons: &[(&str, &str)]) -> String {
    let told: Vec<String> = reasons.iter().take(REASONS).map(|(url, why)| format!("{url}: {why}")).collect();
    let more = reasons.len().saturating_sub(REASONS);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let fits = |words: &[&str]| {
        // The first advice that fits a reason is the one that is meant.
        let first = |why: &str| ADVICE.iter().find(|(known, _)| known.iter().any(|word| why.contains(word)));
        reasons.iter().any(|(_, why)| first(why).is_some_and(|(known, _)| *known == words))
    };
    let advice: Vec<&str> =
        ADVICE.iter().filter(|(words, _)| fits(words)).map(|(_, advice)| *advice).collect();
    let advice = if advice.is_empty() { "Begin with other seeds" } else { &advice.join(". ") };
    format!("no page could be read. {}{more}. {advice}", told.join("; "))
}

/// Reasons told at most.
const REASONS: usize = 5;

/// What helps against what.
const ADVICE: &[(&[&str], &str)] = &[
    (
        &["robots.txt could not be read"],
        "The site does not say what may be asked, because its robots.txt fails: try again later, or begin elsewhere",
    ),
    (&["name not found"], "Check the spelling of the name, and that this machine is online"),
    (&["no connection", "timed out"], "Check that the site runs and can be reached from this machine"),
    (&["refused by robots.txt"], "The site does not want crawlers there: begin elsewhere"),
    (
        &["refused by the gate"],
        "Private addresses are asked only with --allow-private, or if `serve` is told to allow them",
    ),
    (&["leads to"], "The seeds only lead in circles: begin with an address a browser ends up at"),
    (&["HTTP 4"], "Check the addresses in a browser"),
];

fn span(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.1} s") } else { format!("{:.0} min", seconds / 60.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_that_read_nothing_says_what_to_do() {
        let told = nothing_read(&[("http://nowhere.example/", "name not found: it has no address")]);
        assert!(
            told.contains("http://nowhere.example/: name not found") && told.contains("spelling"),
            "{told}"
        );
        let told = nothing_read(&[(
            "http://a.example/",
            "refused by robots.txt: robots.txt could not be read: HTTP 500",
        )]);
        assert!(told.contains("try again later") && !told.contains("does not want crawlers"), "{told}");
        let idle = idle(&Idle::Hosts { hosts: 0, until: None }, Timestamp::UNIX_EPOCH);
        assert!(!idle.contains("0 hosts"), "{idle}");
    }
}
