//! Somebody else's games in a project of their own, built from `docs/adding-a-game.md`, through every command.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes what has changed: a build is as new as its files.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).unwrap();
    fs::write(path, text).unwrap();
}

/// The first block of this language in the section of the page on programs.
fn block(language: &str) -> String {
    let page = read("docs/adding-a-game.md");
    let (_, section) = page.split_once("\n## 7. ").expect("section 7");
    let (_, block) = section.split_once(&format!("```{language}\n")).expect("a block");
    block.split_once("```").expect("its end").0.to_owned()
}

/// The program, built once from the page and the two games.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-games");
    write(&folder.join("src/main.rs"), &block("rs"));
    for game in ["breakthrough", "footsteps"] {
        let source = format!("src/{game}.rs");
        write(&folder.join(&source), &read(format!("examples/own-games/{source}")));
    }
    // The lines that stand for the registry, from here.
    let example = read("examples/own-games/Cargo.toml");
    let (_, patch) = example.split_once("\n[workspace]").expect("the rest of the manifest");
    let patch = patch.replace("../../crates", &root().join("crates").to_string_lossy());
    write(&folder.join("Cargo.toml"), &format!("{}\n[workspace]{patch}", block("toml")));
    // The versions that this workspace is tested with; cargo leaves out what is not used.
    let lock = folder.join("Cargo.lock");
    if !lock.exists() {
        write(&lock, &read("Cargo.lock"));
    }
    let target = folder.join("target");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--target-dir"])
        .arg(&target)
        .current_dir(&folder)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("debug/own-games")
});

fn start(arguments: &[&str], folder: &Path, input: &str) -> Output {
    let mut child = Command::new(&*PROGRAM)
        .args(arguments)
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    // A program that ends early closes its input.
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// What the program prints; it must end well.
#[track_caller]
fn run_in(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = start(arguments, folder, input);
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{arguments:?}\n{out}\n{err}");
    out
}

#[track_caller]
fn run(arguments: &[&str], input: &str) -> String {
    run_in(root(), arguments, input)
}

#[track_caller]
fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "expected `{part}` in\n{text}");
    }
}

#[test]
fn the_page_shows_the_example_as_it_is() {
    assert_eq!(block("rs"), read("examples/own-games/src/main.rs"));
    let manifest = read("examples/own-games/Cargo.toml");
    assert!(manifest.starts_with(&block("toml")), "{manifest}");
}

#[test]
fn none_of_the_four_games_is_compiled_for_it() {
    assert!(PROGRAM.is_file());
    let lock =
        fs::read_to_string(Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-games/Cargo.lock")).unwrap();
    for game in ["colosseum", "expendibots", "hus", "ropasci360"] {
        assert!(!lock.contains(&format!("name = \"{game}\"")), "{game} is a dependency");
    }
}

#[test]
fn the_overview_and_the_bots() {
    assert_contains(&run(&[], ""), &["own-games play breakthrough", "tournament", "compliance", "man"]);
    assert_contains(
        &run(&["bots", "breakthrough"], ""),
        &["random", "greedy", "minimax", "alphabeta", "mcts"],
    );
    assert_contains(&run(&["bots", "footsteps"], ""), &["random", "nash", "mcts", "alphabeta"]);
}

#[test]
fn perft_has_the_known_counts() {
    for (depth, leaves) in [("1", 22), ("2", 484), ("3", 11_132), ("4", 256_036), ("5", 6_182_818)] {
        let said = run(&["perft", "breakthrough", "--depth", depth], "");
        assert_contains(&said, &[&format!(" {leaves} nodes")]);
    }
    // Two bids from 15 coins can be made in 106 ways; the one turn in which both players spend everything ends the game.
    assert_contains(
        &run(&["perft", "footsteps", "--depth", "2"], ""),
        &[&format!(" {} nodes", 106 * 106 - 1)],
    );
}

#[test]
fn a_person_plays_in_the_terminal() {
    let limits = ["--limits", "nodes=200"];
    let breakthrough = [&["play", "breakthrough", "--against", "alphabeta"], &limits[..]].concat();
    assert_contains(&run(&breakthrough, "a2a3\nresign\n"), &["8 XXXXXXXX", "3 O......."]);
    let footsteps = [&["play", "footsteps", "--against", "nash"], &limits[..]].concat();
    assert_contains(
        &run(&footsteps, "3\nresign\n"),
        &["p2 (15 coins) ---o--- p1 (15 coins)", "p1 (12 coins)"],
    );
}

#[test]
fn positions_are_shown_and_analysed() {
    assert_contains(&run(&["show", "breakthrough"], ""), &["8 XXXXXXXX", "p1 has 22 moves"]);
    let winning = "X......X/..O...../......../......../......../......../......../O......O p1";
    let said = run(&["analyse", "breakthrough", winning, "--limits", "depth=3"], "");
    assert_contains(&said, &["c7c8"]);
    // Whoever has the last coin pulls the token home.
    let said = run(&["analyse", "footsteps", "2 2 1", "--bot", "nash", "--limits", "depth=4"], "");
    assert_contains(&said, &["2"]);
}

#[test]
fn a_program_in_another_language_would_talk_to_the_engine() {
    let said = run(
        &["engine", "breakthrough", "alphabeta"],
        "ugi\nisready\nposition startpos moves a2a3\ngo nodes 200\nquit\n",
    );
    assert_contains(&said, &["ugiok", "readyok", "bestmove "]);
    let said = run(&["engine", "footsteps", "nash"], "ugi\nposition startpos\ngo nodes 50\nquit\n");
    assert_contains(&said, &["ugiok", "bestmove "]);
}

#[test]
fn its_own_engines_are_compliant() {
    for (game, bot) in [("breakthrough", "greedy"), ("footsteps", "random")] {
        let engine = format!("{} engine {game} {bot}", PROGRAM.display());
        let arguments = [
            "compliance",
            &engine,
            "--game",
            game,
            "--positions",
            "4",
            "--limits",
            "movetime=2s",
            "--margin",
            "30s",
        ];
        assert_contains(&run(&arguments, ""), &["fit to play"]);
    }
}

#[test]
fn a_tournament_is_played_replayed_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["tournament", "--rounds", "1", "--limits", "nodes=100,playouts=10", "--jobs", "1", "--out", "run"];
    // Without bots named: those that both games have.
    let said = run_in(folder.path(), &arguments, "");
    assert_contains(&said, &["breakthrough: 6 games", "footsteps: 6 games"]);
    let run = folder.path().join("run");
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    assert_contains(&page, &["breakthrough", "footsteps", "<svg"]);
    let standings = fs::read_to_string(run.join("standings.csv")).unwrap();
    for bot in ["random", "mcts", "alphabeta"] {
        assert_eq!(standings.matches(&format!(",{bot},")).count(), 2, "{standings}");
    }
    assert_contains(&run_in(folder.path(), &["replay", "run", "1"], ""), &["breakthrough"]);
    fs::remove_file(run.join("report.html")).unwrap();
    run_in(folder.path(), &["render", "run"], "");
    assert!(run.join("report.html").is_file());
    run_in(folder.path(), &["merge", "run", "--out", "merged"], "");
    assert_eq!(fs::read_to_string(folder.path().join("merged/standings.csv")).unwrap(), standings);
}

/// A tournament in a folder, for the commands that look at one.
fn tournament(folder: &Path, more: &[&str]) -> String {
    let settings = "games = [\"breakthrough\", \"footsteps\"]\nbots = [\"random\", \"alphabeta\"]\nrounds = 3\n\
                    limits = \"nodes=100\"\nseed = 3\n";
    fs::write(folder.join("t.toml"), settings).unwrap();
    run_in(folder, &[&["tournament", "--file", "t.toml", "--no-report", "--out", "run"], more].concat(), "")
}

#[test]
fn pieces_are_played_anywhere_and_joined() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    tournament(at, &[]);
    assert_contains(
        &run_in(at, &["plan", "t.toml", "--pieces", "3", "--out", "work"], ""),
        &["3 pieces with 6 pairs"],
    );
    run_in(at, &["work", "work/piece-0003.json", "work/piece-0001.json"], "");
    let output = start(&["collect", "work", "--out", "joined"], at, "");
    assert_eq!(output.status.code(), Some(3), "one piece is missing");
    run_in(at, &["work", "work/piece-0002.json"], "");
    assert_contains(&run_in(at, &["collect", "work", "--out", "joined"], ""), &["all is done"]);
    for name in ["standings.csv", "summary.json"] {
        let read = |run: &str| fs::read_to_string(at.join(run).join(name)).unwrap();
        assert_eq!(read("joined"), read("run"), "{name}");
    }
}

#[test]
fn a_tournament_that_was_cut_off_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    tournament(at, &[]);
    let standings = fs::read_to_string(at.join("run/standings.csv")).unwrap();
    let journal = at.join("run/journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    fs::write(&journal, format!("{}\n", lines[..lines.len() / 2].join("\n"))).unwrap();
    run_in(at, &["tournament", "--resume", "--out", "run", "--no-report"], "");
    assert_eq!(fs::read_to_string(at.join("run/standings.csv")).unwrap(), standings);
}

#[test]
fn moves_and_positions_of_a_run_are_written_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    tournament(at, &[]);
    let moves = run_in(at, &["moves", "run"], "");
    assert_contains(
        &moves,
        &["event,game,turn,player,bot,move", "breakthrough,", "footsteps,", ",alphabeta,"],
    );
    let positions = run_in(at, &["export", "run", "--bot", "alphabeta", "--limits", "nodes=50"], "");
    assert_eq!(positions.lines().count(), moves.lines().count() - 1, "a line for each move");
    assert_contains(&positions, &["\"game\":\"breakthrough\"", "\"score\":", "\"result\":"]);
}

#[test]
fn openings_are_made_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // The usual judges, as far as this game has them.
    let words = ["openings", "breakthrough", "--count", "3", "--candidates", "12"];
    let limits = ["--limits", "nodes=200,playouts=50", "--out", "openings.txt"];
    run_in(at, &[&words[..], &limits[..]].concat(), "");
    let openings = fs::read_to_string(at.join("openings.txt")).unwrap();
    let lines = openings.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    assert_eq!(lines.count(), 3, "{openings}");
    let play = ["tournament", "--games", "breakthrough", "--bots", "random", "greedy", "--rounds", "3"];
    let more = ["--openings", "file=openings.txt", "--no-report", "--out", "run"];
    assert_contains(&run_in(at, &[&play[..], &more[..]].concat(), ""), &["breakthrough: 6 games"]);
}

#[test]
fn a_strategy_is_measured_where_both_choose_at_once() {
    let words = ["exploitability", "footsteps", "2 2 1", "--bot", "nash", "--turns", "2", "--json"];
    let said = run(&[&words[..], &["--limits", "depth=4"]].concat(), "");
    assert_contains(&said, &["\"exploitability\":"]);
    let output = start(&["exploitability", "breakthrough", "start", "--bot", "greedy"], root(), "");
    assert_eq!(output.status.code(), Some(2));
    assert_contains(&String::from_utf8_lossy(&output.stderr), &["both players choose at once"]);
}

#[test]
fn the_laws_are_looked_at() {
    for game in ["breakthrough", "footsteps"] {
        let said = run(&["laws", game, "--cases", "8", "--turns", "30", "--seed", "7"], "");
        assert_contains(
            &said,
            &["kept    move_texts_round_trip", &format!("{game} keeps all 16 laws in 8 random games")],
        );
    }
}

#[test]
fn shells_and_man_know_the_program() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell], "");
        assert_contains(&script, &["own-games", "tournament", "footsteps"]);
    }
    let folder = tempfile::tempdir().unwrap();
    run_in(folder.path(), &["man", "--out", "pages"], "");
    let page = fs::read_to_string(folder.path().join("pages/own-games-tournament.1")).unwrap();
    assert_contains(&page, &[".TH", "rounds"]);
    assert_contains(&run(&["man"], ""), &[".TH own-games 1"]);
}
