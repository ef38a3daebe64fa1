//! A class from its deadline to its finals: when submissions are taken, the pages while it runs, every format of a final, other
//! games and other languages.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::class::{any_move, class_of, files_below, hand_in, json};
use crate::common::{program, run, text, workspace};
use crate::outside::{have, python};

/// Changes `class.toml`.
fn change(class: &Path, from: &str, to: &str) {
    let path = class.join("class.toml");
    let settings = fs::read_to_string(&path).unwrap();
    assert!(settings.contains(from), "{from}");
    fs::write(path, settings.replacen(from, to, 1)).unwrap();
}

/// A program that is killed when the test is over, however it ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The games on whole lines of all journals below a folder, sorted.
fn games_below(folder: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    if folder.is_dir() {
        files_below(folder, &mut files);
    }
    files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let mut games = Vec::new();
    for path in files {
        let text = fs::read_to_string(path).unwrap();
        let lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        games.extend(lines.filter(|line| line.contains("\"turns\"")).map(str::to_owned));
    }
    games.sort();
    games
}

#[test]
fn finals_of_every_format_are_played_and_a_cup_survives_a_kill() {
    if !have(&python(), &["--version"]) {
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let class = class_of(root.path(), "hus");
    let name = class.display().to_string();
    let path = class.join("class.toml");
    let more = "\n[[final]]\nname = \"league\"\nformat = \"round-robin\"\npairs = 1\n\n\
                [[final]]\nname = \"swiss\"\nformat = \"swiss\"\nrounds = 2\n";
    fs::write(&path, fs::read_to_string(&path).unwrap() + more).unwrap();
    fs::write(class.join("gamesearch.html"), "<!doctype html>the playground").unwrap();
    for team in ["alpha", "beta", "gamma"] {
        hand_in(&class, team, &any_move());
    }
    let ended = run(&["class", &name, "--once"]);
    assert!(ended.status.success(), "{}", text(&ended.stderr));

    // Killed in the middle of the cup: what was finished stays, and the same command goes on.
    let cup = class.join("finals/cup");
    let mut playing = Running(
        program(&["class", "final", &name, "cup"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let patience = Instant::now() + Duration::from_mins(2);
    while games_below(&cup).is_empty() {
        assert!(Instant::now() < patience && playing.0.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(playing);
    let before = games_below(&cup);
    let ended = run(&["class", "final", &name]);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    let after = games_below(&cup);
    assert!(before.iter().all(|game| after.contains(game)), "a finished game is lost");
    let mut once = after.clone();
    once.dedup();
    assert_eq!(once.len(), after.len(), "a game is there twice");

    let result = |name: &str| json(&class.join(format!("finals/{name}/result.json")));
    for (name, games) in [("cup", None), ("league", Some(6)), ("swiss", Some(4))] {
        let result = result(name);
        assert_eq!(result["over"], true, "{name}: {result}");
        let places = result["places"].as_array().unwrap();
        assert_eq!(places.len(), 3, "{name}: {result}");
        let mut teams: Vec<&str> = places.iter().map(|place| place["name"].as_str().unwrap()).collect();
        teams.sort_unstable();
        assert_eq!(teams, ["alpha", "beta", "gamma"], "{name}");
        if let Some(games) = games {
            assert_eq!(games_below(&class.join("finals").join(name)).len(), games, "{name}");
            // "2.5 of 4 points"
            let points = |place: &serde_json::Value| -> f64 {
                place["result"].as_str().unwrap().split(' ').next().unwrap().parse().unwrap()
            };
            let points: Vec<f64> = places.iter().map(points).collect();
            assert!(points.is_sorted_by(|a, b| a >= b), "{name}: {points:?}");
            assert!(points.iter().sum::<f64>() >= games as f64, "{name}: {points:?}");
        }
        let page = fs::read_to_string(class.join(format!("site/final-{name}.html"))).unwrap();
        assert!(page.contains("alpha") && page.contains("gamma") && !page.contains("under way"), "{page}");
        assert!(page.contains(&format!("games/final-{name}.html")), "{page}");
        let games = fs::read_to_string(class.join(format!("site/games/final-{name}.html"))).unwrap();
        let ids: BTreeSet<String> = games_below(&class.join("finals").join(name))
            .iter()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].to_string())
            .collect();
        assert_eq!(games.matches(">replay<").count(), ids.len(), "{games}");
    }
    let grades = text(&run(&["class", "grade", &name]).stdout);
    assert!(grades.lines().next().unwrap().contains("final_cup,final_league,final_swiss"), "{grades}");
}

#[test]
fn submissions_are_taken_between_two_moments() {
    if !have(&python(), &["--version"]) {
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let class = class_of(root.path(), "hus");
    let name = class.display().to_string();
    let accepted = || {
        let ended = run(&["class", &name, "--once"]);
        assert!(ended.status.success(), "{}", text(&ended.stderr));
        let roster = class.join("store/teams.json");
        let teams = if roster.is_file() { json(&roster)["teams"].as_object().unwrap().len() } else { 0 };
        (teams, text(&ended.stderr))
    };
    hand_in(&class, "alpha", &any_move());
    change(&class, "# opens = 2026-03-01T08:00:00Z", "opens = 9000-01-01T00:00:00Z");
    assert_eq!(accepted().0, 0);
    change(&class, "opens = 9000", "opens = 2020");
    change(&class, "# closes = 2026-05-29T18:00:00Z", "closes = 2021-01-01T00:00:00Z");
    let (teams, said) = accepted();
    assert_eq!(teams, 0);
    assert!(said.contains("alpha: what changed after the submissions closed is not taken"), "{said}");
    change(&class, "closes = 2021", "closes = 9000");
    assert_eq!(accepted().0, 1);
}

/// What a page on the loopback address answers.
fn get(address: &str, path: &str) -> String {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{path}: {head}");
    body.to_owned()
}

#[test]
fn the_pages_are_served_and_live_while_the_ladder_runs() {
    if !have(&python(), &["--version"]) {
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let class = class_of(root.path(), "hus");
    change(&class, "folder = \"site\"", "folder = \"site\"\nevery = \"200ms\"");
    hand_in(&class, "alpha", &any_move());
    let name = class.display().to_string();
    let mut ladder = Running(
        program(&["class", &name, "--serve"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap(),
    );
    let mut address = String::new();
    BufReader::new(ladder.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim();
    let patience = Instant::now() + Duration::from_mins(2);
    // What the page asks for every few seconds: the team comes in, and the games go up while nobody does anything.
    let mut seen: Vec<u64> = Vec::new();
    while seen.len() < 3 {
        assert!(Instant::now() < patience, "{seen:?}");
        std::thread::sleep(Duration::from_millis(50));
        if !class.join("site/live.json").is_file() {
            continue;
        }
        let live: serde_json::Value = serde_json::from_str(&get(address, "live.json")).unwrap();
        let facts = live["facts"].as_str().unwrap();
        let games: u64 = facts.split(' ').next().unwrap().parse().unwrap();
        let has_team = live["rows"].as_array().unwrap().iter().any(|row| row["team"] == true);
        if has_team && seen.last().is_none_or(|&last| games > last) {
            seen.push(games);
        }
    }
    let index = get(address, "");
    assert!(index.contains("script.js") && index.contains("alpha"), "{index}");
    assert!(get(address, "script.js").contains("live.json"));
    assert!(get(address, "teams/alpha.html").contains("accepted"));
    // There is a link to replay a game exactly where there is a page that replays it.
    let team = get(address, "teams/alpha.html");
    assert_eq!(team.contains(">replay<"), class.join("site/gamesearch.html").is_file(), "{team}");
}

#[test]
fn both_players_move_at_once_and_one_speaks_through_an_adapter() {
    if !have(&python(), &["--version"]) {
        return;
    }
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let class = class_of(root.path(), "ropasci360");
    let name = class.display().to_string();
    let path = class.join("class.toml");
    let language =
        "[[language]]\nname = \"Player\"\nfile = \"player.py\"\nrun = \"comp30024:{folder}\"\n\n[build]";
    change(&class, "[build]", language);
    assert!(fs::read_to_string(&path).unwrap().contains("comp30024:{folder}"));
    hand_in(&class, "moves", &any_move());
    let player = workspace().join("crates/gamesearch/src/contests/adapters/examples/ropasci_player");
    let folder = class.join("submissions/player");
    fs::create_dir_all(&folder).unwrap();
    for file in ["__init__.py", "player.py"] {
        fs::copy(player.join(file), folder.join(file)).unwrap();
    }
    let ended = run(&["class", &name, "--once"]);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    let roster = json(&class.join("store/teams.json"));
    for (team, language) in [("moves", "Python"), ("player", "Player")] {
        assert_eq!(roster["teams"][team]["entry"]["language"], language, "{roster}");
    }
    let live = json(&class.join("site/live.json"));
    let rows = live["rows"].as_array().unwrap();
    let teams: Vec<_> = rows.iter().filter(|row| row["team"] == true).collect();
    assert_eq!(teams.len(), 2, "{live}");
    assert!(teams.iter().all(|row| row["games"].as_u64() > Some(0) && row["failures"] == 0), "{live}");
    let cup = run(&["class", "final", &name, "cup"]);
    assert!(cup.status.success(), "{}", text(&cup.stderr));
    assert_eq!(json(&class.join("finals/cup/result.json"))["places"][0]["result"], "winner");
}
