//! Articles where the user's CSS selector says they are.

use super::cards::{Card, card_of};
use super::headline::{self, Headline};
use super::score::resolve;
use crate::feed::SUMMARY_BYTES;
use crate::outline::{At, Link, Outline};
use crate::text::cut;
use crate::urls;
use dom_query::{Document, Matcher, NodeId};
use model::Found;
use std::collections::{HashMap, HashSet};
use thiserror::Error;
use url::Url;

/// Why a CSS selector cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectorError {
    /// Nothing was typed.
    #[error("the selector is empty: leave it out, or write one such as `.headline a`")]
    Empty,
    /// Too long to match quickly.
    #[error("the selector has {0} characters: shorten it to at most 500")]
    TooLong(usize),
    /// Relative matching costs the square of the page.
    #[error(
        "`:has()` is too slow on large pages: select the links or their boxes directly, such as `.story a`"
    )]
    TooCostly,
    /// Not CSS.
    #[error("`{0}` is not a CSS selector: write one such as `.headline a` or `article`")]
    Invalid(String),
}

/// Longer selectors are programs.
const LONGEST: usize = 500;

/// Checks a selector before it is stored.
pub fn check_selector(css: &str) -> Result<(), SelectorError> {
    matcher(css).map(drop)
}

/// A selector, ready to match.
pub(crate) fn matcher(css: &str) -> Result<Matcher, SelectorError> {
    let css = css.trim();
    if css.is_empty() {
        return Err(SelectorError::Empty);
    }
    let length = css.chars().count();
    if length > LONGEST {
        return Err(SelectorError::TooLong(length));
    }
    if css.to_ascii_lowercase().contains(":has(") {
        return Err(SelectorError::TooCostly);
    }
    Matcher::new(css).map_err(|_| SelectorError::Invalid(css.to_owned()))
}

/// The selected articles: the selector matches their links, or boxes whose main link is taken.
pub(super) fn articles(
    document: &Document,
    outline: &Outline,
    page: &Url,
    base: &Url,
    css: &str,
) -> Result<Vec<Found>, SelectorError> {
    let matcher = matcher(css)?;
    let here = urls::normalise(page);
    let places: HashMap<NodeId, At> =
        outline.elements.iter().enumerate().filter_map(|(at, element)| Some((element.node?, at))).collect();
    let boxes: Vec<At> = document
        .select_matcher(&matcher)
        .nodes()
        .iter()
        .filter_map(|node| places.get(&node.id).copied())
        .collect();
    let chosen: Vec<(Url, Headline, At, bool)> = boxes
        .into_iter()
        .filter_map(|at| {
            let (link, headline) = main_link(outline, at)?;
            let url = resolve(&link.href, base).filter(|url| *url != here)?;
            Some((url, headline, at, link.at == at))
        })
        .collect();
    let mut seen = HashSet::new();
    let articles = chosen.iter().enumerate().filter(|(_, (url, ..))| seen.insert(url.clone()));
    Ok(articles
        .map(|(index, (url, headline, at, is_link))| {
            let neighbour =
                |index: Option<usize>| index.and_then(|index| chosen.get(index)).map(|(_, _, at, _)| *at);
            let card = if *is_link {
                card_of(outline, *at, neighbour(index.checked_sub(1)), neighbour(Some(index + 1)))
            } else {
                Card { range: outline.inside(*at) }
            };
            Found {
                url: url.clone(),
                published_at: card.published_at(outline),
                summary: card
                    .summary(outline, &headline.text)
                    .map(|text| cut(&text, SUMMARY_BYTES).to_owned()),
                title: headline.text.clone(),
            }
        })
        .collect())
}

/// The link a box is about: itself, the link around it, or of those inside the one with the best headline.
fn main_link(outline: &Outline, at: At) -> Option<(&Link, Headline)> {
    let inside = Outline::within(&outline.links, &outline.inside(at), |link| link.at);
    let best = outline.links[inside].iter().map(|link| (link, headline::of_link(outline, link))).max_by_key(
        |(link, headline)| (link.at == at, headline.heading, !headline.borrowed, headline.halves),
    );
    let around =
        || outline.ancestors(at).find_map(|around| outline.links.iter().find(|link| link.at == around));
    let (link, headline) = best.or_else(|| around().map(|link| (link, headline::of_link(outline, link))))?;
    let own = || headline::of_heading(outline, &outline.inside(at));
    let headline =
        if headline.halves < 4 || headline.borrowed { own().unwrap_or(headline) } else { headline };
    (!headline.text.is_empty()).then_some((link, headline))
}
