//! A limit that knows the rates but not the articles: odd weeks are planned by what even weeks had, and the other way round.

use super::{Published, price_for};
use crate::profile::{Profile, Rates};
use crate::recursion::Recursion;
use crate::settings::PlanSettings;
use crate::week::{HOURS, after_hours, cell, hour_of_week, hours_between};
use jiff::Timestamp;

/// Slots of ten minutes.
const SLOTS_AN_HOUR: usize = 6;
/// Old weeks are as good as new ones: they lie on both sides.
const NO_FADING: f64 = 1e9;

/// Visits by the planner's recursion, at a price at which they meet the budget of the settings, from `from` to `to`.
pub fn known_rate(
    sources: &[Vec<Published>],
    from: Timestamp,
    to: Timestamp,
    settings: &PlanSettings,
) -> Vec<Vec<Timestamp>> {
    let hours = hours_between(from, to);
    if sources.is_empty() || hours <= 0.0 {
        return vec![Vec::new(); sources.len()];
    }
    let fits: Vec<[Rates; 2]> = cross_fits(sources, from, to, settings);
    let start = hour_of_week(&settings.zone, from);
    let slots = (hours * SLOTS_AN_HOUR as f64).ceil() as usize;
    let mut recursion = Recursion::default();
    let mut path = |fit: &[Rates; 2], price: f64| -> Vec<usize> {
        let expected = (0..slots).map(|slot| {
            let ahead = (slot as f64 + 0.5) / SLOTS_AN_HOUR as f64;
            f64::from(fit[parity(ahead)][cell(start + ahead)]) / SLOTS_AN_HOUR as f64
        });
        recursion.solve(expected, |_| price);
        let longest = (settings.longest().as_secs_f64() / 3600.0 * SLOTS_AN_HOUR as f64).max(1.0) as usize;
        let mut visits = Vec::new();
        let mut slot = 0;
        while slot < slots {
            slot = recursion.next(slot).min(slot + longest);
            visits.push(slot);
        }
        visits
    };
    let budget = settings.visits_per_source_day * hours / 24.0 * sources.len() as f64;
    let price = price_for(budget, |price| fits.iter().map(|fit| path(fit, price).len() as f64).sum());
    let time = |slot: usize| after_hours(from, slot as f64 / SLOTS_AN_HOUR as f64).min(to);
    fits.iter().map(|fit| path(fit, price).into_iter().map(time).collect()).collect()
}

/// Whether an hour lies in an odd or an even week.
fn parity(hours: f64) -> usize {
    (hours / HOURS as f64) as usize % 2
}

/// For each source the rates to be used in even and in odd weeks, each from the other ones.
fn cross_fits(
    sources: &[Vec<Published>],
    from: Timestamp,
    to: Timestamp,
    settings: &PlanSettings,
) -> Vec<[Rates; 2]> {
    let tuning = &settings.tuning.forecast.profile;
    let weeks = hours_between(from, to) / HOURS as f64;
    let whole = weeks.floor();
    let last = weeks - whole;
    let even = (whole / 2.0).ceil() + if (whole as usize).is_multiple_of(2) { last } else { 0.0 };
    let lengths = [even, weeks - even];
    let fit = |articles: &[Published], shape: &Rates, used_in: usize| {
        let mut profile = Profile::new();
        profile.age(lengths[1 - used_in], NO_FADING);
        let (mut count, mut worth) = (0.0, 0.0);
        for article in articles {
            let hours = hours_between(from, article.at);
            if parity(hours) != used_in {
                profile.add(hour_of_week(&settings.zone, article.at), 0.0, NO_FADING);
                count += 1.0;
                worth += article.weight;
            }
        }
        let worth = if count > 0.0 { worth / count } else { 1.0 };
        profile.rates(shape, 0.0, tuning).map(|rate| rate * worth as f32)
    };
    let shapes: [Rates; 2] = [0, 1].map(|used_in| shape(sources, from, used_in, settings));
    sources.iter().map(|articles| [0, 1].map(|used_in| fit(articles, &shapes[used_in], used_in))).collect()
}

/// The shape of all sources' weeks, from the weeks it is not used in.
fn shape(sources: &[Vec<Published>], from: Timestamp, used_in: usize, settings: &PlanSettings) -> Rates {
    let mut counts = [1.0_f32; HOURS];
    let other = |article: &&Published| parity(hours_between(from, article.at)) != used_in;
    for article in sources.iter().flatten().filter(other) {
        counts[cell(hour_of_week(&settings.zone, article.at))] += 1.0;
    }
    let total: f32 = counts.iter().sum();
    counts.map(|count| count * HOURS as f32 / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One article each day at noon, and nothing else.
    #[test]
    fn comes_when_the_other_weeks_had_articles() {
        let from = Timestamp::from_second(4 * 86_400).unwrap();
        let to = after_hours(from, 8.0 * HOURS as f64);
        let daily = |hour: f64| -> Vec<Published> {
            let at = |day: i32| after_hours(from, f64::from(day) * 24.0 + hour);
            (0..56).map(|day| Published { at: at(day), weight: 1.0 }).collect()
        };
        let sources = [daily(12.2), daily(18.2)];
        let longest_gap = std::time::Duration::from_hours(48);
        let settings = PlanSettings { visits_per_source_day: 1.0, longest_gap, ..PlanSettings::default() };
        let visits = known_rate(&sources, from, to, &settings);
        let all: usize = visits.iter().map(Vec::len).sum();
        assert!((90..=112).contains(&all), "{all}");
        let near = |source: usize, hour: f64| {
            let hours = |at: &&Timestamp| (hours_between(from, **at) % 24.0 - hour).abs() < 2.5;
            visits[source].iter().filter(hours).count() as f64 / visits[source].len() as f64
        };
        assert!(near(0, 13.0) > 0.6 && near(1, 19.0) > 0.6, "{visits:?}");
    }
}
