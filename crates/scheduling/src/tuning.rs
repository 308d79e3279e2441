//! Parameters of single policies, every default in one place. They were chosen on training weeks alone (docs/evaluation.md has
//! the grid).

use crate::adaptive::AdaptiveTuning;
use crate::bursts::BurstScale;
use crate::drift::DriftTuning;
use crate::history::ForecastTuning;
use crate::planner::PlannerTuning;
use crate::profile::ProfileTuning;
use crate::trust::TrustTuning;
use serde::{Deserialize, Serialize};

/// Parameters of single policies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tuning {
    /// Forecasts.
    pub forecast: ForecastTuning,
    /// `planner`.
    pub planner: PlannerTuning,
    /// `lambda-crawl` and `azar`: a page is asked for in proportion to this power of its rate.
    pub demand_power: DemandPower,
    /// `nutch`; the original's 0.8 and 1.4 are far too lively where intervals are scaled to a budget.
    pub nutch: AdaptiveTuning,
    /// `duplicate-share`.
    pub duplicate_share: AdaptiveTuning,
    /// `bright`: by what a burst shortens the wait; 1: not at all.
    pub bright_burst: f64,
    /// `wic`: after so many hours an update is e times less urgent; 0: never.
    pub wic_urgency_hours: f64,
    /// `wic`: the time between two instants, as a share of the mean interval.
    pub wic_step: f64,
    /// `cam`: the length of a slot, as a share of the mean interval.
    pub cam_slot: f64,
}

/// How much more busy pages are asked for: 0 not at all, 1 in proportion to what they publish.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DemandPower {
    /// `lambda-crawl`.
    pub lambda_crawl: f64,
    /// `azar`.
    pub azar: f64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            forecast: ForecastTuning::default(),
            planner: PlannerTuning::default(),
            demand_power: DemandPower { lambda_crawl: 0.3, azar: 0.7 },
            nutch: AdaptiveTuning { shorter: 0.99, longer: 1.01 },
            duplicate_share: AdaptiveTuning { shorter: 0.8, longer: 1.02 },
            bright_burst: 1.0,
            wic_urgency_hours: 0.0,
            wic_step: 0.3,
            cam_slot: 0.6,
        }
    }
}

impl Default for ForecastTuning {
    fn default() -> Self {
        Self {
            profile: ProfileTuning {
                half_life: 8.0,
                cell_prior: 32.0,
                day_prior: 6.0,
                mean_prior: 0.5,
                spread: 0.5,
            },
            bursts: [
                BurstScale { hours: 6.0, prior: 3.0, trust: 0.0 },
                BurstScale { hours: 18.0, prior: 3.0, trust: 1.0 },
                BurstScale { hours: 168.0, prior: 10.0, trust: 0.0 },
            ],
            drift: DriftTuning { days: 6.0, prior: 4.0, trust: 0.0, spread: 0.3 },
            all: [
                BurstScale { hours: 8.0, prior: 20.0, trust: 0.0 },
                BurstScale { hours: 48.0, prior: 20.0, trust: 0.0 },
            ],
            trust: TrustTuning { prior: 10.0, lowest: -0.5, highest: 1.5 },
            interest_half_life: 3.0,
        }
    }
}

impl Default for PlannerTuning {
    fn default() -> Self {
        Self { slot_minutes: 10.0, beyond_hours: 36.0, gain: 0.5, reprice_days: 7.0 }
    }
}
