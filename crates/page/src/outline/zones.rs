//! The parts of a page: where articles are listed, and where they are not.
//!
//! Tags and roles say it outright. Class names only hint, in the few words all designers share; a hint on an
//! element that holds much of the page's text is not believed.

use std::borrow::Cow;
use std::ops::{BitOr, BitOrAssign};

/// A set of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Zones(u16);

impl Zones {
    /// Menus, breadcrumbs, pagination.
    pub(crate) const NAV: Self = Self(1);
    /// The page's own header and footer.
    pub(crate) const EDGE: Self = Self(1 << 1);
    /// Beside the main matter: sidebars, most-read boxes.
    pub(crate) const ASIDE: Self = Self(1 << 2);
    /// Adverts, partners.
    pub(crate) const AD: Self = Self(1 << 3);
    /// About an article, not the article: authors, tags, share buttons, comment counts.
    pub(crate) const META: Self = Self(1 << 4);
    /// Log-in, search, newsletter, cookie boxes.
    pub(crate) const BOX: Self = Self(1 << 5);
    /// In an `<article>` or marked up as one.
    pub(crate) const ARTICLE: Self = Self(1 << 6);
    /// In `<main>`.
    pub(crate) const MAIN: Self = Self(1 << 7);
    /// In a heading, or in what its class calls a title.
    pub(crate) const HEADING: Self = Self(1 << 8);
    /// Not part of a headline: times, labels, counts, text for screen readers.
    pub(crate) const NOISE: Self = Self(1 << 9);
    /// In a paragraph.
    pub(crate) const PROSE: Self = Self(1 << 10);

    /// Where navigation and advertising live.
    pub(crate) const FURNITURE: Self = Self(Self::NAV.0 | Self::EDGE.0 | Self::AD.0 | Self::BOX.0);

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn only_ads(self) -> Self {
        Self(self.0 & Self::AD.0)
    }

    pub(crate) const fn bits(self) -> u16 {
        self.0
    }
}

impl BitOr for Zones {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Zones {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// What a tag says by itself. An article's header and footer belong to the article.
pub(super) fn of_tag(tag: &str, enclosing: Zones) -> Zones {
    match tag {
        "nav" | "menu" => Zones::NAV,
        "header" | "footer" if !enclosing.has(Zones::ARTICLE | Zones::MAIN) => Zones::EDGE,
        "aside" => Zones::ASIDE,
        "form" | "dialog" | "fieldset" => Zones::BOX,
        "article" => Zones::ARTICLE,
        "main" => Zones::MAIN,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Zones::HEADING,
        "time" | "button" | "figcaption" => Zones::NOISE,
        "p" | "blockquote" => Zones::PROSE,
        _ => Zones::default(),
    }
}

/// What a `role` says.
pub(super) fn of_role(role: &str) -> Zones {
    match role {
        "navigation" | "menu" | "menubar" | "tablist" | "toolbar" => Zones::NAV,
        "banner" | "contentinfo" => Zones::EDGE,
        "complementary" => Zones::ASIDE,
        "search" | "dialog" | "alertdialog" | "form" => Zones::BOX,
        "article" => Zones::ARTICLE,
        "main" => Zones::MAIN,
        "heading" => Zones::HEADING,
        _ => Zones::default(),
    }
}

/// What class names and the id hint at.
pub(super) fn of_classes(classes: &str) -> Zones {
    classes.split_ascii_whitespace().fold(Zones::default(), |zones, class| zones | of_class(class))
}

/// The last word of a name says what it is (`site-nav`), some first words too (`nav-links`). Words in the
/// middle do not, nor `tag-` and `category-`, which blogs put on every post.
fn of_class(class: &str) -> Zones {
    match class {
        "visually-hidden" | "visuallyhidden" | "sr-only" | "screen-reader-text" => return Zones::NOISE,
        "widget" | "side" => return Zones::ASIDE,
        _ => {}
    }
    let mut words = words(class);
    let Some(first) = words.next() else {
        return Zones::default();
    };
    match words.last() {
        Some(last) => of_first_word(&first) | of_word(&last),
        None => of_word(&first),
    }
}

/// `siteNav`, `site-nav` and `site__nav` are `site` and `nav`.
fn words(class: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = class;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let end = rest
            .char_indices()
            .skip(1)
            .find(|&(at, c)| {
                !c.is_ascii_alphabetic()
                    || c.is_ascii_uppercase() && !rest.as_bytes()[at - 1].is_ascii_uppercase()
            })
            .map_or(rest.len(), |(at, _)| at);
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then(|| lower_case(word))
    })
}

fn lower_case(word: &str) -> Cow<'_, str> {
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(word.to_ascii_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

fn of_first_word(word: &str) -> Zones {
    match word {
        "nav" | "navbar" | "menu" | "breadcrumb" | "breadcrumbs" | "pagination" | "footer" | "cookie"
        | "ad" | "ads" | "advert" | "sidebar" | "newsletter" | "login" | "sponsored" | "social" | "share"
        | "masthead" | "mega" => of_word(word),
        _ => Zones::default(),
    }
}

fn of_word(word: &str) -> Zones {
    match word {
        "nav" | "navbar" | "navigation" | "menu" | "megamenu" | "submenu" | "dropdown" | "breadcrumb"
        | "breadcrumbs" | "crumbs" | "crumb" | "pagination" | "pager" | "paging" | "paginator"
        | "toolbar" | "skip" | "channels" | "subnav" | "topnav" | "mainnav" | "sitemap" | "daohang" => {
            Zones::NAV
        }
        "footer" | "foot" | "masthead" | "topbar" | "colophon" | "copyright" | "legal" | "friendlinks" => {
            Zones::EDGE
        }
        "sidebar" | "aside" | "rail" | "popular" | "trending" | "mostread" | "recommended" => Zones::ASIDE,
        "ad" | "ads" | "adv" | "advert" | "advertisement" | "adslot" | "sponsor" | "sponsored" | "promo"
        | "promotion" | "partner" | "partners" | "outbrain" | "taboola" | "native" | "affiliate"
        | "deals" => Zones::AD,
        "tags" | "taglist" | "tagcloud" | "topics" | "keywords" | "social" | "share" | "sharing"
        | "follow" | "author" | "authors" | "byline" | "comments" | "replies" | "permalink" => Zones::META,
        "login" | "signin" | "account" | "subscribe" | "subscription" | "newsletter" | "cookie"
        | "cookies" | "consent" | "gdpr" | "modal" | "popup" | "search" | "survey" | "paywall" => Zones::BOX,
        "headline" | "title" | "titre" | "titel" | "titulo" | "titolo" | "biaoti" => Zones::HEADING,
        "time" | "date" | "datetime" | "timestamp" | "ago" | "age" | "count" | "label" | "badge"
        | "kicker" | "eyebrow" | "category" | "tag" | "flag" | "rank" | "number" | "duration" | "icon"
        | "meta" | "source" | "overline" | "views" | "excerpt" | "summary" | "dek" | "standfirst"
        | "description" => Zones::NOISE,
        _ => Zones::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_names_are_read_as_designers_write_them() {
        assert_eq!(of_classes("siteNav is-open"), Zones::NAV);
        assert_eq!(of_classes("c-global__footer"), Zones::EDGE);
        assert_eq!(of_classes("post-123 post type-post category-news tag-menu-reform"), Zones::default());
        assert_eq!(of_classes("card card--menu-free"), Zones::default());
        assert_eq!(of_classes("sr-only"), Zones::NOISE);
        assert_eq!(of_classes("overflow-hidden elementor-widget"), Zones::default());
    }
}
