//! The report's submitted bot: depth rule, time rule, tie-break, memory of seen boards.

use std::collections::HashMap;
use std::time::Duration;

use ::expendibots::{Move, Position};
use ahash::RandomState;
use search_core::{
    Analysis, Answer, Bot, BotFailure, FailureKind, Game, Player, Record, RootMove, Score, StopReason, Task,
    TimeSettings,
};

use super::keys::MovementMaps;
use super::program::{
    Depths, Found, LeafValue, MapOrder, ProgramOrder, ProgramSearch, Pruning, Ranked, Settings,
};
use crate::{BotInfo, OptionInfo, Options, SpecError, Values};

/// Once the bot has used so much time of its own, it searches two plies only.
const HURRY_AFTER: Duration = Duration::from_secs(50);
const HURRY_CUTOFF: u32 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    /// As the authors' program plays, faults included.
    Program,
    /// The program's tree without its faults.
    Sound,
    /// As the report describes it: booms always first, boom-only quiescence, no faults.
    Text,
}

/// The submitted bot.
#[derive(Debug)]
struct Report {
    version: Version,
    depths: Depths,
    maps: MovementMaps,
    used: Duration,
    /// For each board seen at the bot's turn the first two moves of its ranking.
    seen: HashMap<u64, [Move; 2], RandomState>,
}

impl Report {
    fn settings(&self, position: &Position) -> Settings {
        let cutoff = if self.used >= HURRY_AFTER { HURRY_CUTOFF } else { self.depths.cutoff(position) };
        match self.version {
            Version::Program => Settings {
                cutoff,
                order: ProgramOrder::Keys,
                pruning: Pruning::Program,
                leaf: LeafValue::Mixed,
                map: true,
            },
            Version::Sound => Settings {
                cutoff,
                order: ProgramOrder::Keys,
                pruning: Pruning::FailSoft,
                leaf: LeafValue::Mixed,
                map: false,
            },
            Version::Text => Settings {
                cutoff,
                order: ProgramOrder::BoomsThenKeys,
                pruning: Pruning::FailSoft,
                leaf: LeafValue::Booms,
                map: false,
            },
        }
    }
}

/// The order of the program's map after the moves of a game.
fn map_order(record: &Record<Position>) -> MapOrder {
    let start = record.start();
    let mut order = if start.same_board(&Position::start()) {
        MapOrder::of_start(start)
    } else {
        MapOrder::by_square(start)
    };
    for (position, turn) in record.replay() {
        if let Some(mv) = turn {
            order.play(&position, mv);
        }
    }
    order
}

impl Bot<Position> for Report {
    fn new_game(&mut self, _: Player, _: u64) -> Result<(), BotFailure> {
        self.used = Duration::ZERO;
        self.seen.clear();
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let started = task.clock.now();
        let position = task.record.position();
        let board = position.key();
        if let Some(&[_, second]) = self.seen.get(&board) {
            return Ok(Answer::plain(second));
        }
        let settings = self.settings(position);
        // The bot has no time control of its own. Where the match sets a time, the best move so far is better than a
        // loss on time.
        let hard = task.limits.time.map(|time| TimeSettings::default().bounds(time, false).1);
        let late = || {
            task.stop.is_set() || hard.is_some_and(|hard| task.clock.now().saturating_sub(started) >= hard)
        };
        let order = if settings.map { map_order(task.record) } else { MapOrder::by_square(position) };
        let search = ProgramSearch::new(settings, &self.maps, task.player, order, &late);
        let found = search.run(&position.rewound());
        let ranking = found.ranking();
        let first = match ranking.first() {
            Some(ranked) => ranked.mv,
            // Interrupted before the first move was searched, or only booms that hit nobody are left, which the
            // program never generates.
            None => position
                .move_list(task.player)
                .as_slice()
                .iter()
                .copied()
                .max_by_key(|mv| !mv.is_boom())
                .ok_or_else(|| {
                    BotFailure::new(FailureKind::Protocol, "asked for a move where there is none")
                })?,
        };
        if !found.interrupted {
            let second = ranking.get(1).map_or(first, |ranked| ranked.mv);
            self.seen.insert(board, [first, second]);
        }
        let time = task.clock.now().saturating_sub(started);
        self.used += time;
        Ok(Answer { mv: first, analysis: Some(analysis(&found, &ranking, first, settings.cutoff + 1, time)) })
    }
}

/// The program's scores as ours: its ratios times 1000 are far below a proven result, its 10^10 are capped.
fn score_of(score: f64) -> Score {
    Score::new(score.clamp(-5e8, 5e8) as i32)
}

fn analysis(found: &Found, ranking: &[Ranked], best: Move, depth: u32, time: Duration) -> Analysis<Move> {
    let mut analysis = Analysis {
        best: Some(best),
        score: score_of(ranking.first().map_or(0.0, |ranked| ranked.score)),
        pv: vec![best],
        depth,
        stop: if found.interrupted { StopReason::Time } else { StopReason::Depth },
        ..Analysis::default()
    };
    analysis.root = ranking
        .iter()
        .map(|ranked| RootMove { mv: ranked.mv, score: score_of(ranked.score), visits: 1, weight: 0.0 })
        .collect();
    analysis.stats.nodes = found.nodes;
    analysis.stats.evaluations = found.leaf_calls;
    analysis.stats.time = time;
    analysis
}

/// The entry of the catalogue.
pub(super) fn info() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        let version = match options.text("as") {
            "text" => Version::Text,
            _ if options.flag("sound") => Version::Sound,
            _ => Version::Program,
        };
        let depths = if options.text("depths") == "bench" { Depths::Bench } else { Depths::Submitted };
        Ok(Box::new(Report {
            version,
            depths,
            maps: MovementMaps::new(),
            used: Duration::ZERO,
            seen: HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4)),
        }))
    }
    BotInfo {
        name: "report",
        about: "the report's submitted bot: ordered alpha-beta; keeps its depth rule whatever the limits: 3 to 6 plies by the tokens left, 2 after 50 s of its own time",
        options: vec![
            OptionInfo {
                key: "as",
                values: Values::Choice(&["program", "text"]),
                default: "program",
                about: "as the authors' program plays, or as their report describes it (booms first, boom-only quiescence)",
            },
            OptionInfo {
                key: "sound",
                values: Values::Flag,
                default: "false",
                about: "the program's tree searched without its two faults",
            },
            OptionInfo {
                key: "depths",
                values: Values::Choice(&["submitted", "bench"]),
                default: "submitted",
                about: "the depth rule: by tokens as submitted, or the older one of the authors' test bench by stacks",
            },
        ],
        build,
    }
}
