//! One source: how it does, what it brought, what to change.

mod expected;

use super::articles::item;
use super::chart::visits_chart;
use super::filed::{self, Filed};
use super::icons::{Icon, icon};
use super::links::{after, link};
use super::parts::{deed, interval_choice, maybe_when, outward, standing, when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::{Number, Visitor};
use super::watches;
use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::watching::{self, Standing, name_of, seconds};
use crate::words::{advice, bytes, capitalised, number, plural, span_words, took};
use axum::extract::State;
use axum::response::{Redirect, Response};
use maud::{Markup, html};
use model::{Source, SourceId, Visit};
use std::time::Duration;
use store::{ArticleFilter, SourceEdit};

const VISITS_CHARTED: usize = 60;
const VISITS_LISTED: usize = 15;
const ARTICLES: usize = 10;
const COVERED: usize = 12;

pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let id = SourceId(id);
    let store = visitor.app.store();
    let source = store.source(id).await?;
    let visits = store.visits_of(id, VISITS_CHARTED).await?;
    let filter = ArticleFilter { source: Some(id), limit: ARTICLES, ..ArticleFilter::default() };
    let articles = store.articles_page(filter).await?;
    let folders = filed::folders(&visitor.app).await?;
    let filed = Filed::load(&visitor.app, folders, &articles.articles).await?;
    let covers = covers(&visitor, id).await?;
    let watches = watches::of_source(&visitor, id).await?;
    let expected = expected::expected(&visitor, &source).await?;
    let all = link("/", &[("source", Some(id.to_string()))]);
    let content = html! {
        header .head {
            h1 { (name_of(&source)) }
            p .address { (outward(&source.url, &html! { (source.url) (icon(Icon::Leave)) })) }
            div .actions {
                (deed(&visitor, id, "visit", "Visit now", "primary"))
                @if source.paused { (deed(&visitor, id, "resume", "Resume", "")) }
                @else { (deed(&visitor, id, "pause", "Pause", "")) }
                a .button href="#edit" { "Edit" }
                (deed(&visitor, id, "remove", "Remove…", "danger"))
            }
        }
        div #source data-live {
            (facts(&visitor, &source))
            (covers)
            (watches)
            (expected)
            section .card {
                h2 { "Visits" }
                @if visits.is_empty() {
                    p .note { "Not visited yet. The first visit is on its way." }
                } @else {
                    @if visits.len() > 1 { (visits_chart(&visits)) }
                    (visit_table(&visitor, &visits))
                }
            }
            section {
                div .section-head {
                    h2 { "Newest articles" }
                    @if articles.next.is_some() { a href=(all) { "All " (number(source.state.articles)) } }
                }
                @if articles.articles.is_empty() {
                    p .note { "None yet." }
                } @else {
                    div .list { @for article in &articles.articles { (item(&visitor, article, false, &filed)) } }
                }
            }
        }
        (edit_form(&visitor, &source))
    };
    Ok(visitor.page(Tab::Sources, name_of(&source), &content))
}

/// The folders it has articles in.
async fn covers(visitor: &Visitor, id: SourceId) -> Result<Markup, Trouble> {
    let folders = filed::folders(&visitor.app).await?;
    let mut covered = visitor.app.store().covered_by(id).await?;
    covered.retain(|(folder, articles)| *articles > 0 && folders.get(*folder).is_some());
    let more = covered.len().saturating_sub(COVERED);
    Ok(html! {
        @if !covered.is_empty() {
            p .chips.covers {
                "Covers"
                @for (folder, articles) in covered.iter().take(COVERED) {
                    a .chip.filed href={ "/folders/" (folder) } dir="auto" {
                        (folders.path(*folder)) " " span .quiet { "(" (number(u64::from(*articles))) ")" }
                    }
                }
                @if more > 0 { span { "and " (plural(more as u64, "more folder")) } }
            }
        }
    })
}

fn facts(visitor: &Visitor, source: &Source) -> Markup {
    let state = &source.state;
    let failed = state.last_outcome.as_ref().filter(|outcome| !outcome.is_success());
    html! {
        @if let Some(outcome) = failed {
            p .alarm role="alert" {
                (icon(Icon::Warning))
                span {
                    strong { (capitalised(&outcome.to_string())) "." } " "
                    @if state.failures > 1 { (plural(u64::from(state.failures), "failure")) " in a row. " }
                    (advice(outcome))
                }
            }
        }
        dl .tiles {
            div { dt { "State" } dd { (standing(Standing::of(source, &visitor.app))) } }
            div {
                dt { "Next visit" }
                dd {
                    (maybe_when(state.next_at, visitor.now, "Not planned"))
                    span .why { (capitalised(&state.next_reason)) }
                }
            }
            div { dt { "Last visit" } dd { (maybe_when(state.last_visit_at, visitor.now, "Never")) } }
            div { dt { "Last new article" } dd { (maybe_when(state.last_new_at, visitor.now, "None yet")) } }
            div { dt { "Articles" } dd { (number(state.articles)) } }
            div {
                dt { "Kind" }
                dd { (source.kind.map_or("Not known yet".into(), |kind| capitalised(&kind.to_string()))) }
            }
            div {
                dt { "Interval" }
                dd { (source.interval.map_or("Ripplewatch decides".into(), |every| format!("Every {}", span_words(every)))) }
            }
            div { dt { "Watched since" } dd { (when(source.added_at, visitor.now)) } }
        }
    }
}

fn visit_table(visitor: &Visitor, visits: &[Visit]) -> Markup {
    html! {
        table .cards.compact {
            thead {
                tr {
                    th { "When" } th { "Outcome" } th .number { "New" } th .number { "Listed" }
                    th .number { "Size" } th .number { "Took" } th { "Why" }
                }
            }
            tbody {
                @for visit in visits.iter().take(VISITS_LISTED) {
                    tr {
                        td .name { (when(visit.at, visitor.now)) }
                        td data-label="Outcome" {
                            span .bad[!visit.outcome.is_success()] {
                                @if !visit.outcome.is_success() { (icon(Icon::Warning)) }
                                (capitalised(&visit.outcome.to_string()))
                            }
                            @for note in &visit.notes { span .why { (note) } }
                        }
                        td .number data-label="New" { (visit.new) }
                        td .number.extra data-label="Listed" { (visit.listed) }
                        td .number.extra data-label="Size" { (bytes(visit.bytes)) }
                        td .number.extra data-label="Took" { (took(visit.took)) }
                        td data-label="Why" {
                            span { (capitalised(&visit.reason)) }
                            @if let Some(event) = visit.event {
                                span .why { a href={ "/events/" (event) } { "Event " (event) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn edit_form(visitor: &Visitor, source: &Source) -> Markup {
    html! {
        section #edit .card {
            h2 { "Edit" }
            form .fields method="post" action={ "/sources/" (source.id) } {
                (visitor.hidden())
                label {
                    span { "Title" }
                    input type="text" name="title" maxlength="300" value=[source.title.as_deref()]
                        placeholder="The page's own";
                }
                label {
                    span { "Interval" }
                    (interval_choice(source.interval))
                }
                label .wide {
                    span { "Selector" }
                    input type="text" name="selector" maxlength="500" value=[source.selector.as_deref()]
                        placeholder="Found automatically" spellcheck="false" autocapitalize="off";
                    small { "CSS that says where the articles are on the page, such as " code { ".headline a" } "." }
                }
                div .actions.wide { button .button.primary { "Save" } }
            }
        }
    }
}

pub(crate) async fn edit(
    State(app): State<App>,
    Number(id): Number,
    fields: Fields,
) -> Result<Redirect, Trouble> {
    let id = SourceId(id);
    let source = app.store().source(id).await?;
    let interval = interval(&fields)?;
    let title = fields.text("title");
    let selector = fields.text("selector");
    // A field that is as it was stays untouched: a new selector or interval has consequences.
    let edit = SourceEdit {
        title: (source.title.as_deref().unwrap_or_default() != title).then(|| title.to_owned()),
        selector: (source.selector.as_deref().unwrap_or_default() != selector).then(|| selector.to_owned()),
        interval: (source.interval != interval).then_some(interval),
        paused: None,
    };
    watching::edit(&app, id, edit).await?;
    Ok(Redirect::to(&after(&format!("/sources/{id}"), "edited", None)))
}

/// The interval a form asks for.
pub(crate) fn interval(fields: &Fields) -> Result<Option<Duration>, Problem> {
    match fields.filled("interval").map(str::parse) {
        None => Ok(None),
        Some(Ok(n)) => Ok(Some(seconds(n))),
        Some(Err(_)) => Err(Problem::bad_request("the interval is not a number of seconds")),
    }
}
