//! Who has which hosts where several workers visit: hosts fall into slots by their number, and each slot belongs to one worker.
//!
//! Everybody works it out from the same list of workers, without a leader. Should two lists differ for a moment, two workers
//! want the same host: the lease on it decides, and no harm is done.

/// Slots that hosts fall into.
pub const SLOTS: usize = 256;

/// The part of all hosts (or crawls) that is one worker's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    slots: Box<[bool; SLOTS]>,
}

impl Share {
    /// Everything: there is nobody else.
    pub fn all() -> Self {
        Self { slots: Box::new([true; SLOTS]) }
    }

    /// Nothing.
    pub fn none() -> Self {
        Self { slots: Box::new([false; SLOTS]) }
    }

    /// What is `me`'s among these workers; nothing if it is not one of them.
    ///
    /// Each slot goes to the worker that the two together rank highest, so that a worker that comes or goes moves few slots but
    /// its own. None gets more than its even part: then the next in rank has the slot.
    pub fn of(me: &str, workers: &[&str]) -> Self {
        let owners = owners(workers);
        let mut share = Self::none();
        for (slot, held) in share.slots.iter_mut().enumerate() {
            *held = owners[slot].is_some_and(|owner| workers[owner] == me);
        }
        share
    }

    /// Whether a host (or a crawl) with this number belongs to it.
    pub fn holds(&self, number: i64) -> bool {
        self.slots[number.rem_euclid(SLOTS as i64) as usize]
    }

    /// The slots that belong to it; `None` if all do.
    pub fn slots(&self) -> Option<Vec<usize>> {
        let held: Vec<usize> = (0..SLOTS).filter(|slot| self.slots[*slot]).collect();
        (held.len() < SLOTS).then_some(held)
    }

    /// How much of everything it is, from 0 to 1.
    pub fn part(&self) -> f64 {
        self.slots.iter().filter(|held| **held).count() as f64 / SLOTS as f64
    }
}

/// The worker of each slot, by its place in the list.
fn owners(workers: &[&str]) -> [Option<usize>; SLOTS] {
    let most = SLOTS.div_ceil(workers.len().max(1));
    let mut held = vec![0; workers.len()];
    std::array::from_fn(|slot| {
        let free = (0..workers.len()).filter(|worker| held[*worker] < most);
        let owner = free.max_by_key(|worker| (rank(workers[*worker], slot), workers[*worker]))?;
        held[owner] += 1;
        Some(owner)
    })
}

/// How much a slot prefers a worker: the same on every machine and in every release.
fn rank(worker: &str, slot: usize) -> u64 {
    // FNV-1a over the name, then the finaliser of SplitMix64 over both.
    let name = worker.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut mixed = name.wrapping_add((slot as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn every_slot_has_one_owner_and_workers_have_even_parts(seed in 0u32..1_000, count in 1usize..9) {
            let names: Vec<String> = (0..count).map(|n| format!("worker-{seed}-{n}")).collect();
            let workers: Vec<&str> = names.iter().map(String::as_str).collect();
            let shares: Vec<Share> = workers.iter().map(|worker| Share::of(worker, &workers)).collect();
            for host in 0..SLOTS as i64 {
                prop_assert_eq!(shares.iter().filter(|share| share.holds(host)).count(), 1);
            }
            for share in &shares {
                prop_assert!(share.part() <= 1.0 / count as f64 + 1.0 / SLOTS as f64, "{share:?} of {count}");
            }
            // The order in which they are listed says nothing.
            let turned: Vec<&str> = workers.iter().rev().copied().collect();
            prop_assert_eq!(Share::of(workers[0], &workers), Share::of(workers[0], &turned));
        }

        #[test]
        fn who_comes_or_goes_moves_little_else(seed in 0u32..1_000, count in 2usize..9) {
            let names: Vec<String> = (0..count).map(|n| format!("worker-{seed}-{n}")).collect();
            let many: Vec<&str> = names.iter().map(String::as_str).collect();
            let fewer = &many[..count - 1];
            let (before, after) = (owners(fewer), owners(&many));
            let moved = (0..SLOTS).filter(|slot| before[*slot] != after[*slot]);
            // What must move is the part of one; as much again may follow to keep the parts even.
            let moved = moved.count();
            prop_assert!(moved * count <= 2 * SLOTS + 2 * count, "{moved} of {SLOTS} for {count}");
        }
    }

    #[test]
    fn who_is_alone_has_all_and_a_stranger_nothing() {
        assert_eq!(Share::of("a", &["a"]).slots(), None);
        assert_eq!(Share::of("b", &["a"]), Share::none());
        assert_eq!(Share::of("b", &[]), Share::none());
        assert!(Share::all().holds(-3) && !Share::none().holds(7));
    }
}
