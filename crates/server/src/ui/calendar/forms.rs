//! The forms of the calendar.

use crate::access::csrf::Fields;
use crate::calendar::moment;
use crate::problem::Problem;
use crate::ui::parts::refusal;
use crate::ui::visitor::Visitor;
use detection::Entry;
use jiff::tz::TimeZone;
use knowledge::Folders;
use maud::{Markup, html};
use model::FolderId;

/// An entry as it was typed.
#[derive(Debug, Clone, Default)]
pub(super) struct Typed {
    pub(super) folder: String,
    title: String,
    kind: String,
    from: String,
    to: String,
    multiplier: String,
    give_or_take: String,
}

impl Typed {
    pub(super) fn read(fields: &Fields) -> Self {
        let text = |name: &str| fields.text(name).to_owned();
        Self {
            folder: text("folder"),
            title: text("title"),
            kind: text("kind"),
            from: text("from"),
            to: text("to"),
            multiplier: text("multiplier"),
            give_or_take: text("give_or_take"),
        }
    }

    pub(super) fn entry(&self, zone: &TimeZone) -> Result<Entry, Problem> {
        let per_cent = decimal(&self.give_or_take, "give or take")?;
        // Half as much again is as far up as a third less is down.
        let uncertainty = per_cent.map(|value| (1.0 + value.max(0.0) / 100.0).ln());
        Ok(Entry {
            id: None,
            folder: folder(&self.folder)?,
            kind: self.kind.clone(),
            title: self.title.clone(),
            from: moment(&self.from, zone, "beginning")?,
            to: moment(&self.to, zone, "end")?,
            multiplier: decimal(&self.multiplier, "number of times the usual")?,
            uncertainty,
        })
    }
}

pub(super) fn folder(typed: &str) -> Result<FolderId, Problem> {
    typed.parse().map_err(|_| Problem::invalid("choose a folder first"))
}

fn decimal(typed: &str, what: &str) -> Result<Option<f64>, Problem> {
    if typed.is_empty() {
        return Ok(None);
    }
    let read = typed.replace(',', ".").parse::<f64>().ok().filter(|value| value.is_finite());
    read.map(Some).ok_or_else(|| Problem::invalid(format!("the {what} “{typed}” is no number")))
}

pub(super) fn add_form(
    visitor: &Visitor,
    folders: &Folders,
    typed: &Typed,
    problem: Option<&Problem>,
    zone: &str,
) -> Markup {
    html! {
        form #add .card method="post" action="/calendar" {
            (visitor.hidden())
            h2 { "Add an entry" }
            @if let Some(problem) = problem { (refusal(problem)) }
            (folder_choice(folders, &typed.folder))
            label .field {
                span { "Title" }
                input type="text" name="title" value=(typed.title) required maxlength="200" dir="auto" placeholder="Cup final 2026";
            }
            div .fields {
                label { span { "From" } input type="datetime-local" name="from" value=(typed.from) required; }
                label { span { "To" } input type="datetime-local" name="to" value=(typed.to) required; }
                small .wide { "Hours of " (zone) "." }
            }
            details .more-fields open[!typed.multiplier.is_empty() || !typed.kind.is_empty()] {
                summary { "I know how busy it will be" }
                div .fields {
                    label {
                        span { "Times the usual" }
                        input type="text" inputmode="decimal" name="multiplier" value=(typed.multiplier) placeholder="learned" autocomplete="off";
                    }
                    label {
                        span { "Give or take, %" }
                        input type="text" inputmode="decimal" name="give_or_take" value=(typed.give_or_take) placeholder="0" autocomplete="off";
                    }
                    label .wide {
                        span { "Kind" }
                        input type="text" name="kind" value=(typed.kind) maxlength="200" dir="auto" placeholder="From the title, without its numbers";
                        small { "Past entries of a kind teach what to expect of the next." }
                    }
                }
            }
            button .button.primary { "Add" }
        }
    }
}

/// The form to import a calendar; `notice` is what was found wrong with it before.
pub(super) fn import_form(
    visitor: &Visitor,
    folders: &Folders,
    chosen: &str,
    text: Option<&str>,
    problem: Option<&Problem>,
) -> Markup {
    html! {
        form #import .card method="post" action="/calendar/preview" {
            (visitor.hidden())
            h2 { "Import a calendar" }
            @if let Some(problem) = problem { (refusal(problem)) }
            (folder_choice(folders, chosen))
            label .field {
                span { "iCalendar" }
                textarea #ics name="ics" rows="7" required spellcheck="false" placeholder="BEGIN:VCALENDAR …" { (text.unwrap_or_default()) }
                small { "Paste the text of an .ics file. You see what was understood before anything is kept." }
            }
            div .actions {
                label .button data-scripted hidden {
                    "Choose a file…"
                    input .visually-hidden type="file" accept=".ics,text/calendar" data-into="#ics";
                }
                button .button.primary { "Look at it" }
            }
        }
    }
}

fn folder_choice(folders: &Folders, chosen: &str) -> Markup {
    html! {
        label .field {
            span { "Folder" }
            select name="folder" required {
                option value="" { "Choose a folder" }
                @for (path, folder) in folders.list() {
                    option value=(folder.id) selected[chosen == folder.id.to_string()] { (path) }
                }
            }
        }
    }
}
