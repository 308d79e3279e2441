//! The book shop: the paper's own task, topic "Book", on a shop with real books and a made-up layout.

use super::experiment::Contender;
use super::ground::{Fetched, Ground};
use super::measure::Crawled;
use super::oracle::oracle;
use super::run::{Readings, crawl};
use super::{AT, CrawlLabError};
use crate::plot::{Line, Plot};
use demo::shop::Shop;
use discovery::crawl::{CrawlSettings, PageSigns};
use discovery::ontology::Topic;
use serde::Serialize;
use std::sync::Arc;
use url::Url;

/// Where the shop pretends to be.
const HOME: &str = "http://shop.example";

/// The shop as a crawl sees it.
#[derive(Debug)]
pub struct ShopGround {
    shop: Shop,
    books: usize,
}

impl ShopGround {
    /// A shop with so many books.
    pub fn new(shop: Shop, books: usize) -> Self {
        Self { shop, books }
    }

    /// Its front page.
    pub fn home() -> Option<Url> {
        Url::parse(HOME).ok()
    }
}

fn path(url: &Url) -> String {
    url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
}

impl Ground for ShopGround {
    fn fetch(&self, url: &Url) -> Option<Fetched> {
        let html = self.shop.answer(&path(url))?;
        let input =
            page::Input { url, content_type: Some("text/html; charset=utf-8"), bytes: html.as_bytes() };
        let page = Arc::new(page::read_web_page(&input, &page::Caps::default()));
        let signs = Arc::new(PageSigns::of(&page));
        // Reading it is part of the crawl's own time already; so is making it, for all alike.
        Some(Fetched { page, signs, cost: std::time::Duration::ZERO })
    }

    fn is_relevant(&self, url: &Url) -> bool {
        self.shop.kind(&path(url)).is_some_and(demo::shop::ShopKind::is_book)
    }

    fn is_trap(&self, url: &Url) -> bool {
        self.shop.kind(&path(url)).is_some_and(demo::shop::ShopKind::is_trap)
    }

    fn relevant(&self) -> usize {
        self.books
    }
}

/// What strategies brought from the shop.
#[derive(Debug)]
pub struct ShopReport {
    /// Who, and what.
    pub crawls: Vec<(String, Crawled)>,
    /// Pages each could fetch.
    pub pages: usize,
}

/// One line.
#[derive(Debug, Clone, Serialize)]
pub struct ShopRow {
    /// Who.
    pub strategy: String,
    /// Harvest at 100, 250, 500 pages and at the end.
    pub harvest: Vec<f64>,
    /// The harvest at the end against the oracle's.
    pub of_oracle: f64,
    /// The share of the pages that traps made.
    pub traps: f64,
    /// Precision and recall of what was kept.
    pub kept: (f64, f64),
    /// Seconds of processor time.
    pub seconds: f64,
    /// Pages on the topic for each of them.
    pub hits_per_second: f64,
}

/// Crawls the shop with each contender.
pub fn shop_rows(
    ground: &ShopGround,
    topic: &Topic,
    contenders: &[Contender],
    pages: u32,
    step: &mut dyn FnMut(u64, u64),
) -> Result<ShopReport, CrawlLabError> {
    let seeds: Vec<Url> = ShopGround::home().into_iter().collect();
    let readings = Readings::default();
    let mut crawls = Vec::new();
    for (done, contender) in contenders.iter().enumerate() {
        step(done as u64, contenders.len() as u64);
        let crawled = match contender {
            Contender::Oracle => oracle(ground, &seeds, pages as usize),
            Contender::Mind { settings, .. } => {
                let settings = CrawlSettings { pages, ..(**settings).clone() };
                crawl(ground, &seeds, topic.clone(), settings, Some(&readings))?
            }
        };
        crawls.push((contender.name().to_owned(), crawled));
    }
    Ok(ShopReport { crawls, pages: pages as usize })
}

impl ShopReport {
    /// Everybody's line; the oracle is the last.
    pub fn rows(&self) -> Vec<ShopRow> {
        let best = self.crawls.last().map_or(1.0, |(_, crawled)| crawled.harvest(self.pages));
        let row = |(name, crawled): &(String, Crawled)| {
            let seconds = crawled.cpu.as_secs_f64();
            ShopRow {
                strategy: name.clone(),
                harvest: AT.iter().copied().chain([self.pages]).map(|at| crawled.harvest(at)).collect(),
                of_oracle: crawled.harvest(self.pages) / best.max(1e-9),
                traps: crawled.traps as f64 / self.pages.max(1) as f64,
                kept: crawled.precision_and_recall(self.pages),
                seconds,
                hits_per_second: if seconds > 0.0 { crawled.found(self.pages) as f64 / seconds } else { 0.0 },
            }
        };
        self.crawls.iter().map(row).collect()
    }

    /// The paper's Fig. 4: harvest against pages.
    pub fn harvest_svg(&self) -> String {
        let step = (self.pages / 50).max(1);
        let lines = self.crawls.iter().map(|(name, crawled)| Line {
            name: name.clone().into(),
            points: crawled.curve(step, self.pages),
        });
        Plot {
            title: "Book shop: harvest (the paper's Fig. 4)".into(),
            x: "pages fetched".into(),
            y: "share on the topic".into(),
            lines: lines.collect(),
        }
        .svg()
    }

    /// The paper's Fig. 5: processor time against pages.
    pub fn time_svg(&self) -> String {
        let step = (self.pages / 50).max(1);
        let minds = self.crawls.iter().filter(|(_, crawled)| !crawled.clock.is_empty());
        let line = |(name, crawled): &(String, Crawled)| {
            let at =
                |pages: usize| crawled.clock.get(pages - 1).map(|clock| (pages as f64, clock.as_secs_f64()));
            let points = (step..=self.pages).step_by(step).filter_map(at).collect();
            Line { name: name.clone().into(), points }
        };
        Plot {
            title: "Book shop: time (the paper's Fig. 5)".into(),
            x: "pages fetched".into(),
            y: "seconds of processor time".into(),
            lines: minds.map(line).collect(),
        }
        .svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use demo::shop::{Book, Category};
    use discovery::crawl::StrategyName;

    fn ground() -> ShopGround {
        let book = |number: u32| Book {
            title: format!(
                "{} {}",
                ["Winter", "Harbour", "Orchard", "Glass", "Letters"][number as usize % 5],
                number * 37
            ),
            authors: format!(
                "{} {}",
                ["Ada", "Bo", "Cleo", "Dan"][number as usize % 4],
                ["Moor", "Lind", "Stone"][number as usize % 3]
            ),
            year: 1950 + number % 70,
            language: "eng".to_owned(),
            rating: 4.0,
        };
        let category = |number: u32| {
            let name = format!(
                "{} {}",
                ["Cameras", "Kettles", "Speakers", "Lamps", "Phones", "Chargers"][number as usize % 6],
                number
            );
            Category { path: format!("Home > {name}"), name }
        };
        ShopGround::new(Shop::new((0..900).map(book).collect(), (0..400).map(category).collect()), 900)
    }

    #[test]
    fn ours_finds_the_books_and_stays_out_of_the_traps() {
        let topic = discovery::ontology::shipped().into_iter().find(|topic| topic.name == "Book").unwrap();
        let mind = |strategy: StrategyName| Contender::Mind {
            name: strategy.to_string(),
            settings: Box::new(CrawlSettings { strategy, ..CrawlSettings::default() }),
        };
        let contenders = [mind(StrategyName::BreadthFirst), mind(StrategyName::Ontology), Contender::Oracle];
        let rows = shop_rows(&ground(), &topic, &contenders, 300, &mut |_, _| {}).unwrap().rows();
        assert!(rows[1].of_oracle >= 0.9 && rows[1].traps < 0.02, "{rows:?}");
        assert!(rows[1].of_oracle > rows[0].of_oracle, "{rows:?}");
    }
}
