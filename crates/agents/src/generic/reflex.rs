//! Bots that answer at sight: a function of the game so far and of chance.

use std::fmt;

use rand_chacha::ChaCha8Rng;
use search_core::{Answer, Bot, BotFailure, FailureKind, Game, Player, Task, stream};

/// A bot without a search of its own and without memory, apart from its random numbers.
pub struct Reflex<F> {
    name: &'static str,
    rng: ChaCha8Rng,
    choose: F,
}

impl<F> fmt::Debug for Reflex<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reflex").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<F> Reflex<F> {
    /// A bot that answers with what `choose` hands back; its random numbers come from the seed of the game and `name`.
    pub fn new<G: Game>(name: &'static str, choose: F) -> Self
    where
        F: FnMut(&Task<'_, G>, &mut ChaCha8Rng) -> Option<Answer<G::Move>> + Send,
    {
        Reflex { name, rng: stream(0, name), choose }
    }
}

impl<G, F> Bot<G> for Reflex<F>
where
    G: Game,
    F: FnMut(&Task<'_, G>, &mut ChaCha8Rng) -> Option<Answer<G::Move>> + Send,
{
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = stream(seed, self.name);
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        (self.choose)(task, &mut self.rng).ok_or_else(no_move)
    }
}

/// The failure of a bot that is asked for a move although the game is over.
pub fn no_move() -> BotFailure {
    BotFailure::new(FailureKind::Protocol, "asked for a move where there is none")
}
