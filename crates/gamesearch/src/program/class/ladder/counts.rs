//! What the games of the ladder come to: counted game by game, so that its size depends on the number of players.

use std::collections::{BTreeMap, BTreeSet};

use arena::statistics::Trinomial;
use arena::{FinishedGame, Half, PairingTally};
use search_core::{Outcome, Player};
use serde::{Deserialize, Serialize};

/// The counts of all games up to some point.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Journal files up to this number are in these counts alone: they are gone.
    pub(crate) through: u64,
    /// The number of the next pair.
    pub(crate) next_pair: u64,
    /// Finished games.
    pub(crate) games: u64,
    #[serde(with = "as_list")]
    pub(crate) pairings: BTreeMap<[String; 2], PairingTally>,
    /// Pairs of which one game is finished.
    pub(crate) open: BTreeMap<u64, OpenPair>,
    pub(crate) players: BTreeMap<String, PlayerCounts>,
}

/// A pair of which one game is finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OpenPair {
    /// Who moves first in the first game of the pair, and the other.
    pub(crate) pairing: [String; 2],
    /// Which opening.
    pub(crate) round: u32,
    /// Whether the second game is the one that is finished.
    pub(crate) swapped: bool,
    half: Half,
}

/// What a player did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlayerCounts {
    pub(crate) results: Trinomial,
    /// Lost by its own failures, by kind.
    pub(crate) failures: BTreeMap<String, u64>,
    pub(crate) moves: u64,
    pub(crate) micros: u64,
    pub(crate) slowest: u64,
}

impl Counts {
    /// Counts a game, which must come once.
    pub(crate) fn add(&mut self, game: &FinishedGame) {
        let pair = game.index / 2;
        let swapped = game.index % 2 == 1;
        let players = &game.course.players;
        self.games += 1;
        self.next_pair = self.next_pair.max(pair + 1);
        let lower = usize::from(players[1] < players[0]);
        let half = Half::of(lower, &game.result);
        let key = [players[lower].clone(), players[1 - lower].clone()];
        let other = self.open.remove(&pair);
        self.pairings.entry(key).or_default().add(half, other.as_ref().map(|open| open.half));
        if other.is_none() {
            let mut pairing = players.clone();
            if swapped {
                pairing.reverse();
            }
            self.open.insert(pair, OpenPair { pairing, round: game.round, swapped, half });
        }
        let result = &game.result;
        for player in Player::BOTH {
            let seat = player.index();
            let counts = self.players.entry(players[seat].clone()).or_default();
            if !result.is_void() {
                match result.outcome {
                    Outcome::Draw => counts.results.draws += 1,
                    Outcome::Win(winner) if winner == player => counts.results.wins += 1,
                    Outcome::Win(_) => counts.results.losses += 1,
                }
            }
            counts.moves += u64::from(result.moves[seat]);
            counts.micros += result.micros[seat];
            counts.slowest = counts.slowest.max(result.slowest[seat]);
            for fault in result.faults.iter().filter(|fault| fault.player == player) {
                *counts.failures.entry(fault.kind.to_string()).or_default() += 1;
            }
        }
    }

    /// Forgets the games between players that are gone, and pairs that will not be finished.
    pub(crate) fn keep(&mut self, playing: &BTreeSet<String>) {
        self.pairings.retain(|pair, _| pair.iter().all(|player| playing.contains(player)));
        self.open.retain(|_, open| open.pairing.iter().all(|player| playing.contains(player)));
        self.players.retain(|player, _| playing.contains(player));
    }
}

/// Pairings as a list: in JSON a key is a text.
mod as_list {
    use std::collections::BTreeMap;

    use arena::PairingTally;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    type Pairings = BTreeMap<[String; 2], PairingTally>;

    pub(super) fn serialize<S: Serializer>(pairings: &Pairings, serializer: S) -> Result<S::Ok, S::Error> {
        pairings.iter().collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pairings, D::Error> {
        let list: Vec<([String; 2], PairingTally)> = Deserialize::deserialize(deserializer)?;
        Ok(list.into_iter().collect())
    }
}
