//! The list of sources.

use super::icons::{Icon, icon};
use super::links::link;
use super::parts::{empty, maybe_when, standing, when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use super::watches::{Section, sections};
use crate::app::App;
use crate::watching::{Standing, bare, name_of};
use crate::words::{capitalised, number, plural};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use maud::{Markup, html};
use model::Source;
use page::subscriptions::{Subscription, write_opml};
use store::{SourceFilter, SourceOrder, SourcesPage};

const PER_PAGE: usize = 100;

/// Which sources are shown, as the address says.
#[derive(Debug, Clone, Default)]
struct Shown {
    search: Option<String>,
    failing: bool,
    order: SourceOrder,
    page: usize,
}

impl Shown {
    fn read(visitor: &Visitor) -> Self {
        let order = match visitor.query.text("order") {
            "next" => SourceOrder::NextVisit,
            "new" => SourceOrder::LastNew,
            _ => SourceOrder::Title,
        };
        Self {
            search: visitor.query.filled("search").map(|search| search.chars().take(200).collect()),
            failing: visitor.query.text("failing") == "1",
            order,
            page: visitor.query.text("page").parse().unwrap_or(1).clamp(1, 10_000),
        }
    }

    fn link(&self) -> String {
        let order = match self.order {
            SourceOrder::Title => None,
            SourceOrder::NextVisit => Some("next"),
            SourceOrder::LastNew => Some("new"),
        };
        let query = [
            ("search", self.search.clone()),
            ("failing", self.failing.then(|| "1".into())),
            ("order", order.map(str::to_owned)),
            ("page", (self.page > 1).then(|| self.page.to_string())),
        ];
        link("/sources", &query)
    }
}

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    let shown = Shown::read(&visitor);
    let filter = SourceFilter {
        search: shown.search.clone(),
        failing: shown.failing,
        order: shown.order,
        offset: (shown.page - 1) * PER_PAGE,
        limit: PER_PAGE,
    };
    let page = visitor.app.store().sources_page(filter).await?;
    let content = html! {
        h1 .visually-hidden { "Sources" }
        (sections(Section::Sources))
        (toolbar(&shown))
        @if page.sources.is_empty() {
            (nothing(&shown))
        } @else {
            (table(&visitor, &shown, &page))
        }
    };
    Ok(visitor.page(Tab::Sources, "Sources", &content))
}

fn toolbar(shown: &Shown) -> Markup {
    let tab = |name: &str, there: Shown, current: bool| {
        html! { a href=(there.link()) aria-current=[current.then_some("true")] { (name) } }
    };
    let first = Shown { page: 1, ..shown.clone() };
    html! {
        div .toolbar {
            nav .tabs aria-label="Which sources" {
                (tab("All", Shown { failing: false, ..first.clone() }, !shown.failing))
                (tab("Failing", Shown { failing: true, ..first.clone() }, shown.failing))
            }
            nav .tabs aria-label="Order" {
                @for (name, order) in
                    [("By name", SourceOrder::Title), ("Next visit", SourceOrder::NextVisit), ("Newest", SourceOrder::LastNew)] {
                    (tab(name, Shown { order, ..first.clone() }, shown.order == order))
                }
            }
            form .search role="search" method="get" action="/sources" {
                @if shown.failing { input type="hidden" name="failing" value="1"; }
                input type="search" name="search" value=[shown.search.as_deref()] placeholder="Search sources"
                    aria-label="Search sources" maxlength="200" autocomplete="off";
                button .button aria-label="Search" { (icon(Icon::Search)) }
            }
        }
    }
}

fn table(visitor: &Visitor, shown: &Shown, page: &SourcesPage) -> Markup {
    html! {
        form #sources method="post" action="/sources/deeds" {
            (visitor.hidden())
            div .bulk {
                span .quiet { (plural(page.total, "source")) }
                span .spring {}
                span .hint { "With the ticked ones:" }
                button .button name="deed" value="visit" { "Visit now" }
                button .button name="deed" value="pause" { "Pause" }
                button .button name="deed" value="resume" { "Resume" }
                button .button.danger name="deed" value="remove" { "Remove…" }
            }
            table .cards {
                thead {
                    tr {
                        th .tick { input type="checkbox" data-all aria-label="Tick all on this page"; }
                        th { "Source" } th { "State" } th { "Kind" } th .number { "Articles" }
                        th { "Last visit" } th { "Next visit" }
                    }
                }
                tbody #rows data-live {
                    @for source in &page.sources { (row(visitor, source)) }
                }
            }
        }
        (pager(shown, page))
    }
}

fn row(visitor: &Visitor, source: &Source) -> Markup {
    let state = &source.state;
    let failed = state.last_outcome.as_ref().filter(|outcome| !outcome.is_success());
    html! {
        tr {
            td .tick {
                input type="checkbox" name="id" value=(source.id) aria-label={ "Tick " (name_of(source)) };
            }
            td .name {
                a href={ "/sources/" (source.id) } { (name_of(source)) }
                @if source.title.is_some() { span .address.quiet { (bare(&source.url)) } }
            }
            td data-label="State" {
                (standing(Standing::of(source, &visitor.app)))
                @if let Some(outcome) = failed {
                    span .why { (capitalised(&outcome.to_string())) }
                    @if state.failures > 1 { span .why { (plural(u64::from(state.failures), "failure")) " in a row" } }
                }
            }
            td data-label="Kind" {
                @match source.kind {
                    Some(kind) => (capitalised(&kind.to_string())),
                    None => span .quiet { "Not known yet" },
                }
            }
            td .number data-label="Articles" { (number(state.articles)) }
            td data-label="Last visit" { (maybe_when(state.last_visit_at, visitor.now, "Never")) }
            td data-label="Next visit" {
                @match state.next_at {
                    Some(at) => { (when(at, visitor.now)) span .why { (capitalised(&state.next_reason)) } },
                    None => span .quiet { (capitalised(&state.next_reason)) },
                }
            }
        }
    }
}

fn pager(shown: &Shown, page: &SourcesPage) -> Markup {
    let pages = (page.total as usize).div_ceil(PER_PAGE).max(1);
    html! {
        nav .pager aria-label="Pages" {
            a .button href="/sources.opml" download { "Export as OPML" }
            span .spring {}
            @if pages > 1 {
                @if shown.page > 1 {
                    a .button rel="prev" href=(Shown { page: shown.page - 1, ..shown.clone() }.link()) { "← Previous" }
                }
                span .quiet { "Page " (shown.page) " of " (pages) }
                @if shown.page < pages {
                    a .button rel="next" href=(Shown { page: shown.page + 1, ..shown.clone() }.link()) { "Next →" }
                }
            }
        }
    }
}

fn nothing(shown: &Shown) -> Markup {
    let all = html! { a .button href="/sources" { "Show all sources" } };
    let add = html! { a .button.primary href="/sources/add" { "Add a source" } };
    match shown {
        shown if shown.search.is_some() => {
            empty("No source matches", "Its name or address must contain the text.", &all)
        }
        shown if shown.failing => empty("Nothing fails", "Every source was seen at its last visit.", &all),
        _ => empty("Nothing is watched yet", "Add a page, a feed, a sitemap, or a whole list of them.", &add),
    }
}

/// All sources as OPML, to take along.
pub(crate) async fn opml(State(app): State<App>) -> Result<Response, Trouble> {
    let mut subscriptions = Vec::new();
    loop {
        let filter = SourceFilter { offset: subscriptions.len(), limit: 1000, ..SourceFilter::default() };
        let page = app.store().sources_page(filter).await?;
        let last = page.sources.len() < 1000;
        let found = page.sources.into_iter();
        subscriptions.extend(found.map(|source| Subscription {
            url: source.url,
            title: source.title,
            folder: None,
        }));
        if last {
            break;
        }
    }
    let headers = [
        (CONTENT_TYPE, "text/x-opml; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"ripplewatch.opml\""),
    ];
    Ok((headers, write_opml("Ripplewatch sources", &subscriptions)).into_response())
}
