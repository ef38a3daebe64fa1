//! Models of the opponent: what known programs would play, and how often they were right in this game.

use ropasci360::{Move, Position};
use search_core::{Game, Player, Record, stream};

use super::guard::Guard;
use super::report::{ReportSettings, decide_within, opening_move};

/// A known deterministic program, as a guess of who the opponent is.
#[derive(Debug, Clone)]
pub(super) struct Model {
    settings: ReportSettings,
    /// Nodes that the program has searched in this game.
    nodes: u64,
    /// The last prediction: after how many turns of the record, and what.
    predicted: Option<(usize, Move)>,
    hits: u32,
    tries: u32,
    /// Whether the last prediction was right.
    last_hit: bool,
}

/// From so many predictions on a model can be believed.
const EVIDENCE: u32 = 3;
/// A model is believed as long as it is right so often.
const BELIEF: f64 = 0.8;
/// A model that is wrong more often than this is no longer asked.
const HOPELESS: f64 = 0.4;

impl Model {
    pub(super) fn new(settings: ReportSettings) -> Model {
        Model { settings, nodes: 0, predicted: None, hits: 0, tries: 0, last_hit: false }
    }

    /// Compares the last prediction with what the opponent did.
    pub(super) fn observe(&mut self, record: &Record<Position>, opponent: Player) {
        let Some((turns, predicted)) = self.predicted.take() else { return };
        if let Some(turn) = record.turns().get(turns) {
            self.last_hit = turn[opponent.index()] == predicted;
            self.tries += 1;
            self.hits += u32::from(self.last_hit);
        }
    }

    fn accuracy(&self) -> f64 {
        f64::from(self.hits) / f64::from(self.tries.max(1))
    }

    /// Whether its predictions were right often enough to build on.
    pub(super) fn is_believed(&self) -> bool {
        self.tries >= EVIDENCE && self.last_hit && self.accuracy() >= BELIEF
    }

    /// Whether it is worth asking at all.
    pub(super) fn is_hopeless(&self) -> bool {
        self.tries >= 2 * EVIDENCE && self.accuracy() < HOPELESS
    }

    /// What the program would play now; `None` if that takes too many nodes to find out.
    pub(super) fn predict(
        &mut self,
        record: &Record<Position>,
        opponent: Player,
        most_nodes: u64,
    ) -> Option<Move> {
        let position = record.position();
        let opening = opening_move(opponent, u32::from(position.turns()) + 1)
            .filter(|&mv| position.is_legal(opponent, mv));
        let mv = opening.or_else(|| {
            let (guard, tokens) = Guard::of(record, opponent);
            // What is drawn at random cannot be foreseen anyway.
            let mut rng = stream(0, "model");
            let decision =
                decide_within(&tokens, opponent, &guard, self.nodes, &self.settings, &mut rng, most_nodes);
            self.nodes += decision.nodes;
            decision.mv
        });
        let mv = mv.filter(|&mv| position.is_legal(opponent, mv))?;
        self.predicted = Some((record.turns().len(), mv));
        Some(mv)
    }
}
