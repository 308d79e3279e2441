//! Series that are made, the same in every run.

use detection::{AnyDetector, Detector, DetectorName, Level, Part, Score, Settings, Window};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use model::SourceId;

/// A small generator (xorshift) with what the tests draw from it.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From 0 to 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn poisson(&mut self, mean: f64) -> u32 {
        let (limit, mut product, mut count) = ((-mean).exp(), self.share(), 0);
        while product > limit {
            product *= self.share();
            count += 1;
        }
        count
    }
}

/// Counts that follow a mean as closely as whole numbers can: what alarms on them alarms not by chance.
#[derive(Default)]
pub(crate) struct Even(f64);

impl Even {
    pub(crate) fn count(&mut self, mean: f64) -> u32 {
        self.0 += mean;
        let count = self.0.floor();
        self.0 -= count;
        count as u32
    }
}

/// 2026-01-05, a Monday.
pub(crate) fn start() -> Timestamp {
    "2026-01-05T00:00:00Z".parse().unwrap()
}

/// The window so many windows of two hours after the start, without parts.
pub(crate) fn window(at: i64) -> Window {
    let from = start() + SignedDuration::from_hours(2 * at);
    Window {
        from,
        to: from + SignedDuration::from_hours(2),
        open: false,
        level: Level::USUAL,
        parts: Vec::new(),
    }
}

/// A part over the whole window.
pub(crate) fn part(window: &Window, source: i64, count: u32) -> Part {
    Part { source: SourceId(source), since: window.from, until: window.to, count }
}

/// How busy a site of normal habits is at an hour of the day: little at night, most at noon.
pub(crate) fn habit(hour: f64) -> f64 {
    0.15 + 1.7 * (-((hour - 13.0) / 4.5).powi(2)).exp()
}

/// The local hour of the day in the middle of a window.
pub(crate) fn hour(window: &Window, zone: &TimeZone) -> f64 {
    let middle = window.from + SignedDuration::from_hours(1);
    f64::from(middle.to_zoned(zone.clone()).hour())
}

/// A detector that is shown windows one after the other, scored before it learns them.
pub(crate) struct Watch {
    pub(crate) detector: AnyDetector,
    pub(crate) settings: Settings,
    pub(crate) alarms: Vec<(Timestamp, String)>,
}

impl Watch {
    pub(crate) fn new(name: DetectorName) -> Self {
        let settings = Settings::default();
        Self { detector: AnyDetector::new(name, &settings), settings, alarms: Vec::new() }
    }

    pub(crate) fn show(&mut self, window: &Window) -> Score {
        let score = self.detector.score(window, &self.settings);
        let bare = self.detector.bare_score(window, &self.settings);
        assert!((bare - score.score).abs() < 1e-9, "the bare score is the score");
        assert!(score.score.is_finite() && score.expected.is_finite() && score.high.is_finite(), "{score:?}");
        assert_eq!(score.alarm, score.score >= score.threshold);
        if score.alarm {
            self.alarms.push((window.from, score.reason.clone()));
        }
        self.detector.learn(window, true, &self.settings);
        score
    }
}
