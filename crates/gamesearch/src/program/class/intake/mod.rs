//! Submissions: seen, copied whole, built, examined, and taken in or answered with what is wrong.

mod copy;
mod exam;
mod git;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use arena::{Contest, Digest, shown_lines};

use super::home::{self, Home};
use super::roster::{Entry, Judgement, Note, Roster, display_name, short_name};
use super::settings::{Language, Settings};
use super::time;
use crate::program::Failure;

pub(crate) use exam::Examiner;

/// A submission that was copied and is to be judged.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// The short name of its team.
    pub(crate) team: String,
    name: String,
    token: String,
    /// Where its copy is, or why there is none.
    copy: Result<PathBuf, String>,
}

/// What is known of the submissions from earlier looks.
#[derive(Debug, Default)]
pub(crate) struct Intake {
    /// For each team the look of the submission that was copied last.
    taken: BTreeMap<String, String>,
}

/// One look at the submissions.
#[derive(Debug, Default)]
pub(crate) struct Look {
    pub(crate) candidates: Vec<Candidate>,
    /// Submissions that are still being written.
    pub(crate) unsettled: usize,
}

/// Folders of this name and hidden ones are no part of a submission.
const CACHE: &str = "__pycache__";

impl Intake {
    /// Removes what a run that was killed has left half done.
    pub(crate) fn new(home: &Home) -> Intake {
        let mut half: Vec<PathBuf> = Vec::new();
        let below = |folder: &Path| -> Vec<PathBuf> {
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
        };
        half.extend(below(&home.at("store/incoming")));
        for team in below(&home.entries()) {
            half.extend(
                below(&team).into_iter().filter(|path| path.extension().is_some_and(|end| end == "new")),
            );
        }
        for path in half {
            // What cannot be removed now does no harm.
            let _ = fs::remove_dir_all(path);
        }
        Intake::default()
    }

    /// Looks for submissions that are new and have not changed for a while; each is copied.
    pub(crate) fn look(
        &mut self,
        home: &Home,
        settings: &Settings,
        roster: &Roster,
    ) -> Result<Look, Failure> {
        let mut look = Look::default();
        if !settings.schedule.is_open(time::now()) {
            return Ok(look);
        }
        if let Some(repository) = &settings.submissions.git {
            let teams = git::fetch(home, &settings.submissions, repository.text())?;
            for (name, tree) in teams {
                let team = short_name(&name);
                if self.taken.get(&team) == Some(&tree.id) {
                    continue;
                }
                let place = incoming(home, &team)?;
                let copied = git::check_out(home, &tree, &place)
                    .and_then(|()| copied(home, settings, &team, &place.join("checkout")));
                self.taken.insert(team.clone(), tree.id);
                look.candidates.extend(candidate(roster, settings, team, &name, copied));
            }
            return Ok(look);
        }
        let folder = home.at(settings.submissions.folder.as_deref().unwrap_or(Path::new("submissions")));
        let entries = fs::read_dir(&folder).map_err(Failure::cannot("read the submissions in", &folder))?;
        let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        folders.sort();
        for path in folders {
            let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else {
                continue;
            };
            if name.starts_with('.') || !fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
                continue;
            }
            let team = short_name(&name);
            let sight = copy::look_at(&path, settings.submissions.files);
            if self.taken.get(&team) == Some(&sight.signature) {
                continue;
            }
            let age = SystemTime::now().duration_since(sight.newest).unwrap_or_default();
            if age < settings.settle() {
                look.unsettled += 1;
                continue;
            }
            let copied = copied(home, settings, &team, &path);
            if copy::look_at(&path, settings.submissions.files).signature != sight.signature {
                look.unsettled += 1;
                continue;
            }
            self.taken.insert(team.clone(), sight.signature);
            look.candidates.extend(candidate(roster, settings, team, &name, copied));
        }
        Ok(look)
    }
}

/// Copies a submission; its digest and where the copy is.
fn copied(home: &Home, settings: &Settings, team: &str, from: &Path) -> Result<(String, PathBuf), String> {
    let to = incoming(home, team).map_err(|error| error.to_string())?.join("bot");
    let limits =
        copy::Limits { bytes: settings.submissions.largest << 20, files: settings.submissions.files };
    copy::copy(from, &to, limits).map(|digest| (digest, to))
}

/// An empty folder for what comes from a team. A checkout from git lies in it beside the copy.
fn incoming(home: &Home, team: &str) -> Result<PathBuf, Failure> {
    let place = home.at("store/incoming").join(team);
    // What stands there is of an earlier, unfinished look.
    let _ = fs::remove_dir_all(place.join("bot"));
    home::make(&place)?;
    Ok(place)
}

/// What was copied, if it has not been judged yet.
fn candidate(
    roster: &Roster,
    settings: &Settings,
    team: String,
    name: &str,
    copied: Result<(String, PathBuf), String>,
) -> Option<Candidate> {
    let (digest, copy) = match copied {
        Ok((digest, path)) => (digest, Ok(path)),
        Err(problem) => (problem.clone(), Err(problem)),
    };
    // Another build command makes another bot of the same files.
    let mut parts = vec![digest];
    for language in &settings.languages {
        parts.push(language.file.text().to_owned());
        parts.push(language.build.clone().unwrap_or_default());
        parts.push(language.run.text().to_owned());
    }
    let token = Digest::of(&parts).to_string();
    let known = roster.teams.get(&team).and_then(|team| team.judged.as_ref());
    let new = known.is_none_or(|judged| judged.token != token);
    new.then(|| Candidate { team, name: display_name(name), token, copy })
}

/// A judged submission: what the roster is to say of it.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) team: String,
    pub(crate) name: String,
    pub(crate) judgement: Judgement,
    pub(crate) entry: Option<Entry>,
}

/// Builds and examines a submission, and keeps it if it is good.
pub(crate) fn judge(
    home: &Home,
    settings: &Settings,
    examiner: &Examiner<'_>,
    contest: &dyn Contest,
    candidate: Candidate,
) -> Result<Judged, Failure> {
    let Candidate { team, name, token, copy } = candidate;
    let mut findings = Vec::new();
    let entry = match copy {
        Err(problem) => {
            findings.push(Note::wrong("can be taken in", problem));
            None
        }
        Ok(copy) => {
            let folder = home.entries().join(&team);
            let (new, kept) = (folder.join(format!("{}.new", &token[..16])), folder.join(&token[..16]));
            let _ = fs::remove_dir_all(&new);
            home::make(&new)?;
            let fail = Failure::cannot("move", &copy);
            fs::rename(&copy, new.join("bot")).map_err(fail)?;
            let built = built(home, settings, examiner, &new, &mut findings);
            match built {
                None => {
                    let _ = fs::remove_dir_all(&new);
                    None
                }
                Some(language) => {
                    // A kill between an earlier rename and the note of it leaves a whole folder without an entry.
                    let _ = fs::remove_dir_all(&kept);
                    fs::rename(&new, &kept).map_err(fail)?;
                    home::sync_folder(&folder)?;
                    let spec = spec_of(examiner, language, &kept.join("bot"));
                    let good = examiner.examine(settings, &spec, &mut findings)?;
                    let start_only = if good { contest.check_bot(&spec) } else { Ok(false) };
                    match (good, start_only) {
                        (true, Ok(start_only)) => Some(Entry {
                            id: format!("{team}@{}", &token[..8]),
                            token: token.clone(),
                            language: language.name.clone(),
                            spec,
                            start_only,
                            since: time::now(),
                            out: None,
                        }),
                        (_, other) => {
                            if let Err(problem) = other {
                                findings.push(Note::wrong("starts again", shown_lines(&problem)));
                            }
                            let _ = fs::remove_dir_all(&kept);
                            None
                        }
                    }
                }
            }
        }
    };
    let _ = fs::remove_dir_all(home.at("store/incoming").join(&team));
    let judgement = Judgement { token, at: time::now(), accepted: entry.is_some(), findings };
    Ok(Judged { team, name, judgement, entry })
}

/// Finds the language of a submission and builds it; nothing if it cannot be built.
fn built<'a>(
    home: &Home,
    settings: &'a Settings,
    examiner: &Examiner<'_>,
    folder: &Path,
    findings: &mut Vec<Note>,
) -> Option<&'a Language> {
    let bot = folder.join("bot");
    let fitting = |language: &&Language| bot.join(language.file.text()).is_file();
    let Some(language) = settings.languages.iter().find(fitting) else {
        let files: Vec<String> = settings
            .languages
            .iter()
            .map(|language| format!("`{}` ({})", language.file.text(), language.name))
            .collect();
        let problem = format!("expected one of these files in the folder: {}", files.join(", "));
        findings.push(Note::wrong("is in a language of this class", problem));
        return None;
    };
    let fine = |check: &str, text: String| Note { verdict: "fine".to_owned(), check: check.to_owned(), text };
    findings.push(fine("is in a language of this class", language.name.clone()));
    if let Some(command) = &language.build {
        match examiner.build(home, settings, language, command, &bot) {
            Ok(said) => findings.push(fine("can be built", said)),
            Err(problem) => {
                findings.push(Note::wrong("can be built", problem));
                return None;
            }
        }
    }
    Some(language)
}

/// The spec string of a bot in its folder.
fn spec_of(examiner: &Examiner<'_>, language: &Language, folder: &Path) -> String {
    let run = language.run.text();
    let kind = run.split(':').next().unwrap_or_default();
    // What follows is split as a shell does, but for adapters that take one path.
    let path = folder.display().to_string();
    let one_path = examiner
        .adapters
        .iter()
        .any(|adapter| adapter.name == kind && !matches!(adapter.takes, arena::Takes::Command));
    let quoted = if one_path || !path.contains([' ', '\'', '"', '\\', '$', '`', '*', '(', ')', '&', ';']) {
        path
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    };
    run.replace("{folder}", &quoted)
}

/// Removes the folders of entries that play no more.
pub(crate) fn forget(home: &Home, roster: &Roster) {
    for (team, known) in &roster.teams {
        let kept = known.entry.as_ref().map(|entry| entry.token[..16].to_owned());
        for path in fs::read_dir(home.entries().join(team)).into_iter().flatten().flatten() {
            let name = path.file_name().to_string_lossy().into_owned();
            if kept.as_ref() != Some(&name) && path.path().extension().is_none() {
                // What is still in use goes at the next start.
                let _ = fs::remove_dir_all(path.path());
            }
        }
    }
}
