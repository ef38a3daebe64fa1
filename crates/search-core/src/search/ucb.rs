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
