//! What was delivered lately, what waits, what was given up.

use crate::ui::icons::{Icon, icon};
use crate::ui::parts::when;
use crate::ui::visitor::Visitor;
use crate::words::capitalised;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use store::{DeliveryInfo, DeliveryState};

pub(super) fn table(visitor: &Visitor, deliveries: &[DeliveryInfo]) -> Markup {
    html! {
        @if !deliveries.is_empty() {
            section .card {
                h2 { "Deliveries" }
                table .cards.compact {
                    thead { tr { th { "Message" } th { "Channel" } th { "Written" } th { "State" } th {} } }
                    tbody { @for delivery in deliveries { (row(visitor, delivery)) } }
                }
            }
        }
    }
}

fn row(visitor: &Visitor, delivery: &DeliveryInfo) -> Markup {
    let story = visitor.app.engine.story(&delivery.message, &TimeZone::UTC);
    // Our own page, whatever name we are reached by.
    let page = story.link.as_ref().map(|link| link.path().to_owned());
    html! {
        tr {
            td .name {
                @if let Some(page) = page { a href=(page) dir="auto" { (story.title) } } @else { (story.title) }
            }
            td data-label="Channel" { (delivery.channel) }
            td data-label="Written" { (when(delivery.message.created_at, visitor.now)) }
            td data-label="State" { (state(visitor, delivery)) }
            td {
                @if delivery.state != DeliveryState::Delivered && !delivery.test {
                    form method="post" action={ "/notifications/deliveries/" (delivery.id) } {
                        (visitor.hidden())
                        button .button { "Try again" }
                    }
                }
            }
        }
    }
}

fn state(visitor: &Visitor, delivery: &DeliveryInfo) -> Markup {
    html! {
        @match delivery.state {
            DeliveryState::Delivered => span .standing.ok { (icon(Icon::Check)) "Delivered" },
            DeliveryState::GivenUp => span .standing.failing { (icon(Icon::Warning)) "Given up" },
            DeliveryState::Waiting => span .standing.late { (icon(Icon::Clock)) "Waiting" },
        }
        @if let Some(due) = delivery.due_at { span .why { "Next try " @if due <= visitor.now { "now" } @else { (when(due, visitor.now)) } } }
        @if delivery.tries > 1 { span .why { "Tried " (delivery.tries) " times" } }
        @if let Some(error) = &delivery.last_error { span .why { (capitalised(error)) } }
    }
}
