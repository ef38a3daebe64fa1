//! What a broken law says: the two sides by name, and only what they disagree on.

use std::fmt::{Debug, Write as _};

use crate::{Game, Player};

/// A broken law: what was looked at, who says what.
pub type Broken = String;

/// How many moves of a difference are shown.
const SHOWN: usize = 12;

/// Both sides say the same of `what`.
pub(super) fn same<T: PartialEq + Debug>(
    what: &str,
    [here, there]: [&str; 2],
    ours: &T,
    theirs: &T,
) -> Result<(), Broken> {
    if ours == theirs {
        Ok(())
    } else {
        let width = here.chars().count().max(there.chars().count());
        Err(format!("{what} differs:\n  {here:width$}  {ours:?}\n  {there:width$}  {theirs:?}"))
    }
}

pub(super) fn holds(condition: bool, broken: impl FnOnce() -> Broken) -> Result<(), Broken> {
    if condition { Ok(()) } else { Err(broken()) }
}

/// Both sides list the same moves: sorted texts. Says only which of them one side alone has.
pub(super) fn same_moves(
    what: &str,
    [here, there]: [&str; 2],
    ours: &[String],
    theirs: &[String],
) -> Result<(), Broken> {
    if ours == theirs {
        return Ok(());
    }
    let mut broken = format!("{what} differ ({} {here}, {} {there}):", ours.len(), theirs.len());
    for (name, own, other) in [(here, ours, theirs), (there, theirs, ours)] {
        let alone = surplus(own, other);
        if !alone.is_empty() {
            // Writing into a string cannot fail.
            let _ = write!(broken, "\n  only {name}: {}", shown(&alone));
        }
    }
    Err(broken)
}

/// What `own` has more often than `other`: both sorted.
fn surplus<'a>(own: &'a [String], other: &[String]) -> Vec<&'a str> {
    let mut rest = other.iter().peekable();
    let mut alone = Vec::new();
    for text in own {
        while rest.next_if(|&next| next < text).is_some() {}
        if rest.next_if_eq(&text).is_none() {
            alone.push(text.as_str());
        }
    }
    alone
}

/// The first few texts, and how many more there are.
fn shown(texts: &[&str]) -> String {
    let first: Vec<String> = texts.iter().take(SHOWN).map(|text| format!("`{text}`")).collect();
    match texts.len().saturating_sub(SHOWN) {
        0 => first.join(" "),
        more => format!("{} and {more} more", first.join(" ")),
    }
}

pub(super) fn sorted_texts<M: ToString>(moves: &[M]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    texts
}

pub(super) fn legal_texts<G: Game>(position: &G, player: Player) -> Vec<String> {
    sorted_texts(position.move_list(player).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_shown() {
        let [ours, theirs] =
            [["a", "b", "b", "d"], ["a", "b", "c", "e"]].map(|texts| texts.map(str::to_owned).to_vec());
        let broken = same_moves("the moves", ["in the game", "in yours"], &ours, &theirs).unwrap_err();
        assert_eq!(
            broken,
            "the moves differ (4 in the game, 4 in yours):\n  only in the game: `b` `d`\n  only in yours: `c` `e`"
        );
        let many: Vec<String> = (10..40).map(|number| number.to_string()).collect();
        let broken = same_moves("the moves", ["here", "there"], &many, &[]).unwrap_err();
        assert!(broken.ends_with("`21` and 18 more"), "{broken}");
    }
}
