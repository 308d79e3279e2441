//! The proof that nothing taught before is broken.

use super::head;
use super::sentence::folder_links;
use crate::access::csrf::Fields;
use crate::telling::{ToldCornerstone, ToldFolder};
use crate::ui::icons::{Icon, icon};
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::words::{number, plural};
use axum::response::Response;
use knowledge::{Base, Misfiled};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// More than these are counted, not listed.
const LISTED: usize = 200;

/// A cornerstone that is not where it belongs.
struct Wrong {
    stone: ToldCornerstone,
    expected: Vec<ToldFolder>,
    given: Vec<ToldFolder>,
}

impl Wrong {
    fn of(base: &Base, misfiled: &Misfiled) -> Option<Self> {
        let told = |folders: &BTreeSet<_>| folders.iter().map(|id| ToldFolder::of(base, *id)).collect();
        Some(Self {
            stone: ToldCornerstone::of(base.cornerstones().get(misfiled.id)?),
            expected: told(&misfiled.expected),
            given: told(&misfiled.given),
        })
    }
}

/// Files every cornerstone anew and tells which are not where they belong.
pub(crate) async fn check(visitor: Visitor, _: Fields) -> Result<Response, Trouble> {
    let (all, wrong) = visitor
        .app
        .store()
        .knowledge(|base| {
            let misfiled = base.cornerstones().misfiled(base.tree());
            let wrong: Vec<Wrong> = misfiled.iter().filter_map(|one| Wrong::of(base, one)).collect();
            (base.cornerstones().len() as u64, wrong)
        })
        .await?;
    let content = html! {
        (head("Cornerstones", "/rules/check"))
        @if wrong.is_empty() {
            p .fine.verdict role="status" { (icon(Icon::Check)) span { (hold(all)) } }
        } @else {
            (list(all, &wrong))
        }
        p .actions { a .button href="/rules/lessons" { "Back to the lessons" } }
    };
    Ok(visitor.page(Tab::Rules, "Cornerstones", &content))
}

fn hold(all: u64) -> String {
    match all {
        0 => "There are no cornerstones yet.".into(),
        1 => "The one cornerstone holds.".into(),
        all => format!("All {} cornerstones hold.", number(all)),
    }
}

fn list(all: u64, wrong: &[Wrong]) -> Markup {
    html! {
        p .alarm.verdict role="alert" {
            (icon(Icon::Warning))
            span { (number(wrong.len() as u64)) " of " (plural(all, "cornerstone")) " are not where they belong." }
        }
        ul .plain.changes.card {
            @for wrong in wrong.iter().take(LISTED) {
                li {
                    @match wrong.stone.article {
                        Some(article) => a href={ "/articles/" (article) } dir="auto" { (wrong.stone.title) },
                        None => span dir="auto" { (wrong.stone.title) },
                    }
                    span .why { "belongs in " (folder_links(&wrong.expected)) ", is in " (folder_links(&wrong.given)) }
                }
            }
            @if wrong.len() > LISTED { li .quiet { "and " (wrong.len() - LISTED) " more" } }
        }
    }
}
