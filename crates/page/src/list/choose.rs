//! Which candidates are articles, judged together.

use super::groups::{GROUP, Groups, demote_companions, name_from_cards};
use super::score::{Candidate, candidates, resolve};
use super::stories::{is_one_text, stories};
use crate::jsonld::{self, Named};
use crate::outline::Outline;
use model::Found;
use std::collections::{HashMap, HashSet};
use url::Url;

/// A template's links are articles from this score on.
const GROUP_SCORE: f32 = 2.6;

/// From here on a template is trusted.
const SURE_SCORE: f32 = 3.0;

/// A link alone in its template must be surer.
const SINGLE_SCORE: f32 = 3.4;

/// Fewer articles make no list.
const FEWEST: usize = 3;

/// The articles a page lists, in its order.
pub(super) fn articles(outline: &Outline, page: &Url, base: &Url) -> Vec<Found> {
    let named: HashMap<Url, Named> = jsonld::articles(&outline.head.json_ld)
        .into_iter()
        .filter(|named| named.listed)
        .filter_map(|named| Some((resolve(named.url.as_deref()?, base)?, named)))
        .collect();
    let known: HashSet<Url> = named.keys().cloned().collect();
    let mut candidates = candidates(outline, page, base, &known);
    name_from_cards(outline, &mut candidates);
    demote_companions(outline, &mut candidates);
    let accepted = accept(&candidates);
    let stories = stories(outline, &candidates, &accepted);
    let telling = stories.iter().filter(|story| story.is_telling(outline)).count();
    if stories.len() < FEWEST || telling * 2 < stories.len() || is_one_text(outline, &stories) {
        return Vec::new();
    }
    stories
        .into_iter()
        .map(|story| {
            let named = named.get(&story.url);
            story.found(outline, named)
        })
        .collect()
}

/// Which candidates are links to articles.
fn accept(candidates: &[Candidate]) -> Vec<bool> {
    let groups = Groups::of(candidates);
    let surely = |candidate: &Candidate, bonus: f32| {
        let score = groups.score(candidate) + bonus;
        let enough = if groups.large(candidate).is_some() { GROUP_SCORE } else { SINGLE_SCORE };
        // A good template vouches for a short headline, but not for an advert made to look like the rest.
        let least = if score >= SURE_SCORE && !candidate.alien { -3.0 } else { 0.0 };
        score >= enough && candidate.score + bonus >= least && !groups.is_refrain(candidate)
    };
    // What the sure ones' addresses look like says more than any rule about addresses.
    let mut shapes: HashMap<u64, usize> = HashMap::new();
    for candidate in candidates.iter().filter(|candidate| surely(candidate, 0.0)) {
        *shapes.entry(candidate.shape).or_default() += 1;
    }
    let most = shapes.values().copied().max().unwrap_or(0);
    candidates
        .iter()
        .map(|candidate| {
            let alike = shapes.get(&candidate.shape).copied().unwrap_or(0);
            let bonus = if alike >= GROUP && alike * 5 >= most && !candidate.furniture {
                1.0
            } else if most >= 5 && alike < 2 {
                -1.0
            } else {
                0.0
            };
            surely(candidate, bonus)
        })
        .collect()
}
