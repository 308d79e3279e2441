//! Notifications: how people are told, how that goes, and the feeds.

mod channel;
mod deeds;
mod deliveries;
mod feeds;
mod form;

pub(crate) use deeds::{act, create, feed_key, retry};

use super::events::{Section, sections};
use super::parts::empty;
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::{Number, Visitor};
use crate::problem::Problem;
use crate::words::capitalised;
use axum::response::{IntoResponse, Response};
use form::{Kind, Values};
use http::StatusCode;
use maud::{Markup, html};
use model::ChannelId;
use store::{Channel, DeliveryFilter, Target};

const DELIVERIES: usize = 30;

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    page(&visitor, None).await
}

/// The page, with a form that was refused as it was typed.
async fn page(visitor: &Visitor, refused: Option<(Kind, Values, Problem)>) -> Result<Response, Trouble> {
    let store = visitor.app.store();
    let channels = store.channels().await?;
    let filter = DeliveryFilter { limit: DELIVERIES, ..DeliveryFilter::default() };
    let delivered = store.deliveries(filter).await?;
    let folders = super::filed::folders(&visitor.app).await?;
    let adding = |kind: Kind| {
        let typed = refused.as_ref().filter(|(refused, ..)| *refused == kind);
        let (values, alarm) = match typed {
            Some((_, values, problem)) => (values.clone(), alarm(problem)),
            None => (Values::blank(), html! {}),
        };
        html! {
            details .card open[typed.is_some()] {
                summary { strong { (kind.invitation()) } }
                (form::form(visitor, "/notifications", kind, &values, &folders, &alarm, "Add"))
            }
        }
    };
    let content = html! {
        (sections(Section::Notifications))
        header .head {
            h1 { "Notifications" }
            p .quiet { "What happens, told where you want it: when a folder becomes unusually busy, when that ends, when a source is late." }
        }
        div #channels data-live {
            @if channels.is_empty() {
                (empty("Nobody is told yet", "Add a webhook or an e-mail address below. A test shows within seconds whether it works.", &html! {}))
            }
            @for one in &channels { (channel::card(visitor, one, &folders)) }
        }
        (adding(Kind::Webhook))
        (adding(Kind::Mail))
        div #deliveries data-live { (deliveries::table(visitor, &delivered)) }
        (feeds::section(visitor, &folders).await?)
    };
    let mut response = visitor.page(Tab::Events, "Notifications", &content);
    *response.status_mut() = refused.map_or(StatusCode::OK, |(.., problem)| problem.status);
    Ok(response)
}

/// One channel, to be changed.
pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let channel = visitor.app.store().channel(ChannelId(id)).await?;
    let values = Values::of(&channel.settings);
    edit_page(&visitor, &channel, &values, None).await
}

async fn edit_page(
    visitor: &Visitor,
    channel: &Channel,
    values: &Values,
    refused: Option<Problem>,
) -> Result<Response, Trouble> {
    let folders = super::filed::folders(&visitor.app).await?;
    let alarm = refused.as_ref().map_or_else(|| html! {}, alarm);
    let action = format!("/notifications/{}", channel.id);
    let kind = Kind::of(&channel.settings.target);
    let content = html! {
        header .head {
            p .quiet { a href="/notifications" { "Notifications" } }
            h1 { (channel.settings.name) }
        }
        section .card { (form::form(visitor, &action, kind, values, &folders, &alarm, "Save")) }
        @if kind == Kind::Webhook {
            section .card {
                h2 { "Secret" }
                p { "Every message is signed with it, so that your program can tell ours from others: "
                    code { "Ripplewatch-Signature: t=…,v1=…" } " where v1 is HMAC-SHA-256 of t, a dot and the body." }
                form method="post" action=(action) {
                    (visitor.hidden())
                    button .button name="deed" value="secret" { "Make a new secret" }
                }
            }
        }
        section .card {
            h2 { "Remove" }
            p { "What is on its way through it is not delivered." }
            form method="post" action=(action) {
                (visitor.hidden())
                button .button.danger name="deed" value="remove" { "Remove this channel" }
            }
        }
    };
    let mut response = visitor.page(Tab::Events, &channel.settings.name, &content);
    *response.status_mut() = refused.map_or(StatusCode::OK, |problem| problem.status);
    Ok(response)
}

/// A webhook's secret, shown this once.
fn secret_page(visitor: &Visitor, channel: &Channel) -> Response {
    let Target::Webhook { secret, .. } = &channel.settings.target else {
        return axum::response::Redirect::to("/notifications").into_response();
    };
    let content = html! {
        section .card.narrow {
            h1 { "The secret of " (channel.settings.name) }
            p { "Messages are signed with it. Copy it into your program now: it is not shown again." }
            p { code .secret { (secret.reveal()) } }
            form .actions method="post" action={ "/notifications/" (channel.id) } {
                (visitor.hidden_for("/notifications"))
                button .button.primary name="deed" value="test" { "Send a test" }
                a .button href="/notifications" { "To the notifications" }
            }
        }
    };
    visitor.page(Tab::Events, "The secret", &content)
}

fn alarm(problem: &Problem) -> Markup {
    html! {
        p .error role="alert" {
            (capitalised(&problem.error)) "."
            @if let Some(hint) = &problem.hint { " " (capitalised(hint)) "." }
        }
    }
}
