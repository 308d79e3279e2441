//! The shortest way from one sequence to another.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;

/// Items of both sides together that are compared; what stands on one side only does not count. The work is at most the
/// square of it: some hundredths of a second.
pub(super) const MOST: usize = 2_000;

/// A stretch of the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// These of the old side stand on the new one too.
    Same(Range<usize>),
    /// These went, and those came.
    Change(Range<usize>, Range<usize>),
}

/// The shortest way (Myers), or one big change where finding it would take too long.
pub(super) fn steps<T: Hash + Eq + Ord>(old: &[T], new: &[T]) -> Vec<Step> {
    // What stands on one side only can be kept by no way: leaving it out first makes strangers cheap.
    let shared = |items: &[T], others: &[T]| {
        let others: HashSet<&T> = others.iter().collect();
        (0..items.len()).filter(|at| others.contains(&items[*at])).collect::<Vec<usize>>()
    };
    let (old_places, new_places) = (shared(old, new), shared(new, old));
    if old_places.len() + new_places.len() > MOST {
        return whole(old.len(), new.len());
    }
    let old_items: Vec<&T> = old_places.iter().map(|at| &old[*at]).collect();
    let new_items: Vec<&T> = new_places.iter().map(|at| &new[*at]).collect();
    let mut way = Way::default();
    for op in capture_diff_slices(Algorithm::Myers, &old_items, &new_items) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for offset in 0..len {
                way.keep(old_places[old_index + offset], new_places[new_index + offset]);
            }
        }
    }
    way.change_up_to(old.len(), new.len());
    way.steps
}

fn whole(old: usize, new: usize) -> Vec<Step> {
    let mut way = Way::default();
    way.change_up_to(old, new);
    way.steps
}

/// A way under construction.
#[derive(Default)]
struct Way {
    steps: Vec<Step>,
    old: usize,
    new: usize,
}

impl Way {
    /// The items at these places are the same.
    fn keep(&mut self, old: usize, new: usize) {
        self.change_up_to(old, new);
        match self.steps.last_mut() {
            Some(Step::Same(range)) if range.end == old => range.end += 1,
            _ => self.steps.push(Step::Same(old..old + 1)),
        }
        (self.old, self.new) = (old + 1, new + 1);
    }

    /// All before these places that is not settled yet went and came.
    fn change_up_to(&mut self, old: usize, new: usize) {
        if self.old < old || self.new < new {
            self.steps.push(Step::Change(self.old..old, self.new..new));
            (self.old, self.new) = (old, new);
        }
    }
}
