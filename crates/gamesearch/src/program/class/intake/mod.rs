//! Submissions: seen, copied whole, built, examined, and taken in or answered with what is wrong.

mod copy;
mod exam;
mod git;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
    /// A folder of its own, in which its copy is, or why there is none.
    copy: Result<PathBuf, String>,
}

/// What is known of the submissions from earlier looks.
#[derive(Debug, Default)]
pub(crate) struct Intake {
    /// For each team the look of the submission that was copied last.
    taken: BTreeMap<String, String>,
    /// The copies so far: each has a folder of its own, for an earlier one may still be waiting.
    copies: u64,
    fetching: Option<git::Fetching>,
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
            remove(&path);
        }
        Intake::default()
    }

    /// Whether the answer of another machine is there, for which nobody has looked yet.
    pub(crate) fn has_news(&self) -> bool {
        self.fetching.as_ref().is_some_and(git::Fetching::is_over)
    }

    /// Looks for submissions that are new and have not changed for a while; each is copied. Of a team in `judging` nothing is
    /// taken until its turn is over. `None` while another machine has not answered.
    pub(crate) fn look(
        &mut self,
        home: &Home,
        settings: &Settings,
        roster: &Roster,
        judging: &BTreeSet<String>,
    ) -> Result<Option<Look>, Failure> {
        if !settings.schedule.has_begun(time::now()) {
            return Ok(Some(Look::default()));
        }
        let Some(repository) = &settings.submissions.git else {
            return self.look_at_folders(home, settings, roster, judging).map(Some);
        };
        match self.fetching.take() {
            Some(fetching) if fetching.is_over() => {
                let trees = fetching.finish()?;
                self.look_at_trees(home, settings, roster, judging, trees).map(Some)
            }
            under_way => {
                let closes = settings.schedule.closes();
                let begin = || git::Fetching::begin(home, &settings.submissions, repository.text(), closes);
                self.fetching = Some(under_way.unwrap_or_else(begin));
                Ok(None)
            }
        }
    }

    fn look_at_trees(
        &mut self,
        home: &Home,
        settings: &Settings,
        roster: &Roster,
        judging: &BTreeSet<String>,
        trees: git::Trees,
    ) -> Result<Look, Failure> {
        let mut look = Look::default();
        for (name, tree) in trees {
            let team = short_name(&name);
            let id = tree.as_ref().map_or("late", |tree| tree.id.as_str()).to_owned();
            if self.taken.get(&team) == Some(&id) {
                continue;
            }
            if judging.contains(&team) {
                look.unsettled += 1;
                continue;
            }
            self.taken.insert(team.clone(), id);
            let Some(tree) = tree else {
                tell_late(&team);
                continue;
            };
            if let Some(committed) = tree.instead {
                tell_late(&team);
                // A clock that is fast is nobody's fault: what was taken while the class was open is not taken back.
                let judged = roster.teams.get(&team).and_then(|team| team.judged.as_ref());
                if judged.is_some_and(|judged| judged.at > committed) {
                    continue;
                }
            }
            let place = self.incoming(home, &team)?;
            let copied = git::check_out(home, &tree, &place)
                .and_then(|()| copied(settings, &place, &place.join("checkout")));
            look.candidates.extend(candidate(roster, settings, team, &name, &place, copied));
        }
        Ok(look)
    }

    fn look_at_folders(
        &mut self,
        home: &Home,
        settings: &Settings,
        roster: &Roster,
        judging: &BTreeSet<String>,
    ) -> Result<Look, Failure> {
        let mut look = Look::default();
        let closes = settings.schedule.closes().map(|closes| UNIX_EPOCH + Duration::from_secs(closes));
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
            // What was handed in decides, not when somebody looks.
            if closes.is_some_and(|closes| sight.newest >= closes) {
                tell_late(&team);
                self.taken.insert(team, sight.signature);
                continue;
            }
            let age = SystemTime::now().duration_since(sight.newest).unwrap_or_default();
            if age < settings.settle() || judging.contains(&team) {
                look.unsettled += 1;
                continue;
            }
            let place = self.incoming(home, &team)?;
            let copied = copied(settings, &place, &path);
            if copy::look_at(&path, settings.submissions.files).signature != sight.signature {
                remove(&place);
                look.unsettled += 1;
                continue;
            }
            self.taken.insert(team.clone(), sight.signature);
            look.candidates.extend(candidate(roster, settings, team, &name, &place, copied));
        }
        Ok(look)
    }

    /// An empty folder for what comes from a team. A checkout from git lies in it beside the copy.
    fn incoming(&mut self, home: &Home, team: &str) -> Result<PathBuf, Failure> {
        self.copies += 1;
        let place = home.at("store/incoming").join(format!("{team}.{}", self.copies));
        // An earlier run may have left one of this number.
        remove(&place);
        home::make(&place)?;
        Ok(place)
    }
}

fn tell_late(team: &str) {
    errln!("{team}: what changed after the submissions closed is not taken");
}

/// Removes a folder of what came in; what cannot go now goes at the next start.
fn remove(place: &Path) {
    let _ = fs::remove_dir_all(place);
}

/// Copies a submission to `place`; its digest.
fn copied(settings: &Settings, place: &Path, from: &Path) -> Result<String, String> {
    let limits =
        copy::Limits { bytes: settings.submissions.largest << 20, files: settings.submissions.files };
    copy::copy(from, &place.join("bot"), limits)
}

/// What was copied, if it has not been judged yet.
fn candidate(
    roster: &Roster,
    settings: &Settings,
    team: String,
    name: &str,
    place: &Path,
    copied: Result<String, String>,
) -> Option<Candidate> {
    let (digest, copy) = match copied {
        Ok(digest) => (digest, Ok(place.to_owned())),
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
    if !new || copy.is_err() {
        remove(place);
    }
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
        Ok(place) => {
            let folder = home.entries().join(&team);
            let (new, kept) = (folder.join(format!("{}.new", &token[..16])), folder.join(&token[..16]));
            let _ = fs::remove_dir_all(&new);
            home::make(&new)?;
            let fail = Failure::cannot("move", &place);
            fs::rename(place.join("bot"), new.join("bot")).map_err(fail)?;
            remove(&place);
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

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn class(root: &Path) -> (Home, Settings) {
        let text = r#"
            game = "hus"
            [submissions]
            folder = "submissions"
            settle = "1ms"
            [[language]]
            name = "Python"
            file = "bot.py"
            run = "ugi:python3 {folder}/bot.py"
        "#;
        (Home::open(root).unwrap(), toml::from_str(text).unwrap())
    }

    /// Hands in, and waits until it counts as whole.
    fn hand_in(root: &Path, team: &str, contents: &str) {
        let folder = root.join("submissions").join(team);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("bot.py"), contents).unwrap();
        thread::sleep(Duration::from_millis(20));
    }

    fn teams(look: Option<Look>) -> Vec<String> {
        look.unwrap().candidates.into_iter().map(|candidate| candidate.team).collect()
    }

    #[test]
    fn a_submission_waits_for_the_earlier_one_of_its_team() {
        let root = tempfile::tempdir().unwrap();
        let (home, settings) = class(root.path());
        let mut intake = Intake::new(&home);
        let roster = Roster::default();
        let mut look = |judging: &[&str]| {
            let judging = judging.iter().map(ToString::to_string).collect();
            intake.look(&home, &settings, &roster, &judging).unwrap().unwrap()
        };
        hand_in(root.path(), "alpha", "one");
        let mut first = look(&[]).candidates;
        hand_in(root.path(), "alpha", "two");
        let meanwhile = look(&["alpha"]);
        assert!(meanwhile.candidates.is_empty());
        assert_eq!(meanwhile.unsettled, 1, "it is not forgotten");
        let mut second = look(&[]).candidates;
        assert!(look(&[]).candidates.is_empty());
        let (first, second) = (first.remove(0), second.remove(0));
        let text =
            |candidate: &Candidate| fs::read_to_string(candidate.copy.clone().unwrap().join("bot/bot.py"));
        assert_eq!((text(&first).unwrap(), text(&second).unwrap()), ("one".to_owned(), "two".to_owned()));
        assert_ne!(first.token, second.token);
    }

    #[test]
    fn what_was_handed_in_in_time_is_taken_after_the_end() {
        let root = tempfile::tempdir().unwrap();
        let (home, mut settings) = class(root.path());
        hand_in(root.path(), "in-time", "one");
        // The next whole second, however slow the machine is.
        let closes = time::now() + 1;
        let minute = time::text(closes);
        let text = format!("{}T{}:{:02}Z", &minute[..10], &minute[11..16], closes % 60);
        settings.schedule.closes = Some(text.parse().unwrap());
        while time::now() < closes {
            thread::sleep(Duration::from_millis(20));
        }
        hand_in(root.path(), "late", "one");
        let mut intake = Intake::new(&home);
        let roster = Roster::default();
        let mut look = || intake.look(&home, &settings, &roster, &BTreeSet::new()).unwrap();
        assert_eq!(teams(look()), ["in-time"]);
        hand_in(root.path(), "in-time", "two");
        assert_eq!(teams(look()), Vec::<String>::new());
    }

    #[test]
    fn nothing_is_taken_before_the_beginning() {
        let root = tempfile::tempdir().unwrap();
        let (home, mut settings) = class(root.path());
        hand_in(root.path(), "early", "one");
        let mut intake = Intake::new(&home);
        for (opens, expected) in [("9999-01-01T00:00:00Z", vec![]), ("2020-01-01T00:00:00Z", vec!["early"])] {
            settings.schedule.opens = Some(opens.parse().unwrap());
            let look = intake.look(&home, &settings, &Roster::default(), &BTreeSet::new()).unwrap();
            assert_eq!(teams(look), expected);
        }
    }
}
