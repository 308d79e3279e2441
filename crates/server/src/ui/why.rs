//! Where an article is filed, and why.

use super::marked::Marked;
use super::rules::sentence::{folder_link, origin, sentence};
use super::visitor::Visitor;
use crate::telling::{Told, ToldFolder};
use jiff::Timestamp;
use knowledge::{Base, Fields, Polarity, Term};
use maud::{Markup, html};
use model::{ArticleId, RuleId};
use store::StoreError;

/// Where an article is filed, and why.
pub(crate) struct Why {
    paths: Vec<Path>,
    confirmed: bool,
    /// What it says, with the words that decided.
    pub(crate) marked: Marked,
}

/// The rules that lead to one decision, from the top down.
struct Path {
    rules: Vec<Told>,
    /// The folder given; for a stop, the one that was not.
    folder: Option<ToldFolder>,
    stops: bool,
}

impl Why {
    pub(crate) async fn load(visitor: &Visitor, id: ArticleId) -> Result<Self, StoreError> {
        let store = visitor.app.store();
        let filing = store.filing(id).await?;
        let fields = store.article_fields(id).await?;
        let confirmed = filing.confirmed;
        let mut live: Vec<RuleId> = filing.by.iter().map(|by| by.rule).collect();
        live.sort_unstable();
        store
            .knowledge(move |base| {
                let paths = live.iter().filter_map(|rule| Path::of(base, *rule)).collect();
                Self { paths, confirmed, marked: marked(base, &live, &fields) }
            })
            .await
    }

    /// The folders, why, and what to do about it.
    pub(crate) fn show(&self, visitor: &Visitor, id: ArticleId) -> Markup {
        let filed = self.paths.iter().filter(|path| !path.stops);
        let stopped: Vec<&Path> = self.paths.iter().filter(|path| path.stops).collect();
        html! {
            section #filing .card.filing data-live aria-label="Where it is filed" {
                h2 { "Filed in" }
                @if self.is_unfiled() { p .quiet { "No folder: no rule knows it yet." } }
                @for path in filed { (path.show(visitor.now)) }
                @if !stopped.is_empty() {
                    h2 { "Kept out" }
                    @for path in stopped { (path.show(visitor.now)) }
                }
                div .actions {
                    a .button.primary data-key="f" href={ "/articles/" (id) "/teach" } {
                        @if self.is_unfiled() { "File it…" } @else { "Correct it…" }
                    }
                    @if self.confirmed {
                        span .standing.ok { (super::icons::icon(super::icons::Icon::Check)) "You said this is right" }
                    } @else if !self.is_unfiled() {
                        (confirm(visitor, id, &visitor.here))
                    }
                }
            }
        }
    }

    fn is_unfiled(&self) -> bool {
        self.paths.iter().all(|path| path.stops)
    }
}

/// A button that says that an article is filed rightly.
pub(crate) fn confirm(visitor: &Visitor, id: ArticleId, back: &str) -> Markup {
    html! {
        form .confirm method="post" action={ "/articles/" (id) "/confirm" } {
            (visitor.hidden_for(back))
            button .button data-key="c" { "Filed right" }
        }
    }
}

impl Path {
    /// A rule that was undone meanwhile decides nothing; the article is being filed anew.
    fn of(base: &Base, rule: RuleId) -> Option<Self> {
        let rules = Told::path(base, rule);
        let last = rules.last()?;
        let stops = last.folder.is_none();
        let folder = rules.iter().rev().find_map(|rule| rule.folder.clone());
        Some(Self { rules, folder, stops })
    }

    fn show(&self, now: Timestamp) -> Markup {
        html! {
            details .why-path id=[self.rules.last().map(|rule| format!("why-{}", rule.id))] open[self.rules.len() == 1 && !self.stops] {
                summary {
                    @match &self.folder {
                        Some(folder) => (folder_link(folder)),
                        None => span .quiet { "any folder" },
                    }
                    " "
                    span .quiet { @if self.stops { "stopped" } @else { "because" } " …" }
                }
                ol .path {
                    @for rule in &self.rules {
                        li {
                            a .rule-number href={ "/rules/" (rule.id) } { "Rule " (rule.id) } " "
                            (sentence(rule)) " " span .quiet { (origin(rule, now)) }
                        }
                    }
                }
            }
        }
    }
}

fn marked(base: &Base, live: &[RuleId], fields: &Fields<'_>) -> Marked {
    let literals = live.iter().flat_map(|rule| base.tree().path_literals(*rule));
    let found = literals.filter(|literal| literal.polarity == Polarity::Has);
    let mut terms: Vec<Term> = found.filter_map(|literal| literal.term().cloned()).collect();
    terms.sort();
    terms.dedup();
    Marked::new(fields, terms)
}
