//! The card around a headline: where its time and its teaser stand.

use crate::dates;
use crate::outline::{At, Outline, Zones};
use crate::text::{half_words, one_line};
use jiff::Timestamp;
use std::ops::Range;

/// The elements that belong to one article on a list.
pub(super) struct Card {
    pub(super) range: Range<At>,
}

/// A card this far up from its link is the page.
const LEVELS: usize = 7;

/// The card around a link: as far as no other article's link is inside. In lists without boxes (rows of a
/// table, headings followed by text) it goes on to the next article.
pub(super) fn card_of(outline: &Outline, link: At, before: Option<At>, after: Option<At>) -> Card {
    let mut card = link;
    for around in outline.ancestors(link).take(LEVELS) {
        if is_container(outline.tag(around)) {
            break;
        }
        let range = outline.inside(around);
        if [before, after].into_iter().flatten().any(|other| range.contains(&other)) {
            break;
        }
        card = around;
        if matches!(outline.tag(around), "article" | "li" | "tr") {
            break;
        }
    }
    let mut range = outline.inside(card);
    if let Some(parent) = outline.ancestors(card).next() {
        // The neighbours' places among the card's siblings.
        let branch = |other: At| {
            outline.ancestors(other).take_while(|around| *around != parent).last().unwrap_or(other)
        };
        let sibling =
            |other: Option<At>| other.filter(|other| outline.inside(parent).contains(other)).map(branch);
        match outline.tag(card) {
            "article" | "li" | "a" => {}
            // The term a definition belongs to stands before it.
            "dd" => {
                let free = sibling(before).map_or(parent + 1, |before| outline.inside(before).end);
                range.start = free.min(range.start);
            }
            _ => range.end = range.end.max(sibling(after).unwrap_or(range.end)),
        }
    }
    Card { range }
}

fn is_container(tag: &str) -> bool {
    matches!(
        tag,
        "html" | "body" | "main" | "section" | "ul" | "ol" | "dl" | "table" | "tbody" | "nav" | "aside"
    )
}

impl Card {
    /// When the article was published: a machine-readable time, else a date in the text beside the headline.
    pub(super) fn published_at(&self, outline: &Outline) -> Option<Timestamp> {
        let times = Outline::within(&outline.times, &self.range, |time| time.at);
        outline.times[times]
            .iter()
            .find_map(|time| dates::parse(&time.value))
            .or_else(|| self.written_date(outline))
    }

    fn written_date(&self, outline: &Outline) -> Option<Timestamp> {
        self.range.clone().find_map(|at| {
            let text = outline.text_of(at);
            // Longer text is prose, whose dates are about something else.
            (text.len() < 80).then(|| dates::find(text)).flatten()
        })
    }

    /// The longest paragraph beside the headline.
    pub(super) fn summary(&self, outline: &Outline, title: &str) -> Option<String> {
        let teasers = self.range.clone().filter(|at| {
            let element = &outline.elements[*at];
            let teaser = element.zones.has(Zones::PROSE)
                || (element.zones.has(Zones::NOISE) && &*element.tag == "div");
            teaser && !element.zones.has(Zones::HEADING)
        });
        let longest = teasers.max_by_key(|at| outline.elements[*at].text.len())?;
        let text = one_line(outline.text_of(longest));
        (half_words(&text) >= 12 && text != title).then_some(text)
    }
}
