//! Journals: those of earlier versions, damaged ones, and what bots and disks do to them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{run, text, workspace};

/// A run that was written before journals kept what the bots thought.
fn old_run() -> PathBuf {
    workspace().join("crates/gamesearch/tests/data/old-run")
}

fn copy(from: &Path, to: &Path, names: &[&str]) {
    fs::create_dir_all(to).unwrap();
    for name in names {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
}

#[test]
fn a_journal_of_an_earlier_version_is_rendered_merged_and_shown() {
    let temporary = tempfile::tempdir().unwrap();
    let expected = fs::read_to_string(old_run().join("standings.csv")).unwrap();
    let run_folder = temporary.path().join("run");
    copy(&old_run(), &run_folder, &["journal.jsonl", "plan.json", "tournament.toml"]);
    let folder = run_folder.display().to_string();
    let rendered = run(&["render", &folder]);
    assert!(rendered.status.success(), "{}", text(&rendered.stderr));
    assert_eq!(text(&rendered.stderr), "");
    assert_eq!(fs::read_to_string(run_folder.join("standings.csv")).unwrap(), expected);
    assert!(fs::read_to_string(run_folder.join("report.html")).unwrap().contains("expected a move after"));
    // From the journal alone.
    let merged = temporary.path().join("merged");
    let journal = run_folder.join("journal.jsonl").display().to_string();
    let output = run(&["merge", &journal, "--out", &merged.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    assert_eq!(fs::read_to_string(merged.join("standings.csv")).unwrap(), expected);
    let shown = text(&run(&["replay", &folder, "4"]).stdout);
    assert!(shown.contains("random (p1) wins: protocol"), "{shown}");
    assert!(shown.contains("p2: protocol: expected a move"), "{shown}");
}

/// A UGI bot for Hus that kills the runner when it is asked for a move, as long as there is no file `calm`. The runner is
/// found by its command line: how a bot comes at it does not matter here.
#[cfg(target_os = "linux")]
fn deadly_bot(folder: &Path, runner: &str) -> String {
    let path = folder.join("deadly.sh");
    let calm = folder.join("calm").display().to_string();
    let script = format!(
        "while read -r word rest; do\n\
         case $word in\n\
         ugi) echo 'id name deadly'; echo ugiok ;;\n\
         isready) echo readyok ;;\n\
         go) [ -e '{calm}' ] || kill -9 $(cat '{runner}'); sleep 0.2; echo bestmove 99 ;;\n\
         quit) exit 0 ;;\n\
         esac\n\
         done\n"
    );
    fs::write(&path, script).unwrap();
    format!("deadly=ugi:sh '{}'", path.display())
}

/// Starts a run whose process number stands in a file before any bot is asked; whether it came to its end.
#[cfg(target_os = "linux")]
fn run_with_number(arguments: &[&str], number: &Path) -> (bool, String) {
    use std::process::{Command, Stdio};

    let command = format!("echo $$ > '{}'; exec \"$@\"", number.display());
    let mut whole = Command::new("sh");
    whole.args(["-c", &command, "sh", crate::common::PROGRAM]).args(arguments).stdin(Stdio::null());
    let output = whole.output().unwrap();
    (output.status.success(), text(&output.stdout) + &text(&output.stderr))
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_in_which_the_runner_dies_twice_is_void_and_the_rest_goes_on() {
    let temporary = tempfile::tempdir().unwrap();
    let number = temporary.path().join("number");
    let bot = deadly_bot(temporary.path(), &number.display().to_string());
    let out = temporary.path().join("run");
    let folder = out.display().to_string();
    let begin = [
        "tournament",
        "--games",
        "hus",
        "--bots",
        "random",
        "other=random",
        &bot,
        // It kills the runner, which it could not from the sandbox.
        "--sandbox",
        "off",
        "--rounds",
        "1",
        "--jobs",
        "2",
    ];
    let (ended, said) = run_with_number(&[&begin[..], &["--no-report", "--out", &folder]].concat(), &number);
    assert!(!ended, "{said}");
    let journal = || fs::read_to_string(out.join("journal.jsonl")).unwrap();
    assert!(journal().contains("{\"begun\":"), "who plays is on the disk: {}", journal());
    let resume = ["tournament", "--resume", "--no-report", "--jobs", "2", "--out", &folder];
    let (ended, said) = run_with_number(&resume, &number);
    assert!(!ended, "{said}");
    assert!(!journal().contains("{\"void\":"), "one sudden end says nothing");
    // The bot behaves from now on; what it did twice in one game is not forgotten.
    fs::write(temporary.path().join("calm"), "").unwrap();
    let (ended, said) = run_with_number(&resume, &number);
    assert!(ended, "{said}");
    assert_eq!(journal().matches("{\"void\":").count(), 1, "{}", journal());
    let void = "has no result: the runner came to a sudden end 2 times while it was played";
    assert!(said.contains(void) && said.contains("deadly"), "{said}");
    let games = journal().lines().filter(|line| line.contains("\"index\":")).count();
    assert_eq!(games, 5, "all but the void game were played");
    let rendered = run(&["render", &folder]);
    assert!(rendered.status.success(), "{}", text(&rendered.stderr));
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains(void));
}

/// A UGI bot for Hus that takes the games it lost out of the journal while the run goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_a_bot_rewrote_is_told_and_the_table_is_right() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let journal = out.join("journal.jsonl");
    let path = temporary.path().join("rewriting.sh");
    // It cannot lose a game any more that nobody remembers: its first answer loses, and it removes the line.
    let script = format!(
        "while read -r word rest; do\n\
         case $word in\n\
         ugi) echo 'id name rewriting'; echo ugiok ;;\n\
         isready) echo readyok ;;\n\
         uginewgame) grep -v protocol '{0}' > '{0}.less'; cat '{0}.less' > '{0}' ;;\n\
         go) echo bestmove 99 ;;\n\
         quit) exit 0 ;;\n\
         esac\n\
         done\n",
        journal.display()
    );
    fs::write(&path, script).unwrap();
    let bot = format!("rewriting=ugi:sh '{}'", path.display());
    let output = run(&[
        "tournament",
        "--games",
        "hus",
        "--bots",
        "random",
        &bot,
        // It writes into the run folder, which it could not from the sandbox.
        "--sandbox",
        "off",
        "--rounds",
        "2",
        "--jobs",
        "1",
        "--out",
        &out.display().to_string(),
    ]);
    let (said, table) = (text(&output.stderr), text(&output.stdout));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("journal: game 0 is missing"), "{said}");
    assert!(said.contains("somebody else wrote to"), "{said}");
    // What was played is told as it was played.
    assert!(table.contains("hus: 4 games"), "{table}");
    let standings = fs::read_to_string(out.join("standings.csv")).unwrap();
    assert!(standings.contains("hus,1,random,4,4,4,0,0"), "{standings}");
    assert!(!out.join("report.html").exists());
}

#[test]
fn thoughts_are_kept_unless_told_otherwise() {
    let temporary = tempfile::tempdir().unwrap();
    let play = |name: &str, more: &[&str]| {
        let out = temporary.path().join(name);
        let folder = out.display().to_string();
        let begin =
            ["tournament", "--games", "hus", "--bots", "random", "alphabeta:depth=2", "--rounds", "3"];
        let output = run(&[&begin[..], &["--no-report", "--out", &folder], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
        (journal, fs::read_to_string(out.join("standings.csv")).unwrap())
    };
    let (with, standings) = play("with", &[]);
    let (without, same) = play("without", &["--no-thoughts"]);
    assert_eq!(with.matches("\"thoughts\":").count(), 6);
    assert_eq!(without.matches("\"thoughts\":").count(), 0);
    assert_eq!(standings, same);
}
