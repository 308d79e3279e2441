//! Distributions of counts, in logarithms, so that nothing underflows: a chance of 1e-400 still compares with one of 1e-300.

mod beta;
mod gamma;
mod student;

pub use student::t_quantile;

use libm::lgamma;

/// Below this φ the negative binomial is a Poisson for every purpose.
const ALMOST_POISSON: f64 = 1.0 + 1e-9;

/// ln P(X ≥ x) of a negative binomial with mean `mu` and variance φ·`mu`; Poisson at φ ≤ 1.
pub fn ln_tail(x: f64, mu: f64, phi: f64) -> f64 {
    let x = if x.is_nan() { 0.0 } else { x.ceil() };
    if x <= 0.0 {
        return 0.0;
    }
    if mu.is_nan() || mu <= 0.0 || x.is_infinite() {
        return f64::NEG_INFINITY;
    }
    if mu.is_infinite() {
        return 0.0;
    }
    if phi.is_nan() || phi <= ALMOST_POISSON {
        return gamma::ln_lower(x, mu);
    }
    if phi.is_infinite() {
        return 0.0;
    }
    beta::ln_regularized(x, mu / (phi - 1.0), (phi - 1.0) / phi, 1.0 / phi)
}

/// P(X ≥ x) of a negative binomial with mean `mu` and variance φ·`mu`; Poisson at φ ≤ 1.
pub fn tail(x: f64, mu: f64, phi: f64) -> f64 {
    ln_tail(x, mu, phi).exp()
}

/// The smallest count q with P(X ≤ q) ≥ `level`.
pub fn quantile(level: f64, mu: f64, phi: f64) -> f64 {
    let level = if level.is_nan() { 0.5 } else { level };
    // A hair of tolerance: a level that is exactly reached in decimals may miss by a rounding.
    let ln_above = (-level).ln_1p() + 1e-12;
    largest_with(mu, phi, |q| ln_tail(q, mu, phi) > ln_above)
}

/// The largest count that does not reach a chance of 10^−`surprise`: what lies above it does.
pub fn highest_usual(surprise: f64, mu: f64, phi: f64) -> f64 {
    let ln_chance = -surprise.max(0.0) * std::f64::consts::LN_10;
    largest_with(mu, phi, |q| ln_tail(q, mu, phi) > ln_chance)
}

/// The largest count for which `usual` holds; it holds up to some count and not beyond.
pub(crate) fn largest_with(mu: f64, phi: f64, usual: impl Fn(f64) -> bool) -> f64 {
    let spread = (mu.max(0.0) * phi.max(1.0)).sqrt();
    let (mut low, mut step) = (mu.max(0.0).floor(), spread.ceil().max(1.0));
    if !low.is_finite() || !step.is_finite() {
        return low;
    }
    if !usual(low) {
        // Below the mean: halve downwards from it; 0 is always usual.
        let (mut bottom, mut top) = (0.0, low);
        while top - bottom > 1.0 {
            let middle = f64::midpoint(bottom, top).floor();
            if usual(middle) { bottom = middle } else { top = middle }
        }
        return bottom;
    }
    while step.is_finite() && usual(low + step) {
        low += step;
        step *= 2.0;
    }
    let mut high = low + step;
    while high - low > 1.0 {
        let middle = f64::midpoint(low, high).floor();
        if middle <= low || middle >= high {
            break;
        }
        if usual(middle) { low = middle } else { high = middle }
    }
    low
}

/// How much more likely a count is with so many stories `added` to its mean than without, as a logarithm; φ is the same.
pub(crate) fn ln_burst_ratio(x: f64, mu: f64, added: f64, phi: f64) -> f64 {
    let mu = mu.max(0.05);
    let x = x.max(0.0);
    if phi <= 1.01 {
        return x * (added / mu).ln_1p() - added;
    }
    let (without, with) = (mu / (phi - 1.0), (mu + added) / (phi - 1.0));
    if without > 1e7 || x > 1e9 {
        // Differences of logarithms of Γ would lose their digits; the quadratic limit has them.
        return (added * (x - mu) - 0.5 * added * added) / (phi * (mu + 0.5 * added));
    }
    ln_gamma(x + with) - ln_gamma(with) - ln_gamma(x + without) + ln_gamma(without)
        - (with - without) * phi.ln()
}

/// How far a count lies from its mean, in deviations, after the transform that makes counts nearly normal (Anscombe).
pub fn anscombe(x: f64, mu: f64, phi: f64) -> f64 {
    // A mean near nothing would make every single article an outbreak; the residual of 1 at µ = 0.05 is already 2.2.
    let mu = mu.max(0.05);
    1.5 * (x.max(0.0).powf(2.0 / 3.0) - mu.powf(2.0 / 3.0)) / (mu.powf(1.0 / 6.0) * phi.max(1.0).sqrt())
}

/// P(X ≥ x) in the next window when `windows` so far brought `sum`, nothing else being known: Gamma(½, ½)–Poisson.
pub fn cold_tail(x: f64, windows: f64, sum: f64) -> f64 {
    let (shape, rate) = (0.5 + sum.max(0.0), 0.5 + windows.max(0.0));
    tail(x, shape / rate, 1.0 + 1.0 / rate)
}

/// ln Γ, without a sign: only ever of positive numbers.
pub(crate) fn ln_gamma(x: f64) -> f64 {
    lgamma(x)
}

#[cfg(test)]
mod tests;
