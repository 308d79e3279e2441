//! `plan`, `trace export` and journals, through the whole program.

use crate::program::{Running, fails, json, ok, on_postgres, until};

#[test]
fn policy_budget_and_interests_are_set_and_shown() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    ok(data, &["folders", "create", "Sport"]);
    let shown = ok(data, &["plan", "settings"]);
    assert!(shown.contains("planner") && shown.contains("48.0 visits a source and day"), "{shown}");
    ok(
        data,
        &[
            "plan",
            "set",
            "--policy",
            "sqrt",
            "--visits-per-source",
            "6",
            "--interest",
            "Sport=5",
            "--interest",
            "others=0.5",
        ],
    );
    let set = json(data, &["plan", "settings"]);
    assert_eq!((&set["choice"]["policy"], &set["visits_per_source_day"]), (&"sqrt".into(), &6.0.into()));
    assert_eq!(set["choice"]["interests"]["others"], 0.5);
    let shown = ok(data, &["plan", "set", "--visits-per-source", "configured", "--interest", "Sport="]);
    assert!(shown.contains("48.0") && !shown.contains("Sport"), "{shown}");

    assert!(fails(data, &["plan", "set", "--policy", "plannner"], 2).contains("did you mean \"planner\""));
    assert!(fails(data, &["plan", "set", "--visits-per-source", "0"], 2).contains("more than no visits"));
    assert!(fails(data, &["plan", "set", "--visits-per-source", "900"], 2).contains("rude"));
    assert!(fails(data, &["plan", "set", "--interest", "Sprot=5"], 2).contains("no folder “Sprot”"));
    assert!(fails(data, &["plan", "set", "--interest", "Sport"], 2).contains("FOLDER=WEIGHT"));
    assert!(fails(data, &["plan", "set", "--pace", "slow"], 2).contains("free or hourly"));
    assert!(fails(data, &["trace", "export", "x.csv"], 2).contains("no history yet"));
}

#[test]
fn a_live_demo_keeps_a_journal_and_its_history_can_be_replayed() {
    let data = tempfile::tempdir().unwrap();
    let (folder, journal, trace) =
        (data.path().join("demo"), data.path().join("journal"), data.path().join("own.csv.gz"));
    let words = [
        "demo",
        "--speed",
        "600",
        "--listen",
        "127.0.0.1:0",
        "--data",
        folder.to_str().unwrap(),
        "--journal",
        journal.to_str().unwrap(),
    ];
    let running = Running::start(data.path(), &words);
    // What is counted is one day of the demo's clock: it must be longer than a slow machine needs for so many visits.
    until("some visits are made", || {
        running.json("/api/v1/planning/spending")["spent"].as_u64().unwrap() > 250
    });
    assert!(running.stop().1);
    let told = ok(data.path(), &["laboratory", "retrace", journal.to_str().unwrap()]);
    let same: usize = told.split(' ').next().unwrap().parse().unwrap();
    assert!(same > 250 && told.contains("all of them the same"), "{told}");

    // One decision changed by hand is noticed.
    let text = std::fs::read_to_string(&journal).unwrap();
    let place = text.rfind("\"planned\":{\"at\":\"20").unwrap() + 17;
    let mut wrong = text.clone();
    wrong.replace_range(place..place + 4, "2031");
    std::fs::write(&journal, wrong).unwrap();
    assert!(
        fails(data.path(), &["laboratory", "retrace", journal.to_str().unwrap()], 1)
            .contains("decided otherwise")
    );
    std::fs::write(&journal, "no journal").unwrap();
    assert!(fails(data.path(), &["laboratory", "retrace", journal.to_str().unwrap()], 2).contains("line 1"));

    // The demo's clock is in the past of this one.
    let kept = if on_postgres() { data.path() } else { &folder };
    ok(kept, &["trace", "export", trace.to_str().unwrap(), "--weeks", "5200"]);
    assert!(fails(kept, &["trace", "export", trace.to_str().unwrap()], 2).contains("already"));
    let said = fails(data.path(), &["replay", trace.to_str().unwrap(), "--policies", "even"], 2);
    assert!(said.contains("days"), "a short history is refused with its length: {said}");
}
