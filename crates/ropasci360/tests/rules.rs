//! The rules against the referee's games, known perft counts, and a second implementation.

mod naive;

use std::collections::HashMap;
use std::io::BufReader;

use flate2::read::GzDecoder;
use naive::Naive;
use proptest::prelude::*;
use ropasci360::{Hex, Position, strategies};
use search_core::corpus::{Report, replay};
use search_core::laws::{Laws, Through};
use search_core::{Game, Player, Record, parse_turn, perft, perft_played, stream};

/// Perft entries with more leaves than this run in the suite command only.
const ORDINARY: u64 = 100_000_000;

#[test]
fn the_corpus_of_the_referee() {
    let corpus = include_bytes!("data/corpus.jsonl.gz");
    let mut report = Report::new::<Position>();
    replay::<Position>("corpus.jsonl.gz", BufReader::new(GzDecoder::new(&corpus[..])), &mut report);
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.plies, 13707);
}

fn perft_entries() -> impl Iterator<Item = (Position, u32, u64)> {
    include_str!("data/perft.txt").lines().map(|line| {
        let mut fields = line.split(';');
        let mut field = || fields.next().expect("three fields");
        (field().parse().unwrap(), field().parse().unwrap(), field().parse().unwrap())
    })
}

#[test]
fn perft_counts() {
    let mut checked = 0;
    for (position, depth, leaves) in perft_entries().filter(|entry| entry.2 <= ORDINARY) {
        assert_eq!(perft(&position, depth), leaves, "{position} depth {depth}");
        if leaves < 1_000_000 {
            assert_eq!(perft_played(&position, depth), leaves, "{position} depth {depth}, played");
        }
        checked += 1;
    }
    assert_eq!(checked, 16);
}

#[test]
fn worked_examples() {
    let goes_on = None;
    for (position, turn, next, end) in [
        ("5/6/7/8/9/8/7/6/5 0 0 0", "p@i3|p@a7", "2P2/6/7/8/9/8/7/6/2p2 1 1 1", goes_on),
        ("5/6/7/8/4Rp3/8/7/6/5 1 1 10", "e5e6|e6e5", "5/6/7/8/4pR3/8/7/6/5 1 1 11", goes_on),
        ("5/6/7/8/3R1p3/8/7/6/5 1 1 10", "e4e5|e6e5", "5/6/7/8/4p4/8/7/6/5 1 1 11", goes_on),
        ("5/6/7/8/3R1r3/8/7/6/5 1 1 10", "e4e5|e6e5", "5/6/7/8/4(Rr)4/8/7/6/5 1 1 11", goes_on),
        ("5/6/7/8/3RSp3/8/7/6/5 2 1 10", "e4e5|e6e5", "5/6/7/8/9/8/7/6/5 2 1 11", goes_on),
        ("5/6/7/8/3RSp3/8/7/6/5 2 1 10", "e4e5|e6e7", "5/6/7/8/4R1p2/8/7/6/5 2 1 11", goes_on),
        ("5/6/7/8/3Rs4/8/7/6/5 1 1 10", "e4e5|e5e6", "5/6/7/8/4Rs3/8/7/6/5 1 1 11", goes_on),
        ("5/6/7/8/3(RRr)5/8/7/6/5 2 1 10", "e4e5|e4d5", "5/6/7/8/3RR4/3r4/7/6/5 2 1 11", goes_on),
        ("5/6/7/8/3(RRr)5/8/7/6/5 4 4 10", "r@e4|p@e4", "5/6/7/8/3p5/8/7/6/5 5 5 11", goes_on),
        ("5/6/7/8/3RP4/8/7/6/p4 2 1 10", "e4e6|a5a6", "5/6/7/8/4PR3/8/7/6/1p3 2 1 11", goes_on),
        (
            "5/6/7/8/4R4/8/7/6/5 8 8 20",
            "p@e5|s@e5",
            "5/6/7/8/9/8/7/6/5 9 9 21",
            Some("draw (mutual-elimination)"),
        ),
        (
            "5/6/7/8/3S5/8/7/6/r4 8 9 20",
            "p@a6|a5a6",
            "5/6/7/8/3S5/8/7/6/1P3 9 9 21",
            Some("p1 (elimination)"),
        ),
        (
            "5/6/7/8/3S5/8/7/6/r4 8 9 20",
            "p@i1|a5a6",
            "P4/6/7/8/3S5/8/7/6/1r3 9 9 21",
            Some("p1 (invincible-vs-last-token)"),
        ),
        ("5/6/7/8/4R4/8/7/6/s4 9 8 20", "e5e6|s@b6", "5/6/7/8/5R3/8/7/2s3/s4 9 9 21", goes_on),
    ] {
        let start: Position = position.parse().unwrap();
        let mut record = Record::new(start);
        let turn = parse_turn::<Position>(start.active(), turn).unwrap();
        let found = record.play(turn).unwrap().map(|end| end.to_string());
        assert_eq!(record.position().to_string(), next);
        assert_eq!(found.as_deref(), end, "{position}");
    }
}

#[test]
fn a_third_occurrence_draws_and_goes_before_the_turn_limit() {
    let shuffle = |start: &str| {
        let mut record = Record::new(start.parse::<Position>().unwrap());
        for turn in ["e4e5|a5a6", "e5e4|a6a5"].into_iter().cycle().take(4) {
            let turn = parse_turn::<Position>(record.position().active(), turn).unwrap();
            record.play(turn).unwrap();
        }
        record.end().map(|end| end.reason)
    };
    assert_eq!(shuffle("5/6/7/8/3R5/8/7/6/s4 1 1 10"), Some("repetition"));
    assert_eq!(shuffle("5/6/7/8/3R5/8/7/6/s4 1 1 356"), Some("repetition"));
    let mut capped = "5/6/7/8/3R5/8/7/6/s4 1 1 359".parse::<Position>().unwrap();
    capped.play_turn(parse_turn::<Position>(capped.active(), "e4e5|a5a6").unwrap());
    assert_eq!(capped.end().map(|end| end.reason), Some("turn-limit"));
}

/// A token a side walks about in its corner, from every turn near the last one. How often a position has been there is
/// counted by its text: the verdict must be the referee's, also where the third time falls on turn 360.
#[test]
fn repetitions_near_the_last_turn_are_those_of_the_texts() {
    let mut rng = stream(3, "repetitions near the last turn");
    let mut ends: HashMap<(&str, bool), u32> = HashMap::new();
    for round in 0..2000 {
        let start = format!("R4/6/7/8/9/8/7/6/4s 1 1 {}", 300 + round % 60);
        let mut record = Record::new(start.parse::<Position>().unwrap());
        let mut seen: HashMap<String, u32> = HashMap::new();
        loop {
            let position = *record.position();
            let text = position.to_string();
            let times = seen.entry(text.rsplit_once(' ').unwrap().0.to_owned()).or_default();
            *times += 1;
            let expected = if *times >= 3 {
                Some("repetition")
            } else if position.turns() >= 360 {
                Some("turn-limit")
            } else {
                None
            };
            assert_eq!(record.end().map(|end| end.reason), expected, "{text}");
            assert_eq!(record.occurrences(), *times, "{text}");
            if let Some(reason) = expected {
                *ends.entry((reason, position.turns() == 360)).or_default() += 1;
                break;
            }
            let turn = [("i1", Player::One), ("a9", Player::Two)].map(|(corner, player)| {
                let corner: Hex = corner.parse().unwrap();
                let mut moves = record.legal_moves(player);
                moves.retain(|mv| !mv.is_throw() && mv.to().distance(corner) <= 1);
                moves[rng.random_range(0..moves.len())]
            });
            record.play(turn).unwrap();
        }
    }
    assert!(ends[&("repetition", false)] > 100 && ends[&("turn-limit", true)] > 100, "{ends:?}");
    assert!(ends[&("repetition", true)] > 10, "{ends:?}");
}

#[test]
fn the_naive_implementation_agrees_on_random_games() {
    Laws::<Position>::new().cases(150).turns(150).agrees_with::<Through<Naive>>();
}

#[test]
fn the_naive_implementation_agrees_on_games_from_strange_positions() {
    Laws::<Position>::new()
        .cases(300)
        .turns(25)
        .starts(strategies::anything())
        .agrees_with::<Through<Naive>>();
}

#[test]
fn a_swing_needs_a_pivot() {
    let record = Record::new("5/6/7/8/3RP4/8/7/6/ps3 9 9 10".parse::<Position>().unwrap());
    assert!(record.check(Player::One, "e4e6".parse().unwrap()).is_ok());
    let refused = record.check(Player::One, "e4c4".parse().unwrap()).unwrap_err();
    assert!(refused.to_string().starts_with("`e4c4` is not a legal move of p1; legal: e4d4"));
    assert!(record.check(Player::Two, "e4e5".parse().unwrap()).is_err());
    assert!(record.check(Player::Two, "s@a5".parse().unwrap()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_position_or_refused(text in "[1-9/RPSrps() 0é]{0,60}") {
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text);
        }
    }

    #[test]
    fn a_damaged_position_is_read_back_or_refused(position in strategies::anything(), at in any::<prop::sample::Index>(), with in "[0-9/RPSrps() é-]?") {
        let mut letters: Vec<String> = position.to_string().chars().map(String::from).collect();
        let at = at.index(letters.len());
        letters[at] = with;
        let text = letters.concat();
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string(), text);
        }
    }

    #[test]
    fn any_text_is_a_move_or_refused(text in "[a-jprs@0-9é]{0,6}") {
        if let Ok(mv) = text.parse::<ropasci360::Move>() {
            prop_assert_eq!(mv.to_string(), text);
        }
    }

    #[test]
    fn a_move_is_legal_just_if_it_is_listed(position in strategies::anything(), mv in strategies::moves()) {
        for player in Player::BOTH {
            prop_assert_eq!(position.is_legal(player, mv), position.move_list(player).contains(&mv));
        }
    }
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
    assert!(items >= 95, "only {items} public items found");
}
