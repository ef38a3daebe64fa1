//! Models of the opponent: what known programs would play, and how often they were right in this game.

use std::fmt;

use ropasci360::{Move, Position};
use search_core::{Bot, BotFailure, Game, Limits, Player, Record, Task, stream};

use crate::ropasci360::report::RepetitionGuard;
use crate::ropasci360::report::{Draws, Patience, ReportSettings, Situation, decide_within, opening_move};
use crate::ropasci360::searches::cautious;

/// A guess of who the opponent is.
enum Guess {
    /// A version of the report's program, with the nodes that it has searched in this game.
    Program(ReportSettings, u64),
    /// A player who expects to be seen through: `alphabeta`.
    Cautious(Box<dyn Bot<Position>>),
}

/// A known deterministic player, as a guess of who the opponent is, and how good a guess it was.
pub(crate) struct Model {
    guess: Guess,
    /// The last prediction: after how many turns of the record, and what.
    predicted: Option<(usize, Move)>,
    /// Right predictions and all of them; old ones count less and less.
    hits: f64,
    tries: f64,
    /// Whether the last prediction was right.
    last_hit: bool,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("predicted", &self.predicted)
            .field("hits", &self.hits)
            .field("tries", &self.tries)
            .finish_non_exhaustive()
    }
}

/// What a prediction counts after each further one.
const MEMORY: f64 = 0.95;
/// From this many predictions on, a model can be believed or given up.
const EVIDENCE: f64 = 2.8;
/// A model is believed as long as it is right so often.
const BELIEF: f64 = 0.8;
/// A model that is right less often than this is no longer asked.
const HOPELESS: f64 = 0.25;
/// Predictions that count as wrong before the first one.
const DOUBT: f64 = 2.0;

impl Model {
    fn new(guess: Guess) -> Model {
        Model { guess, predicted: None, hits: 0.0, tries: 0.0, last_hit: false }
    }

    /// A model for each known player, ready for a game.
    pub(crate) fn all() -> Result<Vec<Model>, BotFailure> {
        let mut cautious = cautious();
        // What it needs is allocated here, not when it is asked first and a clock runs.
        cautious.new_game(Player::One, 0)?;
        Ok(vec![
            Model::new(Guess::Program(ReportSettings::program(), 0)),
            Model::new(Guess::Program(ReportSettings::text(), 0)),
            Model::new(Guess::Cautious(cautious)),
        ])
    }

    /// Compares the last prediction with what the opponent did.
    pub(crate) fn observe(&mut self, record: &Record<Position>, opponent: Player) {
        let Some((turns, predicted)) = self.predicted.take() else { return };
        if let Some(turn) = record.turns().get(turns) {
            self.last_hit = turn[opponent.index()] == predicted;
            self.tries = MEMORY * self.tries + 1.0;
            self.hits = MEMORY * self.hits + if self.last_hit { 1.0 } else { 0.0 };
        }
    }

    fn accuracy(&self) -> f64 {
        if self.tries > 0.0 { self.hits / self.tries } else { 0.0 }
    }

    /// How likely its next prediction is right: 1 if its predictions were right often enough to build on alone.
    pub(crate) fn trust(&self) -> f64 {
        if self.tries >= EVIDENCE && self.last_hit && self.accuracy() >= BELIEF {
            return 1.0;
        }
        self.hits / (self.tries + DOUBT)
    }

    /// Whether a prediction costs a search of its own.
    pub(crate) fn searches(&self) -> bool {
        matches!(self.guess, Guess::Cautious(_))
    }

    /// Whether it is worth asking at all.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.tries >= 2.0 * EVIDENCE && self.accuracy() < HOPELESS
    }

    /// What the opponent would play now; `None` if that takes too long to find out. `task` is the bot's own; a program may cost
    /// as much as `patience` says, a search `limits`.
    pub(crate) fn predict(
        &mut self,
        task: &Task<'_, Position>,
        patience: Patience<'_>,
        limits: Limits,
    ) -> Option<Move> {
        let (record, opponent) = (task.record, task.player.opponent());
        let position = record.position();
        let mv = match &mut self.guess {
            Guess::Program(settings, nodes) => {
                let opening = opening_move(opponent, position.turns() + 1)
                    .filter(|&mv| position.is_legal(opponent, mv));
                opening.or_else(|| {
                    let (guard, tokens) = RepetitionGuard::of(record, opponent);
                    // What is drawn at random cannot be foreseen anyway.
                    let mut rng = stream(0, "model");
                    let draws = settings.draws.then(|| Draws::of(record));
                    let situation =
                        Situation { tokens: &tokens, player: opponent, guard: &guard, draws: draws.as_ref() };
                    let decision = decide_within(&situation, *nodes, settings, &mut rng, patience);
                    *nodes += decision.nodes;
                    decision.mv
                })
            }
            Guess::Cautious(bot) => {
                let task = Task::plain(record, opponent, limits, task.stop, task.clock);
                bot.choose(&task).ok().map(|answer| answer.mv)
            }
        };
        let mv = mv.filter(|&mv| position.is_legal(opponent, mv))?;
        self.predicted = Some((record.turns().len(), mv));
        Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use search_core::{Limits, StopFlag, SystemClock};

    use super::*;

    /// Plays turns in which the opponent does or does not do what the model says.
    fn play(model: &mut Model, record: &mut Record<Position>, follows: bool) {
        let stop = StopFlag::new();
        let clock = SystemClock::new();
        let task = Task::plain(record, Player::One, Limits::depth(2), &stop, &clock);
        let patience = Patience { nodes: 10_000, until: None };
        let predicted = model.predict(&task, patience, Limits::depth(2)).expect("a prediction");
        let own = record.legal_moves(Player::One)[0];
        let other = record.legal_moves(Player::Two).into_iter().find(|&mv| mv != predicted);
        let reply = if follows { predicted } else { other.expect("another move") };
        record.play([own, reply]).expect("a legal turn");
        model.observe(record, Player::Two);
    }

    #[test]
    fn trust_grows_with_right_predictions_and_falls_with_wrong_ones() {
        for mut model in Model::all().expect("models") {
            let mut record = Record::new(Position::start());
            assert_eq!(model.trust(), 0.0);
            play(&mut model, &mut record, true);
            let once = model.trust();
            assert!(0.2 < once && once < 1.0, "{model:?}");
            play(&mut model, &mut record, true);
            play(&mut model, &mut record, true);
            assert_eq!(model.trust(), 1.0, "{model:?}");
            play(&mut model, &mut record, false);
            assert!(once < model.trust() && model.trust() < 1.0, "{model:?}");
            assert!(!model.is_hopeless());
            for _ in 0..8 {
                play(&mut model, &mut record, false);
            }
            assert!(model.is_hopeless() && model.trust() < 0.25, "{model:?}");
        }
    }
}
