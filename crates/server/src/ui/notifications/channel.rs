//! One channel on the page: where it leads, what it tells, how it is doing.

use super::form::kind_words;
use crate::ui::icons::{Icon, icon};
use crate::ui::parts::{maybe_when, when};
use crate::ui::visitor::Visitor;
use crate::words::capitalised;
use knowledge::Folders;
use maud::{Markup, html};
use store::{Channel, Rhythm, Target};

pub(super) fn card(visitor: &Visitor, channel: &Channel, folders: &Folders) -> Markup {
    let settings = &channel.settings;
    let action = format!("/notifications/{}", channel.id);
    html! {
        section .card id={ "channel-" (channel.id) } {
            div .section-head {
                h2 { (settings.name) }
                (standing(channel))
            }
            p .address { (capitalised(settings.target.word())) " · " (place(&settings.target)) }
            @if let Some(error) = &channel.last_error {
                p .alarm role="alert" {
                    (icon(Icon::Warning))
                    span {
                        strong { (capitalised(error)) "." } " "
                        @if let Some(since) = channel.failing_since { "Failing since " (when(since, visitor.now)) ". " }
                        @if let Some(at) = channel.retry_at.filter(|at| *at > visitor.now) { "Next try " (when(at, visitor.now)) "; nothing is lost." }
                    }
                }
            }
            dl .tiles {
                div { dt { "Tells when" } dd { @for kind in &settings.wants { span .why { (kind_words(kind)) } } } }
                div {
                    dt { "About" }
                    dd {
                        @if settings.folders.is_empty() { "All folders" }
                        @for id in &settings.folders { span .why dir="auto" { (folders.path(*id)) } }
                    }
                }
                div {
                    dt { "Rhythm" }
                    dd {
                        (rhythm(settings.rhythm))
                        @if let Some(quiet) = settings.quiet { span .why { "Quiet " (quiet) } }
                        @if settings.quiet.is_some() || matches!(settings.rhythm, Rhythm::Daily { .. }) {
                            span .why { (settings.zone) }
                        }
                    }
                }
                div { dt { "Last told" } dd { (maybe_when(channel.last_delivered_at, visitor.now, "Never")) } }
            }
            form .actions method="post" action=(action) {
                (visitor.hidden())
                button .button.primary name="deed" value="test" { "Test" }
                a .button href=(action) { "Edit" }
                @if settings.enabled { button .button name="deed" value="pause" { "Pause" } }
                @else { button .button name="deed" value="resume" { "Resume" } }
            }
        }
    }
}

fn standing(channel: &Channel) -> Markup {
    let (class, drawing, words) = match (channel.settings.enabled, channel.failing_since) {
        (false, _) => ("paused", Icon::Pause, "Paused"),
        (true, Some(_)) => ("failing", Icon::Warning, "Failing"),
        (true, None) if channel.last_delivered_at.is_none() => ("new", Icon::Dot, "New"),
        (true, None) => ("ok", Icon::Check, "OK"),
    };
    html! { span class={ "standing " (class) } { (icon(drawing)) (words) } }
}

fn place(target: &Target) -> String {
    match target {
        Target::Webhook { url, .. } => url.to_string(),
        Target::Mail(mail) => format!("{} by {}:{}", mail.to.join(", "), mail.host, mail.port),
    }
}

fn rhythm(rhythm: Rhythm) -> String {
    match rhythm {
        Rhythm::AtOnce => "At once".into(),
        Rhythm::Hourly => "Every hour".into(),
        Rhythm::Daily { at } => format!("Daily at {}", at.strftime("%H:%M")),
    }
}
