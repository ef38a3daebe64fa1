//! Options that the generic searches share, so that they are named and read the same way in every game.

use std::time::Duration;

use search_core::{AlphaBetaSettings, Limits, MctsSettings, Reductions, Selection, TableUse};

use crate::{OptionInfo, Options, Values};

/// Caps on the limits of the match, for any search: `depth`, `nodes`, `movetime` (ms).
pub const CAP: [OptionInfo; 3] = [
    OptionInfo {
        key: "depth",
        values: Values::Integer(1, 10_000),
        default: "",
        about: "deepest iteration in plies; whichever limit comes first ends the search",
    },
    OptionInfo {
        key: "nodes",
        values: Values::Integer(1, u64::MAX),
        default: "",
        about: "most nodes per move",
    },
    OptionInfo {
        key: "movetime",
        values: Values::Integer(1, 86_400_000),
        default: "",
        about: "time per move in milliseconds, where the match sets no time",
    },
];

/// The options of the alpha-beta search.
pub const ALPHABETA: [OptionInfo; 13] = [
    CAP[0],
    CAP[1],
    CAP[2],
    OptionInfo {
        key: "table",
        values: Values::Choice(&["off", "moves", "exact", "on"]),
        default: "on",
        about: "transposition table: none, for move ordering only, at exactly the depth, or at any sufficient depth",
    },
    OptionInfo { key: "hash", values: Values::Integer(1, 65_536), default: "16", about: "table size in MiB" },
    OptionInfo {
        key: "pvs",
        values: Values::Flag,
        default: "true",
        about: "principal-variation (null window) search",
    },
    OptionInfo {
        key: "aspiration",
        values: Values::Integer(1, 1_000_000),
        default: "",
        about: "half-width of the aspiration window",
    },
    OptionInfo { key: "killers", values: Values::Flag, default: "true", about: "killer moves" },
    OptionInfo { key: "history", values: Values::Flag, default: "true", about: "history heuristic" },
    OptionInfo { key: "counter", values: Values::Flag, default: "true", about: "counter-moves" },
    OptionInfo { key: "lmr", values: Values::Flag, default: "false", about: "late-move reductions" },
    OptionInfo { key: "iterative", values: Values::Flag, default: "true", about: "iterative deepening" },
    OptionInfo {
        key: "threads",
        values: Values::Integer(1, 256),
        default: "1",
        about: "threads that share the table",
    },
];

/// The options of the Monte Carlo tree search. `playouts` is a cap besides the limits of the match.
pub const MCTS: [OptionInfo; 14] = [
    OptionInfo {
        key: "playouts",
        values: Values::Integer(1, u64::MAX),
        default: "",
        about: "most playouts per move; whichever limit comes first ends the search",
    },
    CAP[2],
    OptionInfo {
        key: "c",
        values: Values::Number(0.0, 1000.0),
        default: "1.4142135623730951",
        about: "exploration",
    },
    OptionInfo {
        key: "select",
        values: Values::Choice(&["ucb1", "puct"]),
        default: "ucb1",
        about: "where the next playout goes; puct takes priors from the evaluation",
    },
    OptionInfo {
        key: "bias",
        values: Values::Number(0.0, 1000.0),
        default: "0",
        about: "weight of the progressive bias by the evaluation",
    },
    OptionInfo {
        key: "expand",
        values: Values::Integer(1, 10_000),
        default: "",
        about: "keep only so many best moves of a node",
    },
    OptionInfo {
        key: "leaf",
        values: Values::Integer(1, 10_000),
        default: "1",
        about: "playouts from each new leaf",
    },
    OptionInfo {
        key: "cap",
        values: Values::Integer(0, 100_000),
        default: "",
        about: "cut playouts after so many plies and ask the evaluation; 0 asks it at once",
    },
    OptionInfo {
        key: "scale",
        values: Values::Number(1e-6, 1e9),
        default: "",
        about: "the score that counts as a chance of 73 % to win; the game's own without it",
    },
    OptionInfo { key: "solver", values: Values::Flag, default: "true", about: "back up proven results" },
    OptionInfo { key: "reuse", values: Values::Flag, default: "true", about: "keep the tree between moves" },
    OptionInfo {
        key: "flat",
        values: Values::Flag,
        default: "false",
        about: "no tree: equally many playouts for every move, best average wins",
    },
    OptionInfo {
        key: "memory",
        values: Values::Integer(1, 65_536),
        default: "64",
        about: "tree size in MiB",
    },
    OptionInfo {
        key: "threads",
        values: Values::Integer(1, 256),
        default: "1",
        about: "trees searched side by side",
    },
];

/// Reads the options of [`CAP`], as far as the bot has them.
pub fn cap(options: &Options<'_>) -> Limits {
    let integer = |key| if options.has(key) { options.integer(key) } else { None };
    Limits {
        depth: integer("depth").map(|depth| depth as u32),
        nodes: integer("nodes"),
        playouts: integer("playouts"),
        time: integer("movetime").map(|ms| search_core::Time::Move(Duration::from_millis(ms))),
    }
}

/// Reads the options of [`ALPHABETA`].
pub fn alphabeta(options: &Options<'_>) -> AlphaBetaSettings {
    AlphaBetaSettings {
        iterative: options.flag("iterative"),
        principal_variation: options.flag("pvs"),
        aspiration: options.integer("aspiration").map(|width| width as i32),
        table: match options.text("table") {
            "off" => TableUse::Off,
            "moves" => TableUse::MovesOnly,
            "exact" => TableUse::ExactDepth,
            _ => TableUse::AtLeast,
        },
        table_bytes: (options.integer("hash").unwrap_or(16) as usize) << 20,
        killers: options.flag("killers"),
        history: options.flag("history"),
        counter_moves: options.flag("counter"),
        reductions: options.flag("lmr").then(Reductions::default),
        threads: options.integer("threads").unwrap_or(1) as usize,
        ..AlphaBetaSettings::default()
    }
}

/// Reads the options of [`MCTS`]; `scale` is the game's own value for the option of that name.
pub fn mcts(options: &Options<'_>, scale: f64) -> MctsSettings {
    let base = if options.flag("flat") { MctsSettings::flat() } else { MctsSettings::default() };
    let c = options.number("c").unwrap_or(std::f64::consts::SQRT_2);
    MctsSettings {
        selection: match options.text("select") {
            "puct" => Selection::Puct { c },
            _ => Selection::Ucb1 { c },
        },
        bias: options.number("bias").unwrap_or(0.0),
        expand_best: options.integer("expand").map(|count| count as usize),
        playouts_per_leaf: options.integer("leaf").unwrap_or(1) as u32,
        rollout_plies: options.integer("cap").map(|plies| plies as u32),
        value_scale: options.number("scale").unwrap_or(scale),
        solver: base.solver && options.flag("solver"),
        reuse_tree: base.reuse_tree && options.flag("reuse"),
        memory_bytes: (options.integer("memory").unwrap_or(64) as usize) << 20,
        threads: options.integer("threads").unwrap_or(1) as usize,
        ..base
    }
}
