//! How long it takes to file an article, from its raw text to its folders, as rules become many; beside a naive
//! walk of the tree and beside text search libraries with the same rules, all of which must give the same answers.

mod commit;
mod engines;
mod walk;

use commit::Commits;
use engines::{Engine, Naive, Ours, Searched, Table, aho_corasick, regex_set};
use knowledge::{Fields, Filing, Rule, RuleTree};
use sample::Shape;
use std::time::{Duration, Instant};

/// The paper's base, and larger ones.
const SIZES: [usize; 4] = [3_707, 10_000, 100_000, 1_000_000];
const PAPER: usize = 3_707;
const LARGE: usize = 100_000;
const HUGE: usize = 1_000_000;
/// Up to so many rules the search libraries take part.
const MOST_SEARCHED: usize = 10_000;
/// Every engine goes over its articles so often; the best round counts.
const ROUNDS: usize = 5;

pub(crate) fn run() -> anyhow::Result<bool> {
    let texts = sample::read()?;
    println!("  {}", texts.origin);
    let began = Instant::now();
    let rules = sample::rules(&texts.articles, HUGE)?;
    println!(
        "  {HUGE} rules grown in {:.0?}; times are the best of {ROUNDS} rounds, an article",
        began.elapsed()
    );
    println!(
        "  {:>9} {:>10} {:>10} {:>10} {:>12} {:>9} {:>7}",
        "rules", "naive", "interned", "RegexSet", "aho-corasick", "ours", "live"
    );
    let mut rows = Vec::new();
    for size in SIZES {
        let row = Row::measure(&texts.articles, &rules[..size])?;
        println!("{row}");
        rows.push(row);
    }
    for row in &rows {
        println!("  {:>9} rules: {}; equal answers on {}", row.rules, row.shape, row.compared);
    }
    let commits = Commits::measure(&texts.articles, &rules[..LARGE])?;
    println!(
        "  {} commits to {LARGE} rules with {} cornerstones, each until an article was filed by it: p50 {:.2?}, p95 {:.2?}, slowest {:.2?}",
        commits.count(),
        commits.cornerstones,
        commits.percentile(50),
        commits.percentile(95),
        commits.percentile(100),
    );
    Ok(judge(&rows, &commits))
}

/// The bars, a line each.
fn judge(rows: &[Row], commits: &Commits) -> bool {
    let ours = |rules| rows.iter().find(|row| row.rules == rules).map_or(f64::NAN, |row| row.ours);
    let naive = rows.iter().find(|row| row.rules == PAPER).map_or(f64::NAN, |row| row.naive / row.ours);
    let growth = ours(HUGE) / ours(LARGE);
    let commit = commits.percentile(95).as_secs_f64() * 1e3;
    let bars = [
        (ours(PAPER) <= 10.0, format!("≤ 10 µs at {PAPER} rules: {:.1} µs", ours(PAPER))),
        (naive >= 8.0, format!("≥ 8× naive at {PAPER} rules: {naive:.1}×")),
        (ours(LARGE) <= 75.0, format!("≤ 75 µs at {LARGE} rules: {:.1} µs", ours(LARGE))),
        (growth < 10.0, format!("below linear from {LARGE} to {HUGE} rules (10×): {growth:.1}×")),
        (commit < 20.0, format!("commit < 20 ms at {LARGE} rules: p95 {commit:.2} ms")),
    ];
    for (met, bar) in &bars {
        println!("{bar}: {}", if *met { "met" } else { "NOT met" });
    }
    bars.iter().all(|(met, _)| *met)
}

/// One rule base; times in microseconds an article.
struct Row {
    rules: usize,
    shape: Shape,
    naive: f64,
    interned: f64,
    regex: Option<f64>,
    aho_corasick: Option<f64>,
    ours: f64,
    /// Rules live an article.
    live: f64,
    compared: String,
}

impl Row {
    fn measure(articles: &[Fields<'static>], rules: &[Rule]) -> anyhow::Result<Self> {
        let tree = RuleTree::new(rules.iter().cloned())?;
        // A slow walk over a large base is over fewer articles.
        let few = &articles[..articles.len().min(10_000_000 / rules.len())];
        let mut ours = Ours::new(&tree);
        let answers: Vec<Filing> = articles.iter().map(|article| ours.file(article)).collect();
        let live: usize = answers.iter().map(|filing| filing.live.len()).sum();
        let compare = |name: &str, engine: &mut dyn Engine| -> anyhow::Result<f64> {
            for (n, (article, answer)) in few.iter().zip(&answers).enumerate() {
                anyhow::ensure!(engine.file(article) == *answer, "{name} files article {n} otherwise");
            }
            Ok(time(engine, few))
        };
        let naive = compare("the naive walk", &mut Naive::new(rules)?)?;
        let interned =
            compare("the interned walk", &mut Searched::new(rules, |words| Ok(Table::new(words)))?)?;
        let (regex, aho_corasick) = if rules.len() <= MOST_SEARCHED {
            let regex = compare("RegexSet", &mut Searched::new(rules, regex_set)?)?;
            let aho_corasick = compare("aho-corasick", &mut Searched::new(rules, aho_corasick)?)?;
            (Some(regex), Some(aho_corasick))
        } else {
            (None, None)
        };
        Ok(Self {
            rules: rules.len(),
            shape: Shape::of(rules),
            naive,
            interned,
            regex,
            aho_corasick,
            ours: time(&mut ours, articles),
            live: live as f64 / articles.len() as f64,
            compared: format!("{} of {} articles", few.len(), articles.len()),
        })
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = |micros: f64| format!("{micros:.1} µs");
        let maybe = |micros: Option<f64>| micros.map_or("–".to_owned(), time);
        write!(
            f,
            "  {:>9} {:>10} {:>10} {:>10} {:>12} {:>9} {:>7.1}",
            self.rules,
            time(self.naive),
            time(self.interned),
            maybe(self.regex),
            maybe(self.aho_corasick),
            time(self.ours),
            self.live
        )
    }
}

/// Microseconds an article, in the best of some rounds.
fn time(engine: &mut dyn Engine, articles: &[Fields<'_>]) -> f64 {
    let round = |_| {
        let began = Instant::now();
        for article in articles {
            std::hint::black_box(engine.file(article));
        }
        began.elapsed()
    };
    let best = (0..ROUNDS).map(round).min().unwrap_or(Duration::ZERO);
    best.as_secs_f64() * 1e6 / articles.len().max(1) as f64
}
