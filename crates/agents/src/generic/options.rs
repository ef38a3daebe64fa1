//! Options that the generic searches share, so that they are named and read the same way in every game.

use std::time::Duration;

use search_core::{
    AlphaBetaSettings, Bot, Game, Limits, MctsSettings, Reductions, Search, SearchBot, Selection, TableUse,
    Time,
};

use crate::{Built, Choice, Declared, Flag, Optional, Options, Range, Setting};

/// A cap on the depth.
pub const DEPTH: Setting<Optional<u32>> = Setting::optional(
    "depth",
    1..=10_000,
    "deepest iteration in plies; whichever limit comes first ends the search",
);

/// A cap on the nodes.
pub const NODES: Setting<Optional<u64>> = Setting::optional("nodes", 1..=u64::MAX, "most nodes per move");

/// A cap on the time of a move, in milliseconds.
pub const MOVETIME: Setting<Optional<u64>> = Setting::optional(
    "movetime",
    1..=86_400_000,
    "time per move in milliseconds, where the match sets no time",
);

/// A cap on the playouts.
pub const PLAYOUTS: Setting<Optional<u64>> = Setting::optional(
    "playouts",
    1..=u64::MAX,
    "most playouts per move; whichever limit comes first ends the search",
);

/// Caps on the limits of the match, for any search.
pub const CAP: &[&dyn Declared] = &[&DEPTH, &NODES, &MOVETIME];

/// How much of the transposition table is used.
pub const TABLE: Setting<Choice<TableUse>> = Setting::choice(
    "table",
    &[
        ("off", TableUse::Off),
        ("moves", TableUse::MovesOnly),
        ("exact", TableUse::ExactDepth),
        ("on", TableUse::AtLeast),
    ],
    "on",
    "transposition table: none, for move ordering only, at exactly the depth, or at any sufficient depth",
);

/// The size of the table.
pub const HASH: Setting<Range<usize>> = Setting::range("hash", 1..=65_536, 16, "table size in MiB");

/// Null windows.
pub const PVS: Setting<Flag> = Setting::flag("pvs", true, "principal-variation (null window) search");

/// Aspiration windows.
pub const ASPIRATION: Setting<Optional<u32>> =
    Setting::optional("aspiration", 1..=1_000_000, "half-width of the aspiration window");

/// Killer moves.
pub const KILLERS: Setting<Flag> = Setting::flag("killers", true, "killer moves");

/// The history heuristic.
pub const HISTORY: Setting<Flag> = Setting::flag("history", true, "history heuristic");

/// Counter-moves.
pub const COUNTER: Setting<Flag> = Setting::flag("counter", true, "counter-moves");

/// Late-move reductions.
pub const LMR: Setting<Flag> = Setting::flag("lmr", false, "late-move reductions");

/// Iterative deepening.
pub const ITERATIVE: Setting<Flag> = Setting::flag("iterative", true, "iterative deepening");

/// Threads of the alpha-beta search.
pub const THREADS: Setting<Range<usize>> = Setting::range(
    "threads",
    1..=256,
    1,
    "threads that share the table; with several no two games are the same",
);

/// The options of the alpha-beta search.
pub const ALPHABETA: &[&dyn Declared] = &[
    &DEPTH,
    &NODES,
    &MOVETIME,
    &TABLE,
    &HASH,
    &PVS,
    &ASPIRATION,
    &KILLERS,
    &HISTORY,
    &COUNTER,
    &LMR,
    &ITERATIVE,
    &THREADS,
    &LINES,
];

/// The weight of exploration.
pub const EXPLORATION: Setting<Range<f64>> =
    Setting::range("c", 0.0..=1000.0, std::f64::consts::SQRT_2, "exploration");

/// How the next playout is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Select {
    /// By upper confidence bounds.
    Ucb1,
    /// By upper confidence bounds with priors.
    Puct,
}

const SELECT: Setting<Choice<Select>> = Setting::choice(
    "select",
    &[("ucb1", Select::Ucb1), ("puct", Select::Puct)],
    "ucb1",
    "where the next playout goes; puct takes priors from the evaluation",
);

const BIAS: Setting<Range<f64>> =
    Setting::range("bias", 0.0..=1000.0, 0.0, "weight of the progressive bias by the evaluation");

const EXPAND: Setting<Optional<usize>> =
    Setting::optional("expand", 1..=10_000, "keep only this many moves of a node, the best");

const LEAF: Setting<Range<u32>> = Setting::range("leaf", 1..=10_000, 1, "playouts from each new leaf");

const ROLLOUT_PLIES: Setting<Optional<u32>> = Setting::optional(
    "cap",
    0..=100_000,
    "cut playouts after this many plies and ask the evaluation; 0 asks it at once",
);

const SCALE: Setting<Optional<f64>> = Setting::optional(
    "scale",
    1e-6..=1e9,
    "the score that counts as a chance of 73 % to win; the game's own without it",
);

const SOLVER: Setting<Flag> = Setting::flag("solver", true, "back up proven results");

const REUSE: Setting<Flag> = Setting::flag("reuse", true, "keep the tree between moves");

const FLAT: Setting<Flag> =
    Setting::flag("flat", false, "no tree: equally many playouts for every move, best average wins");

/// Whether a playout takes a win with one move.
pub const DECISIVE: Setting<Flag> = Setting::flag(
    "decisive",
    false,
    "in playouts who can win at once does; pays where the game sees that at a glance",
);

/// The size of a search tree.
pub const MEMORY: Setting<Range<usize>> = Setting::range("memory", 1..=65_536, 64, "tree size in MiB");

const TREES: Setting<Range<usize>> = Setting::range("threads", 1..=256, 1, "trees searched side by side");

/// How many best moves are looked for.
pub const LINES: Setting<Range<usize>> =
    Setting::range("lines", 1..=100, 1, "how many of the best moves get a score and a line of their own");

/// The options of the Monte Carlo tree search. `playouts` is a cap besides the limits of the match.
pub const MCTS: &[&dyn Declared] = &[
    &PLAYOUTS,
    &MOVETIME,
    &EXPLORATION,
    &SELECT,
    &BIAS,
    &EXPAND,
    &LEAF,
    &ROLLOUT_PLIES,
    &SCALE,
    &SOLVER,
    &REUSE,
    &FLAT,
    &MEMORY,
    &TREES,
];

/// Reads the caps on the limits of the match, as far as the bot has them.
pub fn cap(options: &Options<'_>) -> Limits {
    Limits {
        depth: options.get(&DEPTH),
        nodes: options.get(&NODES),
        playouts: options.get(&PLAYOUTS),
        time: options.get(&MOVETIME).map(|ms| Time::Move(Duration::from_millis(ms))),
    }
}

/// Mebibytes as bytes; more than an address space holds, as 4096 in the browser, is as much as it holds. Who reserves them gets by
/// with fewer.
pub const fn mebibytes(count: usize) -> usize {
    count.saturating_mul(1 << 20)
}

/// Reads the options of [`ALPHABETA`].
pub fn alphabeta(options: &Options<'_>) -> AlphaBetaSettings {
    AlphaBetaSettings {
        iterative: options.get(&ITERATIVE),
        principal_variation: options.get(&PVS),
        aspiration: options.get(&ASPIRATION).map(|width| width as i32),
        table: options.get(&TABLE),
        table_bytes: mebibytes(options.get(&HASH)),
        killers: options.get(&KILLERS),
        history: options.get(&HISTORY),
        counter_moves: options.get(&COUNTER),
        reductions: options.get(&LMR).then(Reductions::default),
        threads: options.get(&THREADS),
        lines: options.get(&LINES),
        ..AlphaBetaSettings::default()
    }
}

/// Reads the options of [`MCTS`]; `scale` is the game's own value for the option of that name.
pub fn mcts(options: &Options<'_>, scale: f64) -> MctsSettings {
    let base = if options.get(&FLAT) { MctsSettings::flat() } else { MctsSettings::default() };
    let c = options.get(&EXPLORATION);
    MctsSettings {
        selection: match options.get(&SELECT) {
            Select::Ucb1 => Selection::Ucb1 { c },
            Select::Puct => Selection::Puct { c },
        },
        bias: options.get(&BIAS),
        expand_best: options.get(&EXPAND),
        playouts_per_leaf: options.get(&LEAF),
        rollout_plies: options.get(&ROLLOUT_PLIES),
        value_scale: options.get(&SCALE).unwrap_or(scale),
        solver: base.solver && options.get(&SOLVER),
        reuse_tree: base.reuse_tree && options.get(&REUSE),
        memory_bytes: mebibytes(options.get(&MEMORY)),
        threads: options.get(&TREES),
        ..base
    }
}

/// The bot that asks a search, within the caps that the options set.
pub fn searching<G: Game>(search: impl Search<G> + 'static, options: &Options<'_>) -> Built<G> {
    let bot: Box<dyn Bot<G>> = Box::new(SearchBot::new(search).with_cap(cap(options)));
    Ok(bot)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4096 in an address space of 32 bits.
    #[test]
    fn more_mebibytes_than_there_are_bytes_are_all_of_them() {
        let most = usize::MAX >> 20;
        assert_eq!(mebibytes(most), most << 20);
        assert_eq!([mebibytes(most + 1), mebibytes(usize::MAX)], [usize::MAX; 2]);
    }
}
