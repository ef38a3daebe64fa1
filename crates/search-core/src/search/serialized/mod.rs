//! A simultaneous game as a turn-based one: "I move, then you answer", or the reverse.

mod bot;
mod hooks;

use std::error::Error;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use rand::Rng;

pub use self::bot::{SerialBot, serialize_record};
pub use self::hooks::Serially;
use crate::search::move_hash::MoveHasher;
use crate::{Active, End, Game, MoveSink, Paint, Player, Simultaneous, TurnBased, split_mix};

/// A simultaneous game in which one player, the leader, shows each move before the other one chooses.
///
/// Knowing the leader's move can only help the follower: the value with a player as leader is a lower bound of what the
/// game is worth to that player, the value with that player as follower an upper bound. Every turn-based search runs on
/// it; [`Serially`](crate::Serially) carries hooks of the inner game over, so that leaves are judged only between turns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Serialized<G: Simultaneous> {
    game: G,
    leader: Player,
    pending: Option<G::Move>,
}

impl<G: Simultaneous> Serialized<G> {
    /// A position between turns, with `leader` to show a move.
    pub fn new(game: G, leader: Player) -> Self {
        Serialized { game, leader, pending: None }
    }

    /// The simultaneous position: that before the turn, while a move is pending.
    #[inline]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Who shows each move first.
    #[inline]
    pub fn leader(&self) -> Player {
        self.leader
    }

    /// The leader's move of this turn, if the other player is to answer it.
    #[inline]
    pub fn pending(&self) -> Option<G::Move> {
        self.pending
    }
}

impl<G: Simultaneous> fmt::Display for Serialized<G> {
    /// The leader, the pending move or `-`, and the inner position: `p1 - ...`. The alternate form is the picture.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "{:#}", self.game)?;
            return self.pending.map_or(Ok(()), |mv| write!(f, "\n{} shows {mv}", self.leader));
        }
        match self.pending {
            Some(mv) => write!(f, "{} {mv} {}", self.leader, self.game),
            None => write!(f, "{} - {}", self.leader, self.game),
        }
    }
}

/// A text that is not a serialized position.
#[derive(Debug)]
pub struct ParseSerializedError {
    expected: &'static str,
    found: String,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl fmt::Display for ParseSerializedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)?;
        self.cause.as_ref().map_or(Ok(()), |cause| write!(f, ": {cause}"))
    }
}

impl Error for ParseSerializedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

impl<G: Simultaneous> FromStr for Serialized<G> {
    type Err = ParseSerializedError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail =
            |expected, found: &str, cause| ParseSerializedError { expected, found: found.to_owned(), cause };
        let mut parts = text.splitn(3, ' ');
        let (Some(leader), Some(pending), Some(game)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(fail("leader, pending move or `-`, and position", text, None));
        };
        let leader: Player = leader
            .parse()
            .map_err(|cause| fail("the leader, p1 or p2", leader, Some(Box::new(cause) as _)))?;
        let game: G = game.parse().map_err(|cause| fail("a position", game, Some(Box::new(cause) as _)))?;
        let pending = if pending == "-" {
            None
        } else {
            let mv: G::Move = pending
                .parse()
                .map_err(|cause| fail("a move or `-`", pending, Some(Box::new(cause) as _)))?;
            if game.end().is_some() || !game.is_legal(leader, mv) {
                return Err(fail("a legal move of the leader or `-`", pending, None));
            }
            Some(mv)
        };
        Ok(Serialized { game, leader, pending })
    }
}

impl<G: Simultaneous> Game for Serialized<G> {
    const NAME: &'static str = G::NAME;
    const REPETITION: Option<u32> = G::REPETITION;

    type Move = G::Move;
    type Turn = G::Move;
    type Moves = G::Moves;
    type Setup = G::Setup;

    /// The first player leads.
    fn initial(setup: &Self::Setup, seed: u64) -> Self {
        Serialized::new(G::initial(setup, seed), Player::One)
    }

    #[inline]
    fn active(&self) -> Active {
        Active::One(self.to_move())
    }

    #[inline]
    fn moves_of<S: MoveSink<Self::Move>>(&self, player: Player, sink: &mut S) {
        if player == self.to_move() {
            self.game.moves_of(player, sink);
        }
    }

    #[inline]
    fn play_turn(&mut self, mv: Self::Move) {
        match self.pending.take() {
            None => self.pending = Some(mv),
            Some(shown) => self.game.play_turn(match self.leader {
                Player::One => [shown, mv],
                Player::Two => [mv, shown],
            }),
        }
    }

    #[inline]
    fn end(&self) -> Option<End> {
        if self.pending.is_some() { None } else { self.game.end() }
    }

    #[inline]
    fn utility(&self, player: Player) -> i32 {
        if self.pending.is_some() { 0 } else { self.game.utility(player) }
    }

    #[inline]
    fn key(&self) -> u64 {
        let mut hasher = MoveHasher::default();
        (self.leader.index(), self.pending).hash(&mut hasher);
        split_mix(self.game.key() ^ split_mix(hasher.finish()))
    }

    fn key_text(&self) -> String {
        let pending = self.pending.map_or("-".to_owned(), |mv| mv.to_string());
        format!("{} {pending} {}", self.leader, self.game.key_text())
    }

    #[inline]
    fn repetition_key(&self) -> Option<u64> {
        if self.pending.is_some() { None } else { self.game.repetition_key() }
    }

    /// Two plies a turn.
    #[inline]
    fn turns_left(&self) -> Option<u32> {
        let half = u32::from(self.pending.is_some());
        self.game.turns_left().map(|turns| turns.saturating_mul(2).saturating_sub(half))
    }

    fn picture(&self, paint: Paint) -> String {
        self.game.picture(paint)
    }

    #[inline]
    fn move_count(&self, player: Player) -> usize {
        if player == self.to_move() { self.game.move_count(player) } else { 0 }
    }

    #[inline]
    fn nth_move(&self, player: Player, index: usize) -> Option<Self::Move> {
        if player == self.to_move() { self.game.nth_move(player, index) } else { None }
    }

    #[inline]
    fn sample<R: Rng>(&self, player: Player, rng: &mut R) -> Option<Self::Move> {
        if player == self.to_move() { self.game.sample(player, rng) } else { None }
    }

    fn is_legal(&self, player: Player, mv: Self::Move) -> bool {
        player == self.to_move() && self.game.is_legal(player, mv)
    }
}

impl<G: Simultaneous> TurnBased for Serialized<G> {
    #[inline]
    fn to_move(&self) -> Player {
        if self.pending.is_some() { self.leader.opponent() } else { self.leader }
    }
}
