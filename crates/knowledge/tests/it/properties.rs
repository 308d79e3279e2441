//! Random bases and random articles, judged by the reference.

use crate::reference::Reference;
use knowledge::{
    Archive, Attribute, Base, Conclusion, Correction, Draft, Field, Fields, Filer, Literal, Mode, Origin,
    Polarity, Prompt, ROOT, Rule, RuleTree, TeachError, Term, Texts,
};
use model::{ArticleId, FolderId, RuleId};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Few words and few folders, so that rules meet articles and each other.
const WORDS: [&str; 10] = ["a", "b", "cc", "ccd", "running", "run", "新华", "été", "arzt", "ärzte"];
const FOLDERS: i64 = 4;

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..5).prop_map(|words| words.join(" "))
}

pub(crate) fn article() -> impl Strategy<Value = Fields<'static>> {
    (
        prop::option::weighted(0.9, text()),
        prop::option::weighted(0.7, text()),
        prop::option::weighted(0.4, prop::sample::select(&["fr", "de-at"][..])),
    )
        .prop_map(|(title, body, language)| Fields {
            title: title.map(Into::into),
            body: body.map(Into::into),
            language: language.map(Into::into),
            ..Fields::default()
        })
}

fn literal() -> impl Strategy<Value = Literal> {
    let word = || prop::sample::select(&WORDS[..]);
    let field = || prop::sample::select(&[Field::Title, Field::Body][..]);
    let term =
        |mode: Mode, text: &str, field| Term::new(field, mode, text).or(Term::new(field, Mode::Exact, "a"));
    let attribute = prop_oneof![
        10 => (word(), field()).prop_map(move |(word, field)| term(Mode::Exact, word, field)),
        2 => (word(), field()).prop_map(move |(word, field)| term(Mode::Prefix, word, field)),
        2 => (word(), field()).prop_map(move |(word, field)| term(Mode::Stem, word, field)),
        2 => (word(), word(), field())
            .prop_map(move |(one, two, field)| term(Mode::Phrase, &format!("{one} {two}"), field)),
    ];
    let attribute = prop_oneof![
        12 => attribute.prop_map(|term| Attribute::Term(term.unwrap())),
        1 => (1..=FOLDERS).prop_map(|folder| Attribute::Folder(FolderId(folder))),
    ];
    let polarity = prop_oneof![3 => Just(Polarity::Has), 2 => Just(Polarity::Lacks)];
    (polarity, attribute).prop_map(|(polarity, attribute)| Literal { polarity, attribute })
}

/// Rules that stand together: those that do not are left out one by one.
pub(crate) fn tree() -> impl Strategy<Value = RuleTree> {
    let conclusion = prop_oneof![
        1 => Just(Conclusion::Stop),
        2 => (1..=FOLDERS).prop_map(|folder| Conclusion::Folder(FolderId(folder))),
    ];
    let rule = (any::<prop::sample::Index>(), prop::collection::vec(literal(), 0..4), conclusion);
    prop::collection::vec(rule, 0..16).prop_map(|wishes| {
        let mut tree = RuleTree::default();
        for (at, (parent, condition, conclusion)) in wishes.into_iter().enumerate() {
            let parent = match parent.index(tree.rules().len() + 2) {
                at if at < tree.rules().len() => tree.rules()[at].id,
                _ => ROOT,
            };
            let id = RuleId(at as i64 + 1);
            let _ = tree.extend([Rule { id, parent, condition, conclusion, origin: Origin::default() }]);
        }
        tree
    })
}

proptest! {
    // 500 bases with 20 articles each: 10,000 pairs.
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_index_agrees_with_the_reference(tree in tree(), articles in prop::collection::vec(article(), 20)) {
        let at_once = RuleTree::new(tree.rules().to_vec()).unwrap();
        let mut filer = Filer::default();
        for article in &articles {
            let reference = Reference::new(tree.rules(), article);
            let filing = filer.file(&tree, article);
            prop_assert_eq!(&filing.live, &reference.live_ids().into_iter().collect::<Vec<_>>());
            prop_assert_eq!(&filing.folders, &reference.folders().into_iter().collect::<Vec<_>>());
            prop_assert_eq!(filing, filer.file(&at_once, article));
        }
    }

    #[test]
    fn an_archive_agrees_with_the_filer(tree in tree(), articles in prop::collection::vec(article(), 12)) {
        let (first, last) = articles.split_at(6);
        let mut archive = Archive::new(Texts::kept());
        for (number, article) in first.iter().enumerate() {
            archive.add(&RuleTree::default(), number as u32, article);
        }
        archive.learn_all(&tree);
        for (number, article) in last.iter().enumerate() {
            archive.add(&tree, number as u32 + 6, article);
        }
        agrees(&archive, &tree, &articles)?;
    }

    #[test]
    fn what_if_is_what_happens(
        tree in tree(), more in tree(), articles in prop::collection::vec(article(), 12),
    ) {
        let mut archive = Archive::new(Texts::kept());
        for (number, article) in articles.iter().enumerate() {
            archive.add(&tree, number as u32, article);
        }
        let offset = tree.rules().len() as i64 + 100;
        let rules: Vec<Rule> = more.rules().iter().map(|rule| Rule {
            id: RuleId(rule.id.0 + offset),
            // Under the old rules or under each other.
            parent: match rule.parent {
                ROOT => tree.rules().last().map_or(ROOT, |last| last.id),
                parent => RuleId(parent.0 + offset),
            },
            ..rule.clone()
        }).filter(|rule| !(rule.is_retirement() && rule.parent == ROOT)).take(3).collect();
        let known = |id: RuleId| id == ROOT || tree.get(id).is_some() || rules.iter().any(|rule| rule.id == id);
        prop_assume!(rules.iter().all(|rule| known(rule.parent)));
        let mut after = tree.clone();
        let Ok(effect) = archive.what_if(&tree, &rules) else { return Ok(()) };
        prop_assume!(after.extend(rules.clone()).is_ok());
        let mut filer = Filer::default();
        for (number, article) in articles.iter().enumerate() {
            let before: BTreeSet<FolderId> = filer.file(&tree, article).folders.into_iter().collect();
            let now: BTreeSet<FolderId> = filer.file(&after, article).folders.into_iter().collect();
            prop_assert_eq!(effect.changed().contains(number as u32), before != now);
            prop_assert_eq!(effect.apply(number as u32, &before), now);
        }
        archive.learn(&after, &rules);
        agrees(&archive, &after, &articles)?;
        after.take_back(rules.len());
        prop_assert_eq!(&after, &tree);
        archive.unlearn(&after, &rules);
        agrees(&archive, &after, &articles)?;
    }

    #[test]
    fn no_lesson_changes_a_cornerstone(lessons in prop::collection::vec((article(), 1..=FOLDERS, 1..=FOLDERS, any::<u8>()), 1..25)) {
        let mut base = Base::default();
        for folder in 1..=FOLDERS {
            base.folders_mut().create(&format!("F{folder}")).unwrap();
        }
        let mut states = Vec::new();
        for (number, (fields, from, to, which)) in lessons.into_iter().enumerate() {
            let (from, to) = (FolderId(from), FolderId(to));
            let correction = match which % 3 {
                0 => Correction::Add(to),
                1 => Correction::Remove(from),
                _ => Correction::Replace { from, to },
            };
            let prompt = Prompt { article: Some(ArticleId(number as i64)), fields };
            let Ok(mut draft) = Draft::new(&base, prompt, correction) else { continue };
            let Ok(fix) = draft.fix(&base, None, None) else { continue };
            let mut condition = fix.add.clone();
            if condition.is_empty() {
                condition.extend(draft.suggestions(&base, None, None).unwrap().into_iter().map(|s| s.literal).next());
            }
            draft.set_condition(condition).unwrap();
            let open: BTreeSet<_> = draft.conflicts(&base).unwrap().iter().map(|c| c.cornerstone).collect();
            prop_assert_eq!(&open, &fix.contradictions.iter().copied().collect());
            let before = base.tree().clone();
            match draft.lesson(&base, &BTreeSet::new(), &Origin::default()) {
                Ok(lesson) => {
                    states.push((before, base.cornerstones().iter().cloned().collect::<Vec<_>>()));
                    let expected = draft.expected(&base);
                    base.apply(lesson).unwrap();
                    let filed = Filer::default().file(base.tree(), &draft.prompt().fields).folders;
                    prop_assert_eq!(filed.into_iter().collect::<BTreeSet<_>>(), expected);
                }
                Err(TeachError::Conflicts(conflicts)) => {
                    prop_assert_eq!(conflicts.into_iter().collect::<BTreeSet<_>>(), open);
                }
                Err(TeachError::NoCondition) => {}
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            }
            prop_assert_eq!(base.cornerstones().misfiled(base.tree()), vec![]);
        }
        // Undone one by one, each state comes back exactly.
        for (tree, cornerstones) in states.into_iter().rev() {
            prop_assert!(base.undo().is_some());
            prop_assert_eq!(base.tree(), &tree);
            prop_assert_eq!(base.cornerstones().iter().cloned().collect::<Vec<_>>(), cornerstones);
            let articles: Vec<_> = base.cornerstones().iter().map(|c| (c.id.0 as u32, c.fields.clone())).collect();
            let archive = base.cornerstones().archive(base.tree());
            for (number, fields) in articles {
                let live = Filer::default().file(base.tree(), &fields).live;
                prop_assert_eq!(archive.live_rules(base.tree(), number), live);
            }
        }
        prop_assert!(base.undo().is_none());
    }
}

fn agrees(archive: &Archive, tree: &RuleTree, articles: &[Fields<'static>]) -> Result<(), TestCaseError> {
    let mut filer = Filer::default();
    for (number, article) in articles.iter().enumerate() {
        let filing = filer.file(tree, article);
        prop_assert_eq!(archive.live_rules(tree, number as u32), filing.live);
        for folder in (1..=FOLDERS).map(FolderId) {
            let inside = archive.in_folder(tree, folder).contains(number as u32);
            prop_assert_eq!(inside, filing.folders.contains(&folder));
        }
    }
    Ok(())
}
