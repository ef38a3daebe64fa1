//! Actions and planes as numbers: the laws hold for a right game and catch wrong ones.

use std::fmt;
use std::panic::catch_unwind;
use std::str::FromStr;

use search_core::laws::{Laws, action_indices_round_trip, planes_tell_positions_apart};
use search_core::{Active, Canvas, End, Game, Indexed, MoveSink, Planes, Player, Shape, Standard, TurnBased};
use toys::tic_tac_toe::{Cell, ParseError, TicTacToe};

#[test]
fn tic_tac_toe_is_right() {
    Laws::<TicTacToe>::new().check_one(action_indices_round_trip);
    Laws::<TicTacToe>::new().check_one(planes_tell_positions_apart);
}

#[test]
fn planes_are_the_viewers() {
    let mut position = TicTacToe::default();
    position.play("3".parse().expect("a cell"));
    let (own, other) = (position.planes(Player::One), position.planes(Player::Two));
    assert_eq!(own[position.shape().index(0, 0, 2)], 1.0);
    assert_eq!(other[position.shape().index(1, 0, 2)], 1.0);
    assert_eq!(own[..9], other[9..]);
    assert_eq!(own.iter().sum::<f32>(), 1.0);
}

#[test]
fn a_mask_marks_the_legal_actions() {
    let mut position = TicTacToe::default();
    position.play("3".parse().expect("a cell"));
    let mut mask = [false; 9];
    position.mark_legal(Player::Two, &mut mask);
    assert_eq!(mask, [true, true, false, true, true, true, true, true, true]);
    let mut short = [false; 2];
    position.mark_legal(Player::Two, &mut short);
    assert_eq!(short, [true; 2]);
}

#[test]
#[should_panic(expected = "the values of Shape")]
fn a_slice_of_the_wrong_length_is_refused() {
    TicTacToe::default().write_planes(Player::One, &mut [0.0; 17]);
}

/// Tic-tac-toe with a fault in its numbers.
#[derive(Clone)]
struct Faulty<const FAULT: usize>(TicTacToe);

const TWO_MOVES_ONE_NUMBER: usize = 0;
const TOO_FEW_ACTIONS: usize = 1;
const A_HOLE: usize = 2;
const ONE_PLAYER_IS_BLIND: usize = 3;
const A_COUNTER_SHOWS: usize = 4;
const OUT_OF_RANGE: usize = 5;
const NAMES_MISSING: usize = 6;

impl<const FAULT: usize> fmt::Debug for Faulty<FAULT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const FAULT: usize> fmt::Display for Faulty<FAULT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const FAULT: usize> FromStr for Faulty<FAULT> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Faulty)
    }
}

impl<const FAULT: usize> Game for Faulty<FAULT> {
    const NAME: &'static str = "faulty";

    type Move = Cell;
    type Turn = Cell;
    type Moves = <TicTacToe as Game>::Moves;
    type Setup = Standard;

    fn initial(setup: &Standard, seed: u64) -> Self {
        Faulty(TicTacToe::initial(setup, seed))
    }

    fn active(&self) -> Active {
        self.0.active()
    }

    fn moves_of<S: MoveSink<Cell>>(&self, player: Player, sink: &mut S) {
        self.0.moves_of(player, sink);
    }

    fn play_turn(&mut self, cell: Cell) {
        self.0.play_turn(cell);
    }

    fn end(&self) -> Option<End> {
        self.0.end()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn key_text(&self) -> String {
        let mut text = self.to_string();
        text.truncate(if FAULT == A_COUNTER_SHOWS { 8 } else { 9 });
        text
    }
}

impl<const FAULT: usize> Indexed for Faulty<FAULT> {
    const ACTIONS: usize = match FAULT {
        TOO_FEW_ACTIONS => 8,
        A_HOLE => 10,
        _ => 9,
    };

    fn index_of(cell: Cell) -> usize {
        let index = TicTacToe::index_of(cell);
        if FAULT == TWO_MOVES_ONE_NUMBER { index.max(1) } else { index }
    }

    fn action(index: usize) -> Option<Cell> {
        TicTacToe::action(index)
    }
}

impl<const FAULT: usize> Planes for Faulty<FAULT> {
    const PLANES: &'static [&'static str] =
        if FAULT == NAMES_MISSING { &["cells"] } else { TicTacToe::PLANES };

    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn draw_planes(&self, viewer: Player, canvas: &mut Canvas<'_>) {
        self.0.draw_planes(viewer, canvas);
        match FAULT {
            ONE_PLAYER_IS_BLIND if viewer == Player::Two => canvas.fill(1, 0.0),
            OUT_OF_RANGE => canvas.set(1, 2, 2, 2.0),
            _ => {}
        }
    }
}

/// What a law says of a game: nothing, or why it is broken.
fn said(law: impl FnOnce() + std::panic::UnwindSafe) -> String {
    catch_unwind(law).err().and_then(|panic| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn said_of_actions<const FAULT: usize>() -> String {
    said(|| Laws::<Faulty<FAULT>>::new().check_one(action_indices_round_trip))
}

fn said_of_planes<const FAULT: usize>() -> String {
    said(|| Laws::<Faulty<FAULT>>::new().check_one(planes_tell_positions_apart))
}

#[test]
fn wrong_numbers_are_caught() {
    let two = said_of_actions::<TWO_MOVES_ONE_NUMBER>();
    assert!(two.contains("the number of the action `1` differs"), "{two}");
    let few = said_of_actions::<TOO_FEW_ACTIONS>();
    assert!(few.contains("there are 8 actions, but number 8 is one"), "{few}");
    let hole = said_of_actions::<A_HOLE>();
    assert!(hole.contains("no action has the number 9 of 10"), "{hole}");
}

#[test]
fn wrong_planes_are_caught() {
    let blind = said_of_planes::<ONE_PLAYER_IS_BLIND>();
    assert!(blind.contains("have the same planes for p2"), "{blind}");
    let counter = said_of_planes::<A_COUNTER_SHOWS>();
    assert!(counter.contains("have unequal planes for p1"), "{counter}");
    let range = said_of_planes::<OUT_OF_RANGE>();
    assert!(range.contains("hold 2, which is not from 0 to 1"), "{range}");
    let names = said_of_planes::<NAMES_MISSING>();
    assert!(names.contains("the number of planes differs"), "{names}");
}
