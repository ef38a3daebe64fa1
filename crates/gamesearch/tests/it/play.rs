//! A game in the terminal: what a person types, what goes wrong, what is kept.

use std::fs;

use crate::common::{run_with, succeed, text, workspace};

const HUS: [&str; 6] = ["play", "hus", "--limits", "nodes=200", "--seed", "3"];

fn against<'a>(bot: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&HUS[..], &["--against", bot], more].concat()
}

#[test]
fn rules_are_ten_lines_with_the_notation() {
    for (game, notation) in
        [("expendibots", "2a1a3"), ("ropasci360", "s@i3"), ("hus", "play pit 12"), ("colosseum", "c4u")]
    {
        let lines = |input: &str| {
            let out = succeed(&["play", game, "--against", "random"], input);
            (out.lines().count(), out)
        };
        let ((without, _), (with, out)) = (lines("quit\n"), lines("rules\nquit\n"));
        assert!(out.contains(notation), "{out}");
        assert!(out.contains("You win "), "the goal is in it: {out}");
        assert!((4..=10).contains(&(with - without)), "{} lines: {out}", with - without);
        assert!(out.lines().all(|line| line.chars().count() <= 132), "{out}");
    }
}

/// What the rules show as a move is one.
#[test]
fn the_moves_in_the_rules_can_be_read() {
    let out = succeed(&["play", "expendibots", "--against", "random"], "1a1a2\nquit\n");
    assert!(out.contains("p1 plays 1a1a2"), "{out}");
    let out = succeed(&["play", "ropasci360", "--against", "random"], "s@i3\nquit\n");
    assert!(out.contains("p1|p2 play s@i3|"), "{out}");
}

#[test]
fn a_person_can_resign_and_the_file_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json").display().to_string();
    let out = succeed(&against("random", &["--save", &file]), "0\nresign\n");
    assert!(out.contains("p1 resigns: p2 (random) wins."), "{out}");
    let saved = fs::read_to_string(&file).unwrap();
    assert!(saved.contains(r#""outcome":"p2","reason":"resignation""#), "{saved}");
    let out = succeed(&["replay", &file], "");
    assert!(out.contains("random (p2) wins: resignation"), "{out}");
}

#[test]
fn two_numbers_are_not_one_pit() {
    let out = succeed(&against("random", &[]), "1 2\nquit\n");
    assert!(out.contains("`1 2` is no legal move"), "{out}");
}

#[test]
fn a_hint_says_why_whoever_helps() {
    let out = succeed(&against("random", &[]), "hint\nquit\n");
    let hint = out.lines().find(|line| line.contains("Hint: ")).unwrap();
    let mv = hint.split("Hint: ").nth(1).unwrap().split_whitespace().next().unwrap();
    assert!(hint.contains("depth ") && hint.contains("score "), "{hint}");
    assert!(hint.contains(&format!(": {mv} ")), "the line begins with the move: {hint}");
    let arguments = ["play", "ropasci360", "--against", "random", "--limits", "nodes=200"];
    let out = succeed(&arguments, "hint\nquit\n");
    assert!(out.lines().any(|line| line.contains("Hint: ") && line.contains("score ")), "{out}");
    // A mixed strategy is shown as one: its likeliest move need not be the hint.
    let out = succeed(&[&arguments[..], &["--hints", "nash"]].concat(), "hint\nquit\n");
    let hint = out.lines().find(|line| line.contains("Hint: ")).unwrap();
    assert!(hint.contains("drawn from ") && hint.contains(" %"), "{hint}");
}

#[cfg(unix)]
#[test]
fn a_game_goes_on_when_a_bot_fails() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("crash.sh");
    let lines = "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
                 go) exit 1;; esac; done\n";
    fs::write(&script, lines).unwrap();
    let bot = format!("ugi:sh {}", script.display());
    let file = folder.path().join("game.json").display().to_string();
    let out = succeed(&against(&bot, &["--hints", "random", "--save", &file]), "0\n0\nquit\n");
    assert!(out.contains("it is started again") && out.contains("From here on you play p2."), "{out}");
    assert!(out.contains("p2 plays 0"), "{out}");
    let saved = fs::read_to_string(&file).unwrap();
    assert!(saved.contains(r#""turns":"0 0""#), "{saved}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_the_game_while_the_bot_thinks() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("slow.sh");
    let started = folder.path().join("started");
    let lines = format!(
        "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
         go) : > '{}'; sleep 100;; quit) exit 0;; esac; done\n",
        started.display()
    );
    fs::write(&script, lines).unwrap();
    let bot = format!("ugi:sh {}", script.display());
    let mut child = crate::common::program(&against(&bot, &["--hints", "random", "--sandbox", "off"]))
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"0\n").unwrap();
    while !started.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before the bot was asked");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = text(&output.stderr);
    assert!(said.contains("saved in interrupted-hus.json; go on with --load interrupted-hus.json"), "{said}");
    let saved = fs::read_to_string(folder.path().join("interrupted-hus.json")).unwrap();
    assert!(saved.contains(r#""turns":"0""#), "{saved}");
}

/// A person who only looks leaves nothing behind.
#[test]
fn a_game_that_was_not_begun_is_not_saved() {
    let output = run_with(&against("random", &[]), "quit\n");
    assert!(output.status.success());
    assert!(!workspace().join("interrupted-hus.json").exists());
}
