//! Traps: sites that make URLs without end, on purpose or by carelessness.

use super::words::Word;
use crate::hash::hash_text;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use url::Url;

/// Why a link is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// Too many links away from a seed.
    Depth,
    /// Its host is forbidden, or not among those allowed.
    Host,
    /// Neither http nor https, or without a host.
    Scheme,
    /// As many URLs are known as may be.
    Full,
    /// Longer than any address a person would make.
    Length,
    /// The same step again and again in its path.
    Repetition,
    /// One more combination of parameters that have brought nothing new.
    Parameters,
    /// One more day of a calendar without end.
    Calendar,
    /// One more page of a part of the site that has brought enough of nothing.
    Part,
    /// Its part of the site shows the same text again and again.
    Duplicates,
    /// Whatever was asked for in its part of the site is not there.
    Gone,
}

/// Addresses longer than this are made by machines for machines.
const LENGTH: usize = 1_024;
/// How often one step may stand in a path.
const REPEATS: usize = 3;
/// URLs of one part that are entered before it has brought a page on the topic.
const PATIENCE: u32 = 20;
/// URLs entered for each page on the topic that the part has brought.
const REWARD: u32 = 40;
/// From so many pages on, the share of duplicates is looked at.
const ENOUGH: u32 = 8;
/// A part in which more of the pages than this say what others said is left alone.
const DUPLICATE_SHARE: f32 = 0.6;
/// In how many bits fingerprints of the same text may differ.
const SAME: u32 = 3;
/// Fingerprints kept; the table is then begun anew.
const PRINTS: usize = 200_000;
/// A parameter that showed nothing new so many times, in more than `DUPLICATE_SHARE` of its pages, does nothing.
const TRIES: u32 = 4;
/// Groups that the names of parameters are put into, by their hashes: one bit each.
const GROUPS: u32 = 8;
/// Parts that are watched. Beyond, new parts share one entry.
const PARTS: usize = 65_536;

/// Watches the parts of sites: one host, the first steps of the path, the names of the parameters.
#[derive(Debug, Default)]
pub(crate) struct Traps {
    parts: HashMap<u32, Part>,
    prints: Prints,
    news: News,
    /// By group of parameter names: pages, and how many of them said what others had said.
    parameters: [(u32, u32); GROUPS as usize],
}

/// The words that pages with parameters or dates have said, by their address without these: whoever combines filters sees
/// the same words again and again, however the page is arranged.
#[derive(Debug, Default)]
struct News(HashSet<u64>);

impl News {
    /// Does a page say something that its like have not? From now on they have.
    fn hears(&mut self, family: u32, words: &[(Word, f32)]) -> bool {
        if self.0.len() >= NEWS {
            return true;
        }
        let key = |word: Word| u64::from(family) << 32 ^ u64::from(word);
        words.iter().filter(|(word, _)| self.0.insert(key(*word))).count() >= NEW_WORDS
    }
}

/// Words that are remembered; beyond, all is new.
const NEWS: usize = 400_000;
/// A page with fewer words that its like have not said says nothing new: a date or the name of a filter is none.
const NEW_WORDS: usize = 3;
/// Combinations of parameters of one address that are entered before they have brought anything.
const FAMILY_PATIENCE: u32 = 60;
/// From so many failures on, and hardly a page, the like of an address are not asked for.
const FAILURES: u32 = 10;

/// Texts seen before, found by any of four quarters of their fingerprints: two that differ in at most three bits agree in
/// at least one quarter.
#[derive(Debug, Default)]
struct Prints {
    by_quarter: HashMap<(u8, u16), Vec<u32>>,
    all: Vec<u64>,
}

impl Prints {
    /// Was such a text seen before? From now on it was.
    fn saw(&mut self, print: u64) -> bool {
        let quarters = (0..4_u8).map(|quarter| (quarter, (print >> (16 * u32::from(quarter))) as u16));
        let near = |number: &u32| {
            self.all
                .get(*number as usize)
                .is_some_and(|other| page::fingerprint::distance(print, *other) <= SAME)
        };
        let found = quarters.clone().any(|key| {
            self.by_quarter.get(&key).is_some_and(|numbers| numbers.iter().rev().take(64).any(near))
        });
        if !found {
            if self.all.len() >= PRINTS {
                *self = Self::default();
            }
            let number = self.all.len() as u32;
            self.all.push(print);
            for key in quarters {
                self.by_quarter.entry(key).or_default().push(number);
            }
        }
        found
    }
}

#[derive(Debug, Default)]
struct Part {
    /// URLs that were entered.
    entered: u32,
    fetched: u32,
    relevant: u32,
    duplicates: u32,
    /// URLs that are not there.
    gone: u32,
}

/// What kind of part a URL belongs to decides how soon patience ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A path: any number of pages may stand there.
    Plain,
    /// With one parameter: `?id=7` is a page's number on many a site, and not made without end.
    Single,
    /// With several parameters: combinations are cheap to make.
    Parameters,
    /// A day, a month, a year in the address.
    Calendar,
}

impl Traps {
    /// May this URL be entered? The number is its part's.
    pub(crate) fn admit(&mut self, url: &Url) -> Result<u32, DropReason> {
        if url.as_str().len() > LENGTH {
            return Err(DropReason::Length);
        }
        if repeats(url.path()) {
            return Err(DropReason::Repetition);
        }
        if self.does_nothing(parameters(url)) {
            return Err(DropReason::Parameters);
        }
        let (number, shape) = part_of(url);
        if self.parts.len() >= PARTS && !self.parts.contains_key(&number) {
            return Ok(0);
        }
        let family = (shape == Shape::Parameters).then(|| family(url));
        if let Some(family) = family
            && let Some(whole) = self.parts.get(&family)
            && whole.entered >= FAMILY_PATIENCE.saturating_add(whole.relevant.saturating_mul(REWARD))
        {
            return Err(DropReason::Parameters);
        }
        let part = self.parts.entry(number).or_default();
        part.admit(shape)?;
        part.entered += 1;
        if let Some(family) = family {
            self.parts.entry(family).or_default().entered += 1;
        }
        Ok(number)
    }

    /// A URL of a part is not there.
    pub(crate) fn gone(&mut self, number: u32) {
        if let Some(part) = self.parts.get_mut(&number) {
            part.gone += 1;
        }
    }

    /// Does a page say something that others with the same address, but for parameters and dates, have not?
    pub(crate) fn is_new(&mut self, url: &str, words: &[(Word, f32)]) -> bool {
        let Ok(url) = Url::parse(url) else { return true };
        match part_of(&url).1 {
            Shape::Plain => true,
            Shape::Single | Shape::Parameters | Shape::Calendar => self.news.hears(family(&url), words),
        }
    }

    /// A page that says something new was worth the way: more of its like may be entered.
    pub(crate) fn rewards(&mut self, url: &str) {
        let Ok(url) = Url::parse(url) else { return };
        if let Some(whole) = self.parts.get_mut(&family(&url)) {
            whole.relevant += 1;
        }
    }

    /// Is a URL that waits still worth asking for? `parameters` as in [`parameters`].
    pub(crate) fn still_fine(&self, number: u32, parameters: u8) -> bool {
        self.parts.get(&number).is_none_or(|part| !part.repeats_itself() && !part.is_gone())
            && !self.does_nothing(parameters)
    }

    /// A page of a part came. Answers whether another page said the same before.
    pub(crate) fn fetched(
        &mut self,
        number: u32,
        parameters: u8,
        on_topic: bool,
        fingerprint: Option<u64>,
    ) -> bool {
        let duplicate = fingerprint.is_some_and(|print| self.prints.saw(print));
        for (group, counts) in self.parameters.iter_mut().enumerate() {
            if parameters >> group & 1 == 1 {
                counts.0 += 1;
                counts.1 += u32::from(duplicate);
            }
        }
        if let Some(part) = self.parts.get_mut(&number) {
            part.fetched += 1;
            part.duplicates += u32::from(duplicate);
            // What was said before is no harvest.
            part.relevant += u32::from(on_topic && !duplicate);
        }
        duplicate
    }

    /// Is one of the parameters known to change nothing?
    fn does_nothing(&self, parameters: u8) -> bool {
        let idle = |(pages, duplicates): &(u32, u32)| {
            *pages >= TRIES && *duplicates as f32 > DUPLICATE_SHARE * *pages as f32
        };
        self.parameters.iter().enumerate().any(|(group, counts)| parameters >> group & 1 == 1 && idle(counts))
    }
}

impl Part {
    fn admit(&self, shape: Shape) -> Result<(), DropReason> {
        if self.repeats_itself() {
            return Err(DropReason::Duplicates);
        }
        if self.is_gone() {
            return Err(DropReason::Gone);
        }
        let (patience, reward, reason) = match shape {
            // A path without parameters is real until it has been tried a lot.
            Shape::Plain => (PATIENCE * 100, REWARD, DropReason::Part),
            Shape::Single => (PATIENCE * 20, REWARD, DropReason::Parameters),
            Shape::Parameters => (PATIENCE, REWARD, DropReason::Parameters),
            // Days lead to days: what is worth finding has an address of its own.
            Shape::Calendar => (PATIENCE / 2, REWARD / 4, DropReason::Calendar),
        };
        if self.entered >= patience.saturating_add(self.relevant.saturating_mul(reward)) {
            return Err(reason);
        }
        Ok(())
    }

    /// Links of this pattern lead nowhere.
    fn is_gone(&self) -> bool {
        self.gone >= FAILURES && self.fetched.saturating_mul(FAILURES) < self.gone
    }

    fn repeats_itself(&self) -> bool {
        self.fetched >= ENOUGH && self.duplicates as f32 > DUPLICATE_SHARE * self.fetched as f32
    }
}

/// The names of the parameters of an address with its host, as groups: one bit for each.
pub(crate) fn parameters(url: &Url) -> u8 {
    let host = url.host_str().unwrap_or_default();
    let names =
        url.query().into_iter().flat_map(|query| query.split('&')).filter_map(|pair| pair.split('=').next());
    names
        .filter(|name| !name.is_empty())
        .fold(0, |bits, name| bits | (1 << ((hash_text(&format!("{host}?{name}")) >> 32) as u32 % GROUPS)))
}

/// A step that stands too often in a path, or two that take turns.
fn repeats(path: &str) -> bool {
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
    let often = |step: &&str| steps.iter().filter(|other| other == &step).count() > REPEATS;
    steps.iter().any(often)
}

/// What an address is without its parameters, and with any number for a number.
fn family(url: &Url) -> u32 {
    let mut key = format!("{}!", url.host_str().unwrap_or_default());
    for step in url.path().split('/').filter(|step| !step.is_empty()) {
        key.push('/');
        key.push_str(if step.bytes().all(|byte| byte.is_ascii_digit()) || is_date(step) {
            "#"
        } else {
            step
        });
    }
    (hash_text(&key) >> 32) as u32 | 1
}

/// The part of a site that a URL belongs to. Numbers stand for any number, so that `/2024/05/` and `/2024/06/` are one.
pub(crate) fn part(url: &Url) -> u32 {
    part_of(url).0
}

fn part_of(url: &Url) -> (u32, Shape) {
    let mut key = String::from(url.host_str().unwrap_or_default());
    let steps: Vec<&str> = url.path().split('/').filter(|step| !step.is_empty()).collect();
    let dated = is_dated(&steps) || url.query().is_some_and(has_date);
    let inner = steps.len().saturating_sub(1);
    for step in steps.iter().take(inner.min(3)) {
        key.push('/');
        if step.bytes().all(|byte| byte.is_ascii_digit()) {
            key.push('#');
        } else {
            key.push_str(step);
        }
    }
    let shape = match url.query() {
        _ if dated => Shape::Calendar,
        Some(query) => {
            let mut names: Vec<&str> = query
                .split('&')
                .filter_map(|pair| pair.split('=').next())
                .filter(|name| !name.is_empty())
                .collect();
            names.sort_unstable();
            names.dedup();
            key.push('?');
            key.push_str(&names.join("&"));
            if names.len() > 1 { Shape::Parameters } else { Shape::Single }
        }
        None => Shape::Plain,
    };
    ((hash_text(&key) >> 32) as u32 | 1, shape)
}

/// Ends in `2024/05`, `2024/05/17` or `2024-05-17`: a day or a month. `2024/05/a-title` is an article.
fn is_dated(steps: &[&str]) -> bool {
    match steps {
        [.., year, month, day] if is_year(year) && is_small(month) && is_small(day) => true,
        [.., year, month] if is_year(year) && is_small(month) => true,
        [.., last] => is_date(last),
        [] => false,
    }
}

fn has_date(query: &str) -> bool {
    let mut names = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    names.any(|(name, value)| {
        is_date(value) || matches!(name, "month" | "year" | "day" | "date" | "week") && !value.is_empty()
    })
}

fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    matches!((parts.next(), parts.next()), (Some(year), Some(month)) if is_year(year) && is_small(month))
        && parts.next().is_none_or(is_small)
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_small(text: &str) -> bool {
    matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The same address without what names a visitor's session: one page, one address.
pub(crate) fn without_session(url: &Url) -> Option<Url> {
    // `sid=7` may well be a page; a session has a name nobody could remember.
    let is_session = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = name.to_ascii_lowercase();
        let named = name.ends_with("sessid")
            || matches!(
                name.as_str(),
                "jsessionid" | "sid" | "sessionid" | "session_id" | "session" | "aspsessionid"
            );
        named && value.len() >= 12 && value.bytes().any(|byte| byte.is_ascii_digit())
    };
    let in_path = url.path().to_ascii_lowercase().find(";jsessionid=");
    let in_query = url.query().is_some_and(|query| query.split('&').any(is_session));
    if in_path.is_none() && !in_query {
        return None;
    }
    let mut clean = url.clone();
    if let Some(path) = in_path.and_then(|at| url.path().get(..at)) {
        clean.set_path(path);
    }
    if let Some(query) = url.query().filter(|_| in_query) {
        let kept: Vec<&str> = query.split('&').filter(|pair| !is_session(pair)).collect();
        clean.set_query((!kept.is_empty()).then(|| kept.join("&")).as_deref());
    }
    Some(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_calendar_ends() {
        let mut traps = Traps::default();
        let day = |month: u32| {
            url(&format!("http://a.example/events/{}/{:02}/", 2000 + month / 12, month % 12 + 1))
        };
        let entered = (0..5_000).filter(|month| traps.admit(&day(*month)).is_ok()).count();
        assert_eq!(entered, PATIENCE as usize / 2);
        assert_eq!(traps.admit(&day(9_000)), Err(DropReason::Calendar));
        let by_query = |day: u32| url(&format!("http://b.example/cal?date=2024-{day:02}-01"));
        assert!((0..99).any(|day| traps.admit(&by_query(day)).is_err()));
    }

    #[test]
    fn facets_end_unless_they_bring_something() {
        let mut traps = Traps::default();
        let facet = |value: u32| url(&format!("http://a.example/list?colour={value}&size=3"));
        let part = traps.admit(&facet(0)).unwrap();
        for value in 1..1_000 {
            let _ = traps.admit(&facet(value));
        }
        assert_eq!(traps.admit(&facet(2_000)), Err(DropReason::Parameters));
        assert!(!traps.fetched(part, 0, true, Some(7)));
        assert!(traps.admit(&facet(3_000)).is_ok());
        // The same text again is no harvest.
        assert!(traps.fetched(part, 0, true, Some(7)));
        for value in 0..200 {
            let _ = traps.admit(&facet(4_000 + value));
        }
        assert_eq!(traps.admit(&facet(5_000)), Err(DropReason::Parameters));
    }

    #[test]
    fn a_parameter_that_changes_nothing_is_found_out() {
        let mut traps = Traps::default();
        let sorted = |list: u32| url(&format!("http://a.example/list/{list}?sort=price"));
        for list in 0..6 {
            // The list itself, then the same sorted.
            traps.fetched(0, 0, true, Some(u64::from(list) * 0x0123_4567_89ab_cdef));
            traps.fetched(0, parameters(&sorted(list)), true, Some(u64::from(list) * 0x0123_4567_89ab_cdef));
        }
        assert_eq!(traps.admit(&sorted(77)), Err(DropReason::Parameters));
        assert!(traps.admit(&url("http://a.example/list/77")).is_ok());
    }

    #[test]
    fn the_same_text_again_and_again_ends_a_part() {
        let mut traps = Traps::default();
        let page = |number: u32| url(&format!("http://a.example/mirror/{number}"));
        let part = traps.admit(&page(0)).unwrap();
        for _ in 0..10 {
            traps.fetched(part, 0, true, Some(0xfeed));
        }
        assert_eq!(traps.admit(&page(1)), Err(DropReason::Duplicates));
        assert!(!traps.still_fine(part, 0));
    }

    #[test]
    fn combined_filters_end_although_each_names_the_topic() {
        let mut traps = Traps::default();
        let names = ["colour", "size", "brand", "sort", "page"];
        let mut entered = 0;
        for combined in (1..32_u32).filter(|combined| combined.count_ones() > 1) {
            for value in 0..200_u32 {
                let chosen = names.iter().enumerate().filter(|(at, _)| combined >> at & 1 == 1);
                let query: Vec<String> =
                    chosen.map(|(at, name)| format!("{name}={}", value + at as u32)).collect();
                let address = url(&format!("http://a.example/shop?{}", query.join("&")));
                let Ok(part) = traps.admit(&address) else { continue };
                entered += 1;
                // The same dozen words in another order, and the number of the filter.
                let words: Vec<(Word, f32)> =
                    (0..12).chain([1_000 + value % 50]).map(|word| (word, 1.0)).collect();
                let is_new = traps.is_new(address.as_str(), &words);
                let print = u64::from(value + 200 * combined).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let repeated = traps.fetched(part, 0, is_new, Some(print));
                if is_new && !repeated {
                    traps.rewards(address.as_str());
                }
            }
        }
        assert!(entered <= FAMILY_PATIENCE + REWARD, "{entered} combinations were entered");
        assert!(traps.admit(&url("http://a.example/books/novel")).is_ok());
    }

    #[test]
    fn pages_known_by_a_number_are_all_entered() {
        let mut traps = Traps::default();
        for number in 0..400_u32 {
            let address = url(&format!("http://a.example/index.php?id={number}"));
            let part = traps.admit(&address).unwrap();
            // All of one small vocabulary.
            let words: Vec<(Word, f32)> = (0..30).map(|word| ((number + word) % 60, 1.0)).collect();
            let is_new = traps.is_new(address.as_str(), &words);
            let print = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            assert!(!traps.fetched(part, parameters(&address), is_new, Some(print)));
        }
    }

    #[test]
    fn links_of_a_pattern_that_leads_nowhere_are_left() {
        let mut traps = Traps::default();
        let old = |number: u32| url(&format!("http://a.example/old/{number}.html"));
        let part = traps.admit(&old(0)).unwrap();
        for _ in 0..FAILURES {
            assert!(traps.still_fine(part, 0));
            traps.gone(part);
        }
        assert!(!traps.still_fine(part, 0));
        assert_eq!(traps.admit(&old(1)), Err(DropReason::Gone));
        // One page in ten is enough to go on.
        traps.fetched(part, 0, false, None);
        assert!(traps.still_fine(part, 0));
    }

    #[test]
    fn paths_that_turn_in_circles_are_seen() {
        assert!(repeats("/a/b/a/b/a/b/a/b/"));
        assert!(!repeats("/a/b/c/a/"));
    }

    #[test]
    fn sessions_are_cut_out() {
        let clean = |text: &str| without_session(&url(text)).map(String::from);
        assert_eq!(clean("http://a.example/x;jsessionid=AB?p=1").as_deref(), Some("http://a.example/x?p=1"));
        let token = "0af3b29c55d1e7";
        let with = |text: &str| clean(&text.replace("TOKEN", token));
        assert_eq!(with("http://a.example/x?PHPSESSID=TOKEN&p=2").as_deref(), Some("http://a.example/x?p=2"));
        assert_eq!(with("http://a.example/x?sid=TOKEN").as_deref(), Some("http://a.example/x"));
        assert_eq!(clean("http://a.example/x?sid=1"), None);
        assert_eq!(clean("http://a.example/x?side=1"), None);
    }
}
