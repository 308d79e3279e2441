//! How manners change. Pure: what happened and when comes in, the new manners come out.

use jiff::{SignedDuration, Timestamp};
use model::Manners;
use std::time::Duration;

/// The first back-off.
pub const FIRST_BACK_OFF: Duration = Duration::from_mins(1);

/// The longest back-off, and the longest a `Retry-After` is believed.
pub const LONGEST_BACK_OFF: Duration = Duration::from_hours(24);

/// Quiet time after which past troubles no longer count.
pub const FORGIVEN_AFTER: Duration = Duration::from_mins(30);

/// The longest crawl-delay that is believed: some files ask for a day, which means "go away" but says it badly.
pub const LONGEST_CRAWL_DELAY: Duration = Duration::from_mins(5);

/// Stumbles that make a host rest. Each answer takes one off: who fails every second time rests, too, but later.
pub const ENOUGH_STUMBLES: u32 = 6;

/// One page that fails or never ends says little about its host: three in a row are enough.
pub const PAGE_STUMBLE: u32 = 2;

/// A host that cannot be reached has one more try; then all its pages have failed.
pub const HOST_STUMBLE: u32 = 3;

/// A tenth more or less at random, so that many hosts behind one failed machine are not asked again together.
const JITTER: f64 = 0.1;

/// The pause between the end of one request and the start of the next.
pub fn delay(manners: &Manners, default_delay: Duration) -> Duration {
    let own = manners.own_delay.unwrap_or(default_delay);
    let asked = manners.crawl_delay.unwrap_or_default().min(LONGEST_CRAWL_DELAY);
    own.max(asked)
}

/// When a host may next be asked whose last request ended at `ended`.
pub fn earliest(manners: &Manners, default_delay: Duration, ended: Timestamp) -> Timestamp {
    let rested = later(ended, delay(manners, default_delay));
    manners.not_before.map_or(rested, |not_before| rested.max(not_before))
}

/// A request went well. Troubles are not forgotten at once: a host that fails every second request would
/// otherwise never be left in peace.
pub fn after_success(manners: &mut Manners, now: Timestamp) {
    if is_forgiven(manners, now) {
        manners.troubles = 0;
        manners.last_trouble = None;
        manners.not_before = None;
    }
}

/// The host was busy, failing or silent. `jitter` is a random number from 0 to 1. Returns when it may be asked again.
pub fn after_trouble(
    manners: &mut Manners,
    now: Timestamp,
    retry_after: Option<Duration>,
    jitter: f64,
) -> Timestamp {
    after_success(manners, now);
    let asked = retry_after.unwrap_or_default().min(LONGEST_BACK_OFF);
    let until = later(now, back_off(manners.troubles, jitter).max(asked));
    let until = manners.not_before.map_or(until, |known| known.max(until));
    manners.troubles = manners.troubles.saturating_add(1);
    manners.last_trouble = Some(now);
    manners.not_before = Some(until);
    until
}

/// Stumbles after one more. They do not grow beyond enough: after a rest, one more failure is enough for the next, and
/// a few answers make up for it.
pub fn stumbles_after(known: u32, weight: u32) -> u32 {
    known.saturating_add(weight).min(ENOUGH_STUMBLES)
}

/// Brings what was stored together with what this process has learnt since; the stricter wins.
pub fn merge(known: &mut Manners, stored: &Manners) {
    // Only people set this one, and they set it in the store.
    known.own_delay = stored.own_delay;
    // robots.txt read by this process is newer than what was stored.
    known.crawl_delay = known.crawl_delay.or(stored.crawl_delay);
    known.not_before = known.not_before.max(stored.not_before);
    if stored.last_trouble > known.last_trouble {
        known.troubles = stored.troubles;
        known.last_trouble = stored.last_trouble;
    }
}

/// Whether the quiet time is over. It counts from when the host could have been asked again; a back-off of
/// hours would otherwise forgive itself, and never grow to a day.
pub fn is_forgiven(manners: &Manners, now: Timestamp) -> bool {
    manners.last_trouble.max(manners.not_before).is_none_or(|last| now >= later(last, FORGIVEN_AFTER))
}

fn back_off(troubles: u32, jitter: f64) -> Duration {
    // 60 s doubled 11 times is beyond a day.
    let doubled = FIRST_BACK_OFF * 2_u32.pow(troubles.min(11));
    let swing = 1.0 + JITTER * (2.0 * jitter.clamp(0.0, 1.0) - 1.0);
    doubled.min(LONGEST_BACK_OFF).mul_f64(swing).min(LONGEST_BACK_OFF)
}

/// `at` plus `by`, or the end of time.
fn later(at: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}
