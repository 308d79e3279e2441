//! Candidates made by the same template, and what they tell about each other.

use super::cards::card_of;
use super::headline;
use super::score::Candidate;
use crate::outline::Outline;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Fewer links of one template say nothing about it.
pub(super) const GROUP: usize = 3;

/// "Continue reading" is not longer than this, in half words.
const REFRAIN: usize = 6;

/// Candidates by template.
pub(super) struct Groups {
    by_template: HashMap<u64, Group>,
}

pub(super) struct Group {
    size: usize,
    mean: f32,
    refrain: bool,
}

impl Groups {
    pub(super) fn of(candidates: &[Candidate]) -> Self {
        let mut members: HashMap<u64, Vec<&Candidate>> = HashMap::new();
        for candidate in candidates {
            members.entry(candidate.template).or_default().push(candidate);
        }
        let group = |members: Vec<&Candidate>| Group {
            size: members.len(),
            mean: members.iter().map(|member| member.score).sum::<f32>() / members.len() as f32,
            refrain: repeats_itself(&members),
        };
        Self {
            by_template: members.into_iter().map(|(template, members)| (template, group(members))).collect(),
        }
    }

    /// The candidates of each template, in the page's order.
    fn members(&self, candidates: &[Candidate]) -> HashMap<u64, Vec<usize>> {
        let mut members: HashMap<u64, Vec<usize>> = HashMap::with_capacity(self.by_template.len());
        for (index, candidate) in candidates.iter().enumerate() {
            members.entry(candidate.template).or_default().push(index);
        }
        members
    }

    pub(super) fn large(&self, candidate: &Candidate) -> Option<&Group> {
        self.by_template.get(&candidate.template).filter(|group| group.size >= GROUP)
    }

    /// "Read more" again and again: it may lead to articles, but never names one.
    pub(super) fn is_refrain(&self, candidate: &Candidate) -> bool {
        candidate.headline.halves <= REFRAIN && self.large(candidate).is_some_and(|group| group.refrain)
    }

    /// A third its own, the rest its template's, and more for a template used often.
    pub(super) fn score(&self, candidate: &Candidate) -> f32 {
        let Some(group) = self.large(candidate) else {
            return candidate.score;
        };
        let often = (group.size as f32).ln().min(3.0) * 0.4;
        (candidate.score + 2.0 * group.mean) / 3.0 + often
    }
}

/// Different places under the same few words. Long words are headlines, whatever repeats.
fn repeats_itself(members: &[&Candidate]) -> bool {
    if members.len() < GROUP || members.iter().all(|member| member.headline.halves > REFRAIN) {
        return false;
    }
    let texts: HashSet<&str> = members.iter().map(|member| member.headline.text.as_str()).collect();
    let urls: HashSet<&Url> = members.iter().map(|member| &member.url).collect();
    urls.len() >= GROUP && texts.len() * 3 <= urls.len()
}

/// "Read more" and pictures name no article; the heading of their card does, if it is nobody else's link.
pub(super) fn name_from_cards(outline: &Outline, candidates: &mut [Candidate]) {
    let mut templates: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, candidate) in candidates.iter().enumerate().filter(|(_, candidate)| !candidate.furniture) {
        templates.entry(candidate.template).or_default().push(index);
    }
    for members in templates.into_values().filter(|members| members.len() >= GROUP) {
        let nameless = repeats_itself(&members.iter().map(|index| &candidates[*index]).collect::<Vec<_>>());
        if !nameless {
            continue;
        }
        for (place, &index) in members.iter().enumerate() {
            let neighbour = |place: Option<usize>| {
                place.and_then(|place| members.get(place)).map(|index| candidates[*index].at)
            };
            let card = card_of(
                outline,
                candidates[index].at,
                neighbour(place.checked_sub(1)),
                neighbour(Some(place + 1)),
            );
            if let Some(headline) = headline::of_heading(outline, &card.range) {
                candidates[index].rename(headline);
            }
        }
    }
}

/// A card has one article. Links that stand once in each card of a better template are its author, its
/// section, its buyer.
pub(super) fn demote_companions(outline: &Outline, candidates: &mut [Candidate]) {
    let groups = Groups::of(candidates);
    let mut demoted: HashSet<u64> = HashSet::new();
    for (template, members) in &groups.members(candidates) {
        let Some(group) =
            groups.by_template.get(template).filter(|group| group.size >= GROUP && !group.refrain)
        else {
            continue;
        };
        let mut companions: HashMap<u64, usize> = HashMap::new();
        for (place, &index) in members.iter().enumerate() {
            let at = |place: Option<usize>| {
                place.and_then(|place| members.get(place)).map(|index| candidates[*index].at)
            };
            let card = card_of(outline, candidates[index].at, at(place.checked_sub(1)), at(Some(place + 1)));
            let inside = Outline::within(candidates, &card.range, |candidate| candidate.at);
            let others: HashSet<u64> = candidates[inside]
                .iter()
                .filter(|other| other.url != candidates[index].url)
                .map(|other| other.template)
                .collect();
            for other in others {
                *companions.entry(other).or_default() += 1;
            }
        }
        demoted.extend(
            companions
                .into_iter()
                .filter(|(other, cards)| {
                    let other = &groups.by_template[other];
                    *cards >= GROUP && cards * 10 >= other.size * 6 && other.mean + 0.5 < group.mean
                })
                .map(|(other, _)| other),
        );
    }
    for candidate in candidates.iter_mut().filter(|candidate| demoted.contains(&candidate.template)) {
        candidate.score -= 3.0;
    }
}
