//! Which candidates are articles, judged together.

use super::cards::{Card, card_of};
use super::headline::{self, Headline};
use super::score::{Candidate, candidates, resolve};
use crate::feed::SUMMARY_BYTES;
use crate::jsonld::{self, Named};
use crate::outline::{At, Outline, Zones};
use crate::text::{cut, half_words};
use model::Found;
use std::collections::{HashMap, HashSet};
use url::Url;

/// A template's links are articles from this score on.
const GROUP_SCORE: f32 = 2.6;

/// From here on a template is trusted.
const SURE_SCORE: f32 = 3.0;

/// A link alone in its template must be surer.
const SINGLE_SCORE: f32 = 3.4;

/// Fewer links of one template say nothing about it.
const GROUP: usize = 3;

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
    let accepted = accept(&candidates);
    let stories = stories(outline, &candidates, &accepted);
    if stories.len() < FEWEST || is_one_text(outline, &stories) {
        return Vec::new();
    }
    stories.into_iter().map(|story| found(outline, story, &named)).collect()
}

/// "Read more" and pictures name no article; the heading of their card does, if it is nobody else's link.
fn name_from_cards(outline: &Outline, candidates: &mut [Candidate]) {
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
            let neighbour = |place: Option<usize>| place.and_then(|place| members.get(place)).map(|index| candidates[*index].at);
            let card = card_of(outline, candidates[index].at, neighbour(place.checked_sub(1)), neighbour(Some(place + 1)));
            if let Some(headline) = headline::of_heading(outline, &card.range) {
                candidates[index].rename(headline);
            }
        }
    }
}

/// Which candidates are links to articles.
fn accept(candidates: &[Candidate]) -> Vec<bool> {
    let groups = Groups::of(candidates);
    let surely = |candidate: &Candidate, bonus: f32| {
        let score = groups.score(candidate) + bonus;
        let enough = if groups.size(candidate) >= GROUP { GROUP_SCORE } else { SINGLE_SCORE };
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
            let bonus = if alike >= GROUP && alike * 5 >= most && !candidate.furniture { 1.0 } else if most >= 8 && alike < 2 { -0.8 } else { 0.0 };
            surely(candidate, bonus)
        })
        .collect()
}

/// Candidates by template.
struct Groups<'c> {
    members: HashMap<u64, Vec<&'c Candidate>>,
    refrains: HashSet<u64>,
}

impl<'c> Groups<'c> {
    fn of(candidates: &'c [Candidate]) -> Self {
        let mut members: HashMap<u64, Vec<&Candidate>> = HashMap::new();
        for candidate in candidates {
            members.entry(candidate.template).or_default().push(candidate);
        }
        let refrains = members.iter().filter(|(_, members)| repeats_itself(members)).map(|(template, _)| *template).collect();
        Self { members, refrains }
    }

    fn size(&self, candidate: &Candidate) -> usize {
        self.members.get(&candidate.template).map_or(0, Vec::len)
    }

    /// "Read more" again and again: it may lead to articles, but never names one.
    fn is_refrain(&self, candidate: &Candidate) -> bool {
        candidate.headline.halves <= 6 && self.refrains.contains(&candidate.template)
    }

    /// A third its own, the rest its template's, and more for a template used often.
    fn score(&self, candidate: &Candidate) -> f32 {
        let Some(members) = self.members.get(&candidate.template).filter(|members| members.len() >= GROUP) else {
            return candidate.score;
        };
        let mean = members.iter().map(|member| member.score).sum::<f32>() / members.len() as f32;
        let often = (members.len() as f32).ln().min(3.0) * 0.4;
        (candidate.score + 2.0 * mean) / 3.0 + often
    }
}

fn repeats_itself(members: &[&Candidate]) -> bool {
    let texts: HashSet<&str> = members.iter().map(|member| member.headline.text.as_str()).collect();
    let urls: HashSet<&Url> = members.iter().map(|member| &member.url).collect();
    urls.len() >= GROUP && texts.len() * 3 <= urls.len()
}

/// An article as the page shows it: its card, and the best of the names its links give it.
pub(super) struct Story {
    url: Url,
    headline: Headline,
    card: Card,
}

/// Puts together what leads to the same place: picture, headline, "read more".
fn stories(outline: &Outline, candidates: &[Candidate], accepted: &[bool]) -> Vec<Story> {
    let chosen: HashSet<&Url> = candidates.iter().zip(accepted).filter(|(_, accepted)| **accepted).map(|(candidate, _)| &candidate.url).collect();
    let links: Vec<&Candidate> = candidates.iter().filter(|candidate| chosen.contains(&candidate.url)).collect();
    let mut order: Vec<&Url> = Vec::new();
    let mut by_url: HashMap<&Url, Vec<usize>> = HashMap::new();
    for (at, link) in links.iter().enumerate() {
        let same = by_url.entry(&link.url).or_default();
        if same.is_empty() {
            order.push(&link.url);
        }
        same.push(at);
    }
    order
        .into_iter()
        .filter_map(|url| {
            let same = &by_url[url];
            let best = *same.iter().max_by(|a, b| worth(links[**a]).total_cmp(&worth(links[**b])).then(b.cmp(a)))?;
            let before = links[..best].iter().rev().find(|link| link.url != *url).map(|link| link.at);
            let after = links[best..].iter().find(|link| link.url != *url).map(|link| link.at);
            let card = card_of(outline, links[best].at, before, after);
            let headline = Some(links[best].headline.clone()).filter(|headline| headline.halves >= 4 && !headline.borrowed);
            let headline = headline.or_else(|| headline::of_heading(outline, &card.range)).unwrap_or_else(|| links[best].headline.clone());
            (headline.halves > 0).then(|| Story { url: url.clone(), headline, card })
        })
        .collect()
}

/// How good a name for the article a link gives.
fn worth(link: &Candidate) -> f32 {
    let headline = &link.headline;
    let length = match headline.halves {
        0 => -5.0,
        1..=50 => headline.halves as f32 / 10.0,
        _ => 2.0,
    };
    let counted = headline.text.starts_with(|c: char| c.is_ascii_digit()) && headline.halves <= 6;
    let heading = if headline.heading { 4.0 } else { 0.0 };
    let against = if headline.borrowed { 1.5 } else { 0.0 } + if counted { 2.0 } else { 0.0 } + if link.furniture { 2.0 } else { 0.0 };
    length + heading - against
}

/// A page that is one text with a few links to others is not a list.
fn is_one_text(outline: &Outline, stories: &[Story]) -> bool {
    let in_card = |at: At| stories.iter().any(|story| story.card.range.contains(&at));
    let mut outside = 0;
    let mut carded = 0;
    for (at, element) in outline.elements.iter().enumerate() {
        if &*element.tag == "p" && !element.zones.has(Zones::FURNITURE | Zones::ASIDE) && half_words(outline.text_of(at)) >= 24 {
            *(if in_card(at) { &mut carded } else { &mut outside }) += element.text.len();
        }
    }
    let listed: usize = stories.iter().map(|story| story.headline.text.len()).sum::<usize>() + carded;
    outside > 900 && outside > listed * 2
}

fn found(outline: &Outline, story: Story, named: &HashMap<Url, Named>) -> Found {
    let named = named.get(&story.url);
    let summary = story.card.summary(outline, &story.headline.text).map(|text| cut(&text, SUMMARY_BYTES).to_owned());
    let published_at = story.card.published_at(outline).or_else(|| named.and_then(|named| named.published_at));
    Found { title: story.headline.text, published_at, summary, url: story.url }
}
