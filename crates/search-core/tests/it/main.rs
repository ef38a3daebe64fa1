//! The tests of the crate, one binary: what the searches, the laws and the readers promise.

mod alpha_beta;
mod clock;
mod connect_four;
mod corpus;
mod documents;
mod kalah;
mod lecture;
mod lecture_experiments;
mod monte_carlo;
mod numbers;
mod oracles;
mod parsers;
mod proof;
mod records;
mod search_behaviour;
mod simultaneous;
mod simultaneous_games;
mod solver;
mod take_away;
mod without_laws;
mod wrong_games;
