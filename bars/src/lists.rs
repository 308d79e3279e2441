//! Precision and recall of finding articles: on every page of the demo's web, whose truth is known, and on the
//! hand-written list pages of `fixtures/lists`.

use demo::{Web, World, WorldSettings};
use fetch::{Accept, Fetcher, Request};
use jiff::{SignedDuration, Timestamp};
use model::Clock;
use page::{Caps, Input};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use url::Url;

/// A clock that stands until it is set.
struct Standing(Mutex<Timestamp>);

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        self.0.lock().map(|at| *at).unwrap_or_default()
    }
    fn wait_until(&self, _: Timestamp) -> Duration {
        Duration::ZERO
    }
}

#[derive(Default)]
struct Score {
    right: usize,
    missed: usize,
    wrong: usize,
}

impl Score {
    fn add(&mut self, truth: &BTreeSet<String>, found: &BTreeSet<String>) {
        self.right += truth.intersection(found).count();
        self.missed += truth.difference(found).count();
        self.wrong += found.difference(truth).count();
    }

    fn precision(&self) -> f64 {
        ratio(self.right, self.wrong)
    }

    fn recall(&self) -> f64 {
        ratio(self.right, self.missed)
    }
}

/// Nothing to find and nothing found is perfect.
fn ratio(right: usize, not: usize) -> f64 {
    if right + not == 0 { 1.0 } else { right as f64 / (right + not) as f64 }
}

pub(crate) async fn run() -> anyhow::Result<bool> {
    let hand = hand_written("fixtures/lists")?;
    let unseen = hand_written("fixtures/unseen")?;
    let demo = demo_web().await?;
    println!("list pages written by hand: precision {:.3}, recall {:.3}", hand.precision(), hand.recall());
    println!(
        "list pages by another hand: precision {:.3}, recall {:.3}",
        unseen.precision(),
        unseen.recall()
    );
    println!("demo web: {} of {} articles found, {} false", demo.right, demo.right + demo.missed, demo.wrong);
    Ok(demo.missed == 0 && demo.wrong == 0 && hand.precision() >= 0.95 && hand.recall() >= 0.95)
}

fn hand_written(folder: &str) -> anyhow::Result<Score> {
    let mut score = Score::default();
    let mut cases: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    cases.sort_by_key(std::fs::DirEntry::path);
    for case in cases {
        let one = hand_written_case(&case.path())?;
        println!(
            "  {:<28} precision {:.3}, recall {:.3}",
            case.file_name().to_string_lossy(),
            one.precision(),
            one.recall()
        );
        score.right += one.right;
        score.missed += one.missed;
        score.wrong += one.wrong;
    }
    Ok(score)
}

fn hand_written_case(folder: &Path) -> anyhow::Result<Score> {
    let bytes = std::fs::read(folder.join("page.html"))?;
    let expected = std::fs::read_to_string(folder.join("expected.txt"))?;
    let truth: BTreeSet<String> =
        expected.lines().filter_map(|line| line.split_once('\t')).map(|(url, _)| url.to_owned()).collect();
    let url = Url::parse(std::fs::read_to_string(folder.join("url.txt"))?.trim())?;
    let input = Input { url: &url, content_type: Some("text/html"), bytes: &bytes };
    let listing = page::read_listing(&input, None, &Caps::default());
    let found = listing.articles.iter().map(|article| article.url.to_string()).collect();
    let mut score = Score::default();
    score.add(&truth, &found);
    Ok(score)
}

async fn demo_web() -> anyhow::Result<Score> {
    let settings = WorldSettings::default();
    let start = settings.start;
    let clock = Arc::new(Standing(Mutex::new(start)));
    let web = Web::start(Arc::new(World::new(settings)), clock.clone()).await?;
    let fetching = fetch::Settings {
        allow: vec!["127.0.0.0/8".parse()?],
        default_delay: Duration::ZERO,
        ..fetch::Settings::default()
    };
    let fetcher = Fetcher::new(fetching, Arc::new(engine::SystemClock))?;
    let mut score = Score::default();
    for hours in (0..7 * 24).step_by(13) {
        let now = start + SignedDuration::from_hours(hours);
        if let Ok(mut at) = clock.0.lock() {
            *at = now;
        }
        for source in web.sources() {
            let truth = web.listed(&source, now).iter().map(|article| article.url.to_string()).collect();
            score.add(&truth, &read(&fetcher, &source.url).await?);
        }
    }
    Ok(score)
}

/// The articles a page, feed or sitemap lists, those of a sitemap index included.
async fn read(fetcher: &Fetcher, url: &Url) -> anyhow::Result<BTreeSet<String>> {
    let (mut todo, mut found) = (vec![url.clone()], BTreeSet::new());
    while let Some(url) = todo.pop() {
        let patience = Duration::from_secs(5);
        let request = Request { url: &url, validators: None, accept: Accept::Any, headers: &[], patience };
        let reply = fetcher.session().get(&request).await;
        let Some(response) = reply.response else { anyhow::bail!("{url}: {}", reply.outcome) };
        let caps = Caps::default();
        let bytes = page::decode(&response.body, response.content_encoding.as_deref(), &caps).bytes;
        let input = Input { url: &url, content_type: response.content_type.as_deref(), bytes: &bytes };
        let listing = page::read_listing(&input, None, &caps);
        found.extend(listing.articles.iter().map(|article| article.url.to_string()));
        todo.extend(listing.sitemaps.into_iter().map(|child| child.url));
    }
    Ok(found)
}
