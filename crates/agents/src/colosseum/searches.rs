//! The general searches with the report's knowledge: `minimax`, `alphabeta`, `mcts`.

use colosseum::Position;
use search_core::{AlphaBeta, Hooks, Mcts};

use super::candidates::{Approach, Listed, Playout};
use super::evaluation::Room;
use super::{CELLS, MOVES};
use crate::generic::{self, searching};
use crate::{BotInfo, Choice, Minimax, Setting};

/// Full-width minimax with the report's evaluation.
pub(super) fn minimax() -> BotInfo<Position> {
    BotInfo::new(
        "minimax",
        "full-width minimax with the report's evaluation, deepening until a limit",
        |options| searching(Minimax::new(Room { cells: options.get(&CELLS) }), options),
    )
    .with(generic::CAP)
    .with(&[&CELLS])
}

const ORDER: Setting<Choice<Approach>> = Setting::choice(
    "order",
    &[("approach", Approach { active: true }), ("none", Approach { active: false })],
    "approach",
    "the order of moves: destinations near the opponent first (as the report), or as generated",
);

/// Alpha-beta with everything switched on, the report's evaluation and its order of moves.
pub(super) fn alphabeta() -> BotInfo<Position> {
    BotInfo::new(
        "alphabeta",
        "alpha-beta with table and the report's evaluation and order, over all moves",
        |options| {
            let hooks = Hooks::new(Room { cells: options.get(&CELLS) })
                .with_order(options.get(&ORDER))
                .with_prune(Listed(options.get(&MOVES)));
            searching(AlphaBeta::new(hooks, generic::alphabeta(options)), options)
        },
    )
    .with(generic::ALPHABETA)
    .with(&[&MOVES, &CELLS, &ORDER])
}

/// The report's evaluation of a position that is won three times in four; for playouts that are cut.
const SCALE: f64 = 20.0;

const ROLLOUT: Setting<Choice<Playout>> = Setting::choice(
    "rollout",
    &[("uniform", Playout::Uniform), ("walk", Playout::Walk)],
    "uniform",
    "how playouts move: uniformly over the legal moves, or as the contest's random agent",
);

/// Monte Carlo tree search, which the report's authors tried first and gave up.
pub(super) fn mcts() -> BotInfo<Position> {
    BotInfo::new(
        "mcts",
        "Monte Carlo tree search over all moves (the report's first attempt, which it gave up)",
        |options| {
            let hooks = Hooks::new(Room { cells: options.get(&CELLS) })
                .with_order(Approach { active: false })
                .with_prune(Listed(options.get(&MOVES)))
                .with_rollout(options.get(&ROLLOUT));
            searching(Mcts::new(hooks, generic::mcts(options, SCALE)), options)
        },
    )
    .with(generic::MCTS)
    .with(&[&MOVES, &CELLS, &ROLLOUT])
}
