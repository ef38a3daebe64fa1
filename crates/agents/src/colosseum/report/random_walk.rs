//! The contest's random agent, which is also what its referee plays for an agent that fails to answer.

use colosseum::{Move, Position, Side};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use search_core::{Answer, Bot, BotFailure, FailureKind, Player, Task, TurnBased, stream};

use crate::{BotInfo, Options, SpecError};

/// A random walk of 0 to K steps, then a wall on a random open side; far from uniform over the legal moves, because near
/// cells are preferred. `None` only if the game is over.
pub fn random_walk<R: Rng>(position: &Position, rng: &mut R) -> Option<Move> {
    if position.is_over() {
        return None;
    }
    let mut cell = position.cell(position.to_move());
    let opponent = position.cell(position.to_move().opponent());
    for _ in 0..rng.random_range(0..=position.max_steps()) {
        // After the first step the way back is open: only a player that is shut in at its start cannot walk.
        let step = draw(rng, |side| !position.has_wall(cell, side) && cell.neighbour(side) != Some(opponent));
        match step.and_then(|side| cell.neighbour(side)) {
            Some(next) => cell = next,
            None => break,
        }
    }
    draw(rng, |side| !position.has_wall(cell, side)).map(|side| Move::new(cell, side))
}

/// One of the sides that `allow` accepts, uniformly.
fn draw<R: Rng>(rng: &mut R, allow: impl Fn(Side) -> bool) -> Option<Side> {
    let count = Side::ALL.into_iter().filter(|&side| allow(side)).count();
    if count == 0 {
        return None;
    }
    Side::ALL.into_iter().filter(|&side| allow(side)).nth(rng.random_range(0..count))
}

/// The bot `walk`.
#[derive(Debug)]
pub struct Walk {
    rng: ChaCha8Rng,
}

impl Walk {
    /// A bot whose seed comes with each new game.
    pub fn new() -> Walk {
        Walk { rng: stream(0, "walk") }
    }

    pub(crate) fn info() -> BotInfo<Position> {
        fn build(_: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
            Ok(Box::new(Walk::new()))
        }
        BotInfo {
            name: "walk",
            about: "the contest's random agent: a random walk, then a random wall; prefers near cells",
            options: Vec::new(),
            build,
        }
    }
}

impl Default for Walk {
    fn default() -> Self {
        Walk::new()
    }
}

impl Bot<Position> for Walk {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = stream(seed, "walk");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        random_walk(task.record.position(), &mut self.rng).map(Answer::plain).ok_or_else(no_move)
    }
}

/// The failure of a bot that was asked although the game is over.
pub(crate) fn no_move() -> BotFailure {
    BotFailure::new(FailureKind::Protocol, "asked for a move where there is none")
}

#[cfg(test)]
mod tests {
    use super::*;
    use colosseum::Setup;
    use search_core::Game;

    #[test]
    fn walks_are_legal_and_prefer_near_cells() {
        let mut rng = stream(3, "walks");
        for seed in 0..60 {
            let mut position = Position::initial(&Setup::default(), seed);
            while let Some(mv) = random_walk(&position, &mut rng) {
                assert_eq!(position.check(mv), Ok(()), "{mv} in {position}");
                position.play(mv);
            }
            assert!(position.is_over());
        }
        let start = Position::initial(&Setup::default(), 1);
        let stays = (0..2000)
            .filter(|_| random_walk(&start, &mut rng).is_some_and(|mv| mv.cell == start.cell(Player::One)))
            .count();
        // No step at all already has a chance of one fifth.
        assert!((400..1200).contains(&stays), "{stays}");
    }
}
