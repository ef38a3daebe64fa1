//! The strongest bot: alpha-beta with table and late-move reductions over the network, ordered by the learned sum.

mod features;
mod network;
mod proof_first;

use hus::{Pit, Position};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Bot, Extend, Hooks, Reductions, SearchBot, TableUse, TimeSettings,
    TurnBased,
};

use crate::generic::{CAP, cap};
use crate::hus::candidates::StaticOrder;
use crate::tuning::{Tuning, WEIGHTS, weights};
use crate::{BotInfo, OptionInfo, Options, SpecError, Values};
use features::COUNT;
pub use features::{HusFeatures, Learned};
pub use network::{Network, NetworkError, Trained};
use proof_first::{ProofShare, Prover};

const NAME: &str = "champion";

const HASH: OptionInfo =
    OptionInfo { key: "hash", values: Values::Integer(1, 65_536), default: "64", about: "table size in MiB" };

const REDUCE: OptionInfo = OptionInfo {
    key: "reduce",
    values: Values::Number(0.0, 100.0),
    default: "1",
    about: "divisor of the late-move reductions: the larger, the less is reduced; 0 for none",
};

const FULL: OptionInfo = OptionInfo {
    key: "full",
    values: Values::Integer(0, 100),
    default: "3",
    about: "so many moves of a node are never reduced",
};

const ORDER_FROM: OptionInfo = OptionInfo {
    key: "order_from",
    values: Values::Integer(0, 100),
    default: "3",
    about: "sorts by static value only where at least so many plies are left",
};

const ASPIRATION: OptionInfo = OptionInfo {
    key: "aspiration",
    values: Values::Integer(0, 1_000_000),
    default: "0",
    about: "half-width of the window around the last score; 0 for a full one",
};

const EVALUATION: OptionInfo = OptionInfo {
    key: "evaluation",
    values: Values::Choice(&["network", "sum"]),
    default: "network",
    about: "what judges the leaves: the trained network, or the weighted sum that orders the moves in any case (always \
            the sum with other weights)",
};

const CORNERED: OptionInfo = OptionInfo {
    key: "cornered",
    values: Values::Integer(0, 32),
    default: "0",
    about: "looks a ply further where the player to move has no more moves than this: a poor side is soon proven lost",
};

const PROOF: OptionInfo = OptionInfo {
    key: "proof",
    values: Values::Number(0.0, 0.9),
    default: "0.1",
    about: "share of the nodes or the time that goes to proving the win where the opponent has few moves; 0 for none",
};

const FEW: OptionInfo = OptionInfo {
    key: "few",
    values: Values::Integer(0, 32),
    default: "7",
    about: "with so many moves of the opponent at most, a proof is looked for",
};

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
    let mut options = CAP.to_vec();
    options.extend([HASH, REDUCE, FULL, ORDER_FROM, ASPIRATION, CORNERED, PROOF, FEW, EVALUATION, WEIGHTS]);
    BotInfo {
        name: NAME,
        about: "our strongest: alpha-beta with table and late-move reductions, weights learned from self-play",
        options,
        build,
    }
}

fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
    let others = weights(NAME, options, COUNT)?.and_then(|weights| <[i32; COUNT]>::try_from(weights).ok());
    let sum = Learned::new(&others.unwrap_or(Learned::CHAMPION));
    let number = |key| options.number(key).unwrap_or(0.0);
    let integer = |key| options.integer(key).unwrap_or(0);
    let divisor = number("reduce");
    let settings = AlphaBetaSettings {
        table: TableUse::AtLeast,
        table_bytes: (integer("hash") as usize) << 20,
        table_first: Some(1 << 20),
        order_from: integer("order_from") as u32,
        reductions: (divisor > 0.0).then_some(Reductions {
            min_depth: 3,
            full_moves: integer("full") as u32,
            divisor,
        }),
        aspiration: Some(integer("aspiration") as i32).filter(|&width| width > 0),
        quiescence_depth: 0,
        time: TimeSettings::default(),
        ..AlphaBetaSettings::default()
    };
    let cornered = Cornered { most: integer("cornered") as u32 };
    let order = StaticOrder { evaluate: sum, active: true };
    // The weights come with the program and are checked by its tests; should they be unusable, the sum plays on.
    let network =
        Network::champion().ok().filter(|_| others.is_none() && options.text("evaluation") == "network");
    Ok(if let Some(network) = network {
        let search = AlphaBeta::new(Hooks::new(network).with_order(order).with_extend(cornered), settings);
        with_proof(SearchBot::new(search).with_cap(cap(options)), options)
    } else {
        let search = AlphaBeta::new(Hooks::new(sum).with_order(order).with_extend(cornered), settings);
        with_proof(SearchBot::new(search).with_cap(cap(options)), options)
    })
}

/// The bot with the proof search before it, if the options ask for it.
fn with_proof(bot: impl Bot<Position> + 'static, options: &Options<'_>) -> Box<dyn Bot<Position>> {
    let share = options.number("proof").unwrap_or(0.0);
    let few = options.integer("few").unwrap_or(0) as u32;
    if share > 0.0 {
        Box::new(Prover::new(bot, ProofShare { share, few }, cap(options), TimeSettings::default()))
    } else {
        Box::new(bot)
    }
}

/// What `cargo xtask tune` needs to know.
pub fn tuning() -> Tuning<Position> {
    Tuning { features: Box::new(HusFeatures), weights: Learned::CHAMPION.to_vec(), scale: 1, bot: NAME }
}
