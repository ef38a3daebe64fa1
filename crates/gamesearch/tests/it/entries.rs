//! Entries of the contests, in the shapes in which they were handed in: each plays a short match and nobody may fail.

use std::fs;
use std::path::Path;

use crate::common::{run, text, workspace};
use crate::outside::{have, python};

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).display().to_string()
}

fn example(name: &str) -> String {
    workspace().join("crates/gamesearch/src/contests/adapters/examples").join(name).display().to_string()
}

fn have_python() -> bool {
    have(&python(), &["--version"])
}

/// Two games against `random`; the journal.
#[track_caller]
fn match_without_faults(game: &str, bot: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run").display().to_string();
    let bot = format!("guest={bot}");
    let mut arguments = vec!["tournament", "--games", game, "--bots", "random", &bot, "--rounds", "1"];
    // No clock that a slow machine could miss.
    arguments.extend([
        "--limits",
        "movetime=120s",
        "--seed",
        "5",
        "--jobs",
        "1",
        "--no-report",
        "--out",
        &out,
    ]);
    let output = run(&arguments);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    let journal = fs::read_to_string(folder.path().join("run/journal.jsonl")).unwrap();
    assert_eq!(journal.lines().filter(|line| line.contains("\"turns\"")).count(), 2, "{said}\n{journal}");
    for word in ["crash", "illegal", "protocol", "time", "memory"] {
        assert!(!journal.contains(&format!("\"reason\":\"{word}\"")), "{said}\n{journal}");
    }
    journal
}

/// What is said of a bot that cannot start; no game may have begun.
#[track_caller]
fn refused(game: &str, bot: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run").display().to_string();
    let bot = format!("guest={bot}");
    let arguments = ["tournament", "--games", game, "--bots", "random", &bot, "--rounds", "1", "--out", &out];
    let output = run(&arguments);
    assert!(!output.status.success());
    let journal = fs::read_to_string(folder.path().join("run/journal.jsonl")).unwrap_or_default();
    assert!(!journal.contains("\"turns\""), "{journal}");
    let message = text(&output.stderr);
    assert!(!message.contains("Traceback"), "{message}");
    message
}

/// By position, as the contest's referee does; and the legal actions are there.
#[test]
fn players_of_comp30024_are_told_by_position() {
    if have_python() {
        match_without_faults(
            "ropasci360",
            &format!("comp30024:{}", data("comp30024/ropasci/part_b/some_team")),
        );
        match_without_faults(
            "expendibots",
            &format!("comp30024:{}", data("comp30024/expendibots/part_b/some_team")),
        );
    }
}

#[test]
fn the_player_of_comp30024_in_a_repository_is_found() {
    if !have_python() {
        return;
    }
    match_without_faults("ropasci360", &format!("comp30024:{}", data("comp30024/ropasci")));
    let several = refused("ropasci360", &format!("comp30024:{}", data("comp30024")));
    assert!(several.contains("found several below"), "{several}");
    for folder in ["expendibots", "ropasci"] {
        assert!(
            several.contains(&format!("{}/part_b/some_team", data(&format!("comp30024/{folder}")))),
            "{several}"
        );
    }
    let none = refused("ropasci360", &format!("comp30024:{}", data("comp424")));
    assert!(none.contains("found none in"), "{none}");
}

#[test]
fn an_agent_of_comp424_may_be_part_of_a_package() {
    if have(&python(), &["-c", "import numpy"]) {
        match_without_faults("colosseum", &format!("comp424:{}", data("comp424/walker/agent.py")));
    }
}

#[test]
fn a_program_for_lines_that_cannot_start_is_named_before_the_first_game() {
    if !have_python() {
        return;
    }
    let missing = refused("hus", "huslines:/no/such/program --fast");
    assert!(missing.contains("guest") && missing.contains("/no/such/program --fast"), "{missing}");
    assert!(missing.contains("No such file or directory"), "{missing}");
    // Here the program starts, but what it should run is not there.
    let empty = refused("hus", &format!("huslines:{} /no/such/bot.py", python()));
    assert!(empty.contains("ended with exit code 2 instead of answering"), "{empty}");
}

#[test]
fn a_player_of_the_java_framework_needs_only_its_folders() {
    if !(have_python() && have("java", &["-version"]) && have("javac", &["-version"])) {
        return;
    }
    let (entry, framework) = (data("hus-entry"), data("hus-framework"));
    match_without_faults("hus", &format!("husplayer:'{entry}' '{framework}'"));
    match_without_faults(
        "hus",
        &format!("husplayer:'{entry}/src' '{framework}/src' student_player.StudentPlayer"),
    );
    let unknown = refused("hus", &format!("husplayer:'{entry}' '{framework}' student_player.Stranger"));
    assert!(unknown.contains("there is no class `student_player.Stranger`"), "{unknown}");
    let lonely = refused("hus", &format!("husplayer:'{entry}'"));
    assert!(lonely.contains("cannot be compiled"), "{lonely}");
    let none = refused("hus", &format!("husplayer:'{framework}'"));
    assert!(none.contains("found none; name the class after the folders"), "{none}");
}

/// A bot that knows no rules: the legal moves reach it in every game.
#[test]
fn a_bot_may_ask_for_the_legal_moves() {
    if have_python() {
        for game in ["expendibots", "ropasci360", "hus", "colosseum"] {
            match_without_faults(game, &format!("ugi:{} {}", python(), example("any_move.py")));
        }
    }
}
