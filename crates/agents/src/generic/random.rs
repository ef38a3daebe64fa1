//! The random bot: uniform over the legal moves.

use std::marker::PhantomData;

use rand_chacha::ChaCha8Rng;
use search_core::{Answer, Bot, BotFailure, FailureKind, Game, Player, Task, stream};

use crate::{BotInfo, Options, SpecError};

/// Plays a legal move drawn uniformly at random.
#[derive(Debug)]
pub struct Random<G> {
    rng: ChaCha8Rng,
    game: PhantomData<fn(G)>,
}

impl<G: Game> Random<G> {
    /// A random bot; its seed comes with each new game.
    pub fn new() -> Self {
        Random { rng: stream(0, "random"), game: PhantomData }
    }

    /// Its entry in a catalogue.
    pub fn info() -> BotInfo<G> {
        fn build<G: Game>(_: &Options<'_>) -> Result<Box<dyn Bot<G>>, SpecError> {
            Ok(Box::new(Random::new()))
        }
        BotInfo {
            name: "random",
            about: "uniform over the legal moves",
            options: Vec::new(),
            build: build::<G>,
        }
    }
}

impl<G: Game> Default for Random<G> {
    fn default() -> Self {
        Random::new()
    }
}

impl<G: Game> Bot<G> for Random<G> {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = stream(seed, "random");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        task.record
            .position()
            .sample(task.player, &mut self.rng)
            .map(Answer::plain)
            .ok_or_else(|| BotFailure::new(FailureKind::Protocol, "asked for a move where there is none"))
    }
}
