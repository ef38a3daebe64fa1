//! Small games for tests, examples and benches: what the searches and the runner are tried on.
//!
//! Not published. A game that is used in one test alone stays there.
#![warn(missing_docs)]

pub mod chase;
pub mod connect_four;
pub mod connect_four_insight;
pub mod connect_four_positions;
pub mod goofspiel;
pub mod goofspiel_random;
pub mod kalah;
pub mod kalah_insight;
pub mod matrix_games;
pub mod one_turn;
pub mod oshi_zumo;
mod parse;
pub mod pile;
pub mod random;
pub mod textbook_tree;
pub mod tic_tac_toe;
