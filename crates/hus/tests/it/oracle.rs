//! The crate against a second implementation of the rules, ply by ply.

use hus::{Pit, Position, SOWING_LIMIT, Step};
use rand::RngExt;
use search_core::{Game, Player, TurnBased, stream};

use crate::naive::Naive;

fn same(fast: &Position, slow: &Naive) {
    assert_eq!(fast.to_string(), slow.to_string());
    let verdict = fast.end().map(|end| (end.outcome.winner().map(Player::index), end.reason));
    assert_eq!(verdict, slow.end(), "{slow}");
    let (moves, count) = slow.legal();
    let ours: Vec<usize> = fast.move_list(fast.to_move()).iter().map(|pit| pit.index()).collect();
    assert_eq!(ours, moves[..count], "{slow}");
    assert_eq!(fast.move_count(fast.to_move()), count);
    assert_eq!(fast.nth_move(fast.to_move(), count), None);
}

fn pit(index: usize) -> Pit {
    Pit::new(index as u8).expect("a pit")
}

/// Plays one move in all three ways and checks what must stay the same.
fn play_all(fast: &mut Position, slow: &mut Naive, index: usize) {
    let mut traced = *fast;
    let mut sowings = 0;
    let mut lost = 0;
    traced.play_traced(pit(index), |step| match step {
        Step::Sow { .. } => sowings += 1,
        Step::Infinite { seeds } => lost = seeds,
        _ => {}
    });
    fast.play(pit(index));
    slow.play(index);
    assert_eq!(*fast, traced);
    same(fast, slow);
    assert_eq!(fast.to_string().parse::<Position>().as_ref(), Ok(&*fast));
    assert!((1..=SOWING_LIMIT).contains(&sowings));
    let seeds = fast.seeds(Player::One) + fast.seeds(Player::Two);
    assert_eq!(seeds + lost, Position::SEEDS);
    assert_eq!(lost > 0, fast.infinite_by().is_some());
}

#[test]
fn random_games_agree() {
    let mut rng = stream(4, "hus oracle");
    for _ in 0..100 {
        let (mut fast, mut slow) = (Position::start(), Naive::start());
        same(&fast, &slow);
        while slow.end().is_none() {
            let (moves, count) = slow.legal();
            let rank = rng.random_range(0..count);
            assert_eq!(fast.nth_move(fast.to_move(), rank), Some(pit(moves[rank])));
            play_all(&mut fast, &mut slow, moves[rank]);
        }
    }
}

/// Boards that no game reaches: few seeds on one side and heaps on the other make long moves of many laps.
#[test]
fn lopsided_boards_agree() {
    let mut rng = stream(5, "hus oracle");
    let mut laps = 0;
    for round in 0..6000 {
        let mut pits = [[0_u8; 32]; 2];
        let rich = rng.random_range(0..=96);
        // A quarter of the boards keep their seeds in few pits: hands of more than a lap.
        let width = if round % 4 == 0 { 3 } else { 32 };
        for seed in 0..96 {
            pits[usize::from(seed >= rich)][rng.random_range(0..width)] += 1;
        }
        // The first moves, which capture nothing, and the last ones.
        let plies = if round % 2 == 0 { rng.random_range(0..10) } else { rng.random_range(9_996..=10_002) };
        let slow = Naive { pits, side: plies as usize % 2, plies, infinite: false };
        let Ok(fast) = slow.to_string().parse::<Position>() else {
            assert!(pits.as_flattened().contains(&96), "{slow}");
            continue;
        };
        same(&fast, &slow);
        let (moves, count) = slow.legal();
        for &index in &moves[..count] {
            let (mut fast, mut slow) = (fast, slow);
            laps += usize::from(slow.pits[slow.side][index] >= 32);
            play_all(&mut fast, &mut slow, index);
        }
    }
    assert!(laps > 50, "{laps} hands of a lap");
}

#[test]
fn moves_around_the_limit_agree() {
    let mut infinite = 0;
    for line in include_str!("../data/long-moves.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').collect();
        let mut fast: Position = fields[0].parse().expect("a position");
        let mut slow = Naive {
            pits: Player::BOTH.map(|player| *fast.counts(player)),
            side: fast.to_move().index(),
            plies: fast.plies(),
            infinite: false,
        };
        play_all(&mut fast, &mut slow, fields[1].parse().expect("a pit"));
        infinite += usize::from(slow.infinite);
    }
    assert_eq!(infinite, 8);
}

#[test]
fn samples_are_legal_and_reach_every_move() {
    let mut rng = stream(6, "hus oracle");
    let position = Position::start();
    let mut seen = [0_u32; 32];
    for _ in 0..2400 {
        seen[position.sample(Player::One, &mut rng).expect("a move").index()] += 1;
    }
    assert!(seen[..24].iter().all(|&count| (50..200).contains(&count)), "{seen:?}");
    assert_eq!(seen[24..], [0; 8]);
    assert_eq!(position.sample(Player::Two, &mut rng), None);
}
