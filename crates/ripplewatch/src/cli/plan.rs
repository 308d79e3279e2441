//! What can be typed about the plan.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Plan {
    #[command(subcommand)]
    pub(crate) command: Option<PlanCommand>,
    /// At most this many coming visits
    #[arg(long, default_value_t = 20)]
    pub(crate) limit: usize,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Show the policy, the budget and what was spent of it
    Settings,
    /// Change the policy, the budget or the interests; a running monitor takes it over within seconds
    Set(Box<PlanSet>),
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct PlanSet {
    /// Who decides: planner, sqrt, even, or any other that `replay` knows
    #[arg(long, value_name = "NAME")]
    pub(crate) policy: Option<String>,
    /// The budget: visits a day for each source on average, or `configured` for what the interval gives
    #[arg(long, value_name = "VISITS", conflicts_with = "visits_per_day")]
    pub(crate) visits_per_source: Option<String>,
    /// The budget: visits a day for all sources together
    #[arg(long, value_name = "VISITS")]
    pub(crate) visits_per_day: Option<f64>,
    /// At most this many planned visits a day to one host; `none` for no limit
    #[arg(long, value_name = "VISITS")]
    pub(crate) visits_per_host: Option<String>,
    /// `free`: visits may move from the night to the day; `hourly`: the same budget each hour
    #[arg(long, value_name = "PACE")]
    pub(crate) pace: Option<String>,
    /// What an article of a folder counts, e.g. `Sport=5`; `others=0` for everything else; `Sport=` forgets it
    #[arg(long, value_name = "FOLDER=WEIGHT")]
    pub(crate) interest: Vec<String>,
}
