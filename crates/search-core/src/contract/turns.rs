//! Turns as text and as lists: what referee, perft, laws and tournaments share over both kinds of games.

use std::error::Error;
use std::fmt;

use rand::Rng;

use crate::{Active, Each, Game, Player, Turn};

/// Calls `visit` with every legal turn of a position: each move, or each pair of moves.
#[inline]
pub fn for_each_turn<G: Game>(position: &G, mut visit: impl FnMut(G::Turn)) {
    let active = position.active();
    match active {
        Active::One(player) => position.moves_of(
            player,
            &mut Each(|mv| {
                // The seat of the other player is not looked at. With the move in both, none has to be chosen each time.
                if let Some(turn) = G::Turn::from_moves(active, [Some(mv); 2]) {
                    visit(turn);
                }
            }),
        ),
        Active::Both => {
            let two = position.move_list(Player::Two);
            for &first in position.move_list(Player::One).as_ref() {
                for &second in two.as_ref() {
                    if let Some(turn) = G::Turn::from_moves(active, [Some(first), Some(second)]) {
                        visit(turn);
                    }
                }
            }
        }
    }
}

/// The number of legal turns: the product of the move counts of the active players.
#[inline]
pub fn turn_count<G: Game>(position: &G) -> u64 {
    let count = |player| position.move_count(player) as u64;
    match position.active() {
        Active::One(player) => count(player),
        Active::Both => count(Player::One) * count(Player::Two),
    }
}

/// The text of a turn: the move, or `first|second` where both players move.
pub fn turn_text<G: Game>(active: Active, turn: G::Turn) -> String {
    let texts: Vec<String> = active
        .players()
        .filter_map(|player| turn.move_of(active, player))
        .map(|mv: G::Move| mv.to_string())
        .collect();
    texts.join("|")
}

/// Draws a legal turn uniformly; `None` if there is none.
#[inline]
pub fn sample_turn<G: Game, R: Rng>(position: &G, rng: &mut R) -> Option<G::Turn> {
    let active = position.active();
    let mut moves = [None, None];
    for player in active.players() {
        moves[player.index()] = position.sample(player, rng);
    }
    G::Turn::from_moves(active, moves)
}

/// Plays random turns until the game ends by [`Game::end`]; how many. Repetition plays no part.
///
/// ```
/// # use search_core::{Game, SearchRng, play_out};
/// # fn example<G: Game>(mut position: G) {
/// let turns = play_out(&mut position, &mut SearchRng::new(1, "a playout"));
/// println!("{:?} after {turns} turns", position.end());
/// # }
/// ```
#[inline]
pub fn play_out<G: Game, R: Rng>(position: &mut G, rng: &mut R) -> u32 {
    let mut turns = 0;
    while position.end().is_none()
        && let Some(turn) = sample_turn(position, rng)
    {
        position.play_turn(turn);
        turns += 1;
    }
    turns
}

/// A text that is not a turn of the game.
#[derive(Debug)]
pub struct ParseTurnError {
    text: String,
    expected: &'static str,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl fmt::Display for ParseTurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.text)?;
        self.cause.as_ref().map_or(Ok(()), |cause| write!(f, ": {cause}"))
    }
}

impl Error for ParseTurnError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

/// Reads the text of a turn. Whether it is legal is not looked at.
pub fn parse_turn<G: Game>(active: Active, text: &str) -> Result<G::Turn, ParseTurnError> {
    let expected = match active {
        Active::One(_) => "one move",
        Active::Both => "two moves joined by `|`",
    };
    let fail = |cause| ParseTurnError { text: text.to_owned(), expected, cause };
    let mut parts = text.split('|');
    let mut moves = [None, None];
    for player in active.players() {
        let part = parts.next().ok_or_else(|| fail(None))?;
        let mv = part.trim().parse::<G::Move>().map_err(|cause| fail(Some(cause.into())))?;
        moves[player.index()] = Some(mv);
    }
    if parts.next().is_some() {
        return Err(fail(None));
    }
    G::Turn::from_moves(active, moves).ok_or_else(|| fail(None))
}
