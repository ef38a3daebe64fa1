//! Logarithms for the selection formula, the same on every machine.

use std::sync::OnceLock;

/// `sqrt(ln(n))` from tables, the same on every machine.
pub(super) struct Logarithms {
    roots: Vec<f32>,
    logs: Vec<f64>,
}

/// Numbers below this are exact; of larger ones the first twelve binary digits count.
const EXACT: u32 = 4096;

impl Logarithms {
    /// Made once for all searches of the process.
    pub(super) fn shared() -> &'static Logarithms {
        static TABLES: OnceLock<Logarithms> = OnceLock::new();
        TABLES.get_or_init(|| {
            let logs: Vec<f64> = (0..EXACT).map(|visits| libm::log(f64::from(visits.max(1)))).collect();
            Logarithms { roots: logs.iter().map(|log| log.sqrt() as f32).collect(), logs }
        })
    }

    #[inline]
    pub(super) fn root_of_log(&self, visits: u32) -> f32 {
        if let Some(&root) = self.roots.get(visits as usize) {
            return root;
        }
        let cut = EXACT.leading_zeros() + 1 - visits.leading_zeros();
        let log = self.logs[(visits >> cut) as usize] + f64::from(cut) * std::f64::consts::LN_2;
        (log as f32).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_of_large_numbers_are_close() {
        let tables = Logarithms::shared();
        for visits in [1, 2, 100, 4095, 4096, 4097, 8191, 8192, 100_000, 1 << 20, u32::MAX] {
            let exact = libm::log(f64::from(visits)).sqrt();
            let found = f64::from(tables.root_of_log(visits));
            assert!((found - exact).abs() < 2e-4, "{visits}: {found}, not {exact}");
        }
    }
}
