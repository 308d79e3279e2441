//! Templates of DC-1's use monitor: what a rule says of a count, given its profile.

/// 1 for more than the maximum of the normal days.
pub fn threshold(count: f64, maximum: f64) -> f64 {
    f64::from(u8::from(count > maximum))
}

/// How many deviations above the mean, as the paper has it: where there is no deviation, the count itself.
pub fn deviation(count: f64, mean: f64, deviation: f64) -> f64 {
    if deviation <= 0.0 {
        count
    } else if count > mean {
        (count - mean) / deviation
    } else {
        0.0
    }
}

/// How many deviations above the mean, where a deviation is at least what chance alone makes of such a mean: a
/// perfectly regular site does not alarm.
pub fn robust(count: f64, mean: f64, deviation: f64) -> f64 {
    ((count - mean) / floored(mean, deviation)).max(0.0)
}

/// A deviation, at least that of a Poisson count.
pub(super) fn floored(mean: f64, deviation: f64) -> f64 {
    deviation.max(mean.max(0.25).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_design() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-3, "{a} is not {b}");
        close(threshold(15.0, 15.0), 0.0);
        close(threshold(16.0, 15.0), 1.0);
        for (count, output) in [(7.0, 0.0), (10.0, 0.0), (13.0, 1.0), (22.0, 4.0)] {
            close(deviation(count, 10.0, 3.0), output);
        }
        close(deviation(5.0, 5.0, 0.0), 5.0);
        close(robust(5.0, 5.0, 0.0), 0.0);
        close(robust(9.0, 5.0, 0.0), 1.789);
        close(robust(1.0, 0.0, 0.0), 2.0);
        close(robust(2.0, 0.0, 0.0), 4.0);
        close(robust(22.0, 10.0, 3.0), 3.795);
    }
}
