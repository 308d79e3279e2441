//! The incomplete beta function.
#![expect(clippy::many_single_char_names, reason = "the letters of the formulas")]

use super::gamma::non_zero;
use super::ln_gamma;

/// Beyond this the continued fraction takes thousands of steps; a normal approximation is then good to the fourth digit.
const LARGE: f64 = 1e6;
const STEPS: u32 = 10_000;

/// ln of the regularized incomplete beta function at `x`; `y` is 1 − `x`, given apart so that neither loses digits.
pub(super) fn ln_regularized(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if y <= 0.0 {
        return 0.0;
    }
    if a.max(b) > LARGE && a.min(b) > 100.0 {
        return ln_large(a, b, x, y);
    }
    let front = a * x.ln() + b * y.ln() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    if x < (a + 1.0) / (a + b + 2.0) {
        return (front + fraction(a, b, x).ln() - a.ln()).min(0.0);
    }
    let other = (front + fraction(b, a, y).ln() - b.ln()).exp();
    (-other.min(1.0)).ln_1p()
}

/// The continued fraction, by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let mut c = 1.0;
    let mut d = non_zero(1.0 - (a + b) * x / (a + 1.0), tiny).recip();
    let mut h = d;
    for n in 1..STEPS {
        let n = f64::from(n);
        let even = n * (b - n) * x / ((a + 2.0 * n - 1.0) * (a + 2.0 * n));
        d = non_zero(1.0 + even * d, tiny).recip();
        c = non_zero(1.0 + even / c, tiny);
        h *= d * c;
        let odd = -(a + n) * (a + b + n) * x / ((a + 2.0 * n) * (a + 2.0 * n + 1.0));
        d = non_zero(1.0 + odd * d, tiny).recip();
        c = non_zero(1.0 + odd / c, tiny);
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    h.max(tiny)
}

/// Paulson's approximation: a ratio of two gamma variables, each with a nearly normal cube root.
fn ln_large(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let (va, vb) = (1.0 / (9.0 * a), 1.0 / (9.0 * b));
    let ratio = (b * x / (a * y)).cbrt();
    let z = (ratio * (1.0 - vb) - (1.0 - va)) / (ratio * ratio * vb + va).sqrt();
    ln_normal_below(z)
}

/// ln of the chance that a standard normal variable lies below `z`.
pub(super) fn ln_normal_below(z: f64) -> f64 {
    if z > -30.0 {
        return (0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)).ln();
    }
    // Mills' ratio: erfc would underflow.
    -0.5 * z * z - (-z).ln() - 0.5 * (2.0 * std::f64::consts::PI).ln() - 1.0 / (z * z)
}
