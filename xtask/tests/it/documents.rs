//! Every command line that a document prints can be read, and the cheap ones are run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use gamesearch::{Listed, Visitor};

/// A command of one of our programs in a document: its words, and where it stands.
#[derive(Debug)]
struct Printed {
    program: Program,
    words: Vec<String>,
    place: String,
}

/// The programs whose command lines stand in documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Xtask,
    Gamesearch,
}

impl Program {
    /// The program that a command line begins with, and the rest of the line.
    fn of(command: &str) -> Option<(Program, &str)> {
        let names =
            [("cargo xtask", Program::Xtask), ("xtask", Program::Xtask), ("gamesearch", Program::Gamesearch)];
        names.into_iter().find_map(|(name, program)| {
            let rest = command.strip_prefix(name)?;
            // The name of the crate, the program or a file alone is no command line, and a dependency neither.
            let is_command = (rest.starts_with(' ') && !rest.starts_with(" ="))
                || (rest.is_empty() && program == Program::Xtask);
            is_command.then_some((program, rest))
        })
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above").to_path_buf()
}

/// All files below a folder whose names end so, but for build folders.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() && !entry.ends_with("target") && !entry.ends_with("node_modules") {
            files(&entry, ending, found);
        } else if entry.to_string_lossy().ends_with(ending) {
            found.push(entry);
        }
    }
}

/// The documents, and the doc comments of the sources as one text each.
fn documents() -> Vec<(String, String)> {
    let root = workspace();
    let mut markdown = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let mut sources = Vec::new();
    files(&root.join("docs"), ".md", &mut markdown);
    for folder in ["crates", "xtask/src", "benches"] {
        files(&root.join(folder), ".md", &mut markdown);
        files(&root.join(folder), ".rs", &mut sources);
    }
    let name = |path: &Path| path.strip_prefix(&root).expect("below the root").display().to_string();
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a readable document");
    let comments = |path: &PathBuf| {
        let lines = read(path);
        let lines = lines.lines().map(|line| {
            let line = line.trim_start();
            line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or("").to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let documents = markdown.iter().map(|path| (name(path), read(path)));
    documents.chain(sources.iter().map(|path| (name(path), comments(path)))).collect()
}

/// What stands in code: the lines of code blocks, joined where they go on, and the spans in backticks.
fn code(text: &str) -> Vec<String> {
    let (mut found, mut prose, mut inside, mut begun) = (Vec::new(), String::new(), false, String::new());
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
            prose.push_str("\n\n");
        } else if inside {
            begun.push_str(line.trim().trim_start_matches("$ "));
            match begun.strip_suffix('\\').map(str::to_owned) {
                Some(more) => begun = more,
                None => found.push(std::mem::take(&mut begun)),
            }
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    for paragraph in prose.split("\n\n") {
        let paragraph = paragraph.replace('\n', " ");
        found.extend(paragraph.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    found
}

/// A word as one would type it in place of what the document says: `N` is a number, `[...]` marks what may be left out, three
/// dots say that there can be more.
fn typed(word: &str) -> Option<String> {
    let word = word.trim_start_matches('[').trim_end_matches(']');
    // The value of an option may be left to the reader.
    match if word.contains('=') { word } else { word.trim_end_matches("...") } {
        "" => None,
        "N" => Some("1".to_owned()),
        "GAME" => Some("hus".to_owned()),
        // A variable of the system that runs it; those of the engines here are numbers.
        word if word.starts_with('$') && !word.starts_with("$(") => Some("1".to_owned()),
        word => Some(word.to_owned()),
    }
}

fn commands() -> Vec<Printed> {
    let mut found = Vec::new();
    for (place, text) in documents() {
        let mut variables = BTreeMap::new();
        for line in code(&text) {
            if let Some((name, value)) = line.split_once("=\"")
                && name.chars().all(|letter| letter.is_ascii_uppercase())
                && let Some(value) = value.strip_suffix('"')
            {
                variables.insert(format!("${name}"), value.to_owned());
                continue;
            }
            let mut line = line;
            for (name, value) in &variables {
                line = line.replace(name.as_str(), value);
            }
            for command in line.split("&&") {
                let command = command.trim();
                let Some((program, rest)) = Program::of(command) else { continue };
                let words =
                    shlex::split(rest).unwrap_or_else(|| panic!("{place}: open quotes in `{command}`"));
                let words = words.iter().take_while(|word| !["#", "|", ">"].contains(&word.as_str()));
                found.push(Printed {
                    program,
                    words: words.filter_map(|word| typed(word)).collect(),
                    place: place.clone(),
                });
            }
        }
    }
    found
}

#[test]
fn every_command_of_the_documents_can_be_read() {
    let (ours, theirs, found) = (xtask::app(), gamesearch::contests::app(), commands());
    assert!(found.len() > 60, "only {} commands were found", found.len());
    let mut wrong = Vec::new();
    for Printed { program, words, place } in &found {
        let app = if *program == Program::Xtask { &ours } else { &theirs };
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        // A command that is only named is not meant to be typed so.
        if words.len() == 1 {
            words.push("--help");
        }
        if let Err(error) = app.check(words.iter().copied()) {
            wrong.push(format!("{place}: `{}`: {error}", words.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words after an option, up to the next one.
fn after<'a>(words: &'a [String], option: &str) -> &'a [String] {
    let Some(at) = words.iter().position(|word| word == option) else { return &[] };
    let rest = &words[at + 1..];
    &rest[..rest.iter().position(|word| word.starts_with("--")).unwrap_or(rest.len())]
}

/// Builds a bot of a game.
struct Build<'a>(&'a str);

impl Visitor for Build<'_> {
    type Output = Result<(), String>;

    fn visit<G: Listed>(self) -> Self::Output {
        G::catalogue().build(self.0).map(|_| ()).map_err(|error| error.to_string())
    }
}

#[test]
fn every_bot_of_these_commands_can_be_built() {
    let mut built = 0;
    for Printed { words, place, .. } in commands() {
        for game in after(&words, "--games") {
            let game = game.split(':').next().unwrap_or_default();
            for bot in after(&words, "--bots") {
                // A bot from outside, or one that the reader puts in.
                let outside = ["ugi:", "comp30024:", "comp424:", "huslines:", "husplayer:"];
                let named = bot.split_once('=').filter(|(name, _)| !name.contains(':'));
                let spec = named.map_or(bot.as_str(), |(_, spec)| spec);
                let placeholder =
                    spec.contains("...") || spec.chars().all(|letter| letter.is_ascii_uppercase());
                if outside.iter().any(|adapter| spec.starts_with(adapter)) || placeholder {
                    continue;
                }
                if let Some(Err(error)) = gamesearch::contests::with_game(game, Build(spec)) {
                    panic!("{place}: `{bot}` in {game}: {error}");
                }
                built += 1;
            }
        }
    }
    assert!(built > 40, "only {built} bots were found");
}

/// Commands that look something up or take seconds are run as they are printed; the tables of perft without their largest
/// entries.
#[test]
fn the_cheap_commands_are_run() {
    let cheap = ["bots", "conform", "fidelity", "perft"];
    let found = commands().into_iter().filter(|printed| printed.program == Program::Xtask);
    let found = found.map(|printed| printed.words);
    let cheap: BTreeSet<Vec<String>> = found
        .filter(|words| words.first().is_some_and(|first| cheap.contains(&first.as_str())))
        .filter(|words| !words.iter().any(|word| word == "FILE"))
        .collect();
    assert!(cheap.len() >= 6, "{cheap:?}");
    for mut words in cheap {
        if words.contains(&"--suite".to_owned()) {
            words.extend(["--most", "20000"].map(str::to_owned));
        } else if words == ["perft"] {
            continue;
        }
        let output = Command::cargo_bin("xtask").expect("the binary is built with its tests");
        let output = { output }.args(&words).env("NO_COLOR", "1").output().expect("it can be started");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {error}", words.join(" "));
    }
}

/// The names of the packages of the workspace, with the folder of each.
fn packages() -> BTreeMap<String, PathBuf> {
    let mut manifests = Vec::new();
    for folder in ["crates", "xtask", "benches"] {
        files(&workspace().join(folder), "Cargo.toml", &mut manifests);
    }
    let read = |path: PathBuf| {
        let manifest: toml::Table = fs::read_to_string(&path).ok()?.parse().ok()?;
        let name = manifest.get("package")?.get("name")?.as_str()?.to_owned();
        Some((name, path.parent()?.to_path_buf()))
    };
    manifests.into_iter().filter_map(read).collect()
}

/// `cargo run -p PACKAGE --example NAME` and the like: what is named is there.
#[test]
fn what_cargo_is_asked_to_build_is_there() {
    let (packages, mut checked) = (packages(), 0);
    for (place, text) in documents() {
        for line in code(&text) {
            let words = shlex::split(&line).unwrap_or_default();
            let Some(at) = words.windows(2).position(|pair| {
                pair[0] == "cargo" && ["build", "run", "test", "bench"].contains(&pair[1].as_str())
            }) else {
                continue;
            };
            let words: Vec<&str> =
                words[at..].iter().map(String::as_str).take_while(|word| *word != "--").collect();
            let value = |option: &str| {
                let at = words.iter().position(|word| *word == option)?;
                words.get(at + 1).copied()
            };
            // A name in capitals is the reader's to choose.
            let named = |name: &&str| !name.chars().all(|letter| letter.is_ascii_uppercase());
            let package = value("-p").filter(named);
            if let Some(package) = package {
                assert!(packages.contains_key(package), "{place}: `{line}`: there is no package {package}");
                checked += 1;
            }
            if let Some(example) = value("--example").filter(named) {
                let mut folders =
                    packages.iter().filter(|(name, _)| package.is_none_or(|package| package == *name));
                let has = |folder: &Path| {
                    folder.join("examples").join(format!("{example}.rs")).exists()
                        || folder.join("examples").join(example).exists()
                };
                assert!(
                    folders.any(|(_, folder)| has(folder)),
                    "{place}: `{line}`: there is no example {example}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 8, "only {checked} names were found");
}

/// All files of the repository, and the folders above them, as paths from its root.
fn paths() -> BTreeSet<String> {
    fn below(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if [".git", "target", "node_modules", "runs", "venv"].contains(&name.as_str()) {
                continue;
            }
            let path = entry.strip_prefix(root).expect("below the root");
            found.insert(path.to_string_lossy().replace('\\', "/"));
            if entry.is_dir() {
                below(root, &entry, found);
            }
        }
    }
    let (root, mut found) = (workspace(), BTreeSet::new());
    below(&root, &root, &mut found);
    found
}

/// Whether a word in backticks names a place of this repository: it begins in one of its folders, or it is a source file. What
/// programs write (runs, pages, pieces) has other endings.
fn is_path(word: &str) -> bool {
    const FOLDERS: [&str; 7] = ["crates/", "docs/", "xtask/", "benches/", "examples/", "fuzz/", ".ci/"];
    let letters = |letter: char| letter.is_ascii_alphanumeric() || "_.-/".contains(letter);
    let source = [".rs", ".py", ".md", ".sh", ".bin"].iter().any(|ending| word.ends_with(ending));
    word.chars().all(letters)
        && !["./", "../", "/"].iter().any(|start| word.starts_with(start))
        && (FOLDERS.iter().any(|folder| word.starts_with(folder)) || (source && word.len() > 4))
}

/// Whether a path of the repository is what a document says: the whole of it, or its end. `GAME` and `NAME` stand for any name.
fn is_named(path: &str, said: &str) -> bool {
    let mut parts = path.rsplit('/');
    said.rsplit('/').all(|word| {
        let any = word.split_once("GAME").or_else(|| word.split_once("NAME"));
        let fits = |part: &str| match any {
            Some((first, last)) => part.starts_with(first) && part.ends_with(last),
            None => part == word,
        };
        parts.next().is_some_and(fits)
    })
}

#[test]
fn every_path_of_the_documents_is_there() {
    let (paths, mut checked, mut missing) = (paths(), 0, Vec::new());
    for (place, text) in documents()
        .into_iter()
        .filter(|(place, _)| Path::new(place).extension().is_some_and(|end| end == "md"))
    {
        let outside: String = text.split("```").step_by(2).collect();
        for word in outside.split('`').skip(1).step_by(2).filter(|word| is_path(word)) {
            let said = word.trim_end_matches('/');
            checked += 1;
            if !paths.iter().any(|path| is_named(path, said)) {
                missing.push(format!("{place}: `{word}`"));
            }
        }
    }
    assert!(missing.is_empty(), "these are not there:\n{}", missing.join("\n"));
    assert!(checked > 120, "only {checked} paths were found");
}

#[test]
fn paths_are_told_from_other_words() {
    for path in ["crates/hus/src", "search/ucb.rs", "crates/GAME/tests/data/perft.txt"] {
        assert!(is_path(path), "{path}");
    }
    for other in ["report.html", "alphabeta:depth=4", ".rs", "../elsewhere.rs", "target/page"] {
        assert!(!is_path(other), "{other}");
    }
    assert!(is_named("crates/search-core/src/search/ucb.rs", "search/ucb.rs"));
    assert!(is_named("crates/hus/tests/data/perft.txt", "crates/GAME/tests/data/perft.txt"));
    assert!(is_named("crates/agents/tests/data/hus-fidelity.jsonl", "tests/data/GAME-fidelity.jsonl"));
    assert!(!is_named("crates/hus/src/hus.rs", "rs.rs"));
    assert!(!is_named("ucb.rs", "search/ucb.rs"));
}
