//! Unused variants of the greedy bot that hand over to an alpha-beta search in the course of the game.

use ::expendibots::{Move, Position};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Answer, Bot, BotFailure, Evaluate, Hooks, Limits, Player, Score, SearchBot,
    Task,
};

use crate::{OptionInfo, Options, Values};

/// The options of the hand-over.
pub(crate) const OPTIONS: [OptionInfo; 3] = [
    OptionInfo {
        key: "until",
        values: Values::Choice(&["end", "plies", "squares", "tokens"]),
        default: "end",
        about: "hands over to alpha-beta (unused variants): never, after 15 plies, with 8 occupied squares or fewer, with 2 \
                enemy tokens or fewer",
    },
    OptionInfo {
        key: "depth",
        values: Values::Integer(1, 12),
        default: "5",
        about: "plies of that alpha-beta, 5 or 7 in the authors' code (whose search returned after its first move; this one \
                does not)",
    },
    OptionInfo {
        key: "parts",
        values: Values::Integer(0, 1000),
        default: "1",
        about: "weight of a component in its evaluation; a token counts 1",
    },
];

/// When the search takes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    Plies,
    Squares,
    Tokens,
}

impl Until {
    fn is_over(self, position: &Position, player: Player) -> bool {
        match self {
            Until::Plies => position.plies() >= 15,
            Until::Squares => position.occupied().len() <= 8,
            Until::Tokens => position.tokens(player.opponent()) <= 2,
        }
    }
}

/// The evaluation of that search: a boom with net gain, else tokens and components, own less the enemy's.
#[derive(Debug, Clone, Copy)]
struct Counting {
    components: i32,
}

/// The worth of a boom with net gain for the player to move.
const GOOD_BOOM: i32 = 10_000;

impl Evaluate<Position> for Counting {
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        let mover = position.side();
        let enemy = mover.opponent();
        let gains = position
            .components_meeting(position.touching(mover))
            .any(|component| component.tokens(enemy) > component.tokens(mover));
        let value = if gains {
            GOOD_BOOM
        } else {
            let tokens = i32::from(position.tokens(mover)) - i32::from(position.tokens(enemy));
            let count = |player: Player| position.components_meeting(position.stacks(player)).count() as i32;
            tokens + self.components * (count(mover) - count(enemy))
        };
        Score::new(if player == mover { value } else { -value })
    }
}

/// A bot that plays until its time has come, and the search after it.
struct Relay {
    first: Box<dyn Bot<Position>>,
    then: Box<dyn Bot<Position>>,
    until: Until,
}

impl std::fmt::Debug for Relay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Relay").field("until", &self.until).finish_non_exhaustive()
    }
}

impl Bot<Position> for Relay {
    fn new_game(&mut self, player: Player, seed: u64) -> Result<(), BotFailure> {
        self.first.new_game(player, seed)?;
        self.then.new_game(player, seed)
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        if self.until.is_over(task.record.position(), task.player) {
            self.then.choose(task)
        } else {
            self.first.choose(task)
        }
    }
}

/// The bot itself, or, if the options say so, one that hands over.
pub(crate) fn handing_over(first: Box<dyn Bot<Position>>, options: &Options<'_>) -> Box<dyn Bot<Position>> {
    let until = match options.text("until") {
        "plies" => Until::Plies,
        "squares" => Until::Squares,
        "tokens" => Until::Tokens,
        _ => return first,
    };
    let components = options.integer("parts").unwrap_or(1) as i32;
    let depth = options.integer("depth").unwrap_or(5) as u32;
    let search = AlphaBeta::new(Hooks::new(Counting { components }), AlphaBetaSettings::default());
    let then = Box::new(SearchBot::new(search).with_cap(Limits::depth(depth)));
    Box::new(Relay { first, then, until })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        text.parse().expect("a position")
    }

    #[test]
    fn the_search_takes_over_at_the_boundary() {
        let start = Position::start();
        assert!(!Until::Plies.is_over(&start, Player::One));
        assert!(Until::Plies.is_over(&position("8/8/8/8/8/8/8/A6a b 15"), Player::Two));
        assert!(!Until::Plies.is_over(&position("8/8/8/8/8/8/8/A6a w 14"), Player::One));
        assert!(Until::Squares.is_over(&position("8/8/8/8/aaaa4/8/8/AAAA4 w 40"), Player::One));
        assert!(!Until::Squares.is_over(&position("8/8/8/8/aaaaa3/8/8/AAAA4 w 40"), Player::One));
        assert!(Until::Tokens.is_over(&position("8/8/8/8/b7/8/8/AAAA4 w 40"), Player::One));
        assert!(!Until::Tokens.is_over(&position("8/8/8/8/b7/8/8/AAAA4 b 41"), Player::Two));
    }

    #[test]
    fn its_evaluation_counts_tokens_and_components() {
        let counting = Counting { components: 3 };
        let of = |text: &str, player| counting.evaluate(&position(text), player).value();
        // Four tokens in two components against three in one: 1 + 3 * 1.
        assert_eq!(of("8/8/8/8/aaa5/8/8/AA3AA1 w 40", Player::One), 4);
        assert_eq!(of("8/8/8/8/aaa5/8/8/AA3AA1 w 40", Player::Two), -4);
        // White to move takes two for one.
        assert_eq!(of("8/8/8/8/8/8/b7/A5A1 w 40", Player::One), GOOD_BOOM);
        // Black to move would lose two for one.
        assert_eq!(of("8/8/8/8/8/8/b7/A5A1 b 41", Player::Two), 0 - 3);
    }
}
