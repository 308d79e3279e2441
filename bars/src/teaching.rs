//! How fast the teaching page answers a click, at 100,000 stored articles and 10,000 rules with their cornerstones.

mod clicks;
mod fill;

use crate::child::Monitor;
use clicks::{Page, Pick};
use knowledge::{Field, Words};
use sample::{Dice, Shape};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use store::Store;

const ARTICLES: usize = 100_000;
const RULES: usize = 10_000;
/// Each is clicked on four times.
const TAUGHT: usize = 75;
const LIMIT: Duration = Duration::from_millis(50);

/// The kinds of clicks, in the order they are made on an article.
const KINDS: [&str; 4] = ["first word", "second word", "common word", "difference word"];

pub(crate) async fn run() -> anyhow::Result<bool> {
    let texts = sample::read()?;
    println!("  {}", texts.origin);
    let folder = tempfile::tempdir()?;
    let began = Instant::now();
    let rules = {
        let store = Store::open(folder.path())?;
        fill::articles(&store, &texts.articles, ARTICLES).await?;
        fill::rules(&store, &texts.articles, RULES).await?
    };
    println!(
        "  {ARTICLES} articles and {RULES} rules ({}) stored in {:.0?}",
        Shape::of(&rules),
        began.elapsed()
    );
    let monitor = Monitor::start(folder.path(), &[])?;
    let host = monitor.address.trim_start_matches("http://").trim_end_matches('/').to_owned();

    let mut dice = Dice::new(11);
    let frequency = frequency(&texts.articles);
    let mut first_load = None;
    let mut times: [Vec<Duration>; 4] = Default::default();
    let mut largest = 0;
    for _ in 0..TAUGHT {
        let number = dice.below(ARTICLES);
        let page = Page::open(&host, number as i64 + 1)?;
        let words = Words::of(&fill::article(&texts.articles, number));
        let any = |dice: &mut Dice, field: Field| -> Option<Pick> {
            let mut usable: Vec<&str> = words.distinct(field).filter(|word| word.len() > 3).collect();
            usable.sort_unstable();
            Some(Pick::has(field, dice.pick(&usable)?))
        };
        let (Some(first), Some(second)) = (any(&mut dice, Field::Title), any(&mut dice, Field::Body)) else {
            continue;
        };
        let common = words.distinct(Field::Body).max_by_key(|word| (frequency.get(*word), *word));
        let Some(common) = common.map(|word| Pick::has(Field::Body, word)) else { continue };
        if first_load.is_none() {
            let began = Instant::now();
            page.click(&[&first])?;
            first_load = Some(began.elapsed());
        }
        let mut click = |kind: usize, picks: &[&Pick]| -> anyhow::Result<String> {
            let began = Instant::now();
            let answer = page.click(picks)?;
            times[kind].push(began.elapsed());
            largest = largest.max(answer.len());
            Ok(answer)
        };
        click(0, &[&first])?;
        click(1, &[&first, &second])?;
        let answer = click(2, &[&common])?;
        let chip = Pick::suggested(&answer).unwrap_or_else(|| first.clone());
        click(3, &[&common, &chip])?;
    }
    report(&times, first_load.unwrap_or_default(), largest)
}

fn report(times: &[Vec<Duration>; 4], first_load: Duration, largest: usize) -> anyhow::Result<bool> {
    println!(
        "  first click, which loads the archive: {first_load:.1?}; largest answer {} KB",
        largest / 1000
    );
    for (kind, times) in KINDS.iter().zip(times) {
        println!("  {kind:<16} {}", Figures::of(times.clone())?);
    }
    let all = Figures::of(times.concat())?;
    println!("{} clicks at {ARTICLES} articles and {RULES} rules: {all} (limit p95 {LIMIT:?})", all.count);
    Ok(all.p95 < LIMIT)
}

/// In how many articles each word of a body is.
fn frequency(articles: &[knowledge::Fields<'static>]) -> HashMap<String, usize> {
    let mut frequency = HashMap::new();
    for article in articles {
        for word in Words::of(article).distinct(Field::Body) {
            *frequency.entry(word.to_owned()).or_default() += 1;
        }
    }
    frequency
}

struct Figures {
    count: usize,
    p50: Duration,
    p95: Duration,
    worst: Duration,
}

impl Figures {
    fn of(mut times: Vec<Duration>) -> anyhow::Result<Self> {
        times.sort();
        let worst = *times.last().ok_or_else(|| anyhow::anyhow!("nothing was measured"))?;
        let count = times.len();
        Ok(Self { count, p50: times[count / 2], p95: times[(count * 95 / 100).min(count - 1)], worst })
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "p50 {:.1?}, p95 {:.1?}, slowest {:.1?}", self.p50, self.p95, self.worst)
    }
}
