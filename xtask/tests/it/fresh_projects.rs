//! What the READMEs tell a stranger works: each dependency line in a fresh Cargo project outside the workspace, with the
//! example beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above").to_path_buf()
}

/// The code blocks of a document in this language, whatever a documentation test is told besides.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split("\n```").collect::<Vec<_>>().chunks(2).filter_map(|pair| pair.get(1)) {
        let (first, block) = part.split_once('\n').unwrap_or_default();
        if first.split(',').next() == Some(language) {
            found.push(format!("{block}\n"));
        }
    }
    found
}

/// The dependency lines of a README that hold this word, and its program. An example without `main` is the body of one.
fn told(name: &str, word: &str) -> (String, String) {
    let text = fs::read_to_string(workspace().join(name)).expect("a README");
    let lines = blocks(&text, "toml").into_iter().find(|block| block.contains(word));
    let examples = blocks(&text, "rust");
    let program = examples.iter().find(|block| block.contains("fn main()")).cloned();
    let first = || Some(format!("fn main() {{\n{}}}\n", examples.first()?));
    (
        lines.unwrap_or_else(|| panic!("{name} has no lines with `{word}`")),
        program.or_else(first).unwrap_or_else(|| panic!("{name} has no example")),
    )
}

/// A project with these dependency lines and this program. It has the versions of our own lock file, so that nothing has to
/// be looked up.
fn project(folder: &Path, dependencies: &str, program: &str) {
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"fresh\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n{dependencies}"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(folder.join("src/main.rs"), program).expect("a program");
    fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // One folder for all projects: they build the same crates.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fresh-projects");
    cargo.current_dir(folder).args(arguments).env("CARGO_TARGET_DIR", target);
    cargo.env_remove("RUSTFLAGS").output().expect("cargo starts")
}

/// Builds and runs it, and says what went wrong.
fn works(name: &str, folder: &Path, arguments: &[&str]) {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The README of a crate, or that of the repository.
fn readme(name: &str) -> String {
    if name.is_empty() { "README.md".to_owned() } else { format!("crates/{name}/README.md") }
}

/// Builds and runs what a README tells with its path lines.
fn by_path(name: &str, arguments: &[&str]) {
    let root = workspace();
    let (lines, program) = told(&readme(name), "path =");
    let folder = tempfile::tempdir().expect("a folder");
    project(folder.path(), &lines.replace("../workbench", root.to_str().expect("a path")), &program);
    works(name, folder.path(), &[&["run", "--offline", "--quiet", "--"], arguments].concat());
}

/// A clone of what is committed here, and the folder that it is in. None where these are sources without a repository.
fn clone() -> Option<(tempfile::TempDir, PathBuf)> {
    let root = workspace();
    if !root.join(".git").exists() {
        eprintln!("skipped: {} is no repository, so there is nothing to clone", root.display());
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let clone = folder.path().join("workbench");
    let mut git = Command::new("git");
    let output = git.args(["clone", "--quiet"]).arg(&root).arg(&clone).output().expect("git starts");
    assert!(output.status.success(), "git clone: {}", String::from_utf8_lossy(&output.stderr));
    Some((folder, clone))
}

/// The same with the git lines. What is committed counts, README included.
fn by_git(name: &str, clone: &Path, arguments: &[&str]) {
    let (lines, program) = told(&clone.join(readme(name)).to_string_lossy(), "git =");
    let lines = lines.replace("/home/you/workbench", clone.to_str().expect("a path"));
    let folder = tempfile::tempdir().expect("a folder");
    project(folder.path(), &lines, &program);
    works(name, folder.path(), &[&["run", "--quiet", "--"], arguments].concat());
}

const GAMES: [&str; 4] = ["expendibots", "ropasci360", "hus", "colosseum"];

/// The crates that take minutes to build from nothing, with what their programs are called with.
const LARGE: [(&str, &[&str]); 3] =
    [("agents", &[]), ("arena", &[]), ("gamesearch", &["perft", "hus", "--depth", "2"])];

#[test]
fn each_game_alone_by_its_path_lines_with_its_example() {
    for name in ["", "search-core"].into_iter().chain(GAMES) {
        by_path(name, &[]);
    }
}

/// The lines of the large crates lead to packages of these names; what they build is the test after the next.
#[test]
fn the_path_lines_of_the_other_crates_resolve() {
    for (name, _) in LARGE {
        let (lines, _) = told(&readme(name), "path =");
        let folder = tempfile::tempdir().expect("a folder");
        let lines = lines.replace("../workbench", workspace().to_str().expect("a path"));
        project(folder.path(), &lines, "fn main() {}\n");
        // Not `metadata`: that wants the packages of all platforms, and a fresh machine has those of its own.
        works(name, folder.path(), &["tree", "--offline", "--quiet"]);
    }
}

#[test]
fn a_game_by_its_git_lines() {
    if let Some((_folder, clone)) = clone() {
        by_git("", &clone, &[]);
        by_git("hus", &clone, &[]);
    }
}

#[test]
#[ignore = "builds bots, arena and program from nothing: cargo test -p xtask --test it -- --ignored large_crates"]
fn the_large_crates_by_their_path_lines() {
    for (name, arguments) in LARGE {
        by_path(name, arguments);
    }
}

#[test]
#[ignore = "builds everything from a clone: cargo test -p xtask --test it -- --ignored large_crates"]
fn the_large_crates_by_their_git_lines() {
    let Some((_folder, clone)) = clone() else { return };
    for name in ["search-core"].into_iter().chain(GAMES) {
        by_git(name, &clone, &[]);
    }
    for (name, arguments) in LARGE {
        by_git(name, &clone, arguments);
    }
}
