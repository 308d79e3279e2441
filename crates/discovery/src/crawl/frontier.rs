//! Which URL next: a queue for each host, and an order over the hosts by their best URL.
//!
//! Every change is O(log n). Hosts that rest until a time stand aside, so that asking for the next URL does not
//! walk over thousands of hosts that are being polite.

#[cfg(test)]
mod tests;

use super::heap::{self, Order};
use super::known::{HostNumber, Known, Knowns, NONE, Spot, SpotState};
use jiff::Timestamp;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Where the URLs wait.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    hosts: Vec<Queue>,
    /// Hosts with something waiting that do not rest, the best first.
    order: Vec<u32>,
    waking: BinaryHeap<Reverse<(Timestamp, u32)>>,
    retries: BinaryHeap<Reverse<(Timestamp, u32)>>,
    waiting: usize,
}

#[derive(Debug, Clone)]
struct Queue {
    heap: Vec<u32>,
    /// Place in the order over the hosts.
    place: u32,
    rests: Option<Timestamp>,
    /// Has had more than its share: comes after all others.
    overdrawn: bool,
}

impl Frontier {
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// URLs that wait for their time after a failure.
    pub(crate) fn resting(&self) -> usize {
        self.retries.len()
    }

    pub(crate) fn add_host(&mut self) -> HostNumber {
        self.hosts.push(Queue { heap: Vec::new(), place: NONE, rests: None, overdrawn: false });
        HostNumber(self.hosts.len() as u32 - 1)
    }

    /// Hosts with something waiting, and how many of them rest.
    pub(crate) fn hosts(&self) -> (usize, usize) {
        let busy = self.hosts.iter().filter(|queue| !queue.heap.is_empty());
        (busy.clone().count(), busy.filter(|queue| queue.rests.is_some()).count())
    }

    /// Hosts with something waiting.
    pub(crate) fn waiting_hosts(&self) -> impl Iterator<Item = HostNumber> + '_ {
        (0..).zip(&self.hosts).filter(|(_, queue)| !queue.heap.is_empty()).map(|(host, _)| HostNumber(host))
    }

    /// The URLs that wait on a host.
    pub(crate) fn waiting_on(&self, host: HostNumber) -> Vec<Spot> {
        self.hosts
            .get(host.0 as usize)
            .map(|queue| queue.heap.iter().copied().map(Spot).collect())
            .unwrap_or_default()
    }

    pub(crate) fn waits_on(&self, host: HostNumber) -> usize {
        self.hosts.get(host.0 as usize).map_or(0, |queue| queue.heap.len())
    }

    /// URLs that wait, or waited, for another try.
    pub(crate) fn retries(&self) -> impl Iterator<Item = Spot> + '_ {
        self.retries.iter().map(|Reverse((_, spot))| Spot(*spot))
    }

    /// These URLs are not tried again.
    pub(crate) fn forget_retries(&mut self, spots: &[Spot]) {
        let forgotten: std::collections::HashSet<u32> = spots.iter().map(|spot| spot.0).collect();
        self.retries.retain(|Reverse((_, spot))| !forgotten.contains(spot));
    }

    /// A known URL begins to wait.
    pub(crate) fn push(&mut self, knowns: &mut Knowns, spot: Spot) {
        let Some(known) = knowns.get_mut(spot) else { return };
        known.state = SpotState::Waiting;
        let host = known.host;
        let Some(queue) = self.hosts.get_mut(host as usize) else { return };
        heap::push(&mut queue.heap, &mut Spots(knowns.records_mut()), spot.0);
        self.waiting += 1;
        self.mend_host(knowns, host);
    }

    /// Takes a waiting URL out.
    pub(crate) fn remove(&mut self, knowns: &mut Knowns, spot: Spot) -> bool {
        let Some(known) = knowns.get(spot).filter(|known| known.state == SpotState::Waiting) else {
            return false;
        };
        let (host, place) = (known.host, known.place as usize);
        let Some(queue) = self.hosts.get_mut(host as usize) else { return false };
        if heap::remove(&mut queue.heap, &mut Spots(knowns.records_mut()), place).is_none() {
            return false;
        }
        self.waiting -= 1;
        self.mend_host(knowns, host);
        true
    }

    /// Gives a known URL another priority.
    pub(crate) fn reprice(&mut self, knowns: &mut Knowns, spot: Spot, priority: f32) {
        let Some(known) = knowns.get_mut(spot) else { return };
        known.priority = priority;
        if known.state != SpotState::Waiting {
            return;
        }
        let (host, place) = (known.host, known.place as usize);
        let Some(queue) = self.hosts.get_mut(host as usize) else { return };
        let first = queue.heap.first().copied();
        heap::mend(&mut queue.heap, &mut Spots(knowns.records_mut()), place);
        // The host's place depends on its best alone.
        if first == Some(spot.0) || queue.heap.first() == Some(&spot.0) {
            self.mend_host(knowns, host);
        }
    }

    /// The host is not to be asked before this time.
    pub(crate) fn rest(&mut self, knowns: &Knowns, host: HostNumber, until: Timestamp) {
        if let Some(queue) = self.hosts.get_mut(host.0 as usize) {
            queue.rests = Some(until);
            self.waking.push(Reverse((until, host.0)));
            self.mend_host(knowns, host.0);
        }
    }

    /// Until when a host is not to be asked, if it rests.
    pub(crate) fn rests(&self, host: HostNumber) -> Option<Timestamp> {
        self.hosts.get(host.0 as usize)?.rests
    }

    /// The host has had more than its share, or is within it again.
    pub(crate) fn overdraw(&mut self, knowns: &Knowns, host: HostNumber, overdrawn: bool) {
        if let Some(queue) = self.hosts.get_mut(host.0 as usize)
            && queue.overdrawn != overdrawn
        {
            queue.overdrawn = overdrawn;
            self.mend_host(knowns, host.0);
        }
    }

    /// A URL is to be tried again from this time on.
    pub(crate) fn retry(&mut self, spot: Spot, at: Timestamp) {
        self.retries.push(Reverse((at, spot.0)));
    }

    /// When something that rests wakes up.
    pub(crate) fn wakes(&self) -> Option<Timestamp> {
        let first = |heap: &BinaryHeap<Reverse<(Timestamp, u32)>>| heap.peek().map(|Reverse((at, _))| *at);
        first(&self.waking).into_iter().chain(first(&self.retries)).min()
    }

    /// The best waiting URL of a host that may be asked now; it no longer waits.
    pub(crate) fn next(
        &mut self,
        knowns: &mut Knowns,
        now: Timestamp,
        is_free: &dyn Fn(HostNumber) -> bool,
    ) -> Option<Spot> {
        self.wake(knowns, now);
        let spot = self.best_free(knowns, is_free)?;
        self.remove(knowns, spot);
        if let Some(known) = knowns.get_mut(spot) {
            known.state = SpotState::Asked;
        }
        Some(spot)
    }

    /// The best waiting URLs, without taking them.
    pub(crate) fn top(&self, knowns: &Knowns, count: usize) -> Vec<Spot> {
        let mut candidates: BinaryHeap<Candidate> = BinaryHeap::new();
        let mut found = Vec::new();
        let candidate = |host: u32, place: usize| {
            let spot = *self.hosts.get(host as usize)?.heap.get(place)?;
            let priority = knowns.get(Spot(spot))?.priority;
            Some(Candidate { overdrawn: self.hosts[host as usize].overdrawn, priority, spot, host, place })
        };
        candidates.extend((0..self.hosts.len() as u32).filter_map(|host| candidate(host, 0)));
        while found.len() < count
            && let Some(best) = candidates.pop()
        {
            found.push(Spot(best.spot));
            let below = [2 * best.place + 1, 2 * best.place + 2];
            candidates.extend(below.into_iter().filter_map(|place| candidate(best.host, place)));
        }
        found
    }

    pub(crate) fn bytes(&self) -> usize {
        let heaps: usize = self.hosts.iter().map(|queue| queue.heap.capacity() * 4).sum();
        heaps + self.hosts.capacity() * size_of::<Queue>() + self.order.capacity() * 4
    }

    fn wake(&mut self, knowns: &mut Knowns, now: Timestamp) {
        while let Some(Reverse((at, host))) = self.waking.peek().copied()
            && at <= now
        {
            self.waking.pop();
            // A host that was told to rest twice wakes at the later time.
            if let Some(queue) = self.hosts.get_mut(host as usize)
                && queue.rests.is_some_and(|until| until <= now)
            {
                queue.rests = None;
                self.mend_host(knowns, host);
            }
        }
        while let Some(Reverse((at, spot))) = self.retries.peek().copied()
            && at <= now
        {
            self.retries.pop();
            if knowns.get(Spot(spot)).is_some_and(|known| known.state == SpotState::Resting) {
                self.push(knowns, Spot(spot));
            }
        }
    }

    /// Walks down the order over the hosts, the best first, past those that are busy.
    fn best_free(&self, knowns: &Knowns, is_free: &dyn Fn(HostNumber) -> bool) -> Option<Spot> {
        let mut candidates: BinaryHeap<Candidate> = BinaryHeap::new();
        let candidate = |place: usize| {
            let host = *self.order.get(place)?;
            let queue = self.hosts.get(host as usize)?;
            let spot = *queue.heap.first()?;
            let priority = knowns.get(Spot(spot))?.priority;
            Some(Candidate { overdrawn: queue.overdrawn, priority, spot, host, place })
        };
        candidates.extend(candidate(0));
        while let Some(best) = candidates.pop() {
            if is_free(HostNumber(best.host)) {
                return Some(Spot(best.spot));
            }
            candidates.extend(candidate(2 * best.place + 1));
            candidates.extend(candidate(2 * best.place + 2));
        }
        None
    }

    /// Puts a host where it belongs: out of the order if it rests or has nothing, else by its best URL.
    fn mend_host(&mut self, knowns: &Knowns, host: u32) {
        let Some(queue) = self.hosts.get(host as usize) else { return };
        let (place, wanted) = (queue.place, !queue.heap.is_empty() && queue.rests.is_none());
        let mut order = Hosts { hosts: &mut self.hosts, knowns: knowns.records() };
        match (place == NONE, wanted) {
            (true, true) => heap::push(&mut self.order, &mut order, host),
            (false, true) => heap::mend(&mut self.order, &mut order, place as usize),
            (false, false) => {
                // An emptied queue has no key to be compared by, but `remove` never compares what it takes out.
                heap::remove(&mut self.order, &mut order, place as usize);
                self.hosts[host as usize].place = NONE;
            }
            (true, false) => {}
        }
    }
}

/// The queue of one host: by priority, the older first among equals.
struct Spots<'a>(&'a mut [Known]);

impl Order for Spots<'_> {
    fn before(&self, one: u32, other: u32) -> bool {
        comes_before(self.0, one, other)
    }

    fn stands(&mut self, member: u32, place: u32) {
        self.0[member as usize].place = place;
    }
}

/// The order over the hosts.
struct Hosts<'a> {
    hosts: &'a mut [Queue],
    knowns: &'a [Known],
}

impl Order for Hosts<'_> {
    fn before(&self, one: u32, other: u32) -> bool {
        let (one, other) = (&self.hosts[one as usize], &self.hosts[other as usize]);
        if one.overdrawn != other.overdrawn {
            return other.overdrawn;
        }
        match (one.heap.first(), other.heap.first()) {
            (Some(one), Some(other)) => comes_before(self.knowns, *one, *other),
            (one, _) => one.is_some(),
        }
    }

    fn stands(&mut self, member: u32, place: u32) {
        self.hosts[member as usize].place = place;
    }
}

fn comes_before(knowns: &[Known], one: u32, other: u32) -> bool {
    let (first, second) = (knowns[one as usize].priority, knowns[other as usize].priority);
    first.total_cmp(&second).reverse().then(one.cmp(&other)).is_lt()
}

/// Seen on the way down a heap.
struct Candidate {
    overdrawn: bool,
    priority: f32,
    spot: u32,
    host: u32,
    place: usize,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let share = other.overdrawn.cmp(&self.overdrawn);
        share.then(self.priority.total_cmp(&other.priority)).then(other.spot.cmp(&self.spot))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}
