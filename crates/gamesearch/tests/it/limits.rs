//! The limits of a tournament that names none.

use std::fs;

use arena::MatchLimits;
use gamesearch::{Listed, Visitor, contests};
use serde_json::Value;

use crate::common::{refuse, run, succeed, text};

struct Usual;

impl Visitor for Usual {
    type Output = ();

    fn visit<G: Listed>(self) {
        let catalogue = G::catalogue();
        for (bot, limits) in G::USUAL {
            let limits: MatchLimits = limits.parse().unwrap();
            assert!(limits.is_deterministic(), "{}: the same games on every machine", G::NAME);
            let known = bot.is_empty() || catalogue.bots().iter().any(|known| known.name == *bot);
            assert!(known, "{} has no bot {bot}", G::NAME);
            // A playout visits many nodes: a limit on both would end a search by playouts long before it has made them.
            assert!(*bot != "mcts" || !limits.to_string().contains("nodes"), "{}: {limits}", G::NAME);
        }
        for wanted in ["", "mcts", "minimax", "champion"] {
            assert!(G::USUAL.iter().any(|(bot, _)| *bot == wanted), "{}: nothing for `{wanted}`", G::NAME);
        }
    }
}

#[test]
fn usual_limits_are_counts_for_bots_that_there_are() {
    for name in contests::NAMES {
        contests::with_game(name, Usual).unwrap();
    }
}

#[test]
fn each_kind_of_bot_has_its_own_usual_limits() {
    let temporary = tempfile::tempdir().unwrap();
    let out = temporary.path().join("run");
    let folder = out.display().to_string();
    let bots = [
        "--bots",
        "deep=minimax:depth=1",
        "random",
        "tree=mcts:playouts=1",
        "--bot-limits",
        "random@nodes=7",
    ];
    let base = ["tournament", "--games", "hus", "--rounds", "1", "--no-report", "--out", &folder];
    succeed(&[&base[..], &bots].concat(), "");
    let plan: Value = serde_json::from_str(&text(&fs::read(out.join("plan.json")).unwrap())).unwrap();
    let expected = ["nodes=9000", "nodes=7", "playouts=110"];
    assert_eq!(plan["events"][0]["limits"], Value::from(expected.to_vec()), "{plan}");
}

/// A UGI bot that does this before its answer, which is no move: so one answer ends the game.
fn bot_that(folder: &std::path::Path, name: &str, work: &str) -> String {
    let script = format!(
        "while read -r word rest; do\n\
         case $word in\n\
         ugi) echo 'id name {name}'; echo ugiok ;;\n\
         isready) echo readyok ;;\n\
         go) {work}; echo bestmove 40 ;;\n\
         quit) exit 0 ;;\n\
         esac\n\
         done\n"
    );
    let path = folder.join(format!("{name}.sh"));
    fs::write(&path, script).unwrap();
    format!("{name}=ugi:sh '{}'", path.display())
}

#[test]
#[cfg(target_os = "linux")]
fn processor_time_is_not_time_on_the_wall() {
    let temporary = tempfile::tempdir().unwrap();
    let sleeper = bot_that(temporary.path(), "sleeper", "sleep 1");
    // A second of work or more on any machine, in a child that has ended when the answer comes.
    let worker =
        bot_that(temporary.path(), "worker", "sh -c 'i=0; while [ $i -lt 12000000 ]; do i=$((i+1)); done'");
    let reasons = |clock: &str, bot: &str, limits: &str| {
        let out = temporary.path().join(format!("{clock} {}", &bot[..6]));
        let folder = out.display().to_string();
        let base =
            ["tournament", "--games", "hus", "--rounds", "1", "--no-report", "--jobs", "1", "--out", &folder];
        let timed = ["--bots", bot, "alphabeta", "--limits", limits, "--margin", "100ms", "--clock", clock];
        let output = run(&[&base[..], &timed].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
        let lines = journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter_map(|line| line["reason"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(reasons("wall", &sleeper, "movetime=400ms"), ["time", "time"]);
    assert_eq!(
        reasons("cpu", &sleeper, "movetime=400ms"),
        ["protocol", "protocol"],
        "sleep costs no processor time"
    );
    assert_eq!(reasons("cpu", &worker, "movetime=50ms"), ["time", "time"], "work does");
    assert!(refuse(&["tournament", "--clock", "moon"]).contains("expected `wall` or `cpu`"));
}
