//! Arbitrary spec strings at the catalogues of the four games: a bot or an error that helps, never a panic.

use std::fmt::Write as _;

use agents::{Catalogue, Spec, SpecError, Values, colosseum, expendibots, hus, ropasci360};
use proptest::prelude::*;
use search_core::{Game, Player};

/// Texts for one option: within its range, at its ends, outside it, and anything else.
fn value_of(values: Values, draw: u64) -> String {
    match (values, draw % 5) {
        (_, 0) => "x1".to_owned(),
        (Values::Choice(words), _) => words[draw as usize / 5 % words.len()].to_owned(),
        (Values::Integer(min, _), 1) => min.to_string(),
        (Values::Integer(_, max), 2) => (u128::from(max) + 1).to_string(),
        (Values::Integer(min, max), _) => (min + draw % (max - min).clamp(1, 3)).to_string(),
        (Values::Number(min, _), 1) => min.to_string(),
        (Values::Number(_, max), 2) => (max * 2.0 + 1.0).to_string(),
        (Values::Number(min, max), 3) => min.midpoint(max).to_string(),
        (Values::Number(..), _) => "nan".to_owned(),
        (Values::Flag, _) => draw.is_multiple_of(2).to_string(),
        (Values::Text(_), _) => {
            ["1/2/3", "/", "-9999999999999/1", "\u{fe0f}", ""][draw as usize / 5 % 5].to_owned()
        }
    }
}

/// Builds the bot that the draws describe, and starts a game with it if there is one.
fn built<G: Game>(catalogue: &Catalogue<G>, bot: usize, draws: &[(usize, u64)]) -> Result<(), TestCaseError> {
    let info = &catalogue.bots()[bot % catalogue.bots().len()];
    let mut spec = info.name.to_owned();
    for (index, &(option, draw)) in draws.iter().enumerate().filter(|_| !info.options.is_empty()) {
        let option = &info.options[option % info.options.len()];
        let separator = if index == 0 { ':' } else { ',' };
        let _ = write!(spec, "{separator}{}={}", option.key, value_of(option.values, draw));
    }
    match catalogue.build(&spec) {
        Ok(mut bot) => {
            prop_assert!(bot.new_game(Player::Two, 7).is_ok(), "{spec}");
        }
        Err(SpecError::Value { expected, found, .. }) => {
            prop_assert!(!expected.is_empty() && spec.contains(&found), "{spec}");
        }
        Err(error) => prop_assert!(!error.to_string().is_empty(), "{spec}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_option_takes_its_values_or_says_what_it_takes(
        bot in any::<usize>(),
        draws in prop::collection::vec((any::<usize>(), any::<u64>()), 0..4),
    ) {
        built(&expendibots::catalogue(), bot, &draws)?;
        built(&ropasci360::catalogue(), bot, &draws)?;
        built(&hus::catalogue(), bot, &draws)?;
        built(&colosseum::catalogue(), bot, &draws)?;
    }

    #[test]
    fn any_text_is_a_spec_or_an_error(text in "[a-z]{0,9}(:[a-z=,0-9]{0,20})?|\\PC*") {
        if let Ok(spec) = text.parse::<Spec>() {
            prop_assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
        }
        if let Err(SpecError::UnknownBot { known, .. }) = hus::catalogue().build(&text) {
            prop_assert!(known.contains("alphabeta"));
        }
    }
}
