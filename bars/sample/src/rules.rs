//! Rule bases of the paper's shape, grown as teaching grows them.

use crate::dice::Dice;
use knowledge::{
    Conclusion, Field, Fields, Filer, Filing, Literal, Mode, Origin, ROOT, Rule, RuleTree, Term, Words,
};
use model::{CornerstoneId, FolderId, RuleId};
use std::collections::{BTreeSet, HashMap};

/// Stopping rules in a hundred, as in the paper.
const STOPS: usize = 62;
/// Refining rules in a hundred: another folder instead.
const REFINEMENTS: usize = 10;
/// Of a hundred literals after a condition's first, those that want a word not to be there.
const LACKING: usize = 20;
const FOLDERS: usize = 200;
/// Of a hundred words, those that are taken from the title.
const FROM_TITLE: usize = 30;
/// Nobody files by a word that every tenth article has, nor by one of two letters.
const COMMON: usize = 10;
const SHORTEST: usize = 3;
/// So many rules come before the first exception.
const FEW: usize = 50;
/// From here on an article that is taught by teaches more than one rule, for growing a million by ones takes minutes.
const MANY: usize = 10_000;

/// What a rule base looks like.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The share of rules that stop.
    pub stops: f64,
    /// Literals a rule.
    pub words: f64,
    /// The share of literals that want a word not to be there.
    pub lacking: f64,
    /// The share of rules right under the root.
    pub top: f64,
}

/// So many rules, parents first; the first thousand of many are the rules one gets by asking for a thousand.
///
/// Each is prompted by a random article: its words are in it, or lacking from it, and an exception hangs under a
/// rule that is live for it. The rule's origin names the article by its place, counted from one.
pub fn rules(articles: &[Fields<'static>], count: usize) -> anyhow::Result<Vec<Rule>> {
    let mut teacher = Teacher::new(articles);
    let mut tree = RuleTree::default();
    let mut filer = Filer::default();
    let mut kind = Kind::New;
    while tree.rules().len() < count {
        let prompt = teacher.dice.below(articles.len());
        let filing = filer.file(&tree, &articles[prompt]);
        let taught = tree.rules().len();
        let mut lesson = Vec::new();
        // An article that gives no reason for this kind of rule is passed over.
        while lesson.len() <= taught / MANY
            && let Some(parent) = teacher.parent(&tree, &filing, kind)
        {
            let id = RuleId((taught + lesson.len() + 1) as i64);
            lesson.push(teacher.rule(&tree, id, parent, kind, prompt)?);
            kind = if taught < FEW { Kind::New } else { teacher.kind() };
        }
        tree.extend(lesson)?;
    }
    Ok(tree.rules()[..count].to_vec())
}

#[derive(Clone, Copy)]
enum Kind {
    /// A folder more.
    New,
    /// A folder less.
    Stop,
    /// Another folder, or one in spite of a stop.
    Refinement,
}

struct Teacher {
    dice: Dice,
    /// For each article the words of title and body one might file by.
    words: Vec<[Vec<String>; 2]>,
}

impl Teacher {
    fn new(articles: &[Fields<'static>]) -> Self {
        let mut words: Vec<[Vec<String>; 2]> = articles
            .iter()
            .map(|article| {
                let words = Words::of(article);
                [Field::Title, Field::Body].map(|field| {
                    let usable = words.distinct(field).filter(|word| word.len() >= SHORTEST);
                    let sorted: BTreeSet<&str> = usable.collect();
                    sorted.into_iter().map(str::to_owned).collect()
                })
            })
            .collect();
        let mut frequency: HashMap<String, usize> = HashMap::new();
        for word in words.iter().flat_map(|[_, body]| body) {
            *frequency.entry(word.clone()).or_default() += 1;
        }
        let most = articles.len() / COMMON;
        for list in words.iter_mut().flatten() {
            list.retain(|word| frequency.get(word).is_none_or(|count| *count <= most));
        }
        Self { dice: Dice::new(7), words }
    }

    fn kind(&mut self) -> Kind {
        match self.dice.below(100) {
            roll if roll < STOPS => Kind::Stop,
            roll if roll < STOPS + REFINEMENTS => Kind::Refinement,
            _ => Kind::New,
        }
    }

    /// A rule to hang one of this kind under, if the article is filed so.
    fn parent(&mut self, tree: &RuleTree, filing: &Filing, kind: Kind) -> Option<RuleId> {
        let gives = |id: &&RuleId| tree.get(**id).is_some_and(|rule| rule.conclusion.folder().is_some());
        match kind {
            Kind::New => Some(ROOT),
            Kind::Stop => {
                let giving: Vec<RuleId> = filing.live.iter().filter(gives).copied().collect();
                self.dice.pick(&giving).copied()
            }
            Kind::Refinement => self.dice.pick(&filing.live).copied(),
        }
    }

    fn rule(
        &mut self,
        tree: &RuleTree,
        id: RuleId,
        parent: RuleId,
        kind: Kind,
        prompt: usize,
    ) -> anyhow::Result<Rule> {
        let conclusion = match kind {
            Kind::Stop => Conclusion::Stop,
            _ => Conclusion::Folder(FolderId(self.dice.below(FOLDERS) as i64 + 1)),
        };
        let above: Vec<&Literal> = tree.path_literals(parent).collect();
        let condition = self.condition(prompt, &above)?;
        let cornerstone = Some(CornerstoneId(prompt as i64 + 1));
        Ok(Rule { id, parent, condition, conclusion, origin: Origin { cornerstone, ..Origin::default() } })
    }

    fn condition(&mut self, prompt: usize, above: &[&Literal]) -> anyhow::Result<Vec<Literal>> {
        // Two on average.
        let length = [1, 1, 1, 2, 2, 2, 2, 3, 3, 3].get(self.dice.below(10)).copied().unwrap_or(2);
        let mut condition: Vec<Literal> = Vec::with_capacity(length);
        for _ in 0..20 {
            if condition.len() == length {
                break;
            }
            let lacking = !condition.is_empty() && self.dice.chance(LACKING);
            let from = if lacking { self.dice.below(self.words.len()) } else { prompt };
            let (side, field) =
                if self.dice.chance(FROM_TITLE) { (0, Field::Title) } else { (1, Field::Body) };
            let Some(word) = self.dice.pick(&self.words[from][side]) else { continue };
            if lacking && self.words[prompt][side].contains(word) {
                continue;
            }
            let term = Term::new(field, Mode::Exact, word)?;
            let literal = if lacking { Literal::lacks(term) } else { Literal::has(term) };
            if !condition.contains(&literal) && !above.contains(&&literal) {
                condition.push(literal);
            }
        }
        anyhow::ensure!(!condition.is_empty(), "article {prompt} has no word to file by");
        Ok(condition)
    }
}

impl Shape {
    /// The shape of these rules.
    pub fn of(rules: &[Rule]) -> Self {
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let literals = || rules.iter().flat_map(|rule| &rule.condition);
        let lacking = literals().filter(|literal| literal.polarity == knowledge::Polarity::Lacks).count();
        Self {
            stops: share(
                rules.iter().filter(|rule| rule.conclusion == Conclusion::Stop).count(),
                rules.len(),
            ),
            words: share(literals().count(), rules.len()),
            lacking: share(lacking, literals().count()),
            top: share(rules.iter().filter(|rule| rule.parent == ROOT).count(), rules.len()),
        }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.0} % stops, {:.2} words a rule ({:.0} % of them lacking), {:.0} % of the rules under the root",
            self.stops * 100.0,
            self.words,
            self.lacking * 100.0,
            self.top * 100.0
        )
    }
}
