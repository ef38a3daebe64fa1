//! The house: which file is in which room, which crate may lean on which, and which lints hold. `docs/architecture.md` has the plan
//! in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

const GAMES: [&str; 4] = ["colosseum", "expendibots", "hus", "ropasci360"];

/// The rooms of every game's `src`.
const GAME_ROOMS: [&str; 9] = [
    "facts.rs",
    "game.rs",
    "lib.rs",
    "moves.rs",
    "numbers.rs",
    "picture.rs",
    "position.rs",
    "strategies.rs",
    "text.rs",
];

/// The rooms of every game's `tests/it`.
const GAME_TESTS: [&str; 7] =
    ["corpus.rs", "laws.rs", "main.rs", "naive.rs", "oracle.rs", "perft.rs", "rules.rs"];

/// The nouns of one game alone: what its `src` and its `tests/it` hold besides the rooms.
fn own_nouns(game: &str) -> [&'static [&'static str]; 2] {
    match game {
        "colosseum" => [&["bits.rs", "cell.rs", "grid.rs", "setup.rs"], &["setup.rs"]],
        "expendibots" => [&["component.rs", "past_end.rs", "square.rs", "square_set.rs"], &[]],
        "hus" => [&["bytes.rs", "past_end.rs", "sowing.rs", "trace.rs"], &["documents.rs"]],
        "ropasci360" => [
            &["hex.rs", "hexset.rs", "log.rs", "stacks.rs", "symbol.rs", "symmetry.rs"],
            &["endgames.rs", "log.rs", "symmetry.rs"],
        ],
        other => panic!("{other} is no game of this house"),
    }
}

/// The rooms of a game's bots in `agents/src/GAME`.
const BOT_ROOMS: [&str; 7] =
    ["candidates.rs", "champion", "evaluation.rs", "levels.rs", "mod.rs", "report", "searches.rs"];

/// Which of our own crates a crate may depend on, tests aside.
fn arrows() -> BTreeMap<&'static str, Vec<&'static str>> {
    let all = ["agents", "arena", "gamesearch", "search-core"];
    let with_games = |others: &[&'static str]| GAMES.iter().chain(others).copied().collect();
    let mut arrows = BTreeMap::from([
        ("search-core", vec![]),
        ("toys", vec!["search-core"]),
        ("arena", vec!["search-core"]),
        ("agents", with_games(&["search-core"])),
        ("gamesearch", with_games(&["agents", "arena", "search-core"])),
        // The surfaces: they show what is described in gamesearch.
        ("playground", with_games(&all)),
        ("python", with_games(&all)),
        ("xtask", with_games(&[&all[..], &["toys"]].concat())),
        ("benches", with_games(&["agents", "arena", "gamesearch", "search-core", "toys"])),
    ]);
    arrows.extend(GAMES.map(|game| (game, vec!["search-core"])));
    arrows
}

/// Includes of files of another target by path, each with its reason.
const SHARED_FILES: [(&str, &str); 7] = [
    // The baseline of the benches is the oracle of the tests, and no crate of its own: a game's tests would need one more crate.
    ("benches/src/colosseum.rs", "../../crates/colosseum/tests/it/naive.rs"),
    ("benches/src/expendibots.rs", "../../crates/expendibots/tests/it/naive.rs"),
    ("benches/src/hus.rs", "../../crates/hus/tests/it/naive.rs"),
    ("benches/src/ropasci360.rs", "../../crates/ropasci360/tests/it/naive.rs"),
    // A program that tests start, with the games of those tests.
    ("crates/arena/src/bin/ugi_fixture.rs", "../../tests/it/toys.rs"),
    // Tables that tests take as an oracle and an example prints.
    (
        "crates/agents/examples/expendibots_endgames/main.rs",
        "../../tests/it/expendibots_endgames/endgames.rs",
    ),
    (
        "crates/agents/examples/expendibots_endgames/main.rs",
        "../../tests/it/expendibots_endgames/placements.rs",
    ),
];

/// The most lines of a source file of the product, its unit tests included.
const LONGEST: usize = 600;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_owned()
}

/// The names in a folder, sorted, editors' own files aside.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names =
        entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.')).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All source files below a folder, as paths from the root; packages of their own (fuzz targets, peers) are left out.
fn sources(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in names(folder) {
        let path = format!("{folder}/{name}");
        if root().join(&path).is_dir() {
            if !["fuzz", "peers", "target", "node_modules"].contains(&name.as_str()) {
                found.extend(sources(&path));
            }
        } else if Path::new(&path).extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The folders of the workspace's packages.
fn packages() -> Vec<String> {
    let crates = names("crates").into_iter().map(|name| format!("crates/{name}"));
    let all = crates.chain(["xtask".to_owned(), "benches".to_owned()]);
    all.filter(|folder| root().join(folder).join("Cargo.toml").is_file()).collect()
}

fn manifest(folder: &str) -> Table {
    let path = format!("{folder}/Cargo.toml");
    read(&path).parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn table<'a>(value: &'a Table, name: &str) -> Option<&'a Table> {
    value.get(name).and_then(Value::as_table)
}

/// What keeps the names in a folder from being the plan, in words.
fn misplaced(folder: &str, rooms: &[&str], own: &[&str]) -> Vec<String> {
    let there = names(folder);
    let planned: BTreeSet<String> = rooms.iter().chain(own).map(|&name| name.to_owned()).collect();
    let missing = planned.difference(&there).map(|name| format!("{folder}/{name} is missing"));
    let stray = there.difference(&planned).map(|name| format!("{folder}/{name} has no room there"));
    missing.chain(stray).collect()
}

#[track_caller]
fn assert_none(problems: &[String], hint: &str) {
    assert!(problems.is_empty(), "{}\n({hint})", problems.join("\n"));
}

const PLAN: &str = "the plan is in xtask/tests/it/tidy.rs and docs/architecture.md";

#[test]
fn the_four_games_have_the_same_rooms() {
    let mut problems = Vec::new();
    for game in GAMES {
        let [sources, tests] = own_nouns(game);
        problems.extend(misplaced(&format!("crates/{game}/src"), &GAME_ROOMS, sources));
        problems.extend(misplaced(&format!("crates/{game}/tests/it"), &GAME_TESTS, tests));
        for data in ["corpus.jsonl.gz", "perft.txt"] {
            if !names(&format!("crates/{game}/tests/data")).contains(data) {
                problems.push(format!("crates/{game}/tests/data/{data} is missing"));
            }
        }
    }
    assert_none(&problems, PLAN);
}

/// A room holds what it is named for, in all four games.
#[test]
fn the_rooms_of_a_game_hold_what_they_are_named_for() {
    let places = [
        ("pub struct Position ", "position.rs"),
        ("impl Game for Position ", "game.rs"),
        ("impl FromStr for Position ", "text.rs"),
        ("pub enum ParsePositionError ", "text.rs"),
        ("pub(crate) fn draw(", "picture.rs"),
        ("impl Indexed for Position ", "numbers.rs"),
        ("pub fn reachable(", "strategies.rs"),
        ("pub fn anything(", "strategies.rs"),
    ];
    let mut problems = Vec::new();
    for game in GAMES {
        for (item, room) in places {
            let holders: Vec<String> = sources(&format!("crates/{game}/src"))
                .into_iter()
                .filter(|path| read(path).lines().any(|line| line.starts_with(item)))
                .collect();
            if holders != [format!("crates/{game}/src/{room}")] {
                problems.push(format!("`{item}` of {game} belongs into {room}, found in {holders:?}"));
            }
        }
    }
    assert_none(&problems, PLAN);
}

#[test]
fn the_bots_of_the_four_games_have_the_same_rooms() {
    let mut problems = Vec::new();
    for game in GAMES {
        problems.extend(misplaced(&format!("crates/agents/src/{game}"), &BOT_ROOMS, &[]));
        for file in ["champion/mod.rs", "report/mod.rs", "report/fidelity.rs", "report/search.rs"] {
            if !root().join(format!("crates/agents/src/{game}/{file}")).is_file() {
                problems.push(format!("crates/agents/src/{game}/{file} is missing"));
            }
        }
    }
    assert_none(&problems, PLAN);
}

#[test]
fn search_core_has_three_rooms_and_they_look_one_way() {
    let folder = "crates/search-core/src";
    let mut problems = misplaced(folder, &["contract", "lib.rs", "search", "testing"], &[]);
    for (room, beyond) in [("contract", &["search", "testing"][..]), ("search", &["testing"])] {
        for path in sources(&format!("{folder}/{room}")) {
            let text = read(&path);
            let looks = beyond.iter().filter(|other| text.contains(&format!("crate::{other}::")));
            problems.extend(looks.map(|other| format!("{path} looks into {other}")));
        }
    }
    assert_none(&problems, PLAN);
}

/// Whether a text has a word, whatever its case; letters and digits beside it make it another word.
fn has_word(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.into_iter().chain(after).any(char::is_alphanumeric)
    })
}

#[test]
fn libraries_for_any_game_name_none() {
    let words: Vec<&str> = GAMES.into_iter().chain(["ropasci", "comp30024", "comp424"]).collect();
    let mut paths = [sources("crates/search-core/src"), sources("crates/arena/src")].concat();
    paths.extend(sources("crates/agents/src/generic"));
    paths.extend(sources("crates/gamesearch/src/program"));
    let mut problems = Vec::new();
    for path in paths {
        // Examples in doc comments may name a game.
        let text = read(&path);
        let code =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let product = code.split("#[cfg(test)]").next().unwrap_or_default();
        problems.extend(
            words.iter().filter(|word| has_word(product, word)).map(|word| format!("{path} names {word}")),
        );
    }
    assert_none(&problems, "the four games meet in crates/gamesearch/src/contests");
}

#[test]
fn arrows_between_crates_point_one_way() {
    let arrows = arrows();
    let mut problems = Vec::new();
    for folder in packages() {
        let manifest = manifest(&folder);
        let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
        let Some(allowed) = arrows.get(name.as_str()) else {
            problems.push(format!("{folder}: the plan knows no crate `{name}`"));
            continue;
        };
        let dependencies = table(&manifest, "dependencies").into_iter().flat_map(Table::keys);
        let ours = dependencies.filter(|dependency| arrows.contains_key(dependency.as_str()));
        let wrong = ours.filter(|dependency| !allowed.contains(&dependency.as_str()));
        problems.extend(wrong.map(|dependency| format!("{name} must not depend on {dependency}")));
    }
    assert_none(&problems, PLAN);
}

/// Whoever uses the rules of a game alone gets a handful of small crates.
#[test]
fn a_game_depends_on_little() {
    let light = ["proptest", "rand", "search-core", "smallvec", "thiserror"];
    let mut problems = Vec::new();
    for game in GAMES {
        let manifest = manifest(&format!("crates/{game}"));
        for (name, value) in table(&manifest, "dependencies").into_iter().flatten() {
            let optional = value.get("optional").and_then(Value::as_bool).unwrap_or(false);
            if !light.contains(&name.as_str()) || (name == "proptest" && !optional) {
                problems.push(format!("{game} depends on {name}"));
            }
        }
    }
    assert_none(&problems, "rules are usable alone: no command line, no serde, no files");
}

#[test]
fn the_same_lints_hold_everywhere() {
    let mut problems = Vec::new();
    for folder in packages() {
        let manifest = manifest(&folder);
        let inherited = table(&manifest, "lints")
            .is_some_and(|lints| lints.get("workspace") == Some(&Value::Boolean(true)));
        if !inherited {
            problems.push(format!("{folder}/Cargo.toml: expected `[lints] workspace = true`"));
        }
        let library = format!("{folder}/src/lib.rs");
        let published = manifest["package"].get("publish") != Some(&Value::Boolean(false));
        if root().join(&library).is_file() && published && !read(&library).contains("#![warn(missing_docs)]")
        {
            problems.push(format!("{library}: expected `#![warn(missing_docs)]`"));
        }
    }
    let workspace = manifest(".");
    let unsafe_code = workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str();
    if unsafe_code != Some("deny") {
        problems.push(format!("Cargo.toml: expected unsafe_code = \"deny\", found {unsafe_code:?}"));
    }
    for path in packages().iter().flat_map(|folder| sources(folder)) {
        let text = read(&path);
        // Split, so that this file does not find itself.
        for attribute in [concat!("[", "allow("), concat!("[", "expect(")] {
            for (at, _) in text.match_indices(attribute) {
                let end = text[at..].find(")]").map_or(text.len(), |length| at + length);
                if !text[at..end].contains("reason = ") {
                    let line = text[..at].lines().count();
                    problems.push(format!("{path}:{line}: a lint is switched off without a reason"));
                }
            }
        }
    }
    assert_none(&problems, "one table of lints, in Cargo.toml");
}

#[test]
fn versions_of_dependencies_stand_in_one_table() {
    let mut problems = Vec::new();
    for folder in packages() {
        let manifest = manifest(&folder);
        let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
        for (name, value) in tables.into_iter().filter_map(|name| table(&manifest, name)).flatten() {
            // A package may name itself by its path, to switch on features for its tests.
            let shared = value.get("workspace") == Some(&Value::Boolean(true)) || value.get("path").is_some();
            if !shared {
                problems.push(format!(
                    "{folder}/Cargo.toml: the version of {name} belongs into the workspace's table"
                ));
            }
        }
    }
    assert_none(&problems, "[workspace.dependencies] in Cargo.toml");
}

#[test]
fn files_of_other_targets_are_included_only_where_the_list_says() {
    let mut found = BTreeSet::new();
    for path in packages().iter().flat_map(|folder| sources(folder)) {
        for line in read(&path).lines() {
            let included = line.trim().strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]"));
            found.extend(included.map(|file| (path.clone(), file.to_owned())));
        }
    }
    let listed = SHARED_FILES.map(|(path, file)| (path.to_owned(), file.to_owned()));
    assert_eq!(found, BTreeSet::from(listed));
}

#[test]
fn files_have_one_subject_and_end() {
    let product = packages().into_iter().map(|folder| format!("{folder}/src"));
    let lengths = product.filter(|folder| root().join(folder).is_dir()).flat_map(|folder| sources(&folder));
    let long = lengths.map(|path| (read(&path).lines().count(), path)).filter(|(lines, _)| *lines > LONGEST);
    let problems: Vec<String> = long.map(|(lines, path)| format!("{path} has {lines} lines")).collect();
    assert_none(&problems, &format!("at most {LONGEST}, most under 400: does it hold two subjects?"));
}
