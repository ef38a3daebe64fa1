//! The generic greedy bot: one ply, best evaluation, ties drawn by seed.

use std::fmt;
use std::marker::PhantomData;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use search_core::{
    Analysis, Answer, Bot, BotFailure, Bound, Evaluate, FailureKind, Player, RootMove, Score, Task,
    TurnBased, stream,
};

/// Plays the move after which an evaluation likes the position best; a win at once counts as such.
pub struct Greedy<G, E> {
    evaluate: E,
    rng: ChaCha8Rng,
    game: PhantomData<fn(G)>,
}

impl<G, E> fmt::Debug for Greedy<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Greedy").finish_non_exhaustive()
    }
}

impl<G: TurnBased, E: Evaluate<G>> Greedy<G, E> {
    /// A greedy bot with this evaluation.
    pub fn new(evaluate: E) -> Self {
        Greedy { evaluate, rng: stream(0, "greedy"), game: PhantomData }
    }
}

impl<G: TurnBased, E: Evaluate<G>> Bot<G> for Greedy<G, E> {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = stream(seed, "greedy");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        let position = task.record.position();
        let mut root: Vec<RootMove<G::Move>> = Vec::new();
        for &mv in position.move_list(task.player).as_ref() {
            let next = position.after(mv);
            let score = match next.end() {
                Some(end) => Score::of_outcome(end.outcome, task.player, 1),
                None => self.evaluate.evaluate(&next, task.player),
            };
            root.push(RootMove { mv, score, bound: Bound::Exact, visits: 1, weight: 0.0 });
        }
        // Stable: ties stay in the generator's order, and the draw among them is the seed's.
        root.sort_by_key(|entry| -entry.score);
        let ties = root.iter().take_while(|entry| entry.score == root[0].score).count();
        if ties == 0 {
            return Err(BotFailure::new(FailureKind::Protocol, "asked for a move where there is none"));
        }
        let best = root[self.rng.random_range(0..ties)];
        let mut analysis = Analysis {
            best: Some(best.mv),
            score: best.score,
            pv: vec![best.mv],
            depth: 1,
            ..Analysis::default()
        };
        analysis.stats.nodes = 1 + root.len() as u64;
        analysis.stats.evaluations = root.len() as u64;
        analysis.root = root;
        Ok(Answer { mv: best.mv, analysis: Some(analysis) })
    }
}
