//! Other numbers for `ontology`, side by side, on the topics used for development.
//!
//!     cargo run --release -p laboratory --example crawl_grid -- WEB DRAWS SEED PAGES [NAME=VALUE[,NAME=VALUE…] …]
//!
//! WEB is `../shared/data/webs/schools-wikipedia.tar.xz`. Each further word is one row: the tuned numbers it changes.

#![expect(clippy::print_stdout, reason = "a measuring program prints")]

use discovery::crawl::{CrawlSettings, StrategyName};
use laboratory::crawl::{Contender, CrawlReport, Experiment, SavedWeb, draws};
use std::path::Path;

/// None of those that are reported.
const DEVELOPMENT: &str = include_str!("../../discovery/examples/development_topics.txt");

/// As many of them are crawled for; the last three were added for telling pages apart.
const CRAWLED: usize = 15;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [web, count, seed, pages, rows @ ..] = words.as_slice() else {
        return Err("WEB DRAWS SEED PAGES [ROW …]".into());
    };
    let cache = std::env::temp_dir().join("ripplewatch-laboratory");
    let web = SavedWeb::read(Path::new(web), &cache, &["wp/index".to_owned()], &mut |_, _| ())?;
    let topics: Vec<String> = DEVELOPMENT.lines().take(CRAWLED).map(str::to_owned).collect();
    let draws = draws(&web, &topics, count.parse()?, seed.parse()?)?;
    let mind = |name: &str, settings| Contender::Mind { name: name.to_owned(), settings: Box::new(settings) };
    let first = CrawlSettings { strategy: StrategyName::BreadthFirst, ..CrawlSettings::default() };
    let mut contenders = vec![mind("breadth-first", first)];
    contenders.push(mind("not learning", CrawlSettings { learning: false, ..CrawlSettings::default() }));
    contenders.push(mind("ontology", CrawlSettings::default()));
    for row in rows {
        let mut settings = CrawlSettings::default();
        for change in row.split(',') {
            let (name, value) = change.split_once('=').ok_or("write NAME=VALUE")?;
            if !settings.tuning.set(name, value.parse()?) {
                return Err(format!("no number is called {name}").into());
            }
        }
        contenders.push(mind(row, settings));
    }
    contenders.push(Contender::Oracle);
    let pages: u32 = pages.parse()?;
    let experiment = Experiment { web: &web, draws: &draws, contenders: &contenders, pages };
    let crawls = experiment.run(&mut |_, _| ())?;
    let names = contenders.iter().map(|contender| contender.name().to_owned()).collect();
    let report =
        CrawlReport { names, crawls, pages: pages as usize, draws: count.parse()?, seed: seed.parse()? };
    for row in report.rows() {
        println!(
            "{:40} {:.3} {:.3} gap {:5.1} % behind {:+.4} [{:+.4}, {:+.4}] precision {:.2} recall {:.2}",
            row.strategy,
            row.harvest[1],
            row.harvest[2],
            row.gap.mean * 100.0,
            row.behind.mean,
            row.behind.low,
            row.behind.high,
            row.precision,
            row.recall
        );
    }
    Ok(())
}
