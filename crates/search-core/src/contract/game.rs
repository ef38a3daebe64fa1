//! The contract of a game: one trait for what all games share, two for the kinds.

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use rand::{Rng, RngExt};

use crate::{Count, End, MoveList, MoveSink, Nth, Outcome, Player};

/// Who acts in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Active {
    /// One player is to move.
    One(Player),
    /// Both players choose at the same time.
    Both,
}

impl Active {
    /// Whether `player` acts now.
    #[inline]
    pub fn includes(self, player: Player) -> bool {
        match self {
            Active::One(mover) => mover == player,
            Active::Both => true,
        }
    }

    /// The players who act now, in order.
    pub fn players(self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(move |&player| self.includes(player))
    }
}

/// What one turn of a game consists of: a move (turn-based), or a move of each player (simultaneous).
///
/// Implemented here for `M` and for `[M; 2]`; games name one of the two as [`Game::Turn`].
pub trait Turn<M>: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The turn in which the active players play these moves; `None` if a move is missing.
    fn from_moves(active: Active, moves: [Option<M>; 2]) -> Option<Self>;

    /// The move of `player` in this turn, `None` if `player` had none.
    fn move_of(&self, active: Active, player: Player) -> Option<M>;

    /// Whether both players move in each turn of this kind.
    const SIMULTANEOUS: bool;
}

impl<M: Copy + Eq + Hash + Debug + Send + Sync + 'static> Turn<M> for M {
    const SIMULTANEOUS: bool = false;

    #[inline]
    fn from_moves(active: Active, moves: [Option<M>; 2]) -> Option<Self> {
        match active {
            Active::One(player) => moves[player.index()],
            Active::Both => None,
        }
    }

    #[inline]
    fn move_of(&self, active: Active, player: Player) -> Option<M> {
        (active == Active::One(player)).then_some(*self)
    }
}

impl<M: Copy + Eq + Hash + Debug + Send + Sync + 'static> Turn<M> for [M; 2] {
    const SIMULTANEOUS: bool = true;

    #[inline]
    fn from_moves(_: Active, moves: [Option<M>; 2]) -> Option<Self> {
        match moves {
            [Some(one), Some(two)] => Some([one, two]),
            _ => None,
        }
    }

    #[inline]
    fn move_of(&self, _: Active, player: Player) -> Option<M> {
        Some(self[player.index()])
    }
}

/// How a board picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paint {
    /// Characters only.
    #[default]
    Plain,
    /// With ANSI colours, for terminals.
    Ansi,
}

/// The set-up of a game that always starts the same way. Its text is `standard`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Standard;

impl Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("standard")
    }
}

/// A text that is not the only set-up of the game, `standard`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseStandardError(String);

impl Display for ParseStandardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this game has one set-up: expected `standard` or nothing, found `{}`", self.0)
    }
}

impl Error for ParseStandardError {}

impl FromStr for Standard {
    type Err = ParseStandardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" | "standard" => Ok(Standard),
            other => Err(ParseStandardError(other.to_owned())),
        }
    }
}

/// A position of a two-player zero-sum game of full information: facts of the state only, no history.
///
/// The vocabulary is the textbook's: initial state, who is to move, actions, result, terminal, utility. `Display` and
/// `FromStr` are the one-line text of a position (`{:#}` draws a picture); both must round-trip. A position is small
/// and copied freely: there is no undo.
pub trait Game:
    Clone + Debug + Display + FromStr<Err: Error + Send + Sync + 'static> + Send + Sync + 'static
{
    /// The name in lower case, as on the command line.
    const NAME: &'static str;

    /// The number of occurrences of one [`Game::repetition_key`] that draws the game, if the game has such a rule.
    const REPETITION: Option<u32> = None;

    /// A move of one player. `Display` and `FromStr` are its notation and must round-trip.
    type Move: Copy
        + Eq
        + Hash
        + Debug
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync
        + 'static;

    /// What one turn consists of: `Self::Move` in a turn-based game, `[Self::Move; 2]` in a simultaneous one.
    type Turn: Turn<Self::Move>;

    /// An inline list that holds all moves of one player in any position.
    type Moves: MoveList<Self::Move>;

    /// What has to be known to set the game up (board size, variant); [`Standard`] if there is nothing to choose.
    type Setup: Clone
        + Debug
        + Default
        + Eq
        + Display
        + FromStr<Err: Error + Send + Sync + 'static>
        + Send
        + Sync
        + 'static;

    /// The initial state. The seed matters only to games that draw their start at random.
    fn initial(setup: &Self::Setup, seed: u64) -> Self;

    /// Who acts now. Also answers in a finished position (the player who would have acted).
    fn active(&self) -> Active;

    /// Puts every legal move of `player` into `sink`, each once. A player who is not active has none, and neither player has
    /// any once the game is over by [`Game::end`].
    fn moves_of<S: MoveSink<Self::Move>>(&self, player: Player, sink: &mut S);

    /// Plays one turn. The moves must be legal; this is checked in debug builds only. Anything from outside goes
    /// through [`Record::play`](crate::Record::play), which checks always.
    fn play_turn(&mut self, turn: Self::Turn);

    /// The end of the game by facts of this position, `None` while it goes on. Repetition is not a fact of a position:
    /// see [`Record`](crate::Record).
    fn end(&self) -> Option<End>;

    /// The payoff of a finished position for `player`; zero-sum. 0 while the game goes on.
    #[inline]
    fn utility(&self, player: Player) -> i32 {
        self.end().map_or(0, |end| end.outcome.sign(player))
    }

    /// A key for tables. Positions with equal keys are equal but for ply or turn counters.
    fn key(&self) -> u64;

    /// What [`Game::key`] stands for, as text: the position without its ply or turn counter. A game whose text holds a
    /// counter overrides this, so that the laws can see whether equal keys mean equal positions.
    fn key_text(&self) -> String {
        self.to_string()
    }

    /// What the repetition rule counts; `None` in a game without such a rule.
    #[inline]
    fn repetition_key(&self) -> Option<u64> {
        None
    }

    /// How many turns are left before a cap on the number of turns ends the game, if there is such a cap. A search
    /// takes no table cutoff when the cap lies within its remaining depth.
    #[inline]
    fn turns_left(&self) -> Option<u32> {
        None
    }

    /// The board drawn for people, several lines without a newline at the end.
    fn picture(&self, paint: Paint) -> String {
        let _ = paint;
        format!("{self:#}")
    }

    /// All legal moves of `player` as a list.
    #[inline]
    fn move_list(&self, player: Player) -> Self::Moves {
        let mut moves = Self::Moves::default();
        self.moves_of(player, &mut moves);
        moves
    }

    /// The number of legal moves of `player`.
    #[inline]
    fn move_count(&self, player: Player) -> usize {
        let mut count = Count(0);
        self.moves_of(player, &mut count);
        count.0
    }

    /// The legal move number `index` of `player`, in the order of [`Game::moves_of`].
    #[inline]
    fn nth_move(&self, player: Player, index: usize) -> Option<Self::Move> {
        let mut nth = Nth::new(index);
        self.moves_of(player, &mut nth);
        nth.found()
    }

    /// A legal move of `player`, drawn uniformly; `None` if there is none.
    #[inline]
    fn sample<R: Rng>(&self, player: Player, rng: &mut R) -> Option<Self::Move> {
        let count = self.move_count(player);
        if count == 0 { None } else { self.nth_move(player, rng.random_range(0..count)) }
    }

    /// Whether `mv` is a legal move of `player` here. Safe for any value of the move type.
    fn is_legal(&self, player: Player, mv: Self::Move) -> bool {
        self.move_list(player).as_ref().contains(&mv)
    }
}

/// A game in which the players move one after the other.
pub trait TurnBased: Game<Turn = <Self as Game>::Move> {
    /// The player to move.
    fn to_move(&self) -> Player;

    /// Puts every legal move of the player to move into `sink`.
    #[inline]
    fn moves<S: MoveSink<Self::Move>>(&self, sink: &mut S) {
        self.moves_of(self.to_move(), sink);
    }

    /// Plays a legal move.
    #[inline]
    fn play(&mut self, mv: Self::Move) {
        self.play_turn(mv);
    }

    /// The position after a legal move.
    #[inline]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_turn(mv);
        next
    }

    /// A legal move with which the player to move wins at once, if there is one: any of them.
    ///
    /// Searches ask before they order and try the moves one by one. A game that sees it at a glance, without playing every
    /// move, overrides it.
    fn winning_move(&self) -> Option<Self::Move> {
        let player = self.to_move();
        let mut moves = Self::Moves::default();
        self.moves(&mut moves);
        moves.as_ref().iter().copied().find(|&mv| {
            self.after(mv)
                .end()
                .is_some_and(|end| end.outcome == Outcome::Win(player) && !end.yields_to_repetition)
        })
    }
}

/// A game in which both players choose at the same time, in every turn.
pub trait Simultaneous: Game<Turn = [<Self as Game>::Move; 2]> {
    /// Plays a legal move of each player.
    #[inline]
    fn play(&mut self, moves: [Self::Move; 2]) {
        self.play_turn(moves);
    }

    /// The position after a legal move of each player.
    #[inline]
    fn after(&self, moves: [Self::Move; 2]) -> Self {
        let mut next = self.clone();
        next.play_turn(moves);
        next
    }
}
