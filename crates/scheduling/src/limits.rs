//! Limits: what nobody can beat, because nobody knows so much. Not policies, but functions of the whole history.

mod known_rate;
mod oracle;

pub use known_rate::known_rate;
pub use oracle::oracle;

use jiff::Timestamp;

/// An article of a source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// When it was published.
    pub at: Timestamp,
    /// What it is worth.
    pub weight: f64,
}

/// The price at which `visits(price)` come nearest to the budget without passing it; visits fall as the price rises.
fn price_for(budget: f64, mut visits: impl FnMut(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-30.0_f64, 30.0_f64);
    // A price of e^-30 milliseconds is nothing: whoever can afford every visit makes them all.
    if visits(low.exp()) <= budget {
        return low.exp();
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if visits(middle.exp()) > budget {
            low = middle;
        } else {
            high = middle;
        }
        if high - low < 1e-5 {
            break;
        }
    }
    high.exp()
}
