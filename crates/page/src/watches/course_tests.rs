use super::Kind::{Changed, First, Flapping};
use super::*;
use crate::watches::{Aim, What};

fn terms() -> Terms {
    Terms::new(Aim::at(What::Text))
}

fn part(text: &str) -> Sight {
    Sight::Part(Part::new(text.lines()))
}

fn gone() -> Sight {
    Sight::Gone("nothing matches `.price`".into())
}

/// Looks at these one after the other, an hour apart; what was told of each.
struct Run {
    terms: Terms,
    course: Course,
    hour: i64,
}

impl Run {
    fn new(terms: Terms) -> Self {
        Self { terms, course: Course::default(), hour: 0 }
    }

    fn see(&mut self, sight: impl Into<Option<Sight>>) -> Finding {
        self.hour += 1;
        let at = Timestamp::from_second(self.hour * 3_600).unwrap();
        self.course.look(&self.terms, sight.into(), at)
    }

    fn change(&mut self, sight: impl Into<Option<Sight>>) -> Change {
        self.see(sight).change.expect("a change")
    }
}

#[test]
fn the_first_look_is_the_baseline_and_the_same_is_no_change() {
    let mut run = Run::new(terms());
    assert_eq!(run.see(None), Finding::default(), "nothing seen yet");
    let first = run.change(part("10 euros"));
    assert_eq!((first.kind, first.told), (Kind::First, false));
    assert_eq!(run.see(part("10 euros")).change, None);
    assert_eq!(run.see(None).change, None);
    let change = run.change(part("12 euros"));
    assert_eq!((change.kind, change.told), (Kind::Changed, true));
    assert_eq!(change.diff.text(), "[-10-] {+12+} euros");
    assert_eq!((change.number_before, change.number), (Some(10.0), Some(12.0)));
    assert_eq!(run.course.tellings, 1);
}

#[test]
fn a_part_that_is_gone_is_told_once_and_not_as_a_change_to_nothing() {
    let mut run = Run::new(terms());
    run.see(part("10 euros"));
    let change = run.change(gone());
    assert_eq!((change.kind, change.told), (Kind::Gone, true));
    assert_eq!(change.why, "the part is gone: nothing matches `.price`");
    assert_eq!(change.diff, Diff::default());
    assert_eq!(run.see(gone()).change, None);
    assert_eq!(run.see(Sight::Gone("another reason".into())).change, None);
    let back = run.change(part("11 euros"));
    assert_eq!((back.kind, back.told), (Kind::Back, true));
    assert_eq!(back.diff.text(), "[-10-] {+11+} euros", "against what was there before");
}

#[test]
fn a_part_that_was_never_there_is_awaited() {
    let mut run = Run::new(terms());
    let first = run.change(gone());
    assert_eq!((first.kind, first.told), (Kind::First, false));
    assert_eq!(first.why, "not on the page yet: nothing matches `.price`");
    assert_eq!(run.change(part("on sale")).kind, Kind::Back);
}

#[test]
fn flapping_is_told_once_then_damped() {
    let mut run = Run::new(terms());
    let told: Vec<(Kind, bool)> = ["a", "b", "a", "b", "a", "b", "c", "a"]
        .iter()
        .map(|text| run.change(part(text)))
        .map(|change| (change.kind, change.told))
        .collect();
    assert_eq!(
        told,
        [
            (First, false),
            (Changed, true),
            (Changed, true),
            (Flapping, true),
            (Changed, false),
            // As it was last told anyway.
            (Changed, false),
            (Changed, true),
            (Changed, true)
        ]
    );
}

#[test]
fn what_flapped_and_comes_to_rest_elsewhere_is_told() {
    let mut run = Run::new(terms());
    for text in ["a", "b", "a", "b", "a"] {
        run.see(part(text));
    }
    let mut changes: Vec<Change> = (0..12).filter_map(|_| run.see(None).change).collect();
    let settled = changes.pop().unwrap();
    assert!(changes.is_empty());
    assert_eq!((settled.kind, settled.told), (Kind::Settled, true));
    assert_eq!(settled.diff.text(), "[-b-] {+a+}");
    assert_eq!(run.course.damping.flapping_since(), None);
}

#[test]
fn a_number_moves_against_what_was_last_told() {
    let mut run = Run::new(Terms { moved: Some("up 10 %".parse().unwrap()), ..terms() });
    run.see(part("100"));
    let small = run.change(part("105"));
    assert_eq!((small.told, small.why.as_str()), (false, "100 → 105 is less than up 10 %"));
    let enough = run.change(part("110"));
    assert!(enough.told, "{}", enough.why);
    assert_eq!((enough.number_before, enough.number), (Some(100.0), Some(110.0)));
    assert_eq!(enough.diff.text(), "[-100-] {+110+}", "the diff is against what was told");
    assert!(!run.change(part("120")).told);
    assert!(!run.change(part("90")).told);
    assert!(!run.change(part("no figure today")).told);
    assert!(run.change(part("121")).told);
}

#[test]
fn without_a_first_number_moves_are_measured_from_the_first_there_is() {
    let mut run = Run::new(Terms { moved: Some("by 5".parse().unwrap()), ..terms() });
    run.see(part("soon"));
    assert_eq!(run.change(part("20")).why, "the first number: moves are measured from here");
    assert!(!run.change(part("24")).told);
    assert!(run.change(part("25")).told);
}

#[test]
fn small_changes_add_up_until_they_are_worth_telling() {
    let mut run = Run::new(Terms { notify: "words 3".parse().unwrap(), ..terms() });
    run.see(part("a b c d e f"));
    assert!(!run.change(part("A b c d e f")).told);
    assert!(!run.change(part("A B c d e f")).told);
    let change = run.change(part("A B C d e f"));
    assert!(change.told);
    assert_eq!(change.diff.changed, 3);
}

#[test]
fn words_that_appear_again_appear_again() {
    let mut run = Run::new(Terms { notify: "appears sold out".parse().unwrap(), ..terms() });
    run.see(part("in stock"));
    assert!(run.change(part("sold out")).told);
    assert!(!run.change(part("in stock, 5")).told);
    assert!(!run.change(part("in stock, 4")).told);
    assert!(run.change(part("sold out, really")).told);
}

#[test]
fn what_is_seen_between_looks_waits_for_the_next() {
    let mut run = Run::new(Terms { when: "every 3 hours".parse().unwrap(), ..terms() });
    run.see(part("a"));
    assert_eq!(run.see(part("b")), Finding::default());
    // The page says "not modified" since: what it said then is judged now.
    assert_eq!(run.see(None), Finding::default());
    let change = run.see(None).change.unwrap();
    assert!(change.told);
    assert_eq!(change.diff.text(), "[-a-] {+b+}");
}

#[test]
fn a_watch_ends_and_says_why() {
    let ends = |stop: &str, sights: &[&str]| {
        let mut run = Run::new(Terms { stops: vec![stop.parse().unwrap()], ..terms() });
        sights.iter().map(|text| run.see(part(text)).ended).collect::<Vec<_>>()
    };
    assert_eq!(ends("told 2 times", &["a", "b", "c"]), [None, None, Some("it was told 2 times".into())]);
    assert_eq!(
        ends("contains sold out", &["a", "Sold out"])[1].as_deref(),
        Some("the part contains “sold out”")
    );
    assert_eq!(ends("below 5", &["7", "4"])[1].as_deref(), Some("4 is below 5"));
    assert_eq!(
        ends("after 1970-01-01 02:30", &["a", "a", "a"])[1..],
        [None, Some("its time is over (after 1970-01-01 02:30)".into())]
    );
}

#[test]
fn a_course_survives_being_stored() {
    let mut run = Run::new(terms());
    for text in ["a", "b 3", "a", "b 3"] {
        run.see(part(text));
    }
    run.see(gone());
    let text = serde_json::to_string(&run.course).unwrap();
    assert_eq!(serde_json::from_str::<Course>(&text).unwrap(), run.course);
    assert_eq!(serde_json::from_str::<Course>("{\"looks\":0,\"tellings\":0}").unwrap(), Course::default());
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    /// What a page may show: a few states, gone, or that it is as it was.
    fn sights() -> impl Strategy<Value = Vec<Option<Sight>>> {
        let state = prop_oneof![
            6 => (0..6_u32).prop_map(|n| Some(part(&format!("state {n} of it\nand {} more", n * 10)))),
            1 => Just(Some(gone())),
            3 => Just(None),
        ];
        proptest::collection::vec(state, 0..60)
    }

    fn terms_of(moved: Option<&str>, notify: &str, when: &str) -> Terms {
        Terms {
            moved: moved.map(|moved| moved.parse().unwrap()),
            notify: notify.parse().unwrap(),
            when: when.parse().unwrap(),
            ..terms()
        }
    }

    proptest! {
        /// Nobody is told the same thing twice in a row, every change is on record once, and what is shown is what was
        /// seen last.
        #[test]
        fn what_is_told_is_new_and_what_is_shown_is_true(
            sights in sights(),
            moved in prop_oneof![Just(None), Just(Some("up 10")), Just(Some("by 50 %"))],
            notify in prop_oneof![Just("always"), Just("appears 20 more"), Just("words 2")],
        ) {
            let mut run = Run::new(terms_of(moved, notify, "every visit"));
            let (mut last, mut last_told, mut tellings): (Option<Sight>, Option<i64>, u32) = (None, None, 0);
            for sight in sights {
                let new = sight.clone().filter(|sight| last.as_ref().is_none_or(|last| last.hash() != sight.hash()));
                let change = run.see(sight).change;
                let settled = change.as_ref().is_some_and(|change| change.kind == Kind::Settled);
                prop_assert_eq!(change.is_some(), new.is_some() || settled);
                last = new.or(last);
                let now = run.course.now.as_ref().map(Seen::hash);
                prop_assert_eq!(now, last.as_ref().map(Sight::hash));
                if let Some(change) = change.filter(|change| change.told) {
                    tellings += 1;
                    prop_assert_ne!(last_told, now, "told again: {:?}", change);
                    prop_assert_eq!(run.course.told.as_ref().map(|told| told.seen.hash()), now);
                    last_told = now;
                }
            }
            prop_assert_eq!(run.course.tellings, tellings);
        }

        /// Stored after every look and read again, it goes the same way.
        #[test]
        fn storing_changes_nothing(sights in sights()) {
            let terms = terms_of(None, "always", "every 2 hours");
            let (mut kept, mut stored) = (Run::new(terms.clone()), Run::new(terms));
            for sight in sights {
                prop_assert_eq!(kept.see(sight.clone()), stored.see(sight));
                let text = serde_json::to_string(&stored.course).unwrap();
                stored.course = serde_json::from_str(&text).unwrap();
            }
        }

        /// Looking seldom misses nothing that lasts: at a look that counts, what the page shows then is judged.
        #[test]
        fn a_seldom_look_sees_what_is_there(sights in sights()) {
            let mut run = Run::new(terms_of(None, "always", "every 5 hours"));
            let mut last = None;
            for sight in sights {
                last = sight.clone().or(last);
                let looks = run.course.looks;
                run.see(sight);
                if run.course.looks > looks {
                    prop_assert_eq!(run.course.now.as_ref().map(Seen::hash), last.as_ref().map(Sight::hash));
                }
            }
        }
    }
}
