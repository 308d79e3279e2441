//! No two requests to a host are closer than its delay, whoever sent them: lists, articles, robots.txt and the crawl together.

use super::{Check, Evidence, JITTER};
use crate::chaos::fleet::Life;
use crate::chaos::web::{Asked, RETRY_AFTER};
use std::time::Duration;

/// Two requests to a host, one after the other.
struct Pair<'a> {
    before: &'a Asked,
    after: &'a Asked,
    apart: Duration,
    wanted: Duration,
}

pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Check> {
    let mut lines: Vec<&Asked> = evidence.log.iter().collect();
    lines.sort_by_key(|line| (line.host, line.at));
    let mut pairs: Vec<Pair<'_>> = lines
        .windows(2)
        .filter_map(|pair| if let [before, after] = pair { Some((*before, *after)) } else { None })
        .filter(|(before, after)| before.host == after.host)
        .map(|(before, after)| pair(evidence, before, after))
        .collect();
    // Most early first.
    pairs.sort_by_key(|pair| (pair.apart + Duration::from_hours(1)).saturating_sub(pair.wanted));
    let early = pairs.iter().filter(|pair| pair.apart + JITTER < pair.wanted).count();
    let handed = |pair: &&Pair<'_>| pair.before.by != pair.after.by;
    let handovers = pairs.iter().filter(handed).count();
    let spare = |pair: Option<&Pair<'_>>| {
        pair.map_or(0.0, |pair| (pair.apart.as_secs_f64() - pair.wanted.as_secs_f64()) * 1e3)
    };
    let says = format!(
        "{} requests, {early} too early by more than {JITTER:?}; closest {:+.1} ms against its delay, {:+.1} ms of {handovers} between two processes",
        evidence.log.len(),
        spare(pairs.first()),
        spare(pairs.iter().find(handed)),
    );
    let shown = pairs.iter().filter(|pair| pair.apart + JITTER < pair.wanted);
    let pauses = Check::new("no two requests closer than the delay", early == 0, says)
        .with(shown.map(|pair| tell(evidence, pair)));
    vec![pauses, rests(evidence, &lines)]
}

fn pair<'a>(evidence: &Evidence<'_>, before: &'a Asked, after: &'a Asked) -> Pair<'a> {
    let host = &evidence.web.world.hosts[after.host];
    let delay = evidence.settings.delay;
    // Whoever asks for robots.txt does not know yet what stands in it.
    let asked_for = host.crawl_delay.filter(|_| after.path != "/robots.txt");
    let wanted = asked_for.map_or(delay, |asked| asked.max(delay));
    Pair { before, after, apart: after.at.saturating_sub(before.at), wanted }
}

fn tell(evidence: &Evidence<'_>, pair: &Pair<'_>) -> String {
    let host = evidence.web.world.hosts[pair.after.host].address;
    let line = |line: &Asked| {
        format!(
            "{} {} by {} from port {} ({})",
            line.status,
            line.path,
            line.by,
            line.from.port(),
            trouble(&evidence.lives, line)
        )
    };
    format!(
        "{host} {:.0?} instead of {:?}, at {:.3} s: {}, then {}",
        pair.apart,
        pair.wanted,
        pair.after.at.as_secs_f64(),
        line(pair.before),
        line(pair.after)
    )
}

/// What happened to whoever sent a request around that time.
fn trouble(lives: &[Life], line: &Asked) -> String {
    let Some(sender) = lives.iter().find(|life| life.name == line.by) else { return "unknown".into() };
    let near = |at: Duration| (at.as_secs_f64() - line.at.as_secs_f64()).abs() < 60.0;
    let halts = sender.halts.iter().filter(|(from, to)| near(*from) || to.is_some_and(near));
    let mut told: Vec<String> = halts
        .map(|(from, to)| {
            format!("stopped {:.3}-{:.3} s", from.as_secs_f64(), to.unwrap_or_default().as_secs_f64())
        })
        .collect();
    if near(sender.from) {
        told.push(format!("began {:.1} s", sender.from.as_secs_f64()));
    }
    told.extend(sender.to.filter(|to| near(*to)).map(|to| format!("ended {:.1} s", to.as_secs_f64())));
    if told.is_empty() { "no trouble".into() } else { told.join(", ") }
}

/// After a 503 a host is left in peace for as long as it asked, unless whoever heard it died before it could tell.
fn rests(evidence: &Evidence<'_>, lines: &[&Asked]) -> Check {
    let (mut busy, mut untold, mut early) = (0, 0, Vec::new());
    for pair in lines.windows(2) {
        let [before, after] = pair else { continue };
        if before.status != 503 || before.host != after.host {
            continue;
        }
        busy += 1;
        if after.at.saturating_sub(before.at) + JITTER >= RETRY_AFTER {
            continue;
        }
        let life = evidence.lives.iter().find(|life| life.name == before.by);
        let died = life.and_then(|life| life.to).is_some_and(|to| to < before.at + RETRY_AFTER);
        if died {
            untold += 1;
        } else {
            let wanted = RETRY_AFTER;
            let apart = after.at.saturating_sub(before.at);
            early.push(tell(evidence, &Pair { before, after, apart, wanted }));
        }
    }
    let says = format!("{busy} times 503, {} asked too early, {untold} heard by who died of it", early.len());
    Check::new("busy hosts are left in peace", early.is_empty(), says).with(early)
}
