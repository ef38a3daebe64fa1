//! The generic bots on RoPaSci 360.

use ropasci360::Position;
use search_core::{
    AlphaBeta, AlphaBetaSettings, Bot, Hooks, NoOrder, Selector, SerialBot, Serially, SimultaneousSearch,
    SimultaneousSettings, SmMcts, SmMctsSettings,
};

use super::candidates::Selective;
use super::evaluation::{ReportEvaluation, judge};
use crate::generic::{self, CAP, EXPLORATION, MEMORY, MOVETIME, PLAYOUTS, cap, mebibytes, searching};
use crate::{BotInfo, Choice, Minimax, Optional, Options, Range, Setting};

/// The score that is worth half a win.
pub(super) const HALF_WIN: f64 = 250.0;

const WIDTH: Setting<Optional<usize>> = Setting::optional(
    "width",
    1..=400,
    "look only at this many moves of each player, the best ranked; all without it",
);

/// The hooks of a selective search: the ranks leave moves out and order the rest.
fn selective(options: &Options<'_>) -> Option<Selective> {
    options.get(&WIDTH).map(Selective::of_width)
}

/// `minimax`: full-width, pessimistic.
pub(super) fn minimax() -> BotInfo<Position> {
    BotInfo::new(
        "minimax",
        "full-width minimax on \"I move, then you answer\" with the report's evaluation; two plies a turn",
        |options| {
            let search = Minimax::new(Serially(ReportEvaluation::default()));
            Ok(Box::new(SerialBot::new(search).with_cap(cap(options))))
        },
    )
    .with(CAP)
}

/// Whether the ranks order the moves.
const ORDER: Setting<Choice<bool>> = Setting::choice(
    "order",
    &[("none", false), ("rank", true)],
    "rank",
    "which moves are searched first: the generator's order, or captures, escapes and approaches",
);

/// `alphabeta`: pessimistic, all moves.
pub(super) fn alphabeta() -> BotInfo<Position> {
    BotInfo::new(
        "alphabeta",
        "alpha-beta on \"I move, then you answer\" with the report's evaluation; two plies a turn",
        |options| {
            let (settings, cap) = (generic::alphabeta(options), cap(options));
            let hooks = Hooks::new(ReportEvaluation::default());
            Ok(match selective(options) {
                Some(selective) => {
                    let hooks = hooks.with_order(selective).with_prune(selective).serially();
                    Box::new(SerialBot::new(AlphaBeta::new(hooks, settings)).with_cap(cap))
                }
                None if options.get(&ORDER) => {
                    let hooks = hooks.with_order(Selective::default()).serially();
                    Box::new(SerialBot::new(AlphaBeta::new(hooks, settings)).with_cap(cap))
                }
                None => {
                    let hooks = hooks.with_order(NoOrder).serially();
                    Box::new(SerialBot::new(AlphaBeta::new(hooks, settings)).with_cap(cap))
                }
            })
        },
    )
    .with(generic::ALPHABETA)
    .with(&[&WIDTH, &ORDER])
}

/// `alphabeta` with its defaults, to foresee an opponent who plays like it.
pub(super) fn cautious() -> Box<dyn Bot<Position>> {
    let hooks = Hooks::new(ReportEvaluation::default()).with_order(Selective::default()).serially();
    Box::new(SerialBot::new(AlphaBeta::new(hooks, AlphaBetaSettings::default())))
}

/// How a player chooses in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Select {
    Uct,
    Regret,
}

const SELECT: Setting<Choice<Select>> = Setting::choice(
    "select",
    &[("uct", Select::Uct), ("regret", Select::Regret)],
    "uct",
    "how each player chooses in the tree: decoupled UCT or regret matching",
);

const RANDOM_SHARE: Setting<Range<f64>> =
    Setting::range("exploration", 0.0..=1.0, 0.1, "share of random choices of regret matching");

const ROLLOUT_TURNS: Setting<Range<u32>> = Setting::range(
    "cap",
    0..=360,
    8,
    "cut playouts after this many turns and ask the evaluation; 0 asks it at once",
);

/// `mcts`: simultaneous Monte Carlo tree search.
pub(super) fn mcts() -> BotInfo<Position> {
    BotInfo::new(
        "mcts",
        "Monte Carlo tree search for simultaneous moves; plays a draw from the mixed strategy it finds",
        |options| {
            let settings = SmMctsSettings {
                selector: match options.get(&SELECT) {
                    Select::Uct => Selector::DecoupledUct { c: options.get(&EXPLORATION) },
                    Select::Regret => Selector::RegretMatching { exploration: options.get(&RANDOM_SHARE) },
                },
                rollout_turns: Some(options.get(&ROLLOUT_TURNS)),
                half_win: HALF_WIN,
                memory_bytes: mebibytes(options.get(&MEMORY)),
                ..SmMctsSettings::default()
            };
            let hooks = Hooks::new(judge());
            match selective(options) {
                Some(selective) => searching(SmMcts::new(hooks.with_prune(selective), settings), options),
                None => searching(SmMcts::new(hooks, settings), options),
            }
        },
    )
    .with(&[&PLAYOUTS, &MOVETIME, &SELECT, &EXPLORATION, &RANDOM_SHARE, &ROLLOUT_TURNS, &MEMORY, &WIDTH])
}

/// The size of the table of solved positions.
pub(super) const SOLVED: Setting<Range<usize>> =
    Setting::range("hash", 0..=65_536, 16, "size of the table of solved positions in MiB");

/// `nash`: backward induction with a matrix game at every node.
pub(super) fn nash() -> BotInfo<Position> {
    BotInfo::new(
        "nash",
        "backward induction with a matrix game at every node; plays a draw from the equilibrium; depth in turns",
        |options| {
            let settings = nash_settings(options);
            let hooks = Hooks::new(judge());
            if let Some(selective) = selective(options) {
                let hooks = hooks.with_order(selective).with_prune(selective);
                return searching(SimultaneousSearch::new(hooks, settings), options);
            }
            let hooks = hooks.with_order(Selective::default());
            searching(SimultaneousSearch::new(hooks, settings), options)
        },
    )
    .with(CAP)
    .with(&[&SOLVED, &WIDTH])
}

/// The settings of the matrix-game searches.
pub(super) fn nash_settings(options: &Options<'_>) -> SimultaneousSettings {
    SimultaneousSettings {
        table_bytes: mebibytes(options.get(&SOLVED)),
        half_win: HALF_WIN,
        discount: 0.998,
        tolerance: 1e-6,
        ..SimultaneousSettings::default()
    }
}
