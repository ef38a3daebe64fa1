//! The bots of RoPaSci 360.

use std::collections::BTreeMap;

use agents::ropasci360::{ReportBot, ReportSettings, catalogue, fidelity};
use ropasci360::{Move, Position};
use search_core::{
    Bot, Ends, Game, Limits, Player, Record, StopFlag, SystemClock, Task, exploitability, stream,
};
use serde_json::json;

fn compare(text: &str) -> (usize, BTreeMap<String, (usize, String)>) {
    let mut differing: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut lines = 0;
    for (index, line) in text.lines().enumerate() {
        lines += 1;
        let value = serde_json::from_str(line).unwrap();
        for field in fidelity(&value).unwrap() {
            if !field.agrees() {
                let entry = differing.entry(field.name.clone()).or_default();
                entry.0 += 1;
                if entry.1.is_empty() {
                    entry.1 =
                        format!("line {}: expected {}, found {}", index + 1, field.expected, field.found);
                }
            }
        }
    }
    (lines, differing)
}

#[test]
fn a_sample_of_the_authors_program_is_matched() {
    let (lines, differing) = compare(include_str!("../data/ropasci360-fidelity.jsonl"));
    assert_eq!(lines, 71);
    assert!(differing.is_empty(), "{differing:#?}");
}

#[test]
fn lines_that_cannot_be_compared_are_told_apart() {
    let error = |line: serde_json::Value| fidelity(&line).unwrap_err().to_string();
    assert!(error(json!({})).contains("`position` to be a text"));
    assert!(error(json!({"position": "x", "bot": "report"})).contains("cannot be read"));
    let position = "5/6/7/8/9/8/7/6/5 0 0 0";
    assert!(error(json!({"position": position, "bot": "greedy"})).contains("`bot`"));
    assert!(error(json!({"position": position, "bot": "report", "side": "left"})).contains("`side`"));
    assert!(error(json!({"position": position, "bot": "report", "side": "upper"})).contains("`settings`"));
}

/// Plays one game between two bots, in which nobody may fail; the winner.
fn game(upper: &str, lower: &str, limits: Limits, seed: u64) -> Option<Player> {
    let catalogue = catalogue();
    let mut bots = [upper, lower].map(|spec| catalogue.build(spec).unwrap());
    for player in Player::BOTH {
        bots[player.index()].new_game(player, seed).unwrap();
    }
    let mut record = Record::new(Position::start());
    // A random first turn, so that games differ.
    let mut rng = stream(seed, "opening");
    let first = Player::BOTH.map(|player| record.position().sample(player, &mut rng).unwrap());
    record.play(first).unwrap();
    let (clock, stop) = (SystemClock::new(), StopFlag::new());
    while record.end().is_none() {
        let turn = Player::BOTH.map(|player| {
            let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
            bots[player.index()].choose(&task).unwrap().mv
        });
        record.play(turn).unwrap_or_else(|illegal| panic!("{illegal}"));
    }
    record.end().and_then(|end| end.outcome.winner())
}

#[test]
fn every_bot_plays_legal_games() {
    for spec in [
        "greedy",
        "minimax:depth=1",
        "alphabeta:depth=2,width=6",
        "mcts:playouts=30,width=8",
        "mcts:playouts=30,select=regret,cap=0",
        "nash:depth=1,width=6",
        "report",
        "report:as=text",
        "report:phases=on,distance=fixed,opening=off,guard=off,depth=1,eatable=5,advance=1,diversity=2",
        "report:rules=off,moves=all,zones=plain,distance=plain",
        "report:moves=near,throws=beside,stir=20,reserve=100,crowd=10",
        "champion:depth=1",
        "older",
        "sparring",
    ] {
        game(spec, "random", Limits::default(), 1);
        game("random", spec, Limits::default(), 2);
    }
}

#[test]
fn the_report_beats_random() {
    let wins = (0..20).filter(|&seed| game("report", "random", Limits::default(), seed) == Some(Player::One));
    assert!(wins.count() >= 19);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for spec in ["report:as=text", "greedy", "mcts:playouts=40,width=6", "champion:depth=1"] {
        let answer = |seed| {
            let mut bot = catalogue().build(spec).unwrap();
            bot.new_game(Player::Two, seed).unwrap();
            let record = Record::new("5/2R3/3P3/8/4s4/8/2r4/6/5 2 2 9".parse::<Position>().unwrap());
            let (clock, stop) = (SystemClock::new(), StopFlag::new());
            let limits = Limits::default();
            let task = Task {
                record: &record,
                player: Player::Two,
                limits,
                stop: &stop,
                clock: &clock,
                watch: None,
            };
            bot.choose(&task).unwrap().mv
        };
        assert_eq!(answer(7), answer(7), "{spec}");
    }
}

#[test]
fn a_scripted_opening_move_that_is_not_legal_falls_through() {
    // Turn 4 swings the paper from i3, which is not there.
    let mut bot = catalogue().build("report").unwrap();
    bot.new_game(Player::One, 0).unwrap();
    let record = Record::new("R4/6/7/8/9/8/7/6/4r 3 3 3".parse::<Position>().unwrap());
    let (clock, stop) = (SystemClock::new(), StopFlag::new());
    let limits = Limits::default();
    let task = Task { record: &record, player: Player::One, limits, stop: &stop, clock: &clock, watch: None };
    let mv = bot.choose(&task).unwrap().mv;
    assert!(record.check(Player::One, mv).is_ok());
}

/// Asks a fresh report bot in a position that it has not come to by a game.
fn ask_report(spec: &str, position: &str, player: Player) -> (Move, Option<u32>) {
    let mut bot = catalogue().build(spec).unwrap();
    bot.new_game(player, 0).unwrap();
    let record = Record::new(position.parse::<Position>().unwrap());
    let (clock, stop) = (SystemClock::new(), StopFlag::new());
    let task =
        Task { record: &record, player, limits: Limits::default(), stop: &stop, clock: &clock, watch: None };
    let answer = bot.choose(&task).unwrap();
    (answer.mv, answer.analysis.map(|analysis| analysis.depth))
}

#[test]
fn the_depth_rule_counts_the_tokens_of_both_sides() {
    // Far apart and out of reach, so no rule decides: four tokens are searched two turns deep, five one.
    let four = "R3P/6/7/8/9/8/7/6/s3r 5 5 40";
    let five = "R2PP/6/7/8/9/8/7/6/s3r 5 5 40";
    assert_eq!(ask_report("report", four, Player::One).1, Some(2));
    assert_eq!(ask_report("report", five, Player::One).1, Some(1));
    assert_eq!(ask_report("report:depth=1", four, Player::One).1, Some(1));
}

#[test]
fn where_the_guard_refuses_everything_the_first_legal_move_is_played_and_counted() {
    // Upper is out of throws and has one token in a corner; from there it has stood twice on each of its three targets
    // while the enemy stood on a6.
    let mut record = Record::new("P4/6/7/8/9/8/7/6/r4 9 5 20".parse::<Position>().unwrap());
    let upper = ["h1", "i1", "h1", "i1", "h2", "i1", "h2", "i1", "i2", "i1", "i2", "i1"];
    let lower = ["a6", "a7", "a6", "a7", "a6", "b5", "a6", "b5", "a6", "b6", "a6", "b6"];
    let mut at = ["i1", "a5"];
    let mut bot = ReportBot::new(ReportSettings::program());
    bot.new_game(Player::One, 0).unwrap();
    let mut ask = |record: &Record<Position>| {
        let (clock, stop) = (SystemClock::new(), StopFlag::new());
        let limits = Limits::default();
        let task = Task { record, player: Player::One, limits, stop: &stop, clock: &clock, watch: None };
        (bot.choose(&task).unwrap().mv, bot.failures())
    };
    assert_eq!(ask(&record).1, 0);
    for to in upper.into_iter().zip(lower) {
        let turn =
            [(at[0], to.0), (at[1], to.1)].map(|(from, to)| format!("{from}{to}").parse::<Move>().unwrap());
        record.play(turn).unwrap();
        at = [to.0, to.1];
    }
    assert!(record.end().is_none());
    let (mv, failures) = ask(&record);
    assert_eq!(Some(mv), record.position().nth_move(Player::One, 0));
    assert_eq!(failures, 1);
}

#[test]
fn every_so_many_turns_it_throws() {
    // Turn 40 comes after 39 turns.
    let quiet = "R2PP/6/7/8/9/8/7/6/s3r 5 5 39";
    assert!(!ask_report("report", quiet, Player::One).0.is_throw());
    assert!(ask_report("report:stir=20", quiet, Player::One).0.is_throw());
    assert!(!ask_report("report:stir=19", quiet, Player::One).0.is_throw());
}

#[test]
fn wrong_options_are_told() {
    let error = |spec: &str| catalogue().build(spec).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error("report:as=prose").contains("program|text"));
    assert!(error("report:phase=on").contains("did you mean `phases`?"));
    assert!(error("champion:weights=1/2").contains("12 whole numbers"));
    assert!(error("champoin").contains("did you mean `champion`?"));
}

/// The mixed strategy of the champion for one player.
fn strategy(
    bot: &mut dyn Bot<Position>,
    position: &Position,
    player: Player,
    depth: u32,
) -> Vec<(Move, f64)> {
    let record = Record::new(*position);
    let (clock, stop) = (SystemClock::new(), StopFlag::new());
    let limits = Limits::depth(depth);
    let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
    let answer = bot.choose(&task).unwrap();
    let mixed = answer.analysis.and_then(|analysis| analysis.mixed);
    mixed.map_or(vec![(answer.mv, 1.0)], |mixed| mixed.strategies[player.index()].clone())
}

#[test]
fn the_champion_is_not_exploitable_in_small_endgames() {
    for (text, turns) in [
        ("5/6/7/8/3R1s3/8/7/6/pS3 9 9 358", 2),
        ("5/6/7/8/3Rs4/4P3/7/6/r4 9 9 358", 2),
        ("5/6/7/2s5/3RS4/3p4/7/6/5 9 9 358", 2),
        ("s4/P5/7/8/9/8/7/6/1R1p1 9 9 358", 2),
    ] {
        let position: Position = text.parse().unwrap();
        assert!(position.end().is_none(), "{text}");
        for player in Player::BOTH {
            let mut bot = catalogue().build("champion").unwrap();
            bot.new_game(player, 1).unwrap();
            let found = exploitability(&position, player, turns, Ends::Outcome, 200_000, |position| {
                strategy(bot.as_mut(), position, player, turns)
            })
            .unwrap();
            assert!(found.loss <= 0.02, "{text} {player}: {found:?}");
        }
    }
}
