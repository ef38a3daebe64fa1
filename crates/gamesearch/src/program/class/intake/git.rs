//! Submissions from a git repository, fetched by calling `git`.
//!
//! Another machine may take as long as it likes to answer, so the repository is fetched in a thread of its own, and git is
//! killed when it has taken too long.

use std::fs;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use arena::shown_lines;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::program::Failure;
use crate::program::class::home::Home;
use crate::program::class::settings::{Submissions, Teams};

/// So long may one call of git take.
const LIMIT: Duration = Duration::from_mins(1);
/// Between two looks whether it has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// A tree of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree {
    pub(super) id: String,
    /// Where a later commit came too late: when the last one was made that is in time.
    pub(super) instead: Option<u64>,
}

/// What a look at a repository found: the teams with the trees of their submissions, none for one that has only late ones.
pub(super) type Trees = Vec<(String, Option<Tree>)>;

/// How long git may take.
#[derive(Debug, Clone)]
struct Patience {
    limit: Duration,
    /// Raised when nobody waits for the answer any more.
    stop: Arc<AtomicBool>,
}

impl Patience {
    fn new(limit: Duration) -> Patience {
        Patience { limit, stop: Arc::default() }
    }
}

fn mirror(home: &Home) -> PathBuf {
    home.at("store/git")
}

/// Runs git in a folder with its index elsewhere; what it printed. Nothing that comes from the repository is run, and
/// nothing is asked.
fn git(arguments: &[&str], elsewhere: Option<(&Path, &Path)>, patience: &Patience) -> Result<String, String> {
    let mut command = Command::new("git");
    command
        .args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "core.symlinks=false",
            "-c",
            "protocol.ext.allow=never",
        ])
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        // Its helpers are killed with it.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some((folder, index)) = elsewhere {
        command.current_dir(folder).env("GIT_INDEX_FILE", index);
    }
    let mut child = command.spawn().map_err(|error| format!("git cannot be started: {error}"))?;
    let (output, errors) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let begun = Instant::now();
    let status = wait(&mut child, begun, patience)?;
    // A helper that stays in the background may hold the streams for ever.
    let rest = patience.limit.saturating_sub(begun.elapsed());
    if status.success() {
        let output = output.recv_timeout(rest).map_err(|_| too_long(patience))?;
        return Ok(String::from_utf8_lossy(&output).into_owned());
    }
    let errors = errors.recv_timeout(rest.min(Duration::from_secs(1))).unwrap_or_default();
    Err(format!("git: {}", shown_lines(String::from_utf8_lossy(&errors).trim())))
}

fn too_long(patience: &Patience) -> String {
    format!("git did not end within {} s and was killed", patience.limit.as_secs_f64())
}

/// Waits for the end of git, and kills it with its helpers where that takes too long.
fn wait(child: &mut Child, begun: Instant, patience: &Patience) -> Result<ExitStatus, String> {
    loop {
        if let Some(status) = child.try_wait().map_err(|error| format!("git: {error}"))? {
            return Ok(status);
        }
        let stopped = patience.stop.load(Ordering::SeqCst);
        if stopped || begun.elapsed() >= patience.limit {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                // It may have ended this moment.
                let _ = kill_process_group(group, Signal::KILL);
            }
            let _ = child.wait();
            return Err(if stopped { "the class ended meanwhile".to_owned() } else { too_long(patience) });
        }
        thread::sleep(PAUSE);
    }
}

/// Reads a stream to its end in a thread of its own.
fn reader<R: Read + Send + 'static>(stream: Option<R>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream.map_or(Ok(0), |mut stream| stream.read_to_end(&mut bytes));
        // What could not be read is as if it had not been written, and nobody may wait for it.
        let _ = read.map_err(io::Error::other).map(|_| sender.send(bytes));
    });
    receiver
}

/// A repository that is being fetched.
#[derive(Debug)]
pub(super) struct Fetching {
    thread: Option<JoinHandle<Result<Trees, String>>>,
    repository: String,
    stop: Arc<AtomicBool>,
}

impl Fetching {
    /// Begins to fetch. Of what was committed at `closes`, in seconds since 1970, or later, nothing counts.
    pub(super) fn begin(
        home: &Home,
        settings: &Submissions,
        repository: &str,
        closes: Option<u64>,
    ) -> Fetching {
        let patience = Patience::new(LIMIT);
        let stop = Arc::clone(&patience.stop);
        // A path is meant from the folder of the class.
        let local = home.at(repository);
        let from = if local.exists() { local.display().to_string() } else { repository.to_owned() };
        let (mirror, settings) = (mirror(home), settings.clone());
        let work = move || fetch(&mirror, &settings, &from, closes, &patience);
        Fetching { thread: Some(thread::spawn(work)), repository: repository.to_owned(), stop }
    }

    pub(super) fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the end; what was found.
    pub(super) fn finish(mut self) -> Result<Trees, Failure> {
        let joined = self.thread.take().map(JoinHandle::join);
        let found = joined.and_then(Result::ok).unwrap_or_else(|| Err("it could not be fetched".to_owned()));
        found.map_err(|error| Failure::failed(format!("the submissions in {}: {error}", self.repository)))
    }
}

impl Drop for Fetching {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // What it found nobody wants to know any more.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Fetches the repository; the teams with the trees of their submissions.
fn fetch(
    mirror: &Path,
    settings: &Submissions,
    from: &str,
    closes: Option<u64>,
    patience: &Patience,
) -> Result<Trees, String> {
    let place = mirror.display().to_string();
    let at = format!("--git-dir={place}");
    let git = |arguments: &[&str]| git(arguments, None, patience);
    if !mirror.join("HEAD").is_file() {
        git(&["init", "--quiet", "--bare", "--", &place])?;
    }
    git(&[
        &at,
        "fetch",
        "--quiet",
        "--prune",
        "--no-tags",
        "--no-recurse-submodules",
        "--",
        from,
        "+refs/heads/*:refs/heads/*",
    ])?;
    // The commit of a branch that counts, and its time if a later one came too late.
    let commit = |branch: &str, time: u64| -> Result<Option<(String, Option<u64>)>, String> {
        let Some(closes) = closes.filter(|&closes| time >= closes) else {
            return Ok(Some((branch.to_owned(), None)));
        };
        let before = format!("--min-age={}", closes.saturating_sub(1));
        let found = git(&[&at, "rev-list", "--max-count=1", "--timestamp", &before, branch, "--"])?;
        let in_time = found.trim().split_once(' ');
        Ok(in_time.and_then(|(time, id)| Some((id.to_owned(), Some(time.parse().ok()?)))))
    };
    let refs =
        |pattern: &str| git(&[&at, "for-each-ref", "--format=%(committerdate:unix) %(refname)", pattern]);
    match settings.teams {
        Teams::Branches => {
            let mut trees = Vec::new();
            for line in refs("refs/heads")?.lines() {
                let Some((time, branch)) = line.split_once(' ') else { continue };
                let name = branch.trim_start_matches("refs/heads/");
                if Some(name) == settings.branch.as_deref() {
                    continue;
                }
                let tree = match commit(branch, time.parse().unwrap_or(0))? {
                    None => None,
                    Some((commit, instead)) => {
                        let id =
                            git(&[&at, "rev-parse", "--verify", "--quiet", &format!("{commit}^{{tree}}")])?;
                        Some(Tree { id: id.trim().to_owned(), instead })
                    }
                };
                trees.push((name.to_owned(), tree));
            }
            Ok(trees)
        }
        Teams::Folders => {
            let name = settings.branch.as_deref().unwrap_or("main");
            let branch = format!("refs/heads/{name}");
            let time = refs(&branch)?.split_once(' ').and_then(|(time, _)| time.parse().ok()).unwrap_or(0);
            let Some((commit, instead)) = commit(&branch, time)? else { return Ok(Vec::new()) };
            let text = git(&[&at, "ls-tree", "-d", "-z", &commit])?;
            let entry = |entry: &str| {
                let (about, name) = entry.split_once('\t')?;
                let id = about.split(' ').next_back()?.to_owned();
                (!name.starts_with('.')).then(|| (name.to_owned(), Some(Tree { id, instead })))
            };
            Ok(text.split('\0').filter_map(entry).collect())
        }
    }
}

/// Writes the files of a tree into `checkout` below `place`. Links become plain files.
pub(super) fn check_out(home: &Home, tree: &Tree, place: &Path) -> Result<(), String> {
    let folder = place.join("checkout");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let at = format!("--git-dir={}", mirror(home).display());
    let work = format!("--work-tree={}", folder.display());
    let arguments = [at.as_str(), &work, "read-tree", "--reset", "-u", &tree.id];
    git(&arguments, Some((&folder, &place.join("index"))), &Patience::new(LIMIT)).map(drop)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_repository_that_never_answers_is_given_up() {
        if Command::new("git").arg("--version").output().is_err() {
            return;
        }
        // The system takes the connection, and nobody ever says a word.
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = format!("git://127.0.0.1:{}/class.git", listener.local_addr().unwrap().port());
        let begun = Instant::now();
        let patience = Patience::new(Duration::from_secs(1));
        let error = git(&["ls-remote", "--", &address], None, &patience).unwrap_err();
        assert_eq!(error, "git did not end within 1 s and was killed");
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());

        // The end of the class waits for nobody.
        let patience = Patience::new(LIMIT);
        patience.stop.store(true, Ordering::SeqCst);
        let error = git(&["ls-remote", "--", &address], None, &patience).unwrap_err();
        assert_eq!(error, "the class ended meanwhile");
    }

    #[test]
    fn what_was_committed_after_the_end_does_not_count() {
        if Command::new("git").arg("--version").output().is_err() {
            return;
        }
        let root = tempfile::tempdir().unwrap();
        let repository = root.path().join("class");
        fs::create_dir_all(repository.join("one")).unwrap();
        let run = |time: u64, arguments: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(&repository).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
            let date = format!("@{time} +0000");
            command.env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date).args(arguments);
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        run(0, &["init", "--quiet", "--initial-branch=main"]);
        for (time, text) in [(1000, "early"), (2000, "in time"), (3000, "late")] {
            fs::write(repository.join("one/bot.py"), text).unwrap();
            run(time, &["add", "."]);
            run(time, &["commit", "--quiet", "-m", text]);
        }
        let mirror = root.path().join("mirror");
        let submissions = |teams: &str| -> Submissions {
            toml::from_str(&format!("git = \"x\"\nteams = \"{teams}\"")).unwrap()
        };
        let from = repository.display().to_string();
        let file = |teams: &str, closes: Option<u64>| {
            let found = fetch(&mirror, &submissions(teams), &from, closes, &Patience::new(LIMIT)).unwrap();
            let [(_, tree)] = found.as_slice() else { return None };
            let tree = tree.as_ref()?;
            let name = if teams == "folders" { "bot.py" } else { "one/bot.py" };
            let at = format!("--git-dir={}", mirror.display());
            let place = format!("{}:{name}", tree.id);
            let text = git(&[&at, "show", &place], None, &Patience::new(LIMIT)).unwrap();
            Some((text, tree.instead))
        };
        for teams in ["folders", "branches"] {
            assert_eq!(file(teams, None), Some(("late".to_owned(), None)));
            assert_eq!(file(teams, Some(3001)), Some(("late".to_owned(), None)));
            assert_eq!(file(teams, Some(3000)), Some(("in time".to_owned(), Some(2000))));
            assert_eq!(file(teams, Some(2000)), Some(("early".to_owned(), Some(1000))));
            assert_eq!(file(teams, Some(1000)), None, "{teams}");
        }
    }
}
