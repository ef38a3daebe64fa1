//! `cargo xtask`: what only developers need, from outside.

use std::fs;
use std::process::Output;

use assert_cmd::Command;

fn xtask(arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("xtask").expect("the binary is built with its tests");
    command.args(arguments).env("NO_COLOR", "1").output().expect("it can be started")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const LINE: &str = r#"{"game":0,"ply":0,"position":"aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA w 0","legal":["1a1a2","1a1b1","1a2a1","1a2a3","1a2b2","1b1a1","1b1b2","1b1c1","1b2a2","1b2b1","1b2b3","1b2c2","1d1c1","1d1d2","1d1e1","1d2c2","1d2d1","1d2d3","1d2e2","1e1d1","1e1e2","1e1f1","1e2d2","1e2e1","1e2e3","1e2f2","1g1f1","1g1g2","1g1h1","1g2f2","1g2g1","1g2g3","1g2h2","1h1g1","1h1h2","1h2g2","1h2h1","1h2h3","a1!","a2!","b1!","b2!","d1!","d2!","e1!","e2!","g1!","g2!","h1!","h2!"],"played":"h2!","next":"aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA3/AA1AA3 b 1","outcome":null,"reason":null}"#;

#[test]
fn without_arguments_it_gives_an_overview() {
    let output = xtask(&[]);
    assert!(output.status.success());
    for command in ["conform", "perft", "tournament", "compare", "soak"] {
        assert!(stdout(&output).contains(command), "{}", stdout(&output));
    }
}

#[test]
fn conform_agrees_with_a_good_file_and_reads_several() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("games.jsonl");
    fs::write(&plain, format!("{LINE}\n")).unwrap();
    let packed = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/expendibots/tests/data/corpus.jsonl.gz");
    let output = xtask(&["conform", "expendibots", plain.to_str().unwrap(), packed]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "conform expendibots: 21499 plies, 165 games, 0 differences\n");
}

#[test]
fn conform_shows_ten_differences_and_counts_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let wrong = LINE.replace(r#""outcome":null"#, r#""outcome":"p1""#);
    fs::write(&file, format!("{wrong}\n").repeat(12) + "not a line\n").unwrap();
    let output = xtask(&["conform", "expendibots", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert_eq!(text.matches(": outcome\n").count(), 10, "{text}");
    assert_eq!(text.lines().last(), Some("conform expendibots: 12 plies, 1 games, 13 differences"));
}

/// A small file that unpacks to a line of 256 MiB: more than the memory that the program is given here.
#[cfg(target_os = "linux")]
#[test]
fn conform_is_not_blown_up() {
    use std::io::Write;

    let folder = tempfile::tempdir().unwrap();
    let bomb = folder.path().join("bomb.jsonl.gz");
    let mut packed =
        flate2::write::GzEncoder::new(fs::File::create(&bomb).unwrap(), flate2::Compression::fast());
    for _ in 0..256 {
        packed.write_all(&vec![b'0'; 1 << 20]).unwrap();
    }
    packed.finish().unwrap();
    assert!(fs::metadata(&bomb).unwrap().len() < 4 << 20);
    let program = assert_cmd::cargo::cargo_bin("xtask");
    for (log, expected) in [("", "a line of more than 16 MiB"), ("--log", "is longer than 64 MiB")] {
        let script = format!(
            "ulimit -v 230000; exec '{}' conform ropasci360 {log} '{}'",
            program.display(),
            bomb.display()
        );
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let said = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn conform_refuses_what_it_cannot_read() {
    let missing = xtask(&["conform", "hus", "no-such-file.jsonl"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("cannot read no-such-file.jsonl"), "{}", stderr(&missing));
    let unknown = xtask(&["conform", "huss", "x"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("'hus'"), "{}", stderr(&unknown));

    let folder = tempfile::tempdir().unwrap();
    let torn = folder.path().join("torn.jsonl.gz");
    let packed =
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/hus/tests/data/corpus.jsonl.gz")).unwrap();
    fs::write(&torn, &packed[..5000]).unwrap();
    let output = xtask(&["conform", "hus", torn.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("differences") && !stdout(&output).contains(" 0 differences"));
}

#[test]
fn conform_replays_logs_of_ropasci() {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/ropasci360/tests/data/log-win.txt");
    let output = xtask(&["conform", "ropasci360", "--log", log]);
    assert!(output.status.success(), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("conform ropasci360: 32 plies, 1 games, 0 differences\n"));
    let other = xtask(&["conform", "hus", "--log", log]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("hus has no log format"), "{}", stderr(&other));
}

/// A few of the fast games of `cargo xtask soak`. No time is measured here: the machine may be busy, and then a loss on
/// time is nobody's fault; but the part must run, count and tell.
#[test]
fn the_soak_plays_fast_games_and_names_its_parts() {
    let output = xtask(&["soak", "fast-games", "--games", "2"]);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("soak 1 of 1, fast-games: "), "{out}");
    assert!(out.contains("2 games, "), "{out}");
    assert_eq!(output.status.success(), out.contains("fast-games passed"), "{out}");
    let output = xtask(&["soak", "kil"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("'kill'") && error.contains("fast-games"), "{error}");
}

#[test]
fn a_league_is_played_judged_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("league");
    let arguments = [
        "league",
        "colosseum",
        "--only",
        "random",
        "greedy",
        "--rounds",
        "1",
        "--limits",
        "nodes=60,playouts=20",
        "--against",
        "champion:evaluation=sum,nodes=5",
        "--jobs",
        "1",
        "--out",
        out.to_str().unwrap(),
    ];
    let output = xtask(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    for part in ["random", "greedy", "2 partners", "of the other", "worst"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    let figures: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("league.json")).unwrap()).unwrap();
    assert_eq!(figures["candidate"]["spec"], "champion");
    assert_eq!(figures["purposes"]["greedy"], "tuning");
    let journal = || fs::read(out.join("candidate/journal.jsonl")).unwrap();
    let played = journal();
    let again = xtask(&arguments);
    assert_eq!((stdout(&again), journal()), (text, played), "nothing is played twice");

    let unknown = xtask(&["league", "colosseum", "--only", "nobody"]);
    assert!(!unknown.status.success() && stderr(&unknown).contains("random, greedy"), "{}", stderr(&unknown));
}
