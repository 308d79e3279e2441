//! One crawl: how it does, what comes next and why, its hosts, its pages, and what is worth watching.

use super::pages::table;
use super::{percent, phase, topic_link};
use crate::ui::chart::harvest_chart;
use crate::ui::links::link;
use crate::ui::parts::{outward, when};
use crate::ui::shell::Tab;
use crate::ui::topics::{Section, sections};
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use crate::words::{about, capitalised, number, plural};
use axum::response::Response;
use discovery::crawl::{Part, ScoreBreakdown};
use engine::{CrawlHost, CrawlStatus, FrontierEntry};
use maud::{Markup, html};
use model::CrawlId;
use store::{Candidate, CrawlInfo, CrawlPageFilter, CrawlPhase};

/// Of each list, so many.
const COMING: usize = 12;
const HOSTS: usize = 12;
const PAGES: usize = 10;
const CANDIDATES: usize = 20;

pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let id = CrawlId(id);
    let (store, engine) = (visitor.app.store(), &visitor.app.engine);
    let status = engine.crawl_status(id).await?;
    let coming = engine.crawl_frontier(id, COMING).await?;
    let hosts = engine.crawl_hosts(id, HOSTS).await?;
    let pages = store.crawl_pages(id, CrawlPageFilter { limit: PAGES, ..Default::default() }).await?;
    let candidates = store.candidates(id, CANDIDATES).await?;
    let crawl = &status.crawl;
    let content = html! {
        (sections(Section::Crawls))
        div .head {
            h1 { "Crawl on " (topic_link(&crawl.topic)) }
            p .quiet { (capitalised(crawl.settings.strategy.word())) ", started " (when(crawl.created_at, visitor.now)) ", from "
                (plural(crawl.seeds.len() as u64, "seed")) @if let Some(folder) = &crawl.output { ", files in " code { (folder.display()) } } "." }
            (steering(&visitor, crawl))
        }
        div #crawl data-live {
            (tiles(&status))
            section .card { h2 { "Harvest" } (harvest_chart(&status.curve)) }
            section .card {
                div .section-head { h2 { "Best pages" } a .button href={ "/crawls/" (id) "/pages" } { "All pages, search" } }
                @if pages.is_empty() { p .quiet { "No page on the topic has been found yet." } } @else { (table(&visitor, id.0, &pages)) }
            }
            section .card { h2 { "Comes next" } (frontier(id, &coming)) }
            section .card { h2 { "Hosts" } (host_table(&visitor, &hosts)) }
        }
        section #candidates .card {
            h2 { "Worth watching" }
            (candidate_table(&visitor, crawl, &candidates))
        }
    };
    Ok(visitor.page(Tab::Discover, "Crawl", &content))
}

fn steering(visitor: &Visitor, crawl: &CrawlInfo) -> Markup {
    let runs = matches!(crawl.phase, CrawlPhase::Running | CrawlPhase::Paused);
    html! {
        form .actions method="post" action={ "/crawls/" (crawl.id) } {
            (visitor.hidden())
            @if runs {
                button .button name="deed" value="stop" { "Stop" }
            } @else {
                label .inline { "Pages in all " input type="number" name="pages" min="1" max="100000000" value=(more_pages(crawl)) required; }
                button .button.primary name="deed" value="resume" { "Go on" }
            }
            button .button.danger name="deed" value="remove" formnovalidate { "Forget" }
        }
    }
}

/// A crawl that has read all it may goes on with twice as many.
fn more_pages(crawl: &CrawlInfo) -> u64 {
    let pages = u64::from(crawl.settings.pages);
    if crawl.fetched >= pages { pages * 2 } else { pages }
}

fn tiles(status: &CrawlStatus) -> Markup {
    let crawl = &status.crawl;
    let progress = crawl.progress.clone().unwrap_or_default();
    let runs = crawl.phase == CrawlPhase::Running;
    let dropped: u64 = progress.dropped.values().sum();
    html! {
        dl .tiles.three {
            div { dt { "State" } dd { (phase(crawl)) @if runs && !progress.idle.is_empty() { span .why { (capitalised(&progress.idle)) } } } }
            div {
                dt { "Pages read" }
                dd {
                    (number(crawl.fetched))
                    meter min="0" max=(crawl.settings.pages) value=(crawl.fetched) { (number(crawl.fetched)) }
                    span .why { "of " (number(u64::from(crawl.settings.pages))) @if runs { ", " (about(progress.pages_per_second)) " a second" } }
                }
            }
            div { dt { "On the topic" } dd { (number(crawl.relevant)) span .why { (percent(status.harvest)) " of the pages read" } } }
            div { dt { "Waiting" } dd { (number(progress.waiting)) span .why { "of " (number(crawl.known)) " known, " (plural(progress.hosts, "host")) } } }
            div {
                dt { "Not followed" }
                dd { (number(dropped)) span .why { (dropped_words(&progress.dropped)) } }
            }
            div { dt { "Failed" } dd { (number(crawl.failed)) } }
        }
    }
}

/// Why links were not followed, the commonest reasons first.
fn dropped_words(dropped: &std::collections::BTreeMap<String, u64>) -> String {
    let mut reasons: Vec<_> = dropped.iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let words: Vec<String> =
        reasons.iter().take(3).map(|(reason, n)| format!("{reason} {}", number(**n))).collect();
    if words.is_empty() { "Nothing looked like a trap".into() } else { words.join(", ") }
}

fn frontier(id: CrawlId, coming: &[FrontierEntry]) -> Markup {
    html! {
        @if coming.is_empty() {
            p .quiet { "No URL waits." }
        } @else {
            table .cards.compact.frontier {
                thead { tr { th .number { "Worth" } th { "Address" } th { "Link" } th { "Because" } } }
                tbody {
                    @for entry in coming {
                        tr {
                            td .number data-label="Worth" { (capitalised(&entry.worth())) }
                            td .name { (outward(&entry.url, &html! { span .address { (entry.url.as_str()) } })) }
                            td data-label="Link" {
                                span dir="auto" { (if entry.anchor.is_empty() { "–" } else { entry.anchor.as_str() }) }
                                @if let Some(parent) = &entry.parent { span .why.address { (parent.as_str()) } }
                            }
                            td data-label="Because" {
                                @if let Some(why) = &entry.why { (breakdown(why)) }
                                a href=(link(&format!("/crawls/{id}/explain"), &[("url", Some(entry.url.to_string()))])) { "Why" }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn host_table(visitor: &Visitor, hosts: &[CrawlHost]) -> Markup {
    html! {
        @if hosts.is_empty() {
            p .quiet { "No host has been asked yet." }
        } @else {
            table .cards.compact.hosts {
                thead { tr { th { "Host" } th .number { "Pages" } th .number { "On topic" } th .number { "Waiting" } th { "Next request" } th { "Pause" } } }
                tbody {
                    @for host in hosts {
                        tr {
                            td .name { (host.name) @if host.troubles > 0 { span .why { (plural(u64::from(host.troubles), "trouble")) " in a row" } } }
                            td .number data-label="Pages" { (number(host.pages)) }
                            td .number data-label="On topic" { (number(host.relevant)) }
                            td .number data-label="Waiting" { (number(host.waiting)) }
                            td data-label="Next request" { @if host.next_at <= visitor.now { "Now" } @else { (when(host.next_at, visitor.now)) } }
                            td data-label="Pause" { (about(host.delay_seconds)) " s" }
                        }
                    }
                }
            }
        }
    }
}

fn candidate_table(visitor: &Visitor, crawl: &CrawlInfo, candidates: &[Candidate]) -> Markup {
    html! {
        @if candidates.is_empty() {
            p .quiet { "Feeds and pages that list dated articles appear here, by how many relevant articles a day they promise." }
        } @else {
            table .cards.compact.candidates {
                thead { tr { th { "Source" } th .number { "Relevant a day" } th .number { "New a day" } th .number { "On topic" } th {} } }
                tbody {
                    @for candidate in candidates {
                        tr {
                            td .name {
                                (outward(&candidate.url, &html! { span dir="auto" { (candidate.title.as_deref().unwrap_or(candidate.url.as_str())) } }))
                                span .why.address { (capitalised(candidate.kind.word())) ", " (candidate.url.as_str()) }
                            }
                            td .number data-label="Relevant a day" { (about(candidate.expected)) }
                            td .number data-label="New a day" { @match candidate.per_day { Some(n) => (about(n)), None => span .quiet { "–" } } }
                            td .number data-label="On topic" { (percent(candidate.share)) }
                            td { (promotion(visitor, crawl, candidate)) }
                        }
                    }
                }
            }
        }
    }
}

fn promotion(visitor: &Visitor, crawl: &CrawlInfo, candidate: &Candidate) -> Markup {
    html! {
        @if let Some(source) = candidate.promoted_to {
            a href={ "/sources/" (source) } { "Watched" }
        } @else {
            details .promote {
                summary .button { "Watch" }
                form method="post" action={ "/crawls/" (crawl.id) } {
                    (visitor.hidden())
                    input type="hidden" name="candidate" value=(candidate.id);
                    label .field { span { "Folder" } input type="text" name="folder" value=(crawl.topic) maxlength="200"; small { "All its articles are filed there. Empty: by your rules alone." } }
                    label .field { span { "Interest" } input type="number" name="interest" min="0" max="1000" step="any" value="1"; }
                    div .actions { button .button.primary name="deed" value="promote" { "Watch it" } }
                }
            }
        }
    }
}

/// The parts of a score, the largest first.
pub(super) fn breakdown(why: &ScoreBreakdown) -> Markup {
    let share = |part: &Part| part.value * part.weight;
    let mut parts: Vec<&Part> = why.parts.iter().filter(|part| share(part).abs() >= 0.005).collect();
    parts.sort_by(|a, b| share(b).abs().total_cmp(&share(a).abs()));
    html! {
        span .words {
            @for part in parts.iter().take(6) {
                span .part title={ (format!("{:.2} × {:.2}", part.value, part.weight)) } { (part.name) " " (format!("{:+.2}", share(part))) } " "
            }
        }
    }
}
