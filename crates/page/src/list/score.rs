//! How much one link looks like an article, seen by itself.

use super::address::{self, Address};
use super::headline::{self, Headline};
use crate::outline::{At, Link, Outline, Zones};
use crate::{dates, urls};
use std::collections::HashSet;
use url::Url;

/// A link that may lead to an article.
pub(super) struct Candidate {
    /// The element of the link.
    pub(super) at: At,
    pub(super) url: Url,
    pub(super) headline: Headline,
    pub(super) score: f32,
    /// How much its address looks like an article's.
    pub(super) address: f32,
    /// Shape of its address.
    pub(super) shape: u64,
    /// Links made by the same template have the same.
    pub(super) template: u64,
    /// It stands in a menu, an advert or the like.
    pub(super) furniture: bool,
    /// It is paid for, disowned, or leads elsewhere without reason.
    pub(super) alien: bool,
}

impl Candidate {
    /// Takes another headline, and what it is worth.
    pub(super) fn rename(&mut self, headline: Headline) {
        self.score += of_text(&headline) - of_text(&self.headline);
        self.headline = headline;
    }
}

/// All links that lead somewhere else, scored.
pub(super) fn candidates(outline: &Outline, page: &Url, base: &Url, named: &HashSet<Url>) -> Vec<Candidate> {
    let here = urls::normalise(page);
    let mut candidates: Vec<Candidate> =
        outline.links.iter().filter_map(|link| candidate(outline, link, &here, base)).collect();
    let judge = OffSite::of(&candidates, &here);
    for candidate in &mut candidates {
        let off_site = judge.score(&candidate.url);
        candidate.score += off_site;
        candidate.alien |= off_site < 0.0;
        if named.contains(&candidate.url) {
            candidate.score += 3.0;
        }
    }
    candidates
}

fn candidate(outline: &Outline, link: &Link, here: &Url, base: &Url) -> Option<Candidate> {
    let url = resolve(&link.href, base)?;
    if url == *here {
        return None;
    }
    let headline = headline::of_link(outline, link);
    let Address { score: address, shape } = address::look(&url);
    let zones = outline.elements[link.at].zones;
    let mut score = address + of_text(&headline) + of_zones(zones) + of_place(outline, link.at, &headline);
    if link.disowned {
        score -= 3.0;
    }
    // The same page turned: `?page=2`, `?sort=new`.
    if url.path() == here.path() && url.host() == here.host() && address < 1.0 {
        score -= 3.0;
    }
    // A section's articles often lie below it.
    let below = url
        .path()
        .strip_prefix(here.path().trim_end_matches('/'))
        .is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'));
    if below && here.path() != "/" && url.host() == here.host() {
        score += 1.2;
    }
    let template = template(outline, link.at);
    Some(Candidate {
        at: link.at,
        url,
        headline,
        score,
        address,
        shape,
        template,
        furniture: zones.has(Zones::FURNITURE),
        alien: link.disowned,
    })
}

/// A link's address, normalised, if it is one on the Web.
pub(crate) fn resolve(href: &str, base: &Url) -> Option<Url> {
    if href.starts_with('#') || href.len() > 2048 {
        return None;
    }
    let url = base.join(href).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then(|| urls::normalise(&url))
}

fn of_text(headline: &Headline) -> f32 {
    if headline.halves == 0 {
        return -1.0;
    }
    let digits = headline.text.chars().filter(char::is_ascii_digit).count();
    if digits * 2 > headline.text.chars().count() || dates::is_only_time(&headline.text) {
        return -4.0;
    }
    // "12 comments", "3 hours ago", in any language.
    if headline.halves <= 6 && headline.text.starts_with(|c: char| c.is_ascii_digit()) && !headline.heading {
        return -3.0;
    }
    let length = match headline.halves {
        0..=2 => -2.5,
        3..=4 => -1.0,
        5..=6 => 0.3,
        7..=9 => 1.2,
        10..=50 => 2.0,
        51..=80 => 1.0,
        _ => 0.0,
    };
    let heading = if headline.heading { 2.0 } else { 0.0 };
    let result =
        if !headline.heading && headline.halves <= 16 && has_result(&headline.text) { 2.0 } else { 0.0 };
    length + heading - result - if headline.borrowed { 1.0 } else { 0.0 }
}

/// `Harbour City 2-1 Northgate`, `Copper 4,812 +0.3%`: results and quotes are listed like articles, but nobody
/// wrote anything.
fn has_result(text: &str) -> bool {
    text.split_whitespace().any(|word| is_score(word) || is_change(word))
}

fn is_score(word: &str) -> bool {
    let is_goals = |part: &str| matches!(part.len(), 1..=3) && part.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once(['-', '–', ':']).is_some_and(|(home, away)| is_goals(home) && is_goals(away))
}

/// How much a price has risen or fallen.
fn is_change(word: &str) -> bool {
    let amount = word.strip_prefix(['+', '-', '−']).unwrap_or_default();
    amount.starts_with(|c: char| c.is_ascii_digit())
        && amount.ends_with(|c: char| c == '%' || c.is_ascii_digit())
}

fn of_zones(zones: Zones) -> f32 {
    let weights = [
        (Zones::NAV, -5.0),
        (Zones::EDGE, -4.0),
        (Zones::AD, -5.0),
        (Zones::BOX, -3.5),
        (Zones::META, -3.0),
        (Zones::ASIDE, -5.0),
        (Zones::NOISE, -1.5),
        (Zones::ARTICLE, 0.8),
        (Zones::MAIN, 0.3),
    ];
    weights.iter().filter(|(zone, _)| zones.has(*zone)).map(|(_, weight)| weight).sum()
}

/// What stands around the link: a time speaks for it, running text against it.
fn of_place(outline: &Outline, at: At, headline: &Headline) -> f32 {
    let mut score = if !headline.heading && is_in_running_text(outline, at) { -7.0 } else { 0.0 };
    let mut card = at;
    for around in outline.ancestors(at).take(4) {
        if Outline::within(&outline.links, &outline.inside(around), |link| link.at).len() > LINKS_IN_CARD {
            break;
        }
        card = around;
    }
    if !Outline::within(&outline.times, &outline.inside(card), |time| time.at).is_empty()
        || has_date(outline, card)
    {
        score += 1.2;
    }
    score
}

/// A date on a line of its own, in a card and not in a long text.
fn has_date(outline: &Outline, card: At) -> bool {
    let text = outline.text_of(card);
    let lines = text.lines().filter(|line| line.len() <= 40 && line.contains(|c: char| c.is_ascii_digit()));
    text.len() <= 800 && lines.take(8).any(|line| dates::find(line).is_some())
}

/// In the middle of a paragraph that says more than its links do. A link at its beginning may be a headline.
fn is_in_running_text(outline: &Outline, at: At) -> bool {
    let link = &outline.elements[at];
    let Some(block) = outline
        .ancestors(at)
        .find(|at| matches!(outline.tag(*at), "p" | "blockquote"))
        .filter(|_| link.zones.has(Zones::PROSE))
    else {
        return false;
    };
    let links = Outline::within(&outline.links, &outline.inside(block), |link| link.at);
    let linked: usize = outline.links[links].iter().map(|link| outline.elements[link.at].text.len()).sum();
    let block = &outline.elements[block].text;
    let before = outline.text[block.start..link.text.start].chars().take(10).count();
    before >= 10 && block.len().saturating_sub(linked) > link.text.len()
}

/// A card rarely has more: picture, section, headline, author, comments, "more".
const LINKS_IN_CARD: usize = 6;

/// Enough ancestors to tell templates apart, few enough that sections of one page share them.
const TEMPLATE_LEVELS: usize = 4;

fn template(outline: &Outline, at: At) -> u64 {
    let zones = outline.elements[at].zones;
    let hash =
        crate::hash::Hash::new().with_number(outline.elements[at].kind).with_number(u64::from(zones.bits()));
    outline
        .ancestors(at)
        .take(TEMPLATE_LEVELS)
        .fold(hash, |hash, at| hash.with_number(outline.elements[at].kind).with_number(column(outline, at)))
        .finish()
}

/// A cell's place in its row: the columns of a table are different things, whatever their classes.
fn column(outline: &Outline, at: At) -> u64 {
    if outline.tag(at) != "td" {
        return 0;
    }
    let row = outline.elements[at].parent;
    let cells = std::iter::successors(Some(row + 1), |cell| outline.elements.get(*cell).map(|cell| cell.end));
    cells.take_while(|cell| *cell < at).take(COLUMNS).count() as u64
}

/// Wider tables need not be told apart further.
const COLUMNS: usize = 64;

/// Whether links elsewhere are this page's business: an aggregator links to many sites, a newspaper to few.
struct OffSite {
    site: String,
    aggregator: bool,
}

impl OffSite {
    fn of(candidates: &[Candidate], here: &Url) -> Self {
        let site = urls::site_of(here).to_owned();
        let promising = candidates.iter().filter(|candidate| candidate.score > 0.5 && !candidate.furniture);
        let (away, home): (Vec<&Candidate>, Vec<&Candidate>) =
            promising.partition(|candidate| urls::site_of(&candidate.url) != site);
        let sites: HashSet<&str> = away.iter().map(|candidate| urls::site_of(&candidate.url)).collect();
        Self { site, aggregator: sites.len() >= 5 && away.len() > home.len() }
    }

    fn score(&self, url: &Url) -> f32 {
        let away = urls::site_of(url) != self.site;
        match (away, self.aggregator) {
            (true, false) => -3.0,
            (true, true) => 1.0,
            (false, _) => 0.0,
        }
    }
}
