//! What the policy expects of a source: its week, and when enough is expected for a visit.

use crate::ui::chart::{heat_map, outlook_chart};
use crate::ui::events::watch;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::words::about;
use maud::{Markup, html};
use model::Source;
use store::HourOfWeek;

/// Less is no burst worth a word.
const BURST: f64 = 1.3;

pub(super) async fn expected(visitor: &Visitor, source: &Source) -> Result<Markup, Trouble> {
    let outlook = visitor.app.engine.outlook(source.id).await?;
    let Some(outlook) = outlook.filter(|_| source.interval.is_none() && !source.paused) else {
        return Ok(html! {});
    };
    let (settings, zone) = watch(&visitor.app).await?;
    let mut week: HourOfWeek = [[0.0; 24]; 7];
    for (place, value) in outlook.week.iter().enumerate().take(168) {
        week[place / 24][place % 24] = *value;
    }
    Ok(html! {
        div .halves {
            section .card { h2 { "Expected in a week" } (heat_map(&week, &settings.zone)) }
            section .card {
                h2 { "When to visit" }
                (outlook_chart(&outlook, source.state.next_at, &zone))
                p .small-print {
                    "A visit is made when it saves enough waiting: now " (about(outlook.price)) " minutes, summed over articles. "
                    @if outlook.burst > BURST { "Lately it brings " (about(outlook.burst)) " times its usual. " }
                    a href="/plan/settings" { "Budget and interests" }
                }
            }
        }
    })
}
