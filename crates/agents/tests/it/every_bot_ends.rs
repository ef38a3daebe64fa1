//! Every bot of every game comes back under every single limit, also under one that its search does not count in.

use std::time::Duration;

use agents::Catalogue;
use search_core::{Game, Limits, Record, StopFlag, SystemClock, Task};

/// A search that runs until somebody stops it is stopped after so long, and then it has failed.
const PATIENCE: Duration = Duration::from_mins(1);

fn every_bot_ends<G: Game>(catalogue: &Catalogue<G>)
where
    G::Setup: Default,
{
    let record = Record::new(G::initial(&G::Setup::default(), 3));
    for info in catalogue.bots() {
        for limits in [Limits::nodes(300), Limits::playouts(60), Limits::depth(1)] {
            let mut bot = catalogue.build(info.name).expect("a bot of the catalogue");
            let Some(player) = record.position().active().players().next() else { continue };
            bot.new_game(player, 1).expect("an own bot starts");
            let stop = StopFlag::new();
            let (done, waiting) = std::sync::mpsc::channel::<()>();
            let late = stop.clone();
            let alarm = std::thread::spawn(move || {
                if waiting.recv_timeout(PATIENCE).is_err() {
                    late.stop();
                }
            });
            let clock = SystemClock::new();
            let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
            let answer = bot.choose(&task).expect("an answer");
            // The alarm may have gone off; then nobody listens any more.
            let _ = done.send(());
            alarm.join().expect("the alarm ends");
            assert!(record.position().is_legal(player, answer.mv), "{} of {}", info.name, G::NAME);
            assert!(!stop.is_set(), "{} of {} does not end with {limits:?}", info.name, G::NAME);
        }
    }
}

#[test]
fn bots_of_expendibots_end() {
    every_bot_ends(&agents::expendibots::catalogue());
}

#[test]
fn bots_of_ropasci360_end() {
    every_bot_ends(&agents::ropasci360::catalogue());
}

#[test]
fn bots_of_hus_end() {
    every_bot_ends(&agents::hus::catalogue());
}

#[test]
fn bots_of_colosseum_end() {
    every_bot_ends(&agents::colosseum::catalogue());
}
