//! The rules: the tree, and everything that is known about it.

mod check;
mod files;
mod lessons;
mod one;
mod report;
mod retire;
pub(crate) mod sentence;
mod tree;

pub(crate) use check::check;
pub(crate) use files::{json_lines, text};
pub(crate) use lessons::{history, undo};
pub(crate) use one::show;
pub(crate) use report::report;
pub(crate) use retire::{ask as ask_retirement, retire, retire_rule};

use super::icons::{Icon, icon};
use super::links::link;
use super::parts::empty;
use super::refiling;
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::telling::{Told, ToldFolder};
use crate::words::{number, plural};
use axum::response::Response;
use knowledge::{Base, ROOT, Rule, Usage};
use maud::{Markup, html};
use model::{FolderId, RuleId};
use std::cmp::Reverse;
use std::collections::HashMap;
use tree::Tree;

const PER_PAGE: usize = 50;

/// Which rules are shown, as the address says.
#[derive(Debug, Clone, Default)]
struct Shown {
    search: Option<String>,
    folder: Option<FolderId>,
    most_used: bool,
    page: usize,
}

impl Shown {
    fn read(visitor: &Visitor) -> Self {
        let query = &visitor.query;
        Self {
            search: query.filled("search").map(|search| search.chars().take(200).collect()),
            folder: query.text("folder").parse().ok(),
            most_used: query.text("order") == "used",
            page: query.text("page").parse().unwrap_or(1).clamp(1, 1_000_000),
        }
    }

    fn link(&self) -> String {
        let query = [
            ("search", self.search.clone()),
            ("folder", self.folder.map(|id| id.to_string())),
            ("order", self.most_used.then(|| "used".into())),
            ("page", (self.page > 1).then(|| self.page.to_string())),
        ];
        link("/rules", &query)
    }

    fn is_narrow(&self) -> bool {
        self.search.is_some() || self.folder.is_some()
    }

    /// The rules wanted: those at the top with all under them, or those that match wherever they hang.
    fn find<'b>(&self, base: &'b Base, usage: &HashMap<RuleId, Usage>) -> Vec<&'b Rule> {
        let mut rules: Vec<&Rule> = if self.is_narrow() {
            let search = self.search.as_deref().map(Search::new);
            let wanted = |rule: &&Rule| {
                self.folder.is_none_or(|folder| rule.conclusion.folder() == Some(folder))
                    && search.as_ref().is_none_or(|search| search.matches(base, rule))
            };
            base.tree().rules().iter().filter(wanted).collect()
        } else {
            base.tree().children(ROOT).collect()
        };
        let fired = |rule: &Rule| usage.get(&rule.id).map_or(0, |usage| usage.fired);
        if self.most_used {
            rules.sort_by_key(|rule| (Reverse(fired(rule)), rule.id));
        } else {
            rules.sort_by_key(|rule| Reverse(rule.id));
        }
        rules
    }
}

/// A rule is found by a word of its condition, by its folder, or by its number.
pub(crate) struct Search {
    folded: String,
    typed: String,
}

impl Search {
    pub(crate) fn new(typed: &str) -> Self {
        let words: Vec<_> = page::words::words(typed).collect();
        Self { folded: words.join(" "), typed: typed.trim().to_lowercase() }
    }

    pub(crate) fn matches(&self, base: &Base, rule: &Rule) -> bool {
        let in_path = |folder: FolderId| base.folders().path(folder).to_lowercase().contains(&self.typed);
        let by_word = |text: &str| !self.folded.is_empty() && text.contains(&self.folded);
        rule.condition.iter().any(|literal| literal.term().is_some_and(|term| by_word(term.text())))
            || rule.conclusion.folder().into_iter().any(in_path)
            || rule.condition.iter().filter_map(knowledge::Literal::folder).any(in_path)
            || rule.id.to_string() == self.typed
    }
}

/// What there is in all.
struct Totals {
    rules: u64,
    stops: u64,
    cornerstones: u64,
    unused: u64,
}

impl Totals {
    fn of(base: &Base, usage: &HashMap<RuleId, Usage>) -> Self {
        let rules = base.tree().rules();
        let unused = |rule: &&Rule| usage.get(&rule.id).is_none_or(|usage| usage.fired == 0);
        Self {
            rules: rules.len() as u64,
            stops: rules.iter().filter(|rule| rule.conclusion.folder().is_none()).count() as u64,
            cornerstones: base.cornerstones().len() as u64,
            unused: rules.iter().filter(unused).count() as u64,
        }
    }
}

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    let shown = Shown::read(&visitor);
    let store = visitor.app.store();
    let usage = store.rule_usage().await?;
    let wanted = shown.clone();
    let (totals, found, tree, folder, usage) = store
        .knowledge(move |base| {
            let rules = wanted.find(base, &usage);
            let total = rules.len();
            let on_page = rules.into_iter().skip((wanted.page - 1) * PER_PAGE).take(PER_PAGE);
            let tree = Tree::of(base, on_page, !wanted.is_narrow());
            let folder = wanted.folder.map(|folder| ToldFolder::of(base, folder));
            (Totals::of(base, &usage), total, tree, folder, usage)
        })
        .await?;
    let content = html! {
        (head("Rules", "/rules"))
        (refiling::progress(&visitor).await?)
        @if totals.rules > 0 { (tiles(&totals)) (toolbar(&shown, folder.as_ref())) }
        section #rules .card.flush data-live aria-label="Rules" {
            @if tree.is_empty() { (nothing(&shown)) } @else { (tree.show(&usage, visitor.now)) }
        }
        (pager(&shown, found))
    };
    Ok(visitor.page(Tab::Rules, "Rules", &content))
}

/// The heading of a page about rules, with the ways to the others.
fn head(title: &str, current: &str) -> Markup {
    const PAGES: [(&str, &str); 3] =
        [("/rules", "Tree"), ("/rules/lessons", "Lessons"), ("/rules/report", "Report")];
    html! {
        div .section-head {
            h1 { (title) }
            nav .tabs aria-label="About rules" {
                @for (href, name) in PAGES {
                    a href=(href) aria-current=[(href == current).then_some("true")] { (name) }
                }
            }
        }
    }
}

fn tiles(totals: &Totals) -> Markup {
    html! {
        dl .tiles {
            div { dt { "Rules" } dd { (number(totals.rules)) } }
            div { dt { "Stopping" } dd { (number(totals.stops)) } }
            div { dt { "Cornerstones" } dd { (number(totals.cornerstones)) } }
            div { dt { "Never used" } dd { (number(totals.unused)) } }
        }
    }
}

fn toolbar(shown: &Shown, folder: Option<&ToldFolder>) -> Markup {
    let order = |name: &str, most_used: bool| {
        let there = Shown { most_used, page: 1, ..shown.clone() };
        let current = shown.most_used == most_used;
        html! { a href=(there.link()) aria-current=[current.then_some("true")] { (name) } }
    };
    html! {
        div .toolbar {
            nav .tabs aria-label="Order" { (order("Newest", false)) (order("Most used", true)) }
            form .search role="search" method="get" action="/rules" {
                @if let Some(folder) = shown.folder { input type="hidden" name="folder" value=(folder); }
                @if shown.most_used { input type="hidden" name="order" value="used"; }
                input type="search" name="search" value=[shown.search.as_deref()] placeholder="Word, folder or number"
                    aria-label="Search rules" maxlength="200" autocomplete="off" dir="auto";
                button .button aria-label="Search" { (icon(Icon::Search)) }
            }
        }
        @if let Some(folder) = folder {
            p .chips {
                "Rules that file into " a href={ "/folders/" (folder.id) } dir="auto" { (folder.path) } " "
                a .chip href=(Shown { folder: None, page: 1, ..shown.clone() }.link()) { (icon(Icon::Cross)) "all folders" }
            }
        }
    }
}

fn pager(shown: &Shown, found: usize) -> Markup {
    let pages = found.div_ceil(PER_PAGE).max(1);
    html! {
        nav .pager aria-label="Pages" {
            a .button href="/rules.txt" download { "Download as text" }
            a .button href="/rules.jsonl" download { "as JSON Lines" }
            span .spring {}
            @if shown.is_narrow() { span .quiet { (plural(found as u64, "rule")) } }
            @if pages > 1 {
                @if shown.page > 1 {
                    a .button rel="prev" href=(Shown { page: shown.page - 1, ..shown.clone() }.link()) { "← Previous" }
                }
                span .quiet { "Page " (number(shown.page as u64)) " of " (number(pages as u64)) }
                @if shown.page < pages {
                    a .button rel="next" href=(Shown { page: shown.page + 1, ..shown.clone() }.link()) { "Next →" }
                }
            }
        }
    }
}

fn nothing(shown: &Shown) -> Markup {
    if shown.is_narrow() || shown.page > 1 {
        let all = html! { a .button href="/rules" { "Show all rules" } };
        return empty(
            "No rule matches",
            "Search for a word of a condition, a folder, or a rule’s number.",
            &all,
        );
    }
    let action = html! { a .button.primary href="/" { "Choose an article" } };
    html! {
        (empty(
            "No rules yet",
            "Open an article and file it: the words you click become its rule.",
            &action,
        ))
        p .note.aside { "You have rules already? Import them: " code { "ripplewatch rules import FILE" } "." }
    }
}

/// The path down to a rule, each a link.
fn trail(path: &[Told]) -> Markup {
    html! {
        @for rule in path {
            a href={ "/rules/" (rule.id) } { "Rule " (rule.id) } " › "
        }
    }
}
