//! Starting a crawl.

use crate::access::csrf::Fields;
use crate::crawls::{self, CrawlForm};
use crate::problem::Problem;
use crate::topics;
use crate::ui::links::after;
use crate::ui::parts::refusal;
use crate::ui::shell::Tab;
use crate::ui::topics::{Section, sections};
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use axum::response::{IntoResponse, Redirect, Response};
use discovery::crawl::StrategyName;
use http::StatusCode;
use maud::{Markup, html};

pub(crate) async fn ask(visitor: Visitor) -> Result<Response, Trouble> {
    let form = CrawlForm { topic: visitor.query.text("topic").to_owned(), ..CrawlForm::default() };
    page(&visitor, &form, None).await
}

pub(crate) async fn begin(visitor: Visitor, sent: Fields) -> Result<Response, Trouble> {
    let form = CrawlForm {
        topic: sent.text("topic").to_owned(),
        seeds: sent.raw("seeds").to_owned(),
        pages: sent.text("pages").to_owned(),
        depth: sent.text("depth").to_owned(),
        strategy: sent.text("strategy").to_owned(),
        allowed: sent.text("allowed").to_owned(),
        forbidden: sent.text("forbidden").to_owned(),
        learning: sent.text("learning") == "on",
    };
    match crawls::start(&visitor.app, &form).await {
        Ok(id) => Ok(Redirect::to(&after(&format!("/crawls/{id}"), "crawl_started", None)).into_response()),
        Err(problem) if problem.status.is_client_error() => page(&visitor, &form, Some(&problem)).await,
        Err(problem) => Err(problem.into()),
    }
}

async fn page(visitor: &Visitor, form: &CrawlForm, problem: Option<&Problem>) -> Result<Response, Trouble> {
    let topics = topics::all(&visitor.app).await?;
    let content = html! {
        (sections(Section::Crawls))
        section .card.narrow {
            h1 { "Start a crawl" }
            @if let Some(problem) = problem { (refusal(problem)) }
            p .quiet { a href="/topics/add" { "Another topic" } }
                form method="post" action="/crawls" {
                    (visitor.hidden())
                    label .field {
                        span { "Topic" }
                        select name="topic" required {
                            @for stored in &topics {
                                @let name = &stored.given.name;
                                option value=(name) selected[*name == form.topic] { (name) }
                            }
                        }
                    }
                    label .field {
                        span { "Begin with" }
                        textarea name="seeds" rows="4" required spellcheck="false" placeholder="https://example.org/railways" { (form.seeds) }
                        small { "Addresses of a few good pages on the topic, one a line. Their hosts' sitemaps are read, too." }
                    }
                    label .field {
                        span { "Pages to read" }
                        input type="number" name="pages" min="1" max="100000000" required value=(form.pages);
                    }
                    label .field { span { "Strategy" } (strategies(form)) }
                    details {
                        summary { "Limits" }
                        label .field {
                            span { "Links in a row from the beginning" }
                            input type="number" name="depth" min="0" max="60000" required value=(form.depth);
                        }
                        label .field {
                            span { "Only these hosts" }
                            input type="text" name="allowed" value=(form.allowed) spellcheck="false" placeholder="example.org, example.com";
                            small { "And what is under them. Empty: any host." }
                        }
                        label .field {
                            span { "Never these hosts" }
                            input type="text" name="forbidden" value=(form.forbidden) spellcheck="false";
                        }
                        label .choice {
                            input type="checkbox" name="learning" value="on" checked[form.learning];
                            span { "Learn from what is found" span .why { "The topic gets new words and better weights; each can be undone." } }
                        }
                    }
                    div .actions { button .button.primary { "Start" } a .button href="/crawls" { "Cancel" } }
                }
        }
    };
    let mut response = visitor.page(Tab::Discover, "Start a crawl", &content);
    *response.status_mut() = problem.map_or(StatusCode::OK, |problem| problem.status);
    Ok(response)
}

fn strategies(form: &CrawlForm) -> Markup {
    html! {
        select name="strategy" {
            @for name in StrategyName::ALL.into_iter().rev() {
                option value=(name) selected[name.word() == form.strategy] { (in_words(name)) }
            }
        }
    }
}

/// What a strategy does, in a few words.
fn in_words(name: StrategyName) -> &'static str {
    match name {
        StrategyName::Ontology => "Ontology that learns (best)",
        StrategyName::OntologyFixed => "Ontology as given (Ehrig 2003)",
        StrategyName::QLearning => "Q-learning (Rennie 1999)",
        StrategyName::Tunnelling => "Rules with tunnelling (Altingövde 2004)",
        StrategyName::ContextGraph => "Context graph (Diligenti 2000)",
        StrategyName::Distiller => "Classifier and distiller (Chakrabarti 1999)",
        StrategyName::SharkSearch => "Shark-Search (Hersovici 1998)",
        StrategyName::FishSearch => "Fish-Search (De Bra 1994)",
        StrategyName::PageRank => "Most linked first (PageRank)",
        StrategyName::Keyword => "Words of the linking page first",
        StrategyName::BreadthFirst => "In the order of discovery",
    }
}
