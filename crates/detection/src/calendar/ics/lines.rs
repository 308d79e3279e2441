//! Lines of an iCalendar file: long ones are folded, and each is a name, parameters and a value.

use std::borrow::Cow;

/// A whole line, unfolded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line<'t> {
    /// Where it begins in the file, from 1.
    pub(super) number: usize,
    pub(super) text: Cow<'t, str>,
}

/// A line, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Property<'l> {
    /// In capitals.
    pub(super) name: String,
    parameters: Vec<(String, String)>,
    pub(super) value: &'l str,
}

/// Unfolds: a line that begins with a blank goes on with the one before.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = text.split('\n').enumerate().peekable();
    std::iter::from_fn(move || {
        let (number, first) = rest.next()?;
        let mut text = Cow::Borrowed(first.trim_end_matches('\r'));
        while let Some((_, more)) = rest.next_if(|(_, line)| line.starts_with([' ', '\t'])) {
            // The blank is one byte: it is there, and it is no letter.
            text.to_mut().push_str(more.get(1..).unwrap_or_default().trim_end_matches('\r'));
        }
        Some(Line { number: number + 1, text })
    })
}

impl Line<'_> {
    /// NAME;PARAMETER=value;PARAMETER="quoted":VALUE
    pub(super) fn property(&self) -> Option<Property<'_>> {
        let text = self.text.trim_end();
        let mut quoted = false;
        let colon = text.char_indices().find(|(_, c)| {
            quoted ^= *c == '"';
            *c == ':' && !quoted
        })?;
        let (head, value) = (text.get(..colon.0)?, text.get(colon.0 + 1..)?);
        let mut quoted = false;
        let mut pieces = head.split(move |c| {
            quoted ^= c == '"';
            c == ';' && !quoted
        });
        let name = pieces.next()?.trim().to_ascii_uppercase();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let parameters = pieces.filter_map(|piece| {
            let (name, value) = piece.split_once('=')?;
            Some((name.trim().to_ascii_uppercase(), value.trim().trim_matches('"').to_owned()))
        });
        is_name.then(|| Property { name, parameters: parameters.collect(), value })
    }
}

impl Property<'_> {
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_unfolded_and_taken_apart() {
        let text = "A:one\r\n  two\r\n\tthree\nDTSTART;TZID=\"x:y;z\";VALUE=DATE:20260101\nbroken\n";
        let lines: Vec<_> = lines(text).collect();
        assert_eq!(lines[0].text, "A:one twothree");
        assert_eq!(lines[1].number, 4);
        let property = lines[1].property().unwrap();
        assert_eq!((property.name.as_str(), property.value), ("DTSTART", "20260101"));
        assert_eq!(property.parameter("TZID"), Some("x:y;z"));
        assert_eq!(property.parameter("VALUE"), Some("DATE"));
        assert_eq!(lines[2].property(), None);
    }
}
