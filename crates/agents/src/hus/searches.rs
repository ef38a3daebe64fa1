//! The generic searches with the report's evaluation and order.

use hus::Position;
use search_core::{AlphaBeta, Bot, Hooks, Mcts, SearchBot};

use super::candidates::StaticOrder;
use super::evaluation::{PitWeights, Weighted};
use crate::generic::{self, ALPHABETA, CAP, MCTS, cap};
use crate::{BotInfo, Greedy, Minimax, OptionInfo, Options, SpecError, Values};

const PITS: OptionInfo = OptionInfo {
    key: "pits",
    values: Values::Text("a weight, or 32 divided by `/`"),
    default: "1",
    about: "the worth of a seed, for all pits or for each from 0 to 31",
};

const MOVES: OptionInfo = OptionInfo {
    key: "moves",
    values: Values::Number(-100_000.0, 100_000.0),
    default: "1",
    about: "the worth of a pit that can be played, own less the opponent's (rounded to a whole number)",
};

const EXPOSED: OptionInfo = OptionInfo {
    key: "exposed",
    values: Values::Number(-100_000.0, 100_000.0),
    default: "0",
    about: "the worth of a seed in a column that stands open to a capture (rounded to a whole number)",
};

const ORDER: OptionInfo = OptionInfo {
    key: "order",
    values: Values::Choice(&["none", "static"]),
    default: "static",
    about: "order of moves: as generated, or by the value of the position they lead to (as the report)",
};

const ORDER_FROM: OptionInfo = OptionInfo {
    key: "order_from",
    values: Values::Integer(0, 100),
    default: "1",
    about: "orders by static value only where at least so many plies are left",
};

/// The score of the report's evaluation that counts as a chance of 73 % to win: about ten seeds ahead.
const SCALE: f64 = 20.0;

fn weighted(bot: &'static str, options: &Options<'_>) -> Result<Weighted, SpecError> {
    let PitWeights(pits) = options.text("pits").parse().map_err(|error| SpecError::Value {
        bot,
        key: "pits",
        expected: format!("{} ({error})", PITS.values),
        found: options.text("pits").to_owned(),
    })?;
    let whole = |key| options.number(key).unwrap_or(0.0).round() as i32;
    Ok(Weighted { pits, moves: whole("moves"), exposed: whole("exposed") })
}

pub(super) fn greedy() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        Ok(Box::new(Greedy::new(weighted("greedy", options)?)))
    }
    BotInfo {
        name: "greedy",
        about: "the best move by the report's evaluation after one ply; ties drawn by seed",
        options: vec![PITS, MOVES, EXPOSED],
        build,
    }
}

pub(super) fn minimax() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let search = Minimax::new(weighted("minimax", options)?);
        Ok(Box::new(SearchBot::new(search).with_cap(cap(options))))
    }
    let mut options = CAP.to_vec();
    options.extend([PITS, MOVES, EXPOSED]);
    BotInfo {
        name: "minimax",
        about: "full-width minimax with the report's evaluation, deepening, no cut-offs",
        options,
        build,
    }
}

pub(super) fn alphabeta() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let evaluate = weighted("alphabeta", options)?;
        let order = StaticOrder { evaluate, active: options.text("order") == "static" };
        let mut settings = generic::alphabeta(options);
        settings.order_from = options.integer("order_from").unwrap_or(1) as u32;
        let search = AlphaBeta::new(Hooks::new(evaluate).with_order(order), settings);
        Ok(Box::new(SearchBot::new(search).with_cap(cap(options))))
    }
    let mut options = ALPHABETA.to_vec();
    options.extend([ORDER, ORDER_FROM, PITS, MOVES, EXPOSED]);
    BotInfo {
        name: "alphabeta",
        about: "proper alpha-beta with table, the report's evaluation and order",
        options,
        build,
    }
}

pub(super) fn mcts() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let evaluate = weighted("mcts", options)?;
        let search = Mcts::new(Hooks::new(evaluate), generic::mcts(options, SCALE));
        Ok(Box::new(SearchBot::new(search).with_cap(cap(options))))
    }
    let mut options = MCTS.to_vec();
    options.extend([PITS, MOVES, EXPOSED]);
    BotInfo {
        name: "mcts",
        about: "Monte Carlo tree search with uniform playouts, which the report rejected",
        options,
        build,
    }
}
