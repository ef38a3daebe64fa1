//! The strongest bot: alpha-beta with table and late-move reductions over the network, ordered by the learned sum.

mod features;
mod network;
mod proof_first;

use hus::{Pit, Position};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Bot, Evaluate, Extend, Hooks, Reductions, SearchBot, TableUse,
    TimeSettings, TurnBased,
};

use crate::generic::{CAP, HASH, cap, mebibytes};
use crate::hus::candidates::StaticOrder;
use crate::hus::searches::ORDER_FROM;
use crate::network::{NETWORK, Squash, file};
use crate::tuning::{Training, Tuning, WEIGHTS, weights};
use crate::{BotInfo, Built, Choice, Options, Range, Setting};
use features::COUNT;
pub use features::{HusFeatures, Learned};
pub use network::{Network, NetworkError, Trained};
use proof_first::{ProofShare, Prover};

/// The divisor of the late-move reductions.
const REDUCE: Setting<Range<f64>> = Setting::range(
    "reduce",
    0.0..=100.0,
    1.0,
    "divisor of the late-move reductions: the larger, the less is reduced; 0 for none",
);

const FULL: Setting<Range<u32>> =
    Setting::range("full", 0..=100, 3, "how many moves of a node are never reduced");

const ASPIRATION: Setting<Range<u32>> = Setting::range(
    "aspiration",
    0..=1_000_000,
    0,
    "half-width of the window around the last score; 0 for a full one",
);

/// Whether the network judges the leaves.
const EVALUATION: Setting<Choice<bool>> = Setting::choice(
    "evaluation",
    &[("network", true), ("sum", false)],
    "network",
    "what judges the leaves: the trained network, or the weighted sum that orders the moves in any case (always the sum \
     with other weights)",
);

const CORNERED: Setting<Range<u32>> = Setting::range(
    "cornered",
    0..=32,
    0,
    "looks a ply further where the player to move has no more moves than this: a poor side is soon proven lost",
);

const PROOF: Setting<Range<f64>> = Setting::range(
    "proof",
    0.0..=0.9,
    0.1,
    "share of the nodes or the time that goes to proving the win where the opponent has few moves; 0 for none",
);

const FEW: Setting<Range<u32>> =
    Setting::range("few", 0..=32, 7, "look for a proof where the opponent has at most this many moves");

/// Lines in which the poor side has few moves go on: there are few of them, and at their end often stands a proof.
#[derive(Debug, Clone, Copy)]
struct Cornered {
    most: u32,
}

impl Extend<Position> for Cornered {
    #[inline]
    fn extension(&self, _: &Position, _: Pit, next: &Position, _: u32) -> u32 {
        u32::from(next.mobility(next.to_move()) <= self.most)
    }

    #[inline]
    fn is_active(&self) -> bool {
        self.most > 0
    }
}

pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "champion",
        "our strongest: alpha-beta with table and late-move reductions, weights learned from self-play",
        build,
    )
    .with(CAP)
    .with(&[&HASH.with_default(64), &REDUCE, &FULL, &ORDER_FROM.with_default(3), &ASPIRATION])
    .with(&[&CORNERED, &PROOF, &FEW, &EVALUATION, &NETWORK, &WEIGHTS])
}

fn build(options: &Options<'_>) -> Built<Position> {
    let others = weights(options, COUNT)?.and_then(|weights| <[i32; COUNT]>::try_from(weights).ok());
    let sum = Learned::new(&others.unwrap_or(Learned::CHAMPION));
    let divisor = options.get(&REDUCE);
    let settings = AlphaBetaSettings {
        table: TableUse::AtLeast,
        table_bytes: mebibytes(options.get(&HASH)),
        table_first: Some(1 << 20),
        order_from: options.get(&ORDER_FROM),
        reductions: (divisor > 0.0).then_some(Reductions {
            min_depth: 3,
            full_moves: options.get(&FULL),
            divisor,
        }),
        aspiration: Some(options.get(&ASPIRATION) as i32).filter(|&width| width > 0),
        quiescence_depth: 0,
        ..AlphaBetaSettings::default()
    };
    // The weights come with the program and are checked by its tests; should they be unusable, the sum plays on.
    let network = match file(options)? {
        Some(bytes) => Some(Network::from_bytes(&bytes).map_err(|error| options.misfit(error))?),
        None => Network::champion().ok(),
    };
    let network = network.filter(|_| others.is_none() && options.get(&EVALUATION));
    Ok(match network {
        Some(network) => deepening(network, sum, settings, options),
        None => deepening(sum, sum, settings, options),
    })
}

/// The search with this judge of its leaves, and the proof search before it if the options ask for it.
fn deepening(
    judge: impl Evaluate<Position> + 'static,
    sum: Learned,
    settings: AlphaBetaSettings,
    options: &Options<'_>,
) -> Box<dyn Bot<Position>> {
    let hooks = Hooks::new(judge)
        .with_order(StaticOrder { evaluate: sum, active: true })
        .with_extend(Cornered { most: options.get(&CORNERED) });
    let bot = SearchBot::new(AlphaBeta::new(hooks, settings)).with_cap(cap(options));
    let when = ProofShare { share: options.get(&PROOF), few: options.get(&FEW) };
    if when.share > 0.0 {
        Box::new(Prover::new(bot, when, cap(options), TimeSettings::default()))
    } else {
        Box::new(bot)
    }
}

/// What `cargo xtask tune hus --network` needs to know. The network sees one list, that of the player to move.
pub fn training() -> Training<Position> {
    Training {
        lists: 1,
        rows: Network::ROWS,
        see: |position, _, see| Network::rows(position).into_iter().for_each(|row| see(0, usize::from(row))),
        both_sides: false,
        squash: Squash::Logistic,
        chance: |score| {
            if score.is_win() {
                1.0
            } else if score.is_loss() {
                0.0
            } else {
                Squash::Logistic.chance(score.value() as f32 / Network::POINTS as f32)
            }
        },
        pack: |trained| {
            let bytes = Trained::of(trained).and_then(|trained| trained.to_bytes());
            let read = bytes.and_then(|bytes| Network::from_bytes(&bytes).map(|_| bytes));
            read.map_err(|error| error.to_string())
        },
        home: "crates/agents/src/hus/champion/network.bin",
        bot: "champion:hash=1",
        match_bot: "champion",
    }
}

/// What `cargo xtask tune` needs to know.
pub fn tuning() -> Tuning<Position> {
    Tuning { features: Box::new(HusFeatures), weights: Learned::CHAMPION.to_vec(), scale: 1, bot: "champion" }
}
