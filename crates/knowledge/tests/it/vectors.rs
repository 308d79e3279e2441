//! The vectors of the design: the paper's topology, literals ours.

use crate::reference::Reference;
use knowledge::{
    Conclusion, Field, Fields, Filer, Literal, Mode, Origin, ROOT, Rule, RuleTree, Term, TreeError,
};
use model::{FolderId, RuleId};

fn has(field: Field, word: &str) -> Literal {
    Literal::has(Term::new(field, Mode::Exact, word).unwrap())
}

fn lacks(field: Field, word: &str) -> Literal {
    Literal::lacks(Term::new(field, Mode::Exact, word).unwrap())
}

fn rule(id: i64, parent: i64, literal: Literal, folder: Option<i64>) -> Rule {
    Rule {
        id: RuleId(id),
        parent: RuleId(parent),
        condition: vec![literal],
        conclusion: folder.map_or(Conclusion::Stop, |folder| Conclusion::Folder(FolderId(folder))),
        origin: Origin::default(),
    }
}

fn rules() -> Vec<Rule> {
    use Field::{Body, Title};
    vec![
        rule(1, 0, has(Title, "a"), Some(1)),
        rule(2, 1, has(Title, "c"), Some(2)),
        rule(3, 1, has(Title, "d"), None),
        rule(4, 0, has(Body, "f"), Some(2)),
        rule(5, 4, has(Body, "q"), Some(5)),
    ]
}

fn article(title: &'static str, body: Option<&'static str>) -> Fields<'static> {
    Fields { title: Some(title.into()), body: body.map(Into::into), ..Fields::default() }
}

/// Files by the index and by the reference; both must agree.
fn folders(rules: &[Rule], title: &'static str, body: Option<&'static str>) -> Vec<i64> {
    let article = article(title, body);
    let tree = RuleTree::new(rules.to_vec()).unwrap();
    let filing = Filer::default().file(&tree, &article);
    let reference = Reference::new(rules, &article);
    assert_eq!(filing.folders, reference.folders().into_iter().collect::<Vec<_>>());
    assert_eq!(filing.live, reference.live_ids().into_iter().collect::<Vec<_>>());
    filing.folders.iter().map(|folder| folder.0).collect()
}

const NONE: [i64; 0] = [];

#[test]
fn m1_fired_and_live() {
    let (rules, article) = (rules(), article("a b d k", Some("f s q r")));
    let reference = Reference::new(&rules, &article);
    assert_eq!(reference.fired_ids(), [1, 3, 4, 5].map(RuleId).into());
    let tree = RuleTree::new(rules.clone()).unwrap();
    let filing = Filer::default().file(&tree, &article);
    assert_eq!(filing.live, [RuleId(3), RuleId(5)]);
    assert_eq!(filing.folders, [FolderId(5)]);
    // Every fired rule is live or above a live one.
    let above = filing.live.iter().flat_map(|live| tree.path(*live)).map(|rule| rule.id);
    assert_eq!(above.collect::<std::collections::BTreeSet<_>>(), reference.fired_ids());
}

#[test]
fn m3_to_m7() {
    let all = rules();
    let some: Vec<Rule> = [0, 3].map(|at| all[at].clone()).into();
    let with = |at: usize| [some.clone(), vec![all[at].clone()]].concat();
    assert_eq!(folders(&all, "a k", Some("f s")), [1, 2], "M3");
    assert_eq!(folders(&some, "a c", Some("")), [1], "M4");
    assert_eq!(folders(&with(1), "a c", Some("")), [2], "M4");
    assert_eq!(folders(&some, "a d", Some("")), [1], "M5");
    assert_eq!(folders(&with(2), "a d", Some("")), NONE, "M5");
    assert_eq!(folders(&all, "a c d", Some("")), [2], "M6");
    assert_eq!(folders(&all, "f q", Some("a d")), NONE, "M7");
}

#[test]
fn m8_the_same_folder_by_two_paths() {
    let with = [rules(), vec![rule(6, 0, has(Field::Title, "k"), Some(1))]].concat();
    assert_eq!(folders(&with, "a b d k", Some("f s q r")), [1, 5]);
}

#[test]
fn m9_an_exception_to_a_stop() {
    let with = [rules(), vec![rule(7, 3, has(Field::Title, "b"), Some(1))]].concat();
    assert_eq!(folders(&with, "a b d", Some("")), [1]);
}

#[test]
fn m10_missing_is_not_empty() {
    let with = [rules(), vec![rule(6, 1, lacks(Field::Body, "f"), Some(9))]].concat();
    assert_eq!(folders(&with, "a", Some("f")), [1, 2]);
    assert_eq!(folders(&with, "a", Some("")), [9]);
    assert_eq!(folders(&with, "a", None), [1]);
}

#[test]
fn m11_an_empty_article() {
    assert_eq!(folders(&rules(), "", Some("")), NONE);
    assert_eq!(Filer::default().file(&RuleTree::new(rules()).unwrap(), &Fields::default()).folders, []);
}

#[test]
fn folders_are_asked_about_in_strata() {
    let in_folder = |id, has: bool| Literal {
        polarity: if has { knowledge::Polarity::Has } else { knowledge::Polarity::Lacks },
        attribute: knowledge::Attribute::Folder(FolderId(id)),
    };
    let with =
        [rules(), vec![rule(6, 0, in_folder(1, true), Some(6)), rule(7, 0, in_folder(6, false), Some(7))]]
            .concat();
    assert_eq!(folders(&with, "a", Some("")), [1, 6]);
    assert_eq!(folders(&with, "a d", Some("")), [7]);
    // Folder 1 would depend on folder 7, which depends on 6, which depends on 1.
    let circle = [with, vec![rule(8, 1, in_folder(7, true), None)]].concat();
    assert_eq!(RuleTree::new(circle).unwrap_err(), TreeError::Cycle { id: RuleId(8) });
}

#[test]
fn a_bad_rule_leaves_the_tree_as_it_was() {
    let mut tree = RuleTree::new(rules()).unwrap();
    let before = tree.clone();
    let good = rule(6, 0, has(Field::Title, "x"), Some(1));
    let bad = [
        rule(7, 99, has(Field::Title, "x"), Some(1)),
        rule(5, 0, has(Field::Title, "x"), Some(1)),
        rule(0, 0, has(Field::Title, "x"), Some(1)),
        Rule { condition: Vec::new(), ..rule(7, 0, has(Field::Title, "x"), None) },
        Rule { condition: Vec::new(), ..rule(7, 1, has(Field::Title, "x"), Some(1)) },
    ];
    for bad in bad {
        assert!(tree.extend([good.clone(), bad]).is_err());
        assert_eq!(tree, before);
        assert_eq!(Filer::default().file(&tree, &article("x", None)).folders, []);
    }
    assert_eq!(tree.children(ROOT).count(), 2);
}

#[test]
fn stems_are_of_the_articles_tongue() {
    let stem = |word| Literal::has(Term::new(Field::Title, Mode::Stem, word).unwrap());
    let tree =
        RuleTree::new([rule(1, 0, stem("economy"), Some(1)), rule(2, 0, stem("häuser"), Some(2))]).unwrap();
    let file = |title: &'static str, language: Option<&'static str>| {
        let article = Fields { language: language.map(Into::into), ..article(title, None) };
        Filer::default().file(&tree, &article).folders
    };
    assert_eq!(file("All economies grow", None), [FolderId(1)]);
    assert_eq!(file("Das Haus", Some("de-at")), [FolderId(2)]);
    assert_eq!(file("Das Haus", Some("en")), []);
}
