//! Arbitrary text at every parser of the library: an error or a value that is written back, never a panic.

use std::fmt::Display;
use std::str::FromStr;

use proptest::prelude::*;
use search_core::corpus::{Conformance, Value, replay};
use search_core::{Active, Features, Linear, Outcome, Player, Standard, parse_turn, perft_suite};
use toys::connect_four::ConnectFour;
use toys::textbook_tree::{Branch, Tree};

/// Reads a text; what can be read is written back the same.
fn round_trip<T: FromStr<Err: Display> + Display>(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<T>() {
        Ok(value) => prop_assert_eq!(value.to_string(), text),
        Err(error) => prop_assert!(error.to_string().contains("expected"), "{}", error),
    }
    Ok(())
}

struct Two;

impl Features<()> for Two {
    fn names(&self) -> Vec<String> {
        vec!["one".to_owned(), "two".to_owned()]
    }

    fn extract(&self, (): &(), _: Player, values: &mut [i32]) {
        values.fill(0);
    }
}

proptest! {
    #[test]
    fn players_and_outcomes(text in "p[0-9]?|draw|\\PC{0,8}") {
        round_trip::<Player>(&text)?;
        round_trip::<Outcome>(&text)?;
        if !text.is_empty() {
            round_trip::<Standard>(&text)?;
        }
    }

    #[test]
    fn trees(text in "p[12] [-0-9( )!]{0,40}|[-!(]{0,300}|\\PC*") {
        // A tree may be written in more than one way (`-0`), so what is read is only written and read once more.
        if let Ok(tree) = text.parse::<Tree>() {
            let written = tree.to_string();
            prop_assert_eq!(written.parse::<Tree>().unwrap().to_string(), written);
        }
        round_trip::<Branch>(&text)?;
    }

    #[test]
    fn turns(text in "[a-h|]{0,6}|\\PC*") {
        let parsed = parse_turn::<ConnectFour>(Active::One(Player::One), &text);
        prop_assert_eq!(parsed.is_ok(), matches!(text.trim().as_bytes(), [b'a'..=b'g']), "{:?}", parsed);
        prop_assert!(parse_turn::<ConnectFour>(Active::Both, &text).is_err(), "not a simultaneous game");
    }

    #[test]
    fn perft_tables(text in "(#?(start|//////|[xo/;]{0,9});?[0-9]{0,3};?[0-9]{0,21}\n){0,4}|\\PC*") {
        match perft_suite::<ConnectFour>(&text) {
            Ok(entries) => prop_assert!(entries.len() <= text.lines().count()),
            Err(error) => prop_assert!(error.to_string().starts_with("line "), "{}", error),
        }
    }

    #[test]
    fn weights(text in "(scale|one|two|[a-z]{1,3}) [-0-9]{0,12}\n(one [0-9]{1,3}\n)?(two [0-9]{1,3}\n)?|\\PC*") {
        if let Ok(linear) = Linear::from_text::<()>(Two, &text) {
            prop_assert_eq!(linear.weights().len(), 2);
            let again = Linear::from_text::<()>(Two, &linear.to_text::<()>()).unwrap();
            prop_assert_eq!(again.weights(), linear.weights());
        }
    }

    #[test]
    fn corpora(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[\\[{\"a-z0-9:,}\\]\n]{0,200}") {
        for input in [bytes.as_slice(), text.as_bytes()] {
            let mut conformance = Conformance::new::<ConnectFour>();
            replay::<ConnectFour>("arbitrary", input, &mut conformance);
            prop_assert_eq!(conformance.plies, 0, "nothing here is a line of a corpus");
            let lines = input.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
            prop_assert_eq!(conformance.differences, lines.count() as u64);
        }
    }

    #[test]
    fn corpus_lines_with_arbitrary_texts(
        position in "//////|x//////|\\PC{0,9}",
        played in "[a-h]|\\PC{0,3}",
        next in "x//////|\\PC{0,9}",
        outcome in "null|\"p1\"|\"\"",
        ply in any::<u64>(),
    ) {
        let quoted = |text: &str| Value::from(text).to_string();
        let line = format!(
            r#"{{"game":1,"ply":{ply},"position":{},"legal":[],"played":{},"next":{},"outcome":{outcome},"reason":null}}"#,
            quoted(&position), quoted(&played), quoted(&next),
        );
        let mut conformance = Conformance::new::<ConnectFour>();
        replay::<ConnectFour>("arbitrary", format!("{line}\n{line}").as_bytes(), &mut conformance);
        prop_assert_eq!(conformance.plies, 2);
        prop_assert!(conformance.differences >= 2, "an empty list of moves is never right: {}", conformance);
    }
}
