//! The rules against everything known about them: the referee's games, perft, the laws, and a naive second version.

mod naive;

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;

use expendibots::{Move, Position, Square, SquareSet, strategies};
use flate2::read::GzDecoder;
use naive::Naive;
use proptest::prelude::*;
use search_core::corpus::{Report, replay};
use search_core::laws::{Laws, Through};
use search_core::{Game, Outcome, Player, Record, TurnBased, perft, perft_played, stream};

search_core::game_laws!(Position, Laws::new().starts(strategies::reachable(40)));

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/corpus.jsonl.gz");
const PERFT: &str = include_str!("data/perft.txt");

#[test]
fn the_referee_is_followed_in_every_ply() {
    let input = BufReader::new(GzDecoder::new(File::open(CORPUS).unwrap()));
    let mut report = Report::new::<Position>();
    replay::<Position>("corpus.jsonl.gz", input, &mut report);
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.plies, 21_498);
}

#[test]
fn perft_is_the_known_one() {
    let mut tried = 0;
    for line in PERFT.lines() {
        let [position, depth, leaves] = line.split(';').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let leaves: u64 = leaves.parse().unwrap();
        let depth = depth.parse().unwrap();
        if leaves <= 100_000_000 {
            let position: Position = position.parse().unwrap();
            assert_eq!(perft(&position, depth), leaves, "{line}");
            if leaves <= 1_000_000 {
                assert_eq!(perft_played(&position, depth), leaves, "played: {line}");
            }
            tried += 1;
        }
    }
    assert_eq!(tried, 40);
}

#[test]
fn the_naive_version_agrees_on_random_games() {
    Laws::<Position>::new().cases(48).turns(80).agrees_with::<Through<Naive>>();
    Laws::<Position>::new().cases(48).starts(strategies::reachable(120)).agrees_with::<Through<Naive>>();
    Laws::<Position>::new()
        .cases(48)
        .turns(12)
        .starts(strategies::anything())
        .agrees_with::<Through<Naive>>();
}

#[test]
fn the_naive_version_agrees_on_perft() {
    for line in PERFT.lines() {
        let [position, depth, leaves] = line.split(';').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if leaves.parse::<u64>().unwrap() <= 30_000 {
            let naive: Naive = position.parse().unwrap();
            assert_eq!(perft(&naive, depth.parse().unwrap()).to_string(), leaves, "{line}");
        }
    }
}

#[test]
fn shuffling_from_the_start_draws_at_ply_twelve() {
    let mut game = Record::new(Position::start());
    for text in ["1a2a3", "1a7a6", "1a3a2", "1a6a7"].iter().cycle().take(12) {
        assert_eq!(game.end(), None);
        game.play(text.parse().unwrap()).unwrap();
    }
    let end = game.end().unwrap();
    assert_eq!((end.outcome, end.reason), (Outcome::Draw, "repetition"));
    assert_eq!(game.position().plies(), 12);
}

#[test]
fn the_other_side_to_move_is_another_state() {
    // Both go round a triangle of three moves (two squares out, one back, one back): the board is the same after six
    // plies with the same side to move, and after three plies never.
    let mut game = Record::new("b7/8/8/8/8/8/8/B7 w 0".parse::<Position>().unwrap());
    for text in ["2a1a3", "2a8a6", "2a3a2", "2a6a7", "2a2a1", "2a7a8"].iter().cycle().take(18) {
        assert_eq!(game.end(), None);
        game.play(text.parse().unwrap()).unwrap();
    }
    assert_eq!(game.end().map(|end| end.reason), Some("repetition"));
    // The same board, reached with White's three-move tour against Black's two-move shuffle, differs in the side.
    let white: Position = "b7/8/8/8/8/8/8/B7 w 10".parse().unwrap();
    let black: Position = "b7/8/8/8/8/8/8/B7 b 11".parse().unwrap();
    assert_ne!(white.repetition_key(), black.repetition_key());
}

/// A lone token a side walks about in its corner, from every ply near the last one. How often a state has been there is
/// counted by its text: the verdict must be the referee's, also where the fourth time falls on ply 500.
#[test]
fn repetitions_near_the_last_ply_are_those_of_the_texts() {
    let mut rng = stream(3, "repetitions near the last ply");
    let mut ends: HashMap<(&str, bool), u32> = HashMap::new();
    for round in 0..2000 {
        let plies = 440 + round % 60;
        let side = if plies % 2 == 0 { 'w' } else { 'b' };
        let start: Position = format!("7a/8/8/8/8/8/8/A7 {side} {plies}").parse().unwrap();
        let mut game = Record::new(start);
        let mut seen: HashMap<String, u32> = HashMap::new();
        loop {
            let position = *game.position();
            let text = position.to_string();
            let state = text.rsplit_once(' ').unwrap().0.to_owned();
            let times = seen.entry(state).or_default();
            *times += 1;
            let expected = if *times >= 4 {
                Some("repetition")
            } else if position.plies() >= 500 {
                Some("turn-limit")
            } else {
                None
            };
            assert_eq!(game.end().map(|end| end.reason), expected, "{text}");
            assert_eq!(game.occurrences(), *times, "{text}");
            if let Some(reason) = expected {
                *ends.entry((reason, position.plies() == 500)).or_default() += 1;
                break;
            }
            let near_corner = |square: Square| {
                square.file().min(7 - square.file()) + square.rank().min(7 - square.rank()) <= 2
            };
            let list = position.move_list(position.to_move());
            let moves = list.as_slice().iter().copied();
            let choices: Vec<Move> = moves.filter(|mv| !mv.is_boom() && near_corner(mv.to())).collect();
            game.play(choices[rng.random_range(0..choices.len())]).unwrap();
        }
    }
    assert!(ends[&("repetition", false)] > 100 && ends[&("turn-limit", true)] > 100, "{ends:?}");
    assert!(ends[&("repetition", true)] > 10, "{ends:?}");
}

#[test]
fn ends_come_in_the_order_of_the_referee() {
    for (start, mv, outcome, reason) in [
        ("8/8/8/8/8/7a/8/6A1 b 499", "h3!", Outcome::Win(Player::One), "elimination"),
        ("8/8/8/8/8/8/7a/6A1 b 499", "h2!", Outcome::Draw, "mutual-elimination"),
        ("8/8/8/8/8/7a/8/6A1 b 499", "1h3h4", Outcome::Draw, "turn-limit"),
        ("8/2Ll4/8/8/8/8/8/8 w 80", "c7!", Outcome::Draw, "mutual-elimination"),
        ("aa1aa1aa/aa5a/6a1/8/8/8/a7/Aa6 w 64", "a1!", Outcome::Win(Player::Two), "elimination"),
    ] {
        let mut game = Record::new(start.parse::<Position>().unwrap());
        let end = game.play(mv.parse().unwrap()).unwrap().unwrap();
        assert_eq!((end.outcome, end.reason), (outcome, reason), "{start} {mv}");
    }
}

#[test]
fn moves_off_the_rules_are_refused_with_the_legal_ones() {
    let mut game = Record::new(Position::start());
    for illegal in ["2a2a3", "1a2a4", "1a7a6", "a7!", "c3!", "1c3c4"] {
        let error = game.play(illegal.parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with(&format!("`{illegal}` is not a legal move of p1")), "{error}");
        assert_eq!(game.turns().len(), 0);
    }
    let mut blocked = Record::new("8/8/8/8/8/a7/8/B7 w 0".parse::<Position>().unwrap());
    assert!(blocked.play("1a1a3".parse().unwrap()).is_err(), "an enemy stack stops the landing");
    assert!(blocked.play("1a1c1".parse().unwrap()).is_ok(), "one of two tokens may fly two squares");
}

#[test]
fn worked_examples_of_the_rules() {
    for (before, mv, after) in [
        (
            "2a3ab/1a4a1/a1a1E2b/4a3/2a5/8/4A1A1/AA1A1A1A w 46",
            "2e6e2",
            "2a3ab/1a4a1/a1a1C2b/4a3/2a5/8/4C1A1/AA1A1A1A b 47",
        ),
        ("7i/a3b3/8/3B4/8/7A/1C6/1C1AA1A1 b 29", "6h8h1", "7c/a3b3/8/3B4/8/7A/1C6/1C1AA1Af w 30"),
        (
            "ab2a2a/aA2aa2/4aaa1/3a4/1B6/8/3AAA1B/1B2A1A1 w 28",
            "b7!",
            "4a2a/4aa2/4aaa1/3a4/1B6/8/3AAA1B/1B2A1A1 b 29",
        ),
    ] {
        let mut game = Record::new(before.parse::<Position>().unwrap());
        game.play(mv.parse().unwrap()).unwrap();
        assert_eq!(game.position().to_string(), after);
    }
}

/// What explodes with a square, by walking from neighbour to neighbour.
fn component_by_walking(position: &Position, from: Square) -> SquareSet {
    let mut seen = SquareSet::EMPTY;
    let mut open = vec![from];
    while let Some(square) = open.pop() {
        if position.stack(square).is_none() || seen.contains(square) {
            continue;
        }
        seen |= square.set();
        open.extend(Square::all().filter(|other| {
            other.file().abs_diff(square.file()) <= 1 && other.rank().abs_diff(square.rank()) <= 1
        }));
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_for_bots_agree_with_walking(position in strategies::anything()) {
        let mut all = SquareSet::EMPTY;
        for component in position.components() {
            let first = component.squares.first().unwrap();
            prop_assert_eq!(component.squares, component_by_walking(&position, first));
            for player in Player::BOTH {
                let by_hand: u8 = component.squares.iter()
                    .filter_map(|square| position.stack(square))
                    .filter(|(owner, _)| *owner == player)
                    .map(|(_, height)| height)
                    .sum();
                prop_assert_eq!(component.tokens(player), by_hand);
            }
            prop_assert_eq!(component.is_mixed(), position.in_contact().meets(component.squares));
            for square in component.squares {
                let result = position.boom_result(square).unwrap();
                prop_assert_eq!(result.taken, component);
                prop_assert_eq!(result.after.occupied(), position.occupied() - component.squares);
                for player in Player::BOTH {
                    let left = position.tokens(player) - component.tokens(player);
                    prop_assert_eq!(result.after.tokens(player), left);
                }
                if position.stacks(position.to_move()).contains(square) {
                    prop_assert_eq!(result.after, position.after(Move::boom(square)));
                }
            }
            all |= component.squares;
        }
        prop_assert_eq!(all, position.occupied());
        let list = position.move_list(position.to_move());
        for square in position.stacks(position.to_move()) {
            let to: SquareSet =
                list.as_slice().iter().filter(|mv| !mv.is_boom() && mv.from() == square).map(|mv| mv.to()).collect();
            prop_assert_eq!(position.targets(square), to);
        }
        prop_assert_eq!(position.mobility(position.to_move()), list.len());
    }

    #[test]
    fn legality_is_membership_in_the_list(position in strategies::anything(), mv in strategies::moves()) {
        for player in Player::BOTH {
            let listed = position.move_list(player).as_slice().contains(&mv);
            prop_assert_eq!(position.is_legal(player, mv), listed);
        }
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "[a-lA-L1-8/]{0,80} [wb] [0-9]{1,4}|\\PC*") {
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text.clone());
        }
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text);
        }
    }
}

#[test]
fn the_longest_move_list_fits() {
    // Three stacks of four on the centre squares: 3 * (1 + 4 * 14) = 171 moves, the upper bound.
    let position: Position = "8/8/8/3DD3/3D4/8/8/a7 w 2".parse().unwrap();
    assert_eq!(position.move_list(Player::One).len(), 171);
}

#[test]
fn every_public_item_has_an_example() {
    const KINDS: [&str; 6] = ["const ", "enum ", "fn ", "static ", "struct ", "trait "];
    let sources = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap();
    let mut items = 0;
    for path in sources.map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut example = false;
        // Attributes and their continued lines may stand between an item and its comment; a blank line ends both.
        for line in text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]") {
            if line.is_empty() || line.ends_with([',', '{', '}', ';']) && !line.starts_with("pub ") {
                example = false;
            }
            example |= line.starts_with("/// ```");
            if line.strip_prefix("pub ").is_some_and(|item| KINDS.iter().any(|kind| item.starts_with(kind))) {
                assert!(example, "{}: `{line}` has no example", path.display());
                items += 1;
                example = false;
            }
        }
    }
    assert!(items >= 80, "only {items} public items found");
}
