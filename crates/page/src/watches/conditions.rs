//! Conditions on what is seen: a number's move, an end, what is worth telling.

use super::part::Part;
use super::typed::{first_word, typed, typed_number};
use super::{Diff, WatchError};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use std::fmt;
use std::str::FromStr;

/// How far the first number of the part must have moved since the last telling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// Which way.
    pub direction: Direction,
    /// How far.
    pub amount: Amount,
}

/// Which way a number moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Either way.
    Either,
}

/// How far a number moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// By this much.
    By(f64),
    /// By this many per cent of what it was. Any move away from zero is enough: zero has no per cent.
    Percent(f64),
}

/// When a watch ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// At the end of this day, or at this time.
    After(DateTime),
    /// When it was told this often.
    Told(u32),
    /// When these words stand in the part.
    Contains(String),
    /// When these words do not stand in the part.
    Lacks(String),
    /// When the first number is above this.
    Above(f64),
    /// When the first number is below this.
    Below(f64),
}

/// Which changes are worth telling.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Notify {
    /// All.
    #[default]
    Always,
    /// Those by which these words come into the part.
    Appears(String),
    /// Those by which these words leave it.
    Disappears(String),
    /// Those after which the first number is above this.
    Above(f64),
    /// Those after which the first number is below this.
    Below(f64),
    /// Those of at least this many words since the last telling.
    Words(u32),
}

typed!(Move);
typed!(Stop);
typed!(Notify);

impl Move {
    /// Whether a number has moved so far, or why not.
    pub(super) fn is_met(&self, old: f64, new: f64) -> Result<(), String> {
        let way = match self.direction {
            Direction::Up => new - old,
            Direction::Down => old - new,
            Direction::Either => (new - old).abs(),
        };
        let needed = match self.amount {
            Amount::By(amount) => amount,
            Amount::Percent(percent) => old.abs() * percent / 100.0,
        };
        // Prices are decimal, numbers here are not: 1.10 − 1.00 is a little less than a tenth.
        let rounding = 1e-9 * (old.abs() + new.abs());
        if way > 0.0 && way + rounding >= needed {
            return Ok(());
        }
        Err(format!("{} → {} is less than {self}", Plain(old), Plain(new)))
    }
}

impl Stop {
    /// Why the watch ends now, if it does.
    pub(super) fn holds(
        &self,
        part: Option<&Part>,
        tellings: u32,
        at: Timestamp,
        zone: &TimeZone,
    ) -> Option<String> {
        let number = || part.and_then(Part::number);
        match self {
            Self::After(_) => self.is_past(at, zone).then(|| format!("its time is over ({self})")),
            Self::Told(times) => {
                (tellings >= *times).then(|| format!("it was told {}", times_in_words(*times)))
            }
            Self::Contains(words) => {
                part.filter(|part| part.has_words(words)).map(|_| format!("the part contains “{words}”"))
            }
            Self::Lacks(words) => {
                part.filter(|part| !part.has_words(words)).map(|_| format!("the part lacks “{words}”"))
            }
            Self::Above(limit) => {
                number().filter(|n| n > limit).map(|n| format!("{} is above {}", Plain(n), Plain(*limit)))
            }
            Self::Below(limit) => {
                number().filter(|n| n < limit).map(|n| format!("{} is below {}", Plain(n), Plain(*limit)))
            }
        }
    }

    /// Whether its time is over.
    pub(super) fn is_past(&self, at: Timestamp, zone: &TimeZone) -> bool {
        match self {
            Self::After(end) => zone.to_timestamp(*end).is_ok_and(|end| end <= at),
            _ => false,
        }
    }
}

impl Notify {
    /// Whether a change is worth telling, or why not. `before` is what was seen before it, `told` what was last told.
    pub(super) fn is_met(&self, before: &Part, now: &Part, told: &Part) -> Result<(), String> {
        let number = |holds: &dyn Fn(f64) -> bool, word: &str, limit: f64| match now.number() {
            Some(number) if holds(number) => Ok(()),
            Some(number) => Err(format!("{} is not {word} {}", Plain(number), Plain(limit))),
            None => Err("there is no number in it".to_owned()),
        };
        let unless = |met: bool, why: String| if met { Ok(()) } else { Err(why) };
        match self {
            Self::Always => Ok(()),
            Self::Appears(words) => {
                let met = now.has_words(words) && !before.has_words(words);
                unless(met, format!("“{words}” did not appear"))
            }
            Self::Disappears(words) => {
                let met = before.has_words(words) && !now.has_words(words);
                unless(met, format!("“{words}” did not disappear"))
            }
            Self::Above(limit) => number(&|n| n > *limit, "above", *limit),
            Self::Below(limit) => number(&|n| n < *limit, "below", *limit),
            Self::Words(least) => {
                let changed = Diff::between(told, now).changed;
                unless(changed >= *least, format!("{changed} changed words are fewer than {least}"))
            }
        }
    }
}

/// A number without needless digits.
struct Plain(f64);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

fn times_in_words(times: u32) -> String {
    if times == 1 { "1 time".into() } else { format!("{times} times") }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.direction {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Either => "by",
        };
        match self.amount {
            Amount::By(amount) => write!(f, "{word} {amount}"),
            Amount::Percent(percent) => write!(f, "{word} {percent} %"),
        }
    }
}

impl FromStr for Move {
    type Err = WatchError;

    /// `up 5`, `down 10 %`, `by 2.5`.
    fn from_str(text: &str) -> Result<Self, WatchError> {
        let wrong = || WatchError::Move(text.trim().to_owned());
        let (word, rest) = first_word(text);
        let direction = match word.as_str() {
            "up" => Direction::Up,
            "down" => Direction::Down,
            "by" => Direction::Either,
            _ => return Err(wrong()),
        };
        let percent = rest.strip_suffix('%');
        let number = typed_number(percent.unwrap_or(rest)).ok_or_else(wrong)?;
        if number <= 0.0 {
            return Err(WatchError::NoMove(text.trim().to_owned()));
        }
        let amount = if percent.is_some() { Amount::Percent(number) } else { Amount::By(number) };
        Ok(Self { direction, amount })
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The end of a day is written as that day.
            Self::After(end) if end.time() == jiff::civil::Time::midnight() => {
                write!(f, "after {}", end.date().yesterday().unwrap_or(end.date()))
            }
            Self::After(end) => write!(f, "after {}", end.strftime("%Y-%m-%d %H:%M")),
            Self::Told(times) => write!(f, "told {}", times_in_words(*times)),
            Self::Contains(words) => write!(f, "contains {words}"),
            Self::Lacks(words) => write!(f, "lacks {words}"),
            Self::Above(limit) => write!(f, "above {limit}"),
            Self::Below(limit) => write!(f, "below {limit}"),
        }
    }
}

impl FromStr for Stop {
    type Err = WatchError;

    /// `after 2026-12-31`, `told 3 times`, `contains sold out`, `lacks in stock`, `above 100`, `below 5`.
    fn from_str(text: &str) -> Result<Self, WatchError> {
        let read = || {
            let (word, rest) = first_word(text);
            Some(match word.as_str() {
                "after" => Self::After(end_of(rest)?),
                "told" => {
                    let times = rest.split_whitespace().next()?.parse().ok()?;
                    (times > 0).then_some(Self::Told(times))?
                }
                "contains" => Self::Contains(some_words(rest)?),
                "lacks" => Self::Lacks(some_words(rest)?),
                "above" => Self::Above(typed_number(rest)?),
                "below" => Self::Below(typed_number(rest)?),
                _ => return None,
            })
        };
        read().ok_or_else(|| WatchError::Stop(text.trim().to_owned()))
    }
}

/// A time, or the end of a day.
fn end_of(text: &str) -> Option<DateTime> {
    if let Ok(date) = text.parse::<Date>()
        && !text.contains(':')
    {
        return Some(date.tomorrow().ok()?.to_datetime(jiff::civil::Time::midnight()));
    }
    let time: DateTime = text.replace('T', " ").parse().ok()?;
    time.with().second(0).subsec_nanosecond(0).build().ok()
}

fn some_words(text: &str) -> Option<String> {
    let text = crate::text::one_line(crate::text::cut(text, 200));
    let any = crate::words::words(&text).next().is_some();
    any.then_some(text)
}

impl fmt::Display for Notify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => f.write_str("always"),
            Self::Appears(words) => write!(f, "appears {words}"),
            Self::Disappears(words) => write!(f, "disappears {words}"),
            Self::Above(limit) => write!(f, "above {limit}"),
            Self::Below(limit) => write!(f, "below {limit}"),
            Self::Words(least) => write!(f, "words {least}"),
        }
    }
}

impl FromStr for Notify {
    type Err = WatchError;

    /// `always`, `appears sold out`, `disappears in stock`, `above 100`, `below 5`, `words 10`.
    fn from_str(text: &str) -> Result<Self, WatchError> {
        let read = || {
            let (word, rest) = first_word(text);
            Some(match word.as_str() {
                "always" | "" => Self::Always,
                "appears" => Self::Appears(some_words(rest)?),
                "disappears" => Self::Disappears(some_words(rest)?),
                "above" => Self::Above(typed_number(rest)?),
                "below" => Self::Below(typed_number(rest)?),
                "words" => Self::Words(rest.parse().ok().filter(|least| *least > 0)?),
                _ => return None,
            })
        };
        read().ok_or_else(|| WatchError::Notify(text.trim().to_owned()))
    }
}

#[cfg(test)]
#[path = "conditions_tests.rs"]
mod tests;
