//! The documents say what the code does.

/// The blocks of Rust in a Markdown text, in order, with an empty line between them.
fn rust_blocks(markdown: &str) -> String {
    let blocks = markdown.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_game_of_adding_a_game_is_the_one_that_is_tested() {
    let page = include_str!("../../../docs/adding-a-game.md");
    assert_eq!(
        rust_blocks(page),
        include_str!("take_away.rs"),
        "docs/adding-a-game.md and take_away.rs differ"
    );
}
