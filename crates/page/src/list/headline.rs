//! What a link calls the article: its headline, without the times, labels and counts glued to it.

use crate::dates;
use crate::feed::TITLE_BYTES;
use crate::outline::{At, Link, Outline, Zones};
use crate::text::{cut, half_words, one_line};

/// A link's idea of a headline.
#[derive(Debug, Clone, Default)]
pub(super) struct Headline {
    pub(super) text: String,
    /// Its length in half words.
    pub(super) halves: usize,
    /// It stands in a heading, or holds one.
    pub(super) heading: bool,
    /// It is not the link's text but a description of its picture, or a label.
    pub(super) borrowed: bool,
}

/// The headline a link shows.
pub(super) fn of_link(outline: &Outline, link: &Link) -> Headline {
    let in_heading = outline.elements[link.at].zones.has(Zones::HEADING);
    let inner = || outline.inside(link.at).skip(1).find(|at| is_heading(outline, *at));
    let heading = if in_heading { Some(link.at) } else { inner() };
    let text = best_line(&clean(outline, heading.unwrap_or(link.at)));
    let mut headline = Headline { heading: heading.is_some(), borrowed: false, ..of_text(&text) };
    let label = link.label.as_deref().map(of_text).unwrap_or_default();
    if headline.halves == 0 {
        headline =
            Headline { borrowed: true, ..if label.halves > 0 { label } else { image(outline, link.at) } };
    } else if is_shortened(&headline.text, &label.text) {
        headline = Headline { heading: headline.heading, ..label };
    }
    headline
}

/// A heading inside a card that is no link: one that is names what it links to.
pub(super) fn of_heading(outline: &Outline, card: &std::ops::Range<At>) -> Option<Headline> {
    let is_linked = |at: At| {
        let inside = Outline::within(&outline.links, &outline.inside(at), |link| link.at);
        !inside.is_empty()
            || outline.tag(at) == "a"
            || outline.ancestors(at).any(|around| outline.tag(around) == "a")
    };
    let heading = card.clone().find(|at| is_heading(outline, *at) && !is_linked(*at))?;
    let headline = Headline { heading: true, ..of_text(&best_line(&clean(outline, heading))) };
    (headline.halves >= 2).then_some(headline)
}

fn is_heading(outline: &Outline, at: At) -> bool {
    let element = &outline.elements[at];
    element.zones.has(Zones::HEADING) && !element.zones.has(Zones::NOISE) && !element.text.is_empty()
}

fn image(outline: &Outline, at: At) -> Headline {
    let images = Outline::within(&outline.images, &outline.inside(at), |image| image.at);
    outline.images[images].first().map(|image| of_text(&image.alt)).unwrap_or_default()
}

fn of_text(text: &str) -> Headline {
    let text = tidy(&one_line(cut(text, 4 * TITLE_BYTES)));
    let text = cut(&text, TITLE_BYTES).to_owned();
    Headline { halves: half_words(&text), text, ..Headline::default() }
}

/// The text of an element without the noise in it, unless it is all noise.
fn clean(outline: &Outline, at: At) -> String {
    let element = &outline.elements[at];
    let whole = &outline.text[element.text.clone()];
    if element.zones.has(Zones::NOISE) {
        return whole.to_owned();
    }
    let mut kept = String::new();
    let mut from = element.text.start;
    let mut inner = at + 1;
    while inner < element.end {
        let part = &outline.elements[inner];
        if part.zones.has(Zones::NOISE) {
            kept.push_str(&outline.text[from.min(part.text.start)..part.text.start]);
            kept.push('\n');
            from = part.text.end;
            inner = part.end;
        } else {
            inner += 1;
        }
    }
    kept.push_str(&outline.text[from..element.text.end]);
    if half_words(&kept) == 0 { whole.to_owned() } else { kept }
}

/// Of a whole card in a link, the line that is the headline: the first that says something.
fn best_line(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !dates::is_only_time(line));
    let first = lines().find(|line| (6..=60).contains(&half_words(line)));
    first.or_else(|| lines().max_by_key(|line| half_words(line).min(60))).unwrap_or(text.trim()).to_owned()
}

/// Strips what is glued to a headline: bullets, a time of day, a date at either end.
fn tidy(text: &str) -> String {
    let mut text = trim_signs(text);
    if let Some(rest) = dates::starts_with_clock(text)
        && half_words(rest) >= 4
    {
        text = trim_signs(rest);
    }
    if let Some(rest) = without_date(text)
        && half_words(rest) >= 4
    {
        text = trim_signs(rest);
    }
    text.to_owned()
}

fn trim_signs(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || "·•▪■◆◇●○»›▶►|–—-:：,*".contains(c))
        .trim_end_matches(|c: char| {
            c.is_whitespace() || "·•|›→▶►>–—-".contains(c) || (c == '»' && !text.contains('«'))
        })
}

/// Without a numeric date at the beginning or the end, in brackets or not.
fn without_date(text: &str) -> Option<&str> {
    let is_date = |word: &str| {
        let bare = word.trim_matches(['[', ']', '(', ')', '（', '）', '【', '】']);
        let digits = bare.bytes().filter(u8::is_ascii_digit).count();
        let rest =
            bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.' | '年' | '月' | '日'));
        rest && ((6..=8).contains(&digits) && bare.len() > digits
            || bare.len() < word.len() && digits >= 3 && bare.len() > digits)
    };
    let open = |c: char| matches!(c, '[' | '(' | '（' | '【') || c.is_whitespace();
    if let Some((rest, _)) = text
        .char_indices()
        .rev()
        .find(|(_, c)| open(*c))
        .map(|(at, _)| text.split_at(at))
        .filter(|(_, word)| is_date(word.trim()))
    {
        return Some(rest);
    }
    let end = text.char_indices().find(|(_, c)| matches!(c, ']' | ')' | '）' | '】') || c.is_whitespace())?;
    let (word, rest) = text.split_at(end.0 + end.1.len_utf8());
    is_date(word.trim()).then_some(rest)
}

/// The text ends in dots and the label says the rest.
fn is_shortened(text: &str, label: &str) -> bool {
    let Some(start) = text.strip_suffix('…').or_else(|| text.strip_suffix("...")) else {
        return false;
    };
    let start = start.trim_end();
    start.chars().count() >= 4 && label.len() > text.len().saturating_sub(2) && label.starts_with(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_glued_on_comes_off() {
        assert_eq!(tidy("12:04 Minister resigns after vote"), "Minister resigns after vote");
        assert_eq!(tidy("· 关于公布招标结果的通知 [2026-11-15]"), "关于公布招标结果的通知");
        assert_eq!(tidy("[11-15]关于公布招标结果的通知"), "关于公布招标结果的通知");
        assert_eq!(tidy("Budget passes 2026/11/15"), "Budget passes");
        assert_eq!(tidy("What happened on 9/11"), "What happened on 9/11");
        assert_eq!(tidy("The best films of 2026"), "The best films of 2026");
        assert!(is_shortened("央行宣布下调…", "央行宣布下调存款准备金率"));
    }
}
