//! The strongest bot: alpha-beta over all moves with an evaluation by territory and an order by what it says.

mod territory;

use colosseum::{Move, Position};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Bot, Evaluate, Game, Hooks, Linear, Order, Player, Reductions, SearchBot,
    TurnBased,
};

use crate::tuning::{self, Tuning};
use crate::{BotInfo, Options, SpecError, generic};
pub use territory::Territory;

/// What a game that a move ends is worth in the order of moves: above every evaluation.
const DECIDED: i32 = 1_000_000;

/// Sorts moves by the evaluation of the position after them. Moves that win come first, then those that shut the
/// opponent in: a player behind three walls and an opponent has one cell of territory.
#[derive(Debug, Clone)]
pub struct ByOutlook {
    evaluate: Linear<Territory>,
}

impl Order<Position> for ByOutlook {
    #[inline]
    fn rank(&self, position: &Position, player: Player, mv: Move) -> i32 {
        let next = position.after(mv);
        match next.end() {
            Some(end) => DECIDED * end.outcome.sign(player),
            None => self.evaluate.evaluate(&next, player).value(),
        }
    }
}

/// The weights of the evaluation: a cell by steps counts twice as much as one by turns.
const WEIGHTS: [i32; 2] = [20, 10];

/// Late moves are searched less deeply from depth 2 on. The order by outlook is good enough to reduce them strongly.
const REDUCTIONS: Reductions = Reductions { min_depth: 2, full_moves: 4, divisor: 0.8 };

/// Moves are ordered by their outlook where at least so much depth is left. One ply above the leaves it would cost as
/// much as searching them.
const ORDER_FROM: u32 = 2;

/// The champion's evaluation, open to tuning.
pub fn tuning() -> Tuning<Position> {
    Tuning { features: Box::new(Territory), weights: WEIGHTS.to_vec(), scale: 1, bot: "champion" }
}

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let weights =
            tuning::weights("champion", options, WEIGHTS.len())?.unwrap_or_else(|| WEIGHTS.to_vec());
        let evaluate = Linear::new(Territory, weights)
            .map_err(|error| SpecError::Together { bot: "champion", problem: error.to_string() })?;
        let settings = AlphaBetaSettings {
            reductions: options.flag("lmr").then_some(REDUCTIONS),
            order_from: ORDER_FROM,
            ..generic::alphabeta(options)
        };
        let hooks = Hooks::new(evaluate.clone()).with_order(ByOutlook { evaluate });
        Ok(Box::new(SearchBot::new(AlphaBeta::new(hooks, settings)).with_cap(generic::cap(options))))
    }
    let mut options = [&generic::ALPHABETA[..], &[tuning::WEIGHTS]].concat();
    for option in &mut options {
        if option.key == "lmr" {
            option.default = "true";
        }
    }
    BotInfo {
        name: "champion",
        about: "the strongest bot: alpha-beta over all moves, territory as evaluation and as order of moves",
        options,
        build,
    }
}
