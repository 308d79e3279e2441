use super::*;
use proptest::prelude::*;

fn berlin() -> TimeZone {
    TimeZone::get("Europe/Berlin").unwrap()
}

fn now() -> Timestamp {
    "2026-06-01T00:00:00Z".parse().unwrap()
}

/// A calendar of one event with these lines.
fn calendar(lines: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\n{lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

fn read(text: &str) -> Import {
    read_ics(text, FolderId(7), &berlin(), now()).unwrap()
}

/// The spans of an event's dates.
fn spans(lines: &str) -> Vec<String> {
    let import = read(&calendar(lines));
    assert_eq!(import.problems, [], "{lines}");
    import.entries.iter().map(|entry| format!("{}/{}", entry.from, entry.to)).collect()
}

/// What is said of an event.
fn problem(lines: &str) -> String {
    let problems = read(&calendar(lines)).problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].to_string()
}

#[test]
fn a_match_with_its_title_and_kind() {
    let import = read(&calendar(
        "DTSTART;TZID=Europe/London:20260611T200000\r\nDTEND;TZID=Europe/London:20260611T220000\r\n\
         SUMMARY:World Cup 2026\\, match 1:\r\n  Mexico – Canada\r\nBEGIN:VALARM\r\nSUMMARY:not this\r\nEND:VALARM",
    ));
    assert_eq!(import.problems, []);
    let entry = &import.entries[0];
    assert_eq!(entry.title, "World Cup 2026, match 1: Mexico – Canada");
    assert_eq!(entry.kind, "world cup match mexico canada");
    assert_eq!((entry.folder, entry.multiplier, entry.id), (FolderId(7), None, None));
    assert_eq!(entry.from.to_string(), "2026-06-11T19:00:00Z");
    let import = read(&calendar("DTSTART:20260611T200000Z\nSUMMARY:x\nCATEGORIES:Football,Sport"));
    assert_eq!(import.entries[0].kind, "football");
}

#[test]
fn dates_times_and_lengths() {
    assert_eq!(spans("DTSTART;VALUE=DATE:20260611"), ["2026-06-10T22:00:00Z/2026-06-11T22:00:00Z"]);
    assert_eq!(
        spans("DTSTART;VALUE=DATE:20260611\nDTEND;VALUE=DATE:20260613"),
        ["2026-06-10T22:00:00Z/2026-06-12T22:00:00Z"]
    );
    assert_eq!(spans("DTSTART:20260611T200000"), ["2026-06-11T18:00:00Z/2026-06-11T20:00:00Z"]);
    assert_eq!(
        spans("DTSTART:20260611T200000Z\nDURATION:PT90M"),
        ["2026-06-11T20:00:00Z/2026-06-11T21:30:00Z"]
    );
    assert_eq!(spans("DTSTART:20100611T200000Z").len(), 1, "a single date of long ago may teach");
    assert_eq!(spans("STATUS:CANCELLED\nDTSTART:20260611T200000Z"), Vec::<String>::new());
}

#[test]
fn events_that_repeat() {
    // Weekly over the change of the clock in October: the same time on the wall.
    assert_eq!(
        spans("DTSTART;TZID=Europe/Berlin:20261019T200000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=2"),
        ["2026-10-19T18:00:00Z/2026-10-19T19:00:00Z", "2026-10-26T19:00:00Z/2026-10-26T20:00:00Z"]
    );
    let starts = |lines: &str| -> Vec<String> {
        spans(lines).iter().map(|span| span.split('T').next().unwrap().to_owned()).collect()
    };
    assert_eq!(
        starts("DTSTART:20260602T100000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=4"),
        ["2026-06-04", "2026-06-15", "2026-06-18", "2026-06-29"]
    );
    assert_eq!(
        starts("DTSTART:20260602T100000Z\nRRULE:FREQ=DAILY;UNTIL=20260604T100000Z\nEXDATE:20260603T100000Z"),
        ["2026-06-02", "2026-06-04"]
    );
    assert_eq!(
        starts("DTSTART:20260131T100000Z\nRRULE:FREQ=MONTHLY;COUNT=3"),
        ["2026-01-31", "2026-03-31", "2026-05-31"]
    );
    assert_eq!(
        starts("DTSTART:20251111T100000Z\nRRULE:FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=11"),
        ["2025-11-11", "2026-11-11", "2027-11-11"]
    );
    // A holiday since 1950: a year back, two ahead.
    assert_eq!(
        starts("DTSTART;VALUE=DATE:19501225\nRRULE:FREQ=YEARLY"),
        ["2025-12-24", "2026-12-24", "2027-12-24"],
        "Christmas in Berlin begins the evening before in UTC"
    );
    assert_eq!(
        starts("DTSTART:20260602T100000Z\nRRULE:FREQ=DAILY;UNTIL=20260603").len(),
        2,
        "a date includes its day"
    );
}

#[test]
fn a_moved_instance_stands_for_itself() {
    let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:weekly\nDTSTART:20260602T100000Z\nRRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\n\
                BEGIN:VEVENT\nUID:a\nSUMMARY:weekly\nRECURRENCE-ID:20260609T100000Z\nDTSTART:20260610T150000Z\nEND:VEVENT\nEND:VCALENDAR";
    let starts: Vec<_> = read(text).entries.iter().map(|entry| entry.from.to_string()).collect();
    assert_eq!(starts, ["2026-06-02T10:00:00Z", "2026-06-10T15:00:00Z", "2026-06-16T10:00:00Z"]);
}

#[test]
fn what_is_odd_is_told_with_its_line() {
    assert!(
        problem("DTSTART:20260611T200000Z\nDTEND:20260610T200000Z")
            .contains("line 3: it ends before it begins")
    );
    assert!(problem("DTSTART:soon").contains("line 5: “soon” is no date or time"));
    assert!(problem("SUMMARY:when?").contains("no DTSTART"));
    assert!(problem("DTSTART;TZID=Mars/Olympus:20260611T200000").contains("“Mars/Olympus” is not known"));
    assert!(problem("DTSTART:20260611T200000Z\nDURATION:long").contains("“long” is no duration"));
    assert!(problem("DTSTART:20260611T200000Z\nRRULE:FREQ=HOURLY").contains("only the first date was taken"));
    assert!(problem("DTSTART:20260611T200000Z\nRRULE:FREQ=WEEKLY;INTERVAL=0").contains("INTERVAL=0"));
    assert!(problem("DTSTART:20260611T200000Z\nRRULE:FREQ=MONTHLY;BYDAY=2TU").contains("2TU"));
    assert!(
        problem("DTSTART:20260611T200000Z\nRRULE:FREQ=YEARLY;BYMONTH=7")
            .contains("other dates than its first")
    );
    assert!(problem("DTSTART:20260611T200000Z\nRDATE:20260612T200000Z").contains("RDATE"));
    assert!(problem("DTSTART:20260611T200000Z\nno colon here").contains("line 6"));
    assert_eq!(
        read(&calendar("DTSTART:20260611T200000Z\nno colon here")).entries.len(),
        1,
        "the rest is read"
    );
}

#[test]
fn what_is_no_calendar_is_refused() {
    let refused = |text: &str| read_ics(text, FolderId(1), &berlin(), now()).unwrap_err().to_string();
    assert!(refused("").contains("BEGIN:VCALENDAR"));
    assert!(refused("<html>").contains("BEGIN:VCALENDAR"));
    assert!(refused("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260611").contains("cut off"));
    assert!(refused(&format!("BEGIN:VCALENDAR\n{}", "X".repeat(LARGEST))).contains("5 are read at most"));
    assert_eq!(read("\u{feff}BEGIN:VCALENDAR\r\nEND:VCALENDAR"), Import::default());
}

#[test]
fn no_rule_keeps_the_reader_busy() {
    let event =
        "BEGIN:VEVENT\nDTSTART:00010101T000000Z\nSUMMARY:x\nRRULE:FREQ=DAILY;COUNT=999999999\nEND:VEVENT\n";
    let text = format!("BEGIN:VCALENDAR\n{}END:VCALENDAR", event.repeat(1000));
    let import = read(&text);
    assert!(import.problems.iter().all(|problem| problem.message.contains("too often")));
    assert_eq!(import.problems.len(), PROBLEMS);
    let daily = read(&calendar("DTSTART:19700101T000000Z\nRRULE:FREQ=DAILY"));
    assert_eq!(
        daily.entries.len(),
        1000 - 366,
        "a thousand dates of one event, from a year before the horizon on"
    );
}

proptest! {
    #[test]
    fn no_text_trips_the_reader(
        lines in prop::collection::vec(
            prop_oneof![
                "\\PC{0,40}", "[ \t]?[A-Z;=:,\"\\\\0-9TZP/-]{0,40}",
                "DTSTART[:;](VALUE=DATE:|TZID=[A-Za-z/]{0,12}:)?[0-9]{0,9}T?[0-9]{0,7}Z?",
                "DTEND:[0-9]{8}(T[0-9]{6}Z?)?", "DURATION:P[0-9WDTHMS]{0,14}", "EXDATE:[0-9TZ,]{0,40}",
                "RRULE:FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;(INTERVAL|COUNT|UNTIL|BYDAY)=[A-Z0-9,]{0,9}){0,3}",
                Just("BEGIN:VEVENT".to_owned()), Just("END:VEVENT".to_owned()), Just("BEGIN:VALARM".to_owned()),
                Just("RECURRENCE-ID:20260609T100000Z".to_owned()), Just("END:VCALENDAR".to_owned()),
                Just("DTSTART:99991231T235959Z".to_owned()), Just("DTSTART;VALUE=DATE:99991231".to_owned()),
            ],
            0..40,
        ),
        end in "\r?\n",
    ) {
        let text = format!("BEGIN:VCALENDAR{end}{}{end}END:VCALENDAR", lines.join(&end));
        if let Ok(import) = read_ics(&text, FolderId(1), &TimeZone::UTC, now()) {
            for entry in import.entries {
                prop_assert!(entry.clone().checked().is_ok(), "{entry:?}");
            }
        }
    }

    #[test]
    fn no_bytes_trip_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = format!("BEGIN:VCALENDAR\n{}", String::from_utf8_lossy(&bytes));
        let _ = read_ics(&text, FolderId(1), &TimeZone::UTC, now());
    }
}
