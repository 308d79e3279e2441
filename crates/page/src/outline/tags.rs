//! What tags and attributes mean for what is seen.

use super::attributes::Attributes;
use crate::hash::Hash;

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

pub(super) fn is_hidden(attributes: &(impl Attributes + ?Sized)) -> bool {
    let hides = |style: &str| style.contains("display:none") || style.contains("display: none");
    attributes.value("hidden").is_some() || attributes.value("style").is_some_and(|style| hides(&style))
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
pub(super) fn kind(tag: &str, first_class: &str) -> u64 {
    let mut hash = Hash::new().with(tag.as_bytes()).with(b".");
    for byte in first_class.bytes().filter(|byte| !byte.is_ascii_digit()) {
        hash = hash.with(&[byte]);
    }
    hash.finish()
}
