//! The champions look at the clock often enough, wherever they are in their search.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agents::Catalogue;
use search_core::{Clock, Game, Limits, Player, Record, SearchRng, StopFlag, Task, Turn};

/// A clock that goes a microsecond further whenever somebody looks: so fast do all nodes seem that looks become as rare as
/// they ever do.
#[derive(Debug, Default)]
struct Slow(AtomicU64);

impl Clock for Slow {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// How many nodes may pass between two looks, a few more at the start and the end.
const MOST_NODES: u64 = 300;

/// Counts the looks of a champion at positions from random games.
fn looks_often<G: Game>(catalogue: &Catalogue<G>, nodes: u64)
where
    G::Setup: Default,
{
    let mut rng = SearchRng::new(7, "positions");
    for plies in [0, 6, 14, 24, 40] {
        let mut record = Record::new(G::initial(&G::Setup::default(), 3));
        for _ in 0..plies {
            let active = record.position().active();
            let moves = Player::BOTH.map(|player| {
                let moves = record.legal_moves(player);
                (!moves.is_empty()).then(|| moves[rng.below(moves.len())])
            });
            let Some(turn) = G::Turn::from_moves(active, moves) else { break };
            let before = record.clone();
            record.play(turn).expect("a legal turn");
            if record.end().is_some() {
                record = before;
                break;
            }
        }
        let Some(player) = record.position().active().players().next() else { continue };
        let mut bot = catalogue.build("champion").expect("a champion");
        bot.new_game(player, 1).expect("an own bot starts");
        let clock = Slow::default();
        let limits = Limits { time: Limits::movetime(Duration::from_hours(1)).time, ..Limits::nodes(nodes) };
        let task =
            Task { record: &record, player, limits, stop: &StopFlag::new(), clock: &clock, watch: None };
        let answer = bot.choose(&task).expect("an answer");
        let searched = answer.analysis.map_or(0, |analysis| analysis.stats.nodes);
        let looks = clock.0.load(Ordering::Relaxed);
        assert!(
            looks * MOST_NODES >= searched,
            "{looks} looks for {searched} nodes at {}",
            record.position()
        );
    }
}

#[test]
fn the_champion_of_expendibots_looks_often() {
    looks_often(&agents::expendibots::catalogue(), 60_000);
}

#[test]
fn the_champion_of_ropasci360_looks_often() {
    looks_often(&agents::ropasci360::catalogue(), 5_000);
}

#[test]
fn the_champion_of_hus_looks_often() {
    looks_often(&agents::hus::catalogue(), 60_000);
}

#[test]
fn the_champion_of_colosseum_looks_often() {
    looks_often(&agents::colosseum::catalogue(), 20_000);
}
