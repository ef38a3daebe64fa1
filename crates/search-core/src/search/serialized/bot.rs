//! A turn-based search as a bot of a simultaneous game.

use crate::{
    Analysis, Answer, Bot, BotFailure, FailureKind, Limits, Player, Record, Score, Search, Serialized,
    Simultaneous, StopReason, Task, Watcher,
};

/// The record of a simultaneous game as a record of its serialized form, with `leader` showing each move first.
pub fn serialize_record<G: Simultaneous>(record: &Record<G>, leader: Player) -> Record<Serialized<G>> {
    let mut serial = Record::new(Serialized::new(record.start().clone(), leader));
    for turn in record.turns() {
        for player in [leader, leader.opponent()] {
            // The turns of a record are legal, and the serialized game ends where the record does.
            if serial.play(turn[player.index()]).is_err() {
                return serial;
            }
        }
    }
    serial
}

/// What the pessimistic view is sure of. Who wins although the other sees every move first wins the game itself. A loss or a
/// draw of that view is none of the game: the other does not see what comes, and a mixed strategy may do better.
fn without_false_proofs<M: Clone>(mut analysis: Analysis<M>) -> Analysis<M> {
    if analysis.stop == StopReason::Proven && !analysis.score.is_win() {
        analysis.stop = StopReason::Decided;
    }
    analysis.score = hoped_for(analysis.score);
    for row in &mut analysis.root {
        row.score = hoped_for(row.score);
    }
    analysis
}

/// A loss of the pessimistic view as the worst of what is merely judged.
fn hoped_for(score: Score) -> Score {
    if score.is_loss() { Score::new(-Score::BOUND) } else { score }
}

/// A bot for a simultaneous game out of a turn-based search: the pessimistic view, "I move, then you answer". Only a win that it
/// finds is a proof; a loss is told as the lowest score that is none, and "proven" as [`StopReason::Decided`].
#[derive(Debug, Clone)]
pub struct SerialBot<S> {
    search: S,
    cap: Limits,
}

impl<S> SerialBot<S> {
    /// A bot that answers with what `search` finds for it as the leader.
    pub fn new(search: S) -> Self {
        SerialBot { search, cap: Limits::default() }
    }

    /// The same with limits of its own (depth in plies, two a turn), besides those of the match.
    pub fn with_cap(mut self, cap: Limits) -> Self {
        self.cap = cap;
        self
    }
}

impl<G: Simultaneous, S: Search<Serialized<G>>> Bot<G> for SerialBot<S> {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.search.new_game(seed);
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        let record = serialize_record(task.record, task.player);
        let watch = task
            .watch
            .map(|watch| move |found: &Analysis<G::Move>| watch(&without_false_proofs(found.clone())));
        let analysis = self.search.search(&Task {
            record: &record,
            player: task.player,
            limits: task.limits.and(self.cap),
            stop: task.stop,
            clock: task.clock,
            watch: watch.as_ref().map(|watch| watch as Watcher<'_, G::Move>),
        });
        let analysis = without_false_proofs(analysis);
        let mv = analysis
            .best
            .or_else(|| task.record.legal_moves(task.player).first().copied())
            .ok_or_else(|| BotFailure::new(FailureKind::Crash, "there is no legal move to choose"))?;
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}
