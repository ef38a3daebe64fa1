//! How games begin: the openings that ship with the program, those that it makes, and bots that play from the start only.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use arena::ListedOpenings;
use gamesearch::{Listed, Visitor, contests};
use serde_json::Value;

use crate::common::{refuse, run, succeed, text};

/// All balanced openings of a game.
struct Lists;

impl Visitor for Lists {
    type Output = ();

    fn visit<G: Listed>(self) {
        let mut lists = 0;
        for (setup, _) in G::SETUPS {
            let setup: G::Setup = if setup.is_empty() {
                G::Setup::default()
            } else {
                setup.parse().unwrap_or_else(|_| panic!("the set-up {setup} of {}", G::NAME))
            };
            let Some(text) = G::openings(&setup) else { continue };
            lists += 1;
            let listed = ListedOpenings::<G>::read("balanced", &setup, text).unwrap();
            let ends: BTreeSet<String> =
                listed.openings().iter().map(|opening| opening.position.to_string()).collect();
            assert_eq!((listed.openings().len(), ends.len()), (200, 200), "{} {setup}", G::NAME);
            // Played from the start: a bot that follows a game move by move can play them.
            assert!(listed.openings().iter().all(|opening| !opening.turns.is_empty()));
            assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("# cargo xtask openings ")));
        }
        assert!(lists > 0, "{} has none", G::NAME);
    }
}

#[test]
fn every_game_brings_balanced_openings() {
    for name in contests::NAMES {
        contests::with_game(name, Lists).unwrap();
    }
    let sizes = (4..=12).map(|size| colosseum::Setup::new(size, colosseum::Edition::default()).unwrap());
    let with: Vec<u8> = sizes
        .filter(|setup| colosseum::Position::openings(setup).is_some())
        .map(colosseum::Setup::size)
        .collect();
    assert_eq!(with, [6, 7, 8, 9, 10, 11, 12]);
    let other = colosseum::Setup::new(8, colosseum::Edition::Fall2023).unwrap();
    assert_eq!(colosseum::Position::openings(&other), None, "that edition has other walls");
}

fn openings_in_plan(folder: &Path) -> String {
    let plan: Value = serde_json::from_str(&fs::read_to_string(folder.join("plan.json")).unwrap()).unwrap();
    plan["events"][0]["openings"].as_str().unwrap().to_owned()
}

/// The start of every game, in the order of the journal.
fn starts(folder: &Path) -> Vec<String> {
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let lines = journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| line["start"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_tournament_plays_them_unless_told_otherwise() {
    let temporary = tempfile::tempdir().unwrap();
    let play = |name: &str, more: &[&str]| {
        let out = temporary.path().join(name);
        let base =
            ["tournament", "--games", "expendibots", "--bots", "random", "other=random", "--rounds", "4"];
        let folder = out.display().to_string();
        succeed(&[&base[..], &["--jobs", "1", "--no-report", "--out", &folder], more].concat(), "");
        out
    };
    let usual = play("usual", &[]);
    assert!(openings_in_plan(&usual).starts_with("balanced="), "{}", openings_in_plan(&usual));
    let found = starts(&usual);
    assert_eq!(found.len(), 8);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 4, "each opening from both seats: {found:?}");
    assert_ne!(starts(&play("seed", &["--seed", "2"])), found, "another seed, another order");
    assert_eq!(openings_in_plan(&play("random", &["--openings", "random:3"])), "random:3");
    let file = temporary.path().join("mine.txt");
    fs::write(&file, "# two lines\nstart 1a1a2\n\nstart 1b1b2 1b8b7\n").unwrap();
    let mine = play("file", &["--openings", &format!("file={}", file.display())]);
    assert!(openings_in_plan(&mine).starts_with("file="));
    assert_eq!(starts(&mine).iter().collect::<BTreeSet<_>>().len(), 2);
}

#[test]
fn mistakes_in_a_list_show_the_line() {
    let temporary = tempfile::tempdir().unwrap();
    let file = temporary.path().join("list.txt");
    let path = format!("file={}", file.display());
    let out = temporary.path().join("run").display().to_string();
    for (list, part) in [
        ("", "expected at least one opening, found none"),
        ("start 1a1a2\nnonsense\n", "line 2: "),
        ("start=x", "line 1: expected `start` or `start=SEED`, found `start=x`"),
        ("# x\nstart 1a1a3 9z", "line 2: the turn `1a1a3`"),
    ] {
        fs::write(&file, list).unwrap();
        let said = refuse(&[
            "tournament",
            "--games",
            "expendibots",
            "--bots",
            "random",
            "other=random",
            "--openings",
            &path,
            "--out",
            &out,
        ]);
        assert!(said.contains(part), "{list}: {said}");
    }
}

/// A UGI bot for Hus that knows one move only and says that it plays from the start.
const SCRIPT: &str = "while read -r word rest; do
case $word in
ugi) echo 'id name script'; echo 'option name UGI_StartOnly type check default true'; echo ugiok ;;
isready) echo readyok ;;
go) echo bestmove 40 ;;
quit) exit 0 ;;
esac
done
";

#[test]
#[cfg(unix)]
fn who_plays_from_the_start_only_is_given_no_other_games() {
    let temporary = tempfile::tempdir().unwrap();
    let script = temporary.path().join("script.sh");
    fs::write(&script, SCRIPT).unwrap();
    let script = format!("script=ugi:sh '{}'", script.display());
    let out = temporary.path().join("run");
    let folder = out.display().to_string();
    let bots = ["--bots", "random", "told=random", "other=random", &script, "--start-only", "told"];
    let base = ["tournament", "--games", "hus", "--rounds", "2", "--jobs", "1", "--out", &folder];
    let output = run(&[&base[..], &bots].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let note =
        "these bots began at the start, not at the openings, because they play from there only: told, script";
    assert!(text(&output.stdout).contains(note), "{}", text(&output.stdout));
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains(note));
    let start = hus::Position::start().to_string();
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let mut games = 0;
    for line in journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let Some(players) = line["players"].as_array() else { continue };
        let from_there = players.iter().any(|name| name == "told" || name == "script");
        assert_eq!(line["start"] == start.as_str(), from_there, "{line}");
        games += 1;
    }
    assert_eq!(games, 24);
    let said = refuse(&["tournament", "--games", "hus", "--start-only", "nobody", "--out", &folder]);
    assert!(said.contains("no bot is called `nobody`"), "{said}");
}

#[test]
fn openings_are_made_again_by_the_same_call() {
    let temporary = tempfile::tempdir().unwrap();
    let make = |name: &str, jobs: &str| {
        let out = temporary.path().join(name);
        let judges = ["--judges", "alphabeta", "mcts", "--limits", "nodes=200,playouts=50", "--seed", "3"];
        let base = [
            "openings",
            "colosseum",
            "--setup",
            "size=6",
            "--count",
            "5",
            "--candidates",
            "20",
            "--jobs",
            jobs,
        ];
        succeed(&[&base[..], &judges, &["--out", &out.display().to_string()]].concat(), "");
        fs::read_to_string(out).unwrap()
    };
    let made = make("one", "1");
    assert_eq!(made, make("two", "2"));
    let (comments, lines): (Vec<&str>, Vec<&str>) = made.lines().partition(|line| line.starts_with('#'));
    assert_eq!((comments.len(), lines.len()), (2, 5), "{made}");
    assert!(comments[1].ends_with(
        "openings colosseum --setup size=6 --count 5 --candidates 20 --turns 2 8 --judges alphabeta mcts \
         --limits nodes=200,playouts=50 --seed 3"
    ));
    let setup = "size=6".parse().unwrap();
    ListedOpenings::<colosseum::Position>::read("file", &setup, &made).unwrap();

    assert!(refuse(&["openings", "hus", "--turns", "5", "2"]).contains("expected --turns LEAST MOST"));
    assert!(refuse(&["openings", "hus", "--judges", "alfabeta"]).contains("did you mean `alphabeta`?"));
    let output = run(&["openings", "hus", "--judges", "random", "--candidates", "3"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("random: it gives no scores, so it cannot judge"));
    let output = run(&["openings", "hus", "--judges", "greedy", "--candidates", "3"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("3 candidates are open"), "{}", text(&output.stderr));
}

#[test]
fn a_busy_machine_is_told_and_kept() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let folder = out.display().to_string();
    // Far more workers than processors: none of them has one for itself.
    let jobs = (8 * std::thread::available_parallelism().map_or(1, usize::from)).to_string();
    let base = ["tournament", "--games", "hus", "--bots", "random", "other=random", "--rounds", "1"];
    let timed = ["--limits", "movetime=60s", "--jobs", &jobs, "--out", &folder];
    let output = run(&[&base[..], &timed].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(
        said.contains("warning: the machine is too busy for limits in time to mean much: each of"),
        "{said}"
    );
    let timings: Value =
        serde_json::from_str(&fs::read_to_string(out.join("timings.json")).unwrap()).unwrap();
    let loads = timings["machine"]["loads"].as_array().unwrap();
    assert_eq!(loads.len(), 2, "before and after: {timings}");
    assert!(loads.iter().all(|load| load["lost"].as_f64() > Some(0.5)), "{timings}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Before the games each of") && page.contains("After the games each of"));
    assert!(page.contains("the machine was too busy for limits in time to mean much"));

    // Counts do not care.
    let folder = temporary.path().join("counts").display().to_string();
    let output = run(&[&base[..], &["--jobs", &jobs, "--out", &folder, "--no-report"]].concat());
    assert!(!text(&output.stderr).contains("busy"), "{}", text(&output.stderr));
}
