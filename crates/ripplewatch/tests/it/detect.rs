//! `detect` on count files: no data folder, a line a window, and bad files named by their line.

use crate::program::{fails, ok, program, run};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const DETECTORS: [&str; 7] = ["default", "day-hour", "dc1", "grubbs", "negative-binomial", "ears", "cusum"];

/// Six weeks of two-hour windows from Monday, 5 January 2026, of two sources; a burst in the last week.
fn series(header: bool) -> String {
    let mut text = if header { "time,folder,source,count\n".to_owned() } else { String::new() };
    let start: jiff::Timestamp = "2026-01-05T00:00:00Z".parse().unwrap();
    for window in 0..6 * 84_i64 {
        let time = start + jiff::SignedDuration::from_hours(2 * window);
        let busy = window % 12 >= 4;
        for (source, usual) in [("a", if busy { 4 } else { 1 }), ("b", if busy { 3 } else { 0 })] {
            let noise = (window * 7 + window / 5) % 3;
            let burst = if (460..464).contains(&window) { 40 } else { 0 };
            let _ = writeln!(text, "{time},Sport,{source},{}", usual + noise + burst);
        }
    }
    text
}

fn written(folder: &Path, text: &str) -> String {
    let file = folder.join("counts.csv");
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_detector_finds_the_burst_and_prints_a_line_a_window() {
    let data = tempfile::tempdir().unwrap();
    let file = written(data.path(), &series(true));
    for detector in DETECTORS {
        let said = lines(&ok(data.path(), &["detect", &file, "--detector", detector, "--json"]));
        assert_eq!(said.len(), 6 * 84, "{detector}");
        let mut keys: Vec<_> = said[0].as_object().unwrap().keys().cloned().collect();
        keys.sort();
        assert_eq!(keys, ["alarm", "expected", "folder", "observed", "score", "time"]);
        assert_eq!(said[0]["time"], "2026-01-05T00:00:00Z");
        assert_eq!(said[0]["folder"], "Sport");
        assert!(said.iter().all(|window| window["observed"].is_number() && window["score"].is_number()));
        let alarms: Vec<usize> = (0..said.len()).filter(|n| said[*n]["alarm"] == true).collect();
        assert!(alarms.iter().any(|n| (460..464).contains(n)), "{detector}: {alarms:?}");
        assert_eq!(
            said[460]["observed"].as_f64().unwrap() as i64,
            said[460]["observed"].as_f64().unwrap().round() as i64
        );
    }
    assert!(!data.path().join("ripplewatch.db").exists(), "no database is needed, and none is made");
}

#[test]
fn people_get_a_table_of_alarms_and_a_summary() {
    let data = tempfile::tempdir().unwrap();
    let file = written(data.path(), &series(true));
    let output = run(data.path(), &["detect", &file, "--detector", "dc1"]);
    let (table, talk) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success());
    assert!(table.lines().next().unwrap().contains("observed"), "{table}");
    assert!(table.contains("2026-02-12T08:00:00Z") && table.contains("Sport"), "{table}");
    assert!(talk.contains("in 504 windows of 2h in 1 folder, by the detector dc1"), "{talk}");
}

#[test]
fn rows_and_columns_may_come_in_any_order_and_from_standard_input() {
    let data = tempfile::tempdir().unwrap();
    let file = written(data.path(), &series(true));
    let sorted = ok(data.path(), &["detect", &file, "--json"]);
    let mut rows: Vec<String> = series(false)
        .lines()
        .map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            format!(
                "{},\"{}\",extra,{},{}",
                fields[3],
                fields[2],
                fields[1],
                fields[0].replace('Z', "+00:00")
            )
        })
        .collect();
    rows.reverse();
    let text = format!("\u{feff}Count,source,note,folder,time\r\n{}\r\n", rows.join("\r\n"));
    let mut child = program(data.path())
        .args(["detect", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    // Sources are numbered as they are met, which must not matter.
    assert_eq!(lines(&String::from_utf8(output.stdout).unwrap()), lines(&sorted));
}

#[test]
fn a_missing_row_is_not_a_zero() {
    let data = tempfile::tempdir().unwrap();
    let start: jiff::Timestamp = "2026-01-05T00:00:00Z".parse().unwrap();
    let mut text = "time,folder,source,count\n".to_owned();
    for window in 0..40 * 12_i64 {
        // Source b is not seen for the last ten days but one window; a month of nothing would teach that it is quiet.
        let time = start + jiff::SignedDuration::from_hours(2 * window);
        let _ = writeln!(text, "{time},x,a,5");
        if window < 360 || window == 479 {
            let _ = writeln!(text, "{time},x,b,5");
        }
    }
    let file = written(data.path(), &text);
    for detector in DETECTORS {
        let said = lines(&ok(data.path(), &["detect", &file, "--detector", detector, "--json"]));
        assert_eq!(said[479]["alarm"], false, "{detector}: {}", said[479]);
        assert_eq!(said[400]["observed"], 5.0);
    }
    // A gap in the file is no window.
    let gap: String = text
        .lines()
        .enumerate()
        .filter(|(n, _)| !(101..201).contains(n))
        .map(|(_, l)| format!("{l}\n"))
        .collect();
    let file = written(data.path(), &gap);
    assert_eq!(lines(&ok(data.path(), &["detect", &file, "--json"])).len(), 480 - 50);
}

#[test]
fn bad_files_are_named_by_their_line() {
    let data = tempfile::tempdir().unwrap();
    let head = "time,folder,source,count\n2026-01-05T00:00:00Z,x,a,1\n2026-01-05T02:00:00Z,x,a,1\n2026-01-05T04:00:00Z,x,a,1\n";
    for (text, named) in [
        (String::new(), "empty"),
        ("time,folder,source,count\n".to_owned(), "no rows"),
        ("2026-01-05T00:00:00Z,x,a,1\n".to_owned(), "line 1: there is no column “time”"),
        ("time,folder,count\n2026-01-05T00:00:00Z,x,1\n".to_owned(), "no column “source”"),
        ("time,time,folder,source,count\n".to_owned(), "two columns “time”"),
        (format!("{head}2026-01-05T06:00:00Z,x,a,-4\n"), "line 5: the count -4 is negative"),
        (format!("{head}2026-01-05T06:00:00Z,x,a,4294967296\n"), "line 5: the count 4294967296 is too large"),
        (format!("{head}2026-01-05T06:00:00Z,x,a,many\n"), "line 5: the count “many” is no whole number"),
        (format!("{head}2026-01-05T06:00:00Z,x,a,1.5\n"), "line 5"),
        (format!("{head}2026-01-05T06:00:00Z,x,a,\n"), "line 5"),
        (format!("{head}yesterday,x,a,4\n"), "line 5: “yesterday” is no time"),
        (format!("{head}2026-01-05T06:00:00,x,a,4\n"), "line 5"),
        (
            format!(
                "{head}2026-01-05T05:00:00Z,x,a,4\n2026-01-05T06:00:00Z,x,a,4\n2026-01-05T08:00:00Z,x,a,4\n"
            ),
            "line 5: 2026-01-05T05:00:00Z does not begin a window",
        ),
        (
            format!("{head}2026-01-05T02:00:00Z,x,a,4\n"),
            "line 5: the same time, folder and source are in line 3",
        ),
        (format!("{head}2026-01-05T06:00:00Z,x,a\n"), "line 5: it has 3 values"),
        (format!("{head}2026-01-05T06:00:00Z,,a,1\n"), "line 5: folder and source must not be empty"),
        (
            "time,folder,source,count\n2026-01-05T00:00:00Z,x,a,1\n2026-01-05T00:00:01Z,x,a,1\n".to_owned(),
            "only of a minute to 31 days",
        ),
    ] {
        let file = written(data.path(), &text);
        let said = fails(data.path(), &["detect", &file, "--json"], 2);
        assert!(said.contains(named) && said.contains("counts.csv"), "{text}: {said}");
    }
    std::fs::write(
        data.path().join("counts.csv"),
        b"time,folder,source,count\n2026-01-05T00:00:00Z,\xff,a,1\n",
    )
    .unwrap();
    let file = data.path().join("counts.csv");
    let file = file.to_str().unwrap();
    assert!(fails(data.path(), &["detect", file], 2).contains("UTF-8"));
    assert!(fails(data.path(), &["detect", "/no/such/file"], 1).contains("/no/such/file"));
    let output = run(data.path(), &["detect", file, "--detector", "oracle"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("choose one of default, day-hour"), "{said}");
    let output = run(data.path(), &["detect", file, "--zone", "Mars"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn huge_counts_are_counted() {
    let data = tempfile::tempdir().unwrap();
    let text = series(true).replace("T00:00:00Z,Sport,a,1\n", "T00:00:00Z,Sport,a,4294967295\n");
    let file = written(data.path(), &text);
    for detector in DETECTORS {
        let said = lines(&ok(data.path(), &["detect", &file, "--detector", detector, "--json"]));
        assert!(
            said.iter().all(|window| window["expected"].is_number() && window["score"].is_number()),
            "{detector}"
        );
    }
}
