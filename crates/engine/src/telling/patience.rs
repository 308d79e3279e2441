//! When a delivery that failed is tried again, and when it is given up.

use super::send::{Sent, Trouble};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use store::{Dispatch, Tried};

/// Waits after the first tries, in seconds; then the last one again and again. Short at first, for most trouble is a
/// restart; an hour in the end, which is what a long outage deserves.
const WAITS: [u64; 7] = [30, 60, 120, 300, 900, 1_800, 3_600];
/// After this long on the monitor's clock it is given up: a weekend without anyone to mend it is survived.
const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(72);
/// Nobody can send us away for longer.
const LONGEST_WAIT: Duration = Duration::from_hours(24);

/// What is written down about a try.
pub(super) fn judge(dispatch: &Dispatch, sent: Sent, now: Timestamp) -> Tried {
    let Trouble { error, status, retry_after, for_good, channel_waits } = match sent {
        Ok(status) => return Tried::Delivered { status },
        Err(trouble) => trouble,
    };
    let since = dispatch.first_try_at.unwrap_or(now);
    if for_good || dispatch.test || now.duration_since(since) >= GIVE_UP_AFTER {
        return Tried::GivenUp { error, status };
    }
    // A channel that has failed for others already is not asked thirty seconds later on behalf of each.
    let failed = if channel_waits { dispatch.tries.max(dispatch.channel.failures) } else { dispatch.tries };
    let wait = WAITS.get(failed as usize).or(WAITS.last()).copied().unwrap_or(3_600);
    let wait = Duration::from_secs(wait).max(retry_after.unwrap_or_default().min(LONGEST_WAIT));
    let at = now.checked_add(SignedDuration::try_from(wait).unwrap_or(SignedDuration::ZERO)).unwrap_or(now);
    Tried::Again { at: dispatch.channel.settings.after_quiet(at), error, status, channel_waits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{Channel, ChannelSettings, Hidden, Quiet, Rhythm, Target};

    fn dispatch() -> Dispatch {
        let settings = ChannelSettings {
            name: "test".into(),
            target: Target::Webhook { url: "https://a.example/".parse().unwrap(), secret: Hidden::new("s") },
            wants: Vec::new(),
            folders: Vec::new(),
            rhythm: Rhythm::AtOnce,
            quiet: None,
            zone: "UTC".into(),
            enabled: true,
        };
        let channel = Channel {
            id: model::ChannelId(1),
            settings,
            created_at: at(0),
            failures: 0,
            failing_since: None,
            retry_at: None,
            last_error: None,
            last_delivered_at: None,
        };
        Dispatch {
            channel,
            key: "k".into(),
            deliveries: Vec::new(),
            messages: Vec::new(),
            tries: 0,
            first_try_at: None,
            test: false,
        }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn wait(dispatch: &Dispatch, trouble: Trouble) -> Option<i64> {
        match judge(dispatch, Err(trouble), at(0)) {
            Tried::Again { at: again, .. } => Some(again.duration_since(at(0)).as_secs()),
            _ => None,
        }
    }

    #[test]
    fn waits_grow_to_an_hour_and_end_after_three_days() {
        let waits: Vec<_> = (0..9)
            .map(|tries| wait(&Dispatch { tries, ..dispatch() }, Trouble::of_channel("x")).unwrap())
            .collect();
        assert_eq!(waits, [30, 60, 120, 300, 900, 1_800, 3_600, 3_600, 3_600]);
        let old = |seconds: i64| Dispatch { first_try_at: Some(at(-seconds)), ..dispatch() };
        assert!(wait(&old(72 * 3600 - 1), Trouble::of_channel("x")).is_some());
        assert!(wait(&old(72 * 3600), Trouble::of_channel("x")).is_none());
    }

    #[test]
    fn a_channel_that_fails_is_not_asked_for_every_message_anew() {
        let mut failing = dispatch();
        failing.channel.failures = 5;
        assert_eq!(wait(&failing, Trouble::of_channel("x")), Some(1_800));
        assert_eq!(wait(&failing, Trouble::of_message("x")), Some(30));
    }

    #[test]
    fn what_the_endpoint_asks_for_is_kept_up_to_a_day() {
        let busy =
            |seconds| Trouble { retry_after: Some(Duration::from_secs(seconds)), ..Trouble::of_channel("x") };
        assert_eq!(wait(&dispatch(), busy(1)), Some(30));
        assert_eq!(wait(&dispatch(), busy(500)), Some(500));
        assert_eq!(wait(&dispatch(), busy(9_999_999)), Some(86_400));
    }

    #[test]
    fn tests_and_what_is_gone_are_not_tried_again_and_quiet_hours_are_kept() {
        assert_eq!(wait(&Dispatch { test: true, ..dispatch() }, Trouble::of_channel("x")), None);
        assert_eq!(wait(&dispatch(), Trouble { for_good: true, ..Trouble::of_message("x") }), None);
        let mut quiet = dispatch();
        // 1,800,000,000 is 08:00 UTC.
        let hours = Quiet { from: "07:00".parse().unwrap(), to: "10:00".parse().unwrap() };
        quiet.channel.settings.quiet = Some(hours);
        assert_eq!(wait(&quiet, Trouble::of_channel("x")), Some(7_200));
    }
}
