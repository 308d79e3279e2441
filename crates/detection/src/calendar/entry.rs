//! One date of the calendar.

use jiff::{SignedDuration, Timestamp};
use model::FolderId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Longer than a season is not an event.
const LONGEST: SignedDuration = SignedDuration::from_hours(366 * 24);
/// Characters of a title or a kind.
const WORDS: usize = 200;

/// A time at which a folder is expected to differ from the usual.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number, once it is stored.
    pub id: Option<i64>,
    /// The folder.
    pub folder: FolderId,
    /// What it is one of: past entries of the same kind teach what to expect.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// When it begins …
    pub from: Timestamp,
    /// … and ends.
    pub to: Timestamp,
    /// How many times the usual is expected; estimated if none.
    pub multiplier: Option<f64>,
    /// Standard deviation of the multiplier's logarithm; estimated if none.
    pub uncertainty: Option<f64>,
}

/// Why an entry cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryError {
    /// It ends before it begins, or at once.
    Reversed,
    /// It lasts for more than a year.
    TooLong,
    /// The multiplier is no number above 0, or beyond all sense.
    Multiplier(f64),
    /// The uncertainty is no number from 0 up, or beyond all sense.
    Uncertainty(f64),
    /// It has no title and no kind.
    Nameless,
    /// The title or kind is too long.
    Wordy,
}

impl Entry {
    /// The entry, if it makes sense.
    pub fn checked(mut self) -> Result<Self, EntryError> {
        let title = self.title.trim().to_owned();
        self.title = title;
        self.kind = self.kind.trim().to_lowercase();
        if self.kind.is_empty() {
            self.kind = kind_of(&self.title);
        }
        if self.title.is_empty() {
            self.title.clone_from(&self.kind);
        }
        match (self.multiplier, self.uncertainty) {
            _ if self.to <= self.from => Err(EntryError::Reversed),
            _ if self.to.duration_since(self.from) > LONGEST => Err(EntryError::TooLong),
            (Some(value), _) if !(value > 0.0 && value <= 1000.0) => Err(EntryError::Multiplier(value)),
            (_, Some(value)) if !(0.0..=10.0).contains(&value) => Err(EntryError::Uncertainty(value)),
            _ if self.title.is_empty() => Err(EntryError::Nameless),
            _ if self.title.chars().count().max(self.kind.chars().count()) > WORDS => Err(EntryError::Wordy),
            _ => Ok(self),
        }
    }

    /// Which share of the time between two moments it covers.
    pub(super) fn share(&self, from: Timestamp, to: Timestamp) -> f64 {
        let (begin, end) = (self.from.max(from), self.to.min(to));
        let all = to.duration_since(from).as_secs_f64();
        if begin >= end || all <= 0.0 { 0.0 } else { end.duration_since(begin).as_secs_f64() / all }
    }
}

/// A kind from a title: without its numbers, so that "Final 2026" and "Final 2030" are two of a kind.
pub(super) fn kind_of(title: &str) -> String {
    let letters: String = title.chars().map(|c| if c.is_numeric() { ' ' } else { c }).collect();
    let words: Vec<&str> =
        letters.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).collect();
    let kind = words.join(" ").to_lowercase();
    if kind.is_empty() { title.trim().to_lowercase() } else { kind }
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reversed => {
                write!(f, "it ends before it begins; give an end that is later than the beginning")
            }
            Self::TooLong => write!(f, "it lasts for more than a year; split it, or give an earlier end"),
            Self::Multiplier(value) => {
                write!(f, "its multiplier is {value}; give a number above 0 and up to 1000, such as 1.7")
            }
            Self::Uncertainty(value) => {
                write!(f, "its uncertainty is {value}; give a number from 0 to 10, such as 0.2")
            }
            Self::Nameless => write!(f, "it has neither a title nor a kind; give one of them"),
            Self::Wordy => write!(f, "its title or kind is longer than {WORDS} characters; shorten it"),
        }
    }
}

impl std::error::Error for EntryError {}
