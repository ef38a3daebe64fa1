//! What a person types: a command, or a move in a forgiving spelling.

use std::fmt::Display;

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    Help,
    Board,
    Moves(&'a str),
    Undo,
    Hint,
    Save(&'a str),
    Load(&'a str),
    New,
    Rules,
    Resign,
    Quit,
    /// Perhaps a move.
    Move(&'a str),
    Nothing,
}

pub(super) const HELP: &str = "\
a move       play it; capitals and blanks do not matter, the beginning is enough if it is unique
moves [X]    list the legal moves, or those that begin with X
hint         what the helping bot would play, and why
undo         take back your last move (and the answer to it)
board        draw the board again
rules        the goal of the game, and how moves are written
save FILE    save the game;  load FILE  go on with a saved one
new          begin again
resign       give the game up
quit         leave";

/// Tells commands from moves. A word that a move of the game could be is never taken as a command: commands are words of
/// three letters or more, or a question mark.
pub(super) fn read(line: &str) -> Entry<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match word.to_ascii_lowercase().as_str() {
        "" => Entry::Nothing,
        "help" | "?" => Entry::Help,
        "board" | "show" => Entry::Board,
        "moves" | "legal" => Entry::Moves(rest),
        "undo" | "back" => Entry::Undo,
        "hint" => Entry::Hint,
        "save" => Entry::Save(rest),
        "load" => Entry::Load(rest),
        "new" | "restart" => Entry::New,
        "rules" => Entry::Rules,
        "resign" => Entry::Resign,
        "quit" | "exit" => Entry::Quit,
        _ => Entry::Move(line),
    }
}

/// What became of a text that should be a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice<M> {
    /// This one.
    One(M),
    /// Several begin so.
    Several(Vec<M>),
    /// None is like it; the nearest, if one is near.
    None(Option<M>),
}

/// Letters that differ only in the way they are typed are the same. Blanks and marks do not matter, but between two digits
/// one remains: `1 2` is not 12.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut apart = false;
    for letter in text.chars() {
        if letter.is_whitespace() || matches!(letter, ',' | '-' | '(' | ')' | '>') {
            apart = true;
            continue;
        }
        if apart && letter.is_ascii_digit() && plain.ends_with(|last: char| last.is_ascii_digit()) {
            plain.push(' ');
        }
        apart = false;
        plain.extend(letter.to_lowercase());
    }
    plain
}

/// Finds the move that a person means.
pub(super) fn find<M: Copy + Display>(text: &str, legal: &[M]) -> Choice<M> {
    let wanted = plain(text);
    let spelled: Vec<(String, M)> = legal.iter().map(|&mv| (plain(&mv.to_string()), mv)).collect();
    if let Some((_, mv)) = spelled.iter().find(|(spelling, _)| *spelling == wanted) {
        return Choice::One(*mv);
    }
    let begins: Vec<M> =
        spelled.iter().filter(|(spelling, _)| spelling.starts_with(&wanted)).map(|(_, mv)| *mv).collect();
    match begins.as_slice() {
        [mv] => Choice::One(*mv),
        [] => {
            let near = agents::nearest(&wanted, spelled.iter().map(|(spelling, _)| spelling.as_str()));
            let near = near.and_then(|near| spelled.iter().find(|(spelling, _)| spelling == near));
            Choice::None(near.map(|(_, mv)| *mv))
        }
        _ => Choice::Several(begins),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves_are_told_apart() {
        assert_eq!(read("  Moves 1a "), Entry::Moves("1a"));
        assert_eq!(read("save my game.json"), Entry::Save("my game.json"));
        assert_eq!(read("1e4 e6"), Entry::Move("1e4 e6"));
        assert_eq!(read(" \t"), Entry::Nothing);
        assert_eq!(read("?"), Entry::Help);
        assert_eq!((read("Resign"), read("rules")), (Entry::Resign, Entry::Rules));
    }

    #[test]
    fn moves_are_found_in_many_spellings() {
        let legal = ["1a1a2", "1a1b1", "12a1a2", "a1!"];
        assert_eq!(find("1A1-A2", &legal), Choice::One("1a1a2"));
        assert_eq!(find(" 1 a1 > b1", &legal), Choice::One("1a1b1"));
        // Two numbers are not one.
        assert_eq!(find("1 2", &["1", "2", "12"]), Choice::None(Some("12")));
        assert_eq!(find("(1, 2)", &["1,2", "12"]), Choice::One("1,2"));
        assert_eq!(find("12", &legal), Choice::One("12a1a2"));
        assert_eq!(find("1a1", &legal), Choice::Several(vec!["1a1a2", "1a1b1"]));
        assert_eq!(find("a2!", &legal), Choice::None(Some("a1!")));
        assert_eq!(find("zzzzzz", &legal), Choice::None(None));
        // A whole move wins over a longer one that begins with it.
        assert_eq!(find("1", &["1", "10", "12"]), Choice::One("1"));
    }
}
