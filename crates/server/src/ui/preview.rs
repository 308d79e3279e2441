//! What an address would be as a source, before anything is kept.

use super::add::address_form;
use super::icons::{Icon, icon};
use super::links::link;
use super::many;
use super::parts::{interval_choice, outward, when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::watching::{self, bare};
use crate::words::{advice, capitalised, plural};
use axum::response::Response;
use engine::Preview;
use maud::{Markup, html};
use model::{Outcome, SourceKind};
use page::Listing;
use url::Url;

const ARTICLES: usize = 20;

pub(crate) async fn show(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    if let Some(list) = fields.filled("many") {
        return many::show(&visitor, list).await;
    }
    let typed = fields.text("url");
    let url = match watching::address(typed) {
        Ok(url) => url,
        Err(problem) => return Ok(again(&visitor, typed, &capitalised(&problem.error), None)),
    };
    if let Some(known) = visitor.app.store().source_by_url(url.clone()).await? {
        let known = html! { p { a href={ "/sources/" (known.id) } { "Show that source" } } };
        return Ok(again(&visitor, typed, "This address is already watched.", Some(known)));
    }
    let selector = fields.filled("selector");
    if let Err(problem) = watching::check_selector(selector) {
        return Ok(again(&visitor, typed, &capitalised(&problem.error), None));
    }
    let preview = visitor.app.engine.preview(&url, selector).await;
    let content = match &preview.listing {
        Some(listing) => understood(&visitor, &url, selector, &preview, listing),
        None => not_read(&visitor, &url, &preview.outcome),
    };
    Ok(visitor.page(Tab::Add, "Preview", &content))
}

fn again(visitor: &Visitor, typed: &str, error: &str, more: Option<Markup>) -> Response {
    let content = html! {
        section .card.narrow {
            h1 { "Add a source" }
            (address_form(visitor, typed, Some(error)))
            @if let Some(more) = more { (more) }
        }
    };
    visitor.page(Tab::Add, "Add a source", &content)
}

fn not_read(visitor: &Visitor, url: &Url, outcome: &Outcome) -> Markup {
    let refused = matches!(outcome, Outcome::RefusedByGate { .. } | Outcome::RefusedByRobots { .. });
    html! {
        section .card.narrow {
            h1 { "It could not be read" }
            p .alarm role="alert" {
                (icon(Icon::Warning))
                span { strong { (capitalised(&outcome.to_string())) "." } " " (advice(outcome)) }
            }
            (address_form(visitor, url.as_str(), None))
            @if !refused {
                hr;
                p .quiet { "If you know that it will come back, you can watch it all the same." }
                form method="post" action="/sources" {
                    (visitor.hidden())
                    input type="hidden" name="url" value=(url);
                    button .button { "Watch it anyway" }
                }
            }
        }
    }
}

fn understood(
    visitor: &Visitor,
    url: &Url,
    selector: Option<&str>,
    preview: &Preview,
    listing: &Listing,
) -> Markup {
    let title = listing.title.as_deref().unwrap_or_else(|| bare(url));
    html! {
        div .reading {
            div {
                header .head {
                    p .quiet { "Preview: nothing is kept yet" }
                    h1 { (title) }
                    p .address { (outward(&preview.final_url, &html! { (preview.final_url) })) }
                    p .understood { (icon(Icon::Feed)) span { (sentence(listing)) } }
                    // On a telephone the form stands below the list.
                    a .button.primary.narrow-only href="#watch" { "Watch this" }
                    @for note in &listing.notes { p .note { (capitalised(note)) "." } }
                }
                (feeds(visitor, listing))
                (articles(visitor, listing))
            }
            aside #watch .card.facts {
                h2 { "Watch this" }
                form .stack method="post" action="/sources" {
                    (visitor.hidden())
                    input type="hidden" name="url" value=(url);
                    input type="hidden" name="selector" value=[selector];
                    label .field { span { "Title" } input type="text" name="title" maxlength="300" placeholder=(title); }
                    label .field { span { "Visit" } (interval_choice(None)) }
                    p .quiet { (rhythm(visitor)) }
                    button .button.primary { "Watch this" }
                }
                p .quiet { "Or " a href=(link("/watches/add", &[("url", Some(url.to_string()))])) { "watch a part of it" } ": a price, a table, a word." }
                @if !matches!(listing.kind, SourceKind::Feed | SourceKind::Sitemap) {
                    hr;
                    form .stack method="post" action="/sources/preview" {
                        (visitor.hidden())
                        input type="hidden" name="url" value=(url);
                        label .field {
                            span { "Not the right articles? Say where they are" }
                            input type="text" name="selector" value=[selector] placeholder=".headline a" maxlength="500"
                                spellcheck="false" autocapitalize="off";
                        }
                        button .button { "Look again" }
                    }
                }
            }
        }
    }
}

/// What was understood, in one sentence.
fn sentence(listing: &Listing) -> String {
    let found = plural(listing.articles.len() as u64, "article");
    match listing.kind {
        SourceKind::Feed => format!("A feed ({}) with {found}.", listing.format),
        SourceKind::ArticleList => format!("A page that lists {found}."),
        SourceKind::Sitemap if !listing.sitemaps.is_empty() => {
            format!("An index of {}.", plural(listing.sitemaps.len() as u64, "sitemap"))
        }
        SourceKind::Sitemap => format!("A sitemap with {found}."),
        SourceKind::Page => {
            "A plain page: it is watched for changes of its text. Add a watch to be told of them.".into()
        }
    }
}

/// When the first visit is, and what happens then.
fn rhythm(visitor: &Visitor) -> String {
    let first = visitor.app.engine.first_visit();
    let at = crate::words::relative(first.at, visitor.now);
    let at = if at == "just now" { "at once".to_owned() } else { at };
    format!("First visit {at}; then as you choose here, never faster than the site allows.")
}

fn feeds(visitor: &Visitor, listing: &Listing) -> Markup {
    html! {
        @if !listing.feeds.is_empty() {
            section .offer {
                p { strong { "This page offers " (plural(listing.feeds.len() as u64, "feed")) "." }
                    " A feed is lighter and more exact." }
                ul .plain {
                    @for feed in listing.feeds.iter().take(10) {
                        li {
                            form method="post" action="/sources/preview" {
                                (visitor.hidden())
                                input type="hidden" name="url" value=(feed.url);
                                button .button { (icon(Icon::Feed)) span { (feed.title.as_deref().unwrap_or_else(|| bare(&feed.url))) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn articles(visitor: &Visitor, listing: &Listing) -> Markup {
    html! {
        @if !listing.articles.is_empty() {
            h2 { "What it would bring" }
            ol .found {
                @for article in listing.articles.iter().take(ARTICLES) {
                    li {
                        (outward(&article.url, &html! {
                            @if article.title.is_empty() { (bare(&article.url)) } @else { (article.title) }
                        }))
                        @if let Some(at) = article.published_at { span .quiet { (when(at, visitor.now)) } }
                    }
                }
            }
            @if listing.articles.len() > ARTICLES {
                p .quiet { "and " (listing.articles.len() - ARTICLES) " more" }
            }
        }
    }
}
