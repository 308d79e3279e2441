//! The frontier against a list that is searched from end to end.

use super::*;
use crate::crawl::words::FewWords;
use proptest::prelude::*;

const HOSTS: u32 = 5;

fn known(number: u32, host: u32, priority: f32) -> Known {
    Known {
        hash: u64::from(number) << 40,
        host,
        prefix: 0,
        place: NONE,
        priority,
        link: NONE,
        words: FewWords::default(),
        path: 0,
        context: 0,
        links: 0,
        depth: 0,
        parameters: 0,
        state: SpotState::Dropped,
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// What can happen to a frontier.
#[derive(Debug, Clone)]
enum Step {
    Push(u32, i8),
    Reprice(u32, i8),
    Remove(u32),
    Rest(u32, i64),
    Overdraw(u32, bool),
    Next(i64, u8),
    Fail(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..HOSTS, any::<i8>()).prop_map(|(host, priority)| Step::Push(host, priority)),
        2 => (any::<u32>(), any::<i8>()).prop_map(|(which, priority)| Step::Reprice(which, priority)),
        1 => any::<u32>().prop_map(Step::Remove),
        1 => (0..HOSTS, 0..20_i64).prop_map(|(host, wait)| Step::Rest(host, wait)),
        1 => (0..HOSTS, any::<bool>()).prop_map(|(host, over)| Step::Overdraw(host, over)),
        4 => (0..4_i64, any::<u8>()).prop_map(|(passes, busy)| Step::Next(passes, busy)),
        1 => (0..20_i64).prop_map(Step::Fail),
    ]
}

#[derive(Default)]
struct Model {
    urls: Vec<(u32, f32, bool)>,
    rests: [i64; HOSTS as usize],
    overdrawn: [bool; HOSTS as usize],
    retries: Vec<(i64, u32)>,
}

impl Model {
    fn next(&mut self, now: i64, busy: u8) -> Option<u32> {
        for (at, number) in std::mem::take(&mut self.retries) {
            if at <= now { self.urls[number as usize].2 = true } else { self.retries.push((at, number)) }
        }
        let free = |host: u32| self.rests[host as usize] <= now && busy >> host & 1 == 0;
        let waiting = self.urls.iter().zip(0_u32..).filter(|((host, _, waits), _)| *waits && free(*host));
        let best = waiting.min_by(|((a_host, a, _), a_number), ((b_host, b, _), b_number)| {
            let over = |host: &u32| self.overdrawn[*host as usize];
            over(a_host).cmp(&over(b_host)).then(b.total_cmp(a)).then(a_number.cmp(b_number))
        });
        let number = best.map(|(_, number)| number)?;
        self.urls[number as usize].2 = false;
        Some(number)
    }
}

proptest! {
    #[test]
    fn gives_what_a_search_of_everything_gives(steps in prop::collection::vec(step(), 0..120)) {
        let (mut knowns, mut frontier, mut model) = (Knowns::default(), Frontier::default(), Model::default());
        for _ in 0..HOSTS {
            frontier.add_host();
        }
        let (mut now, mut taken) = (0, None);
        for step in steps {
            let count = model.urls.len() as u32;
            match step {
                Step::Push(host, priority) => {
                    let spot = knowns.add(known(count, host, f32::from(priority)));
                    frontier.push(&mut knowns, spot);
                    model.urls.push((host, f32::from(priority), true));
                }
                Step::Reprice(which, priority) if count > 0 => {
                    frontier.reprice(&mut knowns, Spot(which % count), f32::from(priority));
                    model.urls[(which % count) as usize].1 = f32::from(priority);
                }
                Step::Remove(which) if count > 0 => {
                    let removed = frontier.remove(&mut knowns, Spot(which % count));
                    prop_assert_eq!(removed, model.urls[(which % count) as usize].2);
                    model.urls[(which % count) as usize].2 = false;
                    if removed && let Some(known) = knowns.get_mut(Spot(which % count)) {
                        known.state = SpotState::Dropped;
                    }
                }
                Step::Rest(host, wait) => {
                    frontier.rest(&knowns, HostNumber(host), at(now + wait));
                    model.rests[host as usize] = now + wait;
                }
                Step::Overdraw(host, over) => {
                    frontier.overdraw(&knowns, HostNumber(host), over);
                    model.overdrawn[host as usize] = over;
                }
                Step::Next(passes, busy) => {
                    now += passes;
                    let free = |host: HostNumber| busy >> host.0 & 1 == 0;
                    let found = frontier.next(&mut knowns, at(now), &free);
                    prop_assert_eq!(found.map(|spot| spot.0), model.next(now, busy));
                    taken = found.or(taken);
                }
                Step::Fail(wait) => {
                    if let Some(spot) = taken.take()
                        && let Some(known) = knowns.get_mut(spot).filter(|known| known.state == SpotState::Asked)
                    {
                        known.state = SpotState::Resting;
                        frontier.retry(spot, at(now + wait));
                        model.retries.push((now + wait, spot.0));
                    }
                }
                Step::Reprice(..) | Step::Remove(_) => {}
            }
            prop_assert_eq!(frontier.waiting(), model.urls.iter().filter(|url| url.2).count());
        }
    }
}
