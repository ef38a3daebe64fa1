//! Bots that meddle with processes: their guard, their rival, what they inherit, what they leave behind.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use arena::ugi::{HostSettings, OutsideBot, left_over};
use arena::{Conditions, Played, TAMPERING, play_game};
use rustix::process::{Pid, Signal, kill_process};
use search_core::{Bot, FailureKind, Limits, Outcome, Player, StopFlag, SystemClock};
use tempfile::TempDir;

use crate::host::{
    FIXTURE, PATIENCE, alive, choose, expect, expect_gone, heap, noted, outside, play, settings, short,
};
use crate::toys::{First, Heap};

fn send(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

#[test]
fn a_bot_inherits_nothing_but_its_three_streams() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("open");
    // Two at a time: neither may hold what belongs to the other.
    let bots = [(); 3].map(|()| outside("open-files", &file, settings()));
    thread::scope(|scope| {
        for bot in &bots {
            scope.spawn(|| assert_eq!(play(bot, Limits::movetime(PATIENCE)), Ok(1)));
        }
    });
    // The bot's look at its own files needs one more.
    let seen = fs::read_to_string(&file).unwrap();
    assert_eq!(seen.lines().count(), 3, "{seen}");
    assert!(seen.lines().all(|line| line == "0 1 2 look"), "{seen}");
}

#[test]
fn a_bot_sees_only_harmless_variables_and_leaves_no_core() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("seen");
    // Cargo sets this one for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    assert_eq!(play(&outside("environment", &file, settings()), Limits::movetime(PATIENCE)), Ok(1));
    let seen = fs::read_to_string(&file).unwrap();
    assert!(seen.contains("PATH="), "{seen}");
    assert!(!seen.contains("CARGO"), "{seen}");
    assert!(seen.contains("core limit: Some(0) Some(0)"), "{seen}");
}

/// A bot that does something to its guard, with a daemon that has left it before.
fn attack_on_the_guard(mode: &str) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let bot = outside(mode, &file, settings());
    let failure = play(&bot, short()).unwrap_err();
    expect(&failure, FailureKind::Tampering, "guard");
    let pids = noted(&file, 2);
    drop(bot);
    expect_gone(&pids);
    // Another bot is not touched by the tidying up, and the next game can be played.
    assert_eq!(play(&outside("plain", Path::new(""), settings()), Limits::movetime(PATIENCE)), Ok(1));
}

#[test]
fn a_bot_that_kills_its_guard_leaves_nothing_behind() {
    attack_on_the_guard("kill-guard");
}

#[test]
fn a_bot_that_stops_its_guard_leaves_nothing_behind() {
    attack_on_the_guard("stop-guard");
}

#[test]
fn a_daemon_does_not_outlive_a_bot_that_ends_well() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let bot = outside("daemon", &file, settings());
    assert_eq!(play(&bot, Limits::movetime(PATIENCE)), Ok(1));
    let pids = noted(&file, 1);
    assert!(pids.iter().all(|&pid| alive(pid)));
    drop(bot);
    expect_gone(&pids);
}

#[test]
fn what_a_bot_writes_is_not_taken_for_the_word_of_its_guard() {
    for (mode, words) in [("pretend-memory", "ended with exit code 0"), ("pretend-and-die", "signal 9")] {
        let failure =
            play(&outside(mode, Path::new(""), settings()), Limits::movetime(PATIENCE)).unwrap_err();
        expect(&failure, FailureKind::Crash, words);
    }
}

/// A game against a bot that thinks for ever, while something is done to the process that it notes.
fn game_with_interference(mode: &str, act: impl Fn(u32) + Sync) -> Played<Heap> {
    timed_game_with_interference(mode, "movetime=3s", act)
}

fn timed_game_with_interference(mode: &str, limits: &str, act: impl Fn(u32) + Sync) -> Played<Heap> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pid");
    let (mut good, mut victim) = (First, outside(mode, &file, settings()).player::<Heap>());
    let bots: [&mut dyn Bot<Heap>; 2] = [&mut good, &mut victim];
    let conditions = Conditions::new(limits.parse().unwrap());
    thread::scope(|scope| {
        scope.spawn(|| act(noted(&file, 1)[0]));
        play_game(heap().position(), bots, [1, 2], &conditions, &SystemClock::new(), &StopFlag::new())
            .unwrap()
    })
}

#[test]
fn a_frozen_bot_does_not_lose() {
    for mode in ["note-and-think", "note-child-and-think"] {
        let played = game_with_interference(mode, |pid| send(pid, Signal::STOP));
        assert_eq!(
            (played.result.outcome, played.result.reason.as_str()),
            (Outcome::Draw, TAMPERING),
            "{:?}",
            played.result.faults
        );
        assert_eq!(played.result.faults[0].player, Player::Two);
        let message = &played.result.faults[0].message;
        assert!(message.contains("was stopped by a signal"), "{message}");
    }
}

#[test]
fn a_bot_that_was_frozen_for_a_while_does_not_lose_by_its_late_answer() {
    let played = game_with_interference("note-and-answer", |pid| {
        send(pid, Signal::STOP);
        thread::sleep(Duration::from_millis(2800));
        send(pid, Signal::CONT);
    });
    assert_eq!(played.result.reason, TAMPERING, "{:?}", played.result.faults);
}

/// A freeze within a game's clock is paid later; one within a move's time takes the thoughts of that move.
#[test]
fn a_freeze_is_seen_even_if_the_answer_comes_in_time() {
    for limits in ["gametime=60s", "movetime=60s"] {
        let played = timed_game_with_interference("note-and-answer", limits, |pid| {
            send(pid, Signal::STOP);
            thread::sleep(Duration::from_secs(1));
            send(pid, Signal::CONT);
        });
        let faults = &played.result.faults;
        assert_eq!(played.result.reason, TAMPERING, "{limits}: {faults:?}");
        assert_eq!((played.result.outcome, faults[0].player), (Outcome::Draw, Player::Two), "{limits}");
        assert!(faults[0].message.contains("its answer came after"), "{}", faults[0].message);
    }
}

#[test]
fn a_bot_that_is_frozen_before_its_game_is_not_blamed() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pid");
    let settings = HostSettings { new_game: Duration::from_millis(300), ..settings() };
    let bot = outside("count-starts", &file, settings);
    bot.check::<Heap>().unwrap();
    send(noted(&file, 1)[0], Signal::STOP);
    let (mut good, mut victim) = (First, bot.player::<Heap>());
    let bots: [&mut dyn Bot<Heap>; 2] = [&mut good, &mut victim];
    let conditions = Conditions::new("movetime=3s".parse().unwrap());
    let played =
        play_game(heap().position(), bots, [1, 2], &conditions, &SystemClock::new(), &StopFlag::new())
            .unwrap();
    assert_eq!(
        (played.result.outcome, played.result.reason.as_str()),
        (Outcome::Draw, TAMPERING),
        "{:?}",
        played.result.faults
    );
}

#[test]
fn a_program_that_is_no_guard_is_named() {
    let settings = HostSettings { guard: Some("true".into()), ..settings() };
    let bot = Arc::new(OutsideBot::new(vec![FIXTURE.to_owned(), "heap".to_owned()], settings));
    let failure = bot.check::<Heap>().unwrap_err();
    expect(&failure, FailureKind::Start, "`guard_if_asked`");
}

#[test]
fn the_end_of_a_run_finds_what_was_left() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let bot = outside("kill-guard", &file, settings());
    let mut player = bot.player::<Heap>();
    player.new_game(Player::One, 0).unwrap();
    choose(&mut player, &heap(), short()).unwrap_err();
    drop((player, bot));
    let pids = noted(&file, 2);
    let left = left_over();
    expect_gone(&pids);
    // Whoever tidied up, whether at the end of the game or now: it is told.
    assert!(left.killed.iter().any(|process| process.pid == pids[1]), "{left:?} of {pids:?}");
}
