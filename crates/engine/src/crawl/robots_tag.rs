//! `X-Robots-Tag`: what a server says of a page that cannot say it itself.

/// What it asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RobotsTag {
    /// Not to be kept.
    pub(super) noindex: bool,
    /// Its links are not to be followed.
    pub(super) nofollow: bool,
}

/// Our name in it, in lower case.
const NAME: &str = "ripplewatch";

/// Reads status line and headers. A rule for a named crawler holds for that one; `unavailable_after` and the like say nothing
/// to us.
pub(super) fn robots_tag(headers: &str) -> RobotsTag {
    let mut tag = RobotsTag::default();
    let lines = headers.lines().filter_map(|line| line.split_once(':'));
    for (_, value) in lines.filter(|(name, _)| name.trim().eq_ignore_ascii_case("x-robots-tag")) {
        let mut for_us = true;
        for rule in value.split(',') {
            let rule = rule.trim().to_ascii_lowercase();
            let word = match rule.split_once(':') {
                // A name holds until the next one.
                Some((name, word)) if !KEYS.contains(&name.trim()) => {
                    for_us = name.trim() == NAME;
                    word.trim()
                }
                Some(_) => continue,
                None => rule.as_str(),
            };
            if for_us {
                tag.noindex |= matches!(word, "noindex" | "none");
                tag.nofollow |= matches!(word, "nofollow" | "none");
            }
        }
    }
    tag
}

/// Rules with a value of their own: what stands before the colon is no name.
const KEYS: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(value: &str) -> (bool, bool) {
        let tag =
            robots_tag(&format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-robots-tag: {value}\r\n"));
        (tag.noindex, tag.nofollow)
    }

    #[test]
    fn what_is_said_to_all_or_to_us_holds() {
        assert_eq!(tag("noindex, nofollow"), (true, true));
        assert_eq!(tag("NoIndex"), (true, false));
        assert_eq!(tag("none"), (true, true));
        assert_eq!(tag("all"), (false, false));
        assert_eq!(tag("googlebot: noindex, nofollow"), (false, false));
        assert_eq!(tag("googlebot: noindex, ripplewatch: nofollow"), (false, true));
        assert_eq!(tag("max-snippet: 20, noindex"), (true, false));
        assert_eq!(robots_tag(""), RobotsTag::default());
    }
}
