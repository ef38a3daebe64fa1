//! The bots of RoPaSci 360.

mod bots;
mod champion;
mod evaluation;
#[cfg(feature = "fidelity")]
mod fidelity;
mod greedy;
mod guard;
mod judge;
mod model;
mod pessimistic;
mod report;
mod rules;
mod selective;
mod sparring;
mod tokens;

use ::ropasci360::Position;

use crate::{Catalogue, Random};

pub use champion::Champion;
pub use evaluation::{Distance, Features, Phase, Settings, WON, evaluate};
#[cfg(feature = "fidelity")]
pub use fidelity::compare as fidelity;
pub use greedy::Greedy;
pub use guard::Guard;
pub use judge::{Balance, ReportEvaluation, judge, judge_with};
pub use pessimistic::{Movers, Pessimistic, generate};
pub use report::{DecidedBy, Decision, Report, ReportSettings, decide, opening_move};
pub use rules::{Rule, RuleSet, State};
pub use selective::Selective;
pub use sparring::{Older, Sparring};
pub use tokens::{Token, TokenSet, Tokens};

/// Every bot of the game.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![
        Random::info(),
        Greedy::info(),
        bots::minimax(),
        bots::alphabeta(),
        bots::mcts(),
        bots::nash(),
        Report::info(),
        Champion::info(),
        Older::info(),
        Sparring::info(),
    ])
}
