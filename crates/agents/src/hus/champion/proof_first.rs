//! A bot that looks for a proof of the win before it asks its search, where the opponent has few moves left.

use std::time::Duration;

use hus::{Pit, Position};
use search_core::{
    Analysis, Answer, Bot, BotFailure, Game, Limits, Player, ProofResult, ProofSearch, ProofSettings, Search,
    Task, Time, TimeSettings,
};

/// The table of the proofs: more positions than a share of a move's time reaches.
const TABLE_BYTES: usize = 4 << 20;

/// When a proof is looked for, and what it may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ProofShare {
    /// The share of the limits that goes to the proof, from 0 to 1.
    pub(crate) share: f64,
    /// The most moves that the opponent may have.
    pub(crate) few: u32,
}

/// A bot, and the proof search before it.
pub(crate) struct Prover<B> {
    inner: B,
    proof: ProofSearch<Position>,
    when: ProofShare,
    /// The bot's own limits besides those of the match.
    cap: Limits,
    time: TimeSettings,
    /// The positions in which a proven move was played in this game. Every proof is true, but the next one may be longer: a
    /// position that comes back shows that no headway was made, and the search is asked instead.
    played: Vec<u64>,
}

impl<B> Prover<B> {
    pub(crate) fn new(inner: B, when: ProofShare, cap: Limits, time: TimeSettings) -> Self {
        let settings = ProofSettings { table_bytes: TABLE_BYTES, time, ..ProofSettings::default() };
        Prover { inner, proof: ProofSearch::new(settings), when, cap, time, played: Vec::new() }
    }

    /// The part of the limits that goes to the proof; nothing where neither nodes nor time are limited.
    fn part(&self, limits: Limits, first_move: bool) -> Option<Limits> {
        let nodes = limits.nodes.map(|nodes| (nodes as f64 * self.when.share) as u64);
        let time = limits.time.map(|time| {
            let (soft, _) = self.time.bounds(time, first_move);
            let hard = soft.mul_f64(self.when.share);
            Time::Bounds { soft: hard, hard }
        });
        (nodes.is_some() || time.is_some()).then_some(Limits { nodes, time, ..Limits::default() })
    }
}

impl<B: Bot<Position>> Bot<Position> for Prover<B> {
    fn opening(&mut self, origin: &Position, turns: &[Pit]) {
        self.inner.opening(origin, turns);
    }

    fn new_game(&mut self, player: Player, seed: u64) -> Result<(), BotFailure> {
        self.played.clear();
        self.proof.new_game(seed);
        self.inner.new_game(player, seed)
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Pit>, BotFailure> {
        let &Task { record, player, stop, clock, watch, .. } = task;
        let limits = task.limits.and(self.cap);
        let position = record.position();
        let key = position.key();
        let first_move = record.turns().len() < 2;
        let cornered = position.mobility(player.opponent()) <= self.when.few;
        let part = self.part(limits, first_move).filter(|_| cornered && !self.played.contains(&key));
        let Some(part) = part else {
            return self.inner.choose(&Task { record, player, limits, stop, clock, watch });
        };
        let proof = self.proof.prove_task(&Task::plain(record, player, part, stop, clock));
        if let (ProofResult::Proven, Some(mv)) = (proof.result, proof.best) {
            self.played.push(key);
            let analysis = Analysis::from(proof);
            if let Some(watch) = watch {
                watch(&analysis);
            }
            return Ok(Answer { mv, analysis: Some(analysis) });
        }
        let limits = less(limits, proof.stats.nodes, proof.stats.time);
        let mut answer = self.inner.choose(&Task { record, player, limits, stop, clock, watch })?;
        if let Some(analysis) = &mut answer.analysis {
            analysis.stats += Analysis::from(proof).stats;
        }
        Ok(answer)
    }
}

/// The limits without what has been used up.
fn less(limits: Limits, nodes: u64, time: Duration) -> Limits {
    Limits { nodes: limits.nodes.map(|limit| limit.saturating_sub(nodes).max(1)), ..limits.after(time) }
}
