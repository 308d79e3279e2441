//! The pages a crawl found, with the evidence for each.

use super::topic_link;
use crate::crawls;
use crate::ui::links::link;
use crate::ui::parts::{empty, outward, when};
use crate::ui::shell::Tab;
use crate::ui::topics::{Section, sections};
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use crate::words::{number, plural};
use axum::response::Response;
use maud::{Markup, html};
use model::CrawlId;
use store::{CrawlPage, CrawlPageFilter};

/// Pages on one screen.
const LISTED: usize = 50;
/// Words of evidence for one page.
const WORDS: usize = 8;

pub(crate) async fn pages(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let store = visitor.app.store();
    let crawl = store.crawl(CrawlId(id)).await?;
    let search = visitor.query.filled("q").map(str::to_owned);
    let all = visitor.query.text("all") == "1";
    let offset: usize = visitor.query.text("from").parse().unwrap_or(0);
    let filter =
        CrawlPageFilter { search: search.clone(), all, offset, limit: LISTED + 1, ..Default::default() };
    let mut found = store.crawl_pages(crawl.id, filter).await?;
    let more = found.len() > LISTED;
    found.truncate(LISTED);
    let here = format!("/crawls/{id}/pages");
    let next = |from: usize| {
        let pairs =
            [("q", search.clone()), ("all", all.then(|| "1".into())), ("from", Some(from.to_string()))];
        link(&here, &pairs)
    };
    let content = html! {
        (sections(Section::Crawls))
        div .head {
            h1 { "Pages of crawl " (id) }
            p .quiet { "On " (topic_link(&crawl.topic)) ": " (number(crawl.relevant)) " of " (plural(crawl.fetched, "page")) " read. "
                a href={ "/crawls/" (id) } { "Back to the crawl" } }
            form .search method="get" action=(here) role="search" {
                input type="search" name="q" value=(search.as_deref().unwrap_or_default()) placeholder="Search the pages" aria-label="Search" maxlength="200";
                @if all { input type="hidden" name="all" value="1"; }
                button .button { "Search" }
            }
        }
        section .card {
            @if found.is_empty() {
                (empty("Nothing here", if search.is_some() { "No page on the topic has all these words." } else { "No page on the topic has been found yet." },
                    &html! { @if !all { a .button href=(link(&here, &[("all", Some("1".into()))])) { "Show pages off the topic, too" } } }))
            } @else {
                (table(&visitor, id, &found))
                p .note {
                    @if offset > 0 { a href=(next(offset.saturating_sub(LISTED))) { "Better ones" } " · " }
                    @if more { a href=(next(offset + LISTED)) { "The next " (LISTED) } " · " }
                    @if all { a href=(link(&here, &[("q", search.clone())])) { "Only pages on the topic" } }
                    @else { a href=(link(&here, &[("q", search.clone()), ("all", Some("1".into()))])) { "Pages off the topic, too" } }
                }
            }
        }
    };
    Ok(visitor.page(Tab::Discover, "Pages", &content))
}

/// Pages with score and evidence.
pub(super) fn table(visitor: &Visitor, crawl: i64, pages: &[CrawlPage]) -> Markup {
    html! {
        table .cards.compact.crawl-pages {
            thead { tr { th { "Page" } th .number { "Score" } th { "Because of" } th { "Found by" } th { "Read" } } }
            tbody {
                @for page in pages {
                    tr {
                        td .name {
                            (outward(&page.url, &html! { span dir="auto" { (page.title.as_deref().unwrap_or(page.url.as_str())) } }))
                            span .why.address { (page.url.as_str()) }
                        }
                        td .number data-label="Score" {
                            (format!("{:.2}", page.score))
                            @if !page.on_topic { span .why { "Off topic" } }
                        }
                        td data-label="Because of" { (evidence(page)) }
                        td data-label="Found by" {
                            @match &page.parent_url {
                                Some(parent) => {
                                    span dir="auto" { (if page.anchor.is_empty() { "a link without text" } else { page.anchor.as_str() }) }
                                    span .why.address { (parent) }
                                },
                                None => span .quiet { "A seed" },
                            }
                            a .why href=(link(&format!("/crawls/{crawl}/explain"), &[("url", Some(page.url.to_string()))])) { "Why" }
                        }
                        td data-label="Read" { (when(page.fetched_at, visitor.now)) }
                    }
                }
            }
        }
    }
}

fn evidence(page: &CrawlPage) -> Markup {
    let more = page.evidence.len().saturating_sub(WORDS);
    html! {
        span .words {
            @if page.evidence.is_empty() { span .quiet { "No word of the topic" } }
            @for found in page.evidence.iter().take(WORDS) {
                span .word title={ (found.class) ", weight " (format!("{:.2}", found.weight)) } dir="auto" { (found.word) @if found.count > 1 { " × " (found.count) } } " "
            }
            @if more > 0 { span .quiet { "and " (more) " more" } }
        }
    }
}

/// All that is known about one URL of a crawl.
pub(crate) async fn explain(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let id = CrawlId(id);
    let story = crawls::explain(&visitor.app, id, visitor.query.text("url")).await?;
    let content = html! {
        (sections(Section::Crawls))
        div .head {
            h1 { "Why this page" }
            p .address { (outward(&story.url.url, &html! { (story.url.url.as_str()) })) }
            p .quiet { a href={ "/crawls/" (id) } { "Back to the crawl" } }
        }
        section .card {
            h2 { "The way there" }
            ol .way {
                @for step in story.way.iter().chain([&story.url]) {
                    li {
                        @if step.parent.is_some() { span dir="auto" { @if step.anchor.trim().is_empty() { "A link without text" } @else { "“" (step.anchor) "”" } } " → " } @else { "Seed: " }
                        span .address { (step.url.as_str()) }
                    }
                }
            }
        }
        @if let Some(why) = &story.why { section .card { h2 { "What it seems worth" } p { (super::one::breakdown(why)) } } }
        section .card {
            h2 { "The page" }
            @match &story.page {
                Some(page) => {
                    (table(&visitor, id.0, std::slice::from_ref(page)))
                    @if let Some(why) = &story.url.why { p .quiet { "It is not kept: " (why) "." } }
                },
                None => p .quiet { "It has not been read" @if let Some(why) = &story.url.why { ": " (why) } "." },
            }
        }
    };
    Ok(visitor.page(Tab::Discover, "Why this page", &content))
}
