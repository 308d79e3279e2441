//! Character references: `&amp;`, `&#8212;`.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use memchr::{memchr2, memchr3};
use std::borrow::Cow;

/// No name is longer.
const NAME_BYTES: usize = 33;

/// An attribute's value with its references resolved.
pub(crate) fn resolved(value: &str) -> Cow<'_, str> {
    if memchr3(b'&', b'\r', b'\0', value.as_bytes()).is_none() {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = memchr3(b'&', b'\r', b'\0', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let used = match rest.as_bytes() {
            [b'&', ..] => {
                let (chars, used) = reference(rest, true).unwrap_or(([Some('&'), None], 1));
                text.extend(chars.into_iter().flatten());
                used
            }
            [b'\r', b'\n', ..] => {
                text.push('\n');
                2
            }
            [b'\r', ..] => {
                text.push('\n');
                1
            }
            _ => {
                text.push('\u{fffd}');
                1
            }
        };
        rest = &rest[used..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Hands out a text in pieces, its references resolved. NUL characters are left out, as browsers do.
pub(crate) fn pieces(text: &str, mut piece: impl FnMut(&str)) {
    let mut rest = text;
    while let Some(at) = memchr2(b'&', b'\0', rest.as_bytes()) {
        if at > 0 {
            piece(&rest[..at]);
        }
        rest = &rest[at..];
        let mut used = 1;
        if rest.starts_with('&') {
            if let Some((chars, length)) = reference(rest, false) {
                used = length;
                for c in chars.into_iter().flatten() {
                    piece(c.encode_utf8(&mut [0; 4]));
                }
            } else {
                piece("&");
            }
        }
        rest = &rest[used..];
    }
    if !rest.is_empty() {
        piece(rest);
    }
}

type Chars = [Option<char>; 2];

/// The reference that `text` begins with, and its length.
fn reference(text: &str, in_attribute: bool) -> Option<(Chars, usize)> {
    let common = match text.as_bytes() {
        [_, b'a', b'm', b'p', b';', ..] => Some(('&', 5)),
        [_, b'n', b'b', b's', b'p', b';', ..] => Some(('\u{a0}', 6)),
        [_, b'q', b'u', b'o', b't', b';', ..] => Some(('"', 6)),
        _ => None,
    };
    if let Some((c, used)) = common {
        return Some(([Some(c), None], used));
    }
    match text.as_bytes().get(1)? {
        b'#' => numbered(&text[2..]).map(|(c, used)| ([Some(c), None], used + 2)),
        byte if byte.is_ascii_alphanumeric() => named(&text[1..], in_attribute),
        _ => None,
    }
}

fn numbered(text: &str) -> Option<(char, usize)> {
    let (digits, base, mark) = match text.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 1),
        None => (text, 10, 0),
    };
    let count = digits.bytes().take_while(|byte| char::from(*byte).is_digit(base)).count();
    if count == 0 {
        return None;
    }
    let number = digits.bytes().take(count).fold(0_u32, |number, digit| {
        let digit = char::from(digit).to_digit(base).unwrap_or_default();
        number.saturating_mul(base).saturating_add(digit)
    });
    let semicolon = usize::from(digits.as_bytes().get(count) == Some(&b';'));
    let c = match number {
        0 => None,
        // Written for Windows' own charset, and read so.
        0x80..=0x9f => C1_REPLACEMENTS[number as usize - 0x80].or_else(|| char::from_u32(number)),
        _ => char::from_u32(number),
    };
    Some((c.unwrap_or('\u{fffd}'), mark + count + semicolon))
}

/// The longest known name at the beginning. Some need no semicolon, but in an attribute then nothing may follow
/// that could go on with a name or a query.
fn named(text: &str, in_attribute: bool) -> Option<(Chars, usize)> {
    let letters = text.bytes().take(NAME_BYTES).take_while(u8::is_ascii_alphanumeric).count();
    let whole = letters + usize::from(text.as_bytes().get(letters) == Some(&b';'));
    let (used, (first, second)) = (1..=whole).rev().find_map(|length| {
        let known = NAMED_ENTITIES.get(&text[..length])?;
        (known.0 != 0).then_some((length, *known))
    })?;
    let next = text.as_bytes().get(used);
    let goes_on = next.is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'=');
    if in_attribute && goes_on && !text[..used].ends_with(';') {
        return None;
    }
    let second = (second != 0).then(|| char::from_u32(second)).flatten();
    Some(([char::from_u32(first), second], used + 1))
}
