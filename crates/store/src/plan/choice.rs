//! What the user chose.

use super::PlanRules;
use crate::watch::WatchSettings;
use crate::{Store, StoreError};
use jiff::tz::TimeZone;
use knowledge::Folders;
use model::FolderId;
use scheduling::{Interests, Pace, PlanSettings, PolicyName};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How visits are planned.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanChoice {
    /// Who decides.
    pub policy: PolicyName,
    /// What may be spent.
    pub budget: Budget,
    /// How it may be spread over the day.
    pub pace: Pace,
    /// At most so many planned visits a day to one host, however many sources it has.
    pub visits_per_host_and_day: Option<u32>,
    /// What the user cares for.
    pub interests: Interests,
}

/// Visits a day.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    /// As many as even polling makes at the configured interval.
    #[default]
    Configured,
    /// For each source, on average.
    EachSource(f64),
    /// For all sources together.
    InAll(f64),
}

/// The policies plan in slots of five minutes.
const MOST_FOR_A_SOURCE: f64 = 288.0;

impl PlanChoice {
    /// What it asks of a visit's deed.
    pub fn rules(&self) -> PlanRules {
        PlanRules {
            visits_per_host_and_day: self.visits_per_host_and_day,
            keeps_timers: self.policy != PolicyName::Planner,
        }
    }

    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        let visits = match self.budget {
            Budget::Configured => 1.0,
            Budget::EachSource(visits) | Budget::InAll(visits) => visits,
        };
        if !visits.is_finite() || visits <= 0.0 {
            return Some("a budget must be more than no visits a day".into());
        }
        if matches!(self.budget, Budget::EachSource(_)) && visits > MOST_FOR_A_SOURCE {
            return Some(format!(
                "more than {MOST_FOR_A_SOURCE} visits a day to each source, one every five minutes, would be rude"
            ));
        }
        if matches!(self.budget, Budget::InAll(_)) && !(1.0..=1e8).contains(&visits) {
            return Some("a budget for all sources is from 1 to 100,000,000 visits a day".into());
        }
        if self.visits_per_host_and_day == Some(0) {
            return Some("no visit a day to a host would be no watching: pause its sources instead".into());
        }
        let weights = self.interests.folders.values().chain([&self.interests.others]);
        if weights.clone().any(|weight| !weight.is_finite() || *weight < 0.0 || *weight > 1000.0) {
            return Some("an interest is a number from 0 to 1000; 1 is the usual".into());
        }
        weights.clone().all(|weight| *weight <= 0.0).then(|| "something must be of interest".into())
    }

    /// Visits a day for each of `sources`; `configured` is the configured interval.
    pub fn visits_per_source_day(&self, configured: Duration, sources: u64) -> f64 {
        match self.budget {
            Budget::Configured => 86_400.0 / configured.as_secs_f64().max(1e-3),
            Budget::EachSource(visits) => visits,
            Budget::InAll(visits) => visits / sources.max(1) as f64,
        }
    }

    /// As policies are told. What a folder counts, the folders inside it count, unless they have a number of their own.
    pub fn settings(
        &self,
        configured: Duration,
        sources: u64,
        zone: TimeZone,
        folders: &Folders,
    ) -> PlanSettings {
        let usual = PlanSettings::default();
        PlanSettings {
            visits_per_source_day: self.visits_per_source_day(configured, sources),
            pace: self.pace,
            // Whoever asks for visits more often than that means it.
            shortest_gap: usual.shortest_gap.min(configured),
            interests: self.inherited(folders),
            zone,
            ..usual
        }
    }
}

impl PlanChoice {
    fn inherited(&self, folders: &Folders) -> Interests {
        let own = &self.interests.folders;
        let nearest = |id: FolderId| {
            let mut above = Some(id);
            std::iter::from_fn(|| {
                let here = above?;
                above = folders.get(here).and_then(|folder| folder.parent);
                Some(here)
            })
            .find_map(|id| own.get(&id).copied())
        };
        let all = folders.list().into_iter().map(|(_, folder)| folder.id);
        let weighted = all.filter_map(|id| Some((id, nearest(id)?))).collect();
        Interests { others: self.interests.others, folders: weighted }
    }
}

const CHOICE: &str = "plan";

impl Store {
    /// How visits are planned; `None` if nobody has chosen yet.
    pub async fn plan_choice(&self) -> Result<Option<PlanChoice>, StoreError> {
        self.setting(CHOICE).await
    }

    /// Chooses how visits are planned. A running monitor notices within seconds. The papers' policies are even polling with a
    /// detector and a reaction of their own: these are chosen with them.
    pub async fn set_plan_choice(&self, choice: &PlanChoice) -> Result<(), StoreError> {
        if let Some((reaction, detector)) = choice.policy.reaction() {
            let watching = self.watch_settings().await?.unwrap_or_default();
            self.set_watch_settings(WatchSettings { detector, reaction, ..watching }).await?;
        }
        self.set_setting(CHOICE, Some(choice)).await
    }
}
