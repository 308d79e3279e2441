//! Student's t distribution.

use super::beta::ln_regularized;

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
    // Sixty halvings leave nothing of a double's digits.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if t_above(middle, freedom) > above { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The chance of `t` or more, `t` ≥ 0.
fn t_above(t: f64, freedom: f64) -> f64 {
    let square = t * t;
    let below = freedom / (freedom + square);
    0.5 * ln_regularized(0.5 * freedom, 0.5, below, square / (freedom + square)).exp()
}
