//! What keeps a crawl from its end, and giving it up.

use super::Crawl;
use super::known::{HostNumber, Spot, SpotState};
use jiff::Timestamp;

impl Crawl {
    /// Hosts with something waiting.
    pub fn waiting_hosts(&self) -> impl Iterator<Item = HostNumber> + '_ {
        self.frontier.waiting_hosts()
    }

    /// The URLs that wait on a host.
    pub fn waiting_on(&self, host: HostNumber) -> Vec<Spot> {
        self.frontier.waiting_on(host)
    }

    /// How many URLs wait on a host.
    pub fn waits_on(&self, host: HostNumber) -> usize {
        self.frontier.waits_on(host)
    }

    /// The name of a host.
    pub fn host_name(&self, host: HostNumber) -> Option<&str> {
        self.names.get(host.0 as usize).map(String::as_str)
    }

    /// URLs that failed and wait for another try.
    pub fn retries(&self) -> impl Iterator<Item = Spot> + '_ {
        let rests = |spot: &Spot| {
            self.memory.knowns.get(*spot).is_some_and(|known| known.state == SpotState::Resting)
        };
        self.frontier.retries().filter(rests)
    }

    /// When something that rests may be asked, if anything does.
    pub fn wakes(&self) -> Option<Timestamp> {
        self.frontier.wakes()
    }

    /// URLs whose part of a site began to repeat itself while they waited: dropped since this was last asked.
    pub fn take_trapped(&mut self) -> Vec<Spot> {
        std::mem::take(&mut self.trapped)
    }

    /// These URLs, waiting or resting, will not be asked for.
    pub fn give_up(&mut self, spots: &[Spot]) {
        for spot in spots {
            self.settle(*spot, SpotState::Dropped);
            self.counts.failed += 1;
        }
        self.frontier.forget_retries(spots);
    }
}
