//! The review queue: articles that are filed, but hold words that speak for another folder.

use super::articles::headline;
use super::parts::{empty, when};
use super::refiling;
use super::rules::sentence::{field_word, folder_link};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use super::why::confirm;
use crate::reviewing::{Doubt, Found, Reason};
use crate::words::{number, plural};
use axum::response::Response;
use maud::{Markup, html};
use model::Article;
use store::StoreError;

/// More than these are for another day.
const SHOWN: usize = 50;
/// More new words than these say nothing more.
const WORDS: usize = 12;

pub(crate) async fn queue(visitor: Visitor) -> Result<Response, Trouble> {
    let (found, looking) = visitor.app.reviewing.ask(&visitor.app).await?;
    let found = found.as_deref();
    let content = html! {
        div .section-head {
            h1 { "Review" }
            @if looking { span .quiet role="status" { "Looking through the newest articles…" } }
        }
        (refiling::progress(&visitor).await?)
        section #queue data-live aria-label="Articles to review" {
            @match found {
                Some(found) if !found.articles.is_empty() => (list(&visitor, found).await?),
                found => (nothing(found, looking)),
            }
        }
    };
    Ok(visitor.page(Tab::Review, "Review", &content))
}

async fn list(visitor: &Visitor, found: &Found) -> Result<Markup, StoreError> {
    let mut shown: Vec<(Article, &Doubt)> = Vec::new();
    for doubt in found.articles.iter().take(SHOWN) {
        match visitor.app.store().article(doubt.article).await {
            Ok(detail) => shown.push((detail.article, doubt)),
            Err(StoreError::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(html! {
        p .quiet {
            (number(found.articles.len() as u64)) " of the newest " (plural(found.looked_at as u64, "filed article"))
            ": with words that speak for another folder and are new to the rule that filed it."
        }
        div .list { @for (article, doubt) in &shown { (one(visitor, article, doubt)) } }
        @if found.articles.len() > SHOWN { p .quiet { "and " (found.articles.len() - SHOWN) " more" } }
    })
}

fn one(visitor: &Visitor, article: &Article, doubt: &Doubt) -> Markup {
    html! {
        article .item.doubt id={ "a" (article.id) } data-id=(article.id) {
            div .says {
                h2 { a .title href={ "/articles/" (article.id) } dir="auto" { (headline(article)) } }
                @for reason in &doubt.reasons { (why(reason)) }
                p .meta { span .from { (article.source_title) } span { (when(article.first_seen_at, visitor.now)) } }
            }
            div .actions {
                (confirm(visitor, article.id, "/review"))
                a .button href={ "/articles/" (article.id) "/teach" } { "Correct it…" }
            }
        }
    }
}

fn why(reason: &Reason) -> Markup {
    html! {
        p .reason {
            "In " (folder_link(&reason.folder)) " by " a href={ "/rules/" (reason.rule) } { "rule " (reason.rule) }
            ", never before with "
            @for (index, (field, word)) in reason.words.iter().take(WORDS).enumerate() {
                @if index > 0 { ", " }
                b .word dir="auto" title={ "in the " (field_word(*field)) } { "“" (word) "”" }
            }
            @if reason.words.len() > WORDS { " and " (reason.words.len() - WORDS) " more" }
        }
    }
}

fn nothing(found: Option<&Found>, looking: bool) -> Markup {
    let action = html! { a .button href="/?folder=unfiled" { "Unfiled articles" } };
    match found {
        None if looking => empty(
            "Looking through the newest articles",
            "What had better be looked at appears here by itself.",
            &html! {},
        ),
        Some(found) if found.looked_at > 0 => empty(
            "Nothing to review",
            "No newly filed article holds words that speak for another folder.",
            &action,
        ),
        _ => empty(
            "Nothing is filed yet",
            "Once rules file articles, those that hold words new to their rule appear here.",
            &action,
        ),
    }
}
