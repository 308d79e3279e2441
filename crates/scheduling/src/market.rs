//! One price over all workers. Each plans for its own sources; that a visit costs the same everywhere is what makes the whole
//! optimal for one budget.
//!
//! Each worker says how many visits it would make at which price. From all of these, and the budget, everybody finds the same
//! price, and what its own part of the budget is at that price.

use serde::{Deserialize, Serialize};

/// How many visits a worker's sources ask for, by the price of a visit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Demand {
    /// How many sources share its part of the budget.
    pub sources: usize,
    /// Visits a day at each logarithm of the price: dearer ones later.
    pub points: Vec<(f64, f64)>,
}

/// Steps in which the price is found: its logarithm is then known to a hundred-thousandth of the span.
const STEPS: usize = 40;

impl Demand {
    /// Visits a day at this logarithm of a price. Between points visits follow a power of the price, as they do where rates are
    /// constant; beyond the ends they stay.
    fn at(&self, price: f64) -> f64 {
        let after = self.points.partition_point(|(at, _)| *at < price);
        let (Some((low, more)), Some((high, fewer))) =
            (self.points.get(after.wrapping_sub(1)), self.points.get(after))
        else {
            let end = if after == 0 { self.points.first() } else { self.points.last() };
            return end.map_or(0.0, |(_, visits)| *visits);
        };
        let part = (price - low) / (high - low);
        let log = |visits: &f64| visits.max(1e-9).ln();
        (log(more) * (1.0 - part) + log(fewer) * part).exp()
    }

    fn span(&self) -> Option<(f64, f64)> {
        Some((self.points.first()?.0, self.points.last()?.0))
    }
}

/// The budget of a worker, as visits a day for each of its sources: what `own` asks for at the price at which all together spend
/// `per_source` visits a day for each source. `all` are the demands that are known, `own` among them.
pub fn budget(own: &Demand, all: &[Demand], per_source: f64) -> f64 {
    let sources: usize = all.iter().map(|demand| demand.sources).sum();
    let spans: Vec<(f64, f64)> = all.iter().filter_map(Demand::span).collect();
    let low = spans.iter().map(|span| span.0).reduce(f64::min);
    let high = spans.iter().map(|span| span.1).reduce(f64::max);
    let (Some(mut low), Some(mut high), true) = (low, high, own.sources > 0 && sources > 0) else {
        return per_source;
    };
    let wanted = per_source * sources as f64;
    let visits_at = |price: f64| all.iter().map(|demand| demand.at(price)).sum::<f64>();
    // Nobody asks for anything at any price: there is nothing to weigh.
    if visits_at(low) < wanted * 1e-6 {
        return per_source;
    }
    for _ in 0..STEPS {
        let price = f64::midpoint(low, high);
        if visits_at(price) > wanted {
            low = price;
        } else {
            high = price;
        }
    }
    let budget = own.at(f64::midpoint(low, high)) / own.sources as f64;
    if budget.is_finite() && budget > 0.0 { budget } else { per_source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sources with constant rates ask for √(λ/2c) visits.
    fn demand(rates: &[f64]) -> Demand {
        let at = |price: f64| rates.iter().map(|rate| (rate / 2.0 / price.exp()).sqrt()).sum();
        let points = (-24..=24).map(|n| f64::from(n) * 0.5).map(|price| (price, at(price))).collect();
        Demand { sources: rates.len(), points }
    }

    proptest! {
        #[test]
        fn parts_spend_the_whole_at_one_price(
            parts in prop::collection::vec(prop::collection::vec(0.05f64..100.0, 1..30), 1..6),
            per_source in 0.2f64..50.0,
        ) {
            let demands: Vec<Demand> = parts.iter().map(|rates| demand(rates)).collect();
            let budgets: Vec<f64> =
                demands.iter().map(|own| budget(own, &demands, per_source)).collect();
            let spent: f64 = budgets.iter().zip(&parts).map(|(each, rates)| each * rates.len() as f64).sum();
            let sources: usize = parts.iter().map(Vec::len).sum();
            prop_assert!((spent / per_source / sources as f64 - 1.0).abs() < 1e-3, "{spent}");
            // The price that each part would find for its budget is that of the whole.
            let price = |rates: &[f64], visits: f64| {
                let roots: f64 = rates.iter().map(|rate| rate.sqrt()).sum();
                (roots / visits).powi(2) / 2.0
            };
            let whole = price(&parts.concat(), per_source * sources as f64);
            for (rates, each) in parts.iter().zip(&budgets) {
                let own = price(rates, each * rates.len() as f64);
                prop_assert!((own / whole - 1.0).abs() < 1e-3, "{own} against {whole}");
            }
        }
    }

    #[test]
    fn what_cannot_be_known_leaves_the_even_budget() {
        assert_eq!(budget(&Demand::default(), &[], 4.8).to_bits(), 4.8_f64.to_bits());
        let silent = Demand { sources: 3, points: vec![(0.0, 0.0), (1.0, 0.0)] };
        assert_eq!(budget(&silent, std::slice::from_ref(&silent), 4.8).to_bits(), 4.8_f64.to_bits());
    }
}
