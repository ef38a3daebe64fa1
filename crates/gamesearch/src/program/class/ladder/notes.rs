//! What pages tell of single games: the last ones of each team, and its failures.

use std::collections::{BTreeMap, VecDeque};

use arena::{Course, FinishedGame, shown};
use search_core::{Outcome, Player};

use crate::program::class::roster::Roster;
use crate::session::link;

/// A game in a list.
#[derive(Debug, Clone)]
pub(crate) struct GameNote {
    pub(crate) index: u64,
    /// The file of the journal, which is also its page of games.
    pub(crate) file: u64,
    /// In order of their seats.
    pub(crate) players: [String; 2],
    /// As tables have it.
    pub(crate) outcome: &'static str,
    pub(crate) reason: String,
    pub(crate) plies: u32,
    /// Behind `#`, what the playground opens it by.
    pub(crate) link: String,
}

impl GameNote {
    pub(crate) fn of(file: u64, game: &FinishedGame) -> GameNote {
        let outcome = match game.result.outcome {
            _ if game.result.is_void() => "void",
            Outcome::Win(Player::One) => "1-0",
            Outcome::Win(Player::Two) => "0-1",
            Outcome::Draw => "½-½",
        };
        GameNote {
            index: game.index,
            file,
            players: game.course.players.clone(),
            outcome,
            reason: shown(&game.result.reason).into_owned(),
            plies: game.result.plies,
            link: link_of(&game.course),
        }
    }
}

/// A game as the playground's address has it.
fn link_of(course: &Course) -> String {
    let turns: Vec<Vec<&str>> =
        course.turns.split_whitespace().map(|turn| turn.split('|').collect()).collect();
    let link = link::write(&course.game, &course.setup, 1, Some(&course.start), &turns, Some(0));
    format!("{link}&tool=game")
}

/// A failure that decided a game, for the eyes of its team.
#[derive(Debug, Clone)]
pub(crate) struct FaultNote {
    pub(crate) game: u64,
    pub(crate) player: String,
    pub(crate) opponent: String,
    pub(crate) kind: String,
    pub(crate) message: String,
}

/// The last games and failures of each team, and of each reference.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    pub(crate) games: BTreeMap<String, VecDeque<GameNote>>,
    pub(crate) faults: BTreeMap<String, VecDeque<FaultNote>>,
    most: usize,
}

/// How many failures of a team are shown with what it wrote.
const FAULTS: usize = 20;

impl Notes {
    pub(crate) fn new(most: usize) -> Notes {
        Notes { most, ..Notes::default() }
    }

    pub(crate) fn add(&mut self, file: u64, game: &FinishedGame) {
        let note = GameNote::of(file, game);
        let owner = |player: &str| Roster::team_of(player).unwrap_or(player).to_owned();
        for player in &note.players {
            let games = self.games.entry(owner(player)).or_default();
            games.push_front(note.clone());
            games.truncate(self.most);
        }
        for fault in &game.result.faults {
            let seat = fault.player.index();
            let faults = self.faults.entry(owner(&note.players[seat])).or_default();
            faults.push_front(FaultNote {
                game: game.index,
                player: note.players[seat].clone(),
                opponent: note.players[1 - seat].clone(),
                kind: fault.kind.to_string(),
                message: fault.message.clone(),
            });
            faults.truncate(FAULTS);
        }
    }

    /// Forgets games whose file is gone.
    pub(crate) fn forget(&mut self, files: &[u64]) {
        for games in self.games.values_mut() {
            games.retain(|game| !files.contains(&game.file));
        }
    }
}
