//! Engines, outside bots, contest adapters and play in the terminal, through the command line.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::{PROGRAM, run_with, succeed, workspace};

fn example(name: &str) -> String {
    workspace().join("crates/gamesearch/src/contests/adapters/examples").join(name).display().to_string()
}

/// Whether a program can be run; says so if a test is left out because of it.
pub(crate) fn have(program: &str, arguments: &[&str]) -> bool {
    let found = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        eprintln!("left out: `{program} {}` does not run here", arguments.join(" "));
    }
    found
}

pub(crate) fn python() -> String {
    std::env::var("ARENA_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

fn have_python() -> bool {
    have(&python(), &["--version"])
}

/// The conversation in the specification is what really happens.
#[test]
fn the_documented_conversation_is_true() {
    let document = fs::read_to_string(workspace().join("docs/ugi.md")).unwrap();
    let (_, rest) = document.split_once("```ugi\n").unwrap();
    let (conversation, _) = rest.split_once("```").unwrap();
    let mut child = Command::new(PROGRAM)
        .args(["engine", "hus", "random"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut heard = 0;
    for line in conversation.lines() {
        if let Some(said) = line.strip_prefix("> ") {
            writeln!(input, "{said}").unwrap();
        } else if let Some(expected) = line.strip_prefix("< ") {
            let mut found = String::new();
            output.read_line(&mut found).unwrap();
            assert_eq!(found.trim_end(), expected);
            heard += 1;
        }
    }
    assert!(heard > 10 && child.wait().unwrap().success());
    let mut rest = String::new();
    assert_eq!(output.read_line(&mut rest).unwrap(), 0, "more than documented: {rest}");
}

#[test]
fn every_game_has_an_engine_and_its_mistakes_are_named() {
    for game in ["expendibots", "ropasci360", "hus", "colosseum"] {
        let out = succeed(&["engine", game, "random"], "ugi\nisready\ngo role p1 nodes 10\nquit\n");
        assert!(out.contains(&format!("default {game} var {game}\n")) && out.contains("readyok\n"), "{out}");
    }
    let output = run_with(&["engine", "hus", "randon"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `random`?"));
}

#[test]
fn a_person_can_play_every_game() {
    for game in ["expendibots", "ropasci360", "hus", "colosseum"] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.json").display().to_string();
        let arguments =
            ["play", game, "--against", "random", "--limits", "nodes=50", "--seed", "3", "--save", &file];
        let listed = succeed(&arguments, "help\nmoves\nboard\nxyzzy\nquit\n");
        assert!(listed.contains("take back your last move"), "{listed}");
        let moves = listed.lines().find_map(|line| line.split_once("legal moves: ")).unwrap().1;
        let first = moves.split_whitespace().next().unwrap();
        assert!(listed.contains("`xyzzy` is no legal move"), "{listed}");

        let typed = format!("{}\nhint\nundo\n{first}\nquit\n", first.to_uppercase());
        let played = succeed(&arguments, &typed);
        let turns =
            played.lines().filter(|line| line.contains(" plays ") || line.contains("p1|p2 play ")).count();
        assert_eq!(turns, if game == "ropasci360" { 2 } else { 4 }, "{played}");
        assert!(played.contains("Hint: "), "{played}");

        let saved = fs::read_to_string(&file).unwrap();
        assert!(saved.contains(&format!("\"game\":\"{game}\"")), "{saved}");
        let arguments = ["play", game, "--against", "random", "--limits", "nodes=50", "--load", &file];
        let loaded = succeed(&arguments, "undo\nundo\nquit\n");
        assert!(loaded.contains("There is nothing to take back."), "{loaded}");
    }
}

#[test]
fn bots_can_be_watched_to_the_end() {
    let arguments = ["play", "colosseum", "--side", "none", "--against", "random", "--limits", "nodes=10"];
    let out = succeed(&arguments, "");
    assert!(out.contains("The game is over: "), "{out}");
}

#[test]
fn a_position_is_analysed() {
    let out = succeed(&["analyse", "hus", "start", "--bot", "random", "--limits", "nodes=100"], "");
    assert!(out.contains("p1 plays ") && out.contains("gives no analysis"), "{out}");
    // Rows that are only bounded are not shown as values.
    let out = succeed(&["analyse", "hus", "start", "--bot", "alphabeta", "--limits", "depth=4"], "");
    assert!(out.contains("≤ "), "{out}");
    let output = run_with(&["analyse", "hus", "nonsense"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected a position, `start` or the file"));
    let output = run_with(&["analyse", "hus", "start", "--limits", "gametime=5s"], "");
    assert_eq!(output.status.code(), Some(2));
}

/// One short match against `random`, in which nobody may fail.
#[track_caller]
fn match_without_faults(game: &str, bot: &str) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run").display().to_string();
    let bot = format!("guest={bot}");
    // No clock that a slow machine could miss.
    let limits = "movetime=120s";
    let mut arguments = vec!["tournament", "--games", game, "--bots", "random", &bot, "--rounds", "1"];
    // The usual openings, random plies among them: a contest player must be told of those moves too.
    arguments.extend(["--limits", limits, "--seed", "5", "--jobs", "1", "--out", &out]);
    let text = succeed(&arguments, "");
    let journal = fs::read_to_string(folder.path().join("run/journal.jsonl")).unwrap();
    assert_eq!(journal.lines().filter(|line| line.contains("\"turns\"")).count(), 2, "{text}\n{journal}");
    for word in ["crash", "illegal", "protocol", "time", "memory"] {
        assert!(!journal.contains(&format!("\"reason\":\"{word}\"")), "{journal}");
    }
    assert!(!text.contains("withdrawn"), "{text}");
}

#[test]
fn our_own_engine_plays_a_tournament_from_outside() {
    for game in ["hus", "ropasci360"] {
        match_without_faults(game, &format!("ugi:'{PROGRAM}' engine {game} random"));
    }
}

#[test]
fn python_bots_play_tournaments() {
    if !have_python() {
        return;
    }
    match_without_faults("hus", &format!("ugi:{} {}", python(), example("fullest_pit.py")));
    match_without_faults("hus", &format!("huslines:{} {}", python(), example("last_pit.py")));
    match_without_faults("expendibots", &format!("comp30024:{}", example("expendibots_player")));
    match_without_faults("ropasci360", &format!("comp30024:{}", example("ropasci_player")));
}

#[test]
fn numpy_agents_play_tournaments() {
    if have(&python(), &["-c", "import numpy"]) {
        match_without_faults("colosseum", &format!("comp424:{}", example("colosseum_agent.py")));
    }
}

#[test]
fn java_bots_play_tournaments() {
    if have_python() && have("java", &["-version"]) && have("javac", &["-version"]) {
        match_without_faults("hus", &format!("huslines:java {}", example("LastPit.java")));
    }
}

#[test]
fn a_bot_that_cannot_start_is_an_error_before_the_first_game() {
    for (game, bot, words) in [
        ("hus", "ugi:/no/such/program", "`/no/such/program`: No such file"),
        ("hus", "ugi:'unclosed", "a quotation mark is not closed"),
        ("hus", "comp424:/no/such/agent.py", "hus has no bot `comp424`"),
        ("colosseum", "comp424:/no/such/agent.py", "expected the file of an agent"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run").display().to_string();
        let arguments =
            ["tournament", "--games", game, "--bots", "random", bot, "--rounds", "1", "--out", &out];
        let output = run_with(&arguments, "");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && message.contains(words), "{message}");
    }
}

#[test]
fn examples_are_fit_to_play() {
    if !have_python() {
        return;
    }
    let check = |command: &str, game: &str| {
        let arguments =
            ["compliance", command, "--game", game, "--limits", "movetime=60s", "--positions", "6"];
        let out = succeed(&arguments, "");
        assert!(out.contains("The bot is fit to play."), "{out}");
    };
    check(&format!("{} {}", python(), example("fullest_pit.py")), "hus");
    check(&format!("comp30024:{}", example("expendibots_player")), "expendibots");
    check(&format!("comp30024:{}", example("ropasci_player")), "ropasci360");
    let output = run_with(&["compliance", &format!("{} --version", python()), "--game", "hus"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("ended with exit code 0"), "{output:?}");
}

/// Our engine behind the contests' own interfaces, against the example players.
#[test]
fn our_engine_plays_inside_the_contests() {
    const GAME_2020: &str = "
import contest_players, expendibots_player
players = [contest_players.Player2020('white'), expendibots_player.Player('black')]
for ply in range(12):
    action = players[ply % 2].action()
    assert action[0] in ('MOVE', 'BOOM'), action
    for player in players:
        player.update(('white', 'black')[ply % 2], action)
print('played', len(players[0].moves))
";
    const GAME_2021: &str = "
import contest_players
from ropasci_player.player import Player
players = [Player('upper'), contest_players.Player2021('lower')]
for turn in range(8):
    actions = [player.action() for player in players]
    assert actions[1][0] in ('THROW', 'SLIDE', 'SWING'), actions
    players[0].update(actions[1], actions[0])
    players[1].update(actions[0], actions[1])
print('played', len(players[1].moves))
";
    // Lists serve where the contest hands over numpy arrays.
    const GAME_424: &str = "
import contest_players
agent = contest_players.Player424()
size = 6
board = [[[r == 0, c == size - 1, r == size - 1, c == 0] for c in range(size)] for r in range(size)]
(r, c), wall = agent.step(board, (0, 0), (5, 5), 3)
assert r + c <= 3 and 0 <= wall < 4 and not board[r][c][wall], (r, c, wall)
print('played', 1)
";
    if !have_python() {
        return;
    }
    let adapters = workspace().join("crates/gamesearch/src/contests/adapters");
    let path = std::env::join_paths([adapters.clone(), adapters.join("examples")]).unwrap();
    let games = [("expendibots", GAME_2020, 12), ("ropasci360", GAME_2021, 8), ("colosseum", GAME_424, 1)];
    for (game, script, turns) in games {
        let output = Command::new(python())
            .args(["-B", "-c", script])
            .env("PYTHONPATH", &path)
            .env("WORKBENCH_ENGINE", format!("'{PROGRAM}' engine {game} random"))
            .env("WORKBENCH_MOVETIME", "50")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(text.ends_with(&format!("played {turns}\n")), "{text}\n{errors}");
    }
}
