//! A token in a corridor, and every way to get its rules wrong.

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Outcome, Player, Standard, TurnBased, split_mix};
use smallvec::SmallVec;

/// What is wrong with a [`Corridor`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Nothing,
    MoveTwice,
    StuckInTheCorner,
    MovesAfterTheEnd,
    TextForgetsTheMover,
    MoveTextIsNotRead,
    StaleKey,
    RepetitionKeyFromHistory,
    KeyForgetsTheMover,
    KeyHoldsTheTurn,
    KeysMeetAcrossGames,
    RepetitionKeyHoldsTheTurn,
    CountIsOneShort,
    NthIsReversed,
    SetIsTooLarge,
    LegalEverywhere,
    LegalForTheWrongPlayer,
    DeniesALegalMove,
    NeverDrawsHalf,
    DrawsTheFirstMoreOften,
    DrawsAnIllegalMove,
    PlaysByChance,
    PaysBoth,
    PaysTheLoser,
    PaysBeforeTheEnd,
    CapStandsStill,
    CapWithoutEnd,
    NeverEnds,
    ToMoveIsTheOther,
    MissesAWin,
    NamesNoWin,
    GeneratorPanics,
    PlayPanics,
    MoveMissingInTheCorner,
    WrongWinner,
}

/// The rules that a [`Corridor`] is played by.
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
    Nothing MoveTwice StuckInTheCorner MovesAfterTheEnd TextForgetsTheMover MoveTextIsNotRead StaleKey
    RepetitionKeyFromHistory KeyForgetsTheMover KeyHoldsTheTurn KeysMeetAcrossGames RepetitionKeyHoldsTheTurn CountIsOneShort
    NthIsReversed SetIsTooLarge LegalEverywhere LegalForTheWrongPlayer DeniesALegalMove NeverDrawsHalf DrawsTheFirstMoreOften
    DrawsAnIllegalMove PlaysByChance PaysBoth PaysTheLoser PaysBeforeTheEnd CapStandsStill CapWithoutEnd NeverEnds
    ToMoveIsTheOther MissesAWin NamesNoWin GeneratorPanics PlayPanics MoveMissingInTheCorner WrongWinner
}

/// The last place of the corridor. The first player wins there, the second at place 0.
const DOOR: u8 = 8;

/// A game in the corridor lasts no longer.
pub(super) const CAP: u8 = 30;

/// A token in a corridor that both players push, one step each way or not at all; who gets it to the own door wins. A position
/// that comes back a third time is a draw, and so is the last turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corridor<R> {
    place: u8,
    mover: Player,
    turn: u8,
    key: u64,
    rules: R,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Push {
    Back,
    Stay,
    On,
    /// Legal in no position; some wrong rules draw it or allow it.
    Leap,
}

impl fmt::Display for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Push::Back => "back",
            Push::Stay => "stay",
            Push::On => "on",
            Push::Leap => "leap",
        })
    }
}

#[derive(Debug)]
pub(super) struct NotRead(pub(super) String);

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a corridor or a push, found `{}`", self.0)
    }
}

impl Error for NotRead {}

impl FromStr for Push {
    type Err = NotRead;

    fn from_str(text: &str) -> Result<Push, NotRead> {
        [Push::Back, Push::Stay, Push::On, Push::Leap]
            .into_iter()
            .find(|push| push.to_string() == text)
            .ok_or_else(|| NotRead(text.to_owned()))
    }
}

/// A move with its text by the rules `R`: the type of the game's moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Of<R>(pub(super) Push, std::marker::PhantomData<R>);

impl<R> Of<R> {
    pub(super) fn new(push: Push) -> Of<R> {
        Of(push, std::marker::PhantomData)
    }
}

impl<R> fmt::Debug for Of<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<R> fmt::Display for Of<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<R: Rules> FromStr for Of<R> {
    type Err = NotRead;

    fn from_str(text: &str) -> Result<Self, NotRead> {
        match text.parse()? {
            Push::Stay if R::FAULT == Fault::MoveTextIsNotRead => Err(NotRead(text.to_owned())),
            push => Ok(Of::new(push)),
        }
    }
}

impl<R: Rules> fmt::Display for Corridor<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mover = if R::FAULT == Fault::TextForgetsTheMover { Player::One } else { self.mover };
        write!(f, "{mover} {} {}", self.place, self.turn)
    }
}

impl<R: Rules> FromStr for Corridor<R> {
    type Err = NotRead;

    fn from_str(text: &str) -> Result<Self, NotRead> {
        let fail = || NotRead(text.to_owned());
        let parts: Vec<&str> = text.split(' ').collect();
        let &[mover, place, turn] = parts.as_slice() else { return Err(fail()) };
        let mover = mover.parse().map_err(|_| fail())?;
        let [place, turn] = [place.parse().map_err(|_| fail())?, turn.parse().map_err(|_| fail())?];
        Ok(Corridor::at(place, mover, turn))
    }
}

impl<R: Rules> Corridor<R> {
    fn at(place: u8, mover: Player, turn: u8) -> Self {
        let mut corridor = Corridor { place, mover, turn, key: 0, rules: R::default() };
        corridor.key = corridor.fresh_key();
        corridor
    }

    fn fresh_key(&self) -> u64 {
        let mover = if R::FAULT == Fault::KeyForgetsTheMover { 0 } else { self.mover.index() as u64 };
        let turn = if R::FAULT == Fault::KeyHoldsTheTurn { u64::from(self.turn) } else { 0 };
        let place = match R::FAULT {
            // No game comes to both ends.
            Fault::KeysMeetAcrossGames if self.place == DOOR => 0,
            _ => u64::from(self.place),
        };
        split_mix(place << 16 | turn << 8 | mover)
    }

    /// The moves by the rules, wrong ones included.
    fn list(&self, player: Player) -> SmallVec<[Of<R>; 4]> {
        let mut list = SmallVec::new();
        let over = self.end().is_some() && R::FAULT != Fault::MovesAfterTheEnd;
        let stuck = R::FAULT == Fault::StuckInTheCorner && self.place == 1;
        if player != self.mover || over || stuck {
            return list;
        }
        assert!(R::FAULT != Fault::GeneratorPanics || self.place != 2, "no way out of place {}", self.place);
        if self.place > 0 {
            list.push(Of::new(Push::Back));
        }
        list.push(Of::new(Push::Stay));
        let missing = R::FAULT == Fault::MoveMissingInTheCorner && self.place == DOOR - 1;
        if self.place < DOOR && !missing {
            list.push(Of::new(Push::On));
        }
        if R::FAULT == Fault::MoveTwice && self.place == 3 {
            list.push(Of::new(Push::Stay));
        }
        list
    }
}

thread_local! {
    /// What rules must not have: a memory outside of the position.
    static PLAYED: Cell<u32> = const { Cell::new(0) };
}

impl<R: Rules> Game for Corridor<R> {
    const NAME: &'static str = "corridor";
    const REPETITION: Option<u32> = Some(3);

    type Move = Of<R>;
    type Turn = Of<R>;
    type Moves = SmallVec<[Of<R>; 4]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        Corridor::at(DOOR / 2, Player::One, 0)
    }

    fn active(&self) -> Active {
        Active::One(self.mover)
    }

    fn moves_of<S: MoveSink<Of<R>>>(&self, player: Player, sink: &mut S) {
        let list = self.list(player);
        let surplus = usize::from(R::FAULT == Fault::SetIsTooLarge && self.place == 5 && !list.is_empty());
        sink.push_set(list.len() + surplus, list.into_iter());
    }

    fn move_count(&self, player: Player) -> usize {
        let list = self.list(player);
        list.len() - usize::from(R::FAULT == Fault::CountIsOneShort && list.len() > 2)
    }

    fn nth_move(&self, player: Player, index: usize) -> Option<Of<R>> {
        let list = self.list(player);
        if R::FAULT == Fault::NthIsReversed {
            list.iter().rev().nth(index).copied()
        } else {
            list.get(index).copied()
        }
    }

    fn sample<T: Rng>(&self, player: Player, rng: &mut T) -> Option<Of<R>> {
        let list = self.list(player);
        if list.is_empty() {
            return None;
        }
        let mut place = rng.random_range(0..list.len());
        match R::FAULT {
            Fault::NeverDrawsHalf => place /= 2,
            Fault::DrawsTheFirstMoreOften => place = place.min(rng.random_range(0..list.len())),
            Fault::DrawsAnIllegalMove if self.place == 2 => return Some(Of::new(Push::Leap)),
            _ => {}
        }
        list.get(place).copied()
    }

    fn is_legal(&self, player: Player, mv: Of<R>) -> bool {
        match R::FAULT {
            Fault::LegalEverywhere => player == self.mover,
            Fault::LegalForTheWrongPlayer => self.list(self.mover).contains(&mv),
            Fault::DeniesALegalMove if self.place == 6 => false,
            _ => self.list(player).contains(&mv),
        }
    }

    fn play_turn(&mut self, Of(push, _): Of<R>) {
        assert!(R::FAULT != Fault::PlayPanics || self.place != 6 || push != Push::Stay, "nobody stays here");
        match push {
            Push::Back => self.place -= 1,
            Push::Stay => {}
            Push::On => self.place += 1,
            Push::Leap => panic!("no such move"),
        }
        if R::FAULT == Fault::PlaysByChance && push == Push::Stay {
            PLAYED.set(PLAYED.get() + 1);
            self.place = (self.place + (PLAYED.get() % 2) as u8).min(DOOR - 1);
        }
        self.mover = self.mover.opponent();
        self.turn += u8::from(R::FAULT != Fault::NeverEnds);
        if R::FAULT == Fault::CapStandsStill && self.turn == 4 {
            self.turn = 3;
        }
        if R::FAULT != Fault::StaleKey || push != Push::Back {
            self.key = self.fresh_key();
        }
        if R::FAULT == Fault::RepetitionKeyFromHistory {
            self.key = self.key.wrapping_add(1 << 40);
        }
    }

    fn end(&self) -> Option<End> {
        let at_the_door = match self.place {
            0 => Some(Player::Two),
            DOOR => Some(Player::One),
            _ => None,
        };
        let at_the_door = match R::FAULT {
            Fault::WrongWinner => at_the_door.map(Player::opponent),
            _ => at_the_door,
        };
        let cap = self.turn >= CAP && R::FAULT != Fault::CapWithoutEnd;
        let winner = at_the_door.map(|player| End::by_rule(Outcome::Win(player), "door"));
        winner.or(cap.then(|| End::by_cap(Outcome::Draw, "turns")))
    }

    fn utility(&self, player: Player) -> i32 {
        let paid = self.end().map_or(0, |end| end.outcome.sign(player));
        match R::FAULT {
            Fault::PaysBoth => paid.abs(),
            Fault::PaysTheLoser => -paid,
            Fault::PaysBeforeTheEnd if self.place == 7 => Outcome::Win(Player::One).sign(player),
            _ => paid,
        }
    }

    fn key(&self) -> u64 {
        if R::FAULT == Fault::RepetitionKeyFromHistory { self.fresh_key() } else { self.key }
    }

    fn key_text(&self) -> String {
        format!("{} {}", self.mover, self.place)
    }

    fn repetition_key(&self) -> Option<u64> {
        let turn = if R::FAULT == Fault::RepetitionKeyHoldsTheTurn { u64::from(self.turn) } else { 0 };
        // A game that goes on for ever counts no repetitions either.
        (R::FAULT != Fault::NeverEnds).then_some(self.key ^ turn << 32)
    }

    fn turns_left(&self) -> Option<u32> {
        (R::FAULT != Fault::NeverEnds).then(|| u32::from(CAP.saturating_sub(self.turn)))
    }
}

impl<R: Rules> TurnBased for Corridor<R> {
    fn to_move(&self) -> Player {
        match R::FAULT {
            Fault::ToMoveIsTheOther if self.place == 6 => self.mover.opponent(),
            _ => self.mover,
        }
    }

    fn winning_move(&self) -> Option<Of<R>> {
        let (next, push) = match self.mover {
            Player::One => (DOOR - 1, Push::On),
            Player::Two => (1, Push::Back),
        };
        match R::FAULT {
            Fault::MissesAWin if self.mover == Player::Two => None,
            Fault::NamesNoWin if self.place == 3 => Some(Of::new(push)),
            _ => (self.place == next && self.end().is_none()).then(|| Of::new(push)),
        }
    }
}
