//! Scores in words and ranges, the same for all detectors that compare with a seasonal baseline.

use crate::baseline::Expectation;
use crate::score::{Contribution, Score};
use crate::settings::Settings;
use crate::statistics::{ln_tail, quantile};
use std::f64::consts::LN_10;

/// A chance that is not worth telling apart from never.
const LARGEST: f64 = 300.0;

/// −log10 of the chance of so many or more: 3 is once in a thousand windows.
pub(crate) fn surprise(observed: f64, expected: f64, phi: f64) -> f64 {
    // An expectation of nothing would make a single story infinitely unusual.
    (-ln_tail(observed, expected.max(LEAST_EXPECTED), phi) / LN_10).clamp(0.0, LARGEST)
}

/// Of a folder that never brings anything two stories in a window are a surprise, one is not.
pub(crate) const LEAST_EXPECTED: f64 = 0.05;

/// The part of an explanation that all share, for counts that are usual up to `high`; the caller sets score, threshold, alarm
/// and outputs, and says how seldom that is.
pub(crate) fn explain(seen: &Expectation, phi: f64, high: f64, settings: &Settings) -> Score {
    let expected = seen.expected.max(LEAST_EXPECTED);
    let low = quantile(0.01, expected, seen.widened(phi)).min(high);
    let reason = format!(
        "{} against {} expected (usual range {low:.0} to {high:.0})",
        seen.observed,
        plain(seen.expected)
    );
    // A single source is unusual where chance would bring so much less than once in the time a false alarm takes.
    let windows = 168.0 * 3600.0 / settings.window.as_secs_f64().max(1.0);
    let rare = (windows / settings.sensitivity.clamp(1e-6, 40.0)).log10();
    let contributions = seen.top.iter().map(|one| {
        let own = one.contribution;
        let wide = phi + one.doubt / own.expected.max(1e-9);
        Contribution { unusual: surprise(own.observed, own.expected, wide) >= rare, ..own }
    });
    Score {
        observed: seen.observed,
        expected: seen.expected,
        low,
        high,
        score: 0.0,
        threshold: 0.0,
        alarm: false,
        outputs: Vec::new(),
        contributions: contributions.collect(),
        reason,
    }
}

/// "by chance about once in 40 weeks".
pub(crate) fn in_weeks(weeks: f64) -> String {
    let (days, years) = (weeks * 7.0, weeks / 52.18);
    match () {
        () if days < 1.5 => "nothing unusual".to_owned(),
        () if days < 14.0 => format!("by chance about once in {days:.0} days"),
        () if weeks < 104.0 => format!("by chance about once in {weeks:.0} weeks"),
        () if years < 1000.0 => format!("by chance about once in {years:.0} years"),
        () => "by chance less than once in a thousand years".to_owned(),
    }
}

/// One digit after the point where it matters.
pub(crate) fn plain(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") }
}
