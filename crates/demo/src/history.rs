//! What one site has published so far, grown a day at a time.

use crate::article::{KnownArticle, StoryId};
use crate::prose::Plot;
use crate::random::{Dice, hash};
use crate::site::Site;
use crate::subject::Subject;
use crate::vocabulary::countries::{COUNTRIES, Country, country};
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// An article before it is written.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) at: Timestamp,
    pub(crate) subject: Subject,
    pub(crate) facts: u64,
    pub(crate) story: Option<StoryId>,
}

/// What one site has published. Days are added in order, so that a headline can be checked against all
/// before it and still depend on nothing but the seed.
#[derive(Debug)]
pub(crate) struct History {
    /// The first day not yet written.
    pub(crate) next_day: i64,
    articles: Vec<Arc<KnownArticle>>,
    by_path: HashMap<String, usize>,
    /// Hashes of headlines. A false match only costs another draw.
    headlines: HashSet<u64>,
}

/// Draws for a headline before a number makes it unique. Never reached in a year of the default world.
const ATTEMPTS: u64 = 200;

/// Staff of a site.
const AUTHORS: usize = 8;

impl History {
    pub(crate) fn beginning_on(day: i64) -> Self {
        Self { next_day: day, articles: Vec::new(), by_path: HashMap::new(), headlines: HashSet::new() }
    }

    /// Adds the articles of the next day.
    pub(crate) fn add_day(&mut self, site: &Site, seed: u64, mut drafts: Vec<Draft>) {
        drafts.sort_by_key(|draft| draft.at);
        for draft in &drafts {
            let article = self.write(site, seed, draft);
            self.by_path.insert(article.path.clone(), self.articles.len());
            self.headlines.insert(hash(article.title.as_bytes()));
            self.articles.push(Arc::new(article));
        }
        self.next_day += 1;
    }

    /// All that is published by `until`, oldest first.
    pub(crate) fn until(&self, until: Timestamp) -> &[Arc<KnownArticle>] {
        &self.articles[..self.articles.partition_point(|article| article.published_at <= until)]
    }

    /// The article at `path`, whether published yet or not.
    pub(crate) fn at_path(&self, path: &str) -> Option<&Arc<KnownArticle>> {
        self.articles.get(*self.by_path.get(path)?)
    }

    fn write(&self, site: &Site, seed: u64, draft: &Draft) -> KnownArticle {
        let serial = self.articles.len() as u64;
        let section = site.section_of(draft.subject);
        let mut attempt = 0;
        let (plot, title, path) = loop {
            // A shared story keeps its facts and changes its words; any other may change both.
            let facts = if draft.story.is_some() { draft.facts } else { draft.facts.wrapping_add(attempt) };
            let wording = Dice::of(&[seed, 6, site.index as u64, serial, attempt]).next();
            let plot = Plot { subject: draft.subject, facts, wording, at: draft.at };
            let mut title = plot.headline();
            if attempt >= ATTEMPTS {
                title = format!("{title} ({serial})");
            }
            let path = site.naming.path(serial, section, &title, draft.at);
            if attempt >= ATTEMPTS || self.is_new(&title, &path) {
                break (plot, title, path);
            }
            attempt += 1;
        };
        KnownArticle {
            site: site.index,
            path,
            title,
            published_at: draft.at,
            section,
            topic: draft.subject.topic,
            country: draft.subject.country.name,
            sport: draft.subject.sport.map(|sport| sport.name),
            story: draft.story,
            author: author(site, plot.wording),
            serial,
            plot,
        }
    }

    fn is_new(&self, title: &str, path: &str) -> bool {
        (5..=12).contains(&title.split_whitespace().count())
            && !self.headlines.contains(&hash(title.as_bytes()))
            && !self.by_path.contains_key(path)
    }
}

/// One of the site's few authors.
fn author(site: &Site, wording: u64) -> String {
    let home: &Country = country(site.home).unwrap_or(&COUNTRIES[0]);
    let who = Dice::of(&[wording, 7]).below(AUTHORS) as u64;
    let mut dice = Dice::of(&[hash(site.name.as_bytes()), who]);
    format!("{} {}", dice.pick(home.given), dice.pick(home.family))
}
