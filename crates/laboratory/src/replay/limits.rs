//! The limits as visits.

use super::span::Span;
use super::trace::Trace;
use super::visits::Visits;
use scheduling::PlanSettings;

pub(super) fn oracle(trace: &Trace, span: &Span, plan: &PlanSettings) -> Visits {
    let _ = (span, plan);
    Visits::none(trace)
}

pub(super) fn known_rate(trace: &Trace, span: &Span, plan: &PlanSettings) -> Visits {
    let _ = (span, plan);
    Visits::none(trace)
}
