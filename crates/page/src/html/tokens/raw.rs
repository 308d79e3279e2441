//! Where elements without markup inside end: scripts, styles, titles.

use super::is_space;
use memchr::memchr;

/// Where the end tag of `name` begins, or the end.
pub(super) fn end(text: &str, name: &str) -> usize {
    let mut from = 0;
    let mut script = (name == "script").then_some(Script::Plain);
    while let Some(found) = memchr(b'<', &text.as_bytes()[from..]) {
        let at = from + found;
        if let Some(state) = &mut script {
            if *state != Script::Plain && text[from..at].contains("-->") {
                *state = Script::Plain;
            }
            state.look(&text[at..]);
        }
        if opens(&text[at..], "</", name) {
            if script != Some(Script::Twice) {
                return at;
            }
            script = Some(Script::Once);
        }
        from = at + 1;
    }
    text.len()
}

/// How a script hides its end: within `<!--`, a further `<script>` has an end tag of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Plain,
    Once,
    Twice,
}

impl Script {
    fn look(&mut self, text: &str) {
        match self {
            Self::Plain if text.starts_with("<!--") && !text.starts_with("<!-->") => *self = Self::Once,
            Self::Once if opens(text, "<", "script") => *self = Self::Twice,
            _ => {}
        }
    }
}

/// Whether a tag of that name begins here.
fn opens(text: &str, mark: &str, name: &str) -> bool {
    let Some(rest) = text.strip_prefix(mark) else { return false };
    let after = rest.as_bytes().get(name.len());
    after.is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))
        && rest.as_bytes()[..name.len()].eq_ignore_ascii_case(name.as_bytes())
}
