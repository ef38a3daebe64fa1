//! The champion: full alpha-beta with a table, boom quiescence, and an evaluation that sees threats.

mod threats;

use ::expendibots::{Component, Move, MoveList, Position, SquareSet};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Bot, Filter, Game, Hooks, Linear, MoveSink, Order, Player, Prune, Quiesce,
    Reductions, SearchBot,
};

use crate::tuning::{self, Tuning};
use crate::{BotInfo, OptionInfo, Options, SpecError, Values, generic};
pub use threats::{ThreatEvaluation, Threats, WEIGHTS};

/// Good booms first, then moves that put tokens beside more enemy tokens than they cost; the rest is left to what the
/// search learns.
#[derive(Debug, Clone, Copy, Default)]
struct Gains;

fn gains<'a>(position: &Position, player: Player) -> impl Fn(Move) -> i32 + use<'a> {
    let enemy = player.opponent();
    let components: smallvec::SmallVec<[(SquareSet, SquareSet, i32, i32); 12]> = position
        .components_meeting(position.stacks(enemy))
        .map(|component: Component| {
            let tokens = |player| i32::from(component.tokens(player));
            (component.squares, component.squares.grown(), tokens(player), tokens(enemy))
        })
        .collect();
    move |mv: Move| {
        if mv.is_boom() {
            let found = components.iter().find(|(squares, ..)| squares.contains(mv.from()));
            return match found {
                Some((.., own, other)) if other >= own => 100 + other - own,
                Some((.., own, other)) => other - own - 20,
                None => -40,
            };
        }
        let beside: i32 = components
            .iter()
            .filter(|(_, around, ..)| around.contains(mv.to()))
            .map(|(_, _, own, other)| other - own)
            .sum();
        (beside - i32::from(mv.count())).max(0)
    }
}

impl Order<Position> for Gains {
    fn rank(&self, position: &Position, player: Player, mv: Move) -> i32 {
        gains(position, player)(mv)
    }

    fn rank_all(&self, position: &Position, player: Player, moves: &[Move], ranks: &mut [i32]) {
        let gain = gains(position, player);
        for (rank, &mv) in ranks.iter_mut().zip(moves) {
            *rank = gain(mv);
        }
    }
}

/// One boom for each component of both colours, none for the others.
#[derive(Debug, Clone, Copy, Default)]
struct DistinctBooms;

/// For each component of both colours one stack of `player`.
fn triggers(position: &Position, player: Player) -> SquareSet {
    position
        .components_meeting(position.touching(player))
        .filter_map(|component| (component.squares & position.stacks(player)).first())
        .collect()
}

impl Prune<Position> for DistinctBooms {
    fn keeps(&self, position: &Position, player: Player, mv: Move) -> bool {
        !mv.is_boom() || triggers(position, player).contains(mv.from())
    }

    fn candidates(&self, position: &Position, player: Player, moves: &mut MoveList) {
        let triggers = triggers(position, player);
        position.moves_of(
            player,
            &mut Filter::new(moves, |mv: &Move| !mv.is_boom() || triggers.contains(mv.from())),
        );
    }
}

/// One boom for each component of both colours that does not cost more than it takes.
#[derive(Debug, Clone, Copy)]
struct Exchanges {
    /// The others as well.
    all: bool,
}

impl Quiesce<Position> for Exchanges {
    fn noisy_moves(&self, position: &Position, player: Player, moves: &mut MoveList) {
        for component in position.components_meeting(position.touching(player)) {
            let pays = component.tokens(player.opponent()) >= component.tokens(player);
            if let Some(trigger) = (component.squares & position.stacks(player)).first()
                && (pays || self.all)
            {
                moves.push(Move::boom(trigger));
            }
        }
    }
}

/// The name of the bot.
const NAME: &str = "champion";

/// The evaluation for `cargo xtask tune`.
pub fn tuning() -> Option<Tuning<Position>> {
    let linear = Linear::from_text(Threats, WEIGHTS).ok()?;
    Some(Tuning {
        features: Box::new(Threats),
        weights: linear.weights().to_vec(),
        scale: linear.scale(),
        bot: NAME,
    })
}

/// The champion's search, with other weights if the option gives some.
fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
    let wrong =
        |error: search_core::WeightsError| SpecError::Together { bot: NAME, problem: error.to_string() };
    let mut linear = Linear::from_text(Threats, WEIGHTS).map_err(wrong)?;
    if let Some(weights) = tuning::weights(NAME, options, linear.weights().len())? {
        linear = Linear::new(Threats, weights).map_err(wrong)?.with_scale(linear.scale());
    }
    let hooks = Hooks::new(ThreatEvaluation(linear))
        .with_order(Gains)
        .with_quiesce(Exchanges { all: options.text("booms") == "all" })
        .with_prune(DistinctBooms);
    let settings = AlphaBetaSettings {
        quiescence_depth: 24,
        reductions: options.flag("lmr").then(Reductions::default),
        table_bytes: (options.integer("hash").unwrap_or(32) as usize) << 20,
        threads: options.integer("threads").unwrap_or(1) as usize,
        ..AlphaBetaSettings::default()
    };
    Ok(Box::new(SearchBot::new(AlphaBeta::new(hooks, settings)).with_cap(generic::cap(options))))
}

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    let options = [
        OptionInfo {
            key: "hash",
            values: Values::Integer(1, 65_536),
            default: "32",
            about: "table size in MiB",
        },
        OptionInfo {
            key: "booms",
            values: Values::Choice(&["gains", "all"]),
            default: "gains",
            about: "the booms looked at when the depth is used up: those that take at least what they cost, or all",
        },
        OptionInfo { key: "lmr", values: Values::Flag, default: "true", about: "late-move reductions" },
        OptionInfo {
            key: "threads",
            values: Values::Integer(1, 256),
            default: "1",
            about: "threads that share the table",
        },
        tuning::WEIGHTS,
    ];
    BotInfo {
        name: NAME,
        about: "our strongest: full search with table, boom quiescence and an evaluation that sees threats",
        options: [&options[..], &generic::CAP].concat(),
        build,
    }
}
