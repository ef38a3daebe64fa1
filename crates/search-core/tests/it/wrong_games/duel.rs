//! Two tokens that move at once, and ways to get that wrong which no game in turns has.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Outcome, Player, Simultaneous, Standard, split_mix};
use smallvec::SmallVec;

use super::corridor::NotRead;

/// What is wrong with a [`Duel`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Nothing,
    /// The second player's steps are listed by the place of the first.
    ListsTheOthersMoves,
    /// Near the wall the second player may not move, though both are asked.
    OneHasNoMove,
    /// The key knows nothing of the second token.
    KeyForgetsTheSecond,
    /// The key is carried along by the first player's step alone.
    KeyFollowsTheFirst,
    /// The first token's step is taken twice, the second's never, whenever both step on.
    StepsAreMixedUp,
    /// A draw of a step is by the other's list.
    DrawsForTheOther,
}

/// The rules that a [`Duel`] is played by.
pub(super) trait Rules:
    fmt::Debug + Default + Copy + Eq + std::hash::Hash + Send + Sync + 'static
{
    const FAULT: Fault;
}

/// Each fault as a type.
macro_rules! rules {
    ($($fault:ident)*) => {$(
        #[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) struct $fault;
        impl Rules for $fault {
            const FAULT: Fault = Fault::$fault;
        }
    )*};
}

rules! {
    Nothing ListsTheOthersMoves OneHasNoMove KeyForgetsTheSecond KeyFollowsTheFirst StepsAreMixedUp DrawsForTheOther
}

/// The last place of a lane.
const WALL: u8 = 4;

/// A duel lasts no longer.
pub(super) const CAP: u8 = 12;

/// Each player has a token in a lane of its own and takes 0, 1 or 2 steps, both at once. Who is at the wall alone wins; both at
/// once draw, and so does the last turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Duel<R> {
    places: [u8; 2],
    turn: u8,
    key: u64,
    rules: PhantomData<R>,
}

impl<R: Rules> Duel<R> {
    fn at(places: [u8; 2], turn: u8) -> Self {
        let mut duel = Duel { places, turn, key: 0, rules: PhantomData };
        duel.key = duel.fresh_key();
        duel
    }

    fn fresh_key(&self) -> u64 {
        let second = if R::FAULT == Fault::KeyForgetsTheSecond { 0 } else { self.places[1] };
        split_mix(u64::from(self.places[0]) << 8 | u64::from(second))
    }

    /// The steps by the rules, wrong ones included.
    fn list(&self, player: Player) -> SmallVec<[u8; 4]> {
        let lane = match R::FAULT {
            Fault::ListsTheOthersMoves => Player::One,
            _ => player,
        };
        let stuck = R::FAULT == Fault::OneHasNoMove && player == Player::Two && self.places[1] == WALL - 1;
        if self.end().is_some() || stuck {
            return SmallVec::new();
        }
        (0..=2.min(WALL - self.places[lane.index()])).collect()
    }
}

impl<R: Rules> fmt::Display for Duel<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.places[0], self.places[1], self.turn)
    }
}

impl<R: Rules> FromStr for Duel<R> {
    type Err = NotRead;

    fn from_str(text: &str) -> Result<Self, NotRead> {
        let fail = || NotRead(text.to_owned());
        let numbers: Vec<u8> =
            text.split(' ').map(str::parse).collect::<Result<_, _>>().map_err(|_| fail())?;
        let &[first, second, turn] = numbers.as_slice() else { return Err(fail()) };
        if first.max(second) > WALL || turn > CAP {
            return Err(fail());
        }
        Ok(Duel::at([first, second], turn))
    }
}

impl<R: Rules> Game for Duel<R> {
    const NAME: &'static str = "duel";

    type Move = u8;
    type Turn = [u8; 2];
    type Moves = SmallVec<[u8; 4]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Duel::at([0, 0], 0)
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<u8>>(&self, player: Player, sink: &mut S) {
        let list = self.list(player);
        sink.push_set(list.len(), list.into_iter());
    }

    fn sample<T: Rng>(&self, player: Player, rng: &mut T) -> Option<u8> {
        let list = match R::FAULT {
            Fault::DrawsForTheOther => self.list(player.opponent()),
            _ => self.list(player),
        };
        (!list.is_empty()).then(|| list[rng.random_range(0..list.len())])
    }

    fn play_turn(&mut self, steps: [u8; 2]) {
        let before = self.key;
        let steps = match R::FAULT {
            Fault::StepsAreMixedUp if steps[0] > 0 && steps[1] > 0 => [2 * steps[0], 0],
            _ => steps,
        };
        for (place, step) in self.places.iter_mut().zip(steps) {
            *place = (*place + step).min(WALL);
        }
        self.turn += 1;
        self.key = match R::FAULT {
            Fault::KeyFollowsTheFirst if steps[0] == 0 => before,
            _ => self.fresh_key(),
        };
    }

    fn end(&self) -> Option<End> {
        let [first, second] = self.places.map(|place| place == WALL);
        let at_the_wall = match (first, second) {
            (true, true) => Some(Outcome::Draw),
            (true, false) => Some(Outcome::Win(Player::One)),
            (false, true) => Some(Outcome::Win(Player::Two)),
            (false, false) => None,
        };
        let won = at_the_wall.map(|outcome| End::by_rule(outcome, "wall"));
        won.or((self.turn >= CAP).then(|| End::by_cap(Outcome::Draw, "turns")))
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_text(&self) -> String {
        format!("{:?}", self.places)
    }

    fn turns_left(&self) -> Option<u32> {
        Some(u32::from(CAP.saturating_sub(self.turn)))
    }
}

impl<R: Rules> Simultaneous for Duel<R> {}
