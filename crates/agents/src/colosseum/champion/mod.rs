//! The strongest bot: alpha-beta over all moves, judged by a learned network, ordered by territory.

mod territory;
mod views;

use colosseum::{Move, Position};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Evaluate, Game, Hooks, Linear, Order, Player, Reductions, Score, TurnBased,
};

use crate::generic::{self, searching};
use crate::network::{self, NETWORK, Network, Squash, Views};
use crate::tuning::{self, Training, Tuning};
use crate::{BotInfo, Choice, Setting};
pub use territory::Territory;
pub use views::RegionViews;

/// The trained weights: docs/strength/colosseum.md has the commands that make them.
static CHAMPION: &[u8] = include_bytes!("network.bin");

/// The champion's learned judgement.
pub type Learned = Network<Position, RegionViews>;

/// What judges the leaves.
#[derive(Debug, Clone)]
enum Judge {
    /// The trained network.
    Learned(Learned),
    /// The weighted sum.
    Sum(Linear<Territory>),
}

impl Evaluate<Position> for Judge {
    #[inline]
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        match self {
            Judge::Learned(network) => network.evaluate(position, player),
            Judge::Sum(sum) => sum.evaluate(position, player),
        }
    }
}

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

const EVALUATION: Setting<Choice<bool>> = Setting::choice(
    "evaluation",
    &[("network", true), ("sum", false)],
    "network",
    "what judges the leaves: the trained network, or the weighted sum that orders the moves in any case (always the sum \
     with other weights)",
);

/// The champion's evaluation, open to tuning.
pub fn tuning() -> Tuning<Position> {
    Tuning { features: Box::new(Territory), weights: WEIGHTS.to_vec(), scale: 1, bot: "champion" }
}

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "champion",
        "the strongest bot: alpha-beta over all moves, a learned network as evaluation, territory as order of moves",
        |options| {
            let others = tuning::weights(options, WEIGHTS.len())?;
            let weights = others.clone().unwrap_or_else(|| WEIGHTS.to_vec());
            let evaluate = Linear::new(Territory, weights).map_err(|error| options.misfit(error))?;
            let settings = AlphaBetaSettings {
                reductions: options.get(&generic::LMR).then_some(REDUCTIONS),
                order_from: ORDER_FROM,
                ..generic::alphabeta(options)
            };
            // The network comes with the program and is checked by its tests; should it be unusable, the sum plays on.
            let network = match network::file(options)? {
                Some(bytes) => Some(Learned::from_bytes(&bytes).map_err(|error| options.misfit(error))?),
                None => Learned::from_bytes(CHAMPION).ok(),
            };
            let judge = match network.filter(|_| others.is_none() && options.get(&EVALUATION)) {
                Some(network) => Judge::Learned(network),
                None => Judge::Sum(evaluate.clone()),
            };
            let hooks = Hooks::new(judge).with_order(ByOutlook { evaluate });
            searching(AlphaBeta::new(hooks, settings), options)
        },
    )
    .with(generic::ALPHABETA)
    .with(&[&generic::LMR.with_default(true), &EVALUATION, &NETWORK, &tuning::WEIGHTS])
}

/// What `cargo xtask tune colosseum --network` needs to know.
pub fn training() -> Training<Position> {
    Training {
        lists: RegionViews::LISTS,
        rows: RegionViews::ROWS,
        see: |position, player, see| RegionViews::see(position, player, see),
        both_sides: true,
        squash: Squash::Logistic,
        chance: |score| {
            if score.is_win() {
                1.0
            } else if score.is_loss() {
                0.0
            } else {
                Squash::Logistic.chance(score.value() as f32 / Learned::POINTS as f32)
            }
        },
        pack: |trained| {
            let bytes = Learned::file_of(trained);
            let read = bytes.and_then(|bytes| Learned::from_bytes(&bytes).map(|_| bytes));
            read.map_err(|error| error.to_string())
        },
        home: "crates/agents/src/colosseum/champion/network.bin",
        bot: "champion:hash=1",
        match_bot: "champion",
    }
}
