//! What can be wrong with a watch, said so that the next step is clear.

use crate::SelectorError;
use thiserror::Error;

/// Why a watch cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WatchError {
    /// Not a kind of part.
    #[error("“{0}” is no part of a page: text, links, images, keyword, phrase, table, list, css or regex")]
    UnknownPart(String),
    /// A part that needs words to look for.
    #[error("{0} needs words to look for, such as `{0} sold out`")]
    NoWords(&'static str),
    /// A keyword is one word.
    #[error("“{0}” is more than one word: write `phrase {0}`")]
    NotOneWord(String),
    /// Tables and lists are counted from 1.
    #[error("“{0}” is no place of a {1}: count from 1 to 1000, such as `{1} 2`")]
    Place(String, &'static str),
    /// The CSS selector.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// Not a regular expression.
    #[error("`{pattern}` is not a regular expression: {why}")]
    Regex {
        /// What was typed.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// A regular expression that would cost too much.
    #[error("the regular expression is too large: shorten it, or repeat less often than `{{1000}}`")]
    RegexTooLarge,
    /// Not a time to look.
    #[error("“{0}” is no time to look: every visit, every 30 minutes, or at 09:00, 17:30 on mon-fri")]
    When(String),
    /// An interval out of bounds.
    #[error("“{0}” is out of bounds: from 1 minute to 1 year")]
    Interval(String),
    /// Not a move of a number.
    #[error("“{0}” is no move of a number: up 5, down 10 % or by 2.5")]
    Move(String),
    /// A move by nothing.
    #[error("a move must be by more than nothing: “{0}”")]
    NoMove(String),
    /// Not a stop condition.
    #[error(
        "“{0}” is no stop condition: after 2026-12-31, told 3 times, contains sold out, lacks in stock, above 100 or below 5"
    )]
    Stop(String),
    /// It would end before it began.
    #[error("the watch would end at once: {0} is in the past")]
    StopInThePast(String),
    /// Too many stop conditions.
    #[error("a watch has at most {0} stop conditions")]
    TooManyStops(usize),
    /// Not a notification condition.
    #[error(
        "“{0}” is no notification condition: always, appears sold out, disappears in stock, above 100, below 5 or words 10"
    )]
    Notify(String),
    /// Not a time zone.
    #[error("“{0}” is no time zone: write an IANA name such as Europe/Berlin")]
    Zone(String),
}
