//! What has become of the rules: which can never fire, add nothing, or are not used any more.

use super::head;
use super::sentence::sentence;
use crate::telling::Told;
use crate::ui::icons::{Icon, icon};
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::words::{number, plural};
use axum::response::Response;
use knowledge::{Base, Finding, Report, STALE_DAYS, Statistics};
use maud::{Markup, html};

/// More findings of a kind than these are counted, not listed.
const LISTED: usize = 50;

/// Findings of one kind, with their rules in words.
struct Found {
    all: usize,
    told: Vec<(Told, String)>,
}

impl Found {
    fn of(base: &Base, findings: &[Finding]) -> Self {
        let told = |finding: &Finding| {
            Some((Told::of(base, base.tree().get(finding.rule)?), finding.reason.clone()))
        };
        Self { all: findings.len(), told: findings.iter().take(LISTED).filter_map(told).collect() }
    }
}

pub(crate) async fn report(visitor: Visitor) -> Result<Response, Trouble> {
    let store = visitor.app.store();
    let usage = store.rule_usage().await?;
    let now = visitor.now;
    let (statistics, found) = store
        .knowledge(move |base| {
            let Report { statistics, unreachable, subsumed, stale } =
                knowledge::report(base, &usage, now, STALE_DAYS);
            (statistics, [unreachable, subsumed, stale].map(|findings| Found::of(base, &findings)))
        })
        .await?;
    let [unreachable, subsumed, stale] = &found;
    let content = html! {
        (head("Report", "/rules/report"))
        (tiles(&statistics))
        @if found.iter().all(|found| found.all == 0) {
            p .fine.verdict { (icon(Icon::Check)) span { "Every rule can fire, adds something and is in use." } }
        }
        (findings("Can never fire", "They can be retired without any effect.", unreachable))
        (findings("Add nothing", "Without them everything would be filed the same.", subsumed))
        (findings("Not used for long", &format!("Not for {STALE_DAYS} days. Nothing is wrong with them."), stale))
    };
    Ok(visitor.page(Tab::Rules, "Report", &content))
}

fn tiles(statistics: &Statistics) -> Markup {
    let n = |n: usize| number(n as u64);
    html! {
        dl .tiles {
            div { dt { "Rules" } dd { (n(statistics.rules)) } }
            div { dt { "At the root" } dd { (n(statistics.root_rules)) } }
            div { dt { "Refining" } dd { (n(statistics.refinements)) } }
            div {
                dt { "Stopping" }
                dd {
                    (n(statistics.stops))
                    @if statistics.retirements > 0 { span .why { (n(statistics.retirements)) " of them retire a rule" } }
                }
            }
            div { dt { "Words a rule" } dd { (format!("{:.2}", statistics.mean_literals)) } }
            div { dt { "Deepest path" } dd { (n(statistics.depth)) } }
            div { dt { "Folders" } dd { (n(statistics.folders)) } }
            div { dt { "Cornerstones" } dd { (n(statistics.cornerstones)) } }
        }
    }
}

fn findings(title: &str, what: &str, found: &Found) -> Markup {
    html! {
        @if found.all > 0 {
            section .card {
                h2 { (title) ": " (plural(found.all as u64, "rule")) }
                p .quiet { (what) }
                ul .plain.changes {
                    @for (told, reason) in &found.told {
                        li {
                            a .rule-number href={ "/rules/" (told.id) } { (told.id) } " " (sentence(told))
                            span .why { "Rule " (told.id) " " (reason) "." }
                        }
                    }
                    @if found.all > found.told.len() { li .quiet { "and " (found.all - found.told.len()) " more" } }
                }
            }
        }
    }
}
