//! How well a topic built from three pages tells pages on it from others, before and after learning.
//!
//!     cargo run --release -p discovery --example topic_quality -- FOLDER [--draws N] [--learn words,weights] [topic …]
//!
//! FOLDER is Schools Wikipedia unpacked (`../shared/data/webs/schools-wikipedia.tar.xz`). Without topics, those used
//! for development: never the ten that `laboratory crawl` reports on.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measuring program reads files, looks at the clock and prints"
)]

use discovery::ontology::{Example, Learner, PageRef, PageText, Ratio, Reader, Term, Topic};
use page::{Caps, Input, read_web_page};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use url::Url;

/// None of those that are reported.
const DEVELOPMENT: &str = include_str!("development_topics.txt");

struct Page {
    title: String,
    text: String,
    terms: Vec<Term>,
    links: Vec<usize>,
    categories: Vec<String>,
}

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().ok_or("say where Schools Wikipedia lies unpacked")?);
    let mut contrast = 0.15;
    let (mut draws, mut ratio, mut learning, mut topics) = (3, Ratio::Lift, true, Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--draws" => draws = words.next().ok_or("how many draws?")?.parse()?,
            "--contrast" => contrast = words.next().ok_or("how much?")?.parse()?,
            "--as-printed" => ratio = Ratio::AsPrinted,
            "--no-learning" => learning = false,
            _ => topics.push(word),
        }
    }
    if topics.is_empty() {
        topics = DEVELOPMENT.lines().map(str::to_owned).collect();
    }
    let pages = load(&folder)?;
    let mut sums: BTreeMap<&str, Vec<Quality>> = BTreeMap::new();
    for topic in &topics {
        let truth: Vec<bool> = pages
            .iter()
            .map(|page| page.categories.iter().any(|it| it.starts_with(topic.as_str())))
            .collect();
        for draw in 0..draws {
            let seeds = seeds(&pages, &truth, topic, draw);
            let examples: Vec<Example<'_>> =
                seeds.iter().map(|at| Example { title: &pages[*at].title, text: &pages[*at].text }).collect();
            let mut built = Topic::from_examples(topic, &examples)?;
            built.settings.ratio = ratio;
            built.settings.contrast = contrast;
            let mut learner = Learner::new(built);
            learner.trust("wiki.example");
            let mut crawl = Crawl::new(&seeds);
            for (name, until) in [("  0 pages", 3), (" 50 pages", 50), ("250 pages", 250)] {
                if !learning && until > 3 {
                    break;
                }
                crawl.run(&pages, &mut learner, until);
                let quality = measure(&pages, &truth, &seeds, &learner.reader());
                sums.entry(name).or_default().push(quality);
                if until == 250 {
                    let harvest = crawl.got.iter().filter(|at| truth[**at]).count();
                    println!("{topic} {draw}: {quality} harvest {harvest} of {}", crawl.got.len());
                }
            }
        }
    }
    for (name, all) in &sums {
        let mean = |f: &dyn Fn(&Quality) -> f64| all.iter().map(f).sum::<f64>() / all.len() as f64;
        let quality = Quality {
            auc: mean(&|q| q.auc),
            average_precision: mean(&|q| q.average_precision),
            precision: mean(&|q| q.precision),
            recall: mean(&|q| q.recall),
            f1: mean(&|q| q.f1),
            best_f1: mean(&|q| q.best_f1),
        };
        println!("{name}: {quality}");
    }
    Ok(())
}

/// A best-first crawl that goes where the mean of the parents' scores is highest.
struct Crawl {
    got: Vec<usize>,
    known: BTreeSet<usize>,
    parents: HashMap<usize, (f64, u32)>,
    seeds: Vec<usize>,
}

impl Crawl {
    fn new(seeds: &[usize]) -> Self {
        Self { got: Vec::new(), known: BTreeSet::new(), parents: HashMap::new(), seeds: seeds.to_vec() }
    }

    fn run(&mut self, pages: &[Page], learner: &mut Learner, until: usize) {
        let mut reader = learner.reader();
        while self.got.len() < until {
            let mean = |(sum, count): (f64, u32)| sum / f64::from(count);
            let best = || {
                let waiting = self.parents.iter().filter(|(at, _)| !self.known.contains(at));
                waiting.max_by(|a, b| mean(*a.1).total_cmp(&mean(*b.1)).then(b.0.cmp(a.0))).map(|(at, _)| *at)
            };
            let Some(next) = self.seeds.get(self.got.len()).copied().or_else(best) else { return };
            self.known.insert(next);
            self.got.push(next);
            let page = &pages[next];
            let mut reading = reader.read(&PageText { title: &page.title, text: &page.text, language: None });
            reading.terms.clone_from(&page.terms);
            let seed = self.got.len() <= self.seeds.len();
            let whence = PageRef { number: next as u64, url: "", host: "wiki.example" };
            learner.observe(&whence, &reading, seed || reading.relevant);
            for to in &page.links {
                let (sum, count) = self.parents.entry(*to).or_insert((0.0, 0));
                *sum += reading.normalised;
                *count += 1;
            }
            if self.got.len().is_multiple_of(25) {
                learner.revise();
                reader = learner.reader();
            }
        }
        learner.revise();
    }
}

#[derive(Debug, Clone, Copy)]
struct Quality {
    auc: f64,
    average_precision: f64,
    precision: f64,
    recall: f64,
    f1: f64,
    best_f1: f64,
}

impl std::fmt::Display for Quality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "AUC {:.3}, average precision {:.3}, decided with precision {:.3}, recall {:.3}, F1 {:.3} (best {:.3})",
            self.auc, self.average_precision, self.precision, self.recall, self.f1, self.best_f1
        )
    }
}

fn measure(pages: &[Page], truth: &[bool], seeds: &[usize], reader: &Reader) -> Quality {
    let level = reader.level();
    let mut scored: Vec<(f64, bool, bool)> = (0..pages.len())
        .filter(|at| !seeds.contains(at))
        .map(|at| {
            let score = reader.score_terms(&pages[at].terms);
            (score, score >= level, truth[at])
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let positive = scored.iter().filter(|it| it.2).count() as f64;
    let negative = scored.len() as f64 - positive;
    let (mut hits, mut auc, mut average, mut best) = (0.0, 0.0, 0.0, 0.0_f64);
    for (at, (_, _, on_topic)) in scored.iter().enumerate() {
        let place = at as f64 + 1.0;
        if *on_topic {
            hits += 1.0;
            average += hits / place;
            best = best.max(2.0 * hits / (place + positive));
        } else {
            auc += hits;
        }
    }
    let chosen = scored.iter().filter(|it| it.1).count() as f64;
    let right = scored.iter().filter(|it| it.1 && it.2).count() as f64;
    Quality {
        auc: auc / (positive * negative),
        average_precision: average / positive,
        precision: right / chosen.max(1.0),
        recall: right / positive,
        f1: 2.0 * right / (chosen + positive),
        best_f1: best,
    }
}

/// Three random pages on the topic with more than ten links.
fn seeds(pages: &[Page], truth: &[bool], topic: &str, draw: u64) -> Vec<usize> {
    let mut able: Vec<usize> =
        (0..pages.len()).filter(|at| truth[*at] && pages[*at].links.len() > 10).collect();
    let mut state =
        topic.bytes().fold(draw + 1, |state, byte| state.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut seeds = Vec::new();
    for _ in 0..3 {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        seeds.push(able.swap_remove(((z ^ (z >> 31)) % able.len() as u64) as usize));
    }
    seeds
}

/// The articles: index pages list what is on a topic, and would make it easy.
fn load(folder: &Path) -> Result<Vec<Page>, Failure> {
    let labels = std::fs::read_to_string(folder.join("labels.tsv"))?;
    let labels: HashMap<&str, Vec<String>> = labels
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once('\t'))
        .map(|(page, of)| (page, of.split('|').filter(|it| !it.is_empty()).map(str::to_owned).collect()))
        .collect();
    let mut files: Vec<&str> = labels.keys().copied().collect();
    files.sort_unstable();
    let urls: HashMap<String, usize> =
        files.iter().enumerate().filter_map(|(at, file)| Some((url(file)?.to_string(), at))).collect();
    let any = Reader::new(&Topic::from_words("any", &[])?);
    let mut pages = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let bytes = std::fs::read(folder.join(file))?;
        let Some(page_url) = url(file) else { continue };
        let input = Input { url: &page_url, content_type: Some("text/html; charset=utf-8"), bytes: &bytes };
        let page = read_web_page(&input, &Caps::default());
        let mut links: Vec<usize> =
            page.links.iter().filter_map(|link| urls.get(link.url.as_str()).copied()).collect();
        links.retain(|to| *to != at);
        links.sort_unstable();
        links.dedup();
        let title = page.title.unwrap_or_default();
        let terms = any.read_with_terms(&PageText { title: &title, text: &page.text, language: None }).terms;
        pages.push(Page { title, text: page.text, terms, links, categories: labels[*file].clone() });
    }
    Ok(pages)
}

fn url(file: &str) -> Option<Url> {
    // The names of the files are percent-encoded once already.
    Url::parse(&format!("http://wiki.example/{}", file.replace('%', "%25"))).ok()
}
