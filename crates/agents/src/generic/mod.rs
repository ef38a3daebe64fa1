//! Bots for any game: random moves, one ply of any evaluation, plain minimax, and the options of the searches.

mod greedy;
mod minimax;
mod options;
mod random;

pub use greedy::Greedy;
pub use minimax::Minimax;
pub use options::{ALPHABETA, CAP, MCTS, alphabeta, cap, mcts};
pub use random::Random;
