//! Logistic regression of a game's result on the features of its positions.

/// The state of the fit after one epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Epoch {
    pub(super) number: usize,
    /// Cross-entropy per position of the games the fit saw.
    pub(super) training: f64,
    /// The same of the games kept back.
    pub(super) validation: f64,
}

/// A finished fit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    pub(super) weights: Vec<i32>,
    pub(super) epochs: Vec<Epoch>,
}

#[derive(Debug)]
struct Row {
    features: Vec<f64>,
    chance: f64,
}

/// The rows and where the fit starts.
#[derive(Debug)]
pub(super) struct Regression {
    start: Vec<f64>,
    scale: f64,
    pull: f64,
    training: Vec<Row>,
    validation: Vec<Row>,
}

const EPOCHS: usize = 200;

impl Regression {
    pub(super) fn new(weights: &[i32], scale: f64, pull: f64) -> Self {
        Regression {
            start: weights.iter().map(|&weight| f64::from(weight)).collect(),
            scale,
            pull,
            training: Vec::new(),
            validation: Vec::new(),
        }
    }

    /// Adds a position: its features and the result of its game (1 won, 0 lost), seen from the same player.
    pub(super) fn add(&mut self, features: &[i32], chance: f64, kept_back: bool) {
        let row = Row { features: features.iter().map(|&value| f64::from(value)).collect(), chance };
        if kept_back { self.validation.push(row) } else { self.training.push(row) }
    }

    /// The weights that explain the results best; `None` without any position.
    pub(super) fn fit(&self) -> Option<Fit> {
        if self.training.is_empty() || self.start.is_empty() {
            return None;
        }
        // The unit of the weights is free: what the old weights mean as chances is found first and then kept.
        let unit = self.best_unit();
        // Features differ in size, so each weight gets a step of its own size (Adam).
        let (mut mean, mut square) = (vec![0.0; self.start.len()], vec![0.0; self.start.len()]);
        let mut weights = self.start.clone();
        let step = self.start.iter().map(|weight| weight.abs()).fold(1.0, f64::max) / 50.0;
        let mut epochs = vec![self.epoch(0, &weights, unit)];
        let mut best = (epochs[0].validation, weights.clone());
        for number in 1..=EPOCHS {
            let gradient = self.gradient(&weights, unit);
            for (index, slope) in gradient.into_iter().enumerate() {
                mean[index] = 0.9 * mean[index] + 0.1 * slope;
                square[index] = 0.999 * square[index] + 0.001 * slope * slope;
                let corrected = mean[index] / (1.0 - 0.9_f64.powi(number as i32));
                let spread = (square[index] / (1.0 - 0.999_f64.powi(number as i32))).sqrt();
                weights[index] -= step * corrected / (spread + 1e-12);
            }
            let epoch = self.epoch(number, &weights, unit);
            if epoch.validation < best.0 {
                best = (epoch.validation, weights.clone());
            }
            epochs.push(epoch);
        }
        Some(Fit { weights: best.1.iter().map(|weight| weight.round() as i32).collect(), epochs })
    }

    fn chance(&self, features: &[f64], weights: &[f64], unit: f64) -> f64 {
        let sum: f64 = features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        1.0 / (1.0 + libm::exp(-sum / self.scale * unit))
    }

    fn loss(&self, rows: &[Row], weights: &[f64], unit: f64) -> f64 {
        if rows.is_empty() {
            return 0.0;
        }
        let total: f64 = rows
            .iter()
            .map(|row| {
                let chance = self.chance(&row.features, weights, unit).clamp(1e-9, 1.0 - 1e-9);
                -(row.chance * libm::log(chance) + (1.0 - row.chance) * libm::log(1.0 - chance))
            })
            .sum();
        total / rows.len() as f64
    }

    fn epoch(&self, number: usize, weights: &[f64], unit: f64) -> Epoch {
        // With too few games to keep any back, the fit is judged on what it saw.
        let kept_back = if self.validation.is_empty() { &self.training } else { &self.validation };
        Epoch {
            number,
            training: self.loss(&self.training, weights, unit),
            validation: self.loss(kept_back, weights, unit),
        }
    }

    fn gradient(&self, weights: &[f64], unit: f64) -> Vec<f64> {
        let mut gradient = vec![0.0; weights.len()];
        let share = unit / self.scale / self.training.len() as f64;
        for row in &self.training {
            let error = (self.chance(&row.features, weights, unit) - row.chance) * share;
            for (slope, feature) in gradient.iter_mut().zip(&row.features) {
                *slope += error * feature;
            }
        }
        for ((slope, weight), start) in gradient.iter_mut().zip(weights).zip(&self.start) {
            *slope += self.pull * (unit / self.scale).powi(2) * (weight - start);
        }
        gradient
    }

    /// How much one point of the old evaluation changes the odds, by golden-section search over its logarithm.
    fn best_unit(&self) -> f64 {
        let loss = |exponent: f64| self.loss(&self.training, &self.start, libm::exp(exponent));
        let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (-15.0, 5.0);
        for _ in 0..60 {
            let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
            if loss(left) < loss(right) { high = right } else { low = left }
        }
        libm::exp(f64::midpoint(low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::SearchRng;

    /// Results drawn from known weights: the fit finds their ratio.
    #[test]
    fn known_weights_are_found() {
        let mut rng = SearchRng::new(5, "rows");
        let mut regression = Regression::new(&[100, 100, 100], 1.0, 0.0);
        for index in 0..20_000 {
            let row: Vec<i32> = (0..3).map(|_| rng.below(11) as i32 - 5).collect();
            let sum = 0.4 * f64::from(row[0]) + 0.2 * f64::from(row[1]);
            let chance = 1.0 / (1.0 + libm::exp(-sum));
            regression.add(&row, f64::from(u8::from(rng.unit() < chance)), index % 10 == 9);
        }
        let fit = regression.fit().unwrap();
        let [first, second, third] = fit.weights[..] else { panic!("three weights") };
        let ratio = f64::from(second) / f64::from(first);
        assert!((ratio - 0.5).abs() < 0.08, "{:?}", fit.weights);
        assert!(f64::from(third).abs() < 0.08 * f64::from(first), "{:?}", fit.weights);
        assert!(fit.epochs.last().unwrap().training < fit.epochs[0].training);
    }

    #[test]
    fn nothing_to_fit_is_said() {
        assert_eq!(Regression::new(&[1], 1.0, 0.0).fit(), None);
    }
}
