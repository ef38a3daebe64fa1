//! `cargo xtask package`: a copy of the crates that can be published, under names of one's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;
use gamesearch::{CommandResult, Failure};
use toml::{Table, Value};

use crate::games::workspace;

/// Make a publishable set of the crates: package names with a prefix, library names as they are
///
/// The registry has crates of others called hus, agents and colosseum. Each crate is copied with its package name prefixed; the
/// library keeps its name, so no line of code changes, and the crates of the set depend on each other by the new names. Then
/// `cargo package` makes and builds the archives. Nothing is published.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask package                              into target/publishable
  cargo xtask package --prefix mine- --no-verify   other names, without building the archives")]
pub(crate) struct Package {
    /// What the names of the packages begin with
    #[arg(long, default_value = "gamesearch-")]
    prefix: String,
    /// Where the set goes; what is there is replaced [default: target/publishable]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Make the archives without building what they hold
    #[arg(long)]
    no_verify: bool,
    /// The public address of the repository, for the field of that name; left out without one
    #[arg(long)]
    repository: Option<String>,
}

/// The crates of the set, in the order in which they would be published.
const CRATES: [&str; 8] =
    ["search-core", "expendibots", "ropasci360", "hus", "colosseum", "agents", "arena", "gamesearch"];

/// A crate for tests alone: it is in the copy, so that the tests can be built, and is not packaged.
const TESTS: &str = "toys";

/// This file marks a folder that the command made and may replace.
const MARK: &str = ".made-by-package";

pub(crate) fn run(arguments: &Package) -> CommandResult {
    let out = arguments.out.clone().unwrap_or_else(|| workspace().join("target/publishable"));
    let broken = |error: &dyn std::fmt::Display| Failure::failed(format!("{}: {error}", out.display()));
    write_set(arguments, &out).map_err(|error| broken(&error))?;
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&out).args(["package", "--allow-dirty"]);
    for name in CRATES {
        command.args(["--package", &package_name(&arguments.prefix, name)]);
    }
    if arguments.no_verify {
        command.arg("--no-verify");
    }
    let status = command.status().map_err(|error| broken(&error))?;
    if !status.success() {
        return Err(Failure::failed(format!("cargo package failed in {}", out.display())));
    }
    anstream::println!("{} packages in {}", CRATES.len(), out.join("target/package").display());
    Ok(ExitCode::SUCCESS)
}

/// The name of a package in the set. The product itself is called as the prefix says.
fn package_name(prefix: &str, name: &str) -> String {
    if name == "gamesearch" && prefix == "gamesearch-" { name.to_owned() } else { format!("{prefix}{name}") }
}

fn write_set(arguments: &Package, out: &Path) -> Result<(), String> {
    let root = workspace();
    if out.exists() {
        if !out.join(MARK).exists() {
            return Err("this folder was not made by `package`; name another one".to_owned());
        }
        // The built things stay: the next archive is checked sooner.
        for name in CRATES.iter().chain([&TESTS]) {
            fs::remove_dir_all(out.join("crates").join(name)).or_else(missing_is_fine).map_err(text)?;
        }
    }
    fs::create_dir_all(out.join("crates")).map_err(text)?;
    fs::write(out.join(MARK), "").map_err(text)?;
    for name in CRATES.iter().chain([&TESTS]) {
        let (from, to) = (root.join("crates").join(name), out.join("crates").join(name));
        copy(&from, &to)?;
        let manifest = fs::read_to_string(from.join("Cargo.toml")).map_err(text)?;
        let manifest = renamed(&manifest, name, arguments)?;
        fs::write(to.join("Cargo.toml"), manifest).map_err(text)?;
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(root.join(licence), to.join(licence)).map_err(text)?;
        }
    }
    // Pages that tests of the crates compare themselves with.
    copy(&root.join("docs"), &out.join("docs"))?;
    fs::copy(root.join("Cargo.lock"), out.join("Cargo.lock")).map_err(text)?;
    let manifest = fs::read_to_string(root.join("Cargo.toml")).map_err(text)?;
    fs::write(out.join("Cargo.toml"), workspace_manifest(&manifest, &arguments.prefix)?).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn missing_is_fine(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Copies a folder, but for fuzz targets, which are packages of their own, and what was built.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(text)?;
    for entry in fs::read_dir(from).map_err(text)? {
        let entry = entry.map_err(text)?;
        let name = entry.file_name();
        if entry.file_type().map_err(text)?.is_dir() {
            if name != "target" && name != "fuzz" {
                copy(&entry.path(), &to.join(name))?;
            }
        } else {
            fs::copy(entry.path(), to.join(name)).map_err(text)?;
        }
    }
    Ok(())
}

/// The manifest of a crate: another package name with the address of its documentation, the library's name as before.
fn renamed(manifest: &str, name: &str, arguments: &Package) -> Result<String, String> {
    let mut manifest: Table = manifest.parse().map_err(text)?;
    let new = package_name(&arguments.prefix, name);
    let package = manifest.get_mut("package").and_then(Value::as_table_mut).ok_or("no table `package`")?;
    package.insert("name".to_owned(), Value::String(new.clone()));
    package.insert("documentation".to_owned(), Value::String(format!("https://docs.rs/{new}")));
    if let Some(repository) = &arguments.repository {
        package.insert("repository".to_owned(), Value::String(repository.clone()));
    }
    let library = manifest.entry("lib").or_insert_with(|| Value::Table(Table::new()));
    let library = library.as_table_mut().ok_or("`lib` is no table")?;
    library.insert("name".to_owned(), Value::String(name.replace('-', "_")));
    // A crate that has itself as a dependency of its tests.
    for section in ["dependencies", "dev-dependencies"] {
        let table = manifest.get_mut(section).and_then(Value::as_table_mut);
        if let Some(own) = table.and_then(|table| table.get_mut(name)).and_then(Value::as_table_mut)
            && own.contains_key("path")
        {
            own.insert("package".to_owned(), Value::String(new.clone()));
        }
    }
    toml::to_string(&manifest).map_err(text)
}

/// The workspace of the set: the same tables, the crates under their new names.
fn workspace_manifest(manifest: &str, prefix: &str) -> Result<String, String> {
    let mut manifest: Table = manifest.parse().map_err(text)?;
    let table = manifest.get_mut("workspace").and_then(Value::as_table_mut).ok_or("no table `workspace`")?;
    table.insert("members".to_owned(), Value::Array(vec![Value::String("crates/*".to_owned())]));
    table.remove("exclude");
    let dependencies =
        table.get_mut("dependencies").and_then(Value::as_table_mut).ok_or("no dependencies")?;
    for name in CRATES.iter().chain([&TESTS]) {
        let dependency = dependencies.get_mut(*name).and_then(Value::as_table_mut);
        let dependency = dependency.ok_or_else(|| format!("`{name}` is no dependency of the workspace"))?;
        dependency.insert("package".to_owned(), Value::String(package_name(prefix, name)));
    }
    toml::to_string(&manifest).map_err(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments() -> Package {
        Package { prefix: "mine-".to_owned(), out: None, no_verify: true, repository: Some("R".to_owned()) }
    }

    #[test]
    fn packages_get_the_prefix_and_libraries_keep_their_names() {
        let manifest =
            "[package]\nname = \"a-b\"\n\n[dev-dependencies]\na-b = { path = \".\", features = [\"x\"] }\n";
        let renamed: Table = renamed(manifest, "a-b", &arguments()).unwrap().parse().unwrap();
        assert_eq!(renamed["package"]["name"].as_str(), Some("mine-a-b"));
        assert_eq!(renamed["package"]["documentation"].as_str(), Some("https://docs.rs/mine-a-b"));
        assert_eq!(renamed["package"]["repository"].as_str(), Some("R"));
        assert_eq!(renamed["lib"]["name"].as_str(), Some("a_b"));
        assert_eq!(renamed["dev-dependencies"]["a-b"]["package"].as_str(), Some("mine-a-b"));
        assert_eq!(package_name("gamesearch-", "gamesearch"), "gamesearch");
        assert_eq!(package_name("gamesearch-", "hus"), "gamesearch-hus");
    }

    #[test]
    fn every_published_crate_of_the_workspace_is_in_the_set() {
        let mut found = Vec::new();
        for entry in fs::read_dir(workspace().join("crates")).unwrap() {
            let folder = entry.unwrap();
            let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).unwrap();
            let manifest: Table = manifest.parse().unwrap();
            if manifest["package"].get("publish").and_then(Value::as_bool) != Some(false) {
                found.push(folder.file_name().into_string().unwrap());
            }
        }
        found.sort();
        let mut set = CRATES.to_vec();
        set.sort_unstable();
        assert_eq!(found, set);
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let refused = write_set(&arguments(), folder.path()).unwrap_err();
        assert!(refused.contains("name another one"), "{refused}");
    }

    #[test]
    fn the_set_is_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("set");
        write_set(&arguments(), &out).unwrap();
        let manifest: Table = fs::read_to_string(out.join("Cargo.toml")).unwrap().parse().unwrap();
        let hus = &manifest["workspace"]["dependencies"]["hus"];
        assert_eq!(hus["package"].as_str(), Some("mine-hus"));
        assert_eq!(hus["path"].as_str(), Some("crates/hus"));
        assert!(out.join("crates/hus/README.md").exists() && out.join("crates/hus/LICENSE-MIT").exists());
        assert!(!out.join("crates/hus/fuzz").exists());
        // Once more over what it made itself.
        write_set(&arguments(), &out).unwrap();
    }
}
