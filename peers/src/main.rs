//! YARA-X beside our filer: the same rules, the same articles, the same answers.
//!
//! Each of our rules is one of YARA's, which names its parent in its condition: it matches when ours fires. Title
//! and body are scanned at once, told apart by a variable with the place where the body begins. YARA-X gets what
//! is quickest for it: the text is put in lower case before, so that its patterns need no `nocase`; its scanner is
//! made once; and which rules are live is worked out from those that matched, in a table of parents.

use anyhow::Context;
use knowledge::{Conclusion, Field, Fields, Filer, Filing, Polarity, ROOT, Rule, RuleTree};
use model::RuleId;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use yara_x::{Compiler, Rules, Scanner};

const SIZES: [usize; 2] = [3_707, 10_000];
/// Both go over the articles so often, turn about; the best round counts.
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let texts = sample::read()?;
    println!("  {}", texts.origin);
    // A thousand are enough for figures, and for answers to be compared.
    let articles = &texts.articles[..texts.articles.len().min(1_000)];
    let rules = sample::rules(&texts.articles, SIZES.into_iter().max().unwrap_or(0))?;
    let mut figures = Vec::new();
    for size in SIZES {
        figures.push(measure(articles, &rules[..size])?);
    }
    for figure in figures {
        println!("{figure}");
    }
    Ok(())
}

fn measure(articles: &[Fields<'static>], rules: &[Rule]) -> anyhow::Result<String> {
    let began = Instant::now();
    let compiled = compile(rules)?;
    println!("  {} rules compiled by YARA-X in {:.1?}", rules.len(), began.elapsed());
    let mut yara = Yara::new(&compiled, rules);
    let tree = RuleTree::new(rules.iter().cloned())?;
    let mut filer = Filer::default();
    for (n, article) in articles.iter().enumerate() {
        let same = yara.file(article)? == filer.file(&tree, article);
        anyhow::ensure!(same, "YARA-X files article {n} otherwise");
    }
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for article in articles {
            std::hint::black_box(yara.file(article)?);
        }
        best[0] = best[0].min(began.elapsed());
        let began = Instant::now();
        for article in articles {
            std::hint::black_box(filer.file(&tree, article));
        }
        best[1] = best[1].min(began.elapsed());
    }
    let [yara, ours] = best.map(|time| time.as_secs_f64() * 1e6 / articles.len() as f64);
    Ok(format!(
        "{} rules, equal answers on {} articles, none left out: YARA-X {yara:.1} µs, ours {ours:.1} µs an article: {:.0}×",
        rules.len(),
        articles.len(),
        yara / ours
    ))
}

/// The rules in YARA's language.
fn compile(rules: &[Rule]) -> anyhow::Result<Rules> {
    let mut source = String::new();
    for rule in rules {
        let mut strings = String::new();
        let mut condition = String::new();
        if rule.parent != ROOT {
            write!(condition, "r{} and ", rule.parent.0)?;
        }
        for (n, literal) in rule.condition.iter().enumerate() {
            let term = literal.term().context("a literal that is not on a word")?;
            let place = match term.field() {
                Field::Title => "(0..body - 1)",
                Field::Body => "(body..filesize)",
                field => anyhow::bail!("a literal on {field:?}"),
            };
            let not = if literal.polarity == Polarity::Lacks { "not " } else { "" };
            let and = if n > 0 { " and " } else { "" };
            write!(strings, " $w{n} = \"{}\" fullword", term.text())?;
            write!(condition, "{and}{not}$w{n} in {place}")?;
        }
        writeln!(source, "rule r{} {{ strings:{strings} condition: {condition} }}", rule.id.0)?;
    }
    let mut compiler = Compiler::new();
    compiler.define_global("body", 0_i64)?;
    compiler.add_source(source.as_str())?;
    Ok(compiler.build())
}

struct Yara<'r> {
    scanner: Scanner<'r>,
    /// By rule id: its parent and what it says.
    rules: Vec<(RuleId, Conclusion)>,
    /// By rule id: whether an exception under it fires for this article.
    excepted: Vec<bool>,
    text: String,
}

impl<'r> Yara<'r> {
    fn new(compiled: &'r Rules, rules: &[Rule]) -> Self {
        let last = rules.iter().map(|rule| rule.id.0).max().unwrap_or(0);
        let mut table = vec![(ROOT, Conclusion::Stop); usize::try_from(last).unwrap_or(0) + 1];
        for rule in rules {
            table[index(rule.id)] = (rule.parent, rule.conclusion);
        }
        let excepted = vec![false; table.len()];
        Self { scanner: Scanner::new(compiled), rules: table, excepted, text: String::new() }
    }

    fn file(&mut self, article: &Fields<'_>) -> anyhow::Result<Filing> {
        let Self { scanner, rules, excepted, text } = self;
        text.clear();
        text.push_str(article.get(Field::Title).unwrap_or_default());
        text.push('\n');
        let body = text.len();
        text.push_str(article.get(Field::Body).unwrap_or_default());
        text.make_ascii_lowercase();
        scanner.set_global("body", body as i64)?;
        let found = scanner.scan(text.as_bytes())?;
        let mut fired: Vec<RuleId> = Vec::new();
        for rule in found.matching_rules() {
            fired.push(RuleId(rule.identifier()[1..].parse()?));
        }
        fired.sort_unstable();
        for id in &fired {
            excepted[index(rules[index(*id)].0)] = true;
        }
        let live: Vec<RuleId> = fired.iter().filter(|id| !excepted[index(**id)]).copied().collect();
        for id in &fired {
            excepted[index(rules[index(*id)].0)] = false;
        }
        let mut folders: Vec<_> = live.iter().filter_map(|id| rules[index(*id)].1.folder()).collect();
        folders.sort_unstable();
        folders.dedup();
        Ok(Filing { live, folders })
    }
}

/// Ids count up from one.
fn index(id: RuleId) -> usize {
    usize::try_from(id.0).unwrap_or(0)
}
