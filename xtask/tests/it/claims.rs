//! What `docs/claims.md` points to is there: rows of the document, options of bots, files, tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use gamesearch::{Listed, Visitor};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above").to_path_buf()
}

fn document(name: &str) -> String {
    fs::read_to_string(workspace().join("docs").join(name)).expect("a document")
}

/// Builds a bot of a game.
struct Build<'a>(&'a str);

impl Visitor for Build<'_> {
    type Output = Result<(), String>;

    fn visit<G: Listed>(self) -> Self::Output {
        G::catalogue().build(self.0).map(|_| ()).map_err(|error| error.to_string())
    }
}

/// The cells of the rows below each heading.
fn rows(page: &str) -> Vec<(String, Vec<String>)> {
    let mut heading = String::new();
    let mut found = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut heading);
        } else if line.starts_with("| ") && !line.starts_with("| where ") {
            let cells = line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
            found.push((heading.clone(), cells));
        }
    }
    found
}

#[test]
fn every_place_of_the_claims_is_there() {
    let (page, tables) = (document("claims.md"), document("reproduction.md"));
    let games = [
        ("Expendibots", "expendibots"),
        ("RoPaSci", "ropasci360"),
        ("Hus", "hus"),
        ("Colosseum", "colosseum"),
    ];
    let (mut measured, mut built, mut files) = (0, 0, 0);
    for (heading, cells) in rows(&page) {
        let [_, claim, places, came] = &cells[..] else { panic!("four cells: {cells:?}") };
        assert!(!claim.is_empty() && !came.is_empty(), "{cells:?}");
        // A chapter of a game asks that game for its bots; the lecture's are those of any turn-based game.
        let game =
            games.iter().find(|(begins, _)| heading.starts_with(begins)).map_or("hus", |(_, game)| game);
        // The kind stands before the first backtick, and counts until another one comes.
        let mut kind = String::new();
        for (index, part) in places.split('`').enumerate() {
            if index % 2 == 0 {
                let words = part.split([';', ' ', ',']).filter(|word| !word.is_empty());
                for word in words.filter(|word| ["row", "rows", "option", "code", "test"].contains(word)) {
                    word.clone_into(&mut kind);
                }
                continue;
            }
            match kind.as_str() {
                "row" | "rows" => {
                    assert!(
                        tables.contains(&format!("\n| {part}")),
                        "{heading}: no row begins with `{part}`"
                    );
                    measured += 1;
                }
                "option" => {
                    let result = gamesearch::contests::with_game(game, Build(part)).expect("a game");
                    assert!(result.is_ok(), "{heading}: `{part}`: {result:?}");
                    built += 1;
                }
                "code" | "test" => {
                    assert!(workspace().join(part).exists(), "{heading}: there is no {part}");
                    files += 1;
                }
                other => panic!("{heading}: `{part}` is a {other:?}"),
            }
        }
        for section in places.split("section \"").skip(1) {
            let title = section.split('"').next().unwrap_or_default();
            assert!(
                tables.contains(&format!("\n### {title}")),
                "{heading}: no section begins with {title:?}"
            );
        }
    }
    assert!(measured > 60 && built > 40 && files > 25, "{measured} rows, {built} options, {files} files");
}

/// A row is a claim of a report, so it has its line here; what is only ours or lies beside the programs need not.
#[test]
fn every_measured_claim_of_a_report_is_listed() {
    let (page, tables) = (document("claims.md"), document("reproduction.md"));
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    for line in tables.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if cells.len() == 5 && cells[1] == "report" {
            // Rows that go on where the one before left off begin with a small letter or are in a series.
            let listed = named.iter().any(|name| cells[0].starts_with(name));
            let series =
                cells[0].contains("is listed") || cells[0].starts_with(|letter: char| letter.is_lowercase());
            assert!(listed || series, "docs/claims.md does not name the row `{}`", cells[0]);
        }
    }
}

/// The words for what a row makes of a claim.
const VERDICTS: [&str; 4] = ["does not hold", "stays open", "cannot be tested", "holds"];

/// The verdicts that stand in a text. "holds" is looked for last, in what the others leave.
fn verdicts_in(text: &str) -> BTreeSet<&'static str> {
    let (mut rest, mut found) = (text.to_owned(), BTreeSet::new());
    for verdict in VERDICTS {
        let without = rest.replace(verdict, "");
        if without != rest {
            found.insert(verdict);
        }
        rest = without;
    }
    found
}

/// The verdicts of the rows of a chapter that a line of the claims names: those of the claims of the report itself.
fn verdicts_of(places: &str, chapter: &[Vec<String>]) -> BTreeSet<&'static str> {
    let (mut is_row, mut found) = (false, BTreeSet::new());
    for (index, part) in places.split('`').enumerate() {
        if index % 2 == 0 {
            let words = part.split([';', ' ', ',']).filter(|word| !word.is_empty());
            for word in words.filter(|word| ["row", "rows", "option", "code", "test"].contains(word)) {
                is_row = word.starts_with("row");
            }
            continue;
        }
        if !is_row {
            continue;
        }
        let series = places.contains("and those after it").then_some("is listed");
        let named = |row: &&Vec<String>| {
            row[0].starts_with(part) || series.is_some_and(|words| row[0].contains(words))
        };
        for row in chapter.iter().filter(named).filter(|row| row[1] == "report") {
            found.extend(VERDICTS.iter().find(|verdict| **verdict == row[4]));
        }
    }
    found
}

/// What a line says came of a claim is what its rows say: the same verdicts, all of them and no others.
#[test]
fn the_verdicts_are_those_of_the_rows() {
    let (page, tables) = (document("claims.md"), document("reproduction.md"));
    let measured = rows(&tables);
    let mut compared = 0;
    for (heading, cells) in rows(&page) {
        let (places, came) = (&cells[2], &cells[3]);
        let of_chapter = measured.iter().filter(|(chapter, row)| *chapter == heading && row.len() == 5);
        let chapter: Vec<Vec<String>> = of_chapter.map(|(_, row)| row.clone()).collect();
        let expected = verdicts_of(places, &chapter);
        if !expected.is_empty() {
            assert_eq!(verdicts_in(came), expected, "{heading}: {}: {came}", cells[1]);
            compared += 1;
        }
    }
    assert!(compared > 80, "only {compared} lines have rows with verdicts");
}

#[test]
fn verdicts_are_told_apart() {
    assert_eq!(verdicts_in("holds for one, does not hold for two").len(), 2);
    assert_eq!(verdicts_in("does not hold"), BTreeSet::from(["does not hold"]));
    assert!(verdicts_in("built").is_empty());
    let row = |claim: &str, source: &str, verdict: &str| {
        [claim, source, "", "", verdict].map(str::to_owned).to_vec()
    };
    let chapter = [row("One claim", "report", "holds"), row("One more", "ours", "does not hold")];
    assert_eq!(verdicts_of("option `One`; row `One`", &chapter), BTreeSet::from(["holds"]));
    assert!(verdicts_of("option `One`", &chapter).is_empty());
}

/// Words as they are compared: small letters, one space between them, no marks of emphasis.
fn plain(text: &str) -> String {
    let text = text.to_lowercase().replace(['’', '‘'], "'").replace(['*', '_', '$', '\\'], " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands in quotation marks on a page, but for code and the names of sections.
fn quotations(page: &str) -> Vec<String> {
    let without_code: String = page.split('`').step_by(2).collect();
    let mut found = Vec::new();
    for line in without_code.lines() {
        let parts: Vec<&str> = line.split('"').collect();
        for pair in parts.chunks_exact(2) {
            let is_name = ["section ", "law "].iter().any(|word| pair[0].ends_with(word));
            if !is_name {
                found.push(pair[1].to_owned());
            }
        }
    }
    found
}

/// The texts are not in this repository, so this is run by hand by somebody who has them: a folder of `.txt` files.
#[test]
#[ignore = "needs the texts: REPORT_TEXTS=FOLDER cargo test -p xtask --test it -- --ignored quotation"]
fn every_quotation_stands_in_the_texts() {
    let folder = std::env::var("REPORT_TEXTS").expect("REPORT_TEXTS names the folder of the texts");
    let mut texts = String::new();
    for entry in fs::read_dir(folder).expect("the folder of the texts") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "txt") {
            texts.push_str(&plain(&fs::read_to_string(path).expect("a text")));
        }
    }
    let mut checked = 0;
    for name in ["claims.md", "reproduction.md", "adversarial-search.md", "references.md"] {
        for quotation in quotations(&document(name)) {
            assert!(texts.contains(&plain(&quotation)), "docs/{name}: no text has \"{quotation}\"");
            checked += 1;
        }
    }
    assert!(checked > 3, "only {checked} quotations were found");
}
