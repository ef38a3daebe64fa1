//! The general searches with the report's knowledge: `minimax`, `alphabeta`, `mcts`.

use colosseum::Position;
use search_core::{AlphaBeta, Bot, Hooks, Mcts, SearchBot};

use super::candidates::{Approach, Listed, Playout};
use super::evaluation::Room;
use super::{CELLS, MOVES_ALL, cells_of, moves_of};
use crate::{BotInfo, Minimax, OptionInfo, Options, SpecError, Values, generic};

/// Full-width minimax with the report's evaluation.
pub(super) fn minimax() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let search = Minimax::new(Room { cells: cells_of(options) });
        Ok(Box::new(SearchBot::new(search).with_cap(generic::cap(options))))
    }
    BotInfo {
        name: "minimax",
        about: "full-width minimax with the report's evaluation, deepening until a limit",
        options: [&generic::CAP[..], &[CELLS]].concat(),
        build,
    }
}

/// Alpha-beta with everything switched on, the report's evaluation and its order of moves.
pub(super) fn alphabeta() -> BotInfo<Position> {
    const ORDER: OptionInfo = OptionInfo {
        key: "order",
        values: Values::Choice(&["approach", "none"]),
        default: "approach",
        about: "the order of moves: destinations near the opponent first (as the report), or as generated",
    };
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let hooks = Hooks::new(Room { cells: cells_of(options) })
            .with_order(Approach { active: options.text("order") == "approach" })
            .with_prune(Listed(moves_of(options)));
        let search = AlphaBeta::new(hooks, generic::alphabeta(options));
        Ok(Box::new(SearchBot::new(search).with_cap(generic::cap(options))))
    }
    BotInfo {
        name: "alphabeta",
        about: "alpha-beta with table and the report's evaluation and order, over all moves",
        options: [&generic::ALPHABETA[..], &[MOVES_ALL, CELLS, ORDER]].concat(),
        build,
    }
}

/// The report's evaluation of a position that is won three times in four; for playouts that are cut.
const SCALE: f64 = 20.0;

/// Monte Carlo tree search, which the report's authors tried first and gave up.
pub(super) fn mcts() -> BotInfo<Position> {
    const ROLLOUT: OptionInfo = OptionInfo {
        key: "rollout",
        values: Values::Choice(&["uniform", "walk"]),
        default: "uniform",
        about: "how playouts move: uniformly over the legal moves, or as the contest's random agent",
    };
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let rollout = if options.text("rollout") == "walk" { Playout::Walk } else { Playout::Uniform };
        let hooks = Hooks::new(Room { cells: cells_of(options) })
            .with_order(Approach { active: false })
            .with_prune(Listed(moves_of(options)))
            .with_rollout(rollout);
        let search = Mcts::new(hooks, generic::mcts(options, SCALE));
        Ok(Box::new(SearchBot::new(search).with_cap(generic::cap(options))))
    }
    BotInfo {
        name: "mcts",
        about: "Monte Carlo tree search over all moves (the report's first attempt, which it gave up)",
        options: [&generic::MCTS[..], &[MOVES_ALL, CELLS, ROLLOUT]].concat(),
        build,
    }
}
