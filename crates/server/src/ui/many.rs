//! Many sources at once: what would be added, what is wrong, then all good ones.

use super::icons::{Icon, icon};
use super::links::after;
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::watching::{self, Wish};
use crate::words::{capitalised, plural};
use axum::extract::State;
use axum::response::{Redirect, Response};
use maud::html;
use page::subscriptions;
use std::collections::HashSet;
use store::NewSource;

/// More lines than this are counted, not shown.
const SHOWN: usize = 200;

/// What a list would bring.
#[derive(Default)]
struct Checked {
    good: Vec<NewSource>,
    /// Where, and what is wrong.
    bad: Vec<(String, String)>,
    /// Already watched, or twice in the list.
    known: usize,
}

/// Lists what will be added, with problems marked. Nothing is kept yet.
pub(crate) async fn show(visitor: &Visitor, list: &str) -> Result<Response, Trouble> {
    let checked = check(&visitor.app, list).await?;
    let good = plural(checked.good.len() as u64, "source");
    let content = html! {
        section .card {
            h1 { (good) " to add" }
            @if checked.known > 0 {
                p .note { (plural(checked.known as u64, "address")) " left out: already watched, or twice in the list." }
            }
            @if !checked.bad.is_empty() {
                p .alarm role="alert" {
                    (icon(Icon::Warning))
                    span { (plural(checked.bad.len() as u64, "problem")) ". What is wrong is left out." }
                }
                ul .problems {
                    @for (place, why) in checked.bad.iter().take(SHOWN) { li { strong { (place) } " " (why) } }
                }
            }
            form .actions method="post" action="/sources/many" {
                (visitor.hidden())
                textarea name="many" hidden { (list) }
                @if !checked.good.is_empty() { button .button.primary { "Watch " (good) } }
                a .button href="/sources/add" { "Change the list" }
            }
            ol .found {
                @for source in checked.good.iter().take(SHOWN) {
                    li { (source.title.as_deref().unwrap_or(source.url.as_str())) " " span .quiet { (source.url) } }
                }
            }
            @if checked.good.len() > SHOWN { p .quiet { "and " (checked.good.len() - SHOWN) " more" } }
        }
    };
    Ok(visitor.page(Tab::Add, "Add many sources", &content))
}

/// Adds all good ones.
pub(crate) async fn add(State(app): State<App>, fields: Fields) -> Result<Redirect, Trouble> {
    let checked = check(&app, fields.text("many")).await?;
    let n = checked.good.len();
    if n > 0 {
        watching::add_all(&app, checked.good).await?;
    }
    Ok(Redirect::to(&after("/sources", "added_many", Some(n))))
}

async fn check(app: &App, list: &str) -> Result<Checked, Problem> {
    let mut checked = Checked::default();
    let mut seen = HashSet::new();
    for (place, wish) in read(list, &mut checked.bad) {
        let wish = Wish { url: &wish.0, title: wish.1.as_deref(), ..Wish::default() };
        match watching::checked(app, &wish) {
            Ok(new) => {
                let known = !seen.insert(new.url.clone())
                    || app.store().source_by_url(new.url.clone()).await?.is_some();
                if known {
                    checked.known += 1;
                } else {
                    checked.good.push(new);
                }
            }
            Err(problem) => checked.bad.push((place, capitalised(&problem.error))),
        }
    }
    Ok(checked)
}

type Entry = (String, (String, Option<String>));

/// The entries of a list: its place, address and title. OPML is read as a whole; lines are taken one by one, so
/// that a bad one does not spoil the others.
fn read(list: &str, bad: &mut Vec<(String, String)>) -> Vec<Entry> {
    if !list.trim_start().starts_with('<') {
        let lines = list.lines().enumerate().map(|(index, line)| (index, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        return lines
            .map(|(index, line)| (format!("Line {}:", index + 1), (line.to_owned(), None)))
            .collect();
    }
    match subscriptions::read(list.as_bytes()) {
        Ok(found) => {
            found.into_iter().map(|found| (String::new(), (found.url.into(), found.title))).collect()
        }
        Err(error) => {
            let problems = error.problems.into_iter();
            bad.extend(problems.map(|problem| (format!("{}:", capitalised(&problem.place)), problem.reason)));
            Vec::new()
        }
    }
}
