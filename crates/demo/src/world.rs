//! The world: sites and what they publish, a pure function of the settings.

use crate::article::{KnownArticle, StoryId};
use crate::burst::Burst;
use crate::calendar::{DAY_SECONDS, at_second, day_of, hour_of_week};
use crate::cast::cast;
use crate::history::{Draft, History};
use crate::random::Dice;
use crate::rhythm::WEEK_HOURS;
use crate::settings::WorldSettings;
use crate::site::Site;
use crate::story::{SHARED, stories};
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, PoisonError, RwLock};

/// A generated web: sites, and for every moment what they have published by then.
///
/// Nothing is computed before it is asked for; what was asked for is kept. Time has a beginning (a week before
/// the start) and no end, but each further day costs, once, a few milliseconds.
#[derive(Debug)]
pub struct World {
    settings: WorldSettings,
    sites: Vec<Site>,
    profiles: Vec<[f64; WEEK_HOURS]>,
    histories: Vec<RwLock<History>>,
}

/// Days of back catalogue: enough to fill most section pages before the world begins.
const BACK_DAYS: i64 = 7;

/// Different angles of a burst that are told by many sites. A site's further articles on it are its own.
const BURST_STORIES: u64 = 12;

/// How many days of bursts [`World::bursts`] lists.
const LISTED_BURSTS: u64 = 30;

impl World {
    /// The world these settings describe.
    pub fn new(settings: WorldSettings) -> Self {
        let sites = cast(settings.sites);
        let first_day = day_of(settings.start) - BACK_DAYS;
        let profiles = sites.iter().map(|site| site.rhythm.profile()).collect();
        let histories = sites.iter().map(|_| RwLock::new(History::beginning_on(first_day))).collect();
        Self { settings, sites, profiles, histories }
    }

    /// What it was made from.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// Its sites, by index.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Everything published at or after `from` and before `to`, in order of time, then of site.
    pub fn articles_between(&self, from: Timestamp, to: Timestamp) -> Vec<Arc<KnownArticle>> {
        let mut articles: Vec<_> = (0..self.sites.len())
            .flat_map(|site| {
                self.with_history(site, to, |history| {
                    let published = history.until(to);
                    let first = published.partition_point(|article| article.published_at < from);
                    published[first..]
                        .iter()
                        .filter(|article| article.published_at < to)
                        .cloned()
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        articles.sort_by_key(|article| (article.published_at, article.site));
        articles
    }

    /// The newest articles of a site, or of one of its sections, published by `at`: newest first, `count` of
    /// them after skipping `skip`.
    pub fn newest(
        &self,
        site: usize,
        section: Option<&str>,
        at: Timestamp,
        skip: usize,
        count: usize,
    ) -> Vec<Arc<KnownArticle>> {
        self.with_history(site, at, |history| {
            let newest = history.until(at).iter().rev();
            let of_section =
                newest.filter(|article| section.is_none_or(|section| article.section == section));
            of_section.skip(skip).take(count).cloned().collect()
        })
    }

    /// The article at `path` of a site, if it is published by `at`.
    pub fn article(&self, site: usize, path: &str, at: Timestamp) -> Option<Arc<KnownArticle>> {
        self.with_history(site, at, |history| {
            history.at_path(path).filter(|article| article.published_at <= at).cloned()
        })
    }

    /// The staged bursts of the first thirty days; none if they are switched off.
    pub fn bursts(&self) -> Vec<Burst> {
        if !self.settings.bursts {
            return Vec::new();
        }
        (0..LISTED_BURSTS).map(|number| Burst::staged(number, &self.settings, &self.sites)).collect()
    }

    /// The staged bursts that touch the time from `from` to `to`.
    pub fn bursts_between(&self, from: Timestamp, to: Timestamp) -> Vec<Burst> {
        if !self.settings.bursts || to < from {
            return Vec::new();
        }
        let first = self.settings.start + self.settings.first_burst_after;
        // A burst drifts by at most four hours from its slot and lasts less than ten.
        let slot = |at: Timestamp| at.duration_since(first).as_secs().div_euclid(DAY_SECONDS);
        let numbers = (slot(from) - 1).max(0)..=slot(to) + 1;
        let bursts = numbers.map(|number| Burst::staged(number as u64, &self.settings, &self.sites));
        bursts.filter(|burst| burst.start <= to && burst.end() >= from).collect()
    }

    /// Reads the history of a site, after writing it up to the day of `until`.
    pub(crate) fn with_history<R>(
        &self,
        site: usize,
        until: Timestamp,
        read: impl FnOnce(&History) -> R,
    ) -> R {
        let lock = &self.histories[site];
        let last_day = day_of(until);
        {
            let history = lock.read().unwrap_or_else(PoisonError::into_inner);
            if history.next_day > last_day {
                return read(&history);
            }
        }
        let mut history = lock.write().unwrap_or_else(PoisonError::into_inner);
        while history.next_day <= last_day {
            let drafts = self.drafts(&self.sites[site], history.next_day);
            history.add_day(&self.sites[site], self.settings.seed, drafts);
        }
        read(&history)
    }

    fn drafts(&self, site: &Site, day: i64) -> Vec<Draft> {
        let mut drafts = self.ordinary(site, day);
        drafts.extend(self.shared(site, day));
        drafts.extend(self.staged(site, day));
        drafts
    }

    /// What only this site reports.
    fn ordinary(&self, site: &Site, day: i64) -> Vec<Draft> {
        let mut dice = Dice::of(&[self.settings.seed, 1, site.index as u64, day as u64]);
        let daily = self.settings.articles_per_day * site.pace * (1.0 - SHARED);
        let mut drafts = Vec::new();
        for hour in 0..24 {
            let share = self.profiles[site.index][hour_of_week(day, hour, site.utc_offset)];
            for _ in 0..dice.poisson(daily * share) {
                let second = day * DAY_SECONDS + hour * 3600 + dice.below(3600) as i64;
                let subject = site.choose_subject(&mut dice);
                drafts.push(Draft { at: at_second(second), subject, facts: dice.next(), story: None });
            }
        }
        drafts
    }

    /// Its part in the stories of the day, and of the day before that arrive late.
    fn shared(&self, site: &Site, day: i64) -> impl Iterator<Item = Draft> {
        let per_day = self.settings.articles_per_day;
        [day - 1, day]
            .into_iter()
            .flat_map(move |begun| stories(self.settings.seed, begun, &self.sites, per_day))
            .filter_map(move |story| {
                let (_, at) =
                    story.told.iter().find(|(teller, at)| *teller == site.index && day_of(*at) == day)?;
                Some(Draft { at: *at, subject: story.subject, facts: story.id.0, story: Some(story.id) })
            })
    }

    /// Its part in staged bursts.
    fn staged(&self, site: &Site, day: i64) -> impl Iterator<Item = Draft> {
        let begin = at_second(day * DAY_SECONDS);
        let bursts = self.bursts_between(begin, begin + SignedDuration::from_hours(24));
        bursts.into_iter().flat_map(move |burst| {
            let times = burst.times(site, self.settings.articles_per_day);
            (0..).zip(times).filter(move |(_, at)| day_of(*at) == day).map(move |(angle, at)| {
                let shared = angle < BURST_STORIES;
                let teller = if shared { 0 } else { 1 + site.index as u64 };
                let facts = Dice::of(&[burst.seed, 8, angle, teller]).next();
                Draft { at, subject: burst.subject, facts, story: shared.then_some(StoryId(facts)) }
            })
        })
    }
}
