//! The bots of RoPaSci 360.

mod candidates;
mod champion;
mod evaluation;
mod levels;
mod report;
mod searches;

use ::ropasci360::Position;

use crate::{Catalogue, Random};

pub use candidates::Selective;
pub use evaluation::{Balance, ReportEvaluation, judge};
#[cfg(feature = "fidelity")]
pub use report::fidelity;
pub use report::{
    DecidedBy, Decision, Distance, Draws, Features, Movers, Patience, Pessimistic, Phase, RepetitionGuard,
    ReportBot, ReportSettings, Rule, RuleSet, Settings, State, Token, TokenSet, Tokens, WON, decide,
    evaluate, generate, opening_move,
};

/// Every bot of the game.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![
        Random::info(),
        report::greedy(),
        searches::minimax(),
        searches::alphabeta(),
        searches::mcts(),
        searches::nash(),
        report::info(),
        champion::info(),
        levels::info(),
        report::older(),
        report::sparring(),
    ])
}
