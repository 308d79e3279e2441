//! What is known of every source: its profile, whether it is in a burst, what its articles are worth.

mod learning;
mod rates;

use crate::bursts::{BurstScale, Bursts};
use crate::dates;
use crate::drift::{Drift, DriftTuning};
use crate::kinds::Kinds;
use crate::policy::News;
use crate::pool::Pool;
use crate::profile::{Profile, ProfileTuning, Rates};
use crate::settings::PlanSettings;
use crate::trust::{Trust, TrustTuning};
use crate::week::{HOURS, hour_of_week, hours_between};
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
    /// The kind of source it seems to be, while its own hours are little known.
    kind: Option<u8>,
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
    kinds: Kinds,
    /// Rates, where they are asked for again and again.
    kept: Vec<Kept>,
}

/// Rates, and until when the source was known when they were worked out.
type Kept = Option<(Option<Timestamp>, Box<Rates>)>;

impl Histories {
    pub(crate) fn new(settings: &Arc<PlanSettings>) -> Self {
        Self {
            settings: Arc::clone(settings),
            places: BTreeMap::new(),
            list: Vec::new(),
            free: Vec::new(),
            pool: Pool::new(),
            kinds: Kinds::default(),
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
            kind: None,
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
}
