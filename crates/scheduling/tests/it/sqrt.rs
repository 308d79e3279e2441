//! `sqrt` against its closed form.

use crate::world::{Demands, World, drive, none};
use scheduling::{PlanSettings, PolicyName};
use std::time::Duration;

/// D* = (Σ√λ)² / (2B Σλ) for constant rates.
#[test]
fn meets_its_closed_form_on_poisson_data() {
    let rates: Vec<f64> = (0..24).map(|index| 1.5_f64.powi(index % 12)).collect();
    let world = World::new(&rates, 120, 120, false, 7);
    let longest_gap = Duration::from_hours(24 * 30);
    let settings = PlanSettings { visits_per_source_day: 6.0, longest_gap, ..PlanSettings::default() };
    let course = drive(&world, PolicyName::Sqrt, &settings, Demands { interval: none, hint: none });
    let roots: f64 = rates.iter().map(|rate| rate.sqrt()).sum();
    let budget = course.visits_per_source_day * rates.len() as f64;
    let best = roots * roots / (2.0 * budget * rates.iter().sum::<f64>()) * 24.0 * 60.0;
    assert!(
        (course.mean_minutes / best - 1.0).abs() < 0.03,
        "{} minutes, {best} by the closed form",
        course.mean_minutes
    );
}
