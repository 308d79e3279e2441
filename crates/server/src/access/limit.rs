//! How often a password may be tried: so often by one address, so often by all together, in a sliding window.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_mins(15);
/// A person who mistypes needs three or four.
const TRIES_BY_ONE: usize = 8;
/// A thousand addresses together still get no more than this: 10 letters then take longer than the universe.
const TRIES_BY_ALL: usize = 60;

/// Remembers tries at the password.
#[derive(Debug, Default)]
pub(crate) struct LoginLimit {
    tries: Mutex<Tries>,
}

#[derive(Debug, Default)]
struct Tries {
    by_one: HashMap<IpAddr, VecDeque<Instant>>,
    by_all: VecDeque<Instant>,
}

impl LoginLimit {
    /// Counts a try, or says how long to wait.
    pub(crate) fn try_now(&self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.forget_before(now);
        let own = tries.by_one.entry(network(address)).or_default();
        let own_wait = wait(own, TRIES_BY_ONE, now);
        if let Some(wait) = own_wait.or_else(|| wait(&tries.by_all, TRIES_BY_ALL, now)) {
            return Err(wait);
        }
        tries.by_one.entry(network(address)).or_default().push_back(now);
        tries.by_all.push_back(now);
        Ok(())
    }

    /// The password was right: earlier mistakes are forgiven.
    pub(crate) fn forgive(&self, address: IpAddr) {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.by_one.remove(&network(address));
    }
}

impl Tries {
    fn forget_before(&mut self, now: Instant) {
        let old = |at: &Instant| now.duration_since(*at) >= WINDOW;
        self.by_all.retain(|at| !old(at));
        self.by_one.retain(|_, own| {
            own.retain(|at| !old(at));
            !own.is_empty()
        });
    }
}

fn wait(tries: &VecDeque<Instant>, most: usize, now: Instant) -> Option<Duration> {
    let oldest = tries.front().filter(|_| tries.len() >= most)?;
    Some(WINDOW.saturating_sub(now.duration_since(*oldest)))
}

/// Who holds one IPv6 address usually holds its whole /64.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_run_out_and_come_back() {
        let limit = LoginLimit::default();
        let (me, now) = (IpAddr::from([192, 0, 2, 1]), Instant::now());
        for _ in 0..TRIES_BY_ONE {
            assert_eq!(limit.try_now(me, now), Ok(()));
        }
        assert_eq!(limit.try_now(me, now + WINDOW / 3), Err(WINDOW * 2 / 3));
        assert_eq!(limit.try_now(IpAddr::from([192, 0, 2, 2]), now), Ok(()), "others are not affected");
        assert_eq!(limit.try_now(me, now + WINDOW), Ok(()));
    }

    #[test]
    fn many_addresses_do_not_help() {
        let (limit, now) = (LoginLimit::default(), Instant::now());
        let allowed =
            (0..=255_u8).filter(|last| limit.try_now(IpAddr::from([192, 0, 2, *last]), now).is_ok());
        assert_eq!(allowed.count(), TRIES_BY_ALL);
        let one_network = (0..100_u16).filter(|last| {
            LoginLimit::default()
                .try_now(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, *last).into(), now)
                .is_ok()
        });
        assert_eq!(one_network.count(), 100, "a fresh limit each");
        assert_eq!(network("2001:db8::1".parse().unwrap()), network("2001:db8::2".parse().unwrap()));
    }
}
