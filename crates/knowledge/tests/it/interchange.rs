//! Files of rules: out, in, and what is wrong with them.

use crate::properties::{article, tree};
use jiff::Timestamp;
use knowledge::{
    Base, Cornerstone, Cornerstones, Correction, Draft, Field, Fields, Filer, Folders, ImportError,
    ImportOptions, Interchange, Literal, Origin, Prompt, Rule, RuleTree, Term,
};
use model::{ArticleId, CornerstoneId, FolderId, RuleId};
use proptest::prelude::*;
use std::collections::BTreeSet;

const PLAIN: ImportOptions = ImportOptions { renumber: false, accept: false };
const RENUMBER: ImportOptions = ImportOptions { renumber: true, accept: false };
const ACCEPT: ImportOptions = ImportOptions { renumber: false, accept: true };

fn teach(base: &mut Base, id: i64, title: &'static str, correction: Correction, word: &str) {
    let fields = Fields { title: Some(title.into()), ..Fields::default() };
    let prompt = Prompt { article: Some(ArticleId(id)), fields };
    let mut draft = Draft::new(base, prompt, correction).unwrap();
    draft.set_condition(vec![Literal::has(Term::natural(Field::Title, word).unwrap())]).unwrap();
    let origin = Origin {
        author: Some("anna".into()),
        at: Some("2026-11-15T10:00:00Z".parse().unwrap()),
        note: (id == 2).then(|| "not \"that\" cup".into()),
        ..Origin::default()
    };
    let lesson = draft.lesson(base, &BTreeSet::new(), &origin).unwrap();
    base.apply(lesson).unwrap();
}

fn school() -> Base {
    let mut base = Base::default();
    let (soccer, _) = base.folders_mut().create("Sports/Soccer").unwrap();
    let (gold, _) = base.folders_mut().create("Markets & Co/“Gold”").unwrap();
    base.folders_mut().create("Sports/Empty/Deep").unwrap();
    teach(&mut base, 1, "World cup final", Correction::Add(soccer), "cup");
    teach(&mut base, 2, "Tea cup", Correction::Remove(soccer), "tea");
    teach(&mut base, 3, "Gold price up", Correction::Add(gold), "gold price");
    let retirement = base.retirement(RuleId(3), Origin::default());
    let lesson = base.lesson_of(vec![retirement], &[CornerstoneId(3)].into()).unwrap();
    base.apply(lesson).unwrap();
    base
}

fn into(base: &mut Base, text: &str, options: ImportOptions) -> Result<(), ImportError> {
    let import = Interchange::parse(text).unwrap().import(base, options)?;
    *base.folders_mut() = import.folders;
    base.apply(import.lesson)?;
    Ok(())
}

fn errors(text: &str) -> String {
    let errors = Interchange::parse(text).unwrap_err();
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn filed(base: &Base, title: &'static str) -> Vec<String> {
    let fields = Fields { title: Some(title.into()), ..Fields::default() };
    let filing = Filer::default().file(base.tree(), &fields);
    filing.folders.iter().map(|folder| base.folders().path(*folder)).collect()
}

#[test]
fn both_forms_say_the_same() {
    let file = Interchange::of(&school());
    insta::assert_snapshot!(file.to_json_lines(), @r#"
    {"id":1,"if":[{"field":"title","has":"cup"}],"folder":"Sports/Soccer","author":"anna","at":"2026-11-15T10:00:00Z","cornerstone":1}
    {"id":2,"parent":1,"if":[{"field":"title","has":"tea"}],"folder":null,"author":"anna","at":"2026-11-15T10:00:00Z","cornerstone":2,"note":"not \"that\" cup"}
    {"id":3,"if":[{"field":"title","has":"gold price","mode":"phrase"}],"folder":"Markets & Co/“Gold”","author":"anna","at":"2026-11-15T10:00:00Z","cornerstone":3}
    {"id":4,"parent":3,"always":true,"folder":null}
    {"folders":["Sports/Empty/Deep"]}
    {"cornerstone":{"id":1,"article":1,"expected":["Sports/Soccer"],"title":"World cup final"}}
    {"cornerstone":{"id":2,"article":2,"expected":[],"title":"Tea cup"}}
    {"cornerstone":{"id":3,"article":3,"expected":[],"title":"Gold price up"}}
    "#);
    insta::assert_snapshot!(file.to_text(), @r#"
    # Ripplewatch rules 1
    if title has "cup" then Sports/Soccer  [1 by anna at 2026-11-15T10:00:00Z cornerstone 1]
        if title has "tea" then stop  [2 by anna at 2026-11-15T10:00:00Z cornerstone 2 note "not \"that\" cup"]
    if title has phrase "gold price" then "Markets & Co/“Gold”"  [3 by anna at 2026-11-15T10:00:00Z cornerstone 3]
        retired  [4]
    folder Sports/Empty/Deep
    cornerstone 1 article 1 expects Sports/Soccer
        title "World cup final"
    cornerstone 2 article 2 expects nothing
        title "Tea cup"
    cornerstone 3 article 3 expects nothing
        title "Gold price up"
    "#);
    let from_json = Interchange::parse(&file.to_json_lines()).unwrap();
    let from_text = Interchange::parse(&file.to_text()).unwrap();
    assert_eq!(from_json.to_text(), file.to_text());
    assert_eq!(from_text.cornerstones, from_json.cornerstones);
    assert_eq!(from_json.line_of(RuleId(2)), Some(2));
}

#[test]
fn a_file_may_be_written_by_hand() {
    let file = "\u{feff}\r\n{\"id\":9,\"parent\":4,\"always\":true,\"folder\":null}\r\n\n  \
        {\"id\":4,\"parent\":0,\"mode\":\"phrase\",\"if\":[{\"field\":\"title\",\"has\":\"Gold  PRICE\"},\
        {\"field\":\"body\",\"lacks\":\"Tea\",\"mode\":\"exact\"},{\"field\":\"folder\",\"has\":\"A / B\"}],\
        \"folder\":\" C\",\"note\":null}";
    let file = Interchange::parse(file).unwrap();
    insta::assert_snapshot!(file.to_text(), @r#"
    # Ripplewatch rules 1
    if title has phrase "gold price" and body lacks "tea" and folder has A/B then C  [4]
        retired  [9]
    "#);
    let text = "# ours\n\n  # indented\nif title has exact \"CUP\" then Sports [7]\n\n\
        \u{20}   retired [8 by \"a b\"]\r\nfolder stop\ncornerstone 1 expects Sports,\"A\"\n    title \"cup\"\n";
    insta::assert_snapshot!(Interchange::parse(text).unwrap().to_json_lines(), @r#"
    {"id":7,"if":[{"field":"title","has":"cup"}],"folder":"Sports"}
    {"id":8,"parent":7,"always":true,"folder":null,"author":"a b"}
    {"folders":["stop"]}
    {"cornerstone":{"id":1,"expected":["A","Sports"],"title":"cup"}}
    "#);
    assert_eq!(Interchange::parse("").unwrap().to_json_lines(), "");
    assert_eq!(Interchange::parse(&Interchange::default().to_text()).unwrap().rules, []);
}

#[test]
fn every_bad_line_is_named() {
    insta::assert_snapshot!(errors(r#"{"id":1,"if":[{"field":"title","has":"cup"}],"folder":"A"
{"id":2,"if":[{"field":"title","has":"cup"}],"fodler":"A","folder":null}
{"id":3,"if":[{"field":"titel","has":"cup"}],"folder":"A"}
{"id":4,"if":[{"field":"title","has":"🎉"}],"folder":"A"}
{"id":5,"if":[{"field":"title","has":"gold price"}],"folder":"A"}
{"id":6,"if":[],"folder":"A"}
{"id":7,"parent":70,"if":[{"field":"title","has":"cup"}],"folder":"A"}
{"id":8,"parent":2,"if":[{"field":"title","has":"cup"}],"folder":"A"}
{"id":8,"if":[{"field":"title","has":"cup"}],"folder":"A"}
{"id":9,"parent":10,"if":[{"field":"title","has":"cup"}],"folder":"A"}
{"id":10,"parent":9,"if":[{"field":"title","has":"cup"}],"folder":"A"}
{"id":11,"parent":10,"if":[{"field":"title","has":"cup"}],"folder":"A"}
{"id":12,"if":[{"field":"folder","has":"X"}],"folder":"X"}
{"id":13,"if":[{"field":"title","has":"cup"}],"folder":"A//B"}
{"id":0,"if":[{"field":"title","has":"cup"}],"folder":"A"}
{"id":9223372036854775808,"if":[{"field":"title","has":"cup"}],"folder":"A"}
{"id":14,"if":[{"field":"title","has":"cup"}]}
{"id":15,"always":true,"folder":null}
{"id":16,"if":[{"field":"title","has":"a","lacks":"b"}],"folder":null}
{"id":17,"if":[{"field":"title","has":"a"}],"folder":null,"at":"yesterday"}
"#), @r#"
    line 1: not a JSON object: EOF while parsing an object (column 57)
    line 2: unknown key “fodler”: known are id, parent, if, mode, always, folder, author, at, cornerstone, note
    line 3: “titel” is no field: there are title, body, anchor, url, source, language and folder
    line 4: “🎉” holds no word: pick a word of letters or digits
    line 5: “gold price” is 2 words: match it as a phrase, or pick one word
    line 6: rule 6 has no condition: only a stop that retires another rule may have none ("always": true)
    line 7: rule 7 hangs under rule 70, which is not in the file
    line 9: rule 8 is on line 8 already
    line 10: rule 9 hangs under itself, through rule 10
    line 11: rule 10 hangs under itself, through rule 9
    line 13: rule 12 asks about a folder that depends on what the rule itself gives: folders may not depend on each other in a circle
    line 14: “” is no name for a folder: a name must not be empty
    line 15: 0 is no id: ids are whole numbers from 1 to 4503599627370496
    line 16: "id" is 9223372036854775808, but should be a whole number
    line 17: the rule has no "folder"; null would stop
    line 18: "always" retires another rule: it needs a "parent", and its "folder" is null
    line 19: a literal either "has" or "lacks", not both
    line 20: “yesterday” is no time: write it like 2026-11-15T10:00:00Z
    "#);
    insta::assert_snapshot!(errors(r#"{"folders":["A","a\u0000"]}
{"cornerstone":{"id":3,"expected":["A"],"titel":"x"}}
{"cornerstone":{"id":4}}
{"cornerstone":{"id":5,"expected":[]},"extra":1}
[1]
{"id":1,"id":2}
{"id":"1"}
{"if":[]}
"#), @r#"
    line 1: “a�” is no name for a folder: it holds a control character
    line 2: unknown key “titel”: known are id, article, expected, title, body, anchor, url, source, language
    line 3: the cornerstone does not say what is "expected"
    line 4: unknown key “extra”: known are cornerstone
    line 5: the line is a list, but should be an object {…}
    line 6: not a JSON object: the key “id” is there twice (column 15)
    line 7: "id" is “1”, but should be a whole number
    line 8: the rule has no "id"
    "#);
}

#[test]
fn every_bad_line_of_a_text_is_named() {
    insta::assert_snapshot!(errors("# Ripplewatch rules 2
if title has \"cup then A [1]
    if title has \"tea\" then stop [2]
        if title has \"x\" then stop [3]
if title has cup then A [4]
    if title has \"tea\" then stop [5]
            if title has \"tea\" then stop [6]
if title has \"cup\" then A
  if title has \"cup\" then A [7]
\tif title has \"cup\" then A [8]
when title has \"cup\" then A [9]
if title has \"cup\" then A [10 at noon]
if title has \"cup\" then A [11 for fun]
retired [12]
if title had \"cup\" then A [13]
folder
cornerstone x expects A
    title \"nobody's\"
cornerstone 1 expects nothing
    titel \"x\"
    title \"x\" \"y\"
"), @r#"
    line 1: this is version “2” of the form, and only version 1 is known
    line 2: the quotes are not closed, or hold a wrong escape: “"cup then A [1]”
    line 5: expected a word in quotes, found “cup”
    line 7: it is indented deeper than an exception to the rule above it
    line 8: expected [, found nothing; a rule ends with its id: [7]
    line 9: it is indented by 2 spaces: each step down the tree is 4 spaces
    line 10: it is indented with something else than spaces
    line 11: a line begins with if, retired, folder, cornerstone or #, not with “when”
    line 12: “noon” is no time: write it like 2026-11-15T10:00:00Z
    line 13: expected ], found “for”; after the id come, in this order, by …, at …, cornerstone …, note …
    line 14: rule 12 has no condition: only a stop that retires another rule may have none ("always": true)
    line 15: expected “has” or “lacks”, found “had”
    line 16: expected a folder, found nothing
    line 17: “x” is not the cornerstone's id: ids are whole numbers
    line 20: expected a field of the cornerstone above, indented once, found “titel”
    line 21: expected the end of the line, found “y”
    "#);
    assert_eq!(errors(&"x\n".repeat(100)).lines().count(), 20);
}

#[test]
fn what_is_wrong_is_said_briefly() {
    let huge = "x ".repeat(1 << 19);
    for line in [
        format!(r#"{{"{huge}":1}}"#),
        format!(r#"{{"id":1,"{huge}":1}}"#),
        format!(r#"{{"id":"{huge}"}}"#),
        format!(r#"{{"id":1,"if":[{{"field":"title","has":"{huge}"}}],"folder":null}}"#),
        format!(r#"{{"id":1,"if":[{{"field":"{huge}","has":"a"}}],"folder":null}}"#),
        format!(r#"{{"id":1,"if":[{{"field":"title","has":"a"}}],"folder":"{huge}"}}"#),
        format!("{{\"id\":1,\"if\":{}", "[".repeat(1 << 20)),
        huge.clone(),
        format!("if title has \"{huge}\" then A [1]"),
        format!("if title has \"a\" then \"{huge}\" [1]"),
        format!("folder \"{huge}"),
    ] {
        let errors = errors(&line);
        assert!(errors.len() < 400, "{errors}");
    }
}

#[test]
fn what_is_there_is_skipped_and_what_is_not_is_added() {
    let mut base = school();
    let text = Interchange::of(&base).to_text();
    let import = Interchange::parse(&text).unwrap().import(&base, PLAIN).unwrap();
    assert_eq!((import.skipped, import.skipped_cornerstones), (4, 3));
    assert_eq!((import.lesson.rules.len(), import.lesson.verdicts.len()), (0, 0));
    assert!(import.new_folders.is_empty());

    let more = text.replace("folder ", "if title has \"oil\" then Markets/Oil [9]\nfolder ");
    into(&mut base, &more, PLAIN).unwrap();
    assert_eq!(filed(&base, "Oil is up"), ["Markets/Oil"]);
    assert_eq!(base.next_rule(), RuleId(10));
}

#[test]
fn another_rule_of_the_same_number_is_refused_or_renumbered() {
    let mut base = school();
    let other = "if title has \"wine\" then Drinks  [2 cornerstone 2]\n    if body has \"beer\" then stop  [1]\n\
        cornerstone 2 article 2 expects Drinks\n    title \"Wine\"\n";
    let refused = into(&mut base, other, PLAIN).unwrap_err().to_string();
    insta::assert_snapshot!(refused, @"cornerstone 2 is or was another article in this base: --renumber gives the file's cornerstones new numbers");
    let alone = other.lines().take(2).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(into(&mut base, &alone, PLAIN).unwrap_err(), @"line 1: rule 2 is another rule in this base: --renumber gives the file's rules new numbers");
    into(&mut base, other, RENUMBER).unwrap();
    let text = Interchange::of(&base).to_text();
    let new: Vec<&str> = text.lines().filter(|line| line.contains("wine") || line.contains("beer")).collect();
    insta::assert_snapshot!(new.join("\n"), @r#"
    if title has "wine" then Drinks  [5 cornerstone 4]
        if body has "beer" then stop  [6]
    "#);
    let new = base.cornerstones().get(CornerstoneId(4)).unwrap();
    assert_eq!((new.article, new.fields.title.as_deref()), (None, Some("Wine")));
    base.undo();
    insta::assert_snapshot!(
        into(&mut base, "if title has \"a\" then A [5]", PLAIN).unwrap_err(),
        @"line 1: rule 5 had its number here and was undone: --renumber gives the file's rules new numbers"
    );
}

#[test]
fn an_import_changes_no_cornerstone_unless_accepted() {
    let mut base = school();
    let file = "if title has \"world\" then World  [20]\n";
    insta::assert_snapshot!(into(&mut base, file, PLAIN).unwrap_err(), @"1 cornerstone(s) of this base would change (1): --accept records where the rules put them");
    into(&mut base, file, ACCEPT).unwrap();
    assert_eq!(filed(&base, "World cup final"), ["Sports/Soccer", "World"]);
    assert_eq!(base.cornerstones().misfiled(base.tree()), []);

    let file =
        "if title has \"moon\" then Moon  [30]\ncornerstone 30 expects World\n    title \"Full moon\"\n";
    insta::assert_snapshot!(into(&mut base, file, PLAIN).unwrap_err(), @"1 cornerstone(s) of the file do not come out as expected (30): --accept records where the rules put them");
    into(&mut base, file, ACCEPT).unwrap();
    assert_eq!(base.cornerstones().misfiled(base.tree()), []);
}

#[test]
fn what_can_never_fire_is_reported_and_taken() {
    let file = "if title has \"cup\" and title lacks \"cup\" then A  [1]\nif folder lacks A then B  [2]\n\
        \u{20}   if title has \"tea\" then stop  [3]\n        if folder has A then stop  [4]\n";
    let import = Interchange::parse(file).unwrap().import(&Base::default(), PLAIN).unwrap();
    let told = import.unreachable.iter().map(|u| format!("{:?} rule {} {}", u.line, u.rule, u.reason));
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r#"
    Some(1) rule 1 asks for both title has “cup” and title lacks “cup”
    Some(4) rule 4 asks for folder has “A”, but rule 2 above it for folder lacks “A”
    "#);
    assert_eq!((import.lesson.rules.len(), import.new_folders), (4, vec!["A".to_owned(), "B".to_owned()]));
}

/// Names that need care: quotes, spaces, keywords, other scripts.
const NAMES: [&str; 4] = ["Sports & Co/“Soccer”", "stop", "新华/été \"x\", [1]", "Plain-1/nothing"];

fn origin() -> impl Strategy<Value = Origin> {
    (
        prop::option::of(prop::sample::select(&["anna", "Ann Smith", "", "by", "]", "ö\n"][..])),
        prop::option::of(-1_000_000_000_000_i64..2_000_000_000_000),
        prop::option::of(0..3_usize),
        prop::option::of(".{0,12}"),
    )
        .prop_map(|(author, at, cornerstone, note)| Origin {
            author: author.map(ToOwned::to_owned),
            at: at.map(|at| Timestamp::from_millisecond(at).unwrap()),
            cornerstone: cornerstone.map(|at| CornerstoneId(at as i64 * 2 + 1)),
            note,
        })
}

prop_compose! {
    fn base()(
        tree in tree(),
        origins in prop::collection::vec(origin(), 16),
        articles in prop::collection::vec((article(), prop::option::of(0..9_i64)), 3..6),
        odd in "\\PC{0,20}",
    ) -> Base {
        let mut folders = Folders::default();
        let mut at = BTreeSet::new();
        for name in NAMES {
            at.insert(folders.create(name).unwrap().0);
        }
        folders.create("Empty/Inner").unwrap();
        let _ = folders.create(&odd);
        let ids: Vec<FolderId> = at.into_iter().collect();
        let mut rules: Vec<Rule> = tree.rules().to_vec();
        let last = FolderId(100);
        for (rule, origin) in rules.iter_mut().zip(origins) {
            rule.origin = origin;
        }
        // The strategy numbers folders from one; here they have other numbers.
        let mut tree = RuleTree::new(rules).unwrap();
        for (folder, id) in (1..=4).map(FolderId).zip(&ids) {
            tree.replace_folder(folder, FolderId(last.0 + id.0)).unwrap();
        }
        for id in &ids {
            tree.replace_folder(FolderId(last.0 + id.0), *id).unwrap();
        }
        let mut seen = BTreeSet::new();
        let mut filer = Filer::default();
        let cornerstones: Vec<Cornerstone> = articles.into_iter().enumerate().map(|(at, (mut fields, article))| {
            fields.source = (at == 1).then(|| format!("{odd}\u{2028}\r\n\t").into());
            Cornerstone {
                id: CornerstoneId(at as i64 * 2 + 1),
                article: article.map(ArticleId).filter(|article| seen.insert(*article)),
                expected: filer.file(&tree, &fields).folders.into_iter().collect(),
                fields,
            }
        }).collect();
        let last_rule = tree.rules().last().map_or(RuleId(0), |rule| rule.id);
        let cornerstones = Cornerstones::restore(cornerstones);
        Base::restore(folders, tree, cornerstones, Vec::new(), last_rule, CornerstoneId(20))
    }
}

fn taught() -> impl Strategy<Value = Base> {
    prop::collection::vec((article(), 0..4_usize, 0..4_usize, any::<bool>()), 1..15).prop_map(|lessons| {
        let mut base = Base::default();
        let folders: Vec<FolderId> =
            NAMES.iter().map(|name| base.folders_mut().create(name).unwrap().0).collect();
        for (number, (fields, from, to, replace)) in lessons.into_iter().enumerate() {
            let (from, to) = (folders[from], folders[to]);
            let correction = if replace { Correction::Replace { from, to } } else { Correction::Add(to) };
            let prompt = Prompt { article: Some(ArticleId(number as i64)), fields };
            let Ok(mut draft) = Draft::new(&base, prompt, correction) else { continue };
            let Ok(fix) = draft.fix(&base, None, None) else { continue };
            let first = draft.suggestions(&base, None, None).unwrap().into_iter().next().map(|s| s.literal);
            let condition = if fix.add.is_empty() { Vec::from_iter(first) } else { fix.add };
            draft.set_condition(condition).unwrap();
            if let Ok(lesson) = draft.lesson(&base, &BTreeSet::new(), &Origin::default()) {
                base.apply(lesson).unwrap();
            }
        }
        base
    })
}

fn round_trip(base: &Base) -> Result<(), TestCaseError> {
    let file = Interchange::of(base);
    let (json, text) = (file.to_json_lines(), file.to_text());
    for form in [&json, &text] {
        let mut other = Base::default();
        let result = into(&mut other, form, PLAIN);
        prop_assert!(result.is_ok(), "{:?}\n{form}", result);
        let again = Interchange::of(&other);
        prop_assert_eq!(&again.to_json_lines(), &json);
        prop_assert_eq!(&again.to_text(), &text);
        let names = |base: &Base| base.folders().list().into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        prop_assert_eq!(names(&other), names(base));
        // Into itself nothing is new.
        let twice = Interchange::parse(form).unwrap().import(&other, RENUMBER).unwrap();
        prop_assert_eq!((twice.skipped, twice.lesson.rules.len()), (other.tree().rules().len(), 0));
        prop_assert!(twice.new_folders.is_empty() && twice.lesson.verdicts.is_empty());
    }
    Ok(())
}

proptest! {
    #[test]
    fn out_in_and_out_again_is_the_same(base in base()) {
        round_trip(&base)?;
    }

    #[test]
    fn what_was_taught_comes_out_and_in(base in taught()) {
        round_trip(&base)?;
    }

    #[test]
    fn no_file_makes_it_panic(text in "(\\{\"id\":[0-9]{1,20},?|if title has \"a\" then|\\[1\\]|    |\n|\"|cornerstone 1 expects A|\\PC){0,20}") {
        let _ = Interchange::parse(&text);
    }
}
