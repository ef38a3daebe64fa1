//! The laws are held by wrong games: for each law at least one that breaks it, and is reported with the law's name and a game of
//! a few moves.

mod corridor;
mod duel;

use std::cell::RefCell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use corridor::{CAP, Corridor, Of, Push, Rules};
use search_core::laws::{Laws, Through, all, turn_based};
use search_core::{Game, Player};

search_core::game_laws!(Corridor<corridor::Nothing>, Laws::new().longest(CAP.into()));

/// What a failing check says.
fn said(check: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(check)).expect_err("the wrong game passes");
    panic.downcast::<String>().map_or_else(|_| "no text".to_owned(), |text| *text)
}

/// The number of moves in a report.
fn moves(report: &str) -> usize {
    report.split_once("moves [").map_or(0, |(_, rest)| {
        rest.split_once(']').map_or(usize::MAX, |(moves, _)| moves.split(", ").count())
    })
}

/// The names of the laws that were seen to fail.
struct Seen(HashSet<&'static str>);

impl Seen {
    /// Holds that the rules `R` break a law, that the report names it and is short, and says what.
    fn breaks<R: Rules>(&mut self, law: &'static str, most: usize, what: &str) {
        let laws = || Laws::<Corridor<R>>::new().longest(CAP.into());
        let report = said(|| match law {
            "keys_agree_over_games" => laws().check_keys_over_games(),
            "games_end_in_time" => laws().check_length(),
            "evaluation" | "moves_agree" | "agrees_with" => unreachable!("not a law of the game alone"),
            law if turn_based::<Corridor<R>>().iter().any(|known| known.name == law) => {
                use search_core::laws::InTurns;
                laws().check_if_turn_based(law);
            }
            law => laws().check_named(law),
        });
        assert!(report.starts_with(&format!("the law `{law}` (")), "{:?}: {report}", R::FAULT);
        assert!(moves(&report) <= most, "{:?} takes {} moves: {report}", R::FAULT, moves(&report));
        assert!(report.contains(what), "{:?} does not say `{what}`: {report}", R::FAULT);
        assert!(report.len() < 1000, "{report}");
        // The whole battery stops at it or before it.
        said(|| laws().check_turn_based());
        self.0.insert(law);
    }
}

#[test]
fn every_law_is_broken_by_a_wrong_game_in_a_few_moves() {
    use corridor::*;
    let mut seen = Seen(HashSet::new());
    seen.breaks::<MoveTwice>("legal_moves_are_distinct", 0, "`stay` of p");
    seen.breaks::<StuckInTheCorner>("only_a_finished_game_has_no_turn", 0, "has 0 moves");
    seen.breaks::<MovesAfterTheEnd>("only_a_finished_game_has_no_turn", 0, "is over, p");
    seen.breaks::<TextForgetsTheMover>("position_texts_round_trip", 1, "the active player");
    seen.breaks::<MoveTextIsNotRead>("move_texts_round_trip", 0, "the legal move `stay`");
    seen.breaks::<StaleKey>("keys_are_those_from_scratch", 1, "carried along by playing");
    seen.breaks::<RepetitionKeyFromHistory>("keys_are_those_from_scratch", 1, "the repetition key");
    seen.breaks::<KeyForgetsTheMover>("equal_keys_mean_equal_positions", 1, "one key");
    seen.breaks::<KeyHoldsTheTurn>("equal_keys_mean_equal_positions", 2, "two keys");
    seen.breaks::<RepetitionKeyHoldsTheTurn>("equal_keys_mean_equal_positions", 2, "two repetition keys");
    seen.breaks::<KeysMeetAcrossGames>("keys_agree_over_games", 1, "one key");
    seen.breaks::<CountIsOneShort>("sinks_agree", 0, "`move_count`");
    seen.breaks::<NthIsReversed>("sinks_agree", 0, "`nth_move`");
    seen.breaks::<SetIsTooLarge>("sinks_agree", 0, "the counter");
    seen.breaks::<CountIsOneShort>("perft_by_sink_is_perft_by_list", 0, "the number of turns");
    seen.breaks::<LegalEverywhere>("is_legal_is_the_list", 1, "allows the move");
    seen.breaks::<LegalForTheWrongPlayer>("is_legal_is_the_list", 0, "allows the move");
    seen.breaks::<DeniesALegalMove>("is_legal_is_the_list", 0, "denies the move");
    seen.breaks::<NeverDrawsHalf>("sample_reaches_every_move", 0, "never drew the move `on`");
    seen.breaks::<DrawsAnIllegalMove>("sample_reaches_every_move", 0, "drew `leap`");
    seen.breaks::<DrawsTheFirstMoreOften>("sample_is_uniform", 0, "chi-square");
    seen.breaks::<PlaysByChance>("playing_is_repeatable", 1, "played again");
    seen.breaks::<DeniesALegalMove>("the_record_agrees", 1, "refuses a legal turn");
    seen.breaks::<PaysBoth>("utility_is_zero_sum", 0, "the sum of both players' utilities");
    seen.breaks::<PaysTheLoser>("utility_is_zero_sum", 0, "the sign of the utility");
    seen.breaks::<PaysBeforeTheEnd>("utility_is_zero_sum", 0, "the sign of the utility");
    seen.breaks::<CapStandsStill>("turn_caps_count_down", 1, "turns left");
    seen.breaks::<CapWithoutEnd>("turn_caps_count_down", 0, "but the game goes on");
    seen.breaks::<NeverEnds>("games_end_in_time", 0, "goes on after 30 turns");
    seen.breaks::<ToMoveIsTheOther>("to_move_is_active", 0, "`active`");
    seen.breaks::<MissesAWin>("winning_moves_win", 0, "but `back` wins");
    seen.breaks::<NamesNoWin>("winning_moves_win", 0, "which does not win");
    let laws: Vec<&str> = all::<Corridor<Nothing>>()
        .iter()
        .map(|law| law.name)
        .chain(turn_based::<Corridor<Nothing>>().iter().map(|law| law.name))
        .chain(["keys_agree_over_games", "games_end_in_time"])
        .collect();
    assert_eq!(seen.0, laws.iter().copied().collect(), "laws that no wrong game breaks");
    // The macro makes a test of each.
    let (_, text) =
        include_str!("../../../src/testing/laws/battery.rs").split_once("macro_rules! game_laws").unwrap();
    let macro_text = text.split_once("/// Games in turns, for").unwrap().0;
    for law in laws {
        assert!(macro_text.contains(law), "`game_laws!` does not check {law}");
    }
}

#[test]
fn findings_tell_of_every_law_without_a_panic() {
    let laws = Laws::<Corridor<corridor::Nothing>>::new().longest(CAP.into());
    let findings: Vec<_> = laws.findings().collect();
    assert_eq!(findings.len(), all::<Corridor<corridor::Nothing>>().len() + 2);
    assert!(findings.iter().all(|finding| matches!(finding.found, Ok(None))), "{findings:?}");
    let laws = Laws::<Corridor<corridor::KeysMeetAcrossGames>>::new();
    let broken: Vec<_> = laws.findings().filter(|finding| !matches!(finding.found, Ok(None))).collect();
    let Some(finding) = broken.last() else { panic!("every law is kept") };
    assert_eq!(finding.name, "keys_agree_over_games");
    let Ok(Some(found)) = &finding.found else { panic!("{finding:?}") };
    assert!(found.broken.contains("one key"), "{found:?}");
}

#[test]
fn a_seed_draws_other_games_and_the_same_again() {
    let drawn = |laws: Laws<Corridor<corridor::Nothing>>| {
        let games = RefCell::new(Vec::new());
        let noted = laws.find(|walk| {
            games.borrow_mut().push(format!("{walk:?}"));
            Ok(())
        });
        assert!(matches!(noted, Ok(None)));
        games.into_inner()
    };
    assert_eq!(drawn(Laws::new().seed(7)), drawn(Laws::new().seed(7)));
    assert_ne!(drawn(Laws::new().seed(7)), drawn(Laws::new().seed(8)));
}

#[test]
fn a_panic_is_told_with_the_turn_and_once() {
    let report = said(|| Laws::<Corridor<corridor::GeneratorPanics>>::new().check());
    assert!(report.contains("generating the moves panics: no way out of place 2 ("), "{report}");
    assert!(report.contains("start `p") && moves(&report) == 0 && report.len() < 700, "{report}");
    let report = said(|| Laws::<Corridor<corridor::PlayPanics>>::new().check());
    assert!(report.contains("playing the legal turn `stay` panics: nobody stays here ("), "{report}");
    assert!(moves(&report) == 0 && report.len() < 700, "{report}");
}

/// What no law sees: the rules are wrong everywhere alike. A second implementation sees it.
#[test]
fn rules_that_are_wrong_everywhere_need_a_second_implementation() {
    Laws::<Corridor<corridor::WrongWinner>>::new().check();
    let report = said(|| {
        Laws::<Corridor<corridor::WrongWinner>>::new().agrees_with::<Through<Corridor<corridor::Nothing>>>();
    });
    assert!(report.starts_with("the law `agrees_with` (both implementations"), "{report}");
    assert!(report.contains("the end at") && moves(&report) == 0, "{report}");
    Laws::<Corridor<corridor::MoveMissingInTheCorner>>::new().check();
    let report = said(|| {
        type Right = Through<Corridor<corridor::Nothing>>;
        Laws::<Corridor<corridor::MoveMissingInTheCorner>>::new().agrees_with::<Right>();
    });
    assert!(report.contains("only in the oracle: `on`") && moves(&report) == 0, "{report}");
}

#[test]
fn moves_agree_says_which_moves_are_missing_and_which_are_too_many() {
    type Right = Corridor<corridor::Nothing>;
    let report = said(|| {
        Laws::<Right>::new().moves_agree(|position, player| {
            let mut moves = position.move_list(player).to_vec();
            moves.retain(|mv| mv.0 != Push::Back);
            if !moves.is_empty() {
                moves.push(Of::new(Push::Leap));
            }
            moves
        });
    });
    assert!(report.starts_with("the law `moves_agree` (your generator lists"), "{report}");
    assert!(report.contains("only in the game: `back`\n"), "{report}");
    assert!(report.contains("only in your generator: `leap`") && moves(&report) == 0, "{report}");
}

#[test]
fn a_wrong_evaluation_is_told() {
    type Right = Corridor<corridor::Nothing>;
    let one_sided = |_: &Right, _: Player| search_core::Score::new(7);
    let report = said(|| Laws::<Right>::new().evaluation(&one_sided));
    assert!(report.starts_with("the law `evaluation`") && report.contains("for p2, negated"), "{report}");
    let certain = |_: &Right, player: Player| match player {
        Player::One => search_core::Score::win_in(1),
        Player::Two => -search_core::Score::win_in(1),
    };
    let report = said(|| Laws::<Right>::new().evaluation(&certain));
    assert!(report.contains("goes on, but its value for p1 is win in 1"), "{report}");
}

/// Both players move at once: what can go wrong between them, and in no game in turns.
#[test]
fn a_wrong_game_of_moves_at_once_is_told_in_a_few_turns() {
    use duel::{CAP, Duel, Rules};
    fn breaks<R: Rules>(law: &'static str, most: usize, what: &str) {
        let laws = || Laws::<Duel<R>>::new().longest(CAP.into());
        let report = said(|| laws().check_named(law));
        assert!(report.starts_with(&format!("the law `{law}` (")), "{:?}: {report}", R::FAULT);
        assert!(moves(&report) <= most, "{:?} takes {} moves: {report}", R::FAULT, moves(&report));
        assert!(report.contains(what), "{:?} does not say `{what}`: {report}", R::FAULT);
        assert!(report.len() < 1000, "{report}");
        // The whole battery stops at it or before it.
        said(|| laws().check());
    }
    // What is wrong everywhere alike needs a second implementation.
    fn differs<R: Rules>(what: &str) {
        Laws::<Duel<R>>::new().longest(CAP.into()).check();
        let report = said(|| {
            Laws::<Duel<R>>::new().longest(CAP.into()).agrees_with::<Through<Duel<duel::Nothing>>>();
        });
        assert!(report.starts_with("the law `agrees_with` (both implementations"), "{report}");
        assert!(report.contains(what) && moves(&report) <= 2, "{:?}: {report}", R::FAULT);
    }
    Laws::<Duel<duel::Nothing>>::new().longest(CAP.into()).check();
    breaks::<duel::OneHasNoMove>("only_a_finished_game_has_no_turn", 2, "has 0 moves");
    breaks::<duel::KeyForgetsTheSecond>("equal_keys_mean_equal_positions", 2, "one key");
    breaks::<duel::KeyFollowsTheFirst>("keys_are_those_from_scratch", 1, "carried along by playing");
    breaks::<duel::DrawsForTheOther>("sample_reaches_every_move", 2, "drew");
    differs::<duel::StepsAreMixedUp>("");
    differs::<duel::ListsTheOthersMoves>("only in");
}
