//! The endgames of Expendibots as an oracle: the tables against plain search, and the champion against the tables.

mod endgames;
mod placements;

use std::sync::LazyLock;

use agents::expendibots::catalogue;
use endgames::{Endgames, Verdict};
use expendibots::Position;
use placements::{Placements, number};
use rand::RngExt;
use search_core::{
    Ends, Game, Limits, Outcome, Player, Record, Score, StopFlag, SystemClock, Task, TurnBased, Zero,
    reference, stream,
};

/// Up to three tokens: the larger tables take too long without optimisation.
static ENDGAMES: LazyLock<Endgames> = LazyLock::new(|| Endgames::new(3));

/// Some positions with these numbers of tokens, White to move.
fn some(endgames: &Endgames, own: usize, other: usize, count: usize) -> Vec<(Position, Verdict)> {
    let all: Vec<(Position, Verdict)> = endgames.positions(own, other).collect();
    let mut rng = stream(1, "endgames");
    (0..count).map(|_| all[rng.random_range(0..all.len())]).collect()
}

#[test]
fn numbers_count_the_placements() {
    for (count, expected) in [(1, 64), (2, 2080), (3, 45_760)] {
        let placements = Placements::new(count);
        assert_eq!(placements.len(), expected);
        for placement in 0..placements.len() {
            assert_eq!(number(placements.tokens(placement)), placement);
        }
    }
}

#[test]
fn known_positions() {
    for (position, expected) in [
        ("a7/1A6/8/8/8/8/8/A7 w 96", Verdict::Win(1)),
        ("a7/1A6/8/8/8/8/8/8 w 96", Verdict::Draw),
        // Wherever the token in the corner goes, it stays beside its neighbour.
        ("a7/1A6/8/8/8/8/8/A7 b 97", Verdict::Loss(2)),
        // Whoever has one token takes a stack along.
        ("8/8/3a4/3B4/8/8/8/8 b 97", Verdict::Draw),
    ] {
        let position: Position = position.parse().expect("a position");
        assert_eq!(ENDGAMES.probe(&position), Some(expected), "{position}");
    }
    assert_eq!(ENDGAMES.probe(&Position::start()), None);
    assert_eq!(ENDGAMES.bytes(), 64 * 64 + 2 * 64 * 2080);
}

/// How many positions are won, drawn and lost.
fn counts(endgames: &Endgames, own: usize, other: usize) -> [usize; 3] {
    endgames.positions(own, other).fold([0; 3], |mut counts, (_, verdict)| {
        let place = match verdict {
            Verdict::Win(_) => 0,
            Verdict::Draw => 1,
            Verdict::Loss(_) => 2,
        };
        counts[place] += 1;
        counts
    })
}

#[test]
fn nearly_all_leads_are_won() {
    assert_eq!(counts(&ENDGAMES, 1, 1), [0, 4032, 0]);
    assert_eq!(counts(&ENDGAMES, 2, 1), [128_948, 76, 0]);
    assert_eq!(counts(&ENDGAMES, 1, 2), [0, 3104, 125_920]);
}

/// The value by plain search to a depth at which it is still quick, where nothing unfinished counts.
fn agrees_with_search(position: &Position, verdict: Verdict, deepest: u32) {
    let record = Record::new(*position);
    let searched = |depth| reference::alpha_beta(&record, depth, &Zero, Ends::Outcome).score;
    let (plies, expected) = match verdict {
        Verdict::Win(plies) => (plies, Score::win_in(plies)),
        Verdict::Loss(plies) => (plies, Score::loss_in(plies)),
        Verdict::Draw => (u32::MAX, Score::DRAW),
    };
    if plies <= deepest {
        assert_eq!(searched(plies), expected, "{position}");
    }
    assert_eq!(searched(deepest.min(plies - 1)), Score::DRAW, "{position}, {verdict:?}");
}

#[test]
fn the_tables_agree_with_plain_search() {
    for (own, other, deepest) in [(1, 1, 7), (2, 1, 7), (1, 2, 7)] {
        for (position, verdict) in some(&ENDGAMES, own, other, 60) {
            agrees_with_search(&position, verdict, deepest);
        }
    }
    // Wins within the depth are rare among random positions, so only every few of them are looked at.
    let near = ENDGAMES.positions(2, 1).chain(ENDGAMES.positions(1, 2)).step_by(499);
    let near = near.filter(|(_, verdict)| matches!(verdict, Verdict::Win(2..=7) | Verdict::Loss(2..=7)));
    for (position, verdict) in near {
        agrees_with_search(&position, verdict, 7);
    }
}

/// Every entry follows from those that its moves lead to.
#[test]
fn the_tables_agree_with_themselves() {
    for (own, other) in [(1, 1), (2, 1), (1, 2)] {
        for (position, verdict) in some(&ENDGAMES, own, other, 2000) {
            let best = ENDGAMES
                .moves(&position)
                .into_iter()
                .map(|(_, verdict)| verdict)
                .max_by_key(|verdict| verdict.rank());
            assert_eq!(best, Some(verdict), "{position}");
        }
    }
}

#[test]
#[ignore = "solves ten million positions"]
fn larger_tables_agree_with_plain_search() {
    let endgames = Endgames::new(4);
    for (own, other, deepest) in [(2, 2, 5), (3, 1, 5), (1, 3, 5)] {
        for (position, verdict) in some(&endgames, own, other, 100) {
            agrees_with_search(&position, verdict, deepest);
        }
    }
    let near = endgames
        .positions(2, 2)
        .filter(|(_, verdict)| matches!(verdict, Verdict::Win(3..) | Verdict::Loss(_)));
    for (position, verdict) in near.step_by(97) {
        agrees_with_search(&position, verdict, 7);
    }
}

/// Plays a position to its end, White by the champion, Black by the table; whatever the champion calls proven is so.
fn converts(position: Position, nodes: u64) {
    let mut bot = catalogue().build("champion").expect("a bot of the catalogue");
    bot.new_game(Player::One, 1).expect("an own bot starts");
    let mut record = Record::new(position);
    let end = loop {
        let player = record.position().to_move();
        let mv = if player == Player::One {
            let (clock, stop) = (SystemClock::new(), StopFlag::new());
            let limits = Limits::nodes(nodes);
            let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
            let answer = bot.choose(&task).expect("an answer");
            let score = answer.analysis.expect("a search reports").score;
            assert!(!score.is_loss(), "{}", record.position());
            if let (Some(proven), Some(Verdict::Win(plies))) =
                (score.plies_to_end(), ENDGAMES.probe(record.position()))
            {
                assert!(proven >= plies, "{} cannot be won in {proven}", record.position());
            }
            answer.mv
        } else {
            let moves = ENDGAMES.moves(record.position());
            moves.into_iter().max_by_key(|(_, verdict)| verdict.rank()).expect("a move").0
        };
        if let Some(end) = record.play(mv).expect("a legal move") {
            break end;
        }
    };
    assert_eq!(end.outcome, Outcome::Win(Player::One), "{position}: {:?}", record.turn_texts());
}

#[test]
fn the_champion_wins_what_is_won() {
    for (position, verdict) in some(&ENDGAMES, 2, 1, 8) {
        assert!(position.end().is_none());
        if matches!(verdict, Verdict::Win(_)) {
            converts(position, 3000);
        }
    }
}
