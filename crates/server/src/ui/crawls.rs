//! Crawls: finding pages on a topic, and what of them is worth watching.

mod deeds;
mod one;
mod pages;
mod start;

pub(crate) use deeds::act;
pub(crate) use one::show;
pub(crate) use pages::{explain, pages};
pub(crate) use start::{ask, begin};

use super::icons::{Icon, icon};
use super::parts::{empty, when};
use super::shell::Tab;
use super::topics::{Section, sections, topic_path};
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::words::{capitalised, number};
use axum::response::Response;
use maud::{Markup, html};
use store::{CrawlInfo, CrawlPhase};

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    let crawls = visitor.app.store().crawls().await?;
    let content = html! {
        (sections(Section::Crawls))
        div .head {
            h1 { "Crawls" }
            p .quiet { "A crawl starts from a few pages, follows links towards a topic, and finds sources worth watching." }
            div .actions { a .button.primary href="/crawls/start" { (icon(Icon::Plus)) span { "Start a crawl" } } }
        }
        div #crawls data-live {
            @if crawls.is_empty() {
                section .list {
                    (empty("No crawls yet", "Choose a topic, paste a few addresses to begin with, and say how many pages to read.",
                        &html! { a .button.primary href="/crawls/start" { "Start a crawl" } }))
                }
            } @else {
                section .card { (table(&visitor, &crawls)) }
            }
        }
    };
    Ok(visitor.page(Tab::Discover, "Crawls", &content))
}

fn table(visitor: &Visitor, crawls: &[CrawlInfo]) -> Markup {
    html! {
        table .cards.compact.crawls {
            thead {
                tr { th { "Crawl" } th { "State" } th .number { "Pages" } th .number { "On topic" } th .number { "Harvest" } th { "Started" } }
            }
            tbody {
                @for crawl in crawls {
                    tr {
                        td .name {
                            a href={ "/crawls/" (crawl.id) } dir="auto" { (crawl.topic) }
                            span .why { (crawl.settings.strategy) ", crawl " (crawl.id) }
                        }
                        td data-label="State" { (phase(crawl)) }
                        td .number data-label="Pages" { (number(crawl.fetched)) " of " (number(u64::from(crawl.settings.pages))) }
                        td .number data-label="On topic" { (number(crawl.relevant)) }
                        td .number data-label="Harvest" { (percent(crawl.harvest())) }
                        td data-label="Started" { (when(crawl.created_at, visitor.now)) }
                    }
                }
            }
        }
    }
}

/// Whether a crawl runs: a drawing and a word, and why not if it does not.
fn phase(crawl: &CrawlInfo) -> Markup {
    let (drawing, class, word) = match crawl.phase {
        CrawlPhase::Running => (Icon::Dot, "ok", "Running"),
        CrawlPhase::Paused => (Icon::Warning, "late", "Waiting"),
        CrawlPhase::Stopped => (Icon::Pause, "paused", "Stopped"),
        CrawlPhase::Finished if crawl.fetched == 0 => (Icon::Warning, "failing", "Failed"),
        CrawlPhase::Finished => (Icon::Check, "ok", "Finished"),
    };
    html! {
        span class={ "standing " (class) } { (icon(drawing)) (word) }
        @if !crawl.why.is_empty() { span .why { (capitalised(&crawl.why)) } }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A link to the topic, for as long as it exists.
fn topic_link(name: &str) -> Markup {
    html! { a href=(topic_path(name)) dir="auto" { (name) } }
}
