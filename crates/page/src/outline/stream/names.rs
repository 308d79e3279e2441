//! Tag names by what the HTML standard's tree construction does with them.

use html5ever::{LocalName, local_name};

/// `is_x(name)` for a set of names.
macro_rules! sets {
    ($($(#[$doc:meta])* $set:ident: [$($name:tt)+];)+) => {
        $($(#[$doc])* pub(super) fn $set(name: &LocalName) -> bool {
            matches!(*name, $(local_name!($name))|+)
        })+
    };
}

sets! {
    /// Begins a block: an open paragraph ends before it.
    is_block: ["address" "article" "aside" "blockquote" "center" "details" "dialog" "dir" "div" "dl" "fieldset"
        "figcaption" "figure" "footer" "header" "hgroup" "main" "menu" "nav" "ol" "p" "search" "section"
        "summary" "ul" "pre" "listing"];
    is_heading: ["h1" "h2" "h3" "h4" "h5" "h6"];
    /// Has no inside and no end tag.
    is_void: ["area" "br" "embed" "img" "image" "keygen" "wbr" "input" "param" "source" "track" "frame"];
    /// The same in a head.
    is_void_in_head: ["base" "basefont" "bgsound" "link" "meta"];
    /// Belongs to a head wherever it stands.
    is_of_head: ["base" "basefont" "bgsound" "link" "meta" "noframes" "script" "style" "template" "title"];
    is_formatting: ["a" "b" "big" "code" "em" "font" "i" "nobr" "s" "small" "strike" "strong" "tt" "u"];
    /// A table's structure, which makes no sense outside of one.
    is_table_part: ["caption" "col" "colgroup" "tbody" "td" "tfoot" "th" "thead" "tr"];
    is_table_body: ["tbody" "tfoot" "thead"];
    /// What may be inside of a table directly.
    is_table_level: ["table" "tbody" "tfoot" "thead" "tr"];
    /// Ends by itself when something around it does.
    is_implied: ["dd" "dt" "li" "option" "optgroup" "p" "rb" "rp" "rt" "rtc"];
    /// No end tag inside reaches what is outside.
    is_wall: ["applet" "caption" "html" "table" "td" "th" "marquee" "object" "select" "template"];
    /// No end tag of an ordinary element passes these.
    is_special: ["address" "applet" "article" "aside" "blockquote" "body" "button" "caption" "center" "colgroup"
        "dd" "details" "dir" "div" "dl" "dt" "fieldset" "figcaption" "figure" "footer" "form" "frameset" "h1"
        "h2" "h3" "h4" "h5" "h6" "head" "header" "hgroup" "html" "li" "listing" "main" "marquee" "menu" "nav"
        "noscript" "object" "ol" "p" "pre" "search" "section" "select" "summary" "table" "tbody" "td"
        "template" "tfoot" "th" "thead" "tr" "ul"];
    /// HTML again inside of SVG and `MathML`.
    is_html_inside: ["desc" "title" "mi" "mo" "mn" "ms" "mtext"];
    /// Never meant for SVG or `MathML`: somebody forgot to end them.
    is_breakout: ["b" "big" "blockquote" "body" "br" "center" "code" "dd" "div" "dl" "dt" "em" "embed" "h1" "h2"
        "h3" "h4" "h5" "h6" "head" "hr" "i" "img" "li" "listing" "menu" "meta" "nobr" "ol" "p" "pre" "ruby" "s"
        "small" "span" "strong" "strike" "sub" "sup" "table" "tt" "u" "ul" "var"];
}
