//! A disk that fails at every single operation, in every way: nothing that was finished and synced is lost, no game counts twice, and
//! a run that goes on comes to the same standings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::{make, options, outcome, plan};
use arena::disk::DiskPath;
use arena::simulation::{DiskFault, MemoryDisk, Survival};
use arena::{
    Contest, Ending, Event, FinishedGame, Format, Plan, RunError, RunOptions, RunReport, collect, merge,
    read_journal,
};
use toys::pile::Pile;

const JOURNAL: &str = "run/journal.jsonl";

/// Every way in which the power comes back.
const SURVIVALS: [Survival; 4] = [Survival::Synced, Survival::Torn, Survival::Zeroed, Survival::OldNames];

/// Two bots of ours and one that counts as one from outside, so that who plays is noted before its games.
fn setting() -> (Vec<Box<dyn Contest>>, Plan) {
    let event = Event::<Pile>::new(make).with_outside(|spec| spec == "last");
    let contests: Vec<Box<dyn Contest>> = vec![Box::new(event)];
    let plan = plan(&contests, &["random", "last", "illegal"], 2);
    (contests, plan)
}

/// A disk with the folder of a run.
fn disk() -> MemoryDisk {
    let disk = MemoryDisk::new();
    disk.path("run").make_folder().unwrap();
    disk.end_of_program();
    disk
}

/// Plays what is missing.
fn go_on(disk: &MemoryDisk, plan: &Plan, contests: &[Box<dyn Contest>]) -> Result<RunReport, RunError> {
    let options = RunOptions { resume: true, ..options(1) };
    arena::run(plan, contests, disk.path(JOURNAL), &options, &arena::Control::default(), &mut |_| {})
}

/// The games on whole lines of these bytes.
fn games(bytes: Option<Vec<u8>>) -> BTreeMap<u64, FinishedGame> {
    let mut found = BTreeMap::new();
    if let Some(bytes) = bytes {
        let copy = MemoryDisk::new();
        copy.path("copy").write_whole(&bytes).unwrap();
        read_journal(copy.path("copy"), None, |_, game| drop(found.insert(game.index, game))).unwrap();
    }
    found
}

fn journal_of(disk: &MemoryDisk) -> Option<Vec<u8>> {
    disk.live(Path::new(JOURNAL))
}

/// The numbers of the lines that no undisturbed run wrote: what a reader has to name.
fn damaged(bytes: &[u8], written: &BTreeSet<Vec<u8>>) -> Vec<u64> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').zip(1..);
    lines.filter(|(line, _)| !written.contains(*line)).map(|(_, number)| number).collect()
}

/// What must hold once a run that was disturbed has gone on to its end.
fn check(disk: &MemoryDisk, kept: &BTreeMap<u64, FinishedGame>, expected: &(String, String), what: &str) {
    let (contests, plan) = setting();
    let before = games(journal_of(disk));
    for (index, game) in kept {
        assert_eq!(before.get(index), Some(game), "{what}: game {index} was synced and is lost");
    }
    let report = go_on(disk, &plan, &contests).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(report.error.is_none(), "{what}: {:?}", report.error);
    assert_eq!(report.ending, Ending::Complete, "{what}");
    assert_eq!(report.resumed, before.len() as u64, "{what}: games that were there are played again");
    assert_eq!(report.resumed + report.played, 12, "{what}");
    assert!(report.tampered.is_empty(), "{what}: {:?}", report.tampered);
    assert!(outcome(&plan, &report) == *expected, "{what}: other standings");
    // Each game once, and all of it survives whatever comes.
    let mut seen = Vec::new();
    read_journal(disk.path(JOURNAL), Some(plan.id()), |_, game| seen.push(game.index)).unwrap();
    seen.sort_unstable();
    assert_eq!(seen, (0..12).collect::<Vec<_>>(), "{what}: each game once");
    disk.restart(Survival::Synced);
    let collected = collect(disk.path(JOURNAL), &plan, &contests).unwrap();
    assert_eq!(collected.results.games(), 12, "{what}: a run that ended well is on the disk");
}

#[test]
fn every_operation_of_a_run_may_fail_in_every_way() {
    let (contests, plan) = setting();
    let whole = disk();
    let expected = outcome(&plan, &go_on(&whole, &plan, &contests).unwrap());
    let operations = whole.operations();
    assert!(operations > 20, "only {operations} operations");
    let mut failures = 0;
    for number in 0..operations {
        let done = whole.history()[number as usize].clone();
        for fault in [DiskFault::Once, DiskFault::Full] {
            let what = format!("{fault:?} at {number} ({done:?})");
            let disk = disk();
            disk.fail_at(number, fault);
            let reported = match go_on(&disk, &plan, &contests) {
                Ok(report) => {
                    // What failed is told, and what is told as finished is in the tables.
                    assert!(report.error.is_some() || report.ending == Ending::Complete, "{what}");
                    report.error.map(|error| error.to_string())
                }
                Err(error) => Some(error.to_string()),
            };
            if let Some(error) = reported {
                failures += 1;
                assert!(error.contains(JOURNAL), "{what}: {error}");
            }
            disk.end_of_program();
            let kept = games(disk.durable(Path::new(JOURNAL)));
            check(&disk, &kept, &expected, &what);
        }
        for survival in SURVIVALS {
            let what = format!("{survival:?} after a loss of power at {number} ({done:?})");
            let disk = disk();
            disk.fail_at(number, DiskFault::PowerLoss);
            assert!(go_on(&disk, &plan, &contests).map_or(true, |report| report.error.is_some()), "{what}");
            assert!(disk.is_down());
            let kept = games(disk.durable(Path::new(JOURNAL)));
            disk.restart(survival);
            check(&disk, &kept, &expected, &what);
        }
    }
    assert!(failures as u64 >= operations, "{failures} failures of {operations} operations were told");
}

#[test]
fn flipped_bits_cost_the_games_of_their_sector_and_are_named_by_line() {
    let (contests, plan) = setting();
    let whole = disk();
    let expected = outcome(&plan, &go_on(&whole, &plan, &contests).unwrap());
    let operations = whole.operations();
    let mut named = 0;
    for number in 0..operations {
        for sector in 0..16 {
            let what = format!("power lost at {number}, bits flipped in sector {sector}");
            let disk = disk();
            disk.fail_at(number, DiskFault::PowerLoss);
            let _ = go_on(&disk, &plan, &contests);
            let Some(before) = journal_of(&disk) else { continue };
            let written = before.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            if disk.restart(Survival::FlippedBits(sector)).is_none() {
                continue;
            }
            let after = journal_of(&disk).unwrap();
            let wrong = damaged(&after, &written);
            let left = games(Some(after));
            let report = go_on(&disk, &plan, &contests).unwrap_or_else(|error| panic!("{what}: {error}"));
            let told: Vec<u64> = report.problems.iter().map(|problem| problem.line).collect();
            assert_eq!(told, wrong, "{what}: {:?}", report.problems);
            named += wrong.len();
            assert_eq!(report.resumed, left.len() as u64, "{what}");
            assert!(outcome(&plan, &report) == expected, "{what}: other standings");
        }
    }
    assert!(named > 100, "only {named} damaged lines");
}

/// Whoever goes on with a journal cannot know whether its name was ever synced: it may be the very thing that failed.
#[test]
fn a_name_that_was_not_synced_is_synced_by_the_run_that_goes_on() {
    let (contests, plan) = setting();
    let disk = disk();
    let history = {
        let whole = self::disk();
        go_on(&whole, &plan, &contests).unwrap();
        whole.history()
    };
    let number = history.iter().position(|(what, _)| *what == "sync folder").unwrap() as u64;
    disk.fail_at(number, DiskFault::Once);
    let error = go_on(&disk, &plan, &contests).unwrap_err().to_string();
    assert!(
        error.starts_with("cannot sync the folder of run/journal.jsonl: the disk failed once"),
        "{error}"
    );
    disk.end_of_program();
    assert_eq!(go_on(&disk, &plan, &contests).unwrap().played, 12);
    disk.restart(Survival::Synced);
    assert_eq!(collect(disk.path(JOURNAL), &plan, &contests).unwrap().results.games(), 12);
}

/// A failed sync is told with the file, and the games finished so far are in the tables.
#[test]
fn a_sync_that_fails_is_told() {
    let (contests, plan) = setting();
    let whole = disk();
    go_on(&whole, &plan, &contests).unwrap();
    let last = whole.history().iter().rposition(|(what, _)| *what == "sync").unwrap() as u64;
    let disk = disk();
    disk.fail_at(last, DiskFault::Once);
    let report = go_on(&disk, &plan, &contests).unwrap();
    let error = report.error.unwrap().to_string();
    assert_eq!(error, "cannot sync run/journal.jsonl: the disk failed once");
    assert_eq!(report.results.games(), 12);
}

/// While a run goes on, what is finished gets on the disk without anybody waiting for its end.
#[test]
fn a_run_syncs_its_journal_as_it_goes() {
    let contests: Vec<Box<dyn Contest>> = vec![Box::new(Event::<Pile>::new(make))];
    let plan = plan(&contests, &["random", "last"], 100_000_000);
    let disk = disk();
    let control = arena::Control::default();
    let mut durable = Vec::new();
    let report = arena::run(&plan, &contests, disk.path(JOURNAL), &options(1), &control, &mut |_| {
        let synced = games(disk.durable(Path::new(JOURNAL))).len();
        if durable.last().is_none_or(|&last| last < synced) {
            durable.push(synced);
        }
        // None, and then twice some more.
        if durable.len() > 2 {
            control.interrupt();
        }
    })
    .unwrap();
    assert_eq!(report.ending, Ending::Interrupted);
    assert!(durable[0] < durable[1] && durable[1] < durable[2] && durable[2] as u64 <= report.played);
}

/// A disk that stays full: the same game is begun and cannot be written down again and again. Its bots are not to blame.
#[test]
fn a_full_disk_voids_no_game() {
    let (contests, plan) = setting();
    let whole = disk();
    let expected = outcome(&plan, &go_on(&whole, &plan, &contests).unwrap());
    for number in 0..whole.operations() {
        let disk = disk();
        disk.fail_at(number, DiskFault::Full);
        let _ = go_on(&disk, &plan, &contests);
        // Somebody makes a little room, three times, and it is full again after two, three, ... operations.
        for more in 2..5 {
            disk.end_of_program();
            disk.fail_at(more, DiskFault::Full);
            let _ = go_on(&disk, &plan, &contests);
        }
        disk.end_of_program();
        let report = go_on(&disk, &plan, &contests).unwrap();
        assert!(
            outcome(&plan, &report) == expected,
            "full at {number}: {:?}",
            report.results.tallies[0].void
        );
    }
}

#[test]
fn a_merge_that_fails_leaves_its_sources_alone_and_can_be_made_again() {
    let (contests, plan) = setting();
    let source = disk();
    let expected = outcome(&plan, &go_on(&source, &plan, &contests).unwrap());
    let bytes = journal_of(&source).unwrap();
    let prepared = || {
        let disk = disk();
        disk.path("run/a").write_whole(&bytes).unwrap();
        disk.end_of_program();
        disk
    };
    let join = |disk: &MemoryDisk| {
        merge(&[PathBuf::from("run/a")], disk.path("run/whole"), &plan, &contests, None)
            .map_err(|error| error.to_string())
    };
    let whole = prepared();
    join(&whole).unwrap();
    for number in 0..whole.operations() {
        for fault in [DiskFault::Once, DiskFault::Full, DiskFault::PowerLoss] {
            let disk = prepared();
            disk.fail_at(number, fault);
            match join(&disk) {
                // Nothing more had to be written when the disk was full.
                Ok(_) => assert_eq!(fault, DiskFault::Full),
                Err(error) => assert!(error.contains("run/whole"), "{error}"),
            }
            if fault == DiskFault::PowerLoss {
                disk.restart(Survival::Torn);
            } else {
                disk.end_of_program();
            }
            assert_eq!(disk.live(Path::new("run/a")).unwrap(), bytes);
            let whole = disk.path("run/whole");
            if whole.is_file() {
                whole.remove().unwrap();
            }
            join(&disk).unwrap();
            let collected = collect(&whole, &plan, &contests).unwrap();
            let summary = arena::Summary::new(&plan, &collected.results, Some(0));
            assert_eq!((summary.json(), summary.csv().unwrap()), expected);
        }
    }
}

/// A file that is replaced is the old one or the new one, whatever happens.
#[test]
fn a_file_that_is_replaced_is_the_old_or_the_new_one() {
    let prepared = || {
        let disk = disk();
        disk.path("run/file").write_whole(b"old").unwrap();
        disk.end_of_program();
        disk
    };
    let whole = prepared();
    whole.path("run/file").write_whole(b"new one").unwrap();
    let read = |path: &DiskPath| path.read_text().unwrap();
    for number in 0..whole.operations() {
        for fault in [DiskFault::Once, DiskFault::Full] {
            let disk = prepared();
            disk.fail_at(number, fault);
            let file = disk.path("run/file");
            let written = file.write_whole(b"new one").is_ok();
            let text = read(&file);
            assert!(text == "new one" || (text == "old" && !written), "{fault:?} at {number}: {text:?}");
        }
        for survival in SURVIVALS {
            let disk = prepared();
            disk.fail_at(number, DiskFault::PowerLoss);
            let file = disk.path("run/file");
            assert!(file.write_whole(b"new one").is_err());
            disk.restart(survival);
            let text = read(&file);
            assert!(text == "new one" || text == "old", "{survival:?} at {number}: {text:?}");
        }
    }
    whole.restart(Survival::Synced);
    assert_eq!(read(&whole.path("run/file")), "new one");
}

/// Swiss rounds are drawn from results, so what is lost and played again must lead to the same pairings.
#[test]
fn a_swiss_tournament_goes_on_to_the_same_pairings() {
    let event = Event::<Pile>::new(make).with_outside(|spec| spec == "last");
    let contests: Vec<Box<dyn Contest>> = vec![Box::new(event)];
    let bots = ["random", "last", "illegal", "random:2"];
    let plan = Plan { format: Format::Swiss, ..plan(&contests, &bots, 3) };
    let whole = disk();
    let expected = outcome(&plan, &go_on(&whole, &plan, &contests).unwrap());
    for number in 0..whole.operations() {
        for survival in SURVIVALS {
            let disk = disk();
            disk.fail_at(number, DiskFault::PowerLoss);
            let _ = go_on(&disk, &plan, &contests);
            disk.restart(survival);
            let report = go_on(&disk, &plan, &contests).unwrap();
            assert!(outcome(&plan, &report) == expected, "{survival:?} at {number}: other standings");
        }
    }
}
