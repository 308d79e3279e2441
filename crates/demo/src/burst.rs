//! Staged bursts: something happens, one site has it first, related sites follow.

use crate::random::Dice;
use crate::settings::WorldSettings;
use crate::site::Site;
use crate::subject::{Subject, Topic};
use crate::vocabulary::countries::COUNTRIES;
use crate::vocabulary::sports::SPORTS;
use jiff::{SignedDuration, Timestamp};

/// A staged burst.
#[derive(Debug, Clone)]
pub struct Burst {
    /// The topic that becomes busy.
    pub topic: Topic,
    /// Where it happens.
    pub country: &'static str,
    /// Which sport, if it is one.
    pub sport: Option<&'static str>,
    /// When the first site has it.
    pub start: Timestamp,
    /// How long each site stays busy.
    pub duration: SignedDuration,
    /// Who takes part, the first site first.
    pub sites: Vec<BurstSite>,
    pub(crate) subject: Subject,
    pub(crate) seed: u64,
}

/// A site's part in a burst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BurstSite {
    /// The index of the site.
    pub site: usize,
    /// How long after the start it begins to follow; zero for the first.
    pub lag: SignedDuration,
}

/// Articles an hour at the height of a burst on a site of mean pace, in a world of mean pace. A normal hour
/// brings 0.75 on *all* topics, so a burst stands out on the first visit after it began.
const PEAK: f64 = 4.0;

/// The most a lag can be. A burst is over for everybody within this and its duration.
const LONGEST_LAG_MINUTES: usize = 150;

/// The least share of its interest that makes a site follow a topic.
const FOLLOWS: f64 = 0.08;

impl Burst {
    /// The `number`th burst of a world: the first when the settings say, then one a day, at another hour.
    pub(crate) fn staged(number: u64, settings: &WorldSettings, sites: &[Site]) -> Self {
        let mut dice = Dice::of(&[settings.seed, 3, number]);
        let seed = dice.next();
        let jitter = if number == 0 { 0 } else { dice.between(0, 8 * 60) as i64 - 4 * 60 };
        let start = settings.start
            + settings.first_burst_after
            + SignedDuration::from_hours(24 * number as i64)
            + SignedDuration::from_mins(jitter);
        // Sport on even days, so that the first five minutes show one that a starter rule base knows.
        let topic = if number.is_multiple_of(2) { Topic::Sport } else { Topic::ALL[dice.below(5)] };
        let country = dice.pick(&COUNTRIES);
        let sport = (topic == Topic::Sport).then(|| dice.pick(&SPORTS));
        let duration = SignedDuration::from_mins(dice.between(4 * 60, 7 * 60) as i64);
        let sites = followers(topic, sites, &mut dice);
        Self {
            topic,
            country: country.name,
            sport: sport.map(|sport| sport.name),
            start,
            duration,
            sites,
            subject: Subject { topic, country, sport },
            seed,
        }
    }

    /// When the last site has calmed down, at the latest.
    pub fn end(&self) -> Timestamp {
        let lag = self.sites.iter().map(|part| part.lag).max().unwrap_or_default();
        self.start + lag + self.duration
    }

    /// When `site` publishes about it; empty if it takes no part.
    pub(crate) fn times(&self, site: &Site, articles_per_day: f64) -> Vec<Timestamp> {
        let Some(part) = self.sites.iter().find(|part| part.site == site.index) else {
            return Vec::new();
        };
        let begin = self.start + part.lag;
        let hours = self.duration.as_secs_f64() / 3600.0;
        let peak =
            PEAK * articles_per_day / WorldSettings::MEAN_ARTICLES_PER_DAY * site.pace.sqrt().clamp(0.6, 1.4);
        let mut dice = Dice::of(&[self.seed, 5, site.index as u64]);
        let mut times = vec![begin];
        let mut elapsed = dice.exponential(1.0 / peak);
        while elapsed < hours {
            if dice.chance(shape(elapsed / hours)) {
                times.push(begin + SignedDuration::from_secs((elapsed * 3600.0) as i64));
            }
            elapsed += dice.exponential(1.0 / peak);
        }
        times
    }
}

/// Interest over the course of a burst: up within a seventh, then slowly down to a fifth.
fn shape(share: f64) -> f64 {
    if share < 0.15 { 0.4 + 4.0 * share } else { 1.0 - 0.8 * (share - 0.15) / 0.85 }
}

fn followers(topic: Topic, sites: &[Site], dice: &mut Dice) -> Vec<BurstSite> {
    let mut able: Vec<usize> =
        sites.iter().filter(|site| site.interest(topic) >= FOLLOWS).map(|site| site.index).collect();
    dice.shuffle(&mut able);
    able.truncate(dice.between(8, 12));
    let lag = |place: usize, dice: &mut Dice| match place {
        0 => SignedDuration::ZERO,
        _ => SignedDuration::from_mins(dice.between(12, LONGEST_LAG_MINUTES) as i64),
    };
    let mut parts: Vec<BurstSite> =
        able.into_iter().enumerate().map(|(place, site)| BurstSite { site, lag: lag(place, dice) }).collect();
    parts.sort_by_key(|part| part.lag);
    parts
}
