//! UCB1: the rule by which a Monte Carlo tree search chooses where to look next.

/// The upper confidence bound of a child: its average value plus what it may be underrated by.
///
/// `total` is the sum of the results of its `visits` playouts (1 for a win, 0 for a loss), `parent` the visits of its
/// parent, `c` the weight of exploration (the textbook's default is the square root of 2). A child that was never
/// visited comes before all others: infinity.
///
/// The logarithm comes from `libm`, so that the choice is the same on every machine.
///
/// ```
/// use search_core::ucb1;
/// // Won 60 of 79 against won 2 of 11, after 100 playouts at the parent.
/// assert!(ucb1(60.0, 79, 100, 1.4) > ucb1(2.0, 11, 100, 1.4), "little curiosity: the better one");
/// assert!(ucb1(60.0, 79, 100, 1.5) < ucb1(2.0, 11, 100, 1.5), "more of it: the less known one");
/// ```
#[inline]
pub fn ucb1(total: f64, visits: u64, parent: u64, c: f64) -> f64 {
    if visits == 0 {
        return f64::INFINITY;
    }
    let visits = visits as f64;
    total / visits + c * (libm::log(parent.max(1) as f64) / visits).sqrt()
}

/// What the prior adds to a child's average in PUCT, the rule of `AlphaZero`: `c * prior * sqrt(parent) / (1 + visits)`, where
/// `prior` is the probability that a policy gives the move. [`ucb1`] grows with the logarithm of the parent's visits, this
/// with their root, and it lends a move that was never tried no more than its prior deserves.
///
/// ```
/// use search_core::{puct_bonus, ucb1};
/// let ucb1_bonus = ucb1(0.0, 11, 100, 1.4);
/// let (liked, disliked) = (puct_bonus(0.8, 11, 100, 1.4), puct_bonus(0.1, 11, 100, 1.4));
/// assert!(disliked < ucb1_bonus && ucb1_bonus < liked);
/// ```
#[inline]
pub fn puct_bonus(prior: f64, visits: u64, parent: u64, c: f64) -> f64 {
    c * prior * (parent as f64).sqrt() / (1.0 + visits as f64)
}
