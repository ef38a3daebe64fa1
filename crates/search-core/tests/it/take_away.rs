//! Take Away: the game of `docs/adding-a-game.md`.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use search_core::laws::{Laws, Oracle};
use search_core::{
    Active, AlphaBeta, AlphaBetaSettings, End, Ends, Game, Hooks, Limits, MoveSink, Outcome, Player, Record,
    Score, Search, Standard, TurnBased, Zero, perft, reference, split_mix,
};
use smallvec::SmallVec;

/// How many stones are left, and who is to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TakeAway {
    stones: u8,
    mover: Player,
}

impl fmt::Display for TakeAway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(&"o".repeat(self.stones.into()));
        }
        write!(f, "{} {}", self.mover, self.stones)
    }
}

/// A text that is not a position or a move of Take Away.
#[derive(Debug)]
struct ParseError {
    expected: &'static str,
    found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl Error for ParseError {}

/// A number from `least` to `most`, written the one way that `Display` writes it.
fn number(text: &str, least: u8, most: u8) -> Option<u8> {
    let number = text.parse().ok()?;
    ((least..=most).contains(&number) && number.to_string() == text).then_some(number)
}

impl FromStr for TakeAway {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseError { expected: "`p1` or `p2` and 0 to 21 stones", found: text.to_owned() };
        let (mover, stones) = text.split_once(' ').ok_or_else(fail)?;
        Ok(TakeAway {
            mover: mover.parse().map_err(|_| fail())?,
            stones: number(stones, 0, 21).ok_or_else(fail)?,
        })
    }
}

/// How many stones to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Take(u8);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Take {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseError { expected: "1 to 3 stones", found: text.to_owned() };
        number(text, 1, 3).map(Take).ok_or_else(fail)
    }
}

impl Game for TakeAway {
    const NAME: &'static str = "take-away";

    type Move = Take;
    type Turn = Take;
    type Moves = SmallVec<[Take; 3]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        TakeAway { stones: 21, mover: Player::One }
    }

    fn active(&self) -> Active {
        Active::One(self.mover)
    }

    fn moves_of<S: MoveSink<Take>>(&self, player: Player, sink: &mut S) {
        if player == self.mover {
            let most = self.stones.min(3);
            sink.push_set(most.into(), (1..=most).map(Take));
        }
    }

    fn play_turn(&mut self, Take(stones): Take) {
        debug_assert!((1..=self.stones.min(3)).contains(&stones), "{stones} of {}", self.stones);
        self.stones -= stones;
        self.mover = self.mover.opponent();
    }

    fn end(&self) -> Option<End> {
        let winner = self.mover.opponent();
        (self.stones == 0).then(|| End::by_rule(Outcome::Win(winner), "last-stone"))
    }

    fn key(&self) -> u64 {
        split_mix(u64::from(self.stones) << 1 | self.mover as u64)
    }
}

impl TurnBased for TakeAway {
    fn to_move(&self) -> Player {
        self.mover
    }
}

search_core::game_laws!(TakeAway, Laws::new().longest(21));

/// Take Away once more, from the rules instead of the code above: an opening, and what the players have taken since.
struct Table {
    opening: String,
    taken: Vec<u32>,
}

impl Table {
    /// The stones that are left.
    fn stones(&self) -> u32 {
        let opening: u32 = self.opening[3..].parse().expect("a number of stones");
        opening - self.taken.iter().sum::<u32>()
    }

    /// Whose turn it is: the players alternate.
    fn mover(&self) -> &'static str {
        let swapped = self.taken.len() % 2 == 1;
        if self.opening.starts_with("p1") == swapped { "p2" } else { "p1" }
    }
}

impl Oracle for Table {
    fn read(text: &str) -> Self {
        Table { opening: text.to_owned(), taken: Vec::new() }
    }

    fn text(&self) -> String {
        format!("{} {}", self.mover(), self.stones())
    }

    fn moves(&self, player: Player) -> Vec<String> {
        let mut moves = Vec::new();
        for take in [1, 2, 3] {
            if player.to_string() == self.mover() && take <= self.stones() {
                moves.push(take.to_string());
            }
        }
        moves
    }

    fn end(&self) -> Option<String> {
        // The player before the one who finds an empty table took the last stone, and wins.
        let winner = if self.mover() == "p1" { "p2" } else { "p1" };
        (self.stones() == 0).then(|| format!("{winner} (last-stone)"))
    }

    fn play(&mut self, turn: &str) {
        self.taken.push(turn.parse().expect("a number of stones"));
    }
}

#[test]
fn both_implementations_agree() {
    Laws::<TakeAway>::new().agrees_with::<Table>();
}

/// A generator as one writes it in a hurry.
fn moves_in_a_hurry(position: TakeAway, player: Player) -> Vec<Take> {
    let stones = if player == position.mover { position.stones } else { 0 };
    (1..=3).filter(|&take| take < stones).map(Take).collect()
}

#[test]
#[should_panic(expected = "
  start `p1 1`, no moves
  the moves of p1 at `p1 1` differ (1 in the game, 0 in your generator):
    only in the game: `1`")]
fn a_wrong_generator_is_found() {
    Laws::<TakeAway>::new().moves_agree(|&position, player| moves_in_a_hurry(position, player));
}

#[test]
fn perft_counts_the_games() {
    let start = TakeAway::initial(&Standard, 0);
    assert_eq!((1..=4).map(|depth| perft(&start, depth)).collect::<Vec<_>>(), [3, 9, 27, 81]);
}

#[test]
fn the_record_is_the_referee() {
    let mut record = Record::new("p1 2".parse::<TakeAway>().unwrap());
    let refused = record.play(Take(3)).unwrap_err();
    assert_eq!(refused.to_string(), "`3` is not a legal move of p1; legal: 1 2");
    let end = record.play(Take(2)).unwrap().unwrap();
    assert_eq!(end.to_string(), "p1 (last-stone)");
}

#[test]
fn the_searches_solve_it() {
    let record = Record::new(TakeAway::initial(&Standard, 0));
    let mut search = AlphaBeta::new(Hooks::new(Zero), AlphaBetaSettings::default());
    let analysis = search.analyse(&record, Limits::depth(21));
    // Leave the opponent a multiple of four.
    assert_eq!(analysis.best, Some(Take(1)));
    assert_eq!(analysis.score, Score::win_in(11));
    assert_eq!(reference::minimax(&record, 11, &Zero, Ends::Outcome).score, Score::win_in(11));
    assert_eq!(reference::minimax(&record, 10, &Zero, Ends::Outcome).score, Score::DRAW);
}

#[test]
fn bad_texts_are_errors() {
    for text in ["", "p1", "p3 4", "p1 22", "p1 -1", "p1 07", "p2  3"] {
        assert!(text.parse::<TakeAway>().is_err(), "{text}");
    }
    assert_eq!("4".parse::<Take>().unwrap_err().to_string(), "expected 1 to 3 stones, found `4`");
}
