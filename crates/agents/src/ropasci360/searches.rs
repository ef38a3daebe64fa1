//! The generic bots on RoPaSci 360.

use ropasci360::Position;
use search_core::{
    AlphaBeta, AlphaBetaSettings, Bot, Hooks, NoOrder, SearchBot, Selector, SerialBot, Serially,
    SimultaneousSearch, SimultaneousSettings, SmMcts, SmMctsSettings,
};

use super::candidates::Selective;
use super::evaluation::{ReportEvaluation, judge};
use crate::generic::{self, CAP};
use crate::{BotInfo, Minimax, OptionInfo, Options, SpecError, Values};

type Built = Result<Box<dyn Bot<Position>>, SpecError>;

/// The score that is worth half a win.
pub(super) const VALUE_SCALE: f64 = 250.0;

const WIDTH: OptionInfo = OptionInfo {
    key: "width",
    values: Values::Integer(1, 400),
    default: "",
    about: "look only at so many best ranked moves of each player; all without it",
};

/// The hooks of a selective search: the ranks leave moves out and order the rest.
pub(super) fn selective(width: Option<u64>) -> Option<Selective> {
    width.map(|width| Selective { width: width as usize, throws: (width as usize).div_ceil(3) })
}

/// `minimax`: full-width, pessimistic.
pub(super) fn minimax() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Built {
        let search = Minimax::new(Serially(ReportEvaluation::default()));
        Ok(Box::new(SerialBot::new(search).with_cap(generic::cap(options))))
    }
    BotInfo {
        name: "minimax",
        about: "full-width minimax on \"I move, then you answer\" with the report's evaluation; two plies a turn",
        options: CAP.to_vec(),
        build,
    }
}

/// `alphabeta`: pessimistic, all moves.
pub(super) fn alphabeta() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Built {
        let settings = generic::alphabeta(options);
        let cap = generic::cap(options);
        let hooks = Hooks::new(ReportEvaluation::default());
        Ok(match (selective(options.integer("width")), options.text("order")) {
            (Some(selective), _) => {
                let hooks = hooks.with_order(selective).with_prune(selective).serially();
                Box::new(SerialBot::new(AlphaBeta::new(hooks, settings)).with_cap(cap))
            }
            (None, "rank") => {
                let hooks = hooks.with_order(Selective::default()).serially();
                Box::new(SerialBot::new(AlphaBeta::new(hooks, settings)).with_cap(cap))
            }
            (None, _) => {
                let hooks = hooks.with_order(NoOrder).serially();
                Box::new(SerialBot::new(AlphaBeta::new(hooks, settings)).with_cap(cap))
            }
        })
    }
    let mut options = generic::ALPHABETA.to_vec();
    options.push(WIDTH);
    options.push(OptionInfo {
        key: "order",
        values: Values::Choice(&["none", "rank"]),
        default: "rank",
        about: "which moves are searched first: the generator's order, or captures, escapes and approaches",
    });
    BotInfo {
        name: "alphabeta",
        about: "alpha-beta on \"I move, then you answer\" with the report's evaluation; two plies a turn",
        options,
        build,
    }
}

/// `alphabeta` as it comes, to foresee who plays like it.
pub(super) fn cautious() -> Box<dyn Bot<Position>> {
    let hooks = Hooks::new(ReportEvaluation::default()).with_order(Selective::default()).serially();
    Box::new(SerialBot::new(AlphaBeta::new(hooks, AlphaBetaSettings::default())))
}

/// `mcts`: simultaneous Monte Carlo tree search.
pub(super) fn mcts() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Built {
        let settings = SmMctsSettings {
            selector: match options.text("select") {
                "regret" => {
                    Selector::RegretMatching { exploration: options.number("exploration").unwrap_or(0.1) }
                }
                _ => Selector::DecoupledUct { c: options.number("c").unwrap_or(std::f64::consts::SQRT_2) },
            },
            rollout_turns: options.integer("cap").map(|turns| turns as u32),
            value_scale: VALUE_SCALE,
            memory_bytes: (options.integer("memory").unwrap_or(64) as usize) << 20,
            ..SmMctsSettings::default()
        };
        let cap = generic::cap(options);
        Ok(match selective(options.integer("width")) {
            Some(selective) => {
                let hooks = Hooks::new(judge()).with_prune(selective);
                Box::new(SearchBot::new(SmMcts::new(hooks, settings)).with_cap(cap))
            }
            None => Box::new(SearchBot::new(SmMcts::new(Hooks::new(judge()), settings)).with_cap(cap)),
        })
    }
    let option = |key, values, default, about| OptionInfo { key, values, default, about };
    BotInfo {
        name: "mcts",
        about: "Monte Carlo tree search for simultaneous moves; plays a draw from the mixed strategy it finds",
        options: vec![
            option(
                "playouts",
                Values::Integer(1, u64::MAX),
                "",
                "most playouts per move; whichever limit comes first ends the search",
            ),
            CAP[2],
            option(
                "select",
                Values::Choice(&["uct", "regret"]),
                "uct",
                "how each player chooses in the tree: decoupled UCT or regret matching",
            ),
            option("c", Values::Number(0.0, 1000.0), "1.4142135623730951", "exploration of uct"),
            option(
                "exploration",
                Values::Number(0.0, 1.0),
                "0.1",
                "share of random choices of regret matching",
            ),
            option(
                "cap",
                Values::Integer(0, 360),
                "8",
                "cut playouts after so many turns and ask the evaluation; 0 asks it at once",
            ),
            option("memory", Values::Integer(1, 65_536), "64", "tree size in MiB"),
            WIDTH,
        ],
        build,
    }
}

/// `nash`: backward induction with a matrix game at every node.
pub(super) fn nash() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Built {
        let settings = nash_settings((options.integer("hash").unwrap_or(16) as usize) << 20);
        let cap = generic::cap(options);
        if let Some(selective) = selective(options.integer("width")) {
            let hooks = Hooks::new(judge()).with_order(selective).with_prune(selective);
            return Ok(Box::new(SearchBot::new(SimultaneousSearch::new(hooks, settings)).with_cap(cap)));
        }
        let hooks = Hooks::new(judge()).with_order(Selective::default());
        Ok(Box::new(SearchBot::new(SimultaneousSearch::new(hooks, settings)).with_cap(cap)))
    }
    let mut options = CAP.to_vec();
    options.push(OptionInfo {
        key: "hash",
        values: Values::Integer(0, 65_536),
        default: "16",
        about: "size of the table of solved positions in MiB",
    });
    options.push(WIDTH);
    BotInfo {
        name: "nash",
        about: "backward induction with a matrix game at every node; plays a draw from the equilibrium; depth in turns",
        options,
        build,
    }
}

/// The settings of the matrix-game searches.
pub(super) fn nash_settings(table_bytes: usize) -> SimultaneousSettings {
    SimultaneousSettings {
        table_bytes,
        value_scale: VALUE_SCALE,
        discount: 0.998,
        tolerance: 1e-6,
        ..SimultaneousSettings::default()
    }
}
