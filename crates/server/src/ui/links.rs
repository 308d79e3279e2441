//! Addresses within the UI.

use crate::access::csrf::Fields;
use url::form_urlencoded::Serializer;

/// A path with a query of those parameters that have a value.
pub(crate) fn link(path: &str, query: &[(&str, Option<String>)]) -> String {
    let mut pairs = Serializer::new(String::new());
    for (name, value) in query {
        if let Some(value) = value {
            pairs.append_pair(name, value);
        }
    }
    let query = pairs.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// Where a form wants to return to, if that is a page of ours.
pub(crate) fn local(back: &str) -> &str {
    let ours = back.starts_with('/') && !back.starts_with("//") && back.len() < 2000;
    if ours && !back.contains('\\') && back.bytes().all(|byte| byte.is_ascii_graphic()) { back } else { "/" }
}

/// The same page, saying what was done, and to how many.
pub(crate) fn after(back: &str, done: &str, n: Option<usize>) -> String {
    let (path, query) = local(back).split_once('?').unwrap_or((local(back), ""));
    let kept = Fields::of_query(query);
    let mut pairs: Vec<(&str, Option<String>)> = kept
        .pairs()
        .filter(|(name, _)| !["done", "n"].contains(name))
        .map(|(name, value)| (name, Some(value.to_owned())))
        .collect();
    pairs.push(("done", Some(done.to_owned())));
    pairs.push(("n", n.map(|n| n.to_string())));
    link(path, &pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere() {
        assert_eq!(local("/sources?search=a"), "/sources?search=a");
        for foreign in
            ["//evil.example", "https://evil.example", "/\\evil.example", "", "/a\nb", "javascript:x"]
        {
            assert_eq!(local(foreign), "/", "{foreign}");
        }
    }

    #[test]
    fn a_page_says_the_last_thing_done() {
        assert_eq!(after("/?unread=1&done=starred", "read", Some(2)), "/?unread=1&done=read&n=2");
        assert_eq!(after("//evil.example", "read", None), "/?done=read");
    }
}
