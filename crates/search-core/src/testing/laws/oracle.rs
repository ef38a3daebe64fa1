//! A second implementation of a game, for the differential law.

use super::differences::legal_texts;
use crate::{Game, Player, parse_turn};

/// A second implementation of a game, for the differential law: as plain as it likes, it speaks in texts only.
/// Implemented by [`Through`] for everything that is a [`Game`] itself.
pub trait Oracle {
    /// The position of a text that the first implementation wrote.
    fn read(text: &str) -> Self;
    /// The text of the position.
    fn text(&self) -> String;
    /// The texts of the legal moves of `player`, in any order; none if the player is not active or the game is over.
    fn moves(&self, player: Player) -> Vec<String>;
    /// The end by facts of the position, written like an [`End`](crate::End): `p1 (elimination)`.
    fn end(&self) -> Option<String>;
    /// Plays a legal turn: the text of the move, or `first|second`.
    fn play(&mut self, turn: &str);
}

/// A [`Game`] as an [`Oracle`].
#[derive(Debug, Clone)]
pub struct Through<G>(pub G);

impl<G: Game> Oracle for Through<G> {
    fn read(text: &str) -> Self {
        Through(text.parse().unwrap_or_else(|error| panic!("the oracle cannot read `{text}`: {error}")))
    }

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn moves(&self, player: Player) -> Vec<String> {
        legal_texts(&self.0, player)
    }

    fn end(&self) -> Option<String> {
        self.0.end().map(|end| end.to_string())
    }

    fn play(&mut self, turn: &str) {
        match parse_turn::<G>(self.0.active(), turn) {
            Ok(turn) => self.0.play_turn(turn),
            Err(error) => panic!("the oracle cannot read the turn: {error}"),
        }
    }
}
