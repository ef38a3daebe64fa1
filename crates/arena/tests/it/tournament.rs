//! Whole tournaments of small games: the same results however they are played.

use std::fs;
use std::path::Path;

use crate::common::{contests, options, outcome, plan, play};
use arena::statistics::{Decision, Sprt};
use arena::{
    Control, Ending, Fault, FinishedGame, Format, Plan, RunError, RunOptions, Shard, collect, merge,
    read_journal,
};
use search_core::{FailureKind, Outcome, Player};

const BOTS: [&str; 4] = ["random", "last", "random:2", "illegal"];

fn lines(path: &Path) -> Vec<FinishedGame> {
    let mut lines = Vec::new();
    read_journal(path, None, |_, line| lines.push(line)).unwrap();
    lines
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile", "duel"]);
    let plan = plan(&contests, &BOTS, 12);
    let run = |jobs: usize| {
        let path = folder.path().join(format!("{jobs}.jsonl"));
        let report = play(&plan, &contests, &path, &options(jobs)).unwrap();
        assert_eq!((report.ending, report.played), (Ending::Complete, 2 * 2 * 6 * 12));
        outcome(&plan, &report)
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
    assert!(one.0.contains("\"illegal\""));
    assert!(!one.0.contains("NaN") && !one.1.contains("inf"));
    // A journal counts to the same by itself.
    let collected = collect(folder.path().join("2.jsonl"), &plan, &contests).unwrap();
    assert!(collected.problems.is_empty(), "{:?}", collected.problems);
    let summary = arena::Summary::new(&collected.plan, &collected.results, Some(0));
    assert_eq!(summary.json(), one.0);
}

/// Notes void games and put out bots: who else writes one while the run is under way is found, and what it says does not count.
#[test]
fn notes_that_the_run_did_not_write_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &["random", "last"], 4);
    let id = plan.id();
    let forged = [
        format!(r#"{{"withdrawn":"last","plan":"{id}","problem":"so I say"}}"#),
        format!(r#"{{"void":{{"plan":"{id}","game":0,"players":["random","last"],"problem":"so I say"}}}}"#),
        format!(r#"{{"struck":{{"plan":"{id}","game":0,"problem":"so I say"}}}}"#),
        format!(r#"{{"begun":{{"plan":"{id}","game":7,"players":["random","last"]}}}}"#),
    ];
    for (number, note) in forged.into_iter().enumerate() {
        let line = arena::seal(note.clone().into_bytes());
        let path = folder.path().join(number.to_string());
        let mut is_new = true;
        let write = |path: &Path| {
            let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
            std::io::Write::write_all(&mut file, &line).unwrap();
        };
        let report = arena::run(&plan, &contests, &path, &options(1), &Control::default(), &mut |_| {
            if std::mem::take(&mut is_new) {
                write(&path);
            }
        });
        let report = report.unwrap();
        assert_eq!(report.played, 8, "{note}");
        let told = &report.tampered[..];
        assert!(matches!(told, [one] if one.ends_with("a note that this run did not write")), "{told:?}");

        // What stood there before a run is not held against it.
        let resume = RunOptions { resume: true, ..options(1) };
        let report = play(&plan, &contests, &path, &resume).unwrap();
        assert!(report.tampered.is_empty(), "{note}: {:?}", report.tampered);
    }
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::RoundRobin, Format::Gauntlet, Format::Swiss] {
        let contests = contests(&["pile", "duel"]);
        let plan =
            Plan { format, ..plan(&contests, &["random", "last", "random:2", "random:3", "last:2"], 9) };
        let whole = folder.path().join(format!("{format:?}-whole"));
        let expected = outcome(&plan, &play(&plan, &contests, &whole, &options(2)).unwrap());
        let total = lines(&whole).len() as u64;

        let path = folder.path().join(format!("{format:?}"));
        let mut endings = 0;
        let report = loop {
            let control = Control::default();
            let resume = RunOptions { resume: true, ..options(2) };
            // Asked to end after some games; whatever the machine does, each run finishes at least what it began.
            let stop_at = control.clone();
            let report = arena::run(&plan, &contests, &path, &resume, &control, &mut |progress| {
                if progress.fresh > 3 || endings < 3 {
                    stop_at.interrupt();
                }
            })
            .unwrap();
            endings += 1;
            assert!(endings < 1000);
            if report.ending == Ending::Complete {
                break report;
            }
        };
        assert_eq!(outcome(&plan, &report), expected, "{format:?}");
        assert_eq!(report.played + report.resumed, total);
        let mut seen: Vec<u64> = lines(&path).iter().map(|line| line.index).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..total).collect::<Vec<_>>(), "each game once");
    }
}

#[test]
fn a_cut_at_any_byte_loses_only_the_torn_line() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &["random", "last"], 3);
    let whole = folder.path().join("whole");
    let expected = outcome(&plan, &play(&plan, &contests, &whole, &options(1)).unwrap());
    let bytes = fs::read(&whole).unwrap();
    let path = folder.path().join("cut");
    for cut in (0..=bytes.len()).step_by(23) {
        fs::write(&path, &bytes[..cut]).unwrap();
        let report = play(&plan, &contests, &path, &RunOptions { resume: true, ..options(1) }).unwrap();
        assert_eq!(outcome(&plan, &report), expected, "cut at {cut}");
        let kept = bytes[..cut].split(|&byte| byte == b'\n').count().saturating_sub(2) as u64;
        assert_eq!(report.resumed, kept, "cut at {cut}");
        assert_eq!(lines(&path).len(), 6);
        let torn = cut > 0 && bytes[cut - 1] != b'\n';
        assert_eq!(report.problems.len(), usize::from(torn), "cut at {cut}");
    }
}

#[test]
fn a_damaged_line_is_reported_and_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &["random", "last"], 4);
    let path = folder.path().join("journal");
    let expected = outcome(&plan, &play(&plan, &contests, &path, &options(1)).unwrap());
    let mut bytes = fs::read(&path).unwrap();
    // One byte in the turns of the fourth line.
    let fourth = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(2).unwrap().0;
    let place = fourth + String::from_utf8_lossy(&bytes[fourth..]).find("turns").unwrap() + 9;
    bytes[place] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let report = play(&plan, &contests, &path, &RunOptions { resume: true, ..options(1) }).unwrap();
    assert_eq!(report.problems.len(), 1);
    assert_eq!(report.problems[0].to_string(), "line 4 is left out: its checksum is wrong");
    assert_eq!((report.played, report.resumed), (1, 7));
    assert_eq!(outcome(&plan, &report), expected);
}

#[test]
fn a_journal_is_refused_if_it_is_anothers_in_use_or_there_already() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &["random", "last"], 2);
    let path = folder.path().join("journal");
    play(&plan, &contests, &path, &options(1)).unwrap();
    let error = play(&plan, &contests, &path, &options(1)).unwrap_err();
    assert!(matches!(error, RunError::Exists(_)), "{error}");
    let other = Plan { seed: 6, ..plan.clone() };
    let error = play(&other, &contests, &path, &RunOptions { resume: true, ..options(1) }).unwrap_err();
    assert!(error.to_string().contains("belongs to another plan"), "{error}");
    let _held = arena::Journal::open(&path).unwrap();
    let error = play(&plan, &contests, &path, &RunOptions { resume: true, ..options(1) }).unwrap_err();
    assert!(error.to_string().contains("in use by another run"), "{error}");
    let error = play(&plan, &contests, &folder.path().join("no/such/folder"), &options(1)).unwrap_err();
    assert!(error.to_string().contains("cannot write to"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_before_the_first_game() {
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &["random", "last"], 2);
    let error = play(&plan, &contests, Path::new("/dev/full"), &options(1)).unwrap_err();
    assert!(error.to_string().contains("cannot write to /dev/full: No space left"), "{error}");
}

#[test]
fn shards_merged_equal_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile", "duel"]);
    let plan = plan(&contests, &BOTS, 5);
    let whole = folder.path().join("whole");
    let expected = outcome(&plan, &play(&plan, &contests, &whole, &options(2)).unwrap());
    let parts: Vec<_> = (0..4).map(|index| folder.path().join(format!("part{index}"))).collect();
    let mut games = 0;
    for (index, part) in parts.iter().enumerate() {
        let shard: Shard = format!("{index}/4").parse().unwrap();
        let report = play(&plan, &contests, part, &RunOptions { shard, ..options(2) }).unwrap();
        assert_eq!(report.ending, Ending::Complete);
        games += report.played;
    }
    assert_eq!(games, lines(&whole).len() as u64);
    let merged = folder.path().join("merged");
    // One part twice: duplicates that agree are fine.
    let sources: Vec<_> = parts.iter().chain(parts.first()).cloned().collect();
    let problems = merge(&sources, &merged, &plan, &contests, None).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(arena::plan_of(&merged).unwrap(), plan);
    let collected = collect(&merged, &plan, &contests).unwrap();
    let summary = arena::Summary::new(&plan, &collected.results, Some(0));
    assert_eq!((summary.json(), summary.csv().unwrap()), expected);

    for text in ["4/4", "x/4", "1", "-1/2", "0/0"] {
        let error = text.parse::<Shard>().unwrap_err().to_string();
        assert!(error.contains(text) && error.contains("0/4"), "{error}");
    }
    let swiss = Plan { format: Format::Swiss, ..plan.clone() };
    let shard = Shard { index: 0, count: 2 };
    let error =
        play(&swiss, &contests, &folder.path().join("s"), &RunOptions { shard, ..options(1) }).unwrap_err();
    assert!(matches!(error, RunError::Shards(_)), "{error}");
}

/// The first line of a journal, and these games, sealed anew.
fn forge(source: &Path, games: &[FinishedGame], target: &Path) {
    let mut forged =
        fs::read(source).unwrap().split_inclusive(|&byte| byte == b'\n').next().unwrap().to_vec();
    for game in games {
        forged.extend(arena::line_bytes(game));
    }
    fs::write(target, forged).unwrap();
}

/// The same game as it could have gone just as well: the rules have nothing against it.
fn otherwise(game: &FinishedGame) -> FinishedGame {
    let mut other = game.clone();
    // The bot that moves first gives up at once by an illegal move.
    other.course.turns = String::new();
    other.result.plies = 0;
    other.result.outcome = Outcome::Win(Player::Two);
    "illegal".clone_into(&mut other.result.reason);
    let message = "made up".to_owned();
    other.result.faults = vec![Fault { player: Player::One, kind: FailureKind::Illegal, message }];
    other.thoughts = arena::Thoughts::default();
    other
}

#[test]
fn a_line_that_the_rules_contradict_is_left_out_and_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile", "duel"]);
    let plan = plan(&contests, &["random", "last"], 2);
    let path = folder.path().join("journal");
    let expected = outcome(&plan, &play(&plan, &contests, &path, &options(1)).unwrap());
    let games = lines(&path);
    let change = |change: &dyn Fn(&mut FinishedGame)| {
        let mut games = games.clone();
        change(&mut games[1]);
        let forged = folder.path().join("forged");
        forge(&path, &games, &forged);
        let collected = collect(&forged, &plan, &contests).unwrap();
        let problems: Vec<String> = collected.problems.iter().map(ToString::to_string).collect();
        let merged = folder.path().join("merged");
        let left_out = merge(std::slice::from_ref(&forged), &merged, &plan, &contests, None).unwrap();
        assert_eq!((left_out.len(), lines(&merged).len()), (1, games.len() - 1));
        fs::remove_file(merged).unwrap();
        let report = play(&plan, &contests, &forged, &RunOptions { resume: true, ..options(1) }).unwrap();
        assert_eq!((report.played, report.problems.len()), (1, 1));
        assert_eq!(outcome(&plan, &report), expected);
        assert!(report.tampered.is_empty(), "{:?}", report.tampered);
        problems.join("\n")
    };
    let flipped = change(&|game| {
        game.result.outcome = match game.result.outcome {
            Outcome::Win(player) => Outcome::Win(player.opponent()),
            Outcome::Draw => Outcome::Win(Player::One),
        };
    });
    assert!(flipped.starts_with("line 3 is left out: by the rules it ends "), "{flipped}");
    let longer = change(&|game| game.course.turns.push_str(" 1"));
    assert!(longer.contains("cannot be played"), "{longer}");
    let shorter = change(&|game| game.course.turns = String::new());
    assert!(shorter.contains("it has 0 turns and says"), "{shorter}");
    let other = change(&|game| game.id = games[0].id);
    assert!(other.contains("its id is not that of this game"), "{other}");
    let start = change(&|game| game.course.start = "7 p1".to_owned());
    assert!(start.contains("does not begin with the opening of its round"), "{start}");
    let unfinished = change(&|game| {
        game.course.turns = String::new();
        game.result.plies = 0;
    });
    assert!(unfinished.contains("not over after its last turn"), "{unfinished}");
}

#[test]
fn two_lines_that_disagree_cost_that_game_alone() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &["random", "last"], 2);
    let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(name));
    let expected = outcome(&plan, &play(&plan, &contests, &a, &options(1)).unwrap());
    let games = lines(&a);
    // In one journal.
    let both = [&games[..], &[otherwise(&games[1])]].concat();
    forge(&a, &both, &b);
    let collected = collect(&b, &plan, &contests).unwrap();
    let told = collected.problems[0].to_string();
    assert!(told.contains("game 1 does not count: lines 3 and 6 tell different things of it"), "{told}");
    assert_eq!(collected.results.games(), 3);
    let resume = RunOptions { resume: true, ..options(1) };
    let report = play(&plan, &contests, &b, &resume).unwrap();
    assert_eq!((report.played, report.resumed), (1, 3));
    assert_eq!(outcome(&plan, &report), expected);
    // Once it is played again, the quarrel is over.
    let collected = collect(&b, &plan, &contests).unwrap();
    assert!(collected.problems.is_empty(), "{:?}", collected.problems);
    assert_eq!(play(&plan, &contests, &b, &resume).unwrap().played, 0);
    // In two journals that are merged.
    forge(&a, &[otherwise(&games[1])], &c);
    let merged = folder.path().join("merged");
    let problems = merge(&[a.clone(), c.clone()], &merged, &plan, &contests, None).unwrap();
    assert_eq!(problems.len(), 1);
    let told = problems[0].1.to_string();
    assert!(problems[0].0 == c && told.contains(&format!("line 3 of {}", a.display())), "{told}");
    assert!(told.starts_with("line 2 is left out: game 1 does not count"), "{told}");
    assert_eq!(lines(&merged).len(), 3);
    // A journal of another plan is still refused.
    let other = folder.path().join("other");
    play(&Plan { seed: 9, ..plan.clone() }, &contests, &other, &options(1)).unwrap();
    let error = merge(&[a, other], folder.path().join("n"), &plan, &contests, None).unwrap_err().to_string();
    assert!(error.contains("belongs to another plan"), "{error}");
}

#[test]
fn games_of_an_earlier_run_are_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let small = plan(&contests, &["random", "last"], 4);
    let earlier = folder.path().join("earlier");
    play(&small, &contests, &earlier, &options(1)).unwrap();
    // A late bot, two more rounds, and the old bots in another order.
    let large = plan(&contests, &["last", "random:2", "random"], 6);
    let expected =
        outcome(&large, &play(&large, &contests, &folder.path().join("fresh"), &options(2)).unwrap());
    let reuse = RunOptions { reuse: vec![earlier.clone()], ..options(2) };
    let report = play(&large, &contests, &folder.path().join("reused"), &reuse).unwrap();
    assert_eq!((report.reused, report.played), (8, 3 * 2 * 6 - 8));
    assert_eq!(outcome(&large, &report), expected);
    // A new version of a bot plays its games again.
    let mut changed = large.clone();
    changed.bots[0].fingerprint = "new".to_owned();
    let report = play(&changed, &contests, &folder.path().join("changed"), &reuse).unwrap();
    assert_eq!(report.reused, 0);
}

#[test]
fn a_test_stops_at_the_same_pair_whatever_the_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let plan = Plan { sprt: Some(Sprt::new(0.0, 200.0)), ..plan(&contests, &["random", "illegal"], 500) };
    let run = |jobs: usize| {
        let report = play(&plan, &contests, &folder.path().join(jobs.to_string()), &options(jobs)).unwrap();
        assert_eq!(report.ending, Ending::Decided);
        let state = report.results.sprt.unwrap();
        assert_eq!(state.decision, Some(Decision::Accepted));
        assert!(state.pairs.pairs() < 100 && state.llr >= 2.94);
        outcome(&plan, &report)
    };
    assert_eq!(run(1), run(3));
    let three = plan_of(&contests, &["random", "last", "illegal"], 5);
    let wrong = Plan { sprt: plan.sprt, ..three };
    let error = play(&wrong, &contests, &folder.path().join("x"), &options(1)).unwrap_err();
    assert!(error.to_string().contains("exactly two bots, found 3"), "{error}");
}

fn plan_of(contests: &[Box<dyn arena::Contest>], specs: &[&str], rounds: u32) -> Plan {
    plan(contests, specs, rounds)
}

#[test]
fn a_swiss_tournament_pairs_like_scores_and_counts_byes() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let plan = Plan {
        format: Format::Swiss,
        ..plan_of(&contests, &["illegal", "random", "last", "illegal:2", "random:2"], 5)
    };
    let path = folder.path().join("journal");
    let report = play(&plan, &contests, &path, &options(3)).unwrap();
    assert_eq!(report.ending, Ending::Complete);
    let all = lines(&path);
    assert_eq!(all.len(), 5 * 2 * 2);
    for round in 0..5 {
        let mut playing: Vec<&str> = all
            .iter()
            .filter(|line| line.round == round)
            .flat_map(|line| line.course.players.iter().map(String::as_str))
            .collect();
        playing.sort_unstable();
        assert_eq!(playing.len(), 8);
        playing.dedup();
        assert_eq!(playing.len(), 4, "everybody but one plays two games");
    }
}

#[test]
fn a_bot_that_will_not_start_is_an_error_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    for (bot, part) in [("nostart", "will not"), ("unknown", "no such bot")] {
        let path = folder.path().join(bot);
        let error = play(&plan(&contests, &["random", bot], 2), &contests, &path, &options(1)).unwrap_err();
        assert!(error.to_string().contains(&format!("the bot `{bot}` cannot play pile")), "{error}");
        assert!(error.to_string().contains(part), "{error}");
        assert!(!path.exists(), "no journal is left behind");
    }
}

#[test]
fn deterministic_bots_from_one_start_are_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile from the start"]);
    let plan = plan(&contests, &["last", "last:2"], 20);
    let report = play(&plan, &contests, &folder.path().join("j"), &options(1)).unwrap();
    let standings = arena::Standings::new(&plan, 0, &report.results.tallies[0], None, &[]);
    assert!(
        standings.warnings[0].starts_with("only 1 of 40 games are different"),
        "{:?}",
        standings.warnings
    );
    assert!(standings.rows.iter().all(|row| row.elo_error.is_none()));
    assert!(standings.pairings.iter().all(|pairing| pairing.elo_low.is_none()));
}

/// Two pairs that happen to score the same have no scatter at all; that does not make a rating certain.
#[test]
fn a_few_pairs_have_large_errors() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["pile"]);
    let mut seen = 0;
    for seed in 0..40 {
        let plan = Plan { seed, ..plan(&contests, &["random", "last"], 2) };
        let report = play(&plan, &contests, &folder.path().join(seed.to_string()), &options(1)).unwrap();
        let standings = arena::Standings::new(&plan, 0, &report.results.tallies[0], None, &[]);
        for error in standings.rows.iter().filter_map(|row| Some((row.elo_high? - row.elo_low?) / 2.0)) {
            seen += 1;
            assert!(error > 100.0, "seed {seed}: four games give an error of {error}");
        }
        let los = standings.rows[0].los_next;
        assert!(los.is_none_or(|los| los < 0.99), "seed {seed}: four games give a LOS of {los:?}");
    }
    assert!(seen > 20, "only {seen} errors were shown");
}

#[test]
fn both_failing_at_once_is_left_out_of_the_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let contests = contests(&["duel"]);
    let plan = plan(&contests, &["illegal", "panics", "random"], 3);
    let report = play(&plan, &contests, &folder.path().join("j"), &options(1)).unwrap();
    let tally = &report.results.tallies[0];
    assert_eq!(tally.double_forfeits, 6);
    let standings = arena::Standings::new(&plan, 0, tally, None, &[]);
    assert_eq!(standings.rows[0].bot, "random");
    assert_eq!((standings.rows[0].games, standings.rows[1].games), (12, 6));
    assert!(standings.warnings.iter().any(|warning| warning.contains("both bots failed at once")));
    assert_eq!(standings.advantage, None, "a simultaneous game has no first mover");
}

#[test]
fn a_hundred_thousand_scheduled_games_cost_no_memory_before_they_are_played() {
    let contests = contests(&["pile"]);
    let plan = plan(&contests, &BOTS, u32::try_from(100_000_000_u64 / 12).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let control = Control::default();
    let stop_at = control.clone();
    // A hundred million games: a schedule that is written down anywhere would not fit.
    let report =
        arena::run(&plan, &contests, folder.path().join("j"), &options(2), &control, &mut |progress| {
            if progress.fresh > 0 {
                stop_at.interrupt();
            }
        })
        .unwrap();
    assert_eq!(report.ending, Ending::Interrupted);
    assert!(report.played > 0);
}
