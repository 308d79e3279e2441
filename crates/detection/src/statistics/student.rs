//! Student's t distribution.

use super::beta::ln_regularized;
use super::ln_gamma;

/// The value below which a t variable with `freedom` degrees of freedom stays with the chance `level`.
pub fn t_quantile(level: f64, freedom: f64) -> f64 {
    if level.is_nan() || freedom.is_nan() || freedom <= 0.0 {
        return 0.0;
    }
    if level < 0.5 {
        return -t_quantile(1.0 - level, freedom);
    }
    let above = (1.0 - level).max(1e-300);
    let (mut low, mut high) = (0.0, 1.0);
    while t_above(high, freedom) > above && high < 1e150 {
        low = high;
        high *= 2.0;
    }
    // Some halvings to be near, then Newton's steps, which double the digits each time.
    for _ in 0..12 {
        let middle = f64::midpoint(low, high);
        if t_above(middle, freedom) > above { low = middle } else { high = middle }
    }
    let mut at = f64::midpoint(low, high);
    for _ in 0..4 {
        at = (at + (t_above(at, freedom) - above) / density(at, freedom).max(1e-300)).clamp(low, high);
    }
    at
}

fn density(t: f64, freedom: f64) -> f64 {
    let half = 0.5 * (freedom + 1.0);
    let ln = ln_gamma(half) - ln_gamma(0.5 * freedom) - half * (t * t / freedom).ln_1p();
    ln.exp() / (freedom * std::f64::consts::PI).sqrt()
}

/// The chance of `t` or more, `t` ≥ 0.
fn t_above(t: f64, freedom: f64) -> f64 {
    let square = t * t;
    let below = freedom / (freedom + square);
    0.5 * ln_regularized(0.5 * freedom, 0.5, below, square / (freedom + square)).exp()
}
