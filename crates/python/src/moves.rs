//! Moves as Python gives them: as text, or as the number of an action.

use pyo3::prelude::*;
use pyo3::types::PyString;
use search_core::{Active, IllegalMove, Indexed, Player, Record, Turn, parse_turn};

use crate::arguments::{mistake, shown, wrong_type};

/// Reads a move. Whether it is legal is not looked at.
pub(crate) fn read_move<G: Indexed>(given: &Bound<'_, PyAny>) -> PyResult<G::Move> {
    if let Ok(text) = given.cast::<PyString>() {
        return text.to_str()?.parse().map_err(mistake);
    }
    match given.extract::<usize>() {
        Ok(index) => G::action(index).ok_or_else(|| no_action::<G>(given)),
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(given.py()) => {
            Err(no_action::<G>(given))
        }
        Err(_) => Err(wrong_type("a move as text or the number of an action", given)),
    }
}

fn no_action<G: Indexed>(given: &Bound<'_, PyAny>) -> PyErr {
    mistake(format!("{} has the actions 0 to {}, found {}", G::NAME, G::ACTIONS - 1, shown(given)))
}

/// Reads a turn: a move; or two moves where both players move, or their text `first|second`.
pub(crate) fn read_turn<G: Indexed>(
    active: Active,
    first: &Bound<'_, PyAny>,
    second: Option<&Bound<'_, PyAny>>,
) -> PyResult<G::Turn> {
    match (active, second) {
        (Active::One(_), None) => turn::<G>(active, [Some(read_move::<G>(first)?); 2]),
        (Active::One(_), Some(_)) => Err(mistake("expected one move, found two")),
        (Active::Both, Some(second)) => {
            turn::<G>(active, [Some(read_move::<G>(first)?), Some(read_move::<G>(second)?)])
        }
        (Active::Both, None) => match first.cast::<PyString>() {
            Ok(text) => parse_turn::<G>(active, text.to_str()?).map_err(mistake),
            Err(_) => Err(mistake("both players move: expected two moves, found one")),
        },
    }
}

fn turn<G: Indexed>(active: Active, moves: [Option<G::Move>; 2]) -> PyResult<G::Turn> {
    G::Turn::from_moves(active, moves).ok_or_else(|| mistake("expected a move of every player who moves"))
}

/// Checks a turn in a position by itself.
pub(crate) fn check_turn<G: Indexed>(position: &G, turn: G::Turn) -> Result<(), IllegalMove<G>> {
    let active = position.active();
    for player in active.players() {
        let Some(mv) = turn.move_of(active, player) else { continue };
        // The record words the error.
        if position.end().is_some() || !position.is_legal(player, mv) {
            Record::new(position.clone()).check(player, mv)?;
        }
    }
    Ok(())
}

/// Whose moves are asked for: those of the player to move, unless both move.
pub(crate) fn asked<G: Indexed>(position: &G, player: Option<crate::arguments::Seat>) -> PyResult<Player> {
    match (player, position.active()) {
        (Some(seat), _) => Ok(seat.0),
        (None, Active::One(player)) => Ok(player),
        (None, Active::Both) => Err(mistake("both players move: say whose moves, 0 or 1")),
    }
}
