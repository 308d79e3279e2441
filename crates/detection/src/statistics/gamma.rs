//! The incomplete gamma function.
#![expect(clippy::many_single_char_names, reason = "the letters of the formulas")]

use super::ln_gamma;

/// Beyond this the expansions take thousands of steps, and the normal approximation of Wilson and Hilferty is exact to
/// the sixth digit.
const LARGE: f64 = 1e6;
const STEPS: u32 = 10_000;

/// ln P(a, x), the regularized lower incomplete gamma function: the chance of `a` or more at a Poisson mean of `x`.
pub(super) fn ln_lower(a: f64, x: f64) -> f64 {
    if a > LARGE || x > LARGE {
        return ln_lower_large(a, x);
    }
    // ln of x^a e^−x / Γ(a)
    let front = a * x.ln() - x - ln_gamma(a);
    if x < a + 1.0 {
        // Series: Σ x^n / (a (a+1) … (a+n)).
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..STEPS {
            term *= x / (a + f64::from(n));
            sum += term;
            if term < sum * 1e-16 {
                break;
            }
        }
        return (front + sum.ln()).min(0.0);
    }
    // Continued fraction for the upper part, by Lentz's method.
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut h = d;
    for n in 1..STEPS {
        let n = f64::from(n);
        let an = -n * (n - a);
        b += 2.0;
        d = non_zero(an * d + b, tiny).recip();
        c = non_zero(b + an / c, tiny);
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    let upper = (front + h.ln()).exp();
    (-upper.min(1.0)).ln_1p()
}

/// Wilson and Hilferty: the cube root of a gamma variable is nearly normal.
fn ln_lower_large(a: f64, x: f64) -> f64 {
    let z = ((x / a).cbrt() - (1.0 - 1.0 / (9.0 * a))) * (9.0 * a).sqrt();
    super::beta::ln_normal_below(z)
}

pub(super) fn non_zero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}
