//! What is usual: how much each source brings to the folder, at which hours of the week, and how much that wavers.
//!
//! expected = Σ over the parts: the source's rate × the season over the part's own span × the drift × the calendar's level.

mod dispersion;
mod drift;
mod season;
mod sources;

pub(crate) use dispersion::Dispersion;

use crate::score::Contribution;
use crate::settings::Settings;
use crate::statistics::anscombe;
use crate::window::{Part, Window};
use drift::Drift;
use jiff::Timestamp;
use model::SourceId;
use season::{Season, Sums};
use serde::{Deserialize, Serialize};
use sources::{Source, Sources};

/// Residuals beyond this are outbreaks and teach less (Noufaily et al. 2013).
const OUTBREAK: f64 = 2.58;
/// … but never less than this, or a lasting change would never become usual.
const LEAST_WEIGHT: f64 = 0.1;
/// No window teaches more than so many times what was expected, or so many stories.
const FAR: f64 = 10.0;
/// While an event goes on, little is learned from it.
const EVENT_WEIGHT: f64 = 0.02;
/// A part over more hours tells nothing of now: its source was away. Weekly visits stay below it.
const LONGEST_PART: f64 = 8.0 * 24.0;
/// The sources seen in so many hours before are waited for in an open window.
const LATELY: f64 = 24.0;

/// What is usual in a folder. Grows with each closed window; nothing is ever fitted again from the start.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Baseline {
    sources: Sources,
    season: Season,
    drift: Drift,
    /// Stories an hour that the sources seen lately bring together.
    lately: f64,
}

/// What is expected of a window, and how well that is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expectation {
    /// Stories seen.
    pub(crate) observed: f64,
    /// Stories expected. What a new source brings is taken as expected.
    pub(crate) expected: f64,
    /// Variance of the expectation itself: rates, season and calendar are known only so well.
    pub(crate) doubt: f64,
    /// Stories expected were all hours of the week alike: what the folder's size is.
    pub(crate) flat: f64,
    /// The ten largest excesses of single sources.
    pub(crate) top: Vec<Excess>,
}

/// A source above its own usual.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Excess {
    pub(crate) contribution: Contribution,
    /// Variance of its expectation.
    pub(crate) doubt: f64,
}

impl Baseline {
    pub(crate) fn expect(&self, window: &Window, settings: &Settings) -> Expectation {
        let offset = offset(window, settings);
        let multiplier = multiplier(window) * self.drift.factor();
        let mean = self.sources.mean_rate();
        let mut cursor = self.sources.cursor();
        let mut spans = Spans::new(&self.season, offset);
        let mut all = Expectation::default();
        // What is the same for all parts is known no better for their sum.
        let mut shared = 0.0;
        for part in &window.parts {
            let count = f64::from(part.count);
            all.observed += count;
            let Some(span) = spans.of(part) else {
                all.expected += count;
                continue;
            };
            let source = cursor.find(part.source);
            let trust = source.map_or(0.0, |source| source.trust(part.since));
            let own = source.map_or(mean, |source| source.rate(mean)) * span.shape * multiplier;
            let expected = trust * own + (1.0 - trust) * own.max(count);
            let doubt = trust * own * own * source.map_or(0.0, Source::doubt);
            all.flat += own * span.hours / span.shape.max(1e-9);
            all.expected += expected;
            all.doubt += doubt;
            shared += trust * own;
            if count > expected {
                all.keep(part, expected, doubt);
            }
        }
        if window.open {
            let span = hours(window.from, window.to);
            let whole = self.lately * self.season.over(local_hour(window.from, offset), span) * multiplier;
            all.expected = all.expected.max(whole);
            all.flat = all.flat.max(self.lately * span * multiplier);
            shared = shared.max(whole);
        }
        let known = self.season.doubt(local_hour(window.from, offset), hours(window.from, window.to));
        all.doubt += shared * shared * (known + level_doubt(window));
        all.top.sort_by(|a, b| excess(b).total_cmp(&excess(a)));
        all
    }

    /// Stories that the whole of an open window would bring, were it as usual.
    pub(crate) fn usual(&self, window: &Window, settings: &Settings) -> f64 {
        let start = local_hour(window.from, offset(window, settings));
        let season = self.season.over(start, hours(window.from, window.to));
        self.lately * season * multiplier(window) * self.drift.factor()
    }

    /// What is known of a source from before its first part.
    pub(crate) fn introduce(&mut self, source: SourceId, count: u32, since: Timestamp, until: Timestamp) {
        // Nearly what summing over all sources would give; exactly that after the next window.
        self.lately += self.sources.introduce(source, f64::from(count), hours(since, until), until);
    }

    /// Learns from a closed window that was expected as given, with the dispersion of single windows.
    pub(crate) fn learn(
        &mut self,
        window: &Window,
        seen: &Expectation,
        usual: bool,
        phi: f64,
        settings: &Settings,
    ) {
        let residual = anscombe(seen.observed, seen.expected, seen.widened(phi));
        let mut weight =
            if residual > OUTBREAK { (OUTBREAK / residual).powi(2).max(LEAST_WEIGHT) } else { 1.0 };
        if !usual {
            weight = weight.min(EVENT_WEIGHT);
        }
        // A slip of a thousand times the usual must not become it, however little it weighs.
        weight = weight.min((FAR * seen.expected + FAR) / seen.observed.max(1.0));
        let offset = offset(window, settings);
        let multiplier = multiplier(window);
        let factor = self.drift.factor() * multiplier;
        let mean = self.sources.mean_rate();
        self.season.forget(hours(window.from, window.to));
        let mut learned = Vec::with_capacity(window.parts.len());
        let (mut observed, mut slow) = (0.0, 0.0);
        let mut cursor = self.sources.cursor();
        let mut spans = Spans::new(&self.season, offset);
        let mut lessons: Vec<(f64, f64, f64, f64)> = Vec::new();
        for part in &window.parts {
            let Some(span) = spans.of(part) else {
                learned.push((part.source, part.since, part.until, None));
                continue;
            };
            let source = cursor.find(part.source);
            let rate = source.map_or(mean, |source| source.rate(mean));
            let count = f64::from(part.count) / multiplier;
            if source.is_some_and(Source::is_known) {
                observed += count;
                slow += rate * span.shape;
            }
            if span.hours <= season::LONGEST {
                match lessons.last_mut() {
                    Some(last)
                        if last.0.total_cmp(&span.start).is_eq() && last.1.total_cmp(&span.hours).is_eq() =>
                    {
                        last.2 += count;
                        last.3 += rate;
                    }
                    _ => lessons.push((span.start, span.hours, count, rate)),
                }
            }
            learned.push((part.source, part.since, part.until, Some((count, span.shape, span.hours))));
        }
        for (start, hours, count, rate) in lessons {
            self.season.learn(start, hours, weight * count, weight * rate * factor / multiplier);
        }
        self.drift.learn(hours(window.from, window.to), weight * observed, weight * slow, phi);
        self.sources.learn(&learned, weight);
        self.lately = self.sources.lately(window.to);
        self.season.shape(phi);
    }
}

impl Expectation {
    /// The dispersion of the count, what is not known of its mean included. With nothing but the rate in doubt this is the
    /// Gamma–Poisson predictive distribution: a cold start needs no other formula.
    pub(crate) fn widened(&self, phi: f64) -> f64 {
        phi + self.doubt / self.expected.max(1e-9)
    }

    fn keep(&mut self, part: &Part, expected: f64, doubt: f64) {
        let observed = f64::from(part.count);
        let contribution = Contribution { source: part.source, observed, expected, unusual: false };
        let one = Excess { contribution, doubt };
        if self.top.len() < 10 {
            self.top.push(one);
            return;
        }
        let least = self.top.iter_mut().min_by(|a, b| excess(a).total_cmp(&excess(b)));
        if let Some(least) = least
            && excess(least) < excess(&one)
        {
            *least = one;
        }
    }
}

fn excess(one: &Excess) -> f64 {
    one.contribution.observed - one.contribution.expected
}

/// The season over parts; neighbours mostly share their span.
struct Spans<'a> {
    season: Sums<'a>,
    offset: f64,
    last: Option<(Timestamp, Timestamp, Option<Span>)>,
}

#[derive(Clone, Copy)]
struct Span {
    /// Local hours since 1970 at its start.
    start: f64,
    hours: f64,
    /// Hours weighted by the season.
    shape: f64,
}

impl<'a> Spans<'a> {
    fn new(season: &'a Season, offset: f64) -> Self {
        Self { season: season.sums(), offset, last: None }
    }

    /// `None` for a part that tells nothing: it ends before it begins, or began too long ago.
    fn of(&mut self, part: &Part) -> Option<Span> {
        if let Some((since, until, span)) = self.last
            && since == part.since
            && until == part.until
        {
            return span;
        }
        let hours = hours(part.since, part.until);
        let start = local_hour(part.since, self.offset);
        let span = (hours > 0.0 && hours <= LONGEST_PART).then(|| Span {
            start,
            hours,
            shape: self.season.over(start, hours),
        });
        self.last = Some((part.since, part.until, span));
        span
    }
}

fn hours(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64() / 3600.0
}

/// Local hours since 1970.
fn local_hour(at: Timestamp, offset: f64) -> f64 {
    at.as_second() as f64 / 3600.0 + offset
}

/// Hours by which local time is ahead. One for the whole window: a part that spans a change of clocks is off by an hour at
/// one end, which is nothing against asking the zone ten thousand times.
fn offset(window: &Window, settings: &Settings) -> f64 {
    f64::from(settings.zone.to_offset(window.from).seconds()) / 3600.0
}

/// A calendar cannot expect less than a hundredth; whatever else is no number counts as usual.
fn multiplier(window: &Window) -> f64 {
    let multiplier = window.level.multiplier;
    if multiplier.is_finite() { multiplier.clamp(0.01, 1e6) } else { 1.0 }
}

/// Relative variance of a log-normal multiplier.
fn level_doubt(window: &Window) -> f64 {
    let uncertainty = window.level.uncertainty;
    if uncertainty.is_finite() { uncertainty.clamp(0.0, 5.0).powi(2).exp_m1() } else { 0.0 }
}
