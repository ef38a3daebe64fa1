//! The generic searches with the report's evaluations, orderings and quiescence ideas.

use ::expendibots::Position;
use search_core::{AlphaBeta, AlphaBetaSettings, Hooks};

use super::candidates::{Noise, Ordering, Suicides};
use super::evaluation::{RatioEvaluation, Terms};
use super::report::ordering_keys::MovementMaps;
use crate::generic::{self, searching};
use crate::{BotInfo, Choice, Minimax, Options, Range, Setting};

const EVAL: Setting<Choice<Terms>> = Setting::choice(
    "eval",
    &[
        ("ratio", Terms::Ratio),
        ("ratio+mobility", Terms::Mobility),
        ("ratio+components", Terms::Components),
        ("ratio+tokens", Terms::Tokens),
        ("parts", Terms::Parts),
        ("keys", Terms::Keys),
    ],
    "ratio",
    "(own + 1) / (enemy + 1) tokens; the two rejected additions: ratio of moves, ratio of components; from the test bench: \
     300 times the ratio and 2 for each token, the ratios of all components, the ordering keys of all stacks",
);

/// How a leaf is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaf {
    /// As it stands.
    Still,
    /// After every component of both colours has exploded.
    Mixed,
    /// After a search of booms.
    Booms,
    /// After a search of booms and of the slingshots of stacks.
    BoomsAndStacks,
}

const QUIESCE_STATIC: Setting<Choice<Leaf>> = Setting::choice(
    "quiesce",
    &[("none", Leaf::Still), ("mixed", Leaf::Mixed)],
    "none",
    "judge leaves as they stand, or after every component of both colours has exploded",
);

const QUIESCE: Setting<Choice<Leaf>> = Setting::choice(
    "quiesce",
    &[
        ("none", Leaf::Still),
        ("mixed", Leaf::Mixed),
        ("booms", Leaf::Booms),
        ("booms+stacks", Leaf::BoomsAndStacks),
    ],
    "booms",
    "leaves: as they stand, mixed components exploded, boom search, boom search and slingshots of stacks",
);

/// An order of moves by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrderBy {
    Generator,
    Booms,
    Maps,
}

const ORDER: Setting<Choice<OrderBy>> = Setting::choice(
    "order",
    &[("none", OrderBy::Generator), ("booms", OrderBy::Booms), ("booms+map", OrderBy::Maps)],
    "booms+map",
    "move order: as generated, booms first, or by the report's boom map and movement map",
);

const LEAST_STACK: Setting<Range<u8>> = Setting::range(
    "k",
    1..=12,
    4,
    "booms+stacks: least height of a stack that may slingshot; 1 is what the authors' test bench does",
);

const EXTENSION: Setting<Range<u32>> =
    Setting::range("extension", 1..=20, 2, "booms+stacks: plies below the horizon");

const SUICIDES: Setting<Choice<Suicides>> = Setting::choice(
    "suicides",
    &[("pruned", Suicides { pruned: true }), ("searched", Suicides { pruned: false })],
    "pruned",
    "booms beside no enemy",
);

/// Booms only remove stacks: no boom search is longer than there are components.
const BOOMS_DEPTH: u32 = 24;

fn evaluation(options: &Options<'_>, leaf: Leaf) -> RatioEvaluation {
    RatioEvaluation { terms: options.get(&EVAL), mixed: leaf == Leaf::Mixed }
}

/// The entry of the minimax bot.
pub(super) fn minimax() -> BotInfo<Position> {
    BotInfo::new("minimax", "full-width minimax without pruning", |options| {
        searching(Minimax::new(evaluation(options, options.get(&QUIESCE_STATIC))), options)
    })
    .with(&[&EVAL, &QUIESCE_STATIC])
    .with(generic::CAP)
}

/// The entry of the alpha-beta bot.
pub(super) fn alphabeta() -> BotInfo<Position> {
    BotInfo::new("alphabeta", "alpha-beta with table and the report's evaluation and ordering", |options| {
        let leaf = options.get(&QUIESCE);
        let (noise, quiescence_depth) = match leaf {
            Leaf::Still | Leaf::Mixed => (Noise::Quiet, BOOMS_DEPTH),
            Leaf::Booms => (Noise::Booms, BOOMS_DEPTH),
            Leaf::BoomsAndStacks => {
                (Noise::BoomsAndStacks(options.get(&LEAST_STACK)), options.get(&EXTENSION))
            }
        };
        let order = match options.get(&ORDER) {
            OrderBy::Generator => Ordering::None,
            OrderBy::Booms => Ordering::Booms,
            OrderBy::Maps => Ordering::Keys(Box::new(MovementMaps::new())),
        };
        let hooks = Hooks::new(evaluation(options, leaf))
            .with_order(order)
            .with_quiesce(noise)
            .with_prune(options.get(&SUICIDES));
        let settings = AlphaBetaSettings { quiescence_depth, ..generic::alphabeta(options) };
        searching(AlphaBeta::new(hooks, settings), options)
    })
    .with(&[&EVAL, &ORDER, &QUIESCE, &LEAST_STACK, &EXTENSION, &SUICIDES])
    .with(generic::ALPHABETA)
}
