//! All that a person sets about a watch.

use super::{Aim, Move, Notify, Stop, WatchError, When};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// All that a person sets about a watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// What it looks at.
    #[serde(flatten)]
    pub aim: Aim,
    /// When a look counts.
    #[serde(default)]
    pub when: When,
    /// How far a number must have moved, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Move>,
    /// It ends when one of these holds.
    #[serde(default)]
    pub stops: Vec<Stop>,
    /// Which changes are worth telling.
    #[serde(default)]
    pub notify: Notify,
    /// The time zone that times are meant in, by its IANA name.
    pub zone: String,
}

/// More would be read by nobody.
const MOST_STOPS: usize = 8;

impl Terms {
    /// A watch on this part that tells every change.
    pub fn new(aim: Aim) -> Self {
        let (when, notify) = (When::Visit, Notify::Always);
        Self { aim, when, moved: None, stops: Vec::new(), notify, zone: "UTC".into() }
    }

    /// Whether a watch can have these terms from `now` on.
    pub fn check(&self, now: Timestamp) -> Result<(), WatchError> {
        self.aim.check()?;
        let zone = TimeZone::get(&self.zone).map_err(|_| WatchError::Zone(self.zone.clone()))?;
        if self.stops.len() > MOST_STOPS {
            return Err(WatchError::TooManyStops(MOST_STOPS));
        }
        match self.stops.iter().find(|stop| stop.is_past(now, &zone)) {
            Some(stop) => Err(WatchError::StopInThePast(stop.to_string())),
            None => Ok(()),
        }
    }

    /// The zone; UTC if its name is not known any more.
    pub fn time_zone(&self) -> TimeZone {
        TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC)
    }

    /// When its page must be visited at the latest, the last look having been at `last`. `None`: whenever it is.
    pub fn next_look(&self, last: Timestamp) -> Option<Timestamp> {
        self.when.next(last, &self.time_zone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watches::What;

    #[test]
    fn terms_are_stored_as_they_are_typed() {
        let terms = Terms {
            aim: Aim { within: Some("main".into()), ..Aim::at("css .price".parse().unwrap()) },
            when: "every 30 minutes".parse().unwrap(),
            moved: Some("down 5 %".parse().unwrap()),
            stops: vec!["below 10".parse().unwrap()],
            zone: "Europe/Berlin".into(),
            ..Terms::new(Aim::at(What::Text))
        };
        let text = serde_json::to_string(&terms).unwrap();
        assert_eq!(
            text,
            r#"{"what":"css .price","within":"main","when":"every 30 minutes","moved":"down 5 %","stops":["below 10"],"notify":"always","zone":"Europe/Berlin"}"#
        );
        assert_eq!(serde_json::from_str::<Terms>(&text).unwrap(), terms);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let now: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
        let with = |change: fn(&mut Terms)| {
            let mut terms = Terms::new(Aim::at(What::Text));
            change(&mut terms);
            terms.check(now)
        };
        assert!(with(|_| {}).is_ok());
        assert!(with(|terms| terms.stops = vec!["after 2026-06-01".parse().unwrap()]).is_ok());
        let past = with(|terms| terms.stops = vec!["after 2026-05-31".parse().unwrap()]);
        assert_eq!(
            past.unwrap_err().to_string(),
            "the watch would end at once: after 2026-05-31 is in the past"
        );
        assert!(matches!(with(|terms| terms.zone = "Mars/Base".into()), Err(WatchError::Zone(_))));
        let many = with(|terms| terms.stops = vec!["told 1 times".parse().unwrap(); 9]);
        assert!(matches!(many, Err(WatchError::TooManyStops(_))));
    }
}
