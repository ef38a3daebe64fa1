//! Colosseum Survival! against its naive implementation, and random playouts.

#[path = "../../crates/colosseum/tests/it/naive.rs"]
mod naive;

use std::hint::black_box;

use colosseum::{Edition, Move, Position, Setup};
use search_core::{Game, SearchRng, TurnBased, stream};

use self::naive::{NaiveMove, NaivePosition};
use crate::Comparison;

/// Starts of one board size.
fn starts(size: u8) -> Vec<Position> {
    // The sizes named below are all valid; another one would give no start and so a row without work.
    let setup = Setup::new(size, Edition::default()).ok();
    setup.iter().flat_map(|setup| (0..32).map(|seed| Position::initial(setup, seed))).collect()
}

/// Unfinished positions of random games, evenly spaced.
fn positions(size: u8, games: usize, every: u32) -> Vec<Position> {
    let mut rng = stream(1, "bench positions");
    let mut positions = Vec::new();
    for mut position in starts(size).into_iter().take(games) {
        let mut ply = 0;
        while let Some(mv) = position.sample(position.to_move(), &mut rng) {
            if ply % every == 0 {
                positions.push(position);
            }
            position.play(mv);
            ply += 1;
        }
    }
    positions
}

/// Random games to the end, from every start once; the plies played.
fn playouts(starts: &[Position], rng: &mut SearchRng) -> u64 {
    let mut plies = 0;
    for start in starts {
        let mut position = *start;
        while let Some(mv) = position.sample(position.to_move(), rng) {
            position.play(mv);
            plies += 1;
        }
    }
    plies
}

/// The same number of random games with the naive implementation, of the first starts.
fn naive_playouts(starts: &[NaivePosition], rng: &mut SearchRng) -> u64 {
    let mut plies = 0;
    for start in starts {
        let mut position = start.clone();
        loop {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len())]);
            plies += 1;
        }
    }
    plies
}

fn playout_row(name: &'static str, about: &'static str, size: u8, ratio: f64) -> Comparison {
    let starts = starts(size);
    let naive: Vec<NaivePosition> =
        starts.iter().take(2).map(|start| NaivePosition::parse(&start.to_string())).collect();
    let (mut ours, mut theirs) =
        (SearchRng::new(1, "bench playouts"), SearchRng::new(1, "naive bench playouts"));
    Comparison::ratio(
        name,
        about,
        "plies",
        move || playouts(&starts, &mut ours),
        "naive",
        move || naive_playouts(&naive, &mut theirs),
        ratio,
    )
}

fn moves_row(name: &'static str, about: &'static str, size: u8) -> Comparison {
    // Enough that the branch predictor cannot learn how many moves each of them has, as it does with a few dozen.
    let ours = positions(size, 32, 3);
    let theirs: Vec<NaivePosition> =
        ours.iter().map(|position| NaivePosition::parse(&position.to_string())).collect();
    Comparison::ratio(
        name,
        about,
        "moves",
        move || {
            ours.iter()
                .map(|position| black_box(position.move_list(position.to_move())).len() as u64)
                .sum::<u64>()
        },
        "naive",
        move || {
            theirs.iter().map(|position| black_box(position.moves_while_running()).len() as u64).sum::<u64>()
        },
        5.0,
    )
}

fn play_row(name: &'static str, about: &'static str, size: u8) -> Comparison {
    let ours: Vec<(Position, Vec<Move>)> = positions(size, 8, 5)
        .into_iter()
        .map(|position| (position, position.move_list(position.to_move()).to_vec()))
        .collect();
    let theirs: Vec<(NaivePosition, Vec<NaiveMove>)> = ours
        .iter()
        .map(|(position, _)| {
            let position = NaivePosition::parse(&position.to_string());
            let moves = position.moves();
            (position, moves)
        })
        .collect();
    Comparison::ratio(
        name,
        about,
        "plies",
        move || {
            let mut over = 0;
            for (position, moves) in &ours {
                for &mv in moves {
                    over += u64::from(black_box(position.after(mv)).is_over());
                }
            }
            black_box(over);
            ours.iter().map(|(_, moves)| moves.len() as u64).sum::<u64>()
        },
        "naive",
        move || {
            let mut over = 0;
            for (position, moves) in &theirs {
                for &mv in moves {
                    let mut next = position.clone();
                    next.play(mv);
                    over += u64::from(black_box(next).scores().is_some());
                }
            }
            black_box(over);
            theirs.iter().map(|(_, moves)| moves.len() as u64).sum::<u64>()
        },
        5.0,
    )
}

/// The rows of this part.
pub(crate) fn rows() -> Vec<Comparison> {
    vec![
        moves_row("colosseum-moves-8", "legal moves of positions of random games, M = 8", 8),
        moves_row("colosseum-moves-12", "legal moves of positions of random games, M = 12", 12),
        play_row("colosseum-play-8", "play and end test for every legal move, M = 8", 8),
        play_row("colosseum-play-12", "play and end test for every legal move, M = 12", 12),
        playout_row("colosseum-playouts-6", "uniform random games, M = 6", 6, 20.0),
        playout_row("colosseum-playouts-8", "uniform random games, M = 8", 8, 20.0),
        playout_row("colosseum-playouts-10", "uniform random games, M = 10", 10, 20.0),
        playout_row("colosseum-playouts-12", "uniform random games, M = 12", 12, 20.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_do_the_same_work() {
        for position in positions(12, 32, 3) {
            let naive = NaivePosition::parse(&position.to_string());
            assert_eq!(naive.moves_while_running().len(), position.move_count(position.to_move()));
        }
        let naive: Vec<NaivePosition> =
            starts(6).iter().map(|start| NaivePosition::parse(&start.to_string())).collect();
        assert!(naive_playouts(&naive, &mut SearchRng::new(1, "test")) > 150);
        assert!(playouts(&starts(8), &mut SearchRng::new(1, "test")) > 300);
    }
}
