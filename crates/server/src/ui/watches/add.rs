//! Adding a watch: the form, and what it would see now.

use super::form::{Typed, fields, page_fields};
use super::{Section, sections};
use crate::access::csrf::Fields;
use crate::problem::Problem;
use crate::ui::icons::{Icon, icon};
use crate::ui::links::after;
use crate::ui::parts::refusal;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::watches::{self, On};
use crate::watching::{self, name_of};
use crate::words::capitalised;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Glance;
use http::StatusCode;
use maud::{Markup, html};
use model::{Source, SourceId};
use page::watches::{Part, Sight};

/// Of what a watch would see, a preview shows this many lines.
const LINES: usize = 40;

/// What a preview says.
enum Preview {
    None,
    Seen(Glance),
    Refused(Problem),
}

/// The page a watch is to look at.
struct Target {
    source: Option<Source>,
    url: String,
}

impl Target {
    async fn read(visitor: &Visitor, fields: &Fields) -> Result<Self, Trouble> {
        let source = match fields.filled("source").map(str::parse) {
            Some(Ok(id)) => Some(visitor.app.store().source(SourceId(id)).await?),
            Some(Err(_)) => return Err(Problem::bad_request("the source is not a number").into()),
            None => None,
        };
        Ok(Self { url: fields.text("url").to_owned(), source })
    }

    /// Its address; one that was typed is checked like that of a source.
    fn address(&self, visitor: &Visitor) -> Result<url::Url, Problem> {
        if let Some(source) = &self.source {
            return Ok(source.url.clone());
        }
        let url = watching::address(&self.url)?;
        visitor.app.engine.check_url(&url).map_err(|refusal| Problem::invalid(refusal.to_string()))?;
        Ok(url)
    }
}

/// The empty form.
pub(crate) async fn ask(visitor: Visitor) -> Result<Response, Trouble> {
    let target = Target::read(&visitor, &visitor.query).await?;
    Ok(page(&visitor, &target, &Typed::blank(), &Preview::None, None))
}

/// The form again with what would be seen now; only that, if a script asks.
pub(crate) async fn preview(visitor: Visitor, sent: Fields) -> Result<Response, Trouble> {
    let target = Target::read(&visitor, &sent).await?;
    let typed = Typed::read(&sent);
    let preview = match target.address(&visitor) {
        Ok(url) => match watches::preview(&visitor.app, &url, &typed.aim()).await {
            Ok(glance) => Preview::Seen(glance),
            Err(problem) => Preview::Refused(problem),
        },
        Err(problem) => Preview::Refused(problem),
    };
    if sent.text("only") == "preview" {
        return Ok(seen(&preview).into_response());
    }
    Ok(page(&visitor, &target, &typed, &preview, None))
}

/// "Watch this".
pub(crate) async fn add(visitor: Visitor, sent: Fields) -> Result<Response, Trouble> {
    let target = Target::read(&visitor, &sent).await?;
    let typed = Typed::read(&sent);
    let source = target.source.as_ref().map(|source| source.id);
    let on = On { source, url: source.is_none().then_some(target.url.as_str()) };
    match watches::add(&visitor.app, &on, &typed.wish()).await {
        Ok(watch) => {
            let there = after(&format!("/watches/{}", watch.id), "watch_added", None);
            Ok(Redirect::to(&there).into_response())
        }
        Err(problem) if problem.status.is_client_error() => {
            Ok(page(&visitor, &target, &typed, &Preview::None, Some(&problem)))
        }
        Err(problem) => Err(problem.into()),
    }
}

fn page(
    visitor: &Visitor,
    target: &Target,
    typed: &Typed,
    preview: &Preview,
    problem: Option<&Problem>,
) -> Response {
    let content = html! {
        (sections(Section::Watches))
        div .reading.watch-form {
            section .card {
                h1 { "Add a watch" }
                @if let Some(source) = &target.source {
                    p { "On " a href={ "/sources/" (source.id) } dir="auto" { (name_of(source)) } "." }
                }
                @if let Some(problem) = problem { (refusal(problem)) }
                form #watch-form method="post" action="/watches" data-preview="/watches/preview" {
                    (page_fields(visitor, target.source.as_ref().map(|source| source.id)))
                    @if target.source.is_none() {
                        label .field {
                            span { "Address" }
                            input type="text" inputmode="url" name="url" value=(target.url) required maxlength="4000"
                                placeholder="https://shop.example/lamp" spellcheck="false" autocapitalize="off" autocomplete="url";
                            small { "A page that is no source yet becomes one. One visit serves all watches of a page." }
                        }
                    }
                    (fields(typed))
                    div .actions {
                        button .button.primary { "Watch this" }
                        button .button formaction="/watches/preview" formnovalidate { "Look at it" }
                    }
                }
            }
            aside .card.facts {
                h2 { "What it sees now" }
                div #seen aria-live="polite" { (seen(preview)) }
            }
        }
    };
    let mut response = visitor.page(Tab::Sources, "Add a watch", &content);
    let refused = match preview {
        Preview::Refused(problem) => Some(problem.status),
        _ => problem.map(|problem| problem.status),
    };
    *response.status_mut() = refused.unwrap_or(StatusCode::OK);
    response
}

fn seen(preview: &Preview) -> Markup {
    html! {
        @match preview {
            Preview::None => p .quiet { "Say what to look at: what is found on the page is shown here. Nothing is kept by looking." },
            Preview::Refused(problem) => (refusal(problem)),
            Preview::Seen(glance) => {
                @match &glance.sight {
                    None => p .alarm { (icon(Icon::Warning)) span { (capitalised(&glance.outcome.to_string())) "." } },
                    Some(Sight::Gone(why)) => p .alarm { (icon(Icon::Warning)) span { (capitalised(why)) "." } },
                    Some(Sight::Part(part)) => (lines(part)),
                }
            },
        }
    }
}

/// The lines of a part.
pub(super) fn lines(part: &Part) -> Markup {
    let more = part.lines.len().saturating_sub(LINES);
    html! {
        @if part.lines.is_empty() {
            p .quiet { "Nothing is there now. You are told when it comes." }
        } @else {
            ul .plain.seen dir="auto" { @for line in part.lines.iter().take(LINES) { li { (line) } } }
        }
        @if more > 0 { p .quiet { "and " (crate::words::plural(more as u64, "more line")) } }
        @if let Some(number) = part.number() { p { "First number: " strong { (number) } } }
        @if part.cut { p .quiet { "It is longer: only this much is watched." } }
    }
}
