//! Lessons as a person gives them.

use knowledge::{
    Archive, Base, Correction, Draft, Field, Fields, Filer, Literal, Mode, Origin, Prompt, ROOT, TeachError,
    Term, Texts, Unwanted,
};
use model::{ArticleId, FolderId};
use roaring::RoaringBitmap;
use std::collections::BTreeSet;

fn has(field: Field, word: &str) -> Literal {
    Literal::has(Term::natural(field, word).unwrap())
}

fn prompt(id: i64, title: &'static str) -> Prompt {
    Prompt { article: Some(ArticleId(id)), fields: fields(title) }
}

fn fields(title: &'static str) -> Fields<'static> {
    Fields { title: Some(title.into()), ..Fields::default() }
}

fn school() -> (Base, FolderId, FolderId) {
    let mut base = Base::default();
    let (soccer, _) = base.folders_mut().create("Sports/Soccer").unwrap();
    let (tennis, _) = base.folders_mut().create("Sports/Tennis").unwrap();
    (base, soccer, tennis)
}

fn teach(base: &mut Base, prompt: Prompt, correction: Correction, words: &[&str]) -> Result<(), TeachError> {
    let mut draft = Draft::new(base, prompt, correction)?;
    draft.set_condition(words.iter().map(|word| has(Field::Title, word)).collect())?;
    let lesson = draft.lesson(base, &BTreeSet::new(), &Origin::default())?;
    base.apply(lesson)?;
    Ok(())
}

fn folders(base: &Base, title: &'static str) -> Vec<String> {
    let filing = Filer::default().file(base.tree(), &fields(title));
    filing.folders.iter().map(|folder| base.folders().path(*folder)).collect()
}

#[test]
fn a_rule_its_refinement_and_a_stop() {
    let (mut base, soccer, tennis) = school();
    teach(&mut base, prompt(1, "World cup final"), Correction::Add(soccer), &["cup"]).unwrap();
    let davis = Correction::Replace { from: soccer, to: tennis };
    teach(&mut base, prompt(2, "Davis cup final"), davis, &["davis"]).unwrap();
    teach(&mut base, prompt(3, "Tea cup sale"), Correction::Remove(soccer), &["tea"]).unwrap();
    assert_eq!(folders(&base, "Another world cup"), ["Sports/Soccer"]);
    assert_eq!(folders(&base, "The davis cup"), ["Sports/Tennis"]);
    assert_eq!(folders(&base, "A cup of tea"), [""; 0]);
    assert_eq!(base.cornerstones().misfiled(base.tree()), []);
    base.undo().unwrap();
    assert_eq!(folders(&base, "A cup of tea"), ["Sports/Soccer"]);
}

#[test]
fn a_conflict_is_shown_fixed_or_accepted() {
    let (mut base, soccer, tennis) = school();
    teach(&mut base, prompt(1, "World cup final"), Correction::Add(soccer), &["cup"]).unwrap();
    let davis = Correction::Replace { from: soccer, to: tennis };
    let error = teach(&mut base, prompt(2, "Davis cup final"), davis, &["final"]).unwrap_err();
    assert!(matches!(&error, TeachError::Conflicts(conflicts) if conflicts.len() == 1), "{error}");

    let mut draft = Draft::new(&base, prompt(2, "Davis cup final"), davis).unwrap();
    draft.set_condition(vec![has(Field::Title, "final")]).unwrap();
    let conflicts = draft.conflicts(&base).unwrap();
    assert_eq!((conflicts[0].before.clone(), conflicts[0].after.clone()), ([soccer].into(), [tennis].into()));
    let fix = draft.fix(&base, None, None).unwrap();
    assert_eq!(fix.add, [has(Field::Title, "davis")]);
    assert!(fix.contradictions.is_empty());

    // Accepted instead, the new verdict is recorded; and undone with the lesson.
    let accepted = [conflicts[0].cornerstone].into();
    let lesson = draft.lesson(&base, &accepted, &Origin::default()).unwrap();
    base.apply(lesson).unwrap();
    assert_eq!(folders(&base, "World cup final"), ["Sports/Tennis"]);
    assert_eq!(base.cornerstones().misfiled(base.tree()), []);
    base.undo().unwrap();
    assert_eq!(folders(&base, "World cup final"), ["Sports/Soccer"]);
    assert_eq!(base.cornerstones().misfiled(base.tree()), []);
}

#[test]
fn the_same_text_elsewhere_is_a_contradiction() {
    let (mut base, soccer, tennis) = school();
    teach(&mut base, prompt(1, "Cup final"), Correction::Add(soccer), &["cup"]).unwrap();
    let draft = Draft::new(&base, prompt(2, "Cup final"), Correction::Add(tennis)).unwrap();
    let fix = draft.fix(&base, None, None).unwrap();
    assert_eq!((fix.add.len(), fix.contradictions.len()), (0, 1));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (mut base, soccer, tennis) = school();
    teach(&mut base, prompt(1, "World cup final"), Correction::Add(soccer), &["cup"]).unwrap();
    let before = base.tree().clone();
    let mut refused = |correction, words: &[&str]| {
        teach(&mut base, prompt(1, "World cup final"), correction, words).unwrap_err().to_string()
    };
    insta::assert_snapshot!(refused(Correction::Add(soccer), &["cup"]), @"the article is in this folder already");
    insta::assert_snapshot!(refused(Correction::Remove(tennis), &["cup"]), @"the article is not in the folder it is to be taken out of");
    insta::assert_snapshot!(refused(Correction::Add(tennis), &[]), @"pick at least one word: a rule without a condition would catch everything");
    insta::assert_snapshot!(refused(Correction::Add(tennis), &["tea"]), @"title has “tea” does not hold of this article: the rule would not fire for it");
    let replace = Correction::Replace { from: soccer, to: soccer };
    insta::assert_snapshot!(refused(replace, &["cup"]), @"the article cannot be moved to the folder it is in");
    assert_eq!(base.tree(), &before);
}

#[test]
fn a_rule_is_retired_and_a_stop_is_not() {
    let (mut base, soccer, _) = school();
    teach(&mut base, prompt(1, "World cup"), Correction::Add(soccer), &["cup"]).unwrap();
    teach(&mut base, prompt(2, "Tea cup"), Correction::Remove(soccer), &["tea"]).unwrap();
    let [cup, tea] = [0, 1].map(|at| base.tree().rules()[at].id);
    let retire = |base: &Base, rule, accepted: &[i64]| {
        let accepted = accepted.iter().map(|id| model::CornerstoneId(*id)).collect();
        base.lesson_of(vec![base.retirement(rule, Origin::default())], &accepted)
    };
    assert_eq!(retire(&base, tea, &[]), Err(TeachError::RetiresStop(tea)));
    // The article that prompted it would leave its folder: that must be accepted.
    assert!(matches!(retire(&base, cup, &[]), Err(TeachError::Conflicts(_))));
    let lesson = retire(&base, cup, &[1]).unwrap();
    base.apply(lesson).unwrap();
    assert_eq!(folders(&base, "World cup"), [""; 0]);
    assert_eq!(base.cornerstones().misfiled(base.tree()), []);
}

#[test]
fn a_folder_that_brings_another_is_expected_with_it() {
    let (mut base, soccer, _) = school();
    let (featured, _) = base.folders_mut().create("Featured").unwrap();
    let rule = knowledge::Rule {
        id: base.next_rule(),
        parent: ROOT,
        condition: vec![Literal {
            polarity: knowledge::Polarity::Has,
            attribute: knowledge::Attribute::Folder(soccer),
        }],
        conclusion: knowledge::Conclusion::Folder(featured),
        origin: Origin::default(),
    };
    let lesson = base.lesson_of(vec![rule], &BTreeSet::new()).unwrap();
    base.apply(lesson).unwrap();
    teach(&mut base, prompt(1, "World cup"), Correction::Add(soccer), &["cup"]).unwrap();
    assert_eq!(folders(&base, "World cup"), ["Sports/Soccer", "Featured"]);
    assert_eq!(base.cornerstones().misfiled(base.tree()), []);
}

#[test]
fn folders_that_rules_ask_about_are_not_merged_blindly() {
    let (mut base, soccer, tennis) = school();
    let (featured, _) = base.folders_mut().create("Featured").unwrap();
    teach(&mut base, prompt(1, "World cup"), Correction::Add(soccer), &["cup"]).unwrap();
    teach(&mut base, prompt(2, "Open set"), Correction::Add(tennis), &["set"]).unwrap();
    let literal =
        Literal { polarity: knowledge::Polarity::Has, attribute: knowledge::Attribute::Folder(soccer) };
    let mut draft = Draft::new(&base, prompt(1, "World cup"), Correction::Add(featured)).unwrap();
    draft.set_condition(vec![literal]).unwrap();
    let lesson = draft.lesson(&base, &BTreeSet::new(), &Origin::default()).unwrap();
    base.apply(lesson).unwrap();
    let error = base.merge(tennis, soccer).unwrap_err().to_string();
    assert!(error.contains("1 cornerstone(s) would change"), "{error}");
    assert_eq!(folders(&base, "Open set"), ["Sports/Tennis"]);
}

#[test]
fn a_number_that_means_another_article_is_not_taken_for_it() {
    let (mut base, soccer, tennis) = school();
    let fields = |title: &'static str, url: &'static str| Fields { url: Some(url.into()), ..fields(title) };
    let at = |title, url| Prompt { article: Some(ArticleId(12)), fields: fields(title, url) };
    teach(&mut base, at("World cup", "https://a.example/1"), Correction::Add(soccer), &["cup"]).unwrap();
    // In another store, 12 is another article: the first stays a cornerstone, and is in the way.
    let davis = Correction::Replace { from: soccer, to: tennis };
    let error = teach(&mut base, at("Davis cup", "https://b.example/9"), davis, &["cup"]).unwrap_err();
    assert!(matches!(error, TeachError::Conflicts(_)), "{error}");
    teach(&mut base, at("Davis cup", "https://b.example/9"), davis, &["davis"]).unwrap();
    assert_eq!(base.cornerstones().len(), 2);
}

#[test]
fn another_place_must_fire() {
    let (mut base, soccer, tennis) = school();
    teach(&mut base, prompt(1, "World cup"), Correction::Add(soccer), &["cup"]).unwrap();
    teach(&mut base, prompt(2, "Open set"), Correction::Add(tennis), &["set"]).unwrap();
    let (finals, _) = base.folders_mut().create("Finals").unwrap();
    let mut draft = Draft::new(&base, prompt(3, "Final of the cup"), Correction::Add(finals)).unwrap();
    assert_eq!(draft.places(), [ROOT]);
    let cup = base.tree().rules()[0].id;
    let set = base.tree().rules()[1].id;
    assert_eq!(draft.possible_places(&base), [ROOT, cup]);
    assert_eq!(draft.place_under(&base, set), Err(TeachError::WrongPlace(set)));
    draft.place_under(&base, cup).unwrap();
    assert_eq!(draft.expected(&base), [finals].into());
}

#[test]
fn unwanted_articles_are_excluded_or_stopped() {
    let (base, soccer, _) = school();
    let mut archive = Archive::new(Texts::kept());
    let titles = ["World cup", "Tea cup", "Cup of tea", "Cup winners", "World cup draw"];
    for (number, title) in titles.into_iter().enumerate() {
        archive.add(base.tree(), number as u32, &fields(title));
    }
    let unwanted: RoaringBitmap = [1, 2].into();
    let unwanted = Unwanted { archive: &archive, articles: &unwanted };
    let mut draft = Draft::new(&base, prompt(1, "World cup"), Correction::Add(soccer)).unwrap();
    draft.set_condition(vec![has(Field::Title, "cup")]).unwrap();
    assert_eq!(draft.what_if(&base, &archive).unwrap().caught.len(), 5);

    let fix = draft.fix(&base, Some(&archive), Some(unwanted)).unwrap();
    assert_eq!(fix.add, [has(Field::Title, "world")]);

    let stops = draft.propose_stops(&base, unwanted).unwrap();
    assert_eq!(stops, [[has(Field::Title, "tea")]]);
    // An article that the archive knows otherwise than it reads now does not keep it busy for ever.
    let changed = Texts::Elsewhere(Box::new(|_| Some(fields("Completely different now"))));
    let mut behind = Archive::new(changed);
    for (number, title) in titles.into_iter().enumerate() {
        behind.add(base.tree(), number as u32, &fields(title));
    }
    let ticked: RoaringBitmap = [1, 2].into();
    let unwanted = Unwanted { archive: &behind, articles: &ticked };
    assert_eq!(draft.propose_stops(&base, unwanted).unwrap(), Vec::<Vec<Literal>>::new());

    draft.set_stops(stops).unwrap();
    let effect = draft.what_if(&base, &archive).unwrap();
    assert_eq!(effect.folders[0].gain, [0, 3, 4].into());
    assert_eq!(draft.set_stops(vec![vec![has(Field::Title, "world")]]), Err(TeachError::StopsItself));
}

#[test]
fn phrases_and_prefixes_are_found_in_an_archive() {
    let (base, ..) = school();
    let mut archive = Archive::new(Texts::kept());
    for (number, title) in
        ["gold price up", "price of gold", "golden price", "gold price"].into_iter().enumerate()
    {
        archive.add(base.tree(), number as u32, &fields(title));
    }
    let count = |archive: &Archive, mode, text| {
        let term = Term::new(Field::Title, mode, text).unwrap();
        archive.holding(base.tree(), &Literal::has(term)).len()
    };
    assert_eq!(count(&archive, Mode::Phrase, "Gold price"), 2);
    assert_eq!(count(&archive, Mode::Prefix, "gold"), 4);
    // What is added later is found by phrases looked for before.
    archive.add(base.tree(), 9, &fields("the gold price"));
    assert_eq!(count(&archive, Mode::Phrase, "gold price"), 3);
}
