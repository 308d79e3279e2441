//! Equal visits for all: what is asked of a policy until what it makes is the budget.

/// Off by less than this is met, while it is found out what to ask for.
pub(super) const CLOSE: f64 = 0.004;
/// The protocol's 1 %, with a little room: where it is known what to ask for.
pub(super) const CLOSE_ENOUGH: f64 = 0.009;
/// Runs at most.
const TRIES: usize = 8;

/// What came of asking for so many visits.
#[derive(Debug, Clone)]
pub(super) struct Met<T> {
    /// What was asked for, for each visit of the budget.
    pub(super) factor: f64,
    /// What came of it.
    pub(super) result: T,
}

/// Asks for `budget · factor` until as many visits are made as the budget has, and gives the nearest. Delays play no part.
pub(super) fn meet<T>(budget: f64, factor: f64, close: f64, mut run: impl FnMut(f64) -> (f64, T)) -> Met<T> {
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut factor = factor;
    let mut best: Option<(f64, Met<T>)> = None;
    for _ in 0..TRIES {
        let (made, result) = run(budget * factor);
        let off = (made / budget - 1.0).abs();
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, Met { factor, result }));
        }
        if off <= close {
            break;
        }
        if made > budget {
            high = factor;
        } else {
            low = factor;
        }
        // In proportion, where that stays between what is known; else halfway.
        let guess = factor * (budget / made.max(budget / 8.0));
        let inside = guess > low && guess < high;
        factor = if inside { guess } else { f64::midpoint(low, high.min(low.max(0.1) * 4.0)) };
        if high - low < 1e-4 * high {
            break;
        }
    }
    match best {
        Some((_, met)) => met,
        None => Met { factor, result: run(budget * factor).1 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meets_what_can_be_met() {
        let tried = |made: &dyn Fn(f64) -> f64| {
            let mut runs = 0;
            let met = meet(4.8, 1.0, CLOSE, |asked| {
                runs += 1;
                (made(asked), made(asked))
            });
            (met.result, runs)
        };
        assert_eq!(tried(&|asked| asked).1, 1);
        assert!((tried(&|asked| asked * 0.7).0 - 4.8).abs() < 0.03);
        assert!((tried(&|asked| asked.powf(0.6) + 1.0).0 - 4.8).abs() < 0.03);
        assert!((tried(&|asked| asked + 2.0).0 - 4.8).abs() < 0.03);
        assert!(tried(&|_| 9.0).0 > 8.9, "what cannot be met is told as it is");
    }
}
