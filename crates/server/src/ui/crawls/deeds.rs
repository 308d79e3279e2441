//! Deeds done to one crawl: stop, go on, forget, promote what it found.

use crate::access::csrf::Fields;
use crate::crawls;
use crate::problem::Problem;
use crate::ui::links::after;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use model::CrawlId;

pub(crate) async fn act(visitor: Visitor, Number(id): Number, sent: Fields) -> Result<Response, Trouble> {
    let app = &visitor.app;
    let id = CrawlId(id);
    let there = format!("/crawls/{id}");
    let done = match sent.text("deed") {
        "stop" => {
            crawls::stop(app, id).await?;
            "crawl_stopped"
        }
        "resume" => {
            crawls::resume(app, id, sent.filled("pages")).await?;
            "crawl_resumed"
        }
        "promote" => {
            crawls::promote(app, &sent).await?;
            "promoted"
        }
        "remove" => return confirm(&visitor, id).await,
        "remove_confirmed" => {
            crawls::remove(app, id).await?;
            return Ok(Redirect::to(&after("/crawls", "crawl_removed", None)).into_response());
        }
        _ => return Err(Problem::bad_request("there is no such deed").into()),
    };
    Ok(Redirect::to(&after(&there, done, None)).into_response())
}

async fn confirm(visitor: &Visitor, id: CrawlId) -> Result<Response, Trouble> {
    let crawl = visitor.app.store().crawl(id).await?;
    let content = html! {
        section .card.narrow {
            h1 { "Forget this crawl?" }
            p { "Crawl " (id) " on " span dir="auto" { (crawl.topic) } ": "
                (crate::words::plural(crawl.fetched, "page")) " read. They are forgotten with it; files it wrote stay, and so do sources you took over. This cannot be undone." }
            form .actions method="post" action={ "/crawls/" (id) } {
                (visitor.hidden())
                button .button.danger name="deed" value="remove_confirmed" { "Forget it" }
                a .button href={ "/crawls/" (id) } { "Keep it" }
            }
        }
    };
    Ok(visitor.page(Tab::Discover, "Forget a crawl", &content))
}
