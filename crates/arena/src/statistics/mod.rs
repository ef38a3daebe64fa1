//! The statistics of matches and tournaments: pairs of games, Elo, sequential tests, exact bounds, joint ratings.
//!
//! A *pair* is two games from one opening with the seats swapped. Its two games are not independent, so the pair is
//! the unit of every error bar here. Nothing in this module returns an infinity or a NaN: what is not defined is `None`.

mod bounds;
mod cycles;
mod distinct;
mod elo;
mod matrix;
mod normal;
mod ratings;
mod sample;
mod sprt;

pub use bounds::{Interval, all_won_bound, clopper_pearson, score_interval, wilson};
pub use cycles::find_cycle;
pub use distinct::Distinct;
pub use elo::{Estimate, elo_estimate, elo_interval, elo_of_score, los, nelo_estimate, score_of_elo};
pub use normal::{Z95, normal_cdf};
#[cfg(feature = "native")]
pub(crate) use ratings::rate_near;
pub use ratings::{Cluster, ErrorModel, Ratings, RatingsError, RatingsOptions, rate};
pub use sample::{Pentanomial, Sample, Trinomial, Unit};
pub use sprt::{Decision, ParseSprtError, Sprt, SprtModel};
