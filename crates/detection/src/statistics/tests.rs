use super::*;
use proptest::prelude::*;

fn close(is: f64, should: f64) {
    assert!((is - should).abs() < 1e-4 * should.abs().max(1e-2), "{is} should be {should}");
}

#[test]
fn vectors_of_the_negative_binomial_tail() {
    for (x, mu, phi, p) in [
        (7.0, 3.0, 1.0, 0.033_508_5),
        (7.0, 3.0, 2.0, 0.089_843_8),
        (22.0, 10.0, 1.0, 6.996_51e-4),
        (22.0, 10.0, 2.5, 0.025_186_6),
        (180.0, 170.0, 1.0, 0.231_274),
        (180.0, 170.0, 3.0, 0.325_968),
    ] {
        assert!((tail(x, mu, phi) / p - 1.0).abs() < 1e-4, "{x} {mu} {phi}: {}", tail(x, mu, phi));
    }
}

#[test]
fn vectors_of_the_rest() {
    close(anscombe(22.0, 10.0, 1.0), 3.2803);
    close(cold_tail(4.0, 3.0, 2.0), 0.016_418);
    close(cold_tail(2.0, 3.0, 2.0), 0.170_103);
    close(cold_tail(1.0, 0.0, 0.0), 0.422_65);
    // Tables of Student's t.
    close(t_quantile(0.975, 5.0), 2.570_582);
    close(t_quantile(0.95, 5.0), 2.015_048);
    close(t_quantile(0.025, 5.0), -2.570_582);
    close(t_quantile(0.9999, 1.0), 3183.0988);
    close(t_quantile(0.5, 7.0), 0.0);
}

#[test]
fn quantiles_as_tabulated() {
    // R: qpois(c(.5, .95, .999), 3) and qnbinom(c(.5, .95, .999), size = 10/1.5, prob = 1/2.5).
    for (level, mu, phi, q) in [
        (0.5, 3.0, 1.0, 3.0),
        (0.95, 3.0, 1.0, 6.0),
        (0.999, 3.0, 1.0, 10.0),
        (0.5, 10.0, 2.5, 9.0),
        (0.95, 10.0, 2.5, 19.0),
        (0.999, 10.0, 2.5, 31.0),
        (0.95, 0.0, 1.0, 0.0),
    ] {
        close(quantile(level, mu, phi), q);
    }
}

#[test]
fn far_tails_do_not_underflow() {
    let far = ln_tail(5_000.0, 1.0, 1.0);
    assert!(far.is_finite() && far < -30_000.0, "{far}");
    assert!(ln_tail(6_000.0, 1.0, 1.0) < far);
    // The approximation for large numbers joins the exact value.
    for phi in [1.0, 1.5, 4.0] {
        for z in [-2.0_f64, 0.0, 2.0, 5.0] {
            let at = |mu: f64| ln_tail(mu + z * (mu * phi).sqrt(), mu, phi);
            assert!((at(9.0e5) - at(1.1e6)).abs() < 0.02, "φ {phi} z {z}: {} {}", at(9.0e5), at(1.1e6));
        }
    }
}

proptest! {
    #[test]
    fn tails_are_chances(x in 0.0..2e9_f64, mu in 0.0..2e9_f64, phi in 0.0..50.0_f64) {
        let ln = ln_tail(x, mu, phi);
        prop_assert!(!ln.is_nan() && ln <= 0.0, "{ln}");
        prop_assert!(ln_tail(x + 1.0, mu, phi) <= ln + 1e-6);
    }

    /// Against the sum of the probabilities, which is exact where it is feasible.
    #[test]
    fn tails_are_the_sum_of_probabilities(x in 0_u32..60, mu in 0.01..30.0_f64, phi in 1.01..8.0_f64) {
        let (size, stay) = (mu / (phi - 1.0), (phi - 1.0) / phi);
        let mut probability = (-size * phi.ln()).exp();
        let mut below = 0.0;
        for k in 0..x {
            below += probability;
            probability *= stay * (size + f64::from(k)) / f64::from(k + 1);
        }
        prop_assert!((tail(f64::from(x), mu, phi) - (1.0 - below)).abs() < 1e-9);
    }

    #[test]
    fn quantiles_are_where_the_level_is_reached(level in 0.001..0.9999_f64, mu in 0.0..5e4_f64, phi in 1.0..20.0_f64) {
        let q = quantile(level, mu, phi);
        prop_assert!(1.0 - tail(q + 1.0, mu, phi) >= level - 1e-9);
        prop_assert!(q < 1.0 || 1.0 - tail(q, mu, phi) < level + 1e-9);
    }

    #[test]
    fn the_highest_usual_count_does_not_surprise(surprise in 0.1..20.0_f64, mu in 0.0..1e5_f64, phi in 1.0..20.0_f64) {
        let ln = |x| -ln_tail(x, mu, phi) / std::f64::consts::LN_10;
        let q = highest_usual(surprise, mu, phi);
        prop_assert!(ln(q) < surprise && ln(q + 1.0) >= surprise);
    }
}
