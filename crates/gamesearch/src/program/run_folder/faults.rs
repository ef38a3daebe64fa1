//! A run folder on a disk that fails at every single operation: the run goes on to the same results.

use std::path::Path;

use arena::simulation::{DiskFault, MemoryDisk, Survival};
use arena::{Control, Ending, RunOptions, Summary, collect, run as play};

use super::RunFolder;
use crate::program::commands::tournament::{Prepared, Settings};
use crate::program::report::write_report;
use crate::program::{App, Failure};

/// A tournament of two games, which take no time.
fn settings() -> String {
    let game = crate::contests::NAMES[3];
    format!(
        "games = [\"{game}\"]\nbots = [\"random\", \"greedy\"]\nrounds = 1\nseed = 3\nopenings = \"start\"\n"
    )
}

/// What an undisturbed run leaves: the files that hold no times.
const RESULTS: [&str; 4] = ["plan.json", "tournament.toml", "summary.json", "standings.csv"];

/// Everything that `gamesearch tournament` does in its folder, from the settings to the report.
fn tournament(app: &App, disk: &MemoryDisk) -> Result<Summary, Failure> {
    let folder = RunFolder::at(disk.path("runs/x"));
    let resume = folder.has_games();
    let text = match folder.kept_settings() {
        Some(text) if resume => text,
        _ => settings(),
    };
    let settings = Settings { resume, ..Settings::of_text("tournament.toml".to_owned(), text)? };
    let prepared = Prepared::new(app, settings)?;
    let settings = Some(prepared.settings.kept_text()?);
    let options = RunOptions { jobs: 1, resume, settings, ..RunOptions::default() };
    folder.create(&prepared)?;
    let (plan, contests) = (&prepared.plan, &prepared.contests);
    let report = play(plan, contests, folder.journal(), &options, &Control::default(), &mut |_| {})
        .map_err(Failure::failed)?;
    if let Some(error) = report.error {
        return Err(Failure::failed(error));
    }
    assert!(report.tampered.is_empty(), "{:?}", report.tampered);
    assert_eq!(report.ending, Ending::Complete);
    let collected = collect(folder.journal_of(), plan, contests).map_err(Failure::failed)?;
    let summary = prepared.summary(&report.results, false);
    folder.write_results(plan, &report, &summary, &options, Vec::new())?;
    write_report(&folder, contests, &collected, &summary)?;
    Ok(summary)
}

fn results(disk: &MemoryDisk) -> Vec<Option<Vec<u8>>> {
    RESULTS.iter().map(|name| disk.live(&Path::new("runs/x").join(name))).collect()
}

/// A disk with the results of an undisturbed run; how many operations that took.
fn undisturbed(app: &App) -> (MemoryDisk, u64) {
    let disk = MemoryDisk::new();
    tournament(app, &disk).unwrap();
    let operations = disk.operations();
    assert!(operations > 30, "only {operations} operations");
    // All that a run leaves is on the disk when it has ended.
    let files = disk.files();
    disk.restart(Survival::Synced);
    assert_eq!(disk.files(), files);
    assert!(files.iter().all(|file| !file.to_string_lossy().ends_with(".new")), "{files:?}");
    assert!(files.iter().any(|file| file.ends_with("report.html")), "{files:?}");
    (disk, operations)
}

#[test]
fn every_operation_may_fail_and_the_run_goes_on_to_the_same_files() {
    let app = crate::contests::app();
    let (whole, operations) = undisturbed(&app);
    let expected = results(&whole);
    for number in 0..operations {
        for fault in [DiskFault::Once, DiskFault::Full] {
            let what = format!("{fault:?} at {number}");
            let disk = MemoryDisk::new();
            disk.fail_at(number, fault);
            if let Err(failure) = tournament(&app, &disk) {
                let failure = failure.to_string();
                assert!(failure.contains("runs") || failure.contains("report"), "{what}: {failure}");
            }
            disk.end_of_program();
            tournament(&app, &disk).unwrap_or_else(|failure| panic!("{what}: {failure}"));
            assert!(results(&disk) == expected, "{what}: other results");
        }
        // Each in turn, to be quick; the journal alone stands all of them at every operation in the tests of `arena`.
        let survivals = [Survival::Synced, Survival::Torn, Survival::Zeroed, Survival::OldNames];
        for survival in [number, number + 1].map(|turn| survivals[turn as usize % survivals.len()]) {
            let what = format!("{survival:?} after a loss of power at {number}");
            let disk = MemoryDisk::new();
            disk.fail_at(number, DiskFault::PowerLoss);
            assert!(tournament(&app, &disk).is_err(), "{what}");
            disk.restart(survival);
            tournament(&app, &disk).unwrap_or_else(|failure| panic!("{what}: {failure}"));
            assert!(results(&disk) == expected, "{what}: other results");
        }
    }
}

/// Flipped bits in any file: the run goes on to the same results, or says which settings are not those of the run; then the
/// journal's own count.
#[test]
fn flipped_bits_in_any_file_are_mended_or_named() {
    let app = crate::contests::app();
    let (whole, operations) = undisturbed(&app);
    let expected = results(&whole);
    let (mut mended, mut named) = (0, 0);
    for number in (0..operations).step_by(5) {
        for sector in 0..12 {
            let what = format!("power lost at {number}, bits flipped in sector {sector}");
            let disk = MemoryDisk::new();
            disk.fail_at(number, DiskFault::PowerLoss);
            let _ = tournament(&app, &disk);
            let Some(file) = disk.restart(Survival::FlippedBits(sector)) else { continue };
            mended += 1;
            if let Err(failure) = tournament(&app, &disk) {
                let failure = failure.to_string();
                assert!(file.ends_with("tournament.toml"), "{what} of {}: {failure}", file.display());
                assert!(failure.contains("tournament.toml"), "{what}: {failure}");
                named += 1;
                disk.end_of_program();
                disk.path(&file).remove().unwrap();
                tournament(&app, &disk).unwrap_or_else(|failure| panic!("{what}: {failure}"));
            }
            let found = results(&disk);
            for (name, (found, expected)) in RESULTS.iter().zip(found.iter().zip(&expected)) {
                // The settings are the user's file, and are left as they are.
                assert!(
                    *name == "tournament.toml" || found == expected,
                    "{what} of {}: {name}",
                    file.display()
                );
            }
        }
    }
    assert!(mended > 50, "{mended} mended, {named} named");
}
