//! The first number of a text, as people write numbers.

/// Spaces and apostrophes that group digits.
fn groups(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'' | '’')
}

/// The first number of a text: `£1,234.50`, `1.234,50 €`, `12 345`, `−3 %`.
///
/// Of a point and a comma the later one is the decimal mark. A single comma before three digits groups them
/// (`1,234`), unless a lone zero stands before it; a single point never does (`1.234` is a little more than one).
pub(super) fn first_number(text: &str) -> Option<f64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let run = &text[start..start + length(&text[start..])];
    let before = text[..start].trim_end_matches(|c: char| "$€£¥".contains(c));
    let sign = before.strip_suffix(['-', '−', '–']);
    // `A-3` is a name, `5-7` a range.
    let negative = sign.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric()));
    let value: f64 = plain(run).parse().ok()?;
    Some(if negative { -value } else { value }).filter(|value| value.is_finite())
}

/// How far the digits and what may stand between them go.
fn length(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let goes_on = match c {
            '0'..='9' => true,
            '.' | ',' => digits > 0,
            c if groups(c) => {
                digits == 3 && text[..at].bytes().rev().take_while(u8::is_ascii_digit).count() <= 3
            }
            _ => false,
        };
        if !goes_on {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// With a point as decimal mark and nothing else between the digits.
fn plain(run: &str) -> String {
    let bare: String = run.chars().filter(|c| !groups(*c)).collect();
    let count = |mark: char| bare.matches(mark).count();
    let last = bare.rfind(['.', ',']);
    let decimal = match (count('.'), count(',')) {
        (1, 0) => last,
        (0, 1) => last.filter(|at| bare.len() - at != 4 || *at > 3 || &bare[..*at] == "0"),
        // The same mark again and again groups; so does whichever is not the last.
        (0, _) | (_, 0) => None,
        _ => last.filter(|at| count(bare[*at..].chars().next().unwrap_or('.')) == 1),
    };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    match decimal {
        Some(at) => format!("{}.{}", digits(&bare[..at]), digits(&bare[at..])),
        None => digits(&bare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("£1,234.50 incl. tax", 1234.5),
            ("Preis: 1.234,50 €", 1234.5),
            ("12 345 visitors", 12345.0),
            ("12\u{202f}345,6", 12345.6),
            ("CHF 12'345.60", 12345.6),
            ("1,234", 1234.0),
            ("1,23", 1.23),
            ("0,123", 0.123),
            ("1.234", 1.234),
            ("1.234.567", 1_234_567.0),
            ("1,234,567", 1_234_567.0),
            ("−3.5 %", -3.5),
            ("-$5", -5.0),
            ("A-3 left", 3.0),
            ("from 5-7 days", 5.0),
            ("2026-11-16", 2026.0),
            ("Only 3. Hurry", 3.0),
            ("7, 8 and 9", 7.0),
            ("12 34", 12.0),
        ] {
            assert_eq!(first_number(text), Some(number), "{text}");
        }
        assert_eq!(first_number("none"), None);
        assert_eq!(first_number(""), None);
        assert_eq!(first_number(&"9".repeat(400)), None);
    }

    proptest! {
        /// However a number is grouped, it is read as it was meant.
        #[test]
        fn grouping_does_not_matter(whole in 1_000_u64..1_000_000_000, cents in 0_u64..100) {
            let text = whole.to_string();
            let group = |mark: &str| {
                let mut out = String::new();
                for (place, digit) in text.chars().enumerate() {
                    if place > 0 && (text.len() - place) % 3 == 0 {
                        out.push_str(mark);
                    }
                    out.push(digit);
                }
                out
            };
            let meant = whole as f64 + cents as f64 / 100.0;
            for (mark, point) in [(",", "."), (".", ","), (" ", ","), (" ", "."), ("'", "."), ("", "."), ("", ",")] {
                let written = format!("about {}{point}{cents:02} each", group(mark));
                let read = first_number(&written).unwrap();
                prop_assert!((read - meant).abs() < 1e-6, "{written}: {read}");
            }
        }

        #[test]
        fn any_text_is_read_without_a_fault(text in "[-0-9., '’−€a]{0,40}") {
            let _ = first_number(&text);
        }
    }
}
