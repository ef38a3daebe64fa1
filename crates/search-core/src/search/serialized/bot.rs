//! A turn-based search as a bot of a simultaneous game.

use crate::{
    Answer, Bot, BotFailure, FailureKind, Limits, Player, Record, Search, Serialized, Simultaneous, Task,
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

/// A bot for a simultaneous game out of a turn-based search: the pessimistic view, "I move, then you answer".
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
        let analysis = self.search.search(&Task {
            record: &record,
            player: task.player,
            limits: task.limits.and(self.cap),
            stop: task.stop,
            clock: task.clock,
            watch: task.watch,
        });
        let mv = analysis
            .best
            .or_else(|| task.record.legal_moves(task.player).first().copied())
            .ok_or_else(|| BotFailure::new(FailureKind::Crash, "there is no legal move to choose"))?;
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}
