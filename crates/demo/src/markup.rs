//! Building text that machines read: escaping, and writing that cannot fail.

use std::fmt::{self, Display, Write};

/// A growing page. `write!` on it returns nothing, because writing to memory cannot fail.
#[derive(Debug, Default)]
pub(crate) struct Markup(String);

impl Markup {
    pub(crate) fn new() -> Self {
        // A typical list page is 20 to 40 KB.
        Self(String::with_capacity(40 * 1024))
    }

    pub(crate) fn write_fmt(&mut self, args: fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(args);
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

/// Text as HTML or XML shows it, in content and in attributes.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(['&', '<', '>', '"']) {
            f.write_str(&rest[..at])?;
            f.write_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                _ => "&quot;",
            })?;
            rest = &rest[at + 1..];
        }
        f.write_str(rest)
    }
}

/// Text as a JSON string, quotes included; safe inside a `script` element too.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for letter in self.0.chars() {
            match letter {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '<' => f.write_str("\\u003c")?,
                letter => f.write_char(letter)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_escaped() {
        assert_eq!(Escaped("a < b & \"c\"").to_string(), "a &lt; b &amp; &quot;c&quot;");
        assert_eq!(Quoted("say \"</p>\"\n").to_string(), r#""say \"\u003c/p>\"\n""#);
    }
}
