//! Laws of the texts of positions and moves.

use super::differences::{Broken, holds, legal_texts, same, same_moves};
use crate::strategies::Walk;
use crate::{Game, Player, parse_turn, turn_text};

const READ: [&str; 2] = ["written", "read"];

/// A position is read back from its text as the same position: text, active players, end, moves, picture.
pub fn position_texts_round_trip<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        let text = position.to_string();
        holds(!text.contains('\n'), || format!("the text of a position is one line, this is not: {text:?}"))?;
        let again: G = read(&text)?;
        let of = |what: &str| format!("{what} of `{text}`");
        same("the text", READ, &text, &again.to_string())?;
        same(&of("the active player"), READ, &position.active(), &again.active())?;
        same(&of("the end"), READ, &position.end(), &again.end())?;
        same(&of("the number of turns left"), READ, &position.turns_left(), &again.turns_left())?;
        same(&of("the picture"), READ, &format!("{position:#}"), &format!("{again:#}"))?;
        for player in Player::BOTH {
            let moves = [position, &again].map(|position| legal_texts(position, player));
            same_moves(&of(&format!("the moves of {player}")), READ, &moves[0], &moves[1])?;
            let utility = of(&format!("the utility for {player}"));
            same(&utility, READ, &position.utility(player), &again.utility(player))?;
        }
    }
    Ok(())
}

/// A move is read back from its text as the same move, and so is a turn.
pub fn move_texts_round_trip<G: Game>(walk: &Walk<G>) -> Result<(), Broken> {
    for position in walk.positions() {
        for player in Player::BOTH {
            for mv in position.move_list(player).as_ref() {
                let text = mv.to_string();
                match text.parse::<G::Move>() {
                    Ok(again) => same(&format!("the move `{text}`"), READ, mv, &again)?,
                    Err(error) => {
                        return Err(format!("the legal move `{text}` at `{position}` is not read: {error}"));
                    }
                }
                holds(!text.contains(['|', ' ', '\n']), || format!("the move `{text}` holds a separator"))?;
            }
        }
    }
    for (position, &turn) in walk.positions().iter().zip(walk.turns()) {
        let text = turn_text::<G>(position.active(), turn);
        match parse_turn::<G>(position.active(), &text) {
            Ok(again) => same(&format!("the turn `{text}`"), READ, &turn, &again)?,
            Err(error) => return Err(format!("the turn `{text}` at `{position}` is not read: {error}")),
        }
    }
    Ok(())
}

pub(super) fn read<G: Game>(text: &str) -> Result<G, Broken> {
    text.parse()
        .map_err(|error| format!("the position `{text}` that the game wrote is not read again: {error}"))
}
