//! The greedy bot: the report's five rules, then the action that looks best if the enemy stands still.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use ropasci360::{Move, Position};
use search_core::{
    Analysis, Answer, Bot, BotFailure, Bound, FailureKind, Game, Player, RootMove, Task, stream,
};

use super::evaluation::{Phase, Settings, evaluate};
use super::repetition_guard::Guard;
use super::rules::{RuleSet, State};
use super::score_of;
use crate::{BotInfo, Options, SpecError};

/// Rules first, then one ply; ties are drawn by seed.
#[derive(Debug)]
pub struct Greedy {
    rng: ChaCha8Rng,
}

impl Greedy {
    /// A greedy bot; its seed comes with each new game.
    pub fn new() -> Greedy {
        Greedy { rng: stream(0, "greedy") }
    }

    /// Its entry in the catalogue.
    pub fn info() -> BotInfo<Position> {
        fn build(_: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
            Ok(Box::new(Greedy::new()))
        }
        BotInfo {
            name: "greedy",
            about: "the report's five rules, then the best one-ply answer by its evaluation",
            options: Vec::new(),
            build,
        }
    }
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy::new()
    }
}

impl Bot<Position> for Greedy {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = stream(seed, "greedy");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let position = task.record.position();
        let player = task.player;
        let (guard, tokens) = Guard::of(task.record, player);
        let (_, action) = State::new(&tokens, player, &guard).decide(RuleSet::Program, &mut self.rng);
        if let Some(mv) = action.filter(|&mv| position.is_legal(player, mv)) {
            return Ok(Answer::plain(mv));
        }
        let settings = Settings::default();
        let mut best: Vec<Move> = Vec::new();
        let mut most = f64::NEG_INFINITY;
        let moves = position.move_list(player);
        for &mv in moves.as_ref() {
            let mut next = tokens;
            next.play_alone(player, mv);
            let mut value = evaluate(&next, player, Phase::Normal, &settings);
            if !guard.allows(&tokens, mv) {
                // Refused moves are for when there is nothing else.
                value -= 2.0 * super::evaluation::WON;
            }
            if value > most {
                most = value;
                best.clear();
            }
            if value == most {
                best.push(mv);
            }
        }
        if best.is_empty() {
            return Err(BotFailure::new(FailureKind::Protocol, "asked for a move where there is none"));
        }
        let mv = best[self.rng.random_range(0..best.len())];
        let score = score_of(most);
        let mut analysis = Analysis { best: Some(mv), score, pv: vec![mv], depth: 1, ..Analysis::default() };
        analysis.root = vec![RootMove { mv, score, bound: Bound::Exact, visits: 1, weight: 1.0 }];
        analysis.stats.nodes = 1 + moves.len() as u64;
        analysis.stats.evaluations = moves.len() as u64;
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}
