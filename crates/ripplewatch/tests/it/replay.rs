//! `replay` on small made histories: no data folder, rows with the fields that were promised, and bad input named by its line.

use crate::program::{fails, ok, run};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

const FIELDS: [&str; 11] = [
    "policy",
    "seed",
    "visits_per_source_day",
    "mean_minutes",
    "median_minutes",
    "p95_minutes",
    "burst_mean_minutes",
    "interest_mean_minutes",
    "coverage",
    "visits_per_article",
    "gap_closed",
];

/// Four weeks from Monday, 5 January 2026: ten sources, more by day than by night, some stories of gold.
fn history() -> String {
    let mut text = "published_at,source,url,title\n".to_owned();
    let mut state = 3_u64;
    let start: jiff::Timestamp = "2026-01-05T00:00:00Z".parse().unwrap();
    for hour in 0..28 * 24_i64 {
        for source in 0..10_u64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let by_day = if hour % 24 >= 8 { 1 } else { 5 };
            if (state >> 33) % 100 < (60 >> source.min(5)) / by_day {
                let at = start + jiff::SignedDuration::from_mins(hour * 60 + source.cast_signed() * 5);
                let words = [
                    "gold rises again today",
                    "police and the senate",
                    "snow in china",
                    "soccer and the jobs",
                    "putin",
                ];
                let title = words[(state >> 45) as usize % words.len()];
                let _ = writeln!(
                    text,
                    "{at},site{source}/news,https://site{source}.example/{hour},{title} {hour}"
                );
            }
        }
    }
    text
}

fn written(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn rows_have_the_promised_fields_and_are_the_same_each_time() {
    let data = tempfile::tempdir().unwrap();
    let file = written(data.path(), "history.csv", &history());
    let words = [
        "replay",
        &file,
        "--policies",
        "even,sqrt,day-hour,planner,oracle",
        "--visits-per-day",
        "4.8",
        "--train-weeks",
        "2",
        "--seeds",
        "3",
        "--json",
    ];
    let said = ok(data.path(), &words);
    let rows: Vec<Value> = serde_json::from_str(&said).unwrap();
    assert_eq!(rows.len(), 5 * 3);
    for row in &rows {
        for field in FIELDS {
            assert!(row.get(field).is_some(), "{field} is missing: {row}");
        }
    }
    let of = |policy: &str| -> Vec<&Value> { rows.iter().filter(|row| row["policy"] == policy).collect() };
    assert_eq!(of("planner").iter().map(|row| row["seed"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    for row in of("even").into_iter().chain(of("planner")) {
        let visits = row["visits_per_source_day"].as_f64().unwrap();
        assert!((visits / 4.8 - 1.0).abs() < 0.02, "{row}");
    }
    assert_eq!(said, ok(data.path(), &words), "the same seeds give the same rows");
    assert!(!data.path().join("ripplewatch.db").exists(), "no database is needed, and none is made");
}

#[test]
fn tables_files_and_a_report_that_needs_nothing_else() {
    let data = tempfile::tempdir().unwrap();
    let file = written(data.path(), "history.csv", &history());
    let rules = written(data.path(), "gold.rules", "if title has exact \"gold\" then \"Gold & co\" [1]\n");
    let path = |name: &str| data.path().join(name).to_str().unwrap().to_owned();
    let (csv, svg, html) = (path("rows.csv"), path("curve.svg"), path("report.html"));
    let table = ok(
        data.path(),
        &[
            "replay",
            &file,
            "--policies",
            "even,planner",
            "--visits-per-day",
            "2.4,4.8",
            "--train-weeks",
            "2",
            "--seeds",
            "2",
            "--pace",
            "hourly",
            "--rules",
            &rules,
            "--interest",
            "gold & co=2",
            "--interest",
            "others=0",
            "--csv",
            &csv,
            "--svg",
            &svg,
            "--html",
            &html,
        ],
    );
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.contains("reference") && table.contains("even"), "{table}");
    let rows = std::fs::read_to_string(csv).unwrap();
    assert_eq!(rows.lines().count(), 1 + 8);
    assert!(FIELDS.iter().all(|field| rows.lines().next().unwrap().contains(field)));
    let picture = std::fs::read_to_string(svg).unwrap();
    assert_eq!(picture.matches("<polyline").count(), 2);
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("gold &amp; co 2") && page.contains("width=device-width"), "{page}");
    for outside in ["<script", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "the report reaches out: {outside}");
    }
}

#[test]
fn the_history_may_bring_its_own_folders_and_one_source_is_enough() {
    let data = tempfile::tempdir().unwrap();
    let mut text = "published_at,source,url,title,folders\n".to_owned();
    let start: jiff::Timestamp = "2026-01-05T00:00:00Z".parse().unwrap();
    for number in 0..400_i64 {
        let at = start + jiff::SignedDuration::from_mins(number * 73);
        let _ = writeln!(
            text,
            "{at},only,https://only.example/{number},a,{}",
            ["Tea|Drinks", ""][number as usize % 2]
        );
    }
    let file = written(data.path(), "own.csv", &text);
    let words = ["replay", &file, "--policies", "even", "--train-weeks", "1", "--seeds", "1", "--json"];
    let rows: Vec<Value> =
        serde_json::from_str(&ok(data.path(), &[&words[..], &["--interest", "tea=1"]].concat())).unwrap();
    assert_eq!(rows.len(), 1);
    let said = fails(data.path(), &[&words[..], &["--interest", "tee=1"]].concat(), 2);
    assert!(said.contains("did you mean “Tea”?"), "{said}");
}

#[test]
fn disorder_is_mended_and_told() {
    let data = tempfile::tempdir().unwrap();
    let sorted = history();
    let mut lines: Vec<&str> = sorted.lines().collect();
    lines.swap(10, 20);
    lines.insert(30, lines[29]);
    let file = written(data.path(), "mixed.csv", &(lines.join("\n") + "\n"));
    let words =
        ["replay", file.as_str(), "--policies", "even", "--train-weeks", "2", "--seeds", "1", "--json"];
    let output = run(data.path(), &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("sorted by time") && said.contains("the first is line 12"), "{said}");
    assert!(said.contains("left out") && said.contains("the first is line 31"), "{said}");
    let clean = written(data.path(), "sorted.csv", &sorted);
    let again = ok(
        data.path(),
        &["replay", &clean, "--policies", "even", "--train-weeks", "2", "--seeds", "1", "--json"],
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), again);
}

#[test]
fn bad_input_is_refused_with_its_line() {
    let data = tempfile::tempdir().unwrap();
    let good = history();
    let file = written(data.path(), "good.csv", &good);
    let refused = |words: &[&str]| fails(data.path(), &[&["replay"], words].concat(), 2);
    let bad = |line: &str| {
        let file = written(data.path(), "bad.csv", &format!("{good}{line}\n"));
        fails(data.path(), &["replay", &file, "--policies", "even", "--train-weeks", "2"], 2)
    };
    let last = format!("line {}", good.lines().count() + 1);
    let said = bad("yesterday,a,b,c");
    assert!(said.contains(&last) && said.contains("“yesterday” is no time"), "{said}");
    let said = bad("2999-01-01T00:00:00Z,a,b,c");
    assert!(said.contains(&last) && said.contains("future"), "{said}");
    assert!(bad("2026-01-30T00:00:00Z,a,b").contains("3 columns"));

    let empty = written(data.path(), "empty.csv", "published_at,source,url,title\n");
    assert!(refused(&[&empty]).contains("no article"));
    let other = written(data.path(), "other.csv", "time,page\n");
    assert!(refused(&[&other]).contains("wanted are published_at,source,url,title"));
    assert!(refused(&["/nowhere/history.csv"]).contains("/nowhere/history.csv"));

    assert!(refused(&[&file, "--train-weeks", "0"]).contains("at least one week to learn from"));
    assert!(refused(&[&file]).contains("at most 3 weeks"), "eight weeks are the default");
    let with = |option: &str, value: &str| refused(&[&file, "--train-weeks", "2", option, value]);
    assert!(with("--visits-per-day", "0").contains("more than 0"));
    assert!(with("--visits-per-day", "1000").contains("at most every 5 minutes"));
    assert!(with("--seeds", "0").contains("at least one seed"));
    assert!(with("--policies", "even,planer").contains("Did you mean “planner”?"));
    assert!(with("--policies", "orcale").contains("Did you mean “oracle”?"));
    assert!(with("--interest", "Sport").contains("others=0"));
    assert!(with("--interest", "Sport=-1").contains("no weight"));
    assert!(with("--page-size", "0").contains("at least 1"));
    assert!(
        with("--rules", &written(data.path(), "x.rules", "if title has \"cup then A [1]\n"))
            .contains("line 1")
    );
    assert!(with("--as-published", "table2").contains("table1"));
}

#[test]
fn the_papers_experiments_tell_what_they_owe() {
    let data = tempfile::tempdir().unwrap();
    let file = written(data.path(), "history.csv", &history());
    let path = |name: &str| data.path().join(name).to_str().unwrap().to_owned();
    let (svg, html) = (path("figures.svg"), path("report.html"));
    let words = ["replay", &file, "--train-weeks", "2", "--svg", &svg, "--html", &html, "--as-published"];
    let output = run(data.path(), &[&words[..], &["table1"]].concat());
    let (table, notes) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    assert!(output.status.success(), "{notes}");
    assert!(
        table.contains("static, paper") && table.contains("causal") && table.contains("bottom-up"),
        "{table}"
    );
    assert!(
        notes.contains("Look-ahead") && notes.contains("even polling") && notes.contains("not reproduce"),
        "{notes}"
    );
    assert_eq!(std::fs::read_to_string(&svg).unwrap().matches("Fig. ").count(), 2 * 4);
    assert!(std::fs::read_to_string(&html).unwrap().contains("bottom-up"));
    let result: Value =
        serde_json::from_str(&ok(data.path(), &[&words[..], &["table1", "--json"]].concat())).unwrap();
    assert_eq!(result["folders"].as_array().unwrap().len(), 5);

    let result: Value =
        serde_json::from_str(&ok(data.path(), &[&words[..], &["dc1", "--json"]].concat())).unwrap();
    let hours: Vec<i64> =
        result["delayed"].as_array().unwrap().iter().map(|one| one["hours"].as_i64().unwrap()).collect();
    assert_eq!(hours, [2, 4, 24]);
    let figures = std::fs::read_to_string(&svg).unwrap();
    for figure in ["3-5", "3-6", "3-7", "3-8", "3-9", "3-10", "4-1"] {
        assert!(figures.contains(&format!("Fig. {figure})")), "{figure} is missing");
    }
}
