//! One article.

use super::articles::{headline, marks};
use super::icons::{Icon, icon};
use super::links::{after, local};
use super::marked::Marked;
use super::parts::{outward, when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::{Number, Visitor};
use super::why::Why;
use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::words::{advice, body_state, capitalised};
use axum::extract::State;
use axum::response::{Redirect, Response};
use knowledge::Field;
use maud::{Markup, html};
use model::{ArticleId, BodyState};
use store::{ArticleDetail, Marks};

pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let detail = visitor.app.store().article(ArticleId(id)).await?;
    let article = &detail.article;
    let why = Why::load(&visitor, article.id).await?;
    let title = if article.title.trim().is_empty() {
        html! { (headline(article)) }
    } else {
        why.marked.line(Field::Title, &article.title)
    };
    let content = html! {
        (super::teach::learned(&visitor))
        div .reading {
            article .story data-id=(article.id) data-read[article.read] data-starred[article.starred] data-open {
                p .meta {
                    span .from { (article.source_title) }
                    (when(article.published_at.unwrap_or(article.first_seen_at), visitor.now))
                }
                h1 lang=[article.language.as_deref()] dir="auto" { (outward(&article.url, &title)) }
                div .actions {
                    (marks(&visitor, article))
                    span .button-like { (outward(&article.url, &html! { (icon(Icon::Leave)) "Read the original" })) }
                }
                div .text lang=[article.language.as_deref()] { (text(&detail, &why.marked)) }
            }
            div .beside {
                (why.show(&visitor, article.id))
                (facts(&visitor, &detail))
            }
        }
    };
    Ok(visitor.page(Tab::Articles, headline(article), &content))
}

fn text(detail: &ArticleDetail, marked: &Marked) -> Markup {
    let paragraphs = marked.paragraphs(Field::Body, detail.text.as_deref().unwrap_or_default());
    html! {
        @if paragraphs.is_empty() {
            @if let Some(summary) = &detail.article.summary { p dir="auto" { (summary) } }
            p .note {
                (body_state(detail.article.body))
                @if let Some(outcome) = detail.body_outcome.as_ref().filter(|outcome| !outcome.is_success()) {
                    " " (capitalised(&outcome.to_string())) ". " (advice(outcome))
                }
            }
        }
        @for paragraph in paragraphs { p dir="auto" { (paragraph) } }
    }
}

fn facts(visitor: &Visitor, detail: &ArticleDetail) -> Markup {
    let article = &detail.article;
    let page = match (&detail.body_outcome, article.body) {
        (_, BodyState::Waiting) => "waiting to be read".to_owned(),
        (_, BodyState::Read) => "read".to_owned(),
        (Some(outcome), BodyState::Missing) => format!("missing: {outcome}"),
        (None, BodyState::Missing) => "not read".to_owned(),
    };
    html! {
        aside .facts.card aria-label="Facts" {
            dl {
                dt { "Published" }
                dd {
                    @match article.published_at {
                        Some(at) => (when(at, visitor.now)),
                        None => span .quiet { "the site does not say" },
                    }
                }
                dt { "First seen" }
                dd { (when(article.first_seen_at, visitor.now)) }
                @if let Some(language) = &article.language { dt { "Language" } dd { (language) } }
                dt { "Its page" }
                dd { (page) }
                dt { "Listed by" }
                dd {
                    @if detail.listed_by.is_empty() { span .quiet { "sources that are no longer watched" } }
                    ul .plain {
                        @for listed in &detail.listed_by {
                            li {
                                a href={ "/sources/" (listed.source_id) } { (listed.title) }
                                br;
                                span .quiet { (when(listed.first_seen_at, visitor.now)) ", visit " (listed.visit_id) }
                            }
                        }
                    }
                }
                @if detail.page_kept {
                    dt { "As fetched" }
                    dd { a href={ "/api/v1/articles/" (article.id) "/page" } { "stored page as text" } }
                }
                @if !detail.notes.is_empty() {
                    dt { "Notes" }
                    dd { ul .plain { @for note in &detail.notes { li { (note) } } } }
                }
                dt { "Address" }
                dd .address { (outward(&article.url, &html! { (article.url) })) }
            }
        }
    }
}

pub(crate) async fn mark(
    State(app): State<App>,
    Number(id): Number,
    fields: Fields,
) -> Result<Redirect, Trouble> {
    let wanted = |name: &str| match fields.text(name) {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    };
    let marks = Marks { read: wanted("read"), starred: wanted("starred") };
    let done = match marks {
        Marks { starred: Some(true), .. } => "starred",
        Marks { starred: Some(false), .. } => "unstarred",
        Marks { read: Some(true), .. } => "read",
        Marks { read: Some(false), .. } => "unread",
        Marks { read: None, starred: None } => return Err(Problem::bad_request("no mark was chosen").into()),
    };
    app.store().mark_articles(vec![ArticleId(id)], marks).await?;
    app.changed();
    Ok(Redirect::to(&after(fields.text("back"), done, None)))
}

pub(crate) async fn mark_all_read(State(app): State<App>, fields: Fields) -> Result<Redirect, Trouble> {
    let up_to = fields.text("up_to").parse().map_err(|_| Problem::bad_request("up to which article?"))?;
    let n = app.store().mark_read_up_to(up_to).await?;
    app.changed();
    Ok(Redirect::to(&after(local(fields.text("back")), "all_read", Some(n))))
}

/// A person says that the article is filed rightly.
pub(crate) async fn confirm(
    State(app): State<App>,
    Number(id): Number,
    fields: Fields,
) -> Result<Redirect, Trouble> {
    // Of an article that is gone nothing can be said.
    app.store().article(ArticleId(id)).await?;
    app.store().confirm_filing(ArticleId(id), app.now()).await?;
    app.reviewing.forget(ArticleId(id));
    app.changed();
    Ok(Redirect::to(&after(fields.text("back"), "confirmed", None)))
}
