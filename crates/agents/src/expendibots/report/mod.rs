//! The report's submitted bot: depth rule, time rule, tie-break, memory of seen boards.

pub mod counted_searches;
#[cfg(feature = "fidelity")]
mod fidelity;
mod greedy;
mod handover;
mod mcts;
pub(crate) mod ordering_keys;
mod search;
pub(crate) mod token_ratio;

use std::collections::HashMap;
use std::time::Duration;

use ::expendibots::{Move, Position};
use ahash::RandomState;
use search_core::{
    Analysis, Answer, Bot, BotFailure, Bound, Game, Player, Record, RootMove, Score, StopReason, Task,
    TimeSettings,
};

use crate::generic::no_move;
use crate::{BotInfo, Choice, Flag, Setting};
use ordering_keys::MovementMaps;
use search::{Depths, Found, LeafValue, MapOrder, ProgramOrder, ProgramSearch, Pruning, Ranked, Settings};

#[cfg(feature = "fidelity")]
pub use fidelity::compare as fidelity;
pub(crate) use greedy::info as greedy;
pub(crate) use mcts::info as mcts;

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
struct ReportBot {
    version: Version,
    depths: Depths,
    maps: MovementMaps,
    used: Duration,
    /// For each board seen at the bot's turn the first two moves of its ranking.
    seen: HashMap<u64, [Move; 2], RandomState>,
}

impl ReportBot {
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

impl Bot<Position> for ReportBot {
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
            // Interrupted before the first move was searched, or only booms without a target are left, which the
            // program never generates.
            None => position
                .move_list(task.player)
                .as_slice()
                .iter()
                .copied()
                .max_by_key(|mv| !mv.is_boom())
                .ok_or_else(no_move)?,
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
        .map(|ranked| RootMove {
            mv: ranked.mv,
            score: score_of(ranked.score),
            bound: Bound::Exact,
            visits: 1,
            weight: 0.0,
        })
        .collect();
    analysis.stats.nodes = found.nodes;
    analysis.stats.evaluations = found.leaf_calls;
    analysis.stats.time = time;
    analysis
}

const AS: Setting<Choice<Version>> = Setting::choice(
    "as",
    &[("program", Version::Program), ("text", Version::Text)],
    "program",
    "as the authors' program plays, or as their report describes it (booms first, boom-only quiescence)",
);

const SOUND: Setting<Flag> =
    Setting::flag("sound", false, "the program's tree searched without its two faults");

const DEPTHS: Setting<Choice<Depths>> = Setting::choice(
    "depths",
    &[("submitted", Depths::Submitted), ("bench", Depths::Bench)],
    "submitted",
    "the depth rule: by tokens as submitted, or the older one of the authors' test bench by stacks",
);

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "report",
        "the report's submitted bot: ordered alpha-beta; keeps its depth rule whatever the limits: 3 to 6 plies by the \
         tokens left, 2 after 50 s of its own time",
        |options| {
            let version = match options.get(&AS) {
                Version::Program if options.get(&SOUND) => Version::Sound,
                version => version,
            };
            Ok(Box::new(ReportBot {
                version,
                depths: options.get(&DEPTHS),
                maps: MovementMaps::new(),
                used: Duration::ZERO,
                seen: HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4)),
            }))
        },
    )
    .with(&[&AS, &SOUND, &DEPTHS])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::expendibots::Square;

    fn bot(version: Version) -> ReportBot {
        let seen = HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
        ReportBot {
            version,
            depths: Depths::Submitted,
            maps: MovementMaps::new(),
            used: Duration::ZERO,
            seen,
        }
    }

    /// A position with these numbers of tokens, all of a colour in one stack or two.
    fn with_tokens(white: u8, black: u8) -> Position {
        let letter = |first: u8, tokens: u8| char::from(first + tokens - 1);
        format!("{}7/8/8/8/8/8/8/7{} w 20", letter(b'a', black), letter(b'A', white))
            .parse()
            .expect("a position")
    }

    #[test]
    fn the_depth_rule_changes_at_its_boundaries() {
        for (white, black, plies) in
            [(12, 12, 3), (8, 8, 3), (8, 7, 4), (6, 5, 4), (5, 5, 5), (3, 3, 5), (3, 2, 6), (1, 1, 6)]
        {
            let settings = bot(Version::Program).settings(&with_tokens(white, black));
            assert_eq!(settings.cutoff + 1, plies, "{white} and {black} tokens");
        }
    }

    #[test]
    fn after_fifty_seconds_two_plies_are_searched() {
        let mut bot = bot(Version::Program);
        let position = with_tokens(1, 1);
        bot.used = Duration::from_millis(49_999);
        assert_eq!(bot.settings(&position).cutoff, 5);
        bot.used = Duration::from_secs(50);
        assert_eq!(bot.settings(&position).cutoff, 1);
        bot.new_game(Player::One, 0).expect("an own bot starts");
        assert_eq!(bot.settings(&position).cutoff, 5);
    }

    fn search(text: &str, version: Version) -> Found {
        let bot = bot(version);
        let position: Position = text.parse().expect("a position");
        let settings = bot.settings(&position);
        let order = MapOrder::by_square(&position);
        ProgramSearch::new(settings, &bot.maps, position.side(), order, &|| false).run(&position)
    }

    /// The one known position where the first fault makes the program choose a move that is truly worse.
    #[test]
    fn the_first_fault_costs_a_move() {
        const TEXT: &str = "1a5c/6b1/2a5/8/5A2/A7/6A1/A3A1A1 w 50";
        let faulty = search(TEXT, Version::Program);
        assert_eq!((faulty.ranking()[0].mv.to_string().as_str(), faulty.score()), ("1f4e4", 875.0));
        let sound = search(TEXT, Version::Sound);
        assert_eq!(sound.ranking()[0].mv.to_string(), "1g1g2");
        assert_eq!(sound.score(), 1000.0 * (6.0 / 7.0));
        let chosen = sound.root.iter().find(|ranked| ranked.mv.to_string() == "1f4e4");
        assert!(chosen.is_some_and(|ranked| ranked.score < sound.score()));
    }

    /// A boom that loses tokens comes after the moves in the program, before them in the report.
    #[test]
    fn bad_booms_come_last_in_the_program_and_first_in_the_text() {
        const TEXT: &str = "7a/8/8/8/8/8/a7/C5A1 w 20";
        let place = |version| {
            let found = search(TEXT, version);
            let place = found.root.iter().position(|ranked| ranked.mv.is_boom());
            (place, found.root.len())
        };
        let (program, count) = place(Version::Program);
        assert_eq!(program, Some(count - 1));
        assert_eq!(place(Version::Text).0, Some(0));
    }

    /// Booms are listed only for stacks beside an enemy, once for each such stack.
    #[test]
    fn suicide_booms_are_not_generated() {
        let booms = |text: &str| -> Vec<String> {
            let found = search(text, Version::Program);
            let mut booms: Vec<String> = found
                .root
                .iter()
                .filter(|ranked| ranked.mv.is_boom())
                .map(|ranked| ranked.mv.to_string())
                .collect();
            booms.sort_unstable();
            booms
        };
        // a1 and b1 touch a2; c1 is in the component without touching an enemy; g1 is alone.
        assert_eq!(booms("8/8/8/8/8/8/a7/AAA3A1 w 20"), ["a1!", "b1!"]);
        assert_eq!(booms("8/8/8/8/8/8/7a/AAA5 w 20"), [""; 0]);
    }

    /// With no move but booms without a target the program would have nothing to play; the bot plays one.
    #[test]
    fn a_bot_without_generated_moves_still_answers() {
        // Walled in by a corner and stacks that touch it: the only action is a boom beside an enemy.
        let record = Record::new("8/8/8/8/8/8/a7/Aa6 w 20".parse::<Position>().expect("a position"));
        let clock = search_core::SystemClock::new();
        let stop = search_core::StopFlag::new();
        let task = Task::plain(&record, Player::One, search_core::Limits::default(), &stop, &clock);
        let answer = bot(Version::Program).choose(&task).expect("an answer");
        assert_eq!(answer.mv.to_string(), "a1!");
    }

    #[test]
    fn the_map_of_a_real_game_starts_with_the_second_rank() {
        const START: &str = "a2 b2 d2 e2 g2 h2 a1 b1 d1 e1 g1 h1 a8 b8 d8 e8 g8 h8 a7 b7 d7 e7 g7 h7";
        const AFTER: &str = "b2 e2 g2 h2 a1 b1 d1 e1 g1 h1 a8 b8 d8 e8 a7 b7 d7 d3 e6";
        let mut record = Record::new(Position::start());
        let order = |record: &Record<Position>| format!("{:?}", map_order(record));
        let squares = |text: &str| -> Vec<Square> {
            text.split(' ').map(|square| square.parse().expect("a square")).collect()
        };
        let expect = |position: &Position, text: &str| {
            format!("{:?}", MapOrder::from_squares(position, squares(text)))
        };
        assert_eq!(order(&record), expect(record.position(), START));
        // The destination goes to the end, the emptied origin away; a merge changes only the latter; a boom takes its
        // component.
        for text in ["1d2d3", "1e7e6", "1a2a1", "h8!"] {
            record.play(text.parse().expect("a move")).expect("a legal move");
        }
        assert_eq!(order(&record), expect(record.position(), AFTER));
    }
}
