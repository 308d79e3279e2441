//! What people and programs do with the plan, checked in one place for the pages and the API.

use crate::app::App;
use crate::problem::Problem;
use jiff::SignedDuration;
use store::{HourSpent, PlanChoice, StoreError};

/// A day: what budgets are about.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// How planning stands.
#[derive(Debug)]
pub(crate) struct PlanStanding {
    pub(crate) choice: PlanChoice,
    /// Sources without an interval of their own, not paused.
    pub(crate) sources: u64,
    /// The budget of all of them, in visits a day.
    pub(crate) budget: f64,
    /// Visits in the last 24 hours, of whatever kind.
    pub(crate) spent: u64,
    /// The same, hour by hour.
    pub(crate) hours: Vec<HourSpent>,
}

/// How planning stands now.
pub(crate) async fn standing(app: &App) -> Result<PlanStanding, StoreError> {
    let choice = app.store().plan_choice().await?.unwrap_or_else(|| app.engine.usual_plan().clone());
    let sources = app.store().census().await?.planned;
    let since = app.now().checked_sub(DAY).unwrap_or(jiff::Timestamp::MIN);
    let budget = choice.visits_per_source_day(app.engine.interval(), sources) * sources as f64;
    Ok(PlanStanding {
        choice,
        sources,
        budget,
        spent: app.store().visits_since(since).await?,
        hours: app.store().hours_spent(since).await?,
    })
}

/// Chooses how visits are planned; in force at once.
pub(crate) async fn choose(app: &App, choice: &PlanChoice) -> Result<(), Problem> {
    if let Some(problem) = choice.problem() {
        return Err(Problem::invalid(problem));
    }
    let folders = crate::ui::folders_of(app).await?;
    if let Some(unknown) = choice.interests.folders.keys().find(|id| folders.get(**id).is_none()) {
        return Err(Problem::invalid(format!("there is no folder {unknown}")));
    }
    app.store().set_plan_choice(choice).await?;
    app.engine.plan_changed();
    app.changed();
    Ok(())
}
