//! Laws of games in which the players move one after the other.

use super::differences::{Broken, holds, same};
use crate::strategies::Walk;
use crate::{Active, Outcome, TurnBased};

/// `to_move` names the player whom `active` names: the searches ask the one, the referee the other.
pub fn to_move_is_active<G: TurnBased>(walk: &Walk<G>) -> Result<(), Broken> {
    walk.positions().iter().try_for_each(|position| {
        same(
            &format!("who moves at `{position}`"),
            ["`active`", "`to_move`"],
            &position.active(),
            &Active::One(position.to_move()),
        )
    })
}

/// Where a player can win with one move [`TurnBased::winning_move`] names a move that does, and otherwise none.
pub fn winning_moves_win<G: TurnBased>(walk: &Walk<G>) -> Result<(), Broken> {
    let wins = |position: &G, mv: G::Move| {
        position
            .after(mv)
            .end()
            .is_some_and(|end| end.outcome == Outcome::Win(position.to_move()) && !end.yields_to_repetition)
    };
    for position in walk.positions() {
        let moves = position.move_list(position.to_move());
        if let Some(mv) = position.winning_move() {
            holds(moves.as_ref().contains(&mv) && wins(position, mv), || {
                format!("`winning_move` names `{mv}` at `{position}`, which does not win")
            })?;
        } else if let Some(missed) = moves.as_ref().iter().find(|&&mv| wins(position, mv)) {
            return Err(format!("`winning_move` names no move at `{position}`, but `{missed}` wins"));
        }
    }
    Ok(())
}
