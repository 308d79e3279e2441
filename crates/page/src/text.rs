//! Small deeds on text.

use crate::words::is_unspaced;

/// Appends `text` with each stretch of white space as one space, and none at a line's beginning.
pub(crate) fn push_squeezed(out: &mut String, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let tidy = tidy(rest);
        out.push_str(&rest[..tidy]);
        rest = &rest[tidy..];
        let word = rest.find(|c| !is_blank(c)).unwrap_or(rest.len());
        if word > 0 && !out.is_empty() && !out.ends_with(char::is_whitespace) {
            out.push(' ');
        }
        rest = &rest[word..];
    }
}

/// How much at the beginning can be taken as it is: words one space apart. Plain text is looked at byte by byte.
fn tidy(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_graphic() {
            at += 1;
        } else if byte.is_ascii() {
            let single = *byte == b' ' && at > 0 && bytes.get(at + 1).is_some_and(u8::is_ascii_graphic);
            if !single {
                return at;
            }
            at += 2;
        } else {
            let Some(c) = text[at..].chars().next() else { return at };
            if is_blank(c) {
                return at;
            }
            at += c.len_utf8();
        }
    }
    at
}

/// One line, single spaces, no invisible characters.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    push_squeezed(&mut line, text);
    line.truncate(line.trim_end().len());
    line
}

/// White space and the invisible characters pages put between words.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{200b}' | '\u{feff}' | '\u{ad}' | '\u{2060}' | '\u{1f}')
}

/// At most `limit` bytes, cut between characters.
pub(crate) fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// How much a text says, in words: two Han or kana characters count as one word. In halves, so it is whole.
pub(crate) fn half_words(text: &str) -> usize {
    let mut halves = 0;
    let mut in_word = false;
    for c in text.chars() {
        let unspaced = !c.is_ascii() && is_unspaced(c);
        let part = c.is_ascii_alphanumeric()
            || (!c.is_ascii() && c.is_alphanumeric())
            || (in_word && matches!(c, '\'' | '’' | '-' | '.'));
        if unspaced {
            halves += 1;
        } else if part && !in_word {
            halves += 2;
        }
        in_word = part && !unspaced;
    }
    halves
}

/// Plain text of a piece of markup: feeds put HTML into titles and teasers, often escaped twice.
pub(crate) fn strip_markup(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return one_line(text);
    }
    let once = strip_tags(text);
    // `&amp;lt;b&amp;gt;` was escaped once too often: the first round leaves `<b>`.
    if once.contains('<') || (once.contains('&') && once.contains(';')) { strip_tags(&once) } else { once }
}

fn strip_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        push_squeezed(&mut plain, &rest[..at]);
        rest = &rest[at..];
        let tag = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        match rest.find('>') {
            Some(end) if tag => {
                let name = rest[1..end].trim_start_matches('/');
                let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
                if matches!(
                    name.as_str(),
                    "br" | "p" | "div" | "li" | "td" | "tr" | "img" | "hr" | "h1" | "h2" | "h3"
                ) {
                    push_squeezed(&mut plain, " ");
                }
                rest = &rest[end + 1..];
            }
            _ => {
                plain.push('<');
                rest = &rest[1..];
            }
        }
    }
    push_squeezed(&mut plain, rest);
    let plain = unescape(&plain);
    one_line(&plain)
}

/// Resolves character references: numbers, and the names that occur in headlines.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        let (c, used) = end.and_then(|end| Some((reference(&rest[1..end])?, end + 1))).unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[used..];
    }
    out.push_str(rest);
    out
}

fn reference(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return code.ok().and_then(char::from_u32).filter(|c| !c.is_control());
    }
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c)
}

const NAMED: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("hellip", '…'),
    ("eacute", 'é'),
    ("egrave", 'è'),
    ("agrave", 'à'),
    ("ccedil", 'ç'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("ntilde", 'ñ'),
    ("aacute", 'á'),
    ("iacute", 'í'),
    ("oacute", 'ó'),
    ("uacute", 'ú'),
    ("euro", '€'),
    ("pound", '£'),
    ("copy", '©'),
    ("reg", '®'),
    ("middot", '·'),
    ("bull", '•'),
    ("times", '×'),
    ("deg", '°'),
    ("shy", '\u{ad}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_stripped_even_when_escaped_twice() {
        assert_eq!(strip_markup("A <b>bold</b> claim &amp;amp; more<br>text"), "A bold claim & more text");
        assert_eq!(strip_markup("&lt;i&gt;Ulysses&lt;/i&gt; at 100"), "Ulysses at 100");
        assert_eq!(strip_markup("3 < 5 & so on"), "3 < 5 & so on");
        assert_eq!(strip_markup("Prices up 5 %\u{200b}\n today"), "Prices up 5 % today");
    }

    #[test]
    fn blanks_are_squeezed_wherever_a_text_is_cut() {
        let text = " a b  c\n\u{200b} d é\u{a0}ö x\u{ad}y \u{3000}z ";
        let whole = "a b c d é ö x y z ";
        for (at, _) in text.char_indices() {
            let mut out = String::new();
            push_squeezed(&mut out, &text[..at]);
            push_squeezed(&mut out, &text[at..]);
            assert_eq!(out, whole);
        }
    }

    #[test]
    fn two_characters_weigh_as_one_word() {
        assert_eq!(half_words("Bank holds rate"), 6);
        assert_eq!(half_words("央行维持利率"), 6);
        assert_eq!(half_words("G7峰会"), 4);
        assert_eq!(half_words("don't re-open"), 4);
    }
}
