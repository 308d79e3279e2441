//! HTML pages that list articles: which links are articles, and what each is called.
//!
//! Every link is scored by what it says, where it leads and where it stands; links made by the same template
//! are judged together; what the surest articles' addresses look like then helps to judge the rest.

mod address;
mod cards;
mod choose;
mod groups;
mod headline;
mod score;
mod selected;
mod stories;

pub(crate) use score::resolve;
pub(crate) use selected::matcher;
pub use selected::{SelectorError, check_selector};

use crate::challenge;
use crate::hash::Hash;
use crate::listing::{FeedLink, Listing};
use crate::outline::{Element, Outline, Zones, outline};
use crate::watches::{Aim, Looking, Sight};
use crate::{Caps, html, urls};
use model::SourceKind;
use url::Url;

/// Reads an HTML page as a listing, and what watches see of it.
pub(crate) fn page_listing(
    text: &str,
    url: &Url,
    selector: Option<&str>,
    aims: &[Aim],
    caps: &Caps,
) -> (Listing, Vec<Sight>) {
    let html = html::parse(text, caps);
    let outline = outline(&html.document);
    let base = base_of(&outline, url);
    let mut listing = Listing {
        title: outline.head.title.clone(),
        feeds: feeds(&outline, &base),
        text_hash: text_hash(&outline),
        challenge: challenge::is_challenge_page(text, &outline),
        notes: html.stopped.map(str::to_owned).into_iter().collect(),
        ..Listing::default()
    };
    if listing.challenge {
        listing.notes.push("a captcha or browser check was served instead of the page".to_owned());
        return (listing, Vec::new());
    }
    let sights =
        if aims.is_empty() { Vec::new() } else { Looking::at(&html.document, &outline, &base).sights(aims) };
    listing.articles = match selector {
        Some(selector) => match selected::articles(&html.document, &outline, url, &base, selector) {
            Ok(articles) => articles,
            Err(error) => {
                listing.notes.push(format!("the selector was not used: {error}"));
                choose::articles(&outline, url, &base)
            }
        },
        None => choose::articles(&outline, url, &base),
    };
    if listing.articles.len() > caps.items {
        listing.articles.truncate(caps.items);
        listing.notes.push(format!("only the first {} articles are read", caps.items));
    }
    if !listing.articles.is_empty() {
        listing.kind = SourceKind::ArticleList;
    } else if selector.is_some() {
        listing.notes.push("the selector matches no article".to_owned());
    }
    (listing, sights)
}

/// What relative links are relative to.
pub(crate) fn base_of(outline: &Outline, url: &Url) -> Url {
    outline.head.base.as_deref().and_then(|base| url.join(base).ok()).unwrap_or_else(|| url.clone())
}

/// Feeds a page may offer; blogs offer one for every comment thread.
const FEEDS: usize = 20;

pub(crate) fn feeds(outline: &Outline, base: &Url) -> Vec<FeedLink> {
    let mut feeds: Vec<FeedLink> = Vec::new();
    for (href, title) in &outline.head.feeds {
        let Ok(url) = base.join(href) else { continue };
        let url = urls::normalise(&url);
        if matches!(url.scheme(), "http" | "https")
            && feeds.len() < FEEDS
            && feeds.iter().all(|feed| feed.url != url)
        {
            feeds.push(FeedLink { url, title: title.clone() });
        }
    }
    feeds
}

/// Hash of the main text.
fn text_hash(outline: &Outline) -> i64 {
    let words = main_text(outline).into_iter().flat_map(str::split_whitespace);
    let hash = words.fold(Hash::new(), |hash, word| hash.with(word.as_bytes()).with(b" "));
    hash.finish() as i64
}

/// The main text, in stretches: what a reader came for, without menus, edges and the time of day.
pub(crate) fn main_text(outline: &Outline) -> Vec<&str> {
    let left_out = |element: &Element| element.zones.has(Zones::FURNITURE) || &*element.tag == "time";
    let root = outline.elements.iter().position(|element| element.zones.has(Zones::MAIN)).unwrap_or(0);
    let Some(main) = outline.elements.get(root) else {
        return Vec::new();
    };
    let mut stretches = Vec::new();
    let (mut at, mut from) = (root, main.text.start);
    while let Some(element) = outline.elements.get(at).filter(|_| at < main.end) {
        if left_out(element) {
            stretches.push(&outline.text[from..element.text.start]);
            (at, from) = (element.end, element.text.end);
        } else {
            at += 1;
        }
    }
    stretches.push(&outline.text[from..main.text.end]);
    if stretches.iter().all(|text| text.trim().is_empty()) {
        // All furniture: better a restless watch than a blind one.
        return vec![&outline.text];
    }
    stretches
}
