//! Visits in the books are requests in the log, and no two on a host were at the same time: nobody wrote who had lost its lease.

use super::{Check, Evidence};
use std::collections::HashMap;
use std::time::Duration;

/// Clocks of processes and of the log; the log is written a moment after the request was sent.
const BETWEEN_CLOCKS: i64 = 250;

/// A visit, in milliseconds from the beginning.
struct Visit {
    id: String,
    url: String,
    host: String,
    from: i64,
    to: i64,
    success: bool,
}

pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Check> {
    let began = evidence.web.began_at.as_millisecond();
    let rows = evidence.books.rows(
        "SELECT v.id, s.url, h.name, v.at, v.took_ms, v.word FROM visit v JOIN source s ON s.id = v.source_id
         JOIN host h ON h.id = s.host_id ORDER BY v.at, v.id",
    );
    let visits: Vec<Visit> = rows
        .into_iter()
        .filter_map(|row| {
            let [id, url, host, at, took, word] = <[String; 6]>::try_from(row).ok()?;
            let from = at.parse::<i64>().ok()? - began;
            let success = ["new_content", "not_modified"].contains(&word.as_str());
            // What was before the beginning is not in the log.
            (from >= 0).then_some(())?;
            Some(Visit { id, url, host, from, to: from + took.parse::<i64>().ok()?, success })
        })
        .collect();
    vec![belong(evidence, &visits), apart(&visits), goes_on(evidence, &visits)]
}

/// Each visit that succeeded has a request of its own.
fn belong(evidence: &Evidence<'_>, visits: &[Visit]) -> Check {
    let mut asked: HashMap<String, Vec<(i64, bool)>> = HashMap::new();
    let lists =
        evidence.log.iter().filter(|line| line.path.starts_with("/list/") || line.path.starts_with("/feed/"));
    let mut requests = 0;
    for line in lists {
        requests += 1;
        let url = evidence.web.url(line.host, &line.path);
        asked.entry(url).or_default().push((line.at.as_millis() as i64, false));
    }
    let mut without = Vec::new();
    for visit in visits.iter().filter(|visit| visit.success) {
        let lines = asked.get_mut(&visit.url);
        let fits = |(at, used): &&mut (i64, bool)| {
            !*used && *at >= visit.from - BETWEEN_CLOCKS && *at <= visit.to + BETWEEN_CLOCKS
        };
        match lines.and_then(|lines| lines.iter_mut().find(fits)) {
            Some(line) => line.1 = true,
            None => without.push(format!("visit {} of {} at {} ms", visit.id, visit.url, visit.from)),
        }
    }
    let succeeded = visits.iter().filter(|visit| visit.success).count();
    let says = format!(
        "{} visits, {succeeded} with an answer, {requests} requests for lists; {} visits without a request of their own",
        visits.len(),
        without.len()
    );
    Check::new("every visit is a request", without.is_empty() && succeeded > 0, says).with(without)
}

/// Visits of a host are one after the other.
fn apart(visits: &[Visit]) -> Check {
    let (mut last, mut overlaps): (HashMap<&str, &Visit>, Vec<String>) = (HashMap::new(), Vec::new());
    for visit in visits {
        if let Some(before) =
            last.insert(&visit.host, visit).filter(|before| visit.from + BETWEEN_CLOCKS / 5 < before.to)
        {
            overlaps.push(format!(
                "{}: visit {} from {} to {} ms, visit {} from {} ms",
                visit.host, before.id, before.from, before.to, visit.id, visit.from
            ));
        }
    }
    let says = format!("{} overlap", overlaps.len());
    Check::new("visits of a host do not overlap", overlaps.is_empty(), says).with(overlaps)
}

/// How soon visits go on after the database has come back.
fn goes_on(evidence: &Evidence<'_>, visits: &[Visit]) -> Check {
    let mut times: Vec<i64> = visits.iter().map(|visit| visit.from).collect();
    times.sort_unstable();
    // The longest where all were awake, and of all.
    let (mut count, mut awake, mut longest) = (0, Duration::ZERO, Duration::ZERO);
    for (from, back) in &evidence.happened.away {
        let since = back.as_millis() as i64;
        let Some(next) = times.get(times.partition_point(|at| *at < since)) else { continue };
        let wait = Duration::from_millis((next - since) as u64);
        count += 1;
        longest = longest.max(wait);
        if !somebody_stood_still(evidence, *from, *back + GOES_ON_WITHIN) {
            awake = awake.max(wait);
        }
    }
    let says = format!(
        "{count} times, after {longest:.1?} at the latest; {awake:.1?} where nobody stood still meanwhile"
    );
    let holds = awake < GOES_ON_WITHIN && longest < OTHERS_STAND_STILL;
    Check::new("visits go on after the database", holds, says)
}

/// After the database is back.
const GOES_ON_WITHIN: Duration = Duration::from_secs(5);
/// Where some stand still at the same time, the others first have to find out about each.
const OTHERS_STAND_STILL: Duration = Duration::from_secs(30);

fn somebody_stood_still(evidence: &Evidence<'_>, from: Duration, to: Duration) -> bool {
    let mut halts = evidence.lives.iter().flat_map(|life| &life.halts);
    halts.any(|(began, ended)| *began < to && ended.is_none_or(|ended| ended > from))
}
