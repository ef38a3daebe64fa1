//! The generic searches with the report's evaluations, orderings and quiescence ideas.

use ::expendibots::Position;
use search_core::{AlphaBeta, AlphaBetaSettings, Bot, Hooks, Search, SearchBot};

use super::candidates::{Noise, Ordering, Suicides};
use super::evaluation::{RatioEvaluation, Terms};
use super::report::ordering_keys::MovementMaps;
use crate::{BotInfo, Minimax, OptionInfo, Options, SpecError, Values, generic};

const EVAL: OptionInfo = OptionInfo {
    key: "eval",
    values: Values::Choice(&["ratio", "ratio+mobility", "ratio+components", "ratio+tokens", "parts", "keys"]),
    default: "ratio",
    about: "(own + 1) / (enemy + 1) tokens; the two rejected additions: ratio of moves, ratio of components; from the test \
            bench: 300 times the ratio and 2 for each token, the ratios of all components, the ordering keys of all stacks",
};

const QUIESCE_STATIC: OptionInfo = OptionInfo {
    key: "quiesce",
    values: Values::Choice(&["none", "mixed"]),
    default: "none",
    about: "judge leaves as they stand, or after every component of both colours has exploded",
};

const ALPHABETA: [OptionInfo; 6] = [
    EVAL,
    OptionInfo {
        key: "order",
        values: Values::Choice(&["none", "booms", "booms+map"]),
        default: "booms+map",
        about: "move order: as generated, booms first, or by the report's boom map and movement map",
    },
    OptionInfo {
        key: "quiesce",
        values: Values::Choice(&["none", "mixed", "booms", "booms+stacks"]),
        default: "booms",
        about: "leaves: as they stand, mixed components exploded, boom search, boom search and slingshots of stacks",
    },
    OptionInfo {
        key: "k",
        values: Values::Integer(1, 12),
        default: "4",
        about: "booms+stacks: least height of a stack that may slingshot; 1 is what the authors' test bench does",
    },
    OptionInfo {
        key: "extension",
        values: Values::Integer(1, 20),
        default: "2",
        about: "booms+stacks: plies below the horizon",
    },
    OptionInfo {
        key: "suicides",
        values: Values::Choice(&["pruned", "searched"]),
        default: "pruned",
        about: "booms beside no enemy",
    },
];

/// Booms only remove stacks: no boom search is longer than there are components.
const BOOMS_DEPTH: u32 = 24;

fn evaluation(options: &Options<'_>) -> RatioEvaluation {
    RatioEvaluation {
        terms: match options.text("eval") {
            "ratio+mobility" => Terms::Mobility,
            "ratio+components" => Terms::Components,
            "ratio+tokens" => Terms::Tokens,
            "parts" => Terms::Parts,
            "keys" => Terms::Keys,
            _ => Terms::Ratio,
        },
        mixed: options.text("quiesce") == "mixed",
    }
}

pub(super) type RatioHooks = Hooks<RatioEvaluation, Ordering, Noise, Suicides>;

fn alphabeta_parts(options: &Options<'_>) -> (RatioHooks, AlphaBetaSettings) {
    let order = match options.text("order") {
        "none" => Ordering::None,
        "booms" => Ordering::Booms,
        _ => Ordering::Keys(Box::new(MovementMaps::new())),
    };
    let noise = match options.text("quiesce") {
        "booms" => Noise::Booms,
        "booms+stacks" => Noise::BoomsAndStacks(options.integer("k").unwrap_or(4) as u8),
        _ => Noise::Quiet,
    };
    let quiescence_depth = match noise {
        Noise::BoomsAndStacks(_) => options.integer("extension").unwrap_or(2) as u32,
        _ => BOOMS_DEPTH,
    };
    let hooks = Hooks::new(evaluation(options))
        .with_order(order)
        .with_quiesce(noise)
        .with_prune(Suicides { pruned: options.text("suicides") == "pruned" });
    (hooks, AlphaBetaSettings { quiescence_depth, ..generic::alphabeta(options) })
}

fn bot(search: impl Search<Position> + 'static, options: &Options<'_>) -> Box<dyn Bot<Position>> {
    Box::new(SearchBot::new(search).with_cap(generic::cap(options)))
}

/// The entry of the minimax bot.
pub(super) fn minimax() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        Ok(bot(Minimax::new(evaluation(options)), options))
    }
    BotInfo {
        name: "minimax",
        about: "full-width minimax without pruning",
        options: [&[EVAL, QUIESCE_STATIC][..], &generic::CAP].concat(),
        build,
    }
}

/// The entry of the alpha-beta bot.
pub(super) fn alphabeta() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let (hooks, settings) = alphabeta_parts(options);
        Ok(bot(AlphaBeta::new(hooks, settings), options))
    }
    BotInfo {
        name: "alphabeta",
        about: "alpha-beta with table and the report's evaluation and ordering",
        options: [&ALPHABETA[..], &generic::ALPHABETA].concat(),
        build,
    }
}
