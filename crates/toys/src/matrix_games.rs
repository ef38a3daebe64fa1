//! Two small games in which both players choose at the same time.

use std::fmt;
use std::str::FromStr;

use search_core::{Active, End, Game, MoveSink, Outcome, Player, Simultaneous, Standard, split_mix};

pub use crate::parse::ParseError;
use smallvec::SmallVec;

/// The end of a game that pays this much to the first player.
fn end_of(payoff: i32) -> End {
    let outcome = match payoff.signum() {
        1 => Outcome::Win(Player::One),
        -1 => Outcome::Win(Player::Two),
        _ => Outcome::Draw,
    };
    End::by_rule(outcome, "payoff")
}

fn for_player(player: Player, payoff: i32) -> i32 {
    if player == Player::One { payoff } else { -payoff }
}

/// Rock, paper, scissors with unequal stakes. Its only equilibrium plays rock, paper and scissors with probabilities 1/16,
/// 10/16 and 5/16; its value is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BiasedRps {
    shown: Option<[Hand; 2]>,
}

impl BiasedRps {
    /// What the first player wins: a row for each hand of the first player, a column for each of the second.
    pub const PAYOFFS: [[i32; 3]; 3] = [[0, -25, 50], [25, 0, -5], [-50, 5, 0]];
}

/// Rock, paper or scissors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hand {
    /// Beats scissors, written `r`.
    Rock,
    /// Beats rock, written `p`.
    Paper,
    /// Beats paper, written `s`.
    Scissors,
}

impl Hand {
    /// All hands.
    pub const ALL: [Hand; 3] = [Hand::Rock, Hand::Paper, Hand::Scissors];
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hand::Rock => "r",
            Hand::Paper => "p",
            Hand::Scissors => "s",
        })
    }
}

impl FromStr for Hand {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Hand::ALL
            .into_iter()
            .find(|hand| hand.to_string() == text)
            .ok_or_else(|| ParseError { expected: "`r`, `p` or `s`", found: text.to_owned() })
    }
}

impl fmt::Display for BiasedRps {
    /// `--` before the turn, the two hands after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shown {
            None => f.write_str("--"),
            Some([one, two]) => write!(f, "{one}{two}"),
        }
    }
}

impl FromStr for BiasedRps {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "--" {
            return Ok(BiasedRps { shown: None });
        }
        match text.char_indices().nth(1) {
            Some((second, _)) => {
                Ok(BiasedRps { shown: Some([text[..second].parse()?, text[second..].parse()?]) })
            }
            None => Err(ParseError { expected: "`--` or two hands", found: text.to_owned() }),
        }
    }
}

impl Game for BiasedRps {
    const NAME: &'static str = "biased-rps";

    type Move = Hand;
    type Turn = [Hand; 2];
    type Moves = SmallVec<[Hand; 3]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        BiasedRps::default()
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Hand>>(&self, _: Player, sink: &mut S) {
        if self.shown.is_none() {
            sink.push_set(3, Hand::ALL.into_iter());
        }
    }

    fn play_turn(&mut self, hands: [Hand; 2]) {
        debug_assert!(self.shown.is_none(), "the game is over");
        self.shown = Some(hands);
    }

    fn end(&self) -> Option<End> {
        self.shown.map(|_| end_of(self.utility(Player::One)))
    }

    fn utility(&self, player: Player) -> i32 {
        self.shown.map_or(0, |[one, two]| for_player(player, Self::PAYOFFS[one as usize][two as usize]))
    }

    fn key(&self) -> u64 {
        split_mix(self.shown.map_or(0, |[one, two]| 1 + 3 * one as u64 + two as u64))
    }
}

impl Simultaneous for BiasedRps {}

/// Two turns of left or right: the first turn decides which of four matrices the second one is played on.
///
/// Solved backwards, the four matrices are worth 1, 0, 0 and 3, so the first turn is worth 3/4 and each player takes left
/// three times in four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TwoStage {
    turns: [Option<[Side; 2]>; 2],
}

impl TwoStage {
    /// What the first player wins, by the four choices: first turn of each player, then second turn of each player.
    pub const PAYOFFS: [[[[i32; 2]; 2]; 2]; 2] =
        [[[[3, -1], [-1, 3]], [[2, -2], [-2, 2]]], [[[-4, 4], [4, -4]], [[3, 5], [1, 9]]]];
}

/// Left or right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Written `l`.
    Left,
    /// Written `r`.
    Right,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Side::Left { "l" } else { "r" })
    }
}

impl FromStr for Side {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "l" => Ok(Side::Left),
            "r" => Ok(Side::Right),
            _ => Err(ParseError { expected: "`l` or `r`", found: text.to_owned() }),
        }
    }
}

impl fmt::Display for TwoStage {
    /// The choices so far, both players' of the first turn and then of the second, and `-` for each turn to come.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for turn in self.turns {
            match turn {
                None => f.write_str("-")?,
                Some([one, two]) => write!(f, "{one}{two}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for TwoStage {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let side = |byte: u8| char::from(byte).to_string().parse::<Side>();
        let turns = match text.as_bytes() {
            b"--" => [None, None],
            [one, two, b'-'] => [Some([side(*one)?, side(*two)?]), None],
            [one, two, three, four] => {
                [Some([side(*one)?, side(*two)?]), Some([side(*three)?, side(*four)?])]
            }
            _ => {
                return Err(ParseError {
                    expected: "`--`, or such as `lr-` or `lrrl`",
                    found: text.to_owned(),
                });
            }
        };
        Ok(TwoStage { turns })
    }
}

impl Game for TwoStage {
    const NAME: &'static str = "two-stage";

    type Move = Side;
    type Turn = [Side; 2];
    type Moves = SmallVec<[Side; 2]>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        TwoStage::default()
    }

    fn active(&self) -> Active {
        Active::Both
    }

    fn moves_of<S: MoveSink<Side>>(&self, _: Player, sink: &mut S) {
        if self.turns[1].is_none() {
            sink.push_set(2, [Side::Left, Side::Right].into_iter());
        }
    }

    fn play_turn(&mut self, sides: [Side; 2]) {
        debug_assert!(self.turns[1].is_none(), "the game is over");
        let next = usize::from(self.turns[0].is_some());
        self.turns[next] = Some(sides);
    }

    fn end(&self) -> Option<End> {
        self.turns[1].map(|_| end_of(self.utility(Player::One)))
    }

    fn utility(&self, player: Player) -> i32 {
        let [Some([a, b]), Some([c, d])] = self.turns else { return 0 };
        for_player(player, Self::PAYOFFS[a as usize][b as usize][c as usize][d as usize])
    }

    fn key(&self) -> u64 {
        let digits = self.turns.iter().flatten().flatten();
        split_mix(digits.fold(1, |word, &side| word << 1 | side as u64))
    }

    fn turns_left(&self) -> Option<u32> {
        Some(self.turns.iter().filter(|turn| turn.is_none()).count() as u32)
    }
}

impl Simultaneous for TwoStage {}
