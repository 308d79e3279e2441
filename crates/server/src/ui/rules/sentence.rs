//! A rule in words.

use crate::telling::{About, Told, ToldFolder, ToldLiteral};
use crate::ui::icons::{Icon, icon};
use crate::ui::parts::when;
use crate::words::{number, plural};
use jiff::Timestamp;
use knowledge::{Field, Mode, Usage};
use maud::{Markup, html};

/// The condition and what follows from it.
pub(crate) fn sentence(rule: &Told) -> Markup {
    html! {
        span .sentence {
            @if rule.is_retirement() {
                span .stops { "always: the rule above is out of service" }
            } @else {
                (condition(&rule.condition)) " " span .then aria-hidden="true" { "→" } " " (conclusion(rule))
            }
            @if rule.retired { " " span .chip { "retired" } }
        }
    }
}

pub(crate) fn condition(literals: &[ToldLiteral]) -> Markup {
    html! {
        @for (index, literal) in literals.iter().enumerate() {
            @if index > 0 { " and " }
            (one(literal))
        }
    }
}

fn one(literal: &ToldLiteral) -> Markup {
    match &literal.about {
        About::Folder(folder) => {
            html! { "is " @if literal.lacks { strong { "not" } " " } "in " (folder_link(folder)) }
        }
        About::Words { field, mode, text } => {
            let words = match mode {
                Mode::Exact | Mode::Phrase => html! { "“" (text) "”" },
                Mode::Stem => html! { "a form of “" (text) "”" },
                Mode::Prefix => html! { "“" (text) "…”" },
            };
            html! {
                (field_word(*field)) " "
                @if literal.lacks { strong { "lacks" } } @else { "has" }
                " " b .word.lacking[literal.lacks] dir="auto" { (words) }
            }
        }
    }
}

/// A field's name as people say it.
pub(crate) fn field_word(field: Field) -> &'static str {
    match field {
        Field::Title => "title",
        Field::Body => "text",
        Field::Anchor => "link",
        Field::Url => "address",
        Field::Source => "source",
        Field::Language => "language",
    }
}

fn conclusion(rule: &Told) -> Markup {
    let stop = || html! { span .stops { (icon(Icon::Cross)) "stop" } };
    rule.folder.as_ref().map_or_else(stop, folder_link)
}

pub(crate) fn folder_link(folder: &ToldFolder) -> Markup {
    html! { a .folder href={ "/?folder=" (folder.id) } dir="auto" { (folder.path) } }
}

/// Several folders, or that there is none.
pub(crate) fn folder_links(folders: &[ToldFolder]) -> Markup {
    html! {
        @if folders.is_empty() { span .quiet { "no folder" } }
        @for (index, folder) in folders.iter().enumerate() {
            @if index > 0 { ", " }
            (folder_link(folder))
        }
    }
}

/// Who wrote it, when, and because of which article.
pub(crate) fn origin(rule: &Told, now: Timestamp) -> Markup {
    html! {
        span .origin {
            "by " (author(rule.author.as_deref()))
            @if let Some(at) = rule.at { " " (when(at, now)) }
            @if let Some(cornerstone) = &rule.cornerstone {
                ", because of "
                @match cornerstone.article {
                    Some(article) => a href={ "/articles/" (article) } dir="auto" { (cornerstone.title) },
                    None => span dir="auto" { "“" (cornerstone.title) "”" },
                }
            }
            @if let Some(note) = &rule.note { ": " q dir="auto" { (note) } }
        }
    }
}

/// Whoever taught by these pages is whoever reads them.
pub(crate) fn author(author: Option<&str>) -> &str {
    match author {
        Some("web") => "you",
        Some(author) => author,
        None => "someone unknown",
    }
}

/// What it has been good for.
pub(crate) fn usage(usage: Option<&Usage>, now: Timestamp) -> Markup {
    let usage = usage.copied().unwrap_or_default();
    html! {
        span .usage {
            @if usage.fired == 0 { "never used" } @else {
                "decides " (plural(usage.concluded, "article"))
                @if usage.fired > usage.concluded { " of " (number(usage.fired)) }
            }
            @if usage.confirmed > 0 { " · confirmed " (times(usage.confirmed)) }
            @if usage.overturned > 0 { " · corrected " (times(usage.overturned)) }
            @if let Some(at) = usage.last_used { " · last used " (when(at, now)) }
        }
    }
}

fn times(n: u64) -> String {
    match n {
        1 => "once".into(),
        2 => "twice".into(),
        n => format!("{} times", number(n)),
    }
}
