//! Submissions from a git repository, fetched by calling `git`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arena::shown_lines;

use crate::program::Failure;
use crate::program::class::home::Home;
use crate::program::class::settings::{Submissions, Teams};

/// A tree of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree {
    pub(super) id: String,
}

fn mirror(home: &Home) -> PathBuf {
    home.at("store/git")
}

/// Runs git; what it printed. Nothing that comes from the repository is run, and nothing is asked.
fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
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
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("git cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("git: {}", shown_lines(String::from_utf8_lossy(&output.stderr).trim())))
}

/// Fetches the repository; the teams with the trees of their submissions.
pub(super) fn fetch(
    home: &Home,
    settings: &Submissions,
    repository: &str,
) -> Result<Vec<(String, Tree)>, Failure> {
    let failed = |error: String| Failure::failed(format!("the submissions in {repository}: {error}"));
    let place = mirror(home).display().to_string();
    let at = format!("--git-dir={place}");
    // A path is meant from the folder of the class.
    let local = home.at(repository);
    let from = if local.exists() { local.display().to_string() } else { repository.to_owned() };
    if !mirror(home).join("HEAD").is_file() {
        git(&["init", "--quiet", "--bare", "--", &place]).map_err(failed)?;
    }
    git(&[
        &at,
        "fetch",
        "--quiet",
        "--prune",
        "--no-tags",
        "--no-recurse-submodules",
        "--",
        &from,
        "+refs/heads/*:refs/heads/*",
    ])
    .map_err(failed)?;
    let trees = match settings.teams {
        Teams::Branches => {
            let text = git(&[&at, "for-each-ref", "--format=%(tree) %(refname:lstrip=2)", "refs/heads"])
                .map_err(failed)?;
            let hidden = settings.branch.as_deref();
            let line = |line: &str| {
                let (id, name) = line.split_once(' ')?;
                (Some(name) != hidden).then(|| (name.to_owned(), Tree { id: id.to_owned() }))
            };
            text.lines().filter_map(line).collect()
        }
        Teams::Folders => {
            let branch = settings.branch.as_deref().unwrap_or("main");
            let branch = format!("refs/heads/{branch}");
            let text = git(&[&at, "ls-tree", "-d", "-z", &branch]).map_err(failed)?;
            let entry = |entry: &str| {
                let (about, name) = entry.split_once('\t')?;
                let id = about.split(' ').next_back()?;
                (!name.starts_with('.')).then(|| (name.to_owned(), Tree { id: id.to_owned() }))
            };
            text.split('\0').filter_map(entry).collect()
        }
    };
    Ok(trees)
}

/// Writes the files of a tree into `checkout` below `place`. Links become plain files.
pub(super) fn check_out(home: &Home, tree: &Tree, place: &Path) -> Result<(), String> {
    let folder = place.join("checkout");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let index = place.join("index");
    let at = format!("--git-dir={}", mirror(home).display());
    let output = Command::new("git")
        .args(["-c", "core.symlinks=false", "-c", "core.hooksPath=/dev/null", &at])
        .arg(format!("--work-tree={}", folder.display()))
        .args(["read-tree", "--reset", "-u", &tree.id])
        .env("GIT_INDEX_FILE", &index)
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("git cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("git: {}", shown_lines(String::from_utf8_lossy(&output.stderr).trim())))
}
