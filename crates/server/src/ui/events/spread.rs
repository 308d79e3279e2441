//! How an event spread: who had it first, who followed, which stories, which visits.

use crate::ui::icons::{Icon, icon};
use crate::ui::parts::when;
use crate::ui::visitor::Visitor;
use crate::words::{capitalised, day_clock, lag, plural};
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use store::{EventDetail, Follower};

/// A sentence names so many sources.
const NAMED: usize = 4;
/// What is shown at once; the rest is a click away.
const AT_ONCE: usize = 12;
/// Less than that is no difference: visits are further apart.
const SOON: SignedDuration = SignedDuration::from_secs(5);

/// Who had it first, and who followed how long after.
pub(super) fn who(visitor: &Visitor, detail: &EventDetail, zone: &TimeZone) -> Markup {
    let followers = &detail.followers;
    html! {
        section .card {
            h2 { "Where it began and who followed" }
            @if followers.is_empty() {
                p .note { "Its articles are no longer kept." }
            } @else {
                p { (in_words(followers)) }
                ol .followers { @for (place, follower) in followers.iter().enumerate().take(AT_ONCE) { (line(visitor, place, follower, zone)) } }
                @if followers.len() > AT_ONCE {
                    details #more-followers {
                        summary { (followers.len() - AT_ONCE) " more" }
                        ol .followers { @for (place, follower) in followers.iter().enumerate().skip(AT_ONCE) { (line(visitor, place, follower, zone)) } }
                    }
                }
            }
        }
    }
}

/// "BBC first; 14 min later CNN; 20 min later Reuters and 3 more."
fn in_words(followers: &[Follower]) -> String {
    let named = followers.iter().take(NAMED).enumerate().map(|(place, follower)| match place {
        0 => format!("{} first", follower.title),
        _ => format!("{} {}", later(follower.after), follower.title),
    });
    let named = named.collect::<Vec<_>>().join("; ");
    match followers.len() {
        1 => format!("{named}; nobody followed yet."),
        all if all > NAMED => format!("{named}, and {} more.", all - NAMED),
        _ => format!("{named}."),
    }
}

fn later(after: SignedDuration) -> String {
    if after < SOON { "at the same time".into() } else { format!("{} later", lag(after)) }
}

fn line(visitor: &Visitor, place: usize, follower: &Follower, zone: &TimeZone) -> Markup {
    let until_seen = follower.seen_at.duration_since(follower.first_at);
    html! {
        li {
            span .after {
                @if place == 0 { "first" } @else if follower.after < SOON { "at once" } @else { "+" (lag(follower.after)) }
            }
            div {
                a .name href={ "/sources/" (follower.source) } dir="auto" { (follower.title) }
                span .why {
                    (day_clock(follower.first_at, zone))
                    @if until_seen >= SignedDuration::from_mins(1) { ", seen here " (lag(until_seen)) " later" }
                    @else { ", seen " (when(follower.seen_at, visitor.now)) }
                    " · " (plural(u64::from(follower.articles), "article"))
                }
            }
        }
    }
}

/// Its stories, each once.
pub(super) fn stories(visitor: &Visitor, detail: &EventDetail) -> Markup {
    let story = |story: &store::Story| {
        html! {
            li {
                a href={ "/articles/" (story.article) } dir="auto" {
                    @if story.title.trim().is_empty() { (story.url) } @else { (story.title) }
                }
                span .why {
                    span dir="auto" { (story.source) } " · " (when(story.first_seen_at, visitor.now))
                    @if story.spread > 1 { " · " span .spread-count { "on " (plural(u64::from(story.spread), "source")) } }
                }
            }
        }
    };
    html! {
        section .card {
            h2 { "Stories" }
            @if detail.stories.is_empty() {
                p .note { "Its articles are no longer kept." }
            } @else {
                p .quiet { "The same story on many sources counts once." }
                ul .stories { @for one in detail.stories.iter().take(AT_ONCE) { (story(one)) } }
                @if detail.stories.len() > AT_ONCE {
                    details #more-stories {
                        summary { (detail.stories.len() - AT_ONCE) " more" }
                        ul .stories { @for one in detail.stories.iter().skip(AT_ONCE) { (story(one)) } }
                    }
                }
            }
        }
    }
}

/// The visits it caused.
pub(super) fn caused(visitor: &Visitor, detail: &EventDetail) -> Markup {
    html! {
        section .card {
            h2 { "Visits it caused" }
            @if detail.visits.is_empty() {
                p .note {
                    "None. Either no other source covers the folder, all were to be visited as soon anyway, their hosts had "
                    "their share of visits, or the reaction is off. " a href="/events/settings" { "How folders are watched" }
                }
            } @else {
                table .cards.compact {
                    thead { tr { th { "Source" } th { "When" } th { "Outcome" } th .number { "New" } th { "Why" } } }
                    tbody {
                        @for (visit, source) in &detail.visits {
                            tr {
                                td .name { a href={ "/sources/" (visit.source_id) } dir="auto" { (source) } }
                                td data-label="When" {
                                    span { (when(visit.at, visitor.now)) }
                                    span .why { (lag(visit.at.duration_since(detail.event.opened_at))) " after it was noticed" }
                                }
                                td data-label="Outcome" {
                                    span .bad[!visit.outcome.is_success()] {
                                        @if !visit.outcome.is_success() { (icon(Icon::Warning)) }
                                        (capitalised(&visit.outcome.to_string()))
                                    }
                                }
                                td .number data-label="New" { (visit.new) }
                                td data-label="Why" { (capitalised(&visit.reason)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use model::SourceId;

    fn follower(id: i64, minutes: i64) -> Follower {
        Follower {
            source: SourceId(id),
            title: format!("Paper {id}"),
            first_at: Timestamp::UNIX_EPOCH,
            seen_at: Timestamp::UNIX_EPOCH,
            after: SignedDuration::from_mins(minutes),
            articles: 1,
        }
    }

    #[test]
    fn a_spread_is_one_sentence() {
        let all: Vec<_> = [0, 14, 20, 61, 70, 80]
            .iter()
            .enumerate()
            .map(|(id, after)| follower(id as i64, *after))
            .collect();
        assert_eq!(in_words(&all[..1]), "Paper 0 first; nobody followed yet.");
        assert_eq!(
            in_words(&all),
            "Paper 0 first; 14 min later Paper 1; 20 min later Paper 2; 1 h 1 min later Paper 3, and 2 more."
        );
    }
}
