//! Topics: what crawls look for.

mod add;
mod deeds;
mod graph;
mod one;

pub(crate) use add::{add, ask};
pub(crate) use deeds::{act, export};
pub(crate) use one::show;

use super::icons::{Icon, icon};
use super::parts::when;
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::topics;
use crate::words::number;
use axum::response::Response;
use maud::{Markup, html};
use store::StoredTopic;
use url::form_urlencoded;

/// The pages about discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Crawls,
    Topics,
}

/// The ways between them.
pub(crate) fn sections(current: Section) -> Markup {
    let entry = |section: Section, href: &str, name: &str| {
        html! { a href=(href) aria-current=[(section == current).then_some("page")] { (name) } }
    };
    html! {
        nav .sections aria-label="About discovery" {
            (entry(Section::Crawls, "/crawls", "Crawls"))
            (entry(Section::Topics, "/topics", "Topics"))
        }
    }
}

/// The address of a topic's page.
pub(crate) fn topic_path(name: &str) -> String {
    let escaped: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("/topics/{}", escaped.replace('+', "%20"))
}

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    let topics = topics::all(&visitor.app).await?;
    let content = html! {
        (sections(Section::Topics))
        div .head {
            h1 { "Topics" }
            p .quiet { "A topic is what a crawl looks for: classes, how they hang together, and the words that stand for them. Crawls teach it more." }
            div .actions { a .button.primary href="/topics/add" { (icon(Icon::Plus)) span { "Add a topic" } } }
        }
        section .card { (table(&visitor, &topics)) }
    };
    Ok(visitor.page(Tab::Discover, "Topics", &content))
}

fn table(visitor: &Visitor, topics: &[StoredTopic]) -> Markup {
    html! {
        table .cards.compact.topics {
            thead { tr { th { "Topic" } th .number { "Classes" } th .number { "Words" } th { "Learned" } th { "Changed" } } }
            tbody {
                @for stored in topics {
                    @let topic = stored.topic();
                    @let words = |topic: &discovery::ontology::Topic| topic.ontology.classes().iter().map(|class| class.entries.len()).sum::<usize>() as u64;
                    tr {
                        td .name { a href=(topic_path(&topic.name)) dir="auto" { (topic.name) } }
                        td .number data-label="Classes" { (number(topic.ontology.classes().len() as u64)) }
                        td .number data-label="Words" { (number(words(topic))) }
                        td data-label="Learned" {
                            @match words(topic).saturating_sub(words(&stored.given)) {
                                0 => span .quiet { "–" },
                                n => (crate::words::plural(n, "new word")),
                            }
                        }
                        td data-label="Changed" { (when(stored.changed_at, visitor.now)) }
                    }
                }
            }
        }
    }
}
