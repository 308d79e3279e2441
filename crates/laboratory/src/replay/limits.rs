//! The limits as visits.

use super::span::Span;
use super::trace::Trace;
use super::visits::Visits;
use scheduling::PlanSettings;
use scheduling::limits::{self, Published};

pub(super) fn oracle(trace: &Trace, span: &Span, plan: &PlanSettings) -> Visits {
    let budget = plan.visits_per_source_day * trace.sources().len() as f64 * span.days();
    Visits(limits::oracle(&published(trace, span, plan), budget))
}

pub(super) fn known_rate(trace: &Trace, span: &Span, plan: &PlanSettings) -> Visits {
    Visits(limits::known_rate(&published(trace, span, plan), span.split, span.end, plan))
}

/// The articles of the test, by source.
fn published(trace: &Trace, span: &Span, plan: &PlanSettings) -> Vec<Vec<Published>> {
    let mut sources = vec![Vec::new(); trace.sources().len()];
    for article in trace.articles().iter().filter(|article| span.split <= article.at && article.at < span.end)
    {
        let weight = plan.interests.weight(&article.folders);
        sources[article.source].push(Published { at: article.at, weight });
    }
    sources
}
