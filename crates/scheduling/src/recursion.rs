//! The backward recursion: what waiting costs from here on, if every visit has its price.
//!
//! Time runs in slots. `V(s) = min over t > s of t(Λt − Λs) − (Mt − Ms) + c(t) + V(t)`, where Λ counts the articles expected
//! until a slot begins and M sums their times. For each `t` that is a line in Λs, so a convex hull finds the minimum; both the slopes
//! and the questions come in order, which makes the hull a queue and the whole linear in the slots.

/// Working space and result. Kept between calls so that nothing is allocated.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recursion {
    /// Articles expected before each slot begins.
    counts: Vec<f64>,
    /// The sum of their times.
    times: Vec<f64>,
    values: Vec<f64>,
    next: Vec<u32>,
    lines: Vec<Line>,
}

#[derive(Debug, Clone, Copy)]
struct Line {
    slot: u32,
    slope: f64,
    height: f64,
}

impl Line {
    fn at(&self, count: f64) -> f64 {
        self.slope * count + self.height
    }
}

impl Recursion {
    /// Solves for the articles `expected` in each slot, at `price(slot)` for a visit when that slot begins. The last visit is when
    /// the last slot ends.
    pub(crate) fn solve(&mut self, expected: impl Iterator<Item = f64>, price: impl Fn(usize) -> f64) {
        self.sum_up(expected);
        let end = self.counts.len() - 1;
        self.values.clear();
        self.values.resize(end + 1, 0.0);
        self.next.clear();
        self.next.resize(end + 1, end as u32);
        self.lines.clear();
        let mut first = 0;
        for slot in (0..end).rev() {
            let visit = slot + 1;
            let height =
                visit as f64 * self.counts[visit] - self.times[visit] + price(visit) + self.values[visit];
            first = self.push(Line { slot: visit as u32, slope: -(visit as f64), height }, first);
            let count = self.counts[slot];
            while first + 1 < self.lines.len()
                && self.lines[first + 1].at(count) <= self.lines[first].at(count)
            {
                first += 1;
            }
            let best = self.lines[first];
            self.values[slot] = best.at(count) + self.times[slot];
            self.next[slot] = best.slot;
        }
    }

    /// Lines come with rising slope; each is best for smaller counts than those before. Returns the new front of the queue.
    fn push(&mut self, line: Line, first: usize) -> usize {
        while self.lines.len() >= first + 2 {
            let last = self.lines[self.lines.len() - 1];
            let before = self.lines[self.lines.len() - 2];
            // The last stays if it is below where the new line meets the one before it.
            let rise = (line.height - before.height) * (before.slope - last.slope);
            let run = (last.height - before.height) * (before.slope - line.slope);
            if rise < run {
                break;
            }
            self.lines.pop();
        }
        self.lines.push(line);
        first.min(self.lines.len() - 1)
    }

    fn sum_up(&mut self, expected: impl Iterator<Item = f64>) {
        self.counts.clear();
        self.times.clear();
        let (mut count, mut time) = (0.0, 0.0);
        self.counts.push(count);
        self.times.push(time);
        for (slot, expected) in expected.enumerate() {
            count += expected;
            time += expected * (slot as f64 + 0.5);
            self.counts.push(count);
            self.times.push(time);
        }
    }

    /// What is still to be paid when a visit has just been made as the slot begins.
    pub(crate) fn value(&self, slot: usize) -> f64 {
        self.values[slot]
    }

    /// The best next visit after one as the slot begins.
    pub(crate) fn next(&self, slot: usize) -> usize {
        self.next[slot] as usize
    }

    /// Waiting until `to` for everything published since `from`.
    pub(crate) fn waiting(&self, from: usize, to: usize) -> f64 {
        to as f64 * (self.counts[to] - self.counts[from]) - (self.times[to] - self.times[from])
    }

    /// Articles expected from one slot's beginning to another's.
    pub(crate) fn expected(&self, from: usize, to: usize) -> f64 {
        self.counts[to] - self.counts[from]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All pairs of slots.
    fn naive(expected: &[f64], price: &[f64]) -> Vec<f64> {
        let end = expected.len();
        let mut values = vec![0.0; end + 1];
        for from in (0..end).rev() {
            let waiting = |to: usize| -> f64 {
                (from..to).map(|slot| expected[slot] * (to as f64 - slot as f64 - 0.5)).sum()
            };
            values[from] =
                (from + 1..=end).map(|to| waiting(to) + price[to] + values[to]).fold(f64::INFINITY, f64::min);
        }
        values
    }

    proptest! {
        #[test]
        fn equals_the_naive_programme(
            slots in prop::collection::vec((prop_oneof![Just(0.0), 0.0..5.0_f64], 0.01..40.0_f64), 1..80), one_price in any::<bool>()
        ) {
            let expected: Vec<f64> = slots.iter().map(|slot| slot.0).collect();
            let mut price: Vec<f64> = slots.iter().map(|slot| if one_price { slots[0].1 } else { slot.1 }).collect();
            price.push(7.0);
            let mut recursion = Recursion::default();
            recursion.solve(expected.iter().copied(), |slot| price[slot]);
            let naive = naive(&expected, &price);
            for (slot, value) in naive.iter().enumerate() {
                prop_assert!((recursion.value(slot) - value).abs() < 1e-6 * value.abs().max(1.0), "{slot}");
            }
            let mut slot = 0;
            let mut paid = 0.0;
            while slot < expected.len() {
                let next = recursion.next(slot);
                prop_assert!(next > slot);
                paid += recursion.waiting(slot, next) + price[next];
                slot = next;
            }
            prop_assert!((paid - naive[0]).abs() < 1e-6 * paid.max(1.0));
        }
    }
}
