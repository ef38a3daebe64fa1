//! Bots for tests, most of them bad on purpose, and a runner that can be killed.
//!
//! `ugi_fixture MODE [FILE]` speaks the protocol for a heap game of the tests (see `tests/it/toys.rs`); the mode says what is
//! wrong with it, the file takes process numbers.

use std::env;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use arena::sandbox::{self, Held, Strength};
use arena::ugi::{Engine, HostSettings, OutsideBot, guard_if_asked};
use rustix::process::Signal;
use search_core::{Bot, Limits, Player, Record, StopFlag, SystemClock, Task};
use toys::{First, Heap, Pennies};

#[path = "../../tests/it/toys.rs"]
mod toys;

fn main() -> ExitCode {
    if let Some(code) = guard_if_asked() {
        return code;
    }
    let mut arguments = env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let file = arguments.next().unwrap_or_default();
    match mode.as_str() {
        "heap" => serve(Engine::<Heap>::new("first", "tests", Box::new(|_| Ok(Box::new(First))))),
        "pennies" => serve(Engine::<Pennies>::new("first", "tests", Box::new(|_| Ok(Box::new(First))))),
        "runner" => run(&file),
        "sleep" => rest(),
        "try-sandbox" => try_sandbox(&file),
        "run-away" => run_away(&file).map_or(ExitCode::FAILURE, |()| rest()),
        "start-run-away" => start_run_away(&file).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS),
        mode => misbehave(mode, &file).unwrap_or(ExitCode::FAILURE),
    }
}

fn serve<G: search_core::Game>(engine: Engine<G>) -> ExitCode {
    match engine.run(BufReader::new(io::stdin()), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Prints what the sandbox holds, `rules` or the whole.
fn try_sandbox(strength: &str) -> ExitCode {
    let strength = if strength == "rules" { Strength::Rules } else { Strength::Room };
    match sandbox::try_sandbox(strength) {
        Ok(found) => {
            for Held { what, held, found } in found {
                println!("{held} {what}: {found}");
            }
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Sleeps for as long as any test could want.
fn rest() -> ExitCode {
    thread::sleep(Duration::from_hours(1));
    ExitCode::SUCCESS
}

/// A runner with a bot that hangs and has children; it hangs too, so that a test can kill it.
fn run(file: &str) -> ExitCode {
    let me = env::current_exe().unwrap_or_default().display().to_string();
    let command = vec![me, "grandchildren".to_owned(), file.to_owned()];
    let outside = Arc::new(OutsideBot::new(command, HostSettings::default()));
    let mut player = outside.player::<Heap>();
    let record = Record::new(Heap { left: 21, plies: 0 });
    let (stop, clock) = (StopFlag::new(), SystemClock::new());
    let task = Task::plain(&record, Player::One, Limits::movetime(Duration::from_hours(1)), &stop, &clock);
    let answer = player.choose(&task);
    eprintln!("{answer:?}");
    ExitCode::FAILURE
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.flush()
}

/// Starts a sleeping child, in a process group of its own if it is to run away, and notes its number.
fn sleeper(file: &str, runaway: bool) -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(env::current_exe()?);
    command.arg("sleep").stdin(Stdio::null());
    if runaway {
        command.process_group(0);
    }
    let child = command.spawn()?;
    note(file, child.id())
}

fn note(file: &str, what: impl Display) -> io::Result<()> {
    let mut file = fs::File::options().create(true).append(true).open(file)?;
    file.write_all(format!("{what}\n").as_bytes())
}

/// Leaves session and group, and notes its number.
fn run_away(file: &str) -> io::Result<()> {
    rustix::process::setsid()?;
    note(file, std::process::id())
}

fn start_run_away(file: &str) -> io::Result<()> {
    let mark = env::args().nth(3).unwrap_or_default();
    Command::new(env::current_exe()?).args(["run-away", file, &mark]).stdin(Stdio::null()).spawn().map(drop)
}

/// A daemon: the child of a child that has ended, in a session of its own. Comes back when it is there.
fn daemon(file: &str) -> io::Result<()> {
    let before = fs::read_to_string(file).unwrap_or_default().lines().count();
    Command::new(env::current_exe()?).args(["start-run-away", file]).stdin(Stdio::null()).status()?;
    while fs::read_to_string(file).unwrap_or_default().lines().count() == before {
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// How many children a bomb has.
static BOMB: AtomicU32 = AtomicU32::new(0);

/// Tries something that a bot must not do; whether it worked.
fn attack(kind: &str, target: &str) -> bool {
    let pid = || target.parse().ok().and_then(rustix::process::Pid::from_raw);
    match kind {
        "read" => fs::read(target).is_ok_and(|bytes| !bytes.is_empty()),
        "write" => fs::write(target, "mine").is_ok(),
        "signal" => pid().is_some_and(|pid| rustix::process::kill_process(pid, Signal::USR1).is_ok()),
        "peek" => fs::read(format!("/proc/{target}/environ")).is_ok(),
        "connect" => std::net::TcpStream::connect(target).is_ok(),
        "write-own" => {
            env::current_exe().is_ok_and(|exe| fs::write(exe.with_file_name("planted"), "x").is_ok())
        }
        "fill-scratch" => {
            let megabyte = vec![1; 1 << 20];
            (0..200).all(|number| fs::write(format!("/tmp/filler-{number}"), &megabyte).is_ok())
        }
        _ => true,
    }
}

/// Sends a signal to the guard. In a shell or behind an adapter the parent is another, but not here.
fn signal_guard(signal: Signal) -> io::Result<()> {
    match rustix::process::getppid() {
        Some(guard) => Ok(rustix::process::kill_process(guard, signal)?),
        None => Ok(()),
    }
}

fn misbehave(mode: &str, file: &str) -> io::Result<ExitCode> {
    match mode {
        "hang-start" => return Ok(rest()),
        "crash-start" => {
            eprintln!("ModuleNotFoundError: no module named brain");
            return Ok(ExitCode::from(1));
        }
        // The third start works.
        "fail-twice" => {
            note(file, std::process::id())?;
            if fs::read_to_string(file)?.lines().count() <= 2 {
                return Ok(ExitCode::from(7));
            }
        }
        "count-starts" | "ignore-quit" => note(file, std::process::id())?,
        _ => {}
    }
    let mut lines = io::stdin().lines();
    let mut games = 0;
    let (mut plies, mut asked) = (0, Vec::new());
    while let Some(Ok(line)) = lines.next() {
        match line.split_whitespace().next().unwrap_or("") {
            "ugi" if mode == "wrong-game" => {
                say("option name UGI_Game type combo default chess var chess var go\nugiok\n")?;
            }
            "ugi" if mode == "escapes" => {
                let name = "fine\u{1b}]52;c;aGk=\u{7}\u{202e}".to_owned() + &"x".repeat(1000);
                say(&format!("id name {name}\nid author \u{9b}31m\nugiok\n"))?;
            }
            "ugi" if mode == "noisy" => {
                say("\r\n\r\nhello\r\nid name noisy bot\r\nid author\r\noption name broken\r\nugiok\r\n")?;
            }
            "ugi" => {
                say("id name fixture\nid author tests\noption name level type spin min 1 max 3\nugiok\n")?;
            }
            "isready" if mode == "hang-ready" => return Ok(rest()),
            "isready" if mode == "hang-new-game" && games > 0 => return Ok(rest()),
            "isready" => say("readyok\n")?,
            "uginewgame" => {
                games += 1;
                asked.clear();
            }
            "position" => {
                plies = line.split_whitespace().last().and_then(|word| word.parse::<u32>().ok()).unwrap_or(0);
            }
            // A player of a contest: it follows one game from one side, and each position comes once.
            "go" if mode == "one-player" => {
                if asked.iter().any(|&earlier: &u32| earlier >= plies || (plies - earlier) % 2 != 0) {
                    eprintln!("asked after {plies} plies, before that after {asked:?}");
                    return Ok(ExitCode::from(4));
                }
                asked.push(plies);
                say("bestmove 1\n")?;
            }
            "quit" if mode == "ignore-quit" => {}
            "quit" => return Ok(ExitCode::SUCCESS),
            "go" => {
                if let Some(code) = answer(mode, file, games)? {
                    return Ok(code);
                }
            }
            _ => {}
        }
        if mode == "deaf" && line == "isready" {
            return Ok(rest());
        }
        if mode == "close-input" && games > 0 {
            let nothing = fs::File::open("/dev/null")?;
            rustix::stdio::dup2_stdin(&nothing)?;
            // The protocol is synchronised by now; every later write meets a closed pipe.
            say("readyok\n")?;
            return Ok(rest());
        }
    }
    // Also where the input has ended.
    if mode == "ignore-quit" {
        return Ok(rest());
    }
    Ok(ExitCode::SUCCESS)
}

/// What a bad bot does when it is asked for a move; an exit code if it ends there.
fn answer(mode: &str, file: &str, games: u32) -> io::Result<Option<ExitCode>> {
    match mode {
        "hang-move" => return Ok(Some(rest())),
        "half-line" => {
            say("info depth 1\nbestmo")?;
            return Ok(Some(rest()));
        }
        "flood" => loop {
            say("info string na na na na na na na na\n")?;
        },
        "flood-errors" => {
            for number in 0..40_000 {
                eprintln!("warning {number}: this bot talks too much and nobody listens to it");
            }
            say("bestmove 1\n")?;
        }
        "flood-errors-and-crash" => {
            for number in 0..40_000 {
                eprintln!("warning {number}: this bot talks too much and nobody listens to it");
            }
            eprintln!("IndexError: last words");
            return Ok(Some(ExitCode::from(9)));
        }
        "crash" => {
            eprintln!("Traceback (most recent call last):\n  ValueError: no idea");
            return Ok(Some(ExitCode::from(3)));
        }
        "crash-first-game" if games < 2 => return Ok(Some(ExitCode::from(3))),
        "signal-me" => std::process::abort(),
        "close-output" => {
            let nothing = fs::File::options().write(true).open("/dev/null")?;
            rustix::stdio::dup2_stdout(&nothing)?;
            return Ok(Some(rest()));
        }
        "illegal" => say("bestmove 9\n")?,
        "nonsense" => say("bestmove checkmate\n")?,
        "no-move" => say("bestmove\n")?,
        "escapes" => {
            eprintln!("Traceback:\r\n\t\u{1b}[2J\u{202e}gone");
            say("bestmove \u{1b}[31m7\n")?;
        }
        "late" => {
            thread::sleep(Duration::from_secs(2));
            say("bestmove 1\n")?;
        }
        "not-text" | "not-text-info" => {
            let mut out = io::stdout().lock();
            out.write_all(b"info string caf\xe9 \xff\nbestmove 1")?;
            out.write_all(if mode == "not-text" { b"\xff\n" } else { b"\n" })?;
            out.flush()?;
        }
        "long-line" => {
            let text = vec![b'x'; 1 << 20];
            let mut out = io::stdout().lock();
            for _ in 0..50 {
                out.write_all(&text)?;
            }
            out.write_all(b"\nbestmove 1\n")?;
            out.flush()?;
        }
        "noisy" => say(
            "\r\n  \r\nI am thinking\r\ninfo depth 3 seldepth 8 score cp 25 nodes 1234 hashfull 3 time 7 pv 2 1 zz\r\n\
             info colour green score blue\r\nresponse nobody asked\r\n\tbestmove   2  ponder 1\r\n",
        )?,
        "chatty" => say("I am thinking\nbestmove 1\n")?,
        "grandchildren" => {
            note(file, std::process::id())?;
            sleeper(file, false)?;
            sleeper(file, true)?;
            note(file, 0)?;
            return Ok(Some(rest()));
        }
        "leave-child" => {
            sleeper(file, false)?;
            sleeper(file, true)?;
            say("bestmove 1\n")?;
        }
        "open-files" => {
            let mut open: Vec<u32> = fs::read_dir("/proc/self/fd")?
                .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
                .collect();
            open.sort_unstable();
            // The last one is the look itself.
            open.pop();
            let numbers: Vec<String> = open.iter().map(ToString::to_string).collect();
            note(file, format!("{} look", numbers.join(" ")))?;
            say("bestmove 1\n")?;
        }
        "environment" => {
            for (name, value) in env::vars() {
                note(file, format!("{name}={value}"))?;
            }
            let core = rustix::process::getrlimit(rustix::process::Resource::Core);
            note(file, format!("core limit: {:?} {:?}", core.current, core.maximum))?;
            say("bestmove 1\n")?;
        }
        "daemon" => {
            daemon(file)?;
            say("bestmove 1\n")?;
        }
        "kill-guard" | "stop-guard" => {
            note(file, std::process::id())?;
            daemon(file)?;
            signal_guard(if mode == "kill-guard" { Signal::KILL } else { Signal::STOP })?;
            return Ok(Some(rest()));
        }
        "pretend-memory" => {
            eprintln!("\n\u{1e}guard memory 99999999");
            return Ok(Some(ExitCode::SUCCESS));
        }
        "pretend-and-die" => {
            eprintln!("\n\u{1e}guard memory 99999999");
            let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::KILL);
        }
        "note-and-think" => {
            note(file, std::process::id())?;
            return Ok(Some(rest()));
        }
        "note-child-and-think" => {
            sleeper(file, false)?;
            return Ok(Some(rest()));
        }
        "note-and-answer" => {
            note(file, std::process::id())?;
            // Many short sleeps, so that a time in which it is stopped does not count.
            for _ in 0..50 {
                thread::sleep(Duration::from_millis(10));
            }
            say("bestmove 1\n")?;
        }
        // Attacks: an answer of 2 stones says that one succeeded, 1 that it was held.
        "read" | "write" | "signal" | "peek" | "connect" | "write-own" | "fill-scratch" => {
            say(if attack(mode, file.trim_start_matches('@')) { "bestmove 2\n" } else { "bestmove 1\n" })?;
        }
        "fork-bomb" => loop {
            // Children of children would be more than a test may leave behind if it fails.
            if Command::new(env::current_exe()?).arg("sleep").stdin(Stdio::null()).spawn().is_err() {
                say("bestmove 1\n")?;
                break;
            }
            BOMB.fetch_add(1, Ordering::Relaxed);
            if BOMB.load(Ordering::Relaxed) > 1500 {
                say("bestmove 2\n")?;
                break;
            }
        },
        "miner" => {
            Command::new(env::current_exe()?)
                .args(["start-run-away", "/tmp/pid", file])
                .stdin(Stdio::null())
                .status()?;
            while fs::read_to_string("/tmp/pid").unwrap_or_default().is_empty() {
                thread::sleep(Duration::from_millis(1));
            }
            say("bestmove 1\n")?;
        }
        "freeze-itself" => {
            rustix::process::kill_process(rustix::process::getpid(), Signal::STOP)?;
        }
        "memory" => {
            let hog = vec![1_u8; 400 << 20];
            // The pages are looked at, so that they are really there.
            let sum: u64 = hog.iter().step_by(4096).map(|&byte| u64::from(byte)).sum();
            eprintln!("{sum}");
            return Ok(Some(rest()));
        }
        _ => say("bestmove 1\n")?,
    }
    Ok(None)
}
