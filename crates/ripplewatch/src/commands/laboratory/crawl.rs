//! `laboratory crawl`: what each strategy brings from a saved web.

use super::write;
use crate::cli::CrawlLabOptions;
use crate::console::{self, Progress};
use crate::exit::bad_input;
use discovery::crawl::{CrawlSettings, StrategyName, Tuning};
use laboratory::crawl::{
    Contender, CrawlReport, CrawlRow, Experiment, SavedWeb, ShopGround, ShopRow, draws, shop_rows,
};
use serde_json::json;
use std::time::Instant;

/// What is reported; parameters were chosen on others.
const REPORTED: [&str; 10] = [
    "Language_and_literature",
    "Music",
    "Religion",
    "IT",
    "Mathematics",
    "Business_Studies",
    "Art",
    "Science.Chemistry",
    "Everyday_life.Sports",
    "Design_and_Technology.Railway_transport",
];

pub(crate) fn run(options: &CrawlLabOptions, json: bool) -> anyhow::Result<()> {
    let contenders = contenders(options)?;
    if options.draws == 0 || options.pages == 0 {
        return Err(bad_input("--draws and --pages must be at least 1".to_owned()));
    }
    if options.shop {
        return shop(options, &contenders, json);
    }
    let began = Instant::now();
    let mut progress = Progress::new("reading");
    let cache = std::env::temp_dir().join("ripplewatch-laboratory");
    let web =
        SavedWeb::read(&options.web, &cache, &options.without, &mut |done, all| progress.show(done, all))
            .map_err(|error| bad_input(error.to_string()))?;
    progress.end();
    let topics: Vec<String> =
        if options.topics.is_empty() { REPORTED.map(str::to_owned).to_vec() } else { options.topics.clone() };
    let draws =
        draws(&web, &topics, options.draws, options.seed).map_err(|error| bad_input(error.to_string()))?;
    let mut progress = Progress::new("crawling");
    let experiment = Experiment { web: &web, draws: &draws, contenders: &contenders, pages: options.pages };
    let crawls = experiment.run(&mut |done, all| progress.show(done, all))?;
    progress.end();
    let names = contenders.iter().map(|contender| contender.name().to_owned()).collect();
    let report = CrawlReport {
        names,
        crawls,
        pages: options.pages as usize,
        draws: options.draws,
        seed: options.seed,
    };
    if let Some(file) = &options.svg {
        write(file, &report.svg(&format!("Harvest: {} topics, {} draws each", topics.len(), options.draws)))?;
    }
    let rows = report.rows();
    if json {
        return console::json(
            &json!({ "pages": options.pages, "topics": topics, "draws": options.draws, "rows": rows }),
        );
    }
    let head = [
        "strategy",
        "@100",
        "@250",
        "@500",
        "gap closed",
        "95 %",
        "behind ontology @250",
        "precision",
        "recall",
        "reach",
        "hits/CPU s",
    ];
    console::table(&head, &rows.iter().map(row).collect::<Vec<_>>());
    console::note(&format!(
        "{} pages, {} topics, {} draws each, seed {}, {:.0} s",
        web.pages.len(),
        topics.len(),
        options.draws,
        options.seed,
        began.elapsed().as_secs_f64()
    ));
    Ok(())
}

fn row(row: &CrawlRow) -> Vec<String> {
    let mut cells = vec![row.strategy.clone()];
    cells.extend(row.harvest.iter().map(|harvest| format!("{harvest:.3}")));
    cells.push(format!("{:.1} %", row.gap.mean * 100.0));
    cells.push(format!("{:.1} to {:.1}", row.gap.low * 100.0, row.gap.high * 100.0));
    cells.push(format!("{:.4} [{:.4}, {:.4}]", row.behind.mean, row.behind.low, row.behind.high));
    cells.extend([row.precision, row.recall, row.reach].map(|share| format!("{share:.2}")));
    cells.push(format!("{:.0}", row.hits_per_second));
    cells
}

/// Breadth-first, the strategies asked for, ours without learning, ours, and the oracle.
fn contenders(options: &CrawlLabOptions) -> anyhow::Result<Vec<Contender>> {
    let mut ours = CrawlSettings::default();
    for setting in &options.set {
        let parsed = setting.split_once('=').and_then(|(name, value)| Some((name, value.parse().ok()?)));
        let Some((name, value)) = parsed else {
            return Err(bad_input(format!("--set {setting}: write it as NAME=NUMBER, e.g. name=2")));
        };
        if !ours.tuning.set(name, value) {
            let names = Tuning::NAMES.join(", ");
            return Err(bad_input(format!(
                "--set {setting}: there is no number “{name}”; there are {names}, and signs.0 to signs.9"
            )));
        }
    }
    let asked = |name: &StrategyName| options.strategies.is_empty() || options.strategies.contains(name);
    let mind = |name: &str, settings| Contender::Mind { name: name.to_owned(), settings: Box::new(settings) };
    let mut contenders = Vec::new();
    for strategy in StrategyName::ALL {
        if strategy == StrategyName::Ontology && asked(&strategy) {
            contenders
                .push(mind("ontology, not learning", CrawlSettings { learning: false, ..ours.clone() }));
            contenders.push(mind(strategy.word(), ours.clone()));
        } else if strategy == StrategyName::BreadthFirst || asked(&strategy) {
            contenders.push(mind(strategy.word(), CrawlSettings { strategy, ..CrawlSettings::default() }));
        }
    }
    contenders.push(Contender::Oracle);
    Ok(contenders)
}

fn shop(options: &CrawlLabOptions, contenders: &[Contender], json: bool) -> anyhow::Result<()> {
    let bad = |error: demo::shop::StockError| bad_input(error.to_string());
    let books = demo::shop::read_books(&options.web.join("books.csv.gz")).map_err(bad)?;
    let categories =
        demo::shop::read_categories(&options.web.join("retail-categories.csv.gz")).map_err(bad)?;
    let topic = discovery::ontology::shipped().into_iter().find(|topic| topic.name == "Book");
    let Some(topic) = topic else { return Err(bad_input("no topic Book is shipped".to_owned())) };
    let count = books.len();
    let ground = ShopGround::new(demo::shop::Shop::new(books, categories), count);
    let mut progress = Progress::new("crawling");
    let report =
        shop_rows(&ground, &topic, contenders, options.pages, &mut |done, all| progress.show(done, all))?;
    progress.end();
    if let Some(file) = &options.svg {
        let name = |end: &str| std::path::PathBuf::from(format!("{}-{end}.svg", file.display()));
        write(&name("harvest"), &report.harvest_svg())?;
        write(&name("time"), &report.time_svg())?;
    }
    let rows = report.rows();
    if json {
        return console::json(&json!({ "pages": options.pages, "books": count, "rows": rows }));
    }
    let head = [
        "strategy",
        "@100",
        "@250",
        "@500",
        "end",
        "of oracle",
        "traps",
        "precision",
        "recall",
        "CPU s",
        "hits/CPU s",
    ];
    console::table(&head, &rows.iter().map(shop_row).collect::<Vec<_>>());
    Ok(())
}

fn shop_row(row: &ShopRow) -> Vec<String> {
    let mut cells = vec![row.strategy.clone()];
    cells.extend(row.harvest.iter().map(|harvest| format!("{harvest:.3}")));
    cells.push(format!("{:.3}", row.of_oracle));
    cells.push(format!("{:.2} %", row.traps * 100.0));
    cells.extend([row.kept.0, row.kept.1].map(|share| format!("{share:.2}")));
    cells.push(format!("{:.1}", row.seconds));
    cells.push(format!("{:.0}", row.hits_per_second));
    cells
}
