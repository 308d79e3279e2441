//! What events gained: how long their articles waited to be seen, and would have waited for even polling.

use crate::ui::chart::{Series, waiting};
use crate::ui::visitor::Visitor;
use crate::words::{lag, plural, span_words};
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use store::StoreError;

/// How far back the section looks.
const DAYS: i64 = 30;
/// A mean of fewer says nothing.
const FEWEST: usize = 5;

pub(super) async fn gain(visitor: &Visitor) -> Result<Markup, StoreError> {
    let since = visitor.now.checked_sub(SignedDuration::from_hours(DAYS * 24)).unwrap_or(Timestamp::MIN);
    let interval = visitor.app.settings.interval;
    let gain = visitor.app.store().event_gain(since, interval).await?;
    if gain.waited.len() < FEWEST {
        return Ok(html! {});
    }
    let (with, without) = (mean(&gain.waited), mean(&gain.even));
    Ok(html! {
        section .card {
            h2 { "What events gained" }
            p {
                (plural(gain.waited.len() as u64, "article")) " that appeared while events went on were seen "
                strong { (lag(with)) } " after publication in the mean. Visits every " (span_words(interval))
                ", or at each source’s own interval, would have needed " strong { (lag(without)) } ". It took "
                (plural(gain.visits, "more visit")) "."
            }
            (waiting(
                "How long articles of events waited to be seen",
                &Series { name: "as it was", minutes: &gain.waited },
                &Series { name: "by even polling", minutes: &gain.even },
            ))
            p .small-print { "The last " (DAYS) " days; articles with a date, published after their event was noticed. Dismissed events do not count." }
        }
    })
}

fn mean(minutes: &[f64]) -> SignedDuration {
    let mean = minutes.iter().sum::<f64>() / minutes.len().max(1) as f64;
    SignedDuration::try_from_secs_f64(mean * 60.0).unwrap_or(SignedDuration::ZERO)
}
