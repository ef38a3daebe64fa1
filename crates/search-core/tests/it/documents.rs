//! The documents say what the code does.

use std::fmt::Debug;

use search_core::{
    AlphaBetaSettings, MctsSettings, ProofSettings, SimultaneousSettings, SmMctsSettings, SolverSettings,
    TimeSettings,
};

/// The blocks of Rust in a Markdown text, in order, with an empty line between them.
fn rust_blocks(markdown: &str) -> String {
    let blocks = markdown.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_game_of_adding_a_game_is_the_one_that_is_tested() {
    let page = include_str!("../../../../docs/adding-a-game.md");
    assert_eq!(
        rust_blocks(page),
        include_str!("take_away.rs"),
        "docs/adding-a-game.md and take_away.rs differ"
    );
}

/// The rows of a settings struct on the page: its section lists the fields in order, each with its default.
fn section<'a>(page: &'a str, name: &str) -> Vec<[&'a str; 2]> {
    let title = format!("`{name}`");
    let text = page.split("\n## ").find(|part| part.lines().next().is_some_and(|line| line.contains(&title)));
    let rows = text.unwrap_or_default().lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| {
        let (field, rest) = row.split_once("` | `")?;
        Some([field, rest.split_once("` | ")?.0])
    })
    .collect()
}

/// The fields of a struct and their values, as `Debug` writes them; of a nested struct only the name.
fn fields(settings: &impl Debug) -> (String, Vec<[String; 2]>) {
    let text = format!("{settings:#?}");
    let name = text.split(' ').next().unwrap_or_default().to_owned();
    let mut fields: Vec<[String; 2]> = Vec::new();
    for line in text.lines().skip(1) {
        let inner = line.trim().trim_end_matches(',');
        match (line.strip_prefix("    ").filter(|rest| !rest.starts_with(' ')), fields.last_mut()) {
            (Some(rest), _) if rest.contains(": ") => {
                let (field, value) = rest.trim_end_matches(',').split_once(": ").expect("it contains one");
                fields.push([field.to_owned(), value.to_owned()]);
            }
            (_, Some([_, value])) if line.starts_with(' ') => {
                value.push(' ');
                value.push_str(inner);
            }
            _ => {}
        }
    }
    for [_, value] in &mut fields {
        if value.starts_with("TimeSettings") {
            "TimeSettings".clone_into(value);
        }
    }
    (name, fields)
}

#[test]
fn every_setting_is_listed_with_its_default() {
    let page = include_str!("../../../../docs/search-settings.md");
    let all = [
        fields(&AlphaBetaSettings::default()),
        fields(&MctsSettings::default()),
        fields(&ProofSettings::default()),
        fields(&SimultaneousSettings::default()),
        fields(&SolverSettings::default()),
        fields(&SmMctsSettings::default()),
        fields(&TimeSettings::default()),
    ];
    for (name, fields) in all {
        assert!(fields.len() >= 4, "{name}: {fields:?}");
        assert_eq!(section(page, &name), fields, "docs/search-settings.md on {name}");
    }
}
