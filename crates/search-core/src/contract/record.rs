//! The record of one game: the referee's truth.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;

use ahash::RandomState;

use crate::{End, Game, Player, Turn, turn_text};

/// A game from its start to now: positions are checked, repetitions counted, and the end decided here and nowhere else.
///
/// Ends by the rules of the board come first, then repetition, then a cap on the number of turns.
#[derive(Debug, Clone)]
pub struct Record<G: Game> {
    start: G,
    turns: Vec<G::Turn>,
    position: G,
    /// Repetition keys of all positions so far, the start included; empty in a game without the rule.
    keys: Vec<u64>,
    counts: HashMap<u64, u32, RandomState>,
    end: Option<End>,
}

impl<G: Game> Record<G> {
    /// A record that starts at `start`, which counts as its first occurrence.
    pub fn new(start: G) -> Self {
        let mut record = Record {
            position: start.clone(),
            start,
            turns: Vec::new(),
            keys: Vec::new(),
            counts: HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4)),
            end: None,
        };
        record.arrive();
        record
    }

    /// Counts the current position and decides whether the game is over.
    fn arrive(&mut self) {
        let by_board = self.position.end();
        let mut repeated = false;
        if let (Some(limit), Some(key)) = (G::REPETITION, self.position.repetition_key()) {
            self.keys.push(key);
            let count = self.counts.entry(key).or_insert(0);
            *count += 1;
            repeated = *count >= limit;
        }
        self.end = match by_board {
            Some(end) if !end.yields_to_repetition => Some(end),
            _ if repeated => Some(End::by_repetition()),
            other => other,
        };
    }

    /// Where the game started.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The turns played so far.
    pub fn turns(&self) -> &[G::Turn] {
        &self.turns
    }

    /// The current position.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The end of the game with repetition taken into account; `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The repetition keys of all positions so far, oldest first, the current one last.
    pub fn history(&self) -> &[u64] {
        &self.keys
    }

    /// How often the current position has occurred (1 in a game without a repetition rule).
    pub fn occurrences(&self) -> u32 {
        self.keys.last().and_then(|key| self.counts.get(key)).copied().unwrap_or(1)
    }

    /// The legal moves of `player`: none once the game is over.
    pub fn legal_moves(&self, player: Player) -> Vec<G::Move> {
        if self.end.is_some() { Vec::new() } else { self.position.move_list(player).as_ref().to_vec() }
    }

    /// Checks a move of one player without playing it.
    pub fn check(&self, player: Player, mv: G::Move) -> Result<(), IllegalMove<G>> {
        let problem = if let Some(end) = self.end {
            Problem::Over(end)
        } else if !self.position.active().includes(player) {
            Problem::NotToMove
        } else if !self.position.is_legal(player, mv) {
            Problem::NotLegal
        } else {
            return Ok(());
        };
        Err(IllegalMove { player, mv, problem, legal: self.legal_moves(player) })
    }

    /// Plays one turn if it is legal, else hands back what was wrong and leaves the record as it was.
    pub fn play(&mut self, turn: G::Turn) -> Result<Option<End>, IllegalMove<G>> {
        let active = self.position.active();
        for player in active.players() {
            if let Some(mv) = turn.move_of(active, player) {
                self.check(player, mv)?;
            }
        }
        self.position.play_turn(turn);
        self.turns.push(turn);
        self.arrive();
        Ok(self.end)
    }

    /// Takes the last turn back; the turn, if there was one. The game is played again from its start for it, so it costs as much
    /// as the game is long.
    ///
    /// ```
    /// # use search_core::{Record, TurnBased};
    /// # fn example<G: TurnBased>(record: &mut Record<G>, mv: G::Move) -> Result<(), search_core::IllegalMove<G>> {
    /// let before = record.position().key();
    /// record.play(mv)?;
    /// assert_eq!(record.take_back(), Some(mv));
    /// assert_eq!(record.position().key(), before);
    /// # Ok(())
    /// # }
    /// ```
    pub fn take_back(&mut self) -> Option<G::Turn> {
        let turn = self.turns.pop()?;
        // The position left is that of one occurrence fewer.
        if let Some(key) = self.keys.pop()
            && let Some(count) = self.counts.get_mut(&key)
        {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&key);
            }
        }
        self.position = self.start.clone();
        for &turn in &self.turns {
            self.position.play_turn(turn);
        }
        // A player who could play on from here has not finished the game.
        self.end = None;
        Some(turn)
    }

    /// The record of the same game without its last `count` turns (without all, if there are fewer).
    pub fn without_last(&self, count: usize) -> Record<G> {
        let mut record = Record::new(self.start.clone());
        for &turn in &self.turns[..self.turns.len().saturating_sub(count)] {
            record.position.play_turn(turn);
            record.turns.push(turn);
            record.arrive();
        }
        record
    }

    /// The positions of the game, the start first, each with the turn that led on from it (none for the last).
    pub fn replay(&self) -> impl Iterator<Item = (G, Option<G::Turn>)> {
        let mut position = self.start.clone();
        (0..=self.turns.len()).map(move |index| {
            let here = position.clone();
            let turn = self.turns.get(index).copied();
            if let Some(turn) = turn {
                position.play_turn(turn);
            }
            (here, turn)
        })
    }

    /// The turns as text.
    pub fn turn_texts(&self) -> Vec<String> {
        self.replay()
            .filter_map(|(position, turn)| turn.map(|turn| turn_text::<G>(position.active(), turn)))
            .collect()
    }
}

/// Why a move was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// The game is over.
    Over(End),
    /// It is the other player's turn.
    NotToMove,
    /// The rules do not allow it here.
    NotLegal,
}

/// A move that the record refused, with the moves that would have been legal.
#[derive(Debug, Clone)]
pub struct IllegalMove<G: Game> {
    /// Who tried it.
    pub player: Player,
    /// What was tried.
    pub mv: G::Move,
    /// What is wrong with it.
    pub problem: Problem,
    /// What that player could have played.
    pub legal: Vec<G::Move>,
}

impl<G: Game> fmt::Display for IllegalMove<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalMove { player, mv, problem, legal } = self;
        match problem {
            Problem::Over(end) => write!(f, "{player} cannot play `{mv}`: the game is over, {end}"),
            Problem::NotToMove => write!(f, "{player} cannot play `{mv}`: it is the other player's turn"),
            Problem::NotLegal => {
                const SHOWN: usize = 12;
                let shown: Vec<String> = legal.iter().take(SHOWN).map(ToString::to_string).collect();
                write!(f, "`{mv}` is not a legal move of {player}; legal: {}", shown.join(" "))?;
                match legal.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
        }
    }
}

impl<G: Game> Error for IllegalMove<G> {}
