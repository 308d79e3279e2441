use super::*;

fn at(hour: i64) -> Timestamp {
    Timestamp::from_second(1_767_571_200 + hour * 3600).unwrap()
}

fn entry(kind: &str, from: i64, to: i64, multiplier: Option<f64>) -> Entry {
    Entry {
        id: None,
        folder: FolderId(1),
        kind: kind.into(),
        title: kind.into(),
        from: at(from),
        to: at(to),
        multiplier,
        uncertainty: None,
    }
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn the_papers_example_asks_for_evidence() {
    let level = Level { multiplier: 1.7, uncertainty: 0.0 };
    assert!((level.deviations(180.0, 100.0) - 0.77).abs() < 0.005);
    assert_eq!(
        level.words(180.0, 100.0).unwrap(),
        "the calendar expects 170 % of the usual; this is 0.77 deviations above that"
    );
    assert_eq!(Level::USUAL.words(180.0, 100.0), None);
    let vague = Level { multiplier: 1.7, uncertainty: 0.3 };
    assert!(vague.deviations(300.0, 100.0) < 3.0 && level.deviations(300.0, 100.0) > 9.0);
}

#[test]
fn an_entry_counts_for_the_time_that_it_covers() {
    let calendar = Calendar::new([entry("match", 1, 3, Some(3.0))]);
    let level = |from, to| calendar.level(FolderId(1), at(from), at(to)).multiplier;
    close(level(1, 3), 3.0);
    close(level(0, 2), 2.0);
    close(level(3, 5), 1.0);
    close(level(-5, 1), 1.0);
    close(level(0, 4), 2.0);
    assert_eq!(calendar.level(FolderId(2), at(1), at(3)), Level::USUAL);
    assert_eq!(calendar.level(FolderId(1), at(2), at(2)), Level::USUAL);
}

#[test]
fn overlapping_entries_multiply_unless_they_are_of_one_kind() {
    let calendar = Calendar::new([
        entry("match", 0, 4, Some(3.0)),
        entry("match", 2, 4, Some(2.0)),
        entry("award", 2, 4, Some(1.5)),
        entry("strike", 3, 4, Some(900.0)),
    ]);
    let level = |from, to| calendar.level(FolderId(1), at(from), at(to)).multiplier;
    close(level(0, 2), 3.0);
    close(level(2, 3), 4.5);
    close(level(3, 4), Level::HIGHEST);
}

#[test]
fn typed_values_override_estimates() {
    let mut calendar = Calendar::new([
        entry("match", 0, 2, None),
        entry("match", 4, 6, Some(2.0)),
        entry("award", 8, 9, None),
    ]);
    calendar.set_estimate(FolderId(1), "match", Level { multiplier: 1.4, uncertainty: 0.2 });
    let level = |from, to| calendar.level(FolderId(1), at(from), at(to));
    assert_eq!(level(0, 2), Level { multiplier: 1.4, uncertainty: 0.2 });
    assert_eq!(level(4, 6), Level { multiplier: 2.0, uncertainty: 0.0 });
    assert_eq!(level(8, 9), Level::USUAL);
}

#[test]
fn entries_that_make_no_sense_are_refused() {
    let refused = |entry: Entry| entry.checked().unwrap_err().to_string();
    assert!(refused(entry("a", 3, 1, None)).contains("ends before it begins"));
    assert!(refused(entry("a", 3, 3, None)).contains("ends before it begins"));
    assert!(refused(entry("a", 0, 24 * 400, None)).contains("more than a year"));
    for multiplier in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(refused(entry("a", 0, 1, Some(multiplier))).contains("multiplier"), "{multiplier}");
    }
    for uncertainty in [-0.1, f64::NAN, 99.0] {
        let entry = Entry { uncertainty: Some(uncertainty), ..entry("a", 0, 1, None) };
        assert!(refused(entry).contains("uncertainty"));
    }
    assert!(refused(entry(" ", 0, 1, None)).contains("neither"));
    assert!(refused(entry(&"x".repeat(300), 0, 1, None)).contains("200"));
    let entry = Entry { kind: String::new(), title: " Final 2026: A – B ".into(), ..entry("", 0, 1, None) };
    let entry = entry.checked().unwrap();
    assert_eq!((entry.kind.as_str(), entry.title.as_str()), ("final a b", "Final 2026: A – B"));
}
