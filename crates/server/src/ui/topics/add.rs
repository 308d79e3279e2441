//! Adding a topic: from words, from an ontology, or one that comes with the program.

use super::{Section, sections, topic_path};
use crate::access::csrf::Fields;
use crate::problem::Problem;
use crate::topics::{self, TopicWish};
use crate::ui::links::after;
use crate::ui::parts::refusal;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::html;

pub(crate) async fn ask(visitor: Visitor) -> Result<Response, Trouble> {
    Ok(page(&visitor, &Fields::default(), None))
}

pub(crate) async fn add(visitor: Visitor, sent: Fields) -> Result<Response, Trouble> {
    let wish = match sent.text("from") {
        "shipped" => TopicWish::Shipped(sent.text("shipped").to_owned()),
        "ontology" => TopicWish::Ontology {
            name: sent.text("name").to_owned(),
            text: sent.raw("ontology").to_owned(),
            class: sent.filled("class").map(str::to_owned),
        },
        _ => TopicWish::Words { name: sent.text("name").to_owned(), words: sent.raw("words").to_owned() },
    };
    match topics::add(&visitor.app, wish).await {
        Ok(name) => Ok(Redirect::to(&after(&topic_path(&name), "topic_added", None)).into_response()),
        Err(problem) if problem.status.is_client_error() => Ok(page(&visitor, &sent, Some(&problem))),
        Err(problem) => Err(problem.into()),
    }
}

fn page(visitor: &Visitor, sent: &Fields, problem: Option<&Problem>) -> Response {
    let chosen = |from: &str| sent.text("from") == from;
    let name = || {
        html! {
            label .field {
                span { "Name" }
                input type="text" name="name" required maxlength="120" value=(sent.text("name")) placeholder="Railways" autocomplete="off";
            }
        }
    };
    let content = html! {
        (sections(Section::Topics))
        div .head { h1 { "Add a topic" } }
        @if let Some(problem) = problem { (refusal(problem)) }
        div .ways {
            section .card {
                h2 { "From words" }
                p .quiet { "Words and phrases that pages on the topic use, separated by commas or lines. A crawl finds more by itself." }
                form method="post" action="/topics" {
                    (visitor.hidden())
                    input type="hidden" name="from" value="words";
                    (name())
                    label .field {
                        span { "Words" }
                        textarea name="words" rows="4" maxlength="20000" required placeholder="locomotive, steam engine, railway station" { (if chosen("words") { sent.raw("words") } else { "" }) }
                    }
                    div .actions { button .button.primary { "Make the topic" } }
                }
            }
            section .card {
                h2 { "That comes with Ripplewatch" }
                form method="post" action="/topics" {
                    (visitor.hidden())
                    input type="hidden" name="from" value="shipped";
                    @for topic in discovery::ontology::shipped() {
                        label .choice {
                            input type="radio" name="shipped" value=(topic.name) required;
                            span { strong { (topic.name) } span .why { (crate::words::plural(topic.ontology.classes().len() as u64, "class")) } }
                        }
                    }
                    div .actions { button .button.primary { "Take it" } }
                }
            }
            section .card {
                h2 { "From an ontology" }
                p .quiet { "Turtle, RDF/XML or SKOS, as other programs write it." }
                form method="post" action="/topics" {
                    (visitor.hidden())
                    input type="hidden" name="from" value="ontology";
                    (name())
                    label .field {
                        span { "Class to look for" }
                        input type="text" name="class" maxlength="200" value=(sent.text("class")) placeholder="Like the name" autocomplete="off";
                    }
                    label .field {
                        span { "Ontology" }
                        textarea name="ontology" rows="8" required spellcheck="false" { (if chosen("ontology") { sent.raw("ontology") } else { "" }) }
                    }
                    div .actions { button .button.primary { "Import it" } }
                }
            }
        }
    };
    let mut response = visitor.page(Tab::Discover, "Add a topic", &content);
    *response.status_mut() = problem.map_or(StatusCode::OK, |problem| problem.status);
    response
}
