//! Draws as the report's evaluation has them: worth 0, by mutual elimination, by repetition, by the last turn.

use std::collections::HashMap;

use ahash::RandomState;
use ropasci360::Position;
use search_core::{Player, Record};

use super::token_lists::{TokenSet, Tokens};

/// A board as the rule of repetition counts it: the tokens of both sides and their throws.
type Board = ([TokenSet; 2], [u8; 2]);

fn board(tokens: &Tokens) -> Board {
    (
        Player::BOTH.map(|player| tokens.set_after(player, None)),
        Player::BOTH.map(|player| tokens.thrown(player)),
    )
}

/// How often a board has to stand for a draw.
const REPEATED: u32 = 3;

/// What of a game tells whether a position of the search is a draw.
#[derive(Debug, Clone)]
pub struct Draws {
    turns: u32,
    stood: HashMap<Board, u32, RandomState>,
}

impl Draws {
    /// After this many turns of a game without a history.
    pub fn new(turns: u32) -> Draws {
        Draws { turns, stood: HashMap::with_hasher(RandomState::with_seeds(3, 6, 0, 10)) }
    }

    /// After the turns of a game.
    pub fn of(record: &Record<Position>) -> Draws {
        let mut draws = Draws::new(record.position().turns());
        let mut tokens = Tokens::new(record.start(), false);
        draws.count(&tokens);
        for &turn in record.turns() {
            tokens.play(turn);
            draws.count(&tokens);
        }
        draws
    }

    fn count(&mut self, tokens: &Tokens) {
        *self.stood.entry(board(tokens)).or_insert(0) += 1;
    }

    /// Whether this board, which nobody has won, is a draw this many turns further on.
    pub fn is_draw(&self, tokens: &Tokens, further: u32) -> bool {
        let spent = |player| tokens.thrown(player) == Position::THROWS && tokens.count(player) == 0;
        self.turns + further >= Position::TURN_LIMIT
            || Player::BOTH.into_iter().all(spent)
            || self.stood.get(&board(tokens)).is_some_and(|&times| times + 1 >= REPEATED)
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::{Phase, Settings, WON};
    use super::super::repetition_guard::RepetitionGuard;
    use super::super::search::{Movers, Pessimistic};
    use super::*;

    fn tokens(text: &str) -> Tokens {
        Tokens::new(&text.parse::<Position>().expect("a position"), false)
    }

    /// The value of one turn for Upper, with draws and without.
    fn values(tokens: &Tokens, draws: &Draws) -> [f64; 2] {
        let settings = Settings::default();
        [Some(draws), None].map(|draws| {
            let mut search = Pessimistic::new(Player::One, Phase::Normal, &settings, Movers::All);
            search.draws = draws;
            search.root(tokens, 1, &RepetitionGuard::new(Player::One)).0
        })
    }

    #[test]
    fn the_last_turn_draws() {
        let board = tokens("5/6/7/8/4R4/8/7/6/r4 5 5 20");
        assert_ne!(values(&board, &Draws::new(Position::TURN_LIMIT - 2))[0], 0.0);
        assert_eq!(values(&board, &Draws::new(Position::TURN_LIMIT - 1))[0], 0.0);
    }

    #[test]
    fn a_win_on_the_last_turn_stays_a_win() {
        // Lower's last token, a paper beside Upper's invincible scissors, cannot get away from all of them.
        let board = tokens("5/6/7/8/9/8/7/1S4/pS3 9 9 359");
        let [with, without] = values(&board, &Draws::new(Position::TURN_LIMIT - 1));
        assert_eq!((with, without), (WON, WON));
    }

    #[test]
    fn nobody_left_draws() {
        let empty = tokens("5/6/7/8/9/8/7/6/5 9 9 40");
        assert!(Draws::new(40).is_draw(&empty, 0));
        // With a throw left the game goes on.
        let throw_left = tokens("5/6/7/8/9/8/7/6/5 8 9 40");
        assert!(!Draws::new(40).is_draw(&throw_left, 0));
    }

    #[test]
    fn the_third_time_of_a_board_draws() {
        let start: Position = "5/6/7/8/4R2r1/8/7/6/5 5 5 20".parse().expect("a position");
        let mut record = Record::new(start);
        let play = |record: &mut Record<Position>, text: &str| {
            let (one, two) = text.split_once('|').expect("two moves");
            let turn = [one, two].map(|text| text.parse().expect("a move"));
            record.play(turn).expect("a legal turn");
        };
        let back = Tokens::new(&start, false);
        play(&mut record, "e5e6|e8e9");
        assert!(!Draws::of(&record).is_draw(&back, 1));
        play(&mut record, "e6e5|e9e8");
        play(&mut record, "e5e6|e8e9");
        // The start has stood twice: a turn that leads back to it draws.
        let draws = Draws::of(&record);
        assert!(draws.is_draw(&back, 1));
        // One more throw used makes it another board.
        assert!(!draws.is_draw(&tokens("5/6/7/8/4R2r1/8/7/6/5 6 5 20"), 1));
    }
}
