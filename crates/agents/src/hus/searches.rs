//! The generic searches with the report's evaluation and order.

use hus::Position;
use search_core::{AlphaBeta, AlphaBetaSettings, Hooks, Mcts};

use super::candidates::StaticOrder;
use super::evaluation::{PitWeights, Weighted};
use crate::generic::{self, searching};
use crate::{BotInfo, Choice, Declared, Greedy, Minimax, Options, Range, Setting, SpecError, Text};

const PITS: Setting<Text> = Setting::text(
    "pits",
    "a weight, or 32 divided by `/`",
    "1",
    "the worth of a seed, for all pits or for each from 0 to 31",
);

const MOVES: Setting<Range<f64>> = Setting::range(
    "moves",
    -100_000.0..=100_000.0,
    1.0,
    "the worth of a pit that can be played, own less the opponent's (rounded to a whole number)",
);

const EXPOSED: Setting<Range<f64>> = Setting::range(
    "exposed",
    -100_000.0..=100_000.0,
    0.0,
    "the worth of a seed in a column that stands open to a capture (rounded to a whole number)",
);

const DEFENCE: Setting<Range<f64>> = Setting::range(
    "defence",
    -100_000.0..=100_000.0,
    0.0,
    "the cost of an own seed that stands open, growing as own seeds fall below 48 (rounded to a whole number)",
);

const ATTACK: Setting<Range<f64>> = Setting::range(
    "attack",
    -100_000.0..=100_000.0,
    0.0,
    "the worth of an opponent's seed that stands open, fading over the first 60 plies (rounded to a whole number)",
);

/// The options of the evaluation.
const EVALUATION: &[&dyn Declared] = &[&PITS, &MOVES, &EXPOSED, &DEFENCE, &ATTACK];

const ORDER: Setting<Choice<bool>> = Setting::choice(
    "order",
    &[("none", false), ("static", true)],
    "static",
    "order of moves: as generated, or by the value of the position they lead to (as the report)",
);

pub(super) const ORDER_FROM: Setting<Range<u32>> = Setting::range(
    "order_from",
    0..=100,
    1,
    "orders by static value only where at least this many plies are left",
);

/// The score of the report's evaluation that counts as a chance of 73 % to win: about ten seeds ahead.
const SCALE: f64 = 20.0;

fn weighted(options: &Options<'_>) -> Result<Weighted, SpecError> {
    let PitWeights(pits) = options
        .get(&PITS)
        .parse()
        .map_err(|error| options.wrong(&PITS, format_args!("a weight, or 32 divided by `/` ({error})")))?;
    let whole = |setting: &Setting<Range<f64>>| options.get(setting).round() as i32;
    Ok(Weighted {
        pits,
        moves: whole(&MOVES),
        exposed: whole(&EXPOSED),
        defence: whole(&DEFENCE),
        attack: whole(&ATTACK),
    })
}

pub(super) fn greedy() -> BotInfo<Position> {
    BotInfo::new(
        "greedy",
        "the best move by the report's evaluation after one ply; ties drawn by seed",
        |options| Ok(Box::new(Greedy::new(weighted(options)?))),
    )
    .with(EVALUATION)
}

pub(super) fn minimax() -> BotInfo<Position> {
    BotInfo::new(
        "minimax",
        "full-width minimax with the report's evaluation, deepening, no cut-offs",
        |options| searching(Minimax::new(weighted(options)?), options),
    )
    .with(generic::CAP)
    .with(EVALUATION)
}

pub(super) fn alphabeta() -> BotInfo<Position> {
    BotInfo::new("alphabeta", "proper alpha-beta with table, the report's evaluation and order", |options| {
        let evaluate = weighted(options)?;
        let order = StaticOrder { evaluate, active: options.get(&ORDER) };
        let settings =
            AlphaBetaSettings { order_from: options.get(&ORDER_FROM), ..generic::alphabeta(options) };
        searching(AlphaBeta::new(Hooks::new(evaluate).with_order(order), settings), options)
    })
    .with(generic::ALPHABETA)
    .with(&[&ORDER, &ORDER_FROM])
    .with(EVALUATION)
}

pub(super) fn mcts() -> BotInfo<Position> {
    BotInfo::new(
        "mcts",
        "Monte Carlo tree search with uniform playouts, which the report rejected",
        |options| {
            let hooks = Hooks::new(weighted(options)?);
            searching(Mcts::new(hooks, generic::mcts(options, SCALE)), options)
        },
    )
    .with(generic::MCTS)
    .with(EVALUATION)
}
