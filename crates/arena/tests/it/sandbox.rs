//! Hostile bots in the sandbox: each is held, and scored as what it is.
//!
//! A bot that attacks takes two stones if the attack worked and one if not. Where the system gives no sandbox there is nothing
//! to be tested, and the tests say so.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use arena::sandbox::{Sandbox, Strength};
use arena::ugi::{HostSettings, OutsideBot};
use search_core::{Bot, BotFailure, FailureKind, Limits, Player};
use tempfile::TempDir;

use crate::host::{FIXTURE, PATIENCE, choose, expect, heap, play, settings, short};
use crate::toys::Heap;

/// The strongest sandbox of this system.
fn strength() -> Option<Strength> {
    [Strength::Room, Strength::Rules].into_iter().find(|&strength| {
        let plain = Sandbox::new(strength);
        let start = HostSettings { sandbox: Some(plain), ..settings() };
        let started = play(&bot(Path::new(FIXTURE), "plain", "", start), Limits::movetime(PATIENCE));
        started.inspect_err(|failure| eprintln!("no sandbox with {strength}: {failure}")).is_ok()
    })
}

fn room() -> bool {
    strength() == Some(Strength::Room)
}

fn bot(program: &Path, mode: &str, target: &str, settings: HostSettings) -> Arc<OutsideBot> {
    let command = vec![program.display().to_string(), mode.to_owned(), target.to_owned()];
    Arc::new(OutsideBot::new(command, settings))
}

fn inside(hidden: Vec<PathBuf>) -> HostSettings {
    let sandbox = strength().map(|strength| Sandbox { hidden, ..Sandbox::new(strength) });
    HostSettings { sandbox, ..settings() }
}

/// A copy of the fixture in a folder of its own, so that other files of a test are none of its neighbours.
fn installed() -> (TempDir, PathBuf) {
    // Not in the folder for temporary files, where every bot has one of its own.
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = folder.path().join("bot/fixture");
    fs::create_dir(folder.path().join("bot")).unwrap();
    fs::copy(FIXTURE, &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (folder, program)
}

/// What becomes of an attack.
fn attack(program: &Path, mode: &str, target: &str, hidden: Vec<PathBuf>) -> Result<u32, BotFailure> {
    play(&bot(program, mode, target, inside(hidden)), Limits::movetime(PATIENCE))
}

const HELD: Result<u32, BotFailure> = Ok(1);

#[test]
fn what_belongs_to_others_cannot_be_read_or_written() {
    if strength().is_none() {
        return;
    }
    let (folder, program) = installed();
    let journal = folder.path().join("journal.jsonl");
    fs::write(&journal, "{}").unwrap();
    // The target is no path for whoever looks for the bot's own files.
    let target = format!("@{}", journal.display());
    assert_eq!(attack(&program, "read", &target, Vec::new()), HELD);
    // In a checkout below the folder for temporary files the bot's own scratch folder lies around it, and takes what it writes.
    let in_scratch = folder.path().starts_with(std::env::temp_dir());
    let written = attack(&program, "write", &target, Vec::new());
    assert!(written == HELD || in_scratch, "{written:?}");
    assert_eq!(fs::read_to_string(&journal).unwrap(), "{}");
    // Without a sandbox both work, else this would show nothing.
    let free = |mode| play(&bot(&program, mode, &target, settings()), Limits::movetime(PATIENCE));
    assert_eq!((free("read"), free("write")), (Ok(2), Ok(2)));
}

#[test]
fn a_bot_does_not_change_itself_between_games() {
    if strength().is_none() {
        return;
    }
    let (_folder, program) = installed();
    assert_eq!(attack(&program, "write-own", "", Vec::new()), HELD);
    assert!(!program.with_file_name("planted").exists());
}

#[test]
fn the_opponents_program_is_not_to_be_seen_beside_ones_own() {
    if !room() {
        return;
    }
    let (_folder, program) = installed();
    let (file, other) = (program.with_file_name("other.py"), program.with_file_name("other"));
    fs::write(&file, "secret").unwrap();
    fs::create_dir(&other).unwrap();
    fs::write(other.join("main.py"), "secret").unwrap();
    let hidden = vec![file.clone(), other.clone()];
    assert_eq!(attack(&program, "read", &format!("@{}", file.display()), hidden.clone()), HELD);
    assert_eq!(attack(&program, "read", &format!("@{}", other.join("main.py").display()), hidden), HELD);
    assert_eq!(attack(&program, "read", &format!("@{}", file.display()), Vec::new()), Ok(2));
}

#[test]
fn of_a_hidden_folder_around_it_a_bot_sees_its_own_alone() {
    if !room() {
        return;
    }
    let (folder, program) = installed();
    let journal = folder.path().join("journal.jsonl");
    fs::write(&journal, "{}").unwrap();
    let target = format!("@{}", journal.display());
    let read = |hidden: Vec<PathBuf>| {
        let mut settings = inside(hidden);
        // As if the whole class lay in a folder that everybody may read.
        if let Some(sandbox) = &mut settings.sandbox {
            sandbox.readable = vec![folder.path().to_owned()];
        }
        play(&bot(&program, "read", &target, settings), Limits::movetime(PATIENCE))
    };
    assert_eq!(read(Vec::new()), Ok(2));
    assert_eq!(read(vec![folder.path().to_owned()]), HELD);
}

#[test]
fn no_memory_is_out_of_sight() {
    if strength().is_none() {
        return;
    }
    let (_folder, program) = installed();
    assert_eq!(attack(&program, "memory-file", "", Vec::new()), HELD);
    let free = bot(&program, "memory-file", "", settings());
    assert_eq!(play(&free, Limits::movetime(PATIENCE)), Ok(2));
}

#[test]
fn the_other_table_of_system_calls_is_no_way_around() {
    if strength().is_none() {
        return;
    }
    let (_folder, program) = installed();
    assert_eq!(attack(&program, "other-table", "", Vec::new()), HELD);
}

#[test]
fn nobody_outside_can_be_signalled_or_looked_at() {
    if strength().is_none() {
        return;
    }
    let (_folder, program) = installed();
    let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
    let target = sleeper.id().to_string();
    assert_eq!(attack(&program, "signal", &target, Vec::new()), HELD);
    assert_eq!(attack(&program, "peek", &target, Vec::new()), HELD);
    assert_eq!(sleeper.try_wait().unwrap(), None);
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
}

#[test]
fn there_is_no_network() {
    if strength().is_none() {
        return;
    }
    let (_folder, program) = installed();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    assert_eq!(attack(&program, "connect", &address, Vec::new()), HELD);
    let free = bot(&program, "connect", &address, settings());
    assert_eq!(play(&free, Limits::movetime(PATIENCE)), Ok(2));
}

#[test]
fn a_bot_that_forks_without_end_is_held() {
    if strength().is_none() {
        return;
    }
    let (_folder, program) = installed();
    match attack(&program, "fork-bomb", "", Vec::new()) {
        // The limit of the system is enough, but does not hold for root.
        Ok(stones) => assert_eq!(stones, 1),
        Err(failure) => {
            expect(&failure, FailureKind::Crash, "processes and threads at a time, more than it may");
        }
    }
}

#[test]
fn a_daemon_does_not_outlive_its_bot() {
    if !room() {
        return;
    }
    let (folder, program) = installed();
    let mark = format!("miner-{}", folder.path().file_name().unwrap().to_string_lossy());
    let miners = || {
        let numbers = fs::read_dir("/proc").unwrap().flatten();
        let lines = numbers.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        lines.filter(|line| line.windows(mark.len()).any(|part| part == mark.as_bytes())).count()
    };
    let bot = bot(&program, "miner", &mark, inside(Vec::new()));
    assert_eq!(play(&bot, Limits::movetime(PATIENCE)), HELD);
    assert!(miners() > 0);
    drop(bot);
    let start = Instant::now();
    while miners() > 0 {
        assert!(start.elapsed() < PATIENCE, "the daemon is still there");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_disk_is_not_filled_and_nothing_stays() {
    if !room() {
        return;
    }
    let (_folder, program) = installed();
    assert_eq!(attack(&program, "fill-scratch", "", Vec::new()), HELD);
    assert!(!Path::new("/tmp/filler-0").exists());
}

#[test]
fn memory_is_limited() {
    if strength().is_none() {
        return;
    }
    let (_folder, program) = installed();
    let settings = HostSettings { memory: Some(100 << 20), ..inside(Vec::new()) };
    let failure = play(&bot(&program, "memory", "", settings), Limits::movetime(PATIENCE)).unwrap_err();
    expect(&failure, FailureKind::Memory, "MiB of memory, more than it may");
}

#[test]
fn bad_bots_are_scored_inside_as_outside() {
    if strength().is_none() {
        return;
    }
    let (_folder, program) = installed();
    for (mode, limits, kind, words) in [
        ("flood", Limits::movetime(PATIENCE), FailureKind::Protocol, "wrote more than"),
        ("hang-move", short(), FailureKind::Time, "no answer within"),
        (
            "crash",
            Limits::movetime(PATIENCE),
            FailureKind::Crash,
            "ended with exit code 3; its error output:\nTrace",
        ),
        ("signal-me", Limits::movetime(PATIENCE), FailureKind::Crash, "was ended by signal 6 (abort)"),
        ("crash-start", Limits::movetime(PATIENCE), FailureKind::Start, "ended with exit code 1"),
    ] {
        let failure = play(&bot(&program, mode, "", inside(Vec::new())), limits).unwrap_err();
        expect(&failure, kind, words);
    }
    assert_eq!(attack(&program, "flood-errors", "", Vec::new()), HELD);
    let missing = play(&bot(Path::new("/no/such/program"), "", "", inside(Vec::new())), short()).unwrap_err();
    expect(&missing, FailureKind::Start, "in the sandbox a bot sees the system's programs and the files");
}

#[test]
fn a_bot_that_stops_itself_inside_has_nobody_else_to_blame() {
    if !room() {
        return;
    }
    let (_folder, program) = installed();
    let failure = play(&bot(&program, "freeze-itself", "", inside(Vec::new())), short()).unwrap_err();
    expect(&failure, FailureKind::Time, "no answer within");
}

#[test]
fn the_trial_finds_everything_held() {
    let Some(strength) = strength() else { return };
    let word = if strength == Strength::Room { "room" } else { "rules" };
    let output = Command::new(FIXTURE).args(["try-sandbox", word]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.lines().count() >= 16, "{text}");
    assert!(text.lines().all(|line| line.starts_with("true ")), "{text}");
}

#[test]
#[ignore = "measures time: part of `cargo xtask soak`"]
fn a_sandboxed_bot_starts_within_twenty_milliseconds_more() {
    if !room() {
        return;
    }
    let (_folder, program) = installed();
    let median = |settings: &HostSettings| {
        let mut times: Vec<Duration> = (0..41)
            .map(|_| {
                let started = Instant::now();
                assert_eq!(
                    play(&bot(&program, "plain", "", settings.clone()), Limits::movetime(PATIENCE)),
                    Ok(1)
                );
                started.elapsed()
            })
            .collect();
        times.sort();
        times[20]
    };
    // What all processes that have ended took of the processors: it hardly depends on what else the machine does.
    let ended = || {
        let stat = fs::read_to_string("/proc/self/stat").unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        let ticks = |place: usize| -> u64 { fields[place].parse().unwrap() };
        Duration::from_millis(10 * (ticks(13) + ticks(14)))
    };
    let (begun, bare) = (ended(), median(&settings()));
    let (between, closed) = (ended(), median(&inside(Vec::new())));
    println!("start, a move and the end: bare {bare:.1?}, in the sandbox {closed:.1?}");
    let [bare_work, closed_work] =
        [between.saturating_sub(begun), ended().saturating_sub(between)].map(|work| work / 41);
    println!("processor time of each: bare {bare_work:.1?}, in the sandbox {closed_work:.1?}");
    assert!(closed < bare + Duration::from_millis(20), "{bare:?} {closed:?}");
}

/// Medians of the two by turns, so that what else the machine does hits both.
#[test]
#[ignore = "measures time: part of `cargo xtask soak`"]
fn a_move_in_the_sandbox_costs_nothing_more() {
    if !room() {
        return;
    }
    let (_folder, program) = installed();
    let mut players = [settings(), inside(Vec::new())].map(|settings| {
        let bot = bot(&program, "plain", "", settings);
        let mut player = bot.player::<Heap>();
        player.new_game(Player::One, 5).unwrap();
        (bot, player)
    });
    let record = heap();
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..4000 {
        for ((_, player), times) in players.iter_mut().zip(&mut times) {
            let started = Instant::now();
            choose(player, &record, Limits::movetime(PATIENCE)).unwrap();
            times.push(started.elapsed());
        }
    }
    let [bare, closed] = times.map(|mut times| {
        times.sort();
        times[times.len() / 2]
    });
    let ratio = closed.as_secs_f64() / bare.as_secs_f64();
    println!("a move: bare {bare:.1?}, in the sandbox {closed:.1?}, ratio {ratio:.3}");
    assert!(ratio < 1.25 || closed < bare + Duration::from_micros(10), "{bare:?} {closed:?}");
}
