//! The strongest bot: matrix games over selective moves, and draws from their mixed strategies.

use ropasci360::Position;
use search_core::{Bot, Hooks, SearchBot, SimultaneousSearch, SimultaneousSettings};

use super::bots::{VALUE_SCALE, nash_settings};
use super::judge::{judge, judge_with};
use super::selective::Selective;
use crate::generic::{self, CAP};
use crate::{BotInfo, OptionInfo, Options, SpecError, Values};

/// The champion's entry in the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Champion;

impl Champion {
    /// Its entry in the catalogue.
    pub fn info() -> BotInfo<Position> {
        let mut options = CAP.to_vec();
        options.push(OptionInfo {
            key: "width",
            values: Values::Integer(2, 400),
            default: "10",
            about: "moves of each player that are looked at",
        });
        options.push(OptionInfo {
            key: "hash",
            values: Values::Integer(0, 65_536),
            default: "16",
            about: "size of the table of solved positions in MiB",
        });
        options.push(OptionInfo {
            key: "weights",
            values: Values::Text("whole numbers joined by `/`"),
            default: "",
            about: "other weights of the evaluation's features",
        });
        options.push(OptionInfo {
            key: "scale",
            values: Values::Number(1.0, 1e6),
            default: "250",
            about: "the score that is worth half a win",
        });
        BotInfo {
            name: "champion",
            about: "the strongest: matrix games over selective moves, plays a draw from the mixed strategy",
            options,
            build: Champion::build,
        }
    }

    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let width = options.integer("width").unwrap_or(10) as usize;
        let selective = Selective { width, throws: width.div_ceil(3) };
        let judge = match options.text("weights") {
            "" => judge(),
            weights => judge_with(weights).ok_or_else(|| SpecError::Value {
                bot: "champion",
                key: "weights",
                expected: format!("{} whole numbers joined by `/`", judge().weights().len()),
                found: weights.to_owned(),
            })?,
        };
        let hooks = Hooks::new(judge).with_order(selective).with_prune(selective);
        let settings = SimultaneousSettings {
            value_scale: options.number("scale").unwrap_or(VALUE_SCALE),
            ..nash_settings((options.integer("hash").unwrap_or(16) as usize) << 20)
        };
        Ok(Box::new(SearchBot::new(SimultaneousSearch::new(hooks, settings)).with_cap(generic::cap(options))))
    }
}
