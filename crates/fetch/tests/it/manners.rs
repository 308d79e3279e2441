//! The rules of politeness against a naive model of them.

use fetch::politeness::{
    FIRST_BACK_OFF, FORGIVEN_AFTER, LONGEST_BACK_OFF, after_success, after_trouble, delay, earliest, merge,
};
use jiff::{SignedDuration, Timestamp};
use model::Manners;
use proptest::prelude::*;
use std::time::Duration;

#[derive(Debug, Clone)]
enum Deed {
    Success,
    Trouble { retry_after: Option<u64>, jitter: f64 },
}

fn deeds() -> impl Strategy<Value = Vec<(u64, Deed)>> {
    let trouble = (prop::option::of(0_u64..200_000), 0.0..=1.0)
        .prop_map(|(retry_after, jitter)| Deed::Trouble { retry_after, jitter });
    let deed = prop_oneof![Just(Deed::Success), trouble];
    // How long after the host could be asked again, and what happened then.
    prop::collection::vec((0_u64..4_000, deed), 1..40)
}

/// Keeps the whole history and works everything out from it.
#[derive(Default)]
struct Naive {
    troubles: Vec<Timestamp>,
    blocked_until: Option<Timestamp>,
}

impl Naive {
    fn forgive(&mut self, now: Timestamp) {
        let last = self.troubles.last().copied().max(self.blocked_until);
        if last.is_none_or(|last| now.duration_since(last).as_secs_f64() >= FORGIVEN_AFTER.as_secs_f64()) {
            self.troubles.clear();
        }
    }

    /// The least and the most a trouble may block for.
    fn trouble(&mut self, now: Timestamp, retry_after: Option<u64>) -> (f64, f64) {
        self.forgive(now);
        let mut wait = FIRST_BACK_OFF.as_secs_f64();
        for _ in &self.troubles {
            wait = (wait * 2.0).min(LONGEST_BACK_OFF.as_secs_f64());
        }
        self.troubles.push(now);
        let asked = retry_after.unwrap_or(0).min(LONGEST_BACK_OFF.as_secs()) as f64;
        ((wait * 0.9).max(asked), (wait * 1.1).min(LONGEST_BACK_OFF.as_secs_f64()).max(asked))
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

proptest! {
    #[test]
    fn back_off_is_what_the_history_says(deeds in deeds()) {
        let (mut manners, mut naive, mut now) = (Manners::default(), Naive::default(), 0_i64);
        for (pause, deed) in deeds {
            let free = earliest(&manners, Duration::ZERO, at(now));
            now = (free.as_second() - at(0).as_second() + 1).max(now) + pause as i64;
            match deed {
                Deed::Success => {
                    after_success(&mut manners, at(now));
                    naive.forgive(at(now));
                }
                Deed::Trouble { retry_after, jitter } => {
                    let asked = retry_after.map(Duration::from_secs);
                    let until = after_trouble(&mut manners, at(now), asked, jitter);
                    let (least, most) = naive.trouble(at(now), retry_after);
                    let wait = until.duration_since(at(now)).as_secs_f64();
                    prop_assert!((least - 1e-6..=most + 1e-6).contains(&wait), "{wait} not in {least}..={most}");
                    prop_assert_eq!(manners.not_before, Some(until));
                    naive.blocked_until = Some(until);
                }
            }
            prop_assert_eq!(manners.troubles as usize, naive.troubles.len());
        }
    }

    #[test]
    fn nobody_is_asked_before_any_of_the_reasons_to_wait(
        own in prop::option::of(0_u64..1_000),
        crawl in prop::option::of(0_u64..1_000),
        blocked in prop::option::of(0_i64..10_000),
        default in 0_u64..1_000,
    ) {
        let manners = Manners {
            own_delay: own.map(Duration::from_secs),
            crawl_delay: crawl.map(Duration::from_secs),
            not_before: blocked.map(at),
            ..Manners::default()
        };
        let default = Duration::from_secs(default);
        let pause = delay(&manners, default).as_secs();
        prop_assert_eq!(pause, own.unwrap_or(default.as_secs()).max(crawl.unwrap_or(0).min(300)));
        let expected = (pause as i64).max(blocked.unwrap_or(0));
        prop_assert_eq!(earliest(&manners, default, at(0)), at(expected));
    }

    #[test]
    fn restoring_never_shortens_a_wait(known in prop::option::of(0_i64..1_000), stored in prop::option::of(0_i64..1_000)) {
        let of = |block: Option<i64>| Manners {
            not_before: block.map(at),
            troubles: u32::from(block.is_some()),
            last_trouble: block.map(at),
            ..Manners::default()
        };
        let mut merged = of(known);
        merge(&mut merged, &of(stored));
        prop_assert_eq!(merged, of(known.max(stored)));
    }
}

#[test]
fn a_host_that_stays_down_is_asked_once_a_day_in_the_end() {
    let mut manners = Manners::default();
    let mut now = at(0);
    for _ in 0..20 {
        now = after_trouble(&mut manners, now, None, 0.5);
    }
    let until = after_trouble(&mut manners, now, None, 0.5);
    assert_eq!(until.duration_since(now), SignedDuration::from_hours(24));
}

#[test]
fn half_an_hour_of_quiet_is_forgiveness() {
    let mut manners = Manners::default();
    let until = after_trouble(&mut manners, at(0), None, 0.5);
    let mut soon = manners.clone();
    after_success(&mut soon, until + SignedDuration::from_mins(29));
    assert_eq!(soon, manners);
    after_success(&mut manners, until + SignedDuration::from_mins(30));
    assert_eq!(manners, Manners::default());
}
