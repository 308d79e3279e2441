//! The world is a pure function of its settings.

use crate::world as default_world;
use demo::{Layout, Rhythm, Topic, World, WorldSettings, countries, sports};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn days(world: &World, from: i64, to: i64) -> (Timestamp, Timestamp) {
    let start = world.settings().start;
    (start + SignedDuration::from_hours(24 * from), start + SignedDuration::from_hours(24 * to))
}

#[test]
fn equal_settings_make_equal_worlds_in_whatever_order_they_are_asked() {
    let (one, other) = (default_world(), default_world());
    let (from, to) = days(&one, 0, 3);
    other.articles_between(days(&other, 2, 3).0, to);
    let tell = |world: &World| {
        let articles = world.articles_between(from, to);
        articles
            .iter()
            .map(|a| (a.site, a.path.clone(), a.title.clone(), a.published_at, a.text()))
            .collect::<Vec<_>>()
    };
    assert_eq!(tell(&one), tell(&other));
    let third = World::new(WorldSettings { seed: 2, ..WorldSettings::default() });
    assert_ne!(tell(&one), tell(&third));
}

#[test]
fn thirty_sites_in_ten_layouts() {
    let world = default_world();
    let layouts: HashSet<Layout> = world.sites().iter().map(|site| site.layout).collect();
    let names: HashSet<&str> = world.sites().iter().map(|site| site.name.as_str()).collect();
    assert_eq!((world.sites().len(), layouts.len(), names.len()), (30, 10, 30));
    assert!(world.sites().iter().all(|site| (20..=40).contains(&site.page_size)));
}

#[test]
fn headlines_and_paths_are_unique_on_a_site_and_of_good_length() {
    let world = default_world();
    let mut seen = HashSet::new();
    for article in world.articles_between(Timestamp::MIN, days(&world, 0, 40).1) {
        assert!(seen.insert((article.site, article.title.clone())), "twice: {}", article.title);
        assert!(seen.insert((article.site, article.path.clone())), "twice: {}", article.path);
        let words = article.title.split_whitespace().count();
        assert!((5..=12).contains(&words), "{words} words: {}", article.title);
    }
}

#[test]
fn every_slot_is_filled_and_every_text_is_readable() {
    let world = default_world();
    let (from, to) = days(&world, 0, 6);
    for article in world.articles_between(from, to) {
        for text in [&article.title, &article.text()] {
            assert!(!text.contains(['{', '}', '~']), "{text}");
            assert!(!text.contains("  ") && !text.contains("the the "), "{text}");
            let old = |letter: char| u32::from(letter) < 256 || "’“”–".contains(letter);
            assert!(text.chars().all(old), "not in windows-1252: {text}");
        }
        let paragraphs = article.text().split("\n\n").count();
        assert!((4..=9).contains(&paragraphs), "{paragraphs} paragraphs");
        assert!(article.text().starts_with(&article.summary()));
    }
}

#[test]
fn titles_or_texts_name_their_subject() {
    let world = default_world();
    let (from, to) = days(&world, 0, 14);
    let articles = world.articles_between(from, to);
    for article in &articles {
        assert_eq!(article.sport.is_some(), article.topic == Topic::Sport);
    }
    assert_eq!(articles.iter().map(|a| a.country).collect::<HashSet<_>>(), countries().collect());
    assert_eq!(articles.iter().filter_map(|a| a.sport).collect::<HashSet<_>>(), sports().collect());
    let rowing: Vec<_> = articles.iter().filter(|a| a.sport == Some("rowing")).collect();
    let words =
        ["rowing", "sculls", "regatta", "rower", "rowed", "eight", "coxless", "stroke", "blade", "boat"];
    let named = rowing.iter().filter(|a| words.iter().any(|word| a.title.to_lowercase().contains(word)));
    assert!(named.count() * 10 > rowing.len() * 7, "most rowing headlines say so");
}

#[test]
fn the_mean_rate_is_as_asked_and_pace_differs() {
    let world = World::new(WorldSettings { bursts: false, ..WorldSettings::default() });
    let (from, to) = days(&world, 0, 28);
    let articles = world.articles_between(from, to);
    let per_day = articles.len() as f64 / 28.0 / 30.0;
    assert!((per_day - 18.0).abs() < 1.5, "{per_day} a day and site");
    let count = |site: usize| articles.iter().filter(|a| a.site == site).count();
    assert!(count(4) > 4 * count(9), "a wire outruns a blog");
}

#[test]
fn sites_keep_their_hours() {
    let world = World::new(WorldSettings { bursts: false, ..WorldSettings::default() });
    let (from, to) = days(&world, 0, 28);
    let mut by_hour: HashMap<Rhythm, [usize; 24]> = HashMap::new();
    for article in world.articles_between(from, to) {
        let site = &world.sites()[article.site];
        let hour = (article.published_at.as_second() / 3600 + i64::from(site.utc_offset)).rem_euclid(24);
        by_hour.entry(site.rhythm).or_default()[hour as usize] += 1;
    }
    let sum = |rhythm: Rhythm, hours: std::ops::Range<usize>| by_hour[&rhythm][hours].iter().sum::<usize>();
    assert!(sum(Rhythm::OfficeHours, 9..18) > 4 * sum(Rhythm::OfficeHours, 18..24));
    assert!(sum(Rhythm::NightGames, 19..24) > 2 * sum(Rhythm::NightGames, 6..12));
    assert!(sum(Rhythm::MorningPaper, 5..8) > 2 * sum(Rhythm::MorningPaper, 0..3));
    assert!(sum(Rhythm::RoundTheClock, 0..6) * 4 > sum(Rhythm::RoundTheClock, 8..14));
}

#[test]
fn stories_are_told_by_several_sites_in_their_own_words() {
    let world = default_world();
    let (from, to) = days(&world, 0, 3);
    let mut tellers: HashMap<_, Vec<_>> = HashMap::new();
    for article in world.articles_between(from, to) {
        if let Some(story) = article.story {
            tellers.entry(story).or_default().push(article);
        }
    }
    let shared: Vec<_> = tellers.values().filter(|articles| articles.len() >= 3).collect();
    assert!(shared.len() > 60, "{} shared stories", shared.len());
    for articles in shared {
        let sites: HashSet<_> = articles.iter().map(|a| a.site).collect();
        let subjects: HashSet<_> = articles.iter().map(|a| (a.topic, a.country, a.sport)).collect();
        assert_eq!((sites.len(), subjects.len()), (articles.len(), 1));
    }
}

#[test]
fn bursts_begin_on_one_site_spread_and_are_seen_in_counts() {
    let world = default_world();
    let bursts = world.bursts();
    assert_eq!(bursts[0].start, world.settings().start + SignedDuration::from_hours(6));
    for burst in bursts.iter().take(7) {
        assert_eq!(burst.sites[0].lag, SignedDuration::ZERO);
        assert!(
            burst.sites.len() >= 8 && burst.sites[1..].iter().all(|part| part.lag > SignedDuration::ZERO)
        );
        let on_topic = |from: Timestamp, to: Timestamp| {
            let articles = world.articles_between(from, to);
            let subject = |a: &demo::KnownArticle| (a.topic, a.country, a.sport);
            articles.iter().filter(|a| subject(a) == (burst.topic, burst.country, burst.sport)).count()
        };
        let (during, before) = (
            on_topic(burst.start, burst.start + burst.duration),
            on_topic(burst.start - burst.duration, burst.start),
        );
        assert!(during >= 40 && during > 5 * before, "{during} against {before}");
        assert!(
            world.bursts_between(burst.start, burst.end()).iter().any(|other| other.start == burst.start)
        );
    }
    let calm = World::new(WorldSettings { bursts: false, ..WorldSettings::default() });
    assert!(calm.bursts().is_empty());
}

#[test]
fn more_or_fewer_sites_also_make_a_world() {
    for sites in [0, 1, 3, 70] {
        let world = World::new(WorldSettings { sites, ..WorldSettings::default() });
        let (from, to) = days(&world, 0, 1);
        assert_eq!(world.articles_between(from, to).is_empty(), sites == 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_seed_makes_a_sound_world(seed: u64, hour in 0_i64..72) {
        let world = World::new(WorldSettings { seed, sites: 5, ..WorldSettings::default() });
        let now = world.settings().start + SignedDuration::from_hours(hour);
        for site in world.sites() {
            let newest = world.newest(site.index, None, now, 0, usize::MAX);
            prop_assert!(newest.iter().all(|article| article.published_at <= now));
            prop_assert!(newest.is_sorted_by(|a, b| a.published_at >= b.published_at));
            let titles: HashSet<_> = newest.iter().map(|article| &article.title).collect();
            prop_assert_eq!(titles.len(), newest.len());
            let in_sections: usize =
                site.sections.iter().map(|s| world.newest(site.index, Some(s.slug), now, 0, usize::MAX).len()).sum();
            prop_assert_eq!(in_sections, newest.len());
        }
    }
}
