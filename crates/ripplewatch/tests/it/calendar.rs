//! The calendar from the command line.

use crate::program::{fails, json, ok};
use std::path::Path;

const ICS: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Cup final 2027\r\nDTSTART:20270611T180000Z\r\n\
                   DTEND:20270611T200000Z\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:2\r\nSUMMARY:Odd one\r\n\
                   DTSTART:20270612T180000Z\r\nDTEND:20270612T170000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

fn written(folder: &Path, text: &[u8]) -> String {
    let file = folder.join("dates.ics");
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn dates_are_added_listed_and_removed() {
    let data = tempfile::tempdir().unwrap();
    ok(data.path(), &["folders", "create", "Sport"]);
    let add = [
        "calendar",
        "add",
        "Cup final 2026",
        "--folder",
        "Sport",
        "--from",
        "2026-06-11",
        "--to",
        "2026-06-12",
    ];
    assert_eq!(json(data.path(), &[&add[..], &["--multiplier", "1.7"]].concat())["added"], 1);
    assert_eq!(json(data.path(), &[&add[..], &["--multiplier", "1.9"]].concat())["updated"], 1);
    let entries = json(data.path(), &["calendar", "list"]);
    let entry = &entries.as_array().unwrap()[0];
    assert_eq!(entry["kind"], "cup final");
    assert_eq!(
        (entry["from"].as_str(), entry["to"].as_str()),
        (Some("2026-06-11T00:00:00Z"), Some("2026-06-13T00:00:00Z"))
    );
    assert!((entry["level"]["multiplier"].as_f64().unwrap() - 1.9).abs() < 1e-12);
    let table = ok(data.path(), &["calendar", "list", "--folder", "Sport"]);
    assert!(table.contains("190 %") && table.contains("Cup final 2026"), "{table}");
    fails(data.path(), &["calendar", "remove", "1", "7"], 3);
    ok(data.path(), &["calendar", "remove", "1"]);
    assert!(json(data.path(), &["calendar", "list"]).as_array().unwrap().is_empty());
    assert!(fails(data.path(), &["calendar", "remove", "1"], 3).contains("calendar entry 1"));
}

#[test]
fn an_ics_file_is_imported_whole_or_not_at_all() {
    let data = tempfile::tempdir().unwrap();
    ok(data.path(), &["folders", "create", "Sport"]);
    let file = written(data.path(), ICS.as_bytes());
    let import = ["calendar", "import", file.as_str(), "--folder", "Sport"];
    let said = fails(data.path(), &import, 2);
    assert!(said.contains("line 8: it ends before it begins"), "{said}");
    assert!(said.contains("Nothing was imported") && said.contains("--skip"), "{said}");
    assert!(json(data.path(), &["calendar", "list"]).as_array().unwrap().is_empty());
    let said = json(data.path(), &[&import[..], &["--skip"]].concat());
    assert_eq!((said["added"].as_u64(), said["problems"].as_array().unwrap().len()), (Some(1), 1));
    let said = json(data.path(), &[&import[..], &["--skip", "--kind", "Final"]].concat());
    assert_eq!(said["updated"], 1, "again is no second entry");
    assert_eq!(json(data.path(), &["calendar", "list"])[0]["kind"], "final");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let data = tempfile::tempdir().unwrap();
    ok(data.path(), &["folders", "create", "Sport"]);
    for (from, to, more, named) in [
        ("2026-06-12", "2026-06-10", &[][..], "ends before it begins"),
        ("soon", "2026-06-10", &[], "“soon” is no time"),
        ("2026-06-10", "2028-06-10", &[], "more than a year"),
        ("2026-06-10", "2026-06-10", &["--multiplier", "0"], "multiplier"),
        ("2026-06-10", "2026-06-10", &["--multiplier", "NaN"], "multiplier"),
        ("2026-06-10", "2026-06-10", &["--multiplier=-2"], "multiplier"),
        ("2026-06-10", "2026-06-10", &["--uncertainty", "inf"], "uncertainty"),
    ] {
        let words = ["calendar", "add", "x", "--folder", "Sport", "--from", from, "--to", to];
        let said = fails(data.path(), &[&words[..], more].concat(), 2);
        assert!(said.contains(named), "{said}");
    }
    fails(
        data.path(),
        &["calendar", "add", "x", "--folder", "None", "--from", "2026-06-10", "--to", "2026-06-10"],
        3,
    );
    for (bytes, named) in [
        (&b""[..], "BEGIN:VCALENDAR"),
        (b"<html></html>", "BEGIN:VCALENDAR"),
        (b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n", "cut off"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"BEGIN:VCALENDAR\nEND:VCALENDAR\n", "no date"),
    ] {
        let file = written(data.path(), bytes);
        let said = fails(data.path(), &["calendar", "import", &file, "--folder", "Sport"], 2);
        assert!(said.contains(named) && said.contains("Nothing was imported"), "{said}");
    }
    assert!(
        fails(data.path(), &["calendar", "import", "/no/such", "--folder", "Sport"], 1).contains("/no/such")
    );
    assert!(json(data.path(), &["calendar", "list"]).as_array().unwrap().is_empty());
}
