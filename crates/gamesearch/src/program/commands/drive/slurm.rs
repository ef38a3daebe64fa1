//! Slurm: an array job for each submission. Its name holds the work and the submission, and a file beside the pieces says which
//! piece each task of it is, so that the queue alone tells what is under way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Engine;
use crate::program::Failure;
use crate::program::pieces::{WorkFolder, WorkPlan, write_new};

pub(super) struct Slurm {
    folder: WorkFolder,
    /// What the names of our jobs begin with.
    prefix: String,
    options: Vec<String>,
    /// One more than the highest task number that this cluster allows.
    most_tasks: usize,
}

impl Slurm {
    pub(super) fn new(folder: &WorkFolder, plan: &WorkPlan, options: &str) -> Result<Slurm, Failure> {
        let options = shlex::split(options).ok_or_else(|| {
            Failure::usage(format!(
                "--options: expected words as in a shell, found an open quote in `{options}`"
            ))
        })?;
        let settings = asked("scontrol", &["show", "config"])?;
        let most_tasks = settings
            .lines()
            .find_map(|line| line.strip_prefix("MaxArraySize"))
            .and_then(|rest| rest.trim_start_matches([' ', '=']).trim().parse().ok());
        let path = fs::canonicalize(folder.path())
            .map_err(|error| Failure::failed(format!("{}: {error}", folder.path().display())))?;
        let text = plan.work.to_string();
        // The same work may be planned twice, in two folders.
        let place = arena::Digest::of(&[path.display().to_string()]).to_string();
        Ok(Slurm {
            folder: WorkFolder::at(path),
            prefix: format!("pieces-{}-{}-", &text[..8], &place[..8]),
            options,
            most_tasks: most_tasks.unwrap_or(1001).max(1),
        })
    }

    fn submissions(&self) -> PathBuf {
        self.folder.path().join("submissions")
    }

    /// The pieces of a submission, in the order of its tasks.
    fn list_path(&self, submission: u64) -> PathBuf {
        self.submissions().join(format!("{submission:05}.txt"))
    }

    /// The number of the next submission.
    fn next_submission(&self) -> Result<u64, Failure> {
        let fail = |error| Failure::failed(format!("cannot use {}: {error}", self.submissions().display()));
        fs::create_dir_all(self.submissions()).map_err(fail)?;
        let mut last = 0;
        for entry in fs::read_dir(self.submissions()).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let number = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
            last = last.max(number.unwrap_or(0));
        }
        Ok(last + 1)
    }

    fn submit_array(&self, pieces: &[u64]) -> Result<(), Failure> {
        let submission = self.next_submission()?;
        let list = self.list_path(submission);
        let lines: Vec<String> =
            pieces.iter().map(|&piece| self.folder.piece(piece).display().to_string()).collect();
        write_new(&list, format!("{}\n", lines.join("\n")).as_bytes(), true)?;
        let logs = self.folder.path().join("logs");
        fs::create_dir_all(&logs).map_err(Failure::cannot("make", &logs))?;
        let program = std::env::current_exe().map_err(Failure::failed)?;
        let script = self.submissions().join(format!("{submission:05}.sh"));
        write_new(&script, script_text(&program, &list).as_bytes(), true)?;
        let name = format!("{}{submission}", self.prefix);
        let array = format!("0-{}", pieces.len() - 1);
        let log = logs.join("%A-%a.txt").display().to_string();
        let mut words = vec!["--parsable", "--requeue", "--open-mode=append", "--array", &array];
        words.extend(["--job-name", &name, "--output", &log]);
        words.extend(self.options.iter().map(String::as_str));
        let script = script.display().to_string();
        words.push(&script);
        asked("sbatch", &words).map(drop)
    }

    /// Our jobs in the queue: of each its name and the numbers of its tasks.
    fn queue(&self) -> Result<BTreeMap<String, BTreeSet<usize>>, Failure> {
        // One line for each task; those that are ending have not gone yet.
        let text = asked("squeue", &["--me", "--noheader", "--array", "--format", "%j %K"])?;
        let mut jobs: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for line in text.lines() {
            if let Some((name, task)) = line.trim().split_once(' ')
                && name.starts_with(&self.prefix)
                && let Ok(task) = task.trim().parse()
            {
                jobs.entry(name.to_owned()).or_default().insert(task);
            }
        }
        Ok(jobs)
    }
}

impl Engine for Slurm {
    fn submit(&self, pieces: &[u64]) -> Result<(), Failure> {
        pieces.chunks(self.most_tasks).try_for_each(|pieces| self.submit_array(pieces))
    }

    fn list(&self) -> Result<BTreeSet<u64>, Failure> {
        let mut pieces = BTreeSet::new();
        for (name, tasks) in self.queue()? {
            let Ok(submission) = name[self.prefix.len()..].parse() else { continue };
            let list = self.list_path(submission);
            let text = fs::read_to_string(&list).map_err(Failure::cannot("read", &list))?;
            let lines: Vec<&str> = text.lines().collect();
            pieces.extend(tasks.iter().filter_map(|&task| number_of(lines.get(task)?)));
        }
        Ok(pieces)
    }

    fn cancel(&self) -> Result<(), Failure> {
        for name in self.queue()?.into_keys() {
            asked("scancel", &["--name", &name])?;
        }
        Ok(())
    }
}

/// What each task runs: the line of the list with its number.
fn script_text(program: &Path, list: &Path) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    format!(
        "#!/bin/sh\n\
         piece=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {})\n\
         exec {} work --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" \"$piece\"\n",
        quoted(list),
        quoted(program)
    )
}

/// The number of a piece by its path.
fn number_of(path: &str) -> Option<u64> {
    Path::new(path).file_stem()?.to_str()?.strip_prefix("piece-")?.parse().ok()
}

/// What a command of Slurm answers.
fn asked(program: &str, words: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program).args(words).output().map_err(|error| {
        Failure::failed(format!("cannot start {program}: {error}; is this a machine of a Slurm cluster?"))
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::failed(format!("{program} failed: {}", said.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_runs_its_line_of_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("it's a list.txt");
        fs::write(&list, "work/piece-0001.json\nwork/piece-0002.json\n").unwrap();
        let script = folder.path().join("task.sh");
        fs::write(&script, script_text(Path::new("/bin/echo"), &list)).unwrap();
        let output = Command::new("sh").arg(&script).env("SLURM_ARRAY_TASK_ID", "1").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "work --jobs 1 work/piece-0002.json\n");
    }

    #[test]
    fn a_piece_is_known_by_its_path() {
        assert_eq!(number_of("/a/work/piece-100000.json"), Some(100_000));
        assert_eq!(number_of("/a/work/other.json"), None);
    }
}
