//! How folders are watched: chosen by the user, kept with the data, in force at once.

use crate::database::{Connection, OptionalExtension, params};
use crate::rows::to_json;
use crate::{Store, StoreError};
use detection::{DetectorName, Settings};
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use scheduling::Reaction;
use serde::{Deserialize, Serialize};

/// How folders are watched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WatchSettings {
    /// What decides whether a window is unusual.
    pub detector: DetectorName,
    /// What an event causes.
    pub reaction: Reaction,
    /// The IANA name of the zone whose hours of the week count.
    pub zone: String,
    /// Minutes of a window.
    pub window_minutes: u32,
    /// Visits that events may cause on one host within an hour.
    pub visits_per_host_and_hour: u32,
}

impl Default for WatchSettings {
    fn default() -> Self {
        Self {
            detector: DetectorName::Default,
            reaction: Reaction::default(),
            zone: "UTC".into(),
            window_minutes: 120,
            visits_per_host_and_hour: 12,
        }
    }
}

impl WatchSettings {
    /// What is wrong with them, if anything.
    pub fn problem(&self) -> Option<String> {
        if TimeZone::get(&self.zone).is_err() {
            return Some(format!("there is no time zone {:?}; use a name like Europe/Berlin", self.zone));
        }
        if !(15..=1440).contains(&self.window_minutes) || 1440 % self.window_minutes != 0 {
            return Some("a window must be between 15 minutes and a day long, and divide the day".into());
        }
        None
    }

    /// As detectors are told.
    pub(crate) fn for_detectors(&self) -> Settings {
        Settings {
            zone: TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC),
            window: SignedDuration::from_mins(self.window_minutes.into()),
            ..Settings::default()
        }
    }
}

const SETTINGS: &str = "watch";
/// Counts changes of settings, calendar and weights, so that every process notices.
const WATCH_VERSION: &str = "watch_version";

impl Store {
    /// How folders are watched; `None` if nobody has chosen yet.
    pub async fn watch_settings(&self) -> Result<Option<WatchSettings>, StoreError> {
        self.setting(SETTINGS).await
    }

    /// Changes how folders are watched. Another detector learns from the stored history at once.
    pub async fn set_watch_settings(&self, settings: WatchSettings) -> Result<(), StoreError> {
        self.write(move |connection| {
            save_settings(connection, SETTINGS, &settings)?;
            count_up(connection)
        })
        .await
    }
}

pub(super) fn stored(connection: &Connection) -> Result<WatchSettings, StoreError> {
    Ok(value(connection, SETTINGS)?.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

pub(crate) fn weights(connection: &Connection, detector: DetectorName) -> Result<Vec<f64>, StoreError> {
    let text = value(connection, &weights_name(detector))?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

pub(crate) fn save_weights(
    connection: &Connection,
    detector: DetectorName,
    weights: &[f64],
) -> Result<(), StoreError> {
    save_settings(connection, &weights_name(detector), &weights)
}

fn weights_name(detector: DetectorName) -> String {
    format!("watch_weights_{detector}")
}

pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(value(connection, WATCH_VERSION)?.and_then(|text| text.parse().ok()).unwrap_or(0))
}

pub(crate) fn count_up(connection: &Connection) -> Result<(), StoreError> {
    connection.tell_everybody();
    save_settings(connection, WATCH_VERSION, &(version(connection)? + 1))
}

fn value(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    Ok(connection
        .prepare_cached("SELECT value FROM setting WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()?)
}

fn save_settings<T: Serialize>(connection: &Connection, name: &str, value: &T) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )?
        .execute(params![name, to_json(value)?])?;
    Ok(())
}
