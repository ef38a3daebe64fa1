//! The searches of the library: matrix games, and what a second thread brings. Other libraries are in `benches/peers`.

use std::hint::black_box;

use search_core::matrix::{Matrix, Solver};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Game, Hooks, Limits, Mcts, MctsSettings, Player, Record, Score, Search,
    SearchRng, TurnBased, Zero,
};

use crate::connect_four::ConnectFour;
use crate::{Comparison, Target, Work};

/// The rows of this part.
pub(crate) fn rows() -> Vec<Comparison> {
    let matrices = matrices(64);
    let mut solver = Solver::default();
    vec![
        Comparison::alone(
            "search-matrix-20",
            "exact solutions of random 20x20 matrix games",
            "solves",
            move || {
                for matrix in &matrices {
                    black_box(solver.solve(black_box(matrix)));
                }
                matrices.len() as u64
            },
            Target::Rate(100_000.0),
        ),
        Comparison::mean_ratio(
            "search-threads-depth",
            "ten openings of Connect Four to depth 14, two threads",
            "openings",
            openings(10)
                .into_iter()
                .map(|opening| -> (Work, Work) {
                    let other = opening.clone();
                    (Box::new(move || to_depth(&opening, 2)), Box::new(move || to_depth(&other, 1)))
                })
                .collect(),
            "one thread",
            1.0 / 0.65,
        )
        .on_the_wall(),
        Comparison::ratio(
            "search-threads-mcts",
            "100,000 simulations of Connect Four, two threads",
            "simulations",
            || simulations(2),
            "one thread",
            || simulations(1),
            1.8,
        )
        .on_the_wall(),
    ]
}

/// Random matrix games of 20 by 20 payoffs between -1 and 1.
fn matrices(count: usize) -> Vec<Matrix> {
    let mut rng = SearchRng::new(1, "matrices");
    (0..count).map(|_| Matrix::from_fn(20, 20, |_, _| rng.unit() * 2.0 - 1.0)).collect()
}

/// Stones in the middle columns are worth more.
fn middle(position: &ConnectFour, player: Player) -> Score {
    const COLUMNS: [u64; 3] = [0x7f << 21, 0x7f << 14 | 0x7f << 28, 0x7f << 7 | 0x7f << 35];
    let value = |player| {
        let stones = position.stones_of(player);
        COLUMNS
            .iter()
            .zip([4, 2, 1])
            .map(|(cells, weight)| weight * (stones & cells).count_ones() as i32)
            .sum::<i32>()
    };
    Score::new(value(player) - value(player.opponent()))
}

/// Openings of four random moves.
fn openings(count: usize) -> Vec<Record<ConnectFour>> {
    let mut rng = SearchRng::new(2, "openings");
    let mut opening = || {
        let mut record = Record::new(ConnectFour::EMPTY);
        for _ in 0..4 {
            let position = record.position();
            if let Some(mv) = position.sample(position.to_move(), &mut rng) {
                // A sampled move is legal.
                record.play(mv).ok();
            }
        }
        record
    };
    (0..count).map(|_| opening()).collect()
}

fn to_depth(opening: &Record<ConnectFour>, threads: usize) -> u64 {
    let settings = AlphaBetaSettings { threads, stop_when_proven: false, ..AlphaBetaSettings::default() };
    let mut search = AlphaBeta::new(Hooks::new(middle), settings);
    search.analyse(opening, Limits::depth(14)).best.map_or(0, |_| 1)
}

fn simulations(threads: usize) -> u64 {
    let settings = MctsSettings { threads, reuse_tree: false, ..MctsSettings::default() };
    let mut search = Mcts::new(Hooks::new(Zero), settings);
    search.new_game(1);
    search.analyse(&Record::new(ConnectFour::EMPTY), Limits::playouts(100_000)).stats.playouts
}
