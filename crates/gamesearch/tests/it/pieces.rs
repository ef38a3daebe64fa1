//! Work in pieces from outside: planned, worked in any order and place, collected at any time.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{PROGRAM, program, refuse, run, text};

const TOURNAMENT: &str = r#"
games = ["hus", "ropasci360"]
bots = ["random", "greedy", "alphabeta"]
rounds = 4
limits = "nodes=60"
seed = 5
"#;

/// A folder with a tournament that was played by itself.
struct Yard {
    folder: tempfile::TempDir,
}

impl Yard {
    fn new(settings: &str) -> Yard {
        let yard = Yard { folder: tempfile::tempdir().unwrap() };
        fs::write(yard.at("t.toml"), settings).unwrap();
        yard
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program in the folder: its exit code, and what it prints and says.
    fn call(&self, words: &[&str]) -> (i32, String, String) {
        let output = program(words).current_dir(self.folder.path()).output().unwrap();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    }

    /// Runs the program; what it prints, if it ends with this code.
    #[track_caller]
    fn ends(&self, code: i32, words: &[&str]) -> String {
        let (found, out, said) = self.call(words);
        assert_eq!(found, code, "{words:?}\n{out}\n{said}");
        out
    }

    fn single(&self) {
        self.ends(0, &["tournament", "--file", "t.toml", "--out", "single", "--no-report"]);
    }

    fn plan(&self, pieces: &str) {
        self.ends(0, &["plan", "t.toml", "--pieces", pieces, "--out", "work"]);
    }

    fn work(&self, piece: u32) {
        self.ends(0, &["work", &format!("work/piece-{piece:04}.json"), "--jobs", "2"]);
    }

    /// Works and collects until all is done; how many times there was more to do.
    fn finish(&self) -> u32 {
        for times in 0..60 {
            let (code, list, said) = self.call(&["collect", "work", "--out", "run", "--list"]);
            if code == 0 {
                return times;
            }
            assert_eq!(code, 3, "{said}");
            let mut words = vec!["work"];
            words.extend(list.lines());
            assert!(words.len() > 1, "more to do, and nothing to work on");
            self.ends(0, &words);
        }
        panic!("no end");
    }

    #[track_caller]
    fn is_the_single_one(&self) {
        for name in ["summary.json", "standings.csv", "plan.json"] {
            let read = |run: &str| fs::read_to_string(self.at(run).join(name)).unwrap();
            assert_eq!(read("run"), read("single"), "{name}");
        }
    }

    fn collected(&self) -> Value {
        let (_, out, said) = self.call(&["collect", "work", "--out", "run", "--json"]);
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}\n{said}"))
    }
}

#[test]
fn pieces_in_any_order_give_the_bytes_of_a_single_run() {
    let yard = Yard::new(TOURNAMENT);
    yard.single();
    yard.plan("7");
    for piece in [6, 2] {
        yard.work(piece);
    }
    let out = yard.ends(3, &["collect", "work", "--out", "run"]);
    assert!(out.contains("2 of 7 pieces collected (2 now)"), "{out}");
    assert!(out.contains("5 missing: work/piece-0001.json, work/piece-0003.json"), "{out}");
    for piece in [7, 1, 3, 5, 4] {
        yard.work(piece);
    }
    yard.ends(0, &["collect", "work", "--out", "run"]);
    yard.is_the_single_one();
    // Once more, and into another folder from all results at once.
    let out = yard.ends(0, &["collect", "work", "--out", "run"]);
    assert!(out.contains("7 of 7 pieces collected (0 now)") && out.contains("all is done"), "{out}");
    yard.is_the_single_one();
    yard.ends(0, &["collect", "work", "--out", "run2"]);
    let read = |run: &str| fs::read(yard.at(run).join("summary.json")).unwrap();
    assert_eq!(read("run2"), read("single"));
    // An ordinary run folder.
    yard.ends(0, &["render", "run"]);
    yard.ends(0, &["replay", "run", "0"]);
    let out = yard.ends(0, &["tournament", "--resume", "--out", "run", "--no-report"]);
    assert!(out.contains("48 games"), "{out}");
}

#[test]
fn a_piece_that_is_done_is_passed_over() {
    let yard = Yard::new(TOURNAMENT);
    yard.plan("12");
    yard.work(1);
    let result = yard.at("work/piece-0001.result.jsonl");
    let before = fs::read(&result).unwrap();
    let out = yard.ends(0, &["work", "work/piece-0001.json"]);
    assert!(out.contains("is done"), "{out}");
    assert_eq!(fs::read(&result).unwrap(), before);
    yard.ends(0, &["work", "work/piece-0001.json", "--again"]);
    assert_ne!(fs::read(&result).unwrap(), before, "its times are others");
}

#[test]
fn broken_results_are_refused_by_name_and_played_again() {
    let yard = Yard::new(TOURNAMENT);
    yard.single();
    yard.plan("4");
    (1..=4).for_each(|piece| yard.work(piece));
    let path = |piece: u32| yard.at(&format!("work/piece-{piece:04}.result.jsonl"));
    // Cut off, changed, and the result of another piece.
    let whole = fs::read_to_string(path(1)).unwrap();
    fs::write(path(1), &whole[..whole.len() / 2]).unwrap();
    fs::write(path(2), fs::read_to_string(path(2)).unwrap().replace("\"p1\"", "\"p2\"")).unwrap();
    fs::copy(path(4), path(3)).unwrap();
    let (code, _, said) = yard.call(&["collect", "work", "--out", "run"]);
    assert_eq!(code, 3, "{said}");
    for (piece, problem) in [
        (1, "its seal is broken"),
        (2, "its seal is broken"),
        (3, "it is the result of piece 4, not of piece 3"),
    ] {
        let line = format!("work/piece-{piece:04}.result.jsonl is refused: {problem}");
        assert!(said.contains(&line), "{said}");
    }
    let collected = yard.collected();
    assert_eq!(collected["collected"], 1);
    assert_eq!(collected["missing"].as_array().unwrap().len(), 3);
    assert_eq!(collected["refused"].as_array().unwrap().len(), 3);
    assert_eq!(yard.finish(), 1);
    yard.is_the_single_one();
}

#[test]
fn results_of_another_plan_or_another_fingerprint_are_refused() {
    let yard = Yard::new(TOURNAMENT);
    yard.plan("2");
    yard.ends(0, &["plan", "t.toml", "--pieces", "3", "--out", "three"]);
    let other = TOURNAMENT.replace("seed = 5", "seed = 6");
    fs::write(yard.at("other.toml"), other).unwrap();
    yard.ends(0, &["plan", "other.toml", "--pieces", "2", "--out", "other"]);
    yard.ends(0, &["work", "other/piece-0001.json"]);
    fs::copy(yard.at("other/piece-0001.result.jsonl"), yard.at("work/piece-0001.result.jsonl")).unwrap();
    let (_, _, said) = yard.call(&["collect", "work", "--out", "run"]);
    assert!(said.contains("work/piece-0001.result.jsonl is refused: it belongs to another plan"), "{said}");

    // As if the work had been planned with another version of the searches.
    yard.work(2);
    let work = yard.at("work/work.json");
    let mut plan: Value = serde_json::from_str(&fs::read_to_string(&work).unwrap()).unwrap();
    let fingerprint = "00".repeat(16);
    plan["planner"]["fingerprint"] = Value::from(fingerprint.clone());
    fs::write(&work, plan.to_string()).unwrap();
    let (_, _, said) = yard.call(&["collect", "work", "--out", "run"]);
    let line = said.lines().find(|line| line.contains("piece-0002.result.jsonl")).unwrap();
    assert!(line.contains("fingerprint") && line.contains(&fingerprint), "{line}");
}

#[test]
fn a_piece_that_was_changed_is_refused() {
    let yard = Yard::new(TOURNAMENT);
    yard.plan("2");
    let path = yard.at("work/piece-0001.json");
    let piece = fs::read_to_string(&path).unwrap();
    fs::write(&path, piece.replace("nodes=60", "nodes=61")).unwrap();
    let (code, _, said) = yard.call(&["work", "work/piece-0001.json"]);
    assert_eq!(code, 2);
    assert!(said.contains("piece-0001.json is no piece of work: its checksum is wrong"), "{said}");
    let (_, _, said) = yard.call(&["work", "t.toml"]);
    assert!(said.contains("t.toml is no piece of work"), "{said}");
}

/// The files of a bot are part of what was planned.
#[test]
fn a_bot_that_changed_since_is_refused() {
    let yard = Yard::new("");
    let bot = yard.at("bot.sh");
    let script = format!("#!/bin/sh\nexec '{PROGRAM}' engine hus random\n");
    fs::write(&bot, &script).unwrap();
    let settings =
        "games = [\"hus\"]\nrounds = 1\n[bots.a]\ncommand = \"sh bot.sh\"\n[bots.b]\nspec = \"random\"\n";
    fs::write(yard.at("t.toml"), settings).unwrap();
    yard.plan("1");
    fs::write(&bot, format!("{script}# another\n")).unwrap();
    let (code, _, said) = yard.call(&["work", "work/piece-0001.json"]);
    assert_eq!(code, 1);
    assert!(said.contains("the bots, their files or the version of the program differ"), "{said}");
    fs::write(&bot, script).unwrap();
    yard.work(1);
    yard.ends(0, &["collect", "work", "--out", "run"]);
}

/// One that cannot start ends its own piece only.
#[test]
fn a_piece_that_fails_does_not_keep_the_others_from_being_played() {
    let yard = Yard::new("");
    fs::write(yard.at("dead.sh"), "exit 1\n").unwrap();
    let settings = "games = [\"hus\"]\nrounds = 2\nformat = \"gauntlet\"\n[bots.a]\nspec = \"random\"\n\
                    [bots.b]\ncommand = \"sh dead.sh\"\n[bots.c]\nspec = \"greedy\"\n";
    fs::write(yard.at("t.toml"), settings).unwrap();
    yard.plan("4");
    let pieces: Vec<String> = (1..=4).map(|piece| format!("work/piece-{piece:04}.json")).collect();
    let mut words = vec!["work", "work/none.json"];
    words.extend(pieces.iter().map(String::as_str));
    let (code, out, said) = yard.call(&words);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("cannot read work/none.json"), "{said}");
    let failed = said.matches("could not be played on").count();
    assert_eq!(failed, 2, "those of the dead bot: {said}");
    assert_eq!(out.lines().filter(|line| line.contains("1 pair in")).count(), 2, "{out}");
    assert!(said.contains("3 of 5 pieces could not be worked on"), "{said}");
    let collected = yard.collected();
    assert_eq!((&collected["collected"], &collected["pieces"]), (&Value::from(2), &Value::from(4)));
}

/// The searches of the bots that play are part of what a machine must find.
#[test]
fn the_fingerprint_sees_every_bot_of_our_own() {
    let yard = Yard::new("");
    let fingerprint = |folder: &str, bots: &str, seed: u32| {
        let settings = format!(
            "games = [\"hus\", \"ropasci360\", \"expendibots\", \"colosseum:6\"]\nrounds = 1\nseed = {seed}\nbots = {bots}\n"
        );
        fs::write(yard.at("t.toml"), settings).unwrap();
        yard.ends(0, &["plan", "t.toml", "--pieces", "1", "--out", folder]);
        let plan = fs::read_to_string(yard.at(folder).join("work.json")).unwrap();
        let plan: Value = serde_json::from_str(&plan).unwrap();
        plan["planner"]["fingerprint"].as_str().unwrap().to_owned()
    };
    let champion = fingerprint("champion", "[\"champion\", \"report\"]", 1);
    assert_eq!(
        fingerprint("again", "[\"report\", \"x=champion\"]", 2),
        champion,
        "names and seeds are no searches"
    );
    let others =
        ["[\"champion\", \"random\"]", "[\"champion:nodes=50\", \"report\"]", "[\"champion\", \"greedy\"]"];
    let mut found: Vec<String> =
        (0..).zip(others).map(|(number, bots)| fingerprint(&format!("other{number}"), bots, 1)).collect();
    found.push(champion);
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 4, "other bots find other things");
}

#[test]
fn another_program_with_the_same_searches_is_told() {
    let yard = Yard::new(TOURNAMENT);
    yard.plan("2");
    yard.work(1);
    let (_, _, said) = yard.call(&["collect", "work", "--out", "run"]);
    assert!(!said.contains("different programs"), "{said}");
    // The same machine code, with a byte behind its end.
    let other = yard.at("other");
    fs::copy(PROGRAM, &other).unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(&other).unwrap();
    std::io::Write::write_all(&mut file, b"x").unwrap();
    drop(file);
    let status = std::process::Command::new(&other)
        .args(["work", "work/piece-0002.json"])
        .current_dir(yard.folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    let (code, _, said) = yard.call(&["collect", "work", "--out", "run"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("warning: 2 different programs planned and played these pieces"), "{said}");
}

#[test]
fn who_waits_for_another_to_collect_goes_on() {
    let yard = Yard::new(TOURNAMENT);
    yard.plan("2");
    yard.work(1);
    yard.ends(3, &["collect", "work", "--out", "run"]);
    let journal = fs::OpenOptions::new().append(true).open(yard.at("run/journal.jsonl")).unwrap();
    journal.lock().unwrap();
    std::thread::scope(|scope| {
        let collecting = scope.spawn(|| yard.call(&["collect", "work", "--out", "run"]));
        std::thread::sleep(std::time::Duration::from_millis(700));
        assert!(!collecting.is_finished(), "it waits");
        drop(journal);
        let (code, _, said) = collecting.join().unwrap();
        assert_eq!(code, 3, "{said}");
    });
}

/// The document's loop: it ends when all is done, when collecting fails, and when nothing comes any more.
#[cfg(unix)]
#[test]
fn the_loop_of_the_document_ends() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/engines/until_done.sh");
    let yard = Yard::new(TOURNAMENT);
    yard.single();
    yard.plan("5");
    let until_done = |words: &[&str]| {
        let output = std::process::Command::new("sh")
            .arg(script)
            .args(words)
            .current_dir(yard.folder.path())
            .env("GAMESEARCH", PROGRAM)
            .output()
            .unwrap();
        (output.status.code().unwrap(), text(&output.stderr))
    };
    // Every worker dies.
    let (code, said) = until_done(&["work", "run", "false"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("3 rounds in a row brought nothing"), "{said}");
    // Work on the first missing piece only: many rounds, each of which brings something.
    let one = format!("head -n 1 | xargs '{PROGRAM}' work");
    let (code, said) = until_done(&["work", "run", "sh", "-c", &one]);
    assert_eq!(code, 0, "{said}");
    yard.is_the_single_one();
    assert_eq!(until_done(&["none", "run", "false"]).0, 2, "wrong usage ends it at once");
    assert_eq!(until_done(&["work"]).0, 2);
}

#[test]
fn swiss_rounds_come_one_after_the_other() {
    let yard = Yard::new(
        "games = [\"hus\", \"colosseum:6\"]\nformat = \"swiss\"\nrounds = 4\nlimits = \"nodes=40,playouts=10\"\n\
         bots = [\"random\", \"greedy\", \"alphabeta\", \"two=alphabeta:depth=2\", \"mcts\"]\n",
    );
    yard.single();
    yard.plan("3");
    assert_eq!(yard.finish(), 4);
    yard.is_the_single_one();
    assert_eq!(yard.collected()["waves"], 4);
}

#[test]
fn a_sequential_test_gets_pieces_until_it_ends() {
    let yard = Yard::new(
        "games = [\"hus\"]\nbots = [\"strong=alphabeta:depth=2\", \"weak=random\"]\nsprt = \"0,60\"\nlimits = \"nodes=50\"\n",
    );
    yard.single();
    yard.plan("1");
    assert!(yard.finish() > 1, "one wave cannot be enough");
    yard.is_the_single_one();
    let out = yard.ends(0, &["collect", "work", "--out", "run"]);
    assert!(out.contains("elo1 = 60 is accepted") && out.contains("all is done"), "{out}");
}

#[test]
fn a_collecting_that_was_killed_goes_on() {
    let yard = Yard::new(TOURNAMENT);
    yard.single();
    yard.plan("5");
    assert_eq!(yard.finish(), 1);
    // A line that was not finished, and one that is lost.
    let journal = yard.at("run/journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let half = &lines[lines.len() - 1][..40];
    fs::write(&journal, format!("{}\n{half}", lines[..lines.len() - 3].join("\n"))).unwrap();
    fs::remove_file(yard.at("run/summary.json")).unwrap();
    let (code, _, said) = yard.call(&["collect", "work", "--out", "run"]);
    assert_eq!(code, 0, "{said}");
    yard.is_the_single_one();
}

#[test]
fn times_are_stretched_by_the_speed_of_the_machine_and_the_report_says_so() {
    let yard = Yard::new(
        "games = [\"hus\"]\nbots = [\"random\", \"greedy\"]\nrounds = 1\nlimits = \"movetime=2s\"\n",
    );
    yard.plan("1");
    // As if the machine that planned it were ten times as fast.
    let name = "work/piece-0001.json";
    set_speed(&yard.at(name), &yard.at("work/work.json"), 10.0, None);
    let (code, _, said) = yard.call(&["work", name, "--jobs", "1"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("limits in time times "), "{said}");
    yard.ends(0, &["collect", "work", "--out", "run"]);
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(yard.at("run/summary.json")).unwrap()).unwrap();
    let scale = summary["time_scales"][0]["least"].as_f64().unwrap();
    assert!(scale > 1.5, "{scale}");
    assert_eq!(summary["events"][0]["limits"]["random"], "movetime=2s", "the plan keeps its limits");
    yard.ends(0, &["render", "run"]);
    let report = fs::read_to_string(yard.at("run/report.html")).unwrap();
    assert!(report.contains("Limits in time were multiplied by the speed"));

    // Killed after the games were taken and before the file on the machines was written: the factors are not lost.
    let summary = fs::read_to_string(yard.at("run/summary.json")).unwrap();
    let machines = fs::read_to_string(yard.at("run/machines.json")).unwrap();
    fs::remove_file(yard.at("run/machines.json")).unwrap();
    for _ in 0..2 {
        yard.ends(0, &["collect", "work", "--out", "run"]);
        assert_eq!(fs::read_to_string(yard.at("run/machines.json")).unwrap(), machines);
        assert_eq!(fs::read_to_string(yard.at("run/summary.json")).unwrap(), summary);
    }

    // A factor beyond ten is a warning.
    set_speed(&yard.at(name), &yard.at("work/work.json"), 100.0, None);
    let (code, _, said) = yard.call(&["work", name, "--again", "--jobs", "1"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("warning: ") && said.contains("so far apart"), "{said}");

    // Refused, where only like machines may play.
    set_speed(&yard.at(name), &yard.at("work/work.json"), 10.0, Some(0.2));
    let (code, _, said) = yard.call(&["work", name, "--again"]);
    assert_eq!(code, 1);
    assert!(said.contains("--same-machines allows 20 %"), "{said}");
}

/// Plans the work again as if by a machine so many times as fast.
fn set_speed(piece: &Path, work: &Path, factor: f64, tolerance: Option<f64>) {
    let read = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    let mut plan = read(&fs::read_to_string(work).unwrap());
    let speed = plan["planner"]["nodes_per_second"].as_f64().unwrap() * factor;
    plan["planner"]["nodes_per_second"] = Value::from(speed);
    fs::write(work, plan.to_string()).unwrap();
    let text = fs::read_to_string(piece).unwrap();
    let mut object = read(&text);
    object.as_object_mut().unwrap().remove("check");
    object["nodes_per_second"] = Value::from(speed);
    if let Some(tolerance) = tolerance {
        object["same_machines"] = Value::from(tolerance);
    }
    fs::write(piece, gamesearch::pieces::sealed_line(&object).unwrap()).unwrap();
}

#[test]
fn wrong_calls_are_told_what_was_expected() {
    let yard = Yard::new(TOURNAMENT);
    let says = |words: &[&str]| {
        let (code, _, said) = yard.call(words);
        assert_eq!(code, 2, "{words:?}: {said}");
        said
    };
    assert!(refuse(&["plan", "none.toml", "--pieces", "3", "--out", "x"]).contains("cannot read none.toml"));
    assert!(says(&["plan", "t.toml", "--pieces", "0", "--out", "work"]).contains("0 is not in 1.."));
    let same = ["plan", "t.toml", "--pieces", "2", "--out", "work", "--same-machines"];
    assert!(says(&same).contains("limits in time only"));
    assert!(says(&["collect", "work", "--out", "run"]).contains("work is no folder of pieces"));
    yard.plan("2");
    assert!(says(&["plan", "t.toml", "--pieces", "2", "--out", "work"]).contains("already holds a plan"));
    fs::write(yard.at("k.toml"), "kind = \"tuna\"\n").unwrap();
    let said = says(&["plan", "k.toml", "--pieces", "2", "--out", "x"]);
    assert!(said.contains("there is no kind of work `tuna`; the kinds are tournament"), "{said}");
    fs::write(yard.at("s.toml"), format!("{TOURNAMENT}shard = \"0/2\"\n")).unwrap();
    assert!(says(&["plan", "s.toml", "--pieces", "2", "--out", "x"]).contains("neither shard nor reuse"));
    // A mistake points at its line, also below a line that names the kind.
    fs::write(yard.at("m.toml"), format!("kind = \"tournament\"{}", TOURNAMENT.replace("greedy", "gredy")))
        .unwrap();
    let said = says(&["plan", "m.toml", "--pieces", "2", "--out", "x"]);
    assert!(said.contains("m.toml:3:") && said.contains("gredy"), "{said}");
}

#[test]
fn the_driver_says_where_there_is_no_slurm() {
    let yard = Yard::new(TOURNAMENT);
    yard.plan("2");
    let open = ["drive", "work", "--out", "run", "--engine", "slurm", "--options", "--comment='a b"];
    let (code, _, said) = yard.call(&open);
    assert_eq!(code, 2);
    assert!(said.contains("expected words as in a shell"), "{said}");
    let words = ["drive", "work", "--out", "run", "--engine", "slurm"];
    let output =
        program(&words).current_dir(yard.folder.path()).env("PATH", yard.folder.path()).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("is this a machine of a Slurm cluster?"), "{said}");
}

#[test]
fn the_help_teaches_the_way() {
    let help = text(&run(&["plan", "--help"]).stdout);
    for word in
        ["work work/piece-*.json", "collect work --out", "--engine slurm", "--sshloginfile", "3: more to do"]
    {
        assert!(help.contains(word), "{word}: {help}");
    }
}
