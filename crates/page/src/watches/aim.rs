//! Which part of a page a watch looks at.

use super::WatchError;
use super::typed::{first_word, typed};
use crate::check_selector;
use crate::words::words;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Which part of a page a watch looks at.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Aim {
    /// What it looks at.
    pub what: What,
    /// Only inside what this CSS selector matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// Lines that match this regular expression are left out: dates, counters, greetings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore: Option<String>,
}

/// Kinds of parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum What {
    /// Any change of the main text, without menus, adverts and times.
    Text,
    /// The links, in whatever order.
    Links,
    /// The images, in whatever order.
    Images,
    /// The sentences that hold a word.
    Keyword(String),
    /// The sentences that hold a phrase.
    Phrase(String),
    /// The table at this place, counted from 1, row by row.
    Table(u32),
    /// The list at this place, counted from 1, item by item.
    List(u32),
    /// What a CSS selector matches: the text of it, or the value of an attribute.
    Css {
        /// The selector.
        selector: String,
        /// The attribute, if it is not the text.
        attribute: Option<String>,
    },
    /// What a regular expression matches in the visible text; its first group, if it has one.
    Regex(String),
}

typed!(What);

/// Longer ones are programs.
const LONGEST_PATTERN: usize = 1_000;
/// Compiled size: a pattern of ten words and a few classes stays under a tenth of it.
const PATTERN_BYTES: usize = 256 << 10;
const LONGEST_WORDS: usize = 200;
const LAST_PLACE: u32 = 1_000;

impl Aim {
    /// At this, anywhere on the page.
    pub fn at(what: What) -> Self {
        Self { what, within: None, ignore: None }
    }

    /// Whether it can be looked at at all.
    pub fn check(&self) -> Result<(), WatchError> {
        match &self.what {
            What::Css { selector, .. } => check_selector(selector)?,
            What::Regex(pattern) => drop(compile(pattern)?),
            _ => {}
        }
        if let Some(within) = &self.within {
            check_selector(within)?;
        }
        if let Some(ignore) = &self.ignore {
            compile(ignore)?;
        }
        Ok(())
    }
}

/// A regular expression within bounds: linear in time, small in memory.
pub(super) fn compile(pattern: &str) -> Result<Regex, WatchError> {
    if pattern.chars().count() > LONGEST_PATTERN {
        return Err(WatchError::RegexTooLarge);
    }
    let built = RegexBuilder::new(pattern)
        .multi_line(true)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(4 * PATTERN_BYTES)
        .nest_limit(50)
        .build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => WatchError::RegexTooLarge,
        error => {
            // The library draws the place over several lines; its last line says what is wrong.
            let text = error.to_string();
            let why = text.lines().last().unwrap_or_default().trim_start_matches("error:").trim();
            WatchError::Regex { pattern: pattern.to_owned(), why: why.to_owned() }
        }
    })
}

impl What {
    /// Its word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Links => "links",
            Self::Images => "images",
            Self::Keyword(_) => "keyword",
            Self::Phrase(_) => "phrase",
            Self::Table(_) => "table",
            Self::List(_) => "list",
            Self::Css { .. } => "css",
            Self::Regex(_) => "regex",
        }
    }

    /// All words, with what each looks at.
    pub const WORDS: [(&'static str, &'static str); 9] = [
        ("text", "any change of the page's text"),
        ("links", "the links"),
        ("images", "the images"),
        ("keyword", "sentences with a word"),
        ("phrase", "sentences with a phrase"),
        ("table", "a table, by its place"),
        ("list", "a list, by its place"),
        ("css", "what a CSS selector matches"),
        ("regex", "what a regular expression matches"),
    ];
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word();
        match self {
            Self::Text | Self::Links | Self::Images | Self::Table(1) | Self::List(1) => f.write_str(word),
            Self::Keyword(text) | Self::Phrase(text) | Self::Regex(text) => write!(f, "{word} {text}"),
            Self::Table(place) | Self::List(place) => write!(f, "{word} {place}"),
            Self::Css { selector, attribute: None } => write!(f, "{word} {selector}"),
            Self::Css { selector, attribute: Some(name) } => write!(f, "{word} {selector} @{name}"),
        }
    }
}

impl FromStr for What {
    type Err = WatchError;

    /// `text`, `keyword recall`, `table 2`, `css .price`, `css img.hero @src`, `regex (\d+) left`.
    fn from_str(text: &str) -> Result<Self, WatchError> {
        let (word, rest) = first_word(text);
        let what = match word.as_str() {
            "text" if rest.is_empty() => Self::Text,
            "links" if rest.is_empty() => Self::Links,
            "images" if rest.is_empty() => Self::Images,
            "keyword" => {
                let word = worded(rest, "keyword")?;
                // Words are cut as they are searched: `new-found` is two, 新华社 is one though it gives two pairs.
                if rest.split_whitespace().count() > 1 {
                    return Err(WatchError::NotOneWord(rest.to_owned()));
                }
                Self::Keyword(word)
            }
            "phrase" => Self::Phrase(worded(rest, "phrase")?),
            "table" => Self::Table(place(rest, "table")?),
            "list" => Self::List(place(rest, "list")?),
            "css" => css(rest)?,
            "regex" => {
                compile(rest)?;
                if rest.is_empty() {
                    return Err(WatchError::NoWords("regex"));
                }
                Self::Regex(rest.to_owned())
            }
            _ => return Err(WatchError::UnknownPart(text.trim().to_owned())),
        };
        Ok(what)
    }
}

fn worded(text: &str, what: &'static str) -> Result<String, WatchError> {
    let text = crate::text::one_line(crate::text::cut(text, LONGEST_WORDS));
    if words(&text).next().is_none() { Err(WatchError::NoWords(what)) } else { Ok(text) }
}

fn place(text: &str, what: &'static str) -> Result<u32, WatchError> {
    if text.is_empty() {
        return Ok(1);
    }
    let place = text.parse().ok().filter(|place| (1..=LAST_PLACE).contains(place));
    place.ok_or_else(|| WatchError::Place(text.to_owned(), what))
}

fn css(text: &str) -> Result<What, WatchError> {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
    };
    let (selector, attribute) = match text.rsplit_once('@') {
        Some((selector, name)) if is_name(name) => (selector.trim(), Some(name.to_ascii_lowercase())),
        _ => (text, None),
    };
    check_selector(selector)?;
    Ok(What::Css { selector: selector.to_owned(), attribute })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_comes_back() {
        for text in [
            "text",
            "links",
            "images",
            "keyword recall",
            "keyword 新华社",
            "phrase sold out",
            "table",
            "table 2",
            "list 3",
            "css .price > b",
            "css img.hero @src",
            r"regex (\d+) left",
        ] {
            let what: What = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(what.to_string(), text);
            assert!(What::WORDS.iter().any(|(word, _)| *word == what.word()));
            assert_eq!(serde_json::from_str::<What>(&serde_json::to_string(&what).unwrap()).unwrap(), what);
        }
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| text.parse::<What>().unwrap_err().to_string();
        assert!(error("price").contains("no part of a page"));
        assert!(error("keyword !!!").contains("needs words"));
        assert!(error("keyword sold out").contains("phrase sold out"));
        assert!(error("table 0").contains("count from 1"));
        assert!(error("css .a[").contains("not a CSS selector"));
        assert!(error("css div:has(a)").contains("too slow"));
        assert!(error("regex (").contains("unclosed group"));
        assert!(error(r"regex (\w{100}){100}").contains("too large"));
        assert!(error(&format!("regex {}", "a".repeat(2_000))).contains("too large"));
        assert!(error("regex").contains("needs words"));
    }

    #[test]
    fn within_and_ignore_are_checked_too() {
        let aim = |within: Option<&str>, ignore: Option<&str>| {
            Aim { what: What::Text, within: within.map(Into::into), ignore: ignore.map(Into::into) }.check()
        };
        assert!(aim(Some("main"), Some("^Updated")).is_ok());
        assert!(aim(Some("main["), None).is_err());
        assert!(aim(None, Some("(")).is_err());
    }
}
