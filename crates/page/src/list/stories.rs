//! Articles as a page shows them: links that lead to the same place, put together.

use super::cards::{Card, card_of};
use super::headline::{self, Headline};
use super::score::Candidate;
use crate::feed::SUMMARY_BYTES;
use crate::jsonld::Named;
use crate::outline::{Outline, Zones};
use crate::text::{cut, half_words};
use model::Found;
use std::collections::{HashMap, HashSet};
use url::Url;

/// An article as the page shows it: its card, and the best of the names its links give it.
pub(super) struct Story {
    pub(super) url: Url,
    headline: Headline,
    card: Card,
    address: f32,
}

impl Story {
    /// Whether anything but its place says that it is an article; a shop's departments look like cards too.
    pub(super) fn is_telling(&self, outline: &Outline) -> bool {
        self.headline.halves >= 8
            || self.address >= 1.5
            || self.card.published_at(outline).is_some()
            || self.card.summary(outline, &self.headline.text).is_some()
    }

    /// The article as a listing names it.
    pub(super) fn found(self, outline: &Outline, named: Option<&Named>) -> Found {
        let summary = self.card.summary(outline, &self.headline.text);
        let published_at = self.card.published_at(outline);
        Found {
            published_at: published_at.or_else(|| named.and_then(|named| named.published_at)),
            summary: summary.map(|text| cut(&text, SUMMARY_BYTES).to_owned()),
            title: self.headline.text,
            url: self.url,
        }
    }
}

/// Puts together what leads to the same place: picture, headline, "read more".
pub(super) fn stories(outline: &Outline, candidates: &[Candidate], accepted: &[bool]) -> Vec<Story> {
    let chosen: HashSet<&Url> = candidates
        .iter()
        .zip(accepted)
        .filter(|(_, accepted)| **accepted)
        .map(|(candidate, _)| &candidate.url)
        .collect();
    let links: Vec<&Candidate> =
        candidates.iter().filter(|candidate| chosen.contains(&candidate.url)).collect();
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
            let best =
                *same.iter().max_by(|a, b| worth(links[**a]).total_cmp(&worth(links[**b])).then(b.cmp(a)))?;
            let before = links[..best].iter().rev().find(|link| link.url != *url).map(|link| link.at);
            let after = links[best..].iter().find(|link| link.url != *url).map(|link| link.at);
            let card = card_of(outline, links[best].at, before, after);
            let headline = Some(links[best].headline.clone())
                .filter(|headline| headline.halves >= 4 && !headline.borrowed);
            let headline = headline
                .or_else(|| headline::of_heading(outline, &card.range))
                .unwrap_or_else(|| links[best].headline.clone());
            (headline.halves > 0).then(|| Story {
                url: url.clone(),
                headline,
                card,
                address: links[best].address,
            })
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
    let against = if headline.borrowed { 1.5 } else { 0.0 }
        + if counted { 2.0 } else { 0.0 }
        + if link.furniture { 2.0 } else { 0.0 };
    length + heading - against
}

/// A page that is one text with a few links to others is not a list.
pub(super) fn is_one_text(outline: &Outline, stories: &[Story]) -> bool {
    // How many cards begin minus how many end at each element: their running sum says whether one is open.
    let mut edges = vec![0_i32; outline.elements.len() + 1];
    for story in stories {
        edges[story.card.range.start] += 1;
        edges[story.card.range.end] -= 1;
    }
    let (mut open, mut outside, mut carded) = (0, 0, 0);
    for (at, element) in outline.elements.iter().enumerate() {
        open += edges[at];
        if &*element.tag == "p"
            && !element.zones.has(Zones::FURNITURE | Zones::ASIDE)
            && half_words(outline.text_of(at)) >= 24
        {
            *(if open > 0 { &mut carded } else { &mut outside }) += element.text.len();
        }
    }
    let listed: usize = stories.iter().map(|story| story.headline.text.len()).sum::<usize>() + carded;
    outside > 900 && outside > listed * 2
}
