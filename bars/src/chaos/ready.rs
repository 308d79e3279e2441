//! Everything is made ready on an empty database: sources, rules, a channel, a topic and its crawl.

mod past;

use super::fleet::bare;
use super::settings::Settings;
use super::words::{TEXT_WORD, TOPICS};
use super::world::World;
use discovery::crawl::CrawlSettings;
use discovery::ontology::Topic;
use jiff::Timestamp;
use model::{PlannedVisit, SourceId};
use std::path::Path;
use store::{NewCrawl, NewSource, Store, WatchSettings};
use url::Url;

/// The folder of articles that are filed by their text.
pub(crate) const BY_TEXT: &str = "Texts";
/// Above the folders of the topics.
pub(crate) const DESK: &str = "Desk";
/// As short as windows may be: a run is over soon.
const WINDOW_MINUTES: u32 = 15;
/// Sources added in one deed.
const AT_ONCE: usize = 2_000;

pub(crate) async fn make_ready(
    settings: &Settings,
    world: &World,
    port: u16,
    database: &str,
    folder: &Path,
    hook: &str,
) -> anyhow::Result<()> {
    let url = database.to_owned();
    let store = tokio::task::spawn_blocking(move || Store::connect(&url)).await??;
    let zone = "UTC".to_owned();
    let watching = WatchSettings { window_minutes: WINDOW_MINUTES, zone, ..WatchSettings::default() };
    store.set_watch_settings(watching).await?;
    let rules = folder.join("rules.txt");
    std::fs::write(&rules, self::rules(settings.topics))?;
    say(settings, database, &["rules", "import", &rules.to_string_lossy()])?;
    let wants = "event_opened,event_ended,source_late";
    say(settings, database, &["notify", "add", "webhook", hook, "--wants", wants, "--allow", "127.0.0.0/8"])?;
    let ids = add_sources(&store, world, port).await?;
    past::visit(&store, world, port, &ids).await?;
    add_crawl(&store, world, port, folder).await
}

/// All lists and feeds, due at once.
pub(crate) async fn add_sources(store: &Store, world: &World, port: u16) -> anyhow::Result<Vec<SourceId>> {
    let now = Timestamp::now();
    let first_visit = PlannedVisit { at: now, reason: "first visit".into() };
    let mut sources = Vec::new();
    for source in &world.sources {
        sources.push(NewSource {
            url: Url::parse(&world.url(port, source.host, &source.path))?,
            title: None,
            selector: None,
            interval: None,
            first_visit: first_visit.clone(),
        });
    }
    let mut ids = Vec::new();
    while !sources.is_empty() {
        let rest = sources.split_off(AT_ONCE.min(sources.len()));
        ids.extend(store.add_sources(std::mem::replace(&mut sources, rest), now).await?);
    }
    Ok(ids)
}

/// A crawl that may read more pages than there are.
async fn add_crawl(store: &Store, world: &World, port: u16, folder: &Path) -> anyhow::Result<()> {
    let topic = Topic::from_words("Music", &["music", "song", "composer", "orchestra", "opera"])?;
    store.save_topic(topic.clone(), Timestamp::now()).await?;
    let settings = CrawlSettings { pages: 1_000_000, depth: 1_000, ..CrawlSettings::default() };
    let output = folder.join("crawl");
    std::fs::create_dir_all(&output)?;
    let seeds = vec![Url::parse(&world.url(port, 0, "/p/0"))?];
    store
        .add_crawl(NewCrawl { topic, settings, seeds, output: Some(output), worker: None }, Timestamp::now())
        .await?;
    Ok(())
}

fn rules(topics: usize) -> String {
    let mut rules: Vec<String> = TOPICS
        .iter()
        .take(topics)
        .enumerate()
        .map(|(number, word)| format!("if title has \"{word}\" then {DESK}/{word} [{}]", number + 1))
        .collect();
    rules.push(format!("if body has \"{TEXT_WORD}\" then {BY_TEXT} [{}]", topics + 1));
    rules.join("\n") + "\n"
}

/// Runs a command of the program to its end.
pub(crate) fn say(settings: &Settings, database: &str, words: &[&str]) -> anyhow::Result<()> {
    let output = bare(&settings.program, database).args(words).output()?;
    anyhow::ensure!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
