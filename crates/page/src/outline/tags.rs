//! What tags and attributes mean for what is seen.

use crate::hash::Hash;
use dom_query::Element;

/// What is never shown as text.
pub(super) fn is_invisible(tag: &str) -> bool {
    matches!(
        tag,
        "script"
            | "style"
            | "noscript"
            | "template"
            | "svg"
            | "math"
            | "iframe"
            | "select"
            | "textarea"
            | "object"
            | "video"
            | "audio"
            | "canvas"
            | "datalist"
    )
}

pub(super) fn is_hidden(element: &Element) -> bool {
    element.attrs.iter().any(|attr| match &*attr.name.local {
        "hidden" => true,
        "style" => attr.value.contains("display:none") || attr.value.contains("display: none"),
        _ => false,
    })
}

/// Parts of a word may stand in these.
pub(super) fn is_emphasis(tag: &str) -> bool {
    matches!(
        tag,
        "b" | "i"
            | "em"
            | "strong"
            | "u"
            | "s"
            | "font"
            | "sup"
            | "sub"
            | "mark"
            | "abbr"
            | "wbr"
            | "q"
            | "cite"
            | "code"
            | "ins"
            | "del"
            | "bdi"
            | "ruby"
            | "html"
    )
}

pub(super) fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "span"
            | "time"
            | "small"
            | "label"
            | "img"
            | "button"
            | "input"
            | "picture"
            | "big"
            | "data"
            | "rt"
            | "rp"
    )
}

/// Tag and first class, digits left out: templates number their instances.
pub(super) fn kind(element: &Element, tag: &str) -> u64 {
    let class = element.attrs.iter().find(|attr| &*attr.name.local == "class");
    let class = class.and_then(|class| class.value.split_ascii_whitespace().next()).unwrap_or_default();
    let mut hash = Hash::new().with(tag.as_bytes()).with(b".");
    for byte in class.bytes().filter(|byte| !byte.is_ascii_digit()) {
        hash = hash.with(&[byte]);
    }
    hash.finish()
}
