//! What is known of every source: its profile, whether it is in a burst, what its articles are worth.

use crate::bursts::{BurstScale, Bursts};
use crate::dates;
use crate::drift::{Drift, DriftTuning};
use crate::policy::{News, Past};
use crate::pool::Pool;
use crate::profile::{Profile, ProfileTuning, Rates};
use crate::settings::PlanSettings;
use crate::trust::{Trust, TrustTuning};
use crate::week::{HOURS, after_hours, hour_of_week, hours_between};
use jiff::Timestamp;
use model::SourceId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How histories become forecasts. The defaults were chosen on training weeks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ForecastTuning {
    /// Counts to rates.
    pub profile: ProfileTuning,
    /// Bursts of a source.
    pub bursts: [BurstScale; 3],
    /// Changed hours of a source.
    pub drift: DriftTuning,
    /// Bursts of all sources together.
    pub all: [BurstScale; 2],
    /// Trust in these signs.
    pub trust: TrustTuning,
    /// Weeks after which what an article was worth counts half.
    pub interest_half_life: f64,
}

/// One source.
#[derive(Debug, Clone)]
pub(crate) struct History {
    pub(crate) profile: Profile,
    pub(crate) bursts: Bursts<3>,
    pub(crate) drift: Drift,
    pub(crate) trust: Trust,
    /// What a signal made likely: a logarithm, and since when.
    pub(crate) boost: Option<(f32, Timestamp)>,
    /// Since when its articles are known.
    pub(crate) since: Option<Timestamp>,
    /// Until when.
    pub(crate) until: Option<Timestamp>,
    /// Whether anything it published was ever seen.
    met: bool,
    articles: f32,
    worth: f32,
}

/// All sources.
#[derive(Debug, Clone)]
pub(crate) struct Histories {
    pub(crate) settings: Arc<PlanSettings>,
    places: BTreeMap<SourceId, u32>,
    pub(crate) list: Vec<History>,
    free: Vec<u32>,
    pub(crate) pool: Pool,
    /// Rates, where they are asked for again and again.
    kept: Vec<Kept>,
}

/// Rates, and until when the source was known when they were worked out.
type Kept = Option<(Option<Timestamp>, Box<Rates>)>;

/// An interesting folder has this share of a source about which nothing is known.
const PRIOR_SHARE: f64 = 0.02;
/// Articles that this is worth.
const PRIOR_ARTICLES: f64 = 10.0;
/// The past is taken up in steps of so many hours.
const LEARNING_STEP: f64 = 4.0;
/// A profile of two weeks can be held against what comes, one of a week foretells something.
const JUDGED_FROM: f64 = 2.0 * HOURS as f64;
const FADED_FROM: f64 = HOURS as f64;
/// After three weeks, bursts and changed hours have faded.
const FADED_AFTER: f64 = 3.0 * HOURS as f64;
/// Fewer articles in a week, less than three a day, are rare.
const RARE: usize = 21;

impl Histories {
    pub(crate) fn new(settings: &Arc<PlanSettings>) -> Self {
        Self {
            settings: Arc::clone(settings),
            places: BTreeMap::new(),
            list: Vec::new(),
            free: Vec::new(),
            pool: Pool::new(),
            kept: Vec::new(),
        }
    }

    pub(crate) fn tuning(&self) -> &ForecastTuning {
        &self.settings.tuning.forecast
    }

    /// Where a source stands in the list; a new one gets a place.
    pub(crate) fn place(&mut self, source: SourceId) -> usize {
        if let Some(place) = self.places.get(&source) {
            return *place as usize;
        }
        let fresh = History {
            profile: Profile::new(),
            bursts: Bursts::default(),
            drift: Drift::default(),
            trust: Trust::new(&self.default_trust()),
            boost: None,
            since: None,
            until: None,
            met: false,
            articles: 0.0,
            worth: 0.0,
        };
        let place = self.free.pop().unwrap_or(self.list.len() as u32);
        match self.list.get_mut(place as usize) {
            Some(old) => *old = fresh,
            None => self.list.push(fresh),
        }
        self.places.insert(source, place);
        place as usize
    }

    /// Where a known source stands.
    pub(crate) fn find(&self, source: SourceId) -> Option<usize> {
        self.places.get(&source).map(|place| *place as usize)
    }

    pub(crate) fn forget(&mut self, source: SourceId) {
        if let Some(place) = self.places.remove(&source) {
            self.free.push(place);
        }
    }

    /// Its articles are known from here on.
    fn start(&mut self, place: usize, from: Timestamp) {
        let history = &mut self.list[place];
        history.since = Some(history.since.map_or(from, |since| since.min(from)));
        history.until = Some(from);
    }

    /// Takes up what was published before, step by step, so that it is also learned which signs of change to trust.
    pub(crate) fn learn(&mut self, source: SourceId, past: &Past<'_>) {
        let place = self.place(source);
        self.start(place, past.from);
        let mut news = self.of_that_time(place, past);
        news.sort_by_key(|news| news.at);
        let mut from = past.from;
        let mut rest = &news[..];
        while from < past.to {
            // Week by week: each is held against the profile of those before it.
            let to = after_hours(from, HOURS as f64).min(past.to);
            let (now, later) = rest.split_at(rest.partition_point(|news| news.at <= to));
            // Of a quiet week long ago nothing is left.
            let matters = now.len() >= RARE || hours_between(to, past.to) < FADED_AFTER;
            if hours_between(past.from, from) >= FADED_FROM && matters {
                self.retrace(place, from, to, now, hours_between(past.from, from) >= JUDGED_FROM);
            }
            self.count(place, to, now);
            (from, rest) = (to, later);
        }
        self.pool.reshape();
    }

    /// The articles of the past that are of the time it speaks of.
    fn of_that_time<'a>(&mut self, place: usize, past: &Past<'a>) -> Vec<&'a News> {
        self.list[place].met |= !past.news.is_empty();
        past.news.iter().filter(|news| past.from < news.at && news.at <= past.to).collect()
    }

    /// Takes up a week that has passed as if the source had been visited in it.
    fn retrace(&mut self, place: usize, from: Timestamp, to: Timestamp, news: &[&News], judged: bool) {
        let rates = self.rates(place);
        // Where there is hardly anything to see, nothing is learned from looking more often.
        let step = if news.len() < RARE { HOURS as f64 } else { LEARNING_STEP };
        let (mut from, mut rest) = (from, news);
        while from < to {
            let end = after_hours(from, step).min(to);
            let (now, later) = rest.split_at(rest.partition_point(|news| news.at <= end));
            if judged && news.len() >= RARE {
                self.judge(place, from, end, &rates, now);
            }
            self.fade(place, from, end, &rates, now);
            (from, rest) = (end, later);
        }
    }

    /// Takes up what was published before, for policies that ask for rates only.
    pub(crate) fn learn_counts(&mut self, source: SourceId, past: &Past<'_>) {
        let place = self.place(source);
        self.start(place, past.from);
        if past.from < past.to {
            let news = self.of_that_time(place, past);
            self.count(place, past.to, &news);
            self.pool.reshape();
        }
    }

    /// A visit at `at` found these articles; for policies that ask for rates only.
    pub(crate) fn see_counts(&mut self, place: usize, at: Timestamp, news: &[News]) {
        if let Some((_, news)) = self.settle(place, at, news) {
            self.count(place, at, &news.iter().collect::<Vec<_>>());
        }
    }

    /// Since when articles found at `at` were published, and the articles, dated between. Nothing where that is all there is to do:
    /// at the first visit, or if no time has passed.
    fn settle(&mut self, place: usize, at: Timestamp, news: &[News]) -> Option<(Timestamp, Vec<News>)> {
        let met = std::mem::replace(&mut self.list[place].met, true);
        if !met && self.take_catalogue(place, at, news) {
            return None;
        }
        let Some(until) = self.list[place].until else {
            self.start(place, at);
            return None;
        };
        let news = dates::between(news, until, at);
        if until < at {
            return Some((until, news));
        }
        self.count(place, until, &news.iter().collect::<Vec<_>>());
        None
    }

    /// What a page shows at the first visit tells how much its source publishes, though hardly when. False if it is too little.
    fn take_catalogue(&mut self, place: usize, at: Timestamp, news: &[News]) -> bool {
        let Some((from, newer)) = dates::newer_half(news, at) else { return false };
        let half_life = self.tuning().profile.half_life;
        let shape = *self.pool.shape();
        let history = &mut self.list[place];
        history.profile = Profile::new();
        history.profile.age(hours_between(from, at) / HOURS as f64, half_life);
        for news in newer {
            history.profile.spread(hours_between(news.at, at) / HOURS as f64, half_life, &shape);
            history.articles += 1.0;
            history.worth += self.settings.interests.weight(&news.folders) as f32;
        }
        self.start(place, at);
        true
    }

    /// A visit at `at` found these articles.
    pub(crate) fn see(&mut self, place: usize, at: Timestamp, news: &[News]) {
        let Some((until, news)) = self.settle(place, at, news) else { return };
        let news: Vec<&News> = news.iter().collect();
        let rates = self.rates(place);
        self.judge(place, until, at, &rates, &news);
        let hour = hour_of_week(&self.settings.zone, until);
        let scales = self.tuning().all;
        let expected = Bursts::default().pass(hour, hours_between(until, at), &rates, &scales);
        let ages = news.iter().map(|news| hours_between(news.at, at));
        self.pool.compare(at, expected, ages, &scales);
        self.fade(place, until, at, &rates, &news);
        self.count(place, at, &news);
    }

    /// Bursts and changed hours take up the time between two visits.
    fn fade(&mut self, place: usize, from: Timestamp, to: Timestamp, rates: &Rates, news: &[&News]) {
        let ForecastTuning { bursts: scales, drift: tuning, .. } = *self.tuning();
        let zone = &self.settings.zone;
        let (hour, hours) = (hour_of_week(zone, from), hours_between(from, to));
        let history = &mut self.list[place];
        history.bursts.pass(hour, hours, rates, &scales);
        history.drift.pass(hour, hours, rates, &tuning);
        for news in news {
            let age = hours_between(news.at, to);
            history.bursts.see(age, &scales);
            history.drift.see(hour_of_week(zone, news.at), age, &tuning);
        }
    }

    /// The profile counts the articles of a time that ends at `to` and begins where the last one ended.
    fn count(&mut self, place: usize, to: Timestamp, news: &[&News]) {
        let ForecastTuning { profile: ProfileTuning { half_life, .. }, interest_half_life, .. } =
            *self.tuning();
        let history = &mut self.list[place];
        let Some(from) = history.until else { return };
        let weeks = hours_between(from, to) / HOURS as f64;
        history.profile.age(weeks, half_life);
        let keep = (-weeks / interest_half_life).exp2() as f32;
        history.articles *= keep;
        history.worth *= keep;
        self.pool.watch(to, weeks, half_life);
        for news in news {
            let at = news.at.min(to);
            let age = hours_between(at, to) / HOURS as f64;
            let hour = hour_of_week(&self.settings.zone, at);
            history.profile.add(hour, age, half_life);
            self.pool.add(hour, age, half_life);
            let keep = (-age / interest_half_life).exp2();
            history.articles += keep as f32;
            history.worth += (keep * self.settings.interests.weight(&news.folders)) as f32;
        }
        history.until = Some(to);
    }

    /// What an article of this source is worth.
    pub(crate) fn worth(&self, place: usize) -> f64 {
        let history = &self.list[place];
        let interests = &self.settings.interests;
        let more: f64 = interests.folders.values().map(|weight| (weight - interests.others).max(0.0)).sum();
        let prior = interests.others + PRIOR_SHARE * more;
        (f64::from(history.worth) + PRIOR_ARTICLES * prior) / (f64::from(history.articles) + PRIOR_ARTICLES)
    }

    /// Articles an hour, for each hour of the week.
    pub(crate) fn rates(&self, place: usize) -> Rates {
        self.list[place].profile.rates(self.pool.shape(), self.pool.usual(), &self.tuning().profile)
    }

    /// Articles an hour in one hour of the week. All hours are worked out at once and kept until the source is seen again.
    pub(crate) fn rate(&mut self, place: usize, hour: usize) -> f64 {
        let fresh = self.list[place].until;
        if self.kept.len() < self.list.len() {
            self.kept.resize(self.list.len(), None);
        }
        match &self.kept[place] {
            Some((until, rates)) if *until == fresh => f64::from(rates[hour]),
            _ => {
                let rates = self.rates(place);
                self.kept[place] = Some((fresh, Box::new(rates)));
                f64::from(rates[hour])
            }
        }
    }

    /// Articles an hour on average.
    pub(crate) fn mean(&self, place: usize) -> f64 {
        f64::from(self.list[place].profile.mean(self.pool.usual(), &self.tuning().profile))
    }
}
