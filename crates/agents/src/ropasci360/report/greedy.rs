//! The greedy bot: the report's five rules, then the action that looks best if the enemy stands still.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use ropasci360::{Move, Position};
use search_core::{Analysis, Answer, Bound, Game, RootMove, Task};

use super::evaluation::{Phase, Settings, WON, evaluate};
use super::repetition_guard::RepetitionGuard;
use super::rules::{RuleSet, State};
use super::score_of;
use crate::BotInfo;
use crate::generic::Reflex;

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new("greedy", "the report's five rules, then the best one-ply answer by its evaluation", |_| {
        Ok(Box::new(Reflex::new("greedy", choose)))
    })
}

/// Rules first, then one ply; ties are drawn by seed.
fn choose(task: &Task<'_, Position>, rng: &mut ChaCha8Rng) -> Option<Answer<Move>> {
    let position = task.record.position();
    let player = task.player;
    let (guard, tokens) = RepetitionGuard::of(task.record, player);
    let (_, action) = State::new(&tokens, player, &guard).decide(RuleSet::Program, rng);
    if let Some(mv) = action.filter(|&mv| position.is_legal(player, mv)) {
        return Some(Answer::plain(mv));
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
            value -= 2.0 * WON;
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
        return None;
    }
    let mv = best[rng.random_range(0..best.len())];
    let score = score_of(most);
    let mut analysis = Analysis { best: Some(mv), score, pv: vec![mv], depth: 1, ..Analysis::default() };
    analysis.root = vec![RootMove { mv, score, bound: Bound::Exact, visits: 1, weight: 1.0 }];
    analysis.stats.nodes = 1 + moves.len() as u64;
    analysis.stats.evaluations = moves.len() as u64;
    Some(Answer { mv, analysis: Some(analysis) })
}
