use super::*;
use proptest::prelude::*;

fn part(lines: &[&str]) -> Part {
    Part::new(lines)
}

fn shown(old: &[&str], new: &[&str]) -> String {
    Diff::between(&part(old), &part(new)).text()
}

#[test]
fn a_word_is_shown_with_what_stands_around_it() {
    let old = "one two three four five six seven eight nine ten eleven price 10 euros today only and so on and on for ever and ever";
    let new = old.replace("10", "12");
    assert_eq!(
        shown(&[old], &[&new]),
        "five six seven eight nine ten eleven price [-10-] {+12+} euros today only and so on and on"
    );
    let diff = Diff::between(&part(&[old]), &part(&[&new]));
    assert_eq!((diff.removed, diff.added, diff.changed), (1, 1, 1));
    assert_eq!(diff.summary(), "1 word came, 1 went");
}

#[test]
fn far_places_are_apart_and_near_ones_together() {
    let words: Vec<String> = (0..60).map(|n| format!("w{n}")).collect();
    let old = words.join(" ");
    let far = old.replace("w10", "x").replace("w50", "y");
    assert_eq!(Diff::between(&part(&[&old]), &part(&[&far])).hunks.len(), 2);
    let near = old.replace("w10", "x").replace("w20", "y");
    assert_eq!(Diff::between(&part(&[&old]), &part(&[&near])).hunks.len(), 1);
}

#[test]
fn a_lonely_word_between_two_changes_joins_them() {
    assert_eq!(
        shown(&["the big red dog ran"], &["the small red cat ran"]),
        "the [-big red dog-] {+small red cat+} ran"
    );
}

#[test]
fn words_that_only_come_leave_their_neighbours_alone() {
    assert_eq!(shown(&["10 euros"], &["12 euros & more"]), "[-10-] {+12+} euros {+& more+}");
}

#[test]
fn lines_that_come_and_go() {
    assert_eq!(shown(&["a", "c"], &["a", "b", "c"]), "a\n{+b+}\nc");
    assert_eq!(shown(&[], &["new here"]), "{+new here+}");
    assert_eq!(shown(&["old", "gone"], &[]), "[-old\ngone-]");
    assert_eq!(shown(&["same"], &["same"]), "");
}

#[test]
fn unspaced_scripts_are_compared_by_character() {
    assert_eq!(shown(&["央行维持利率"], &["央行提高利率"]), "央行[-维持-]{+提高+}利率");
}

#[test]
fn sets_have_no_order() {
    let set = |lines: &[&str]| part(lines).without_order();
    let diff = Diff::between(&set(&["a — /a", "b — /b"]), &set(&["c — /c", "a — /a"]));
    assert_eq!(diff.text(), "[-b — /b-]\n…\n{+c — /c+}");
    assert_eq!(Diff::between(&set(&["a", "b"]), &set(&["b", "a"])), Diff::default());
}

#[test]
fn long_parts_are_compared_by_line_and_bounded() {
    let old: Vec<String> = (0..2_000).map(|n| format!("row {n} has its words")).collect();
    let mut new = old.clone();
    new[700] = "row 700 has other words".into();
    new.remove(1500);
    let (old, new) = (Part::new(old), Part::new(new));
    let diff = Diff::between(&old, &new);
    assert_eq!(diff.hunks.len(), 2);
    assert!(diff.text().contains("[-its-] {+other+}"), "{}", diff.text());
    let other = Part::new((0..1_900).map(|n| format!("quite another {n} thing {}", n * 7)));
    let diff = Diff::between(&old, &other);
    assert!(diff.cut && diff.text().len() < 40_000);
}

/// Longest common subsequence by the book.
fn lcs(old: &[Token<'_>], new: &[Token<'_>]) -> usize {
    let mut best = vec![vec![0; new.len() + 1]; old.len() + 1];
    for (i, a) in old.iter().enumerate() {
        for (j, b) in new.iter().enumerate() {
            best[i + 1][j + 1] = if a == b { best[i][j] + 1 } else { best[i][j + 1].max(best[i + 1][j]) };
        }
    }
    best[old.len()][new.len()]
}

fn line() -> impl Strategy<Value = String> {
    proptest::collection::vec("[abc新]{1,2}", 0..8).prop_map(|words| words.join(" "))
}

proptest! {
    /// The steps lead from one to the other and keep as many words as can be kept.
    #[test]
    fn steps_are_right_and_shortest(old in proptest::collection::vec(line(), 0..5), new in proptest::collection::vec(line(), 0..5)) {
        let (old, new) = (tokens(&old), tokens(&new));
        let (mut at_old, mut at_new, mut kept) = (0, 0, 0);
        for step in steps(&old, &new) {
            match step {
                Step::Same(range) => {
                    prop_assert_eq!(range.start, at_old);
                    prop_assert_eq!(&old[range.clone()], &new[at_new..at_new + range.len()]);
                    (at_old, at_new, kept) = (range.end, at_new + range.len(), kept + range.len());
                }
                Step::Change(went, came) => {
                    prop_assert_eq!((went.start, came.start), (at_old, at_new));
                    (at_old, at_new) = (went.end, came.end);
                }
            }
        }
        prop_assert_eq!((at_old, at_new), (old.len(), new.len()));
        prop_assert_eq!(kept, lcs(&old, &new));
    }

    /// Short parts are shown whole around their changes: the two sides can be read off the diff.
    #[test]
    fn both_sides_can_be_read_off(old in "([abc新]{1,2} ){0,4}", new in "([abc新]{1,2} ){0,4}") {
        let (old, new) = (Part::new([old]), Part::new([new]));
        let diff = Diff::between(&old, &new);
        prop_assert_eq!(diff.hunks.is_empty(), old.hash() == new.hash());
        if let [hunk] = diff.hunks.as_slice() {
            let side = |wanted: fn(&Piece) -> Option<&str>| {
                let text: String = hunk.0.iter().filter_map(wanted).collect();
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            };
            let before = side(|piece| match piece { Piece::Same(t) | Piece::Removed(t) => Some(t), Piece::Added(_) => None });
            let after = side(|piece| match piece { Piece::Same(t) | Piece::Added(t) => Some(t), Piece::Removed(_) => None });
            prop_assert_eq!(before.replace(' ', ""), old.text().replace([' ', '\n'], ""));
            prop_assert_eq!(after.replace(' ', ""), new.text().replace([' ', '\n'], ""));
        }
    }

    /// Nothing is reported as changed that stands on both sides in a set.
    #[test]
    fn sets_are_compared_as_sets(old in proptest::collection::vec("[a-e]", 0..6), new in proptest::collection::vec("[a-e]", 0..6)) {
        let (old, new) = (Part::new(old).without_order(), Part::new(new).without_order());
        let diff = Diff::between(&old, &new);
        let (a, b): (HashSet<_>, HashSet<_>) = (old.lines.iter().collect(), new.lines.iter().collect());
        prop_assert_eq!(diff.removed as usize, a.difference(&b).count());
        prop_assert_eq!(diff.added as usize, b.difference(&a).count());
    }
}
