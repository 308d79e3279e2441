//! A history in memory: sources and folders by number, articles in order of time.

use super::error::ReplayError;
use super::near::nearest;
use crate::trace::{Published, TraceError, read_each};
use jiff::Timestamp;
use model::FolderId;
use scheduling::{Interests, News};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::path::Path;

/// A history in memory.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    sources: Vec<Source>,
    folders: Vec<String>,
    articles: Vec<Article>,
    notes: Vec<String>,
}

/// One source of a history.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Sources with the same number lie on the same host.
    pub host: usize,
    /// The places of its articles among all, oldest first.
    pub articles: Vec<usize>,
}

/// One article of a history.
#[derive(Debug, Clone)]
pub struct Article {
    /// When it was published.
    pub at: Timestamp,
    /// The place of its source.
    pub source: usize,
    /// Its folders.
    pub folders: Vec<FolderId>,
    /// The same for the same headline, but for case and punctuation; nothing if it is too short to tell a story.
    pub(super) headline: Option<u64>,
}

impl Article {
    /// As a policy sees it.
    pub(super) fn news(&self) -> News {
        News { at: self.at, folders: self.folders.clone() }
    }
}

/// Shorter headlines ("Live updates") say too little to tell a story by.
const FEWEST_WORDS: usize = 4;

impl Trace {
    /// Reads a file. `now` is the time it is: what is published later is an error. `file_into` names the folders of an article.
    pub fn read(
        file: &Path,
        now: Timestamp,
        mut file_into: impl FnMut(&Published) -> Vec<String>,
    ) -> Result<Self, ReplayError> {
        let mut collector = Collector::new(now);
        read_each(file, |article| {
            let folders = file_into(&article);
            let wrong = |reason| TraceError::Line { file: file.into(), line: article.line, reason };
            collector.add(&article, folders).map_err(wrong)
        })?;
        collector.finish()
    }

    /// The sources.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The folders' names; the first one's id is 1.
    pub fn folders(&self) -> &[String] {
        &self.folders
    }

    /// The articles, oldest first.
    pub fn articles(&self) -> &[Article] {
        &self.articles
    }

    /// What was done to make use of the file, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Only what was published in the first weeks: to choose parameters on without a look at the rest.
    #[must_use]
    pub fn first_weeks(&self, weeks: u32) -> Self {
        let first = self.articles.first().map_or(Timestamp::MIN, |article| article.at);
        let midnight = first.as_second().div_euclid(86_400).saturating_mul(86_400);
        let end = midnight.saturating_add(i64::from(weeks) * 7 * 86_400);
        let mut cut = self.clone();
        cut.articles.truncate(cut.articles.partition_point(|article| article.at.as_second() < end));
        for source in &mut cut.sources {
            source.articles.retain(|place| *place < cut.articles.len());
        }
        cut
    }

    /// A folder's name.
    pub fn folder_name(&self, id: FolderId) -> &str {
        let place = usize::try_from(id.0 - 1).ok();
        place.and_then(|place| self.folders.get(place)).map_or("", String::as_str)
    }

    /// The id of a folder by its name, whatever the case.
    pub fn folder(&self, name: &str) -> Result<FolderId, ReplayError> {
        let is_it = |folder: &String| folder.to_lowercase() == name.to_lowercase();
        let place = self.folders.iter().position(is_it).ok_or_else(|| ReplayError::Folder {
            name: name.to_owned(),
            hint: match nearest(name, self.folders.iter().map(String::as_str)) {
                Some(near) => format!("did you mean “{near}”?"),
                None if self.folders.is_empty() => "no article is in any folder".to_owned(),
                None => format!("there are {}", self.folders.join(", ")),
            },
        })?;
        Ok(FolderId(place as i64 + 1))
    }

    /// Interests by the folders' names; `others` is everything in none of them.
    pub fn interests(&self, named: &[(String, f64)]) -> Result<Interests, ReplayError> {
        let mut interests = Interests::default();
        for (name, weight) in named {
            if name == "others" {
                interests.others = *weight;
            } else {
                interests.folders.insert(self.folder(name)?, *weight);
            }
        }
        Ok(interests)
    }
}

/// Makes a history of articles that come one by one, in any order.
#[derive(Debug)]
pub struct Collector {
    now: Timestamp,
    trace: Trace,
    sources: HashMap<String, usize>,
    hosts: HashMap<String, usize>,
    folders: HashMap<String, FolderId>,
    seen: HashSet<u64>,
    duplicates: Counted,
    unsorted: Counted,
}

/// Lines that something is the matter with.
#[derive(Debug, Default)]
struct Counted {
    count: u64,
    first: u64,
}

impl Counted {
    fn add(&mut self, line: u64) {
        if self.count == 0 {
            self.first = line;
        }
        self.count += 1;
    }
}

impl Collector {
    /// Nothing yet. Articles published after `now` are refused.
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            trace: Trace::default(),
            sources: HashMap::new(),
            hosts: HashMap::new(),
            folders: HashMap::new(),
            seen: HashSet::new(),
            duplicates: Counted::default(),
            unsorted: Counted::default(),
        }
    }

    /// Adds an article; the error says why it cannot be one.
    pub fn add(&mut self, article: &Published, folders: Vec<String>) -> Result<(), String> {
        if article.at > self.now {
            return Err(format!("{} lies in the future: it is {:.0}", article.at, self.now));
        }
        if !self.seen.insert(hash(&(&article.source, &article.url))) {
            self.duplicates.add(article.line);
            return Ok(());
        }
        if self.trace.articles.last().is_some_and(|last| last.at > article.at) {
            self.unsorted.add(article.line);
        }
        let source = self.source(article);
        let folders = folders.into_iter().map(|name| self.folder(name)).collect();
        let headline = headline(&article.title);
        self.trace.articles.push(Article { at: article.at, source, folders, headline });
        Ok(())
    }

    /// The history, in order.
    pub fn finish(mut self) -> Result<Trace, ReplayError> {
        if self.trace.articles.is_empty() {
            return Err(ReplayError::Empty);
        }
        // Stable: what was published at the same moment stays in the order of the file.
        self.trace.articles.sort_by_key(|article| article.at);
        for (place, article) in self.trace.articles.iter().enumerate() {
            if let Some(source) = self.trace.sources.get_mut(article.source) {
                source.articles.push(place);
            }
        }
        self.note();
        Ok(self.trace)
    }

    fn note(&mut self) {
        let lines = |count: u64| if count == 1 { "line is" } else { "lines are" };
        if self.unsorted.count > 0 {
            let Counted { count, first } = self.unsorted;
            self.trace.notes.push(format!(
                "{count} {} earlier than the one before (the first is line {first}): sorted by time",
                lines(count)
            ));
        }
        if self.duplicates.count > 0 {
            let Counted { count, first } = self.duplicates;
            self.trace.notes.push(format!(
                "{count} {} of a source and URL that were there before (the first is line {first}): left out",
                lines(count)
            ));
        }
    }

    fn source(&mut self, article: &Published) -> usize {
        if let Some(place) = self.sources.get(&article.source) {
            return *place;
        }
        let place = self.trace.sources.len();
        self.sources.insert(article.source.clone(), place);
        let next = self.hosts.len();
        let host = *self.hosts.entry(host(article).to_owned()).or_insert(next);
        self.trace.sources.push(Source { name: article.source.clone(), host, articles: Vec::new() });
        place
    }

    fn folder(&mut self, name: String) -> FolderId {
        let next = FolderId(self.folders.len() as i64 + 1);
        *self.folders.entry(name).or_insert_with_key(|name| {
            self.trace.folders.push(name.clone());
            next
        })
    }
}

/// The host of an article's address, or the outlet where there is none.
fn host(article: &Published) -> &str {
    let after = article.url.split_once("://").map(|(_, rest)| rest);
    let host = after.and_then(|rest| rest.split(['/', '?', '#']).next());
    host.filter(|host| !host.is_empty()).unwrap_or_else(|| article.outlet())
}

fn headline(title: &str) -> Option<u64> {
    let words: Vec<String> = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    (words.len() >= FEWEST_WORDS).then(|| hash(&words))
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
