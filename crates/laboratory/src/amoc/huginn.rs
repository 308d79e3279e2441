//! The rule of Huginn's `PeakDetectorAgent`, a peer: mean and deviation of the last 14 days, no season, no floor.

use detection::{Detector, Score, Settings, Window};
use jiff::{SignedDuration, Timestamp};
use std::collections::VecDeque;

const MEMORY: SignedDuration = SignedDuration::from_hours(14 * 24);

/// Scores how many standard deviations a count lies above the mean of the last 14 days; Huginn alarms above 3.
#[derive(Debug, Clone, Default)]
pub struct PeakDetector {
    past: VecDeque<(Timestamp, f64)>,
    sum: f64,
    squares: f64,
}

impl Detector for PeakDetector {
    fn score(&self, window: &Window, settings: &Settings) -> Score {
        let observed = window.observed() as f64;
        let count = self.past.len().max(1) as f64;
        let mean = self.sum / count;
        let deviation = (self.squares / count - mean * mean).max(0.0).sqrt();
        let threshold = settings.threshold.unwrap_or(3.0);
        let score = if observed <= mean || self.past.is_empty() {
            0.0
        } else {
            (observed - mean) / deviation.max(1e-6)
        };
        Score {
            observed,
            expected: mean,
            low: 0.0,
            high: mean + threshold * deviation,
            score,
            threshold,
            alarm: score >= threshold,
            outputs: vec![score],
            contributions: Vec::new(),
            reason: format!("{observed} against {mean:.1} on average over 14 days"),
        }
    }

    fn learn(&mut self, window: &Window, _usual: bool, _settings: &Settings) {
        let observed = window.observed() as f64;
        self.past.push_back((window.to, observed));
        self.sum += observed;
        self.squares += observed * observed;
        while let Some((to, count)) = self.past.front().copied()
            && window.to.duration_since(to) >= MEMORY
        {
            self.past.pop_front();
            self.sum -= count;
            self.squares -= count * count;
        }
    }
}
