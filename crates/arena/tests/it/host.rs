//! The host and bots that do everything wrong: each line of the hardening list is one test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::toys::{Coin, Heap, Pennies, Wide};
use arena::ugi::{HostSettings, OutsideBot};
use arena::{Conditions, MatchLimits, NoResult, play_game};
use search_core::{
    Analysis, Answer, Bot, BotFailure, FailureKind, Game, Limits, Player, Record, Score, StopFlag,
    SystemClock, Task, Time,
};
use tempfile::TempDir;

pub(crate) const FIXTURE: &str = env!("CARGO_BIN_EXE_ugi_fixture");
/// Far beyond what anything here takes, so that a slow machine fails no test.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) fn settings() -> HostSettings {
    HostSettings {
        guard: Some(PathBuf::from(FIXTURE)),
        start: PATIENCE,
        ready: PATIENCE,
        new_game: PATIENCE,
        untimed_move: PATIENCE,
        ..HostSettings::default()
    }
}

pub(crate) fn outside(mode: &str, file: &Path, settings: HostSettings) -> Arc<OutsideBot> {
    let command = vec![FIXTURE.to_owned(), mode.to_owned(), file.display().to_string()];
    Arc::new(OutsideBot::new(command, settings))
}

fn bot(mode: &str) -> Arc<OutsideBot> {
    outside(mode, Path::new(""), settings())
}

pub(crate) fn choose<G: Game>(
    bot: &mut dyn Bot<G>,
    record: &Record<G>,
    limits: Limits,
) -> Result<Answer<G::Move>, BotFailure> {
    bot.choose(&Task {
        record,
        player: Player::One,
        limits,
        stop: &StopFlag::new(),
        clock: &SystemClock::new(),
        watch: None,
    })
}

pub(crate) fn heap() -> Record<Heap> {
    Record::new(Heap { left: 21, plies: 0 })
}

/// One game of one move.
pub(crate) fn play(outside: &Arc<OutsideBot>, limits: Limits) -> Result<u32, BotFailure> {
    let mut player = outside.player::<Heap>();
    player.new_game(Player::One, 5)?;
    choose(&mut player, &heap(), limits).map(|answer| answer.mv)
}

fn failure(mode: &str, limits: Limits) -> BotFailure {
    play(&bot(mode), limits).unwrap_err()
}

#[track_caller]
pub(crate) fn expect(failure: &BotFailure, kind: FailureKind, words: &str) {
    assert_eq!(failure.kind, kind, "{failure}");
    assert!(failure.message.contains(words), "expected `{words}` in: {failure}");
}

/// The time that a hung bot gets in these tests.
pub(crate) fn short() -> Limits {
    Limits::movetime(Duration::from_millis(50))
}

/// Process numbers that a bot noted; waits until `count` of them are there.
pub(crate) fn noted(file: &Path, count: usize) -> Vec<u32> {
    let start = Instant::now();
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        let pids: Vec<u32> = text
            .split_inclusive('\n')
            .filter_map(|line| line.strip_suffix('\n'))
            .map(|line| line.parse().unwrap())
            .collect();
        if pids.len() >= count {
            return pids;
        }
        assert!(start.elapsed() < PATIENCE, "only {pids:?} noted");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process is alive; one that only waits to be reaped is not.
pub(crate) fn alive(pid: u32) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])),
        Err(_) if Path::new("/proc/self").exists() => false,
        Err(_) => i32::try_from(pid)
            .ok()
            .and_then(rustix::process::Pid::from_raw)
            .is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok()),
    }
}

#[track_caller]
pub(crate) fn expect_gone(pids: &[u32]) {
    let start = Instant::now();
    while let Some(pid) = pids.iter().find(|&&pid| alive(pid)) {
        assert!(start.elapsed() < PATIENCE, "process {pid} of {pids:?} is still there");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_good_bot_plays_whole_games_in_one_process() {
    let outside = bot("heap");
    let introduction = outside.check::<Heap>().unwrap();
    assert_eq!((introduction.name.as_str(), introduction.author.as_str()), ("first", "tests"));
    for _ in 0..3 {
        let mut players = [outside.player::<Heap>(), outside.player::<Heap>()];
        for (player, side) in players.iter_mut().zip(Player::BOTH) {
            player.new_game(side, 7).unwrap();
        }
        let mut record = heap();
        while record.end().is_none() {
            let player = &mut players[record.turns().len() % 2];
            let task = Task {
                record: &record,
                player: Player::after(record.turns().len() as u32),
                limits: Limits::nodes(10),
                stop: &StopFlag::new(),
                clock: &SystemClock::new(),
                watch: None,
            };
            let mv = player.choose(&task).unwrap().mv;
            record.play(mv).unwrap();
        }
        assert_eq!(record.turns().len(), 21);
    }
}

#[test]
fn a_process_is_kept_for_the_next_game() {
    let folder = TempDir::new().unwrap();
    let starts = folder.path().join("starts");
    let outside = outside("count-starts", &starts, settings());
    for _ in 0..3 {
        assert_eq!(play(&outside, Limits::depth(1)), Ok(1));
    }
    assert_eq!(noted(&starts, 1).len(), 1);
}

#[test]
fn a_game_with_repetition_is_sent_with_its_moves_and_roles() {
    let outside = bot("pennies");
    let mut player = outside.player::<Pennies>();
    let mut record = Record::new(Pennies { points: [0, 0] });
    for _ in 0..3 {
        let answer = choose(&mut player, &record, Limits::nodes(1)).unwrap();
        record.play([answer.mv, Coin(false)]).unwrap();
    }
    assert_eq!(record.position().points, [0, 3]);
    // A record that goes another way, as after an undo, is sent from its start.
    let mut other = Record::new(Pennies { points: [1, 0] });
    other.play([Coin(true), Coin(true)]).unwrap();
    assert_eq!(choose(&mut player, &other, Limits::nodes(1)).unwrap().mv, Coin(true));
}

#[test]
fn a_bot_that_never_introduces_itself_does_not_start() {
    let settings = HostSettings { start: Duration::from_millis(200), ..settings() };
    let failure = play(&outside("hang-start", Path::new(""), settings), Limits::depth(1)).unwrap_err();
    expect(&failure, FailureKind::Start, "no `ugiok` within 200.0ms after `ugi`");
}

#[test]
fn a_bot_that_is_never_ready_does_not_start() {
    let settings = HostSettings { ready: Duration::from_millis(200), ..settings() };
    let failure = play(&outside("hang-ready", Path::new(""), settings), Limits::depth(1)).unwrap_err();
    expect(&failure, FailureKind::Start, "no `readyok` within 200.0ms after `isready`");
}

#[test]
fn a_bot_that_hangs_at_a_new_game_fails() {
    let settings = HostSettings { new_game: Duration::from_millis(200), ..settings() };
    let failure = play(&outside("hang-new-game", Path::new(""), settings), Limits::depth(1)).unwrap_err();
    expect(&failure, FailureKind::Time, "no `readyok` within 200.0ms");
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let outside = Arc::new(OutsideBot::new(vec!["/no/such/program".to_owned()], settings()));
    let failure = outside.check::<Heap>().unwrap_err();
    expect(&failure, FailureKind::Start, "could not be started: `/no/such/program`: No such file");
}

#[test]
fn a_bot_that_crashes_at_the_start_shows_its_own_words() {
    let failure = bot("crash-start").check::<Heap>().unwrap_err();
    expect(&failure, FailureKind::Start, "ended with exit code 1; its error output:\nModuleNotFoundError");
}

#[test]
fn a_bot_for_another_game_does_not_start() {
    let failure = bot("wrong-game").check::<Heap>().unwrap_err();
    expect(&failure, FailureKind::Start, "it does not play heap; it plays chess, go");
}

#[test]
fn options_are_checked_before_they_are_set() {
    let with = |name: &str, value: &str| {
        let options = vec![(name.to_owned(), value.to_owned())];
        outside("plain", Path::new(""), HostSettings { options, ..settings() }).check::<Heap>()
    };
    assert!(with("level", "3").is_ok());
    expect(&with("level", "4").unwrap_err(), FailureKind::Start, "which cannot be set to `4`");
    expect(&with("speed", "4").unwrap_err(), FailureKind::Start, "it has no option `speed`");
}

#[test]
fn three_failures_to_start_are_enough() {
    let folder = TempDir::new().unwrap();
    let starts = folder.path().join("starts");
    let recovering = outside("fail-twice", &starts, settings());
    for _ in 0..2 {
        expect(&recovering.check::<Heap>().unwrap_err(), FailureKind::Start, "exit code 7");
    }
    assert!(recovering.check::<Heap>().is_ok());

    let hopeless = bot("crash-start");
    for _ in 0..3 {
        expect(&hopeless.check::<Heap>().unwrap_err(), FailureKind::Start, "exit code 1");
    }
    expect(&hopeless.check::<Heap>().unwrap_err(), FailureKind::Start, "3 times in a row");
}

#[test]
fn a_hung_bot_is_scored_in_every_mode_and_leaves_nothing() {
    let game = Limits {
        time: Some(Time::Game { left: Duration::from_millis(50), increment: Duration::from_millis(10) }),
        ..Limits::default()
    };
    for limits in [short(), game] {
        expect(&failure("hang-move", limits), FailureKind::Time, "no answer within 150.0ms (50.0ms allowed");
    }
    let settings = HostSettings { untimed_move: Duration::from_millis(100), ..settings() };
    for limits in [Limits::nodes(5), Limits::depth(5), Limits::playouts(5), Limits::default()] {
        let failure = play(&outside("hang-move", Path::new(""), settings.clone()), limits).unwrap_err();
        expect(&failure, FailureKind::Time, "no answer within 100.0ms, the most for a move without a clock");
    }
}

#[test]
fn half_a_line_is_no_answer() {
    let limits = Limits::movetime(Duration::from_secs(2));
    expect(&failure("half-line", limits), FailureKind::Time, "an unfinished line came: `bestmo`");
}

#[test]
fn a_late_answer_is_a_loss() {
    expect(&failure("late", short()), FailureKind::Time, "no answer within 150.0ms");
}

#[test]
fn a_flood_of_output_is_cut_off() {
    let failure = failure("flood", Limits::movetime(PATIENCE));
    expect(&failure, FailureKind::Protocol, "wrote more than 1024 KiB for one answer");
}

#[test]
fn a_line_of_fifty_megabytes_is_cut_off() {
    let failure = failure("long-line", Limits::movetime(PATIENCE));
    expect(&failure, FailureKind::Protocol, "wrote a line of more than 64 KiB");
}

#[test]
fn a_flood_of_errors_does_no_harm() {
    assert_eq!(play(&bot("flood-errors"), Limits::movetime(PATIENCE)), Ok(1));
    let failure = failure("flood-errors-and-crash", Limits::movetime(PATIENCE));
    expect(&failure, FailureKind::Crash, "ended with exit code 9; its error output:\n[...] ");
    assert!(failure.message.ends_with("IndexError: last words"), "{failure}");
    assert!(failure.message.len() < 70 << 10);
}

#[test]
fn a_crash_shows_the_traceback() {
    let crash = failure("crash", Limits::depth(1));
    expect(&crash, FailureKind::Crash, "ended with exit code 3; its error output:\nTraceback (most recent");
    assert!(crash.message.ends_with("ValueError: no idea"), "{crash}");
    expect(&failure("signal-me", Limits::depth(1)), FailureKind::Crash, "was ended by signal 6 (abort)");
}

#[test]
fn a_bot_is_started_again_after_a_crash() {
    let outside = bot("crash");
    let mut player = outside.player::<Heap>();
    for _ in 0..3 {
        player.new_game(Player::One, 0).unwrap();
        expect(&choose(&mut player, &heap(), short()).unwrap_err(), FailureKind::Crash, "exit code 3");
    }
}

#[test]
fn a_bot_that_closes_its_output_is_gone() {
    let failure = failure("close-output", Limits::movetime(PATIENCE));
    expect(&failure, FailureKind::Crash, "closed its pipes, but did not end");
}

#[test]
fn a_bot_that_closes_its_input_is_gone() {
    let outside = bot("close-input");
    let mut player = outside.player::<Heap>();
    // It closes its input before it answers to the new game; when that is seen depends on who is quicker.
    let failure = player
        .new_game(Player::One, 0)
        .and_then(|()| choose(&mut player, &heap(), Limits::movetime(PATIENCE)))
        .unwrap_err();
    expect(&failure, FailureKind::Crash, "closed its pipes, but did not end");
}

#[test]
fn a_bot_that_does_not_read_runs_into_its_deadline() {
    let outside = bot("deaf");
    let mut player = outside.player::<Wide>();
    // It answers the handshake and then reads no more; the position is larger than any pipe.
    let failure = choose(&mut player, &Record::new(Wide(heap().position().to_owned())), short()).unwrap_err();
    expect(&failure, FailureKind::Time, "did not read its input; no answer within 150.0ms");
}

#[test]
fn what_is_no_move_is_a_protocol_failure_and_what_is_illegal_is_for_the_referee() {
    expect(&failure("nonsense", Limits::depth(1)), FailureKind::Protocol, "found `bestmove checkmate`");
    expect(&failure("no-move", Limits::depth(1)), FailureKind::Protocol, "found `bestmove`");
    let mv = play(&bot("illegal"), Limits::depth(1)).unwrap();
    assert!(heap().play(mv).is_err());
}

#[test]
fn what_a_bot_says_cannot_steer_the_terminal() {
    let introduction = bot("escapes").check::<Heap>().unwrap();
    assert!(introduction.name.starts_with(r"fine\u{1b}]52;c;aGk=\u{7}\u{202e}xx"), "{introduction:?}");
    assert!(introduction.name.chars().count() <= 110, "{introduction:?}");
    assert_eq!(introduction.author, r"\u{9b}31m");
    let failure = failure("escapes", Limits::depth(1));
    expect(&failure, FailureKind::Protocol, r"found `bestmove \u{1b}[31m7`");
    expect(&failure, FailureKind::Protocol, "Traceback:\n\t\\u{1b}[2J\\u{202e}gone");
    let hidden = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
    assert!(!failure.message.contains(hidden), "{failure:?}");
}

#[test]
fn bytes_that_are_no_text_spoil_an_answer_but_not_an_info() {
    expect(&failure("not-text", Limits::depth(1)), FailureKind::Protocol, "its answer is not UTF-8");
    assert_eq!(play(&bot("not-text-info"), Limits::depth(1)), Ok(1));
}

#[test]
fn line_ends_blank_lines_and_unknown_words_are_fine() {
    let outside = bot("noisy");
    let mut player = outside.player::<Heap>();
    player.new_game(Player::One, 0).unwrap();
    let seen = Mutex::new(Vec::new());
    let watch = |analysis: &Analysis<u32>| seen.lock().unwrap().push(analysis.clone());
    let task = Task {
        record: &heap(),
        player: Player::One,
        limits: Limits::depth(1),
        stop: &StopFlag::new(),
        clock: &SystemClock::new(),
        watch: Some(&watch),
    };
    let answer = player.choose(&task).unwrap();
    assert_eq!(answer.mv, 2);
    let seen = seen.into_inner().unwrap();
    assert_eq!((seen[0].depth, seen[0].score, &seen[0].pv), (3, Score::new(25), &vec![2, 1]));
    assert_eq!(seen[0].stats.nodes, 1234);
    assert_eq!(player.introduction().unwrap().name, "noisy bot");
}

#[test]
fn a_wish_to_stop_reaches_the_bot() {
    let outside = bot("hang-move");
    let mut player = outside.player::<Heap>();
    player.new_game(Player::One, 0).unwrap();
    let stop = StopFlag::new();
    stop.stop();
    let task = Task {
        record: &heap(),
        player: Player::One,
        limits: Limits::movetime(Duration::from_hours(1)),
        stop: &stop,
        clock: &SystemClock::new(),
        watch: None,
    };
    // This one does not care about `stop`; the host does not wait for its hour.
    expect(&player.choose(&task).unwrap_err(), FailureKind::Time, "no answer");
}

#[test]
fn a_bot_that_ignores_quit_is_killed() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pid");
    let outside = outside("ignore-quit", &file, settings());
    assert_eq!(play(&outside, Limits::depth(1)), Ok(1));
    drop(outside);
    expect_gone(&noted(&file, 1));
}

#[test]
fn grandchildren_go_with_the_bot() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let hung = outside("grandchildren", &file, settings());
    let stop = StopFlag::new();
    thread::scope(|scope| {
        let game = scope.spawn(|| {
            let limits = Limits::movetime(Duration::from_hours(1));
            let (record, clock) = (heap(), SystemClock::new());
            let task = Task {
                record: &record,
                player: Player::One,
                limits,
                stop: &stop,
                clock: &clock,
                watch: None,
            };
            hung.player::<Heap>().choose(&task)
        });
        let mut pids = noted(&file, 4);
        pids.retain(|&pid| pid != 0);
        assert!(pids.iter().all(|&pid| alive(pid)));
        stop.stop();
        expect(&game.join().unwrap().unwrap_err(), FailureKind::Time, "no answer");
        expect_gone(&pids);
    });

    let file = folder.path().join("others");
    let outside = outside("leave-child", &file, settings());
    assert_eq!(play(&outside, Limits::depth(1)), Ok(1));
    let pids = noted(&file, 2);
    assert!(pids.iter().all(|&pid| alive(pid)));
    drop(outside);
    expect_gone(&pids);
}

#[test]
fn no_process_survives_the_death_of_the_runner() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("pids");
    let mut runner = Command::new(FIXTURE)
        .arg("runner")
        .arg(&file)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The bot, its child, its child in another process group, and the word that all are there.
    let mut pids = noted(&file, 4);
    pids.retain(|&pid| pid != 0);
    assert!(pids.iter().all(|&pid| alive(pid)));
    // SIGKILL: the runner cannot do anything about it.
    runner.kill().unwrap();
    runner.wait().unwrap();
    expect_gone(&pids);
}

#[test]
#[cfg(target_os = "linux")]
fn a_bot_that_uses_too_much_memory_is_stopped() {
    let settings = HostSettings { memory: Some(100 << 20), ..settings() };
    let outside = outside("memory", Path::new(""), settings);
    let failure = play(&outside, Limits::movetime(PATIENCE)).unwrap_err();
    expect(&failure, FailureKind::Memory, "MiB of memory, more than it may");
}

/// How the referee scores a game in which the second player is a bad bot.
fn scored(mode: &str, limits: &str) -> Result<(String, String, String), NoResult> {
    let limits: MatchLimits = limits.parse().unwrap();
    let outside = bot(mode);
    let (mut good, mut bad) = (crate::toys::First, outside.player::<Heap>());
    let start = Heap { left: 21, plies: 0 };
    let bots: [&mut dyn Bot<Heap>; 2] = [&mut good, &mut bad];
    let conditions = Conditions::new(limits);
    let played = play_game(&start, bots, [1, 2], &conditions, &SystemClock::new(), &StopFlag::new())?;
    let fault = played.result.faults.first().map_or(String::new(), |fault| fault.message.clone());
    Ok((played.result.outcome.to_string(), played.result.reason, fault))
}

#[test]
fn the_referee_scores_bad_bots_as_losses_with_their_reason() {
    for (mode, limits, reason, words) in [
        ("illegal", "nodes=5", "illegal", "`9` is not a legal move of p2"),
        ("crash", "nodes=5", "crash", "ValueError: no idea"),
        ("nonsense", "nodes=5", "protocol", "found `bestmove checkmate`"),
        ("hang-move", "movetime=50ms", "time", "no answer within 150.0ms"),
    ] {
        let (outcome, found, message) = scored(mode, limits).unwrap();
        assert_eq!((outcome.as_str(), found.as_str()), ("p1", reason), "{message}");
        assert!(message.contains(words), "{message}");
    }
    assert!(matches!(scored("crash-start", "nodes=5"), Err(NoResult::Start(Player::Two, _))));
    assert_eq!(scored("plain", "nodes=5").unwrap().1, "last-taken");
}

#[test]
#[ignore = "measures time: part of `cargo xtask soak`"]
fn a_hung_bot_is_scored_within_a_second_of_its_deadline() {
    for _ in 0..20 {
        let outside = bot("hang-move");
        let mut player = outside.player::<Heap>();
        player.new_game(Player::One, 0).unwrap();
        let started = Instant::now();
        expect(&choose(&mut player, &heap(), short()).unwrap_err(), FailureKind::Time, "no answer");
        let late = started.elapsed().saturating_sub(Duration::from_millis(150));
        println!("scored {late:.1?} after clock and margin");
        assert!(late < Duration::from_secs(1), "{late:?}");
    }
}
