//! Rules of DC-1: which counts are looked at. Made for every time of the day, folder and site, then selected.

use jiff::SignedDuration;
use jiff::civil::Time;
use model::{FolderId, SourceId};
use std::collections::{BTreeMap, BTreeSet};

/// A count to look at: the stories that a site brought to a folder in the time before a time of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The end of the time: 02:00 for what was found after 00:00 up to 02:00.
    pub time: Time,
    /// How long before it began.
    pub delay: SignedDuration,
    /// The folder.
    pub folder: FolderId,
    /// The site.
    pub site: SourceId,
}

/// All rules: 24 hours divided by the delay, for each folder and site.
pub fn rules<'a>(
    delay: SignedDuration,
    folders: &'a [FolderId],
    sites: &'a [SourceId],
) -> impl Iterator<Item = Rule> + 'a {
    let step = delay.as_secs().clamp(60, 86_400);
    let times = move || {
        let ends = (1..).map(move |n| n * step).take_while(|second| *second <= 86_400);
        ends.map(|second| Time::midnight().wrapping_add(SignedDuration::from_secs(second)))
    };
    let rule = move |folder: FolderId, site: SourceId, time: Time| Rule { time, delay, folder, site };
    folders.iter().flat_map(move |folder| {
        sites.iter().flat_map(move |site| times().map(move |time| rule(*folder, *site, time)))
    })
}

/// Selection by time: the rules whose time is now.
pub fn by_time(rules: impl IntoIterator<Item = Rule>, now: Time) -> Vec<Rule> {
    rules.into_iter().filter(|rule| rule.time == now).collect()
}

/// Selection by coverage, as in Fawcett & Provost: a small set of general rules. `telling` are rules that told
/// something in their folder (a profile that is not all zeros). Rules that differ only in the folder are one general
/// rule; those that occur in most folders are looked at first, and each is kept if it covers a folder that fewer than
/// `enough` kept rules cover. What is left says for every folder what it would have said alone, with fewer monitors.
pub fn by_coverage(telling: impl IntoIterator<Item = Rule>, enough: usize) -> Vec<Rule> {
    let mut general: BTreeMap<(Time, SignedDuration, SourceId), BTreeSet<FolderId>> = BTreeMap::new();
    for rule in telling {
        general.entry((rule.time, rule.delay, rule.site)).or_default().insert(rule.folder);
    }
    let mut general: Vec<_> = general.into_iter().collect();
    // A stable sort: among equals the order of times and sites stays, so that the same rules are chosen each time.
    general.sort_by_key(|(_, folders)| std::cmp::Reverse(folders.len()));
    let mut covered: BTreeMap<FolderId, usize> = BTreeMap::new();
    let mut kept = Vec::new();
    for ((time, delay, site), folders) in general {
        if folders.iter().all(|folder| covered.get(folder).copied().unwrap_or(0) >= enough) {
            continue;
        }
        for folder in folders {
            *covered.entry(folder).or_default() += 1;
            kept.push(Rule { time, delay, folder, site });
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO_HOURS: SignedDuration = SignedDuration::from_hours(2);

    fn ids<T>(n: i64, id: fn(i64) -> T) -> Vec<T> {
        (1..=n).map(id).collect()
    }

    #[test]
    fn the_papers_number_of_rules() {
        let (folders, sites) = (ids(5, FolderId), ids(26, SourceId));
        let all: Vec<_> = rules(TWO_HOURS, &folders, &sites).collect();
        assert_eq!(all.len(), 1560);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 1560);
        assert_eq!(rules(TWO_HOURS, &folders[..1], &sites[..1]).count(), 12);
        let now = by_time(all.iter().copied(), Time::constant(2, 0, 0, 0));
        assert_eq!(now.len(), 26 * 5);
        assert_eq!(by_time(all, Time::midnight()).len(), 26 * 5, "the last of the day ends at midnight");
    }

    #[test]
    fn the_rules_of_most_folders_are_taken_first() {
        let rule = |site, folder| Rule {
            time: Time::constant(2, 0, 0, 0),
            delay: TWO_HOURS,
            folder: FolderId(folder),
            site: SourceId(site),
        };
        // Site 3 tells in all folders, site 1 in two of them, site 2 in one that nothing else covers twice.
        let telling = [rule(1, 1), rule(1, 2), rule(2, 3), rule(3, 1), rule(3, 2), rule(3, 3)];
        let sites = |enough| {
            let kept = by_coverage(telling, enough).into_iter().map(|rule| rule.site.0);
            kept.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(sites(0), Vec::<i64>::new());
        assert_eq!(sites(1), [3]);
        assert_eq!(sites(2), [1, 2, 3]);
        assert_eq!(by_coverage(telling, 1)[0].site, SourceId(3));
    }

    proptest! {
        #[test]
        fn each_folder_is_covered_as_well_as_it_can_be(
            pairs in prop::collection::btree_set((1i64..8, 1i64..6), 0..30), enough in 0usize..4,
        ) {
            let rule = |&(site, folder): &(i64, i64)| Rule {
                time: Time::midnight(), delay: TWO_HOURS, folder: FolderId(folder), site: SourceId(site),
            };
            let kept = by_coverage(pairs.iter().map(rule), enough);
            for folder in 1..6 {
                let there = pairs.iter().filter(|pair| pair.1 == folder).count();
                let covered = kept.iter().filter(|rule| rule.folder == FolderId(folder)).count();
                prop_assert!(covered >= there.min(enough) && covered <= there);
            }
        }
    }
}
