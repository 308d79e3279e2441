//! Prudence: when an article is filed by a rule but holds words that speak for folders it is not in, and that no article
//! filed by this rule has held before, a person had better look.

use crate::archive::Archive;
use crate::field::Field;
use crate::literal::{Mode, Polarity, Term};
use crate::tree::RuleTree;
use model::{FolderId, RuleId};
use roaring::RoaringBitmap;
use std::collections::HashMap;

/// With fewer earlier articles there is nothing to compare with: everything would be new.
const FEWEST_EARLIER: u64 = 5;

/// A reason to look at an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The rule that filed it.
    pub rule: RuleId,
    /// Where.
    pub folder: FolderId,
    /// Words that speak for other folders, never seen before with this rule.
    pub words: Vec<(Field, String)>,
}

/// The words that speak for folders: exact words that rules ask for. Made once for a tree, then asked for each article.
#[derive(Debug, Clone, Default)]
pub struct Prudence {
    strong: Vec<Strong>,
}

#[derive(Debug, Clone)]
struct Strong {
    field: Field,
    word: Box<str>,
    /// The folders of the rules that ask for it.
    speaks_for: Vec<FolderId>,
}

impl Prudence {
    /// The strong words of a tree.
    pub fn new(tree: &RuleTree) -> Self {
        let mut terms: HashMap<&Term, Vec<FolderId>> = HashMap::new();
        for rule in tree.rules() {
            let Some(folder) = rule.conclusion.folder() else { continue };
            let asked = rule.condition.iter().filter(|literal| literal.polarity == Polarity::Has);
            for term in asked.filter_map(|literal| literal.term()).filter(|term| term.mode() == Mode::Exact) {
                let speaks_for = terms.entry(term).or_default();
                if !speaks_for.contains(&folder) {
                    speaks_for.push(folder);
                }
            }
        }
        let strong = |(term, speaks_for): (&Term, Vec<FolderId>)| Strong {
            field: term.field(),
            word: term.text().into(),
            speaks_for,
        };
        let mut strong: Vec<Strong> = terms.into_iter().map(strong).collect();
        strong.sort_by(|a, b| (a.field, &a.word).cmp(&(b.field, &b.word)));
        Self { strong }
    }

    /// The warnings on an article, given the rules that are live for it.
    pub fn warnings(
        &self,
        tree: &RuleTree,
        archive: &Archive,
        article: u32,
        live: &[RuleId],
    ) -> Vec<Warning> {
        let there: Vec<_> = self.known(archive).filter(|(_, with)| with.contains(article)).collect();
        Self::judge(tree, archive, article, live, &there)
    }

    /// The warnings on many articles, each with the rules that are live for it, in the same order. Every strong word is
    /// looked for once, not once an article.
    pub fn warnings_on_all(
        &self,
        tree: &RuleTree,
        archive: &Archive,
        articles: &[(u32, Vec<RuleId>)],
    ) -> Vec<Vec<Warning>> {
        let numbers: RoaringBitmap = articles.iter().map(|(article, _)| *article).collect();
        let mut there: HashMap<u32, Vec<(&Strong, &RoaringBitmap)>> = HashMap::new();
        for (strong, with) in self.known(archive) {
            for article in with & &numbers {
                there.entry(article).or_default().push((strong, with));
            }
        }
        let judge = |(article, live): &(u32, Vec<RuleId>)| {
            let there = there.get(article).map_or(&[][..], Vec::as_slice);
            Self::judge(tree, archive, *article, live, there)
        };
        articles.iter().map(judge).collect()
    }

    /// The strong words that any article holds, with those articles.
    fn known<'a>(&'a self, archive: &'a Archive) -> impl Iterator<Item = (&'a Strong, &'a RoaringBitmap)> {
        self.strong.iter().filter_map(|strong| Some((strong, archive.with_word(strong.field, &strong.word)?)))
    }

    /// The warnings on an article that holds these strong words.
    fn judge(
        tree: &RuleTree,
        archive: &Archive,
        article: u32,
        live: &[RuleId],
        there: &[(&Strong, &RoaringBitmap)],
    ) -> Vec<Warning> {
        if there.is_empty() {
            return Vec::new();
        }
        let given: Vec<FolderId> =
            live.iter().filter_map(|rule| tree.get(*rule)?.conclusion.folder()).collect();
        let judged = live.iter().filter_map(|rule| judged(tree, archive, article, *rule));
        let warning = |(rule, folder, earlier): (RuleId, FolderId, RoaringBitmap)| {
            let words: Vec<_> = there
                .iter()
                // A word for a folder the article is in anyway is nothing to wonder at.
                .filter(|(strong, _)| !strong.speaks_for.iter().any(|folder| given.contains(folder)))
                .filter(|(_, with)| with.is_disjoint(&earlier))
                .map(|(strong, _)| (strong.field, strong.word.to_string()))
                .collect();
            (!words.is_empty()).then_some(Warning { rule, folder, words })
        };
        judged.filter_map(warning).collect()
    }
}

/// The warnings on one article. For many, make a [`Prudence`] once.
pub fn prudence(tree: &RuleTree, archive: &Archive, article: u32) -> Vec<Warning> {
    Prudence::new(tree).warnings(tree, archive, article, &archive.live_rules(tree, article))
}

/// A live rule with its folder and its earlier articles, if those are enough to judge by.
fn judged(
    tree: &RuleTree,
    archive: &Archive,
    article: u32,
    rule: RuleId,
) -> Option<(RuleId, FolderId, RoaringBitmap)> {
    let folder = tree.get(rule)?.conclusion.folder()?;
    let mut earlier = archive.live(rule)?.clone();
    earlier.remove_range(article..);
    (earlier.len() >= FEWEST_EARLIER).then_some((rule, folder, earlier))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Texts;
    use crate::field::Fields;
    use crate::literal::Literal;
    use crate::rule::{Conclusion, Origin, ROOT, Rule};

    fn rule(id: i64, word: &str, folder: i64) -> Rule {
        Rule {
            id: RuleId(id),
            parent: ROOT,
            condition: vec![Literal::has(Term::natural(Field::Title, word).unwrap())],
            conclusion: Conclusion::Folder(FolderId(folder)),
            origin: Origin::default(),
        }
    }

    /// A rule that asks for another word as well, which no article here has.
    fn demanding(id: i64, word: &str, folder: i64) -> Rule {
        let mut rule = rule(id, word, folder);
        rule.condition.push(Literal::has(Term::natural(Field::Title, "exchange").unwrap()));
        rule
    }

    fn archive(tree: &RuleTree, titles: &[&str]) -> Archive {
        let mut archive = Archive::new(Texts::kept());
        for (number, title) in titles.iter().enumerate() {
            let article = Fields { title: Some((*title).into()), ..Fields::default() };
            archive.add(tree, number as u32, &article.into_owned());
        }
        archive
    }

    #[test]
    fn a_word_of_another_folder_that_was_never_seen_here_warns() {
        let (soccer, markets) = (1, 2);
        let gold_medal = Rule { parent: RuleId(1), conclusion: Conclusion::Stop, ..rule(5, "medal", 0) };
        let tree = RuleTree::new([
            rule(1, "cup", soccer),
            rule(2, "gold", markets),
            rule(3, "price", markets),
            rule(4, "goal", soccer),
            gold_medal,
        ])
        .unwrap();
        let archive = archive(
            &tree,
            &[
                "cup final", // 0
                "cup draw",
                "price of the cup",
                "cup gold", // 3: too early to tell
                "cup tie",
                "cup goal",      // 5: the same folder
                "cup price",     // 6: seen before
                "cup of silver", // 7: nobody asks for silver
                "the gold cup",  // 8: gold was there at 3
                "cup medal gold",
            ],
        );
        for quiet in 0..=9 {
            assert_eq!(prudence(&tree, &archive, quiet), [], "{quiet}");
        }
        // A new rule makes a word strong that was not, and does not file the article itself.
        let mut tree = tree;
        tree.extend([demanding(6, "silver", markets)]).unwrap();
        let mut archive = archive;
        archive.learn(&tree, &tree.rules()[5..]);
        let words = vec![(Field::Title, "silver".to_owned())];
        let warning = Warning { rule: RuleId(1), folder: FolderId(soccer), words };
        assert_eq!(prudence(&tree, &archive, 7), [warning]);
        assert_eq!(prudence(&tree, &archive, 99), []);
    }

    #[test]
    fn a_word_for_a_folder_the_article_is_in_anyway_is_quiet() {
        let titles = ["cup", "cup", "cup", "cup", "cup", "gold cup"];
        let tree = RuleTree::new([rule(1, "cup", 1), rule(2, "gold", 2), demanding(3, "gold", 3)]).unwrap();
        assert_eq!(prudence(&tree, &archive(&tree, &titles), 5), []);
        let tree = RuleTree::new([rule(1, "cup", 1), demanding(3, "gold", 3)]).unwrap();
        assert_eq!(prudence(&tree, &archive(&tree, &titles), 5).len(), 1);
    }

    #[test]
    fn among_many_strong_words_those_of_the_article_are_found() {
        let strong = (2..=5000).map(|id| demanding(id, &format!("w{id}"), id % 7 + 1));
        let tree = RuleTree::new([rule(1, "w1", 2)].into_iter().chain(strong)).unwrap();
        let texts: Vec<String> = (0..300)
            .map(|n| format!("w1 {}", (0..20).map(|k| format!("w{} ", n * 16 + k)).collect::<String>()))
            .collect();
        let archive = archive(&tree, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        let prudence = Prudence::new(&tree);
        let live = archive.live_rules(&tree, 299);
        let warnings = prudence.warnings(&tree, &archive, 299, &live);
        let first = warnings.iter().find(|warning| warning.rule == RuleId(1)).unwrap();
        // Those of folder 2, and the ones the last article but one shared, are not new to rule 1.
        assert!(first.words.iter().all(|(_, word)| texts[299].split(' ').any(|other| other == word)));
        assert!(first.words.iter().all(|(_, word)| texts[298].split(' ').all(|other| other != word)));
        assert_eq!(first.words.len(), 13);
        let all: Vec<(u32, Vec<RuleId>)> =
            (280..300).map(|number| (number, archive.live_rules(&tree, number))).collect();
        let one_by_one: Vec<Vec<Warning>> =
            all.iter().map(|(number, live)| prudence.warnings(&tree, &archive, *number, live)).collect();
        assert_eq!(prudence.warnings_on_all(&tree, &archive, &all), one_by_one);
    }
}
