//! The folder of a run: plan, settings, journal and results.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use arena::disk::DiskPath;
use arena::{
    Collected, Contest, Load, Machine, Plan, RatingChoice, RunOptions, RunReport, Summary, collect, plan_of,
};
use serde_json::Value;

use crate::program::Failure;
use crate::program::commands::tournament::{Prepared, Settings, anchor_of};

/// A run folder, there or to be made.
#[derive(Debug, Clone)]
pub(crate) struct RunFolder {
    place: DiskPath,
}

impl RunFolder {
    /// Where runs without a folder of their own go.
    pub(crate) const ALL: &str = "runs";

    pub(crate) fn at(place: impl Into<DiskPath>) -> RunFolder {
        RunFolder { place: place.into() }
    }

    /// The next free number below `parent`; the folder is made at once, so that no other run takes it.
    pub(crate) fn next(parent: &Path) -> Result<RunFolder, Failure> {
        let fail = Failure::cannot("make a run folder in", &parent);
        fs::create_dir_all(parent).map_err(fail)?;
        for number in 1_u32.. {
            let path = parent.join(format!("{number:03}"));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(RunFolder::at(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(fail(error)),
            }
        }
        Err(Failure::failed(format!("{} is full", parent.display())))
    }

    /// Removes the folder again if no game was begun in it.
    pub(crate) fn remove_unplayed(&self) {
        if self.has_games().is_ok_and(|has_games| !has_games) {
            // What is not there need not go, and a folder with anything else in it stays as it is.
            for name in ["plan.json", "tournament.toml"] {
                let _ = self.place.join(name).remove();
            }
            self.remove_if_empty();
        }
    }

    /// Removes the folder if nothing is in it.
    pub(crate) fn remove_if_empty(&self) {
        let _ = self.place.remove();
    }

    /// Whether there is a journal with something in it.
    pub(crate) fn has_games(&self) -> Result<bool, Failure> {
        let journal = self.journal();
        let length = journal
            .length()
            .map_err(|error| Failure::failed(format!("cannot look at {}: {error}", journal.display())))?;
        Ok(length.is_some_and(|length| length > 0))
    }

    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    /// A file of the folder.
    pub(crate) fn file(&self, name: &str) -> DiskPath {
        self.place.join(name)
    }

    pub(crate) fn journal(&self) -> DiskPath {
        self.file("journal.jsonl")
    }

    /// The journal, whether the folder or the journal itself was named.
    pub(crate) fn journal_of(&self) -> DiskPath {
        if self.place.is_folder() { self.journal() } else { self.place.clone() }
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.path().join("tournament.toml")
    }

    /// Makes the folder and writes plan and settings, unless a run is there already.
    pub(crate) fn create(&self, prepared: &Prepared) -> Result<(), Failure> {
        let exists = self.has_games()?;
        if exists && !prepared.settings.resume {
            let path = self.path().display();
            return Err(Failure::usage(format!(
                "{path} already holds a run; go on with --resume, or choose another folder"
            )));
        }
        if exists {
            self.must_hold(&prepared.plan)?;
            if self.plan().as_ref() != Some(&prepared.plan) {
                self.write_plan(&prepared.plan)?;
            }
            // What was lost comes back from the journal's first line, which the settings were taken from.
            if self.settings_text()?.is_none_or(|text| text.trim().is_empty()) {
                self.write("tournament.toml", &prepared.settings.kept_text()?)?;
            }
            return Ok(());
        }
        self.make()?;
        self.write_plan(&prepared.plan)?;
        self.write("tournament.toml", &prepared.settings.kept_text()?)
    }

    /// The plan of the run that is gone on with must be this one; if not, every setting that differs is named.
    fn must_hold(&self, plan: &Plan) -> Result<(), Failure> {
        // The journal's has a checksum.
        let kept = match plan_of(self.journal()) {
            Ok(kept) => kept,
            Err(error) => self.plan().ok_or_else(|| {
                Failure::usage(format!(
                    "{error}, and there is no plan.json: nothing tells which games its lines are"
                ))
            })?,
        };
        if kept == *plan {
            return Ok(());
        }
        let value = |plan| serde_json::to_value(plan).map_err(Failure::failed);
        let mut differences = Vec::new();
        collect_differences("", &value(&kept)?, &value(plan)?, &mut differences);
        Err(Failure::usage(format!(
            "the run in {} was begun with other settings and cannot go on with these:\n  {}\nif {} is damaged, remove it: the journal \
             keeps the settings of the run",
            self.path().display(),
            differences.join("\n  "),
            self.settings().display()
        )))
    }

    /// Makes the folder.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        let fail =
            |error| Failure::failed(format!("cannot make the folder {}: {error}", self.path().display()));
        // Its name is on the disk as well, or all in it would be lost with the power.
        self.place.make_folder().map_err(fail)
    }

    pub(crate) fn write_plan(&self, plan: &Plan) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(plan).map_err(Failure::failed)?;
        self.write("plan.json", &format!("{text}\n"))
    }

    /// What ratings are measured from by the run's settings.
    pub(crate) fn rating_choice(&self, plan: &Plan) -> Result<RatingChoice, Failure> {
        let name = self.settings().display().to_string();
        let settings = self.kept_settings()?.and_then(|text| Settings::of_text(name, text).ok());
        let settings = settings.unwrap_or_default();
        let anchor = settings.anchor.as_ref().map(super::commands::tournament::Given::text);
        let anchor = anchor_of(plan, anchor).map_err(Failure::usage)?;
        Ok(RatingChoice { anchor, no_faults: settings.no_faults })
    }

    /// The settings as the run keeps them: from `tournament.toml`, or where that is missing, empty or damaged from the first line
    /// of the journal.
    pub(crate) fn kept_settings(&self) -> Result<Option<String>, Failure> {
        let file = self.settings_text()?.filter(|text| !text.trim().is_empty());
        let is_readable = |text: &String| Settings::of_text(String::new(), text.clone()).is_ok();
        if let Some(text) = file.as_ref().filter(|text| is_readable(text)) {
            return Ok(Some(text.clone()));
        }
        let first = match self.journal_if_there()? {
            Some(journal) => arena::read_first_line(journal).map_err(Failure::failed)?,
            None => None,
        };
        // Whoever made the mistake by hand is told of it where the journal knows nothing.
        Ok(first.and_then(|(_, options)| options).or(file))
    }

    /// The journal of a run that is there.
    pub(crate) fn journal_if_there(&self) -> Result<Option<DiskPath>, Failure> {
        let journal = self.journal_of();
        let is_there = journal.is_file();
        let is_there = is_there
            .map_err(|error| Failure::failed(format!("cannot look at {}: {error}", journal.display())))?;
        Ok(is_there.then_some(journal))
    }

    /// The journal of a run that must be there.
    pub(crate) fn journal_there(&self) -> Result<DiskPath, Failure> {
        let holds_none = || Failure::usage(format!("{} holds no run", self.path().display()));
        self.journal_if_there()?.ok_or_else(holds_none)
    }

    /// What is in `tournament.toml`; `None` if it is missing or no text.
    fn settings_text(&self) -> Result<Option<String>, Failure> {
        let file = self.file("tournament.toml");
        match file.read_text() {
            Ok(text) => Ok(Some(text)),
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidData => Ok(None),
                _ => Err(Failure::failed(format!("cannot read {}: {error}", file.display()))),
            },
        }
    }

    /// The same where they can be read.
    pub(crate) fn readable_settings(&self) -> Result<Option<String>, Failure> {
        let kept = self.kept_settings()?;
        Ok(kept.filter(|text| Settings::of_text(String::new(), text.clone()).is_ok()))
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.file(name);
        path.write_whole(text.as_bytes()).map_err(Failure::cannot("write", path.path()))
    }

    /// Writes everything that comes out of a run.
    pub(crate) fn write_results(
        &self,
        plan: &Plan,
        report: &RunReport,
        summary: &Summary,
        options: &RunOptions,
        loads: Vec<Load>,
    ) -> Result<(), Failure> {
        self.write_summary(summary)?;
        let machine = Machine { loads, ..Machine::here(env!("BUILD_COMPILER"), env!("CARGO_PKG_VERSION")) };
        self.write("timings.json", &report.timings(plan, options, &machine).map_err(Failure::failed)?)
    }

    /// Writes `summary.json` and `standings.csv`.
    pub(crate) fn write_summary(&self, summary: &Summary) -> Result<(), Failure> {
        self.write("summary.json", &summary.json())?;
        self.write("standings.csv", &summary.csv().map_err(Failure::failed)?)
    }

    /// The plan of a run that is there.
    pub(crate) fn plan(&self) -> Option<Plan> {
        let text = self.file("plan.json").read_text().ok()?;
        serde_json::from_str(&text).ok()
    }

    /// The plan of a run that is there, from the journal if `plan.json` is not beside it.
    pub(crate) fn plan_of_journal(&self) -> Result<Plan, Failure> {
        let journal = self.journal_there()?;
        plan_of(&journal).or_else(|error| self.plan().ok_or(error)).map_err(Failure::failed)
    }

    /// The results of a run that is there, every game checked by the rules of these events; with none, unchecked.
    pub(crate) fn collect(&self, plan: &Plan, contests: &[Box<dyn Contest>]) -> Result<Collected, Failure> {
        let collected = collect(self.journal_of(), plan, contests).map_err(Failure::failed)?;
        for problem in &collected.problems {
            errln!("journal: {problem}");
        }
        Ok(collected)
    }
}

#[cfg(test)]
mod faults;

/// Every value in which two plans differ, by the name it has in `plan.json`; what has a name stands under it.
fn collect_differences(path: &str, kept: &Value, now: &Value, found: &mut Vec<String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (kept, now) {
        _ if kept == now => {}
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                collect_differences(&below(key), value, new.get(key).unwrap_or(&Value::Null), found);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (number, (value, other)) in old.iter().zip(new).enumerate() {
                let name = value.get("name").and_then(Value::as_str);
                let name = name.map_or_else(|| number.to_string(), str::to_owned);
                collect_differences(&below(&name), value, other, found);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            let names = |list: &[Value]| {
                let name = |value: &Value| value.get("name").unwrap_or(value).to_string();
                list.iter().map(name).collect::<Vec<_>>().join(", ")
            };
            found.push(format!("{path}: {} in the run, {} now", names(old), names(new)));
        }
        _ if path.ends_with("fingerprint") => {
            found.push(format!("{path}: the bot has changed since ({kept} in the run, {now} now)"));
        }
        _ => found.push(format!("{path}: {kept} in the run, {now} now")),
    }
}
