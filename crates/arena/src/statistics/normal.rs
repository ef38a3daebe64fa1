//! The normal distribution.

use libm::erfc;

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is at most `x`.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_and_the_distribution_agree() {
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-12);
        assert!((normal_cdf(0.0) - 0.5).abs() < 1e-15);
        assert!((normal_cdf(-8.0) / 6.220_960_574_271_78e-16 - 1.0).abs() < 1e-12);
    }
}
