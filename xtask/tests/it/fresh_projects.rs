//! What the READMEs tell a stranger works: each dependency line in a fresh Cargo project outside the workspace, with the
//! example beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above").to_path_buf()
}

/// The code blocks of a document in this language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let parts = text.split(fence.as_str()).skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default().to_owned()).collect()
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

#[test]
fn each_game_alone_by_its_path_lines_with_its_example() {
    let root = workspace();
    let mut read = vec!["README.md".to_owned()];
    read.extend(
        ["expendibots", "ropasci360", "hus", "colosseum"].map(|game| format!("crates/{game}/README.md")),
    );
    for name in read {
        let text = fs::read_to_string(root.join(&name)).expect("a README");
        let lines = blocks(&text, "toml").into_iter().find(|block| block.contains("path ="));
        let lines = lines.unwrap_or_else(|| panic!("{name} has no path lines"));
        let lines = lines.replace("../workbench", root.to_str().expect("a readable path"));
        let example = blocks(&text, "rust").into_iter().find(|block| block.contains("fn main()"));
        let folder = tempfile::tempdir().expect("a folder");
        project(folder.path(), &lines, &example.unwrap_or_else(|| panic!("{name} has no program")));
        works(&name, folder.path(), &["run", "--offline", "--quiet"]);
    }
}

/// The other crates take long to build; their lines at least lead to packages of these names.
#[test]
fn the_path_lines_of_the_other_crates_resolve() {
    let root = workspace();
    for name in ["search-core", "agents", "arena", "gamesearch"] {
        let text = fs::read_to_string(root.join(format!("crates/{name}/README.md"))).expect("a README");
        let lines =
            blocks(&text, "toml").into_iter().find(|block| block.contains("path =")).expect("path lines");
        let folder = tempfile::tempdir().expect("a folder");
        project(
            folder.path(),
            &lines.replace("../workbench", root.to_str().expect("a path")),
            "fn main() {}\n",
        );
        // Not `metadata`: that wants the packages of all platforms, and a fresh machine has those of its own.
        works(name, folder.path(), &["tree", "--offline", "--quiet"]);
    }
}

/// The git lines, with a clone of what is committed here as the address.
#[test]
fn a_game_by_its_git_lines() {
    let root = workspace();
    let folder = tempfile::tempdir().expect("a folder");
    let clone = folder.path().join("workbench");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(&root).args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !git(&["clone", "--quiet", ".", clone.to_str().expect("a path")]) {
        // Sources without a repository, or no git.
        return;
    }
    let text = fs::read_to_string(root.join("crates/hus/README.md")).expect("a README");
    let lines = blocks(&text, "toml").into_iter().find(|block| block.contains("git =")).expect("git lines");
    let lines = lines.replace("/home/you/workbench", clone.to_str().expect("a path"));
    project(
        &folder.path().join("fresh"),
        &lines,
        "fn main() {\n    println!(\"{}\", hus::Position::start());\n}\n",
    );
    works("git", &folder.path().join("fresh"), &["run", "--quiet"]);
}
