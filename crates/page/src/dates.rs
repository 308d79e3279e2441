//! Dates as pages write them. Only forms that mean one thing: `3/4/2026` is left alone.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// Reads a machine-readable time: RFC 3339 and its relatives, RFC 2822, or a date. Without a zone it is UTC.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() < 8 || text.len() > 64 {
        return None;
    }
    let mended = mend_zone(text);
    let zoned = mended
        .parse::<Timestamp>()
        .ok()
        .or_else(|| jiff::fmt::rfc2822::parse(text).ok().map(|zoned| zoned.timestamp()));
    zoned.or_else(|| utc(mended.parse::<DateTime>().ok()?)).or_else(|| find(text)).filter(plausible)
}

/// Finds the first date in a line of text, with its time of day if one follows.
pub(crate) fn find(text: &str) -> Option<Timestamp> {
    // Every date we read has a full year; most text has none, and need not be cut up.
    if !text.contains("20") && !text.contains("199") {
        return None;
    }
    let tokens = tokens(text);
    (0..tokens.len())
        .find_map(|at| {
            let (date, used) = date_at(&tokens[at..])?;
            let (hour, minute) = tokens[at + used..].windows(3).take(2).find_map(time_of).unwrap_or((0, 0));
            utc(date.at(hour, minute, 0, 0))
        })
        .filter(plausible)
}

/// Whether a piece of text is a date, a time or an age and nothing else.
pub(crate) fn is_only_time(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let others = text.chars().filter(|c| c.is_alphabetic()).count();
    digits > 0
        && others <= digits.max(3) * 3
        && (find(text).is_some() || starts_with_clock(text).is_some_and(|rest| rest.trim().len() < 6))
}

/// What follows a time of day such as `12:04` at the beginning.
pub(crate) fn starts_with_clock(text: &str) -> Option<&str> {
    let hour = text.bytes().take_while(u8::is_ascii_digit).count();
    let minutes = text.get(hour..)?.strip_prefix([':', '：'])?;
    let count = minutes.bytes().take_while(u8::is_ascii_digit).count();
    let valid =
        (1..=2).contains(&hour) && count == 2 && text[..hour].parse::<u8>().is_ok_and(|hour| hour < 24);
    valid.then(|| &minutes[2..])
}

/// The Web is younger, and sites do not publish long ahead.
fn plausible(time: &Timestamp) -> bool {
    (0..4_102_444_800).contains(&time.as_second())
}

fn utc(time: DateTime) -> Option<Timestamp> {
    time.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// `2026-11-15T10:00:00+0100` lacks the colon the standard wants.
fn mend_zone(text: &str) -> String {
    let bytes = text.as_bytes();
    let sign = text.len().wrapping_sub(5);
    let bare = text.contains(':')
        && bytes.get(sign).is_some_and(|byte| matches!(byte, b'+' | b'-'))
        && bytes[sign + 1..].iter().all(u8::is_ascii_digit);
    if bare && text.is_char_boundary(sign + 3) {
        format!("{}:{}", &text[..sign + 3], &text[sign + 3..])
    } else {
        text.to_owned()
    }
}

/// A number, a word, or a single sign.
enum Token<'a> {
    Number(i32, usize),
    Word(&'a str),
    Sign(char),
}

/// A line is searched no further than this.
const TOKENS: usize = 48;

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next().filter(|_| tokens.len() < TOKENS) {
        let end = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        } else if first.is_alphabetic() && !"年月日".contains(first) {
            rest.find(|c: char| !c.is_alphabetic() || "年月日".contains(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        match token.parse::<i32>() {
            Ok(number) if first.is_ascii_digit() => tokens.push(Token::Number(number, token.len())),
            _ if first.is_alphabetic() && !"年月日".contains(first) => tokens.push(Token::Word(token)),
            _ if first.is_whitespace() => {}
            _ => tokens.push(Token::Sign(first)),
        }
    }
    tokens
}

/// A date at the beginning, and how many tokens it took.
fn date_at(tokens: &[Token<'_>]) -> Option<(Date, usize)> {
    use Token::{Number, Sign, Word};
    let date = |year: i32, month: i32, day: i32| {
        (1990..2100)
            .contains(&year)
            .then(|| Date::new(year as i16, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok())
            .flatten()
    };
    match tokens {
        // 2026-11-15, 2026/11/15, 2026.11.15, 2026年11月15日
        [Number(year, 4), Sign(a), Number(month, 1..=2), Sign(b), Number(day, 1..=2), ..]
            if (a == b && matches!(a, '-' | '/' | '.')) || (*a == '年' && *b == '月') =>
        {
            Some((date(*year, *month, *day)?, 5))
        }
        // 15.11.2026: with dots the day is always first
        [Number(day, 1..=2), Sign('.'), Number(month, 1..=2), Sign('.'), Number(year, 4), ..] => {
            Some((date(*year, *month, *day)?, 5))
        }
        // 15 November 2026
        [Number(day, 1..=2), Word(month), Number(year, 4), ..] => {
            Some((date(*year, month_of(month)?, *day)?, 3))
        }
        // 15. November 2026; November 15, 2026
        [Number(day, 1..=2), Sign('.'), Word(month), Number(year, 4), ..]
        | [Word(month), Number(day, 1..=2), Sign(','), Number(year, 4), ..] => {
            Some((date(*year, month_of(month)?, *day)?, 4))
        }
        // Nov. 15, 2026
        [Word(month), Sign('.'), Number(day, 1..=2), Sign(','), Number(year, 4), ..] => {
            Some((date(*year, month_of(month)?, *day)?, 5))
        }
        _ => None,
    }
}

/// Hour and minute of `10:30`.
fn time_of(tokens: &[Token<'_>]) -> Option<(i8, i8)> {
    match tokens {
        [Token::Number(hour @ 0..=23, 1..=2), Token::Sign(':'), Token::Number(minute @ 0..=59, 2)] => {
            Some((*hour as i8, *minute as i8))
        }
        _ => None,
    }
}

/// Month names in the languages whose first three letters tell them apart.
fn month_of(word: &str) -> Option<i32> {
    let start: String = word.chars().take(4).flat_map(char::to_lowercase).collect();
    let three: String = start.chars().take(3).collect();
    MONTHS
        .iter()
        .position(|names| names.contains(&three.as_str()) || names.contains(&start.as_str()))
        .map(|at| at as i32 + 1)
}

const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrt"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "mei"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_pages_write_them() {
        let day = Some("2026-11-15T00:00:00Z".parse().unwrap());
        for text in [
            "2026-11-15",
            "[2026-11-15]",
            "2026年11月15日",
            "15.11.2026",
            "15 November 2026",
            "Nov. 15, 2026",
            "vom 15. nov. / 2026/11/15",
        ] {
            assert_eq!(find(text), day, "{text}");
        }
        assert_eq!(find("2026-11-15 12:30"), Some("2026-11-15T12:30:00Z".parse().unwrap()));
        assert_eq!(find("3/4/2026"), None);
        assert_eq!(find("12 monkeys 2026"), None);
    }

    #[test]
    fn machine_times() {
        let noon = Some("2026-11-15T12:30:00Z".parse().unwrap());
        for text in [
            "2026-11-15T12:30:00Z",
            "2026-11-15T13:30:00+0100",
            "2026-11-15 12:30:00",
            "2026-11-15T12:30",
            "Sun, 15 Nov 2026 12:30:00 GMT",
        ] {
            assert_eq!(parse(text), noon, "{text}");
        }
        assert_eq!(parse("yesterday"), None);
        assert_eq!(parse("9999-01-01"), None);
    }

    #[test]
    fn times_are_not_headlines() {
        assert!(is_only_time("15 November 2026"));
        assert!(is_only_time("12:04 Uhr"));
        assert!(!is_only_time("2026 budget passes after long debate"));
        assert_eq!(starts_with_clock("12:04Minister resigns"), Some("Minister resigns"));
        assert_eq!(starts_with_clock("3:2 win"), None);
    }
}
