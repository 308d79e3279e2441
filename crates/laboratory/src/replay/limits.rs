//! The limits as visits: what could be done by one who knows what no policy knows. Free in time, whatever the pace.

use super::span::Span;
use super::trace::Trace;
use super::visits::Visits;
use scheduling::PlanSettings;
use scheduling::limits::{self, Published};

/// Knows when each article will come.
pub(super) fn oracle(trace: &Trace, span: &Span, plan: &PlanSettings) -> Visits {
    let sources = published(trace, span, plan);
    let budget = plan.visits_per_source_day * span.days() * sources.len() as f64;
    Visits(limits::oracle(&sources, budget))
}

/// Knows each source's rate at each hour of the week, odd weeks from even ones and the other way round.
pub(super) fn known_rate(trace: &Trace, span: &Span, plan: &PlanSettings) -> Visits {
    Visits(limits::known_rate(&published(trace, span, plan), span.split, span.end, plan))
}

/// The articles of the test weeks, with their weights.
fn published(trace: &Trace, span: &Span, plan: &PlanSettings) -> Vec<Vec<Published>> {
    let mut sources = vec![Vec::new(); trace.sources().len()];
    for article in trace.articles().iter().filter(|article| article.at >= span.split) {
        if let Some(source) = sources.get_mut(article.source) {
            source.push(Published { at: article.at, weight: plan.interests.weight(&article.folders) });
        }
    }
    sources
}
