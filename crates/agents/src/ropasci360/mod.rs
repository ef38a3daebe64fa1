//! The bots of RoPaSci 360.

mod candidates;
mod champion;
mod evaluation;
mod report;
mod searches;

use ::ropasci360::Position;

use crate::{Catalogue, Random};

pub use candidates::Selective;
pub use champion::Champion;
pub use evaluation::{Balance, ReportEvaluation, judge, judge_with};
#[cfg(feature = "fidelity")]
pub use report::fidelity;
pub use report::{
    DecidedBy, Decision, Distance, Features, Greedy, Guard, Movers, Older, Pessimistic, Phase, Report,
    ReportSettings, Rule, RuleSet, Settings, Sparring, State, Token, TokenSet, Tokens, WON, decide, evaluate,
    generate, opening_move,
};

/// Every bot of the game.
pub fn catalogue() -> Catalogue<Position> {
    Catalogue::new(vec![
        Random::info(),
        Greedy::info(),
        searches::minimax(),
        searches::alphabeta(),
        searches::mcts(),
        searches::nash(),
        Report::info(),
        Champion::info(),
        Older::info(),
        Sparring::info(),
    ])
}
