//! Options that the generic searches share, so that they are named and read the same way in every game.

use std::time::Duration;

use search_core::{AlphaBetaSettings, Limits, Reductions, TableUse};

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
