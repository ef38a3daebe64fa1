//! Journals: those of earlier versions, damaged ones, and what bots and disks do to them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{refuse, run, succeed, text, workspace};

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

/// Runs the program with its streams as the shell makes them.
fn with_streams(arguments: &str, streams: &str) -> (Option<i32>, String) {
    let command = format!("'{}' {arguments} {streams}", crate::common::PROGRAM);
    let output = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[cfg(target_os = "linux")]
#[test]
fn full_streams_are_no_reason_to_panic() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = |name: &str| temporary.path().join(name).display().to_string();
    let tournament = |name: &str| {
        let bots = "--bots random other=random --rounds 1 --seed 2";
        format!("tournament --games hus {bots} --no-report --out '{}'", folder(name))
    };
    let (code, said) = with_streams(&tournament("out"), ">/dev/full");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("cannot write to the standard output: No space left"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    let standings = fs::read_to_string(temporary.path().join("out/standings.csv")).unwrap();
    assert!(standings.contains("hus,1,"), "the results are in the folder: {standings}");
    // Without an error stream nobody can be told of progress; the table is shown all the same.
    let (code, said) = with_streams(&tournament("err"), "2>/dev/full");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("hus: 2 games"), "{said}");
    for command in ["bots hus", "show hus", "perft hus --depth 2", "--help"] {
        let (code, said) = with_streams(command, ">/dev/full");
        assert!(code != Some(101) && !said.contains("panicked"), "{command}: {said}");
        let (code, said) = with_streams(command, "2>/dev/full");
        assert!(code == Some(0) && !said.contains("panicked"), "{command}: {said}");
    }
    // A reader who has seen enough is no mistake.
    let (code, said) = with_streams("perft hus --depth 3", "| head -c 1");
    assert!(code == Some(0) && !said.contains("error"), "{said}");
}

/// A bot removes the run folder while the run is under way.
#[cfg(unix)]
#[test]
fn a_folder_that_goes_away_costs_the_files_but_not_the_table() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let path = temporary.path().join("removing.sh");
    let script = format!(
        "while read -r word rest; do\n\
         case $word in\n\
         ugi) echo 'id name removing'; echo ugiok ;;\n\
         isready) echo readyok ;;\n\
         go) rm -r '{}'; echo bestmove 99 ;;\n\
         quit) exit 0 ;;\n\
         esac\n\
         done\n",
        out.display()
    );
    fs::write(&path, script).unwrap();
    let bot = format!("removing=ugi:sh '{}'", path.display());
    let arguments = [
        "tournament",
        "--games",
        "hus",
        "--bots",
        "random",
        &bot,
        "--sandbox",
        "off",
        "--rounds",
        "1",
        "--jobs",
        "1",
    ];
    let output = run(&[&arguments[..], &["--out", &out.display().to_string()]].concat());
    let (said, table) = (text(&output.stderr), text(&output.stdout));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(table.contains("hus: 2 games"), "{table}\n{said}");
    assert!(said.contains("cannot open") && said.contains("journal.jsonl"), "{said}");
    assert!(!said.contains("panicked") && !said.contains("are kept"), "{said}");
}

#[test]
fn settings_that_are_lost_come_back_from_the_journal() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let folder = out.display().to_string();
    let begin = [
        "tournament",
        "--games",
        "hus",
        "--bots",
        "random",
        "other=random",
        "--rounds",
        "2",
        "--seed",
        "5",
        "--margin",
        "70ms",
        "--anchor",
        "other",
        "--no-report",
        "--out",
        &folder,
    ];
    let output = run(&begin);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let standings = fs::read_to_string(out.join("standings.csv")).unwrap();
    let settings = fs::read_to_string(out.join("tournament.toml")).unwrap();
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let shorter: String = journal.split_inclusive('\n').take(3).collect();
    let resume = ["tournament", "--resume", "--no-report", "--out", &folder];
    for lost in [&["tournament.toml"][..], &["plan.json", "tournament.toml"]] {
        fs::write(out.join("journal.jsonl"), &shorter).unwrap();
        for name in lost {
            fs::remove_file(out.join(name)).unwrap();
        }
        let output = run(&resume);
        assert!(output.status.success(), "{lost:?}: {}", text(&output.stderr));
        assert_eq!(fs::read_to_string(out.join("standings.csv")).unwrap(), standings, "{lost:?}");
        assert!(out.join("plan.json").is_file());
        assert_eq!(fs::read_to_string(out.join("tournament.toml")).unwrap(), settings, "{lost:?}");
        // What an empty disk block leaves of it.
        fs::write(out.join("tournament.toml"), "").unwrap();
        let output = run(&resume);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(fs::read_to_string(out.join("standings.csv")).unwrap(), standings);
        assert_eq!(fs::read_to_string(out.join("tournament.toml")).unwrap(), settings);
    }
    // An earlier version kept no settings in the journal: what the command line says instead is held against the plan.
    let old = temporary.path().join("old");
    copy(&old_run(), &old, &["journal.jsonl", "plan.json"]);
    let output = run(&["tournament", "--resume", "--no-report", "--out", &old.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("of an earlier version") && said.contains("begun with other settings"), "{said}");
}

#[test]
fn a_journal_that_nothing_tells_of_is_not_gone_on_with() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("run");
    fs::create_dir(&folder).unwrap();
    let journal = folder.join("journal.jsonl");
    fs::write(&journal, "{\"journal\":1,\"plan\":\"somebody's\"}\n").unwrap();
    // Neither plan nor settings, and a first line that cannot be read: any other games would be those of another run.
    let out = folder.display().to_string();
    let problem = refuse(&["tournament", "--resume", "--games", "hus", "--rounds", "1", "--out", &out]);
    assert!(problem.contains("no readable first line") && problem.contains("no plan.json"), "{problem}");
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 1);
}

#[test]
#[cfg(unix)]
fn ratings_without_faults_are_kept_in_the_settings_and_can_be_asked_for_later() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let folder = out.display().to_string();
    // A bot that breaks down at its second move.
    let script = temporary.path().join("short.sh");
    let lines = "while read -r word rest; do\ncase $word in\nugi) echo 'id name short'; echo ugiok ;;\nisready) echo readyok ;;\n\
                 go) exit 3 ;;\nquit) exit 0 ;;\nesac\ndone\n";
    fs::write(&script, lines).unwrap();
    let short = format!("short=ugi:sh '{}'", script.display());
    let base = ["tournament", "--games", "hus", "--rounds", "2", "--jobs", "1", "--out", &folder];
    let bots = ["--bots", &short, "random", "greedy", "--no-faults", "--no-report"];
    let shown = text(&run(&[&base[..], &bots].concat()).stdout);
    assert!(shown.contains("Elo of all games") && shown.contains("leave these 8 games out"), "{shown}");
    assert!(fs::read_to_string(out.join("tournament.toml")).unwrap().contains("no-faults = true"));
    let summary = || fs::read_to_string(out.join("summary.json")).unwrap();
    let first = summary();
    assert!(first.contains("\"no_faults\": true"), "{first}");
    // What the run keeps, render keeps; without it the flag asks for it.
    succeed(&["render", &folder], "");
    assert_eq!(summary(), first);
    fs::write(out.join("tournament.toml"), "rounds = 2\n").unwrap();
    succeed(&["render", &folder], "");
    assert!(!summary().contains("no_faults"), "{}", summary());
    succeed(&["render", &folder, "--no-faults"], "");
    assert_eq!(summary(), first);
}

#[test]
fn runs_that_cannot_be_repeated_say_so() {
    let temporary = tempfile::tempdir().unwrap();
    let play = |name: &str, more: &[&str]| {
        let out = temporary.path().join(name);
        let folder = out.display().to_string();
        let begin =
            ["tournament", "--games", "hus", "--rounds", "1", "--jobs", "1", "--out", &folder, "--bots"];
        let output = run(&[&begin[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        (text(&output.stderr), read("summary.json"), read("report.html"))
    };
    let (said, summary, page) = play("two", &["random", "alphabeta:depth=2,threads=2"]);
    let reason = "`alphabeta:depth=2,threads=2` searches with 2 threads that share a table";
    assert!(said.contains(&format!("not reproducible: {reason}")), "{said}");
    assert!(summary.contains("\"not_reproducible\": ["), "{summary}");
    assert!(page.contains("Not reproducible: "));
    let (said, summary, page) = play("one", &["random", "alphabeta:depth=2,threads=1", "mcts:threads=2"]);
    assert!(!said.contains("reproducible") && !summary.contains("reproducible"), "{said}");
    assert!(!page.contains("reproducible"));
    let (said, ..) = play("timed", &["random", "alphabeta:depth=2", "--limits", "movetime=20ms"]);
    assert!(said.contains("not reproducible: random has limits in time; alphabeta"), "{said}");
    let options = text(&run(&["bots", "hus"]).stdout);
    assert!(options.contains("with several no two games are the same"), "{options}");
}

#[test]
fn every_move_can_be_taken_out_with_what_its_bot_thought() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let folder = out.display().to_string();
    let begin = ["tournament", "--games", "hus", "ropasci360", "--bots", "random", "alphabeta:depth=2"];
    let output = run(&[&begin[..], &["--rounds", "1", "--out", &folder]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&run(&["moves", &folder, "--format", "jsonl"]).stdout);
    let moves: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let games: Vec<serde_json::Value> = journal
        .lines()
        .filter(|line| line.contains("\"index\":"))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let turns: usize = games
        .iter()
        .map(|game| {
            let players = if game["game"] == "ropasci360" { 2 } else { 1 };
            game["turns"].as_str().unwrap().split(' ').count() * players
        })
        .sum();
    assert_eq!(moves.len(), turns);
    for mv in &moves {
        if mv["bot"] == "random" {
            assert!(mv["score"].is_null() && mv["depth"].is_null(), "{mv}");
        } else {
            assert!(mv["depth"].as_u64().is_some() && mv["nodes"].as_u64().is_some(), "{mv}");
            assert!(mv["score"].is_i64() != mv["decided_in"].is_i64(), "{mv}");
            assert!(mv["seconds"].as_f64().is_some(), "{mv}");
        }
    }
    assert!(moves.iter().any(|mv| mv["decided_in"].as_i64() == Some(1) && mv["result"] == 1.0));
    let file = temporary.path().join("moves.csv");
    let output = run(&["moves", &folder, "--out", &file.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = fs::read_to_string(&file).unwrap();
    let header =
        "event,game,turn,player,bot,move,seconds,score,decided_in,depth,nodes,value,gap,result,reason";
    assert_eq!(table.lines().next(), Some(header));
    assert_eq!(table.lines().count(), 1 + moves.len());
    // The report shows the same.
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("What the bots thought") && page.contains("\"thoughts\":[["), "no graph");
    assert!(page.contains("time/move"));
}

#[test]
fn values_of_mixed_strategies_are_kept() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("run").display().to_string();
    let begin = ["tournament", "--games", "ropasci360", "--bots", "random", "nash", "--limits", "nodes=200"];
    let output = run(&[&begin[..], &["--rounds", "1", "--no-report", "--out", &folder]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&run(&["moves", &folder, "--format", "jsonl"]).stdout);
    let moves = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let first = moves.into_iter().find(|mv| mv["bot"] == "nash" && mv["turn"] == 1).unwrap();
    assert!(first["value"].as_f64().is_some() && first["gap"].as_f64().unwrap() >= 0.0, "{first}");
}
