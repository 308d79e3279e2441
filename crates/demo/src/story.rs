//! Stories: what several sites tell, each in its own words, on ordinary days.

use crate::article::StoryId;
use crate::calendar::{DAY_SECONDS, at_second};
use crate::random::Dice;
use crate::site::Site;
use crate::subject::Subject;
use jiff::Timestamp;

/// Something that happened, and when which site tells it.
#[derive(Debug)]
pub(crate) struct Story {
    pub(crate) id: StoryId,
    pub(crate) subject: Subject,
    /// Site and time; nobody tells a story twice.
    pub(crate) told: Vec<(usize, Timestamp)>,
}

/// The share of all articles that tell a shared story.
pub(crate) const SHARED: f64 = 0.1;

/// Mean number of sites that tell a story, from the range below.
const MEAN_TELLERS: f64 = 6.0;

/// The latest a site comes round to a story. Under a day, so that a day's articles need only two days' stories.
const LATEST_SECONDS: f64 = 12.0 * 3600.0;

/// The stories that begin on `day`.
pub(crate) fn stories(seed: u64, day: i64, sites: &[Site], articles_per_day: f64) -> Vec<Story> {
    let mut dice = Dice::of(&[seed, 4, day as u64]);
    let count = dice.poisson(SHARED * articles_per_day * sites.len() as f64 / MEAN_TELLERS);
    (0..count).filter_map(|_| story(day, sites, &mut dice)).collect()
}

fn story(day: i64, sites: &[Site], dice: &mut Dice) -> Option<Story> {
    let id = StoryId(dice.next());
    let subject = sites.get(dice.below(sites.len()))?.choose_subject(dice);
    let mut tellers: Vec<usize> =
        sites.iter().filter(|site| site.interest(subject.topic) > 0.05).map(|site| site.index).collect();
    dice.shuffle(&mut tellers);
    tellers.truncate(dice.between(3, 9));
    let origin = day * DAY_SECONDS + dice.below(DAY_SECONDS as usize) as i64;
    let told = tellers
        .into_iter()
        .enumerate()
        .map(|(place, site)| {
            let lag = if place == 0 { 0.0 } else { dice.exponential(5400.0).min(LATEST_SECONDS) };
            (site, at_second(origin + lag as i64))
        })
        .collect();
    Some(Story { id, subject, told })
}
