//! The result in words, as a table and as a page.

use crate::cli::{PaceWord, Replay};
use crate::console;
use laboratory::amoc::Interval;
use laboratory::replay::report::{Page, budget_curve, delay_bars};
use laboratory::replay::{Summary, Trace};
use std::time::Duration;

const HEAD: [&str; 12] = [
    "policy",
    "mean min",
    "minus reference (95 %)",
    "± seeds",
    "visits",
    "budget",
    "median",
    "p95",
    "bursts",
    "interest",
    "coverage",
    "gap closed",
];

pub(super) fn table(summaries: &[Summary]) {
    console::table(&HEAD, &cells(summaries));
}

fn cells(summaries: &[Summary]) -> Vec<Vec<String>> {
    summaries
        .iter()
        .map(|one| {
            let row = &one.mean;
            vec![
                row.policy.to_owned(),
                format!("{:.1}", row.mean_minutes),
                one.told_interval().map_or_else(|| "reference".to_owned(), interval),
                format!("{:.1}", one.spread_minutes),
                format!("{:.3}", row.visits_per_source_day),
                format!("{}", row.budget),
                format!("{:.0}", row.median_minutes),
                format!("{:.0}", row.p95_minutes),
                format!("{:.1}", row.burst_mean_minutes),
                format!("{:.1}", row.interest_mean_minutes),
                format!("{:.1} %", 100.0 * row.coverage),
                row.gap_closed.map_or_else(|| "–".to_owned(), |gap| format!("{:.0} %", 100.0 * gap)),
            ]
        })
        .collect()
}

fn interval(one: &Interval) -> String {
    let clear = if one.is_clear() { "" } else { ", not clear" };
    format!("{:+.1} ({:+.1} to {:+.1}{clear})", one.mean, one.low, one.high)
}

pub(super) fn closing(trace: &Trace, options: &Replay, took: Duration) -> String {
    format!("{}; {:.0} s", setting(trace, options), took.as_secs_f64())
}

fn setting(trace: &Trace, options: &Replay) -> String {
    let pace = match options.pace {
        PaceWord::Free => "visits may move from the night to the day",
        PaceWord::Hourly => "the same budget each hour",
    };
    format!(
        "{} of {}, {} to learn from, {}, {pace}",
        plural(trace.articles().len() as u64, "article"),
        plural(trace.sources().len() as u64, "source"),
        plural(options.train_weeks.into(), "week"),
        plural(options.seeds, "seed"),
    )
}

pub(super) fn page(trace: &Trace, options: &Replay, summaries: &[Summary]) -> Page {
    let name = options.trace.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut page = Page::new(&format!("Replay of {name}")).text(&format!("{}.", setting(trace, options)));
    for note in trace.notes() {
        page = page.text(note);
    }
    if !options.interest.is_empty() {
        let named: Vec<String> =
            options.interest.iter().map(|(folder, weight)| format!("{folder} {weight}")).collect();
        page = page.text(&format!("What articles are worth, by folder: {}.", named.join(", ")));
    }
    if options.visits_per_day.len() > 1 {
        page = page.picture(&budget_curve(summaries));
    }
    for budget in &options.visits_per_day {
        let these: Vec<Summary> =
            summaries.iter().filter(|one| (one.mean.budget - budget).abs() < 1e-9).cloned().collect();
        page = page
            .heading(&format!("{budget} visits a source and day"))
            .picture(&delay_bars(&these, *budget))
            .table(&HEAD, &cells(&these));
    }
    page.heading("What the figures mean").text(
        "Minutes from publication to the next visit, of the articles of the test weeks but for the last 24 hours; one that is \
         never met waits until the end. What is asked of a policy is adjusted until its visits meet the budget. Intervals: \
         paired bootstrap of days, this policy minus the reference. Bursts: two hours in which a source brings at least three \
         articles and three deviations more than is usual at that time. Gap closed: with each article's weight, from even polling to the oracle, which \
         knows when each article will come.",
    )
}

fn plural(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
