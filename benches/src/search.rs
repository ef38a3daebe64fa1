//! The searches of the library: matrix games, and what a second thread brings. Other libraries are in `benches/peers`.

use std::hint::black_box;

use search_core::matrix::{Matrix, Solver};
use search_core::{
    AlphaBeta, AlphaBetaSettings, ByEvaluation, HookSet, Hooks, Limits, Mcts, MctsSettings, Player, Record,
    Score, Search, SearchRng, Standard, TurnBased, Zero,
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
        two_threads(
            "search-threads-depth",
            "ten openings of Connect Four to depth 14, two threads",
            openings::<ConnectFour>(10),
            |opening, threads| to_depth(Hooks::new(middle), opening, 14, threads),
        ),
        two_threads(
            "search-threads-depth-hus",
            "ten openings of Hus to depth 9, two threads",
            openings::<hus::Position>(10),
            |opening, threads| {
                let hooks = Hooks::new(seeds_and_moves).with_order(ByEvaluation(seeds_and_moves));
                to_depth(hooks, opening, 9, threads)
            },
        ),
        Comparison::ratio(
            "search-threads-mcts",
            "200,000 simulations of Connect Four, two threads",
            "simulations",
            || simulations(2),
            "one thread",
            || simulations(1),
            1.8,
        )
        .on_the_wall(),
    ]
}

/// The row of a search to a depth on two threads, against one.
fn two_threads<G: TurnBased + 'static>(
    name: &'static str,
    about: &'static str,
    openings: Vec<Record<G>>,
    search: fn(&Record<G>, usize) -> u64,
) -> Comparison {
    let pairs = openings.into_iter().map(|opening| -> (Work, Work) {
        let other = opening.clone();
        (Box::new(move || search(&opening, 2)), Box::new(move || search(&other, 1)))
    });
    Comparison::mean_ratio(name, about, "openings", pairs.collect(), "one thread", 1.0 / 0.65).on_the_wall()
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

/// The evaluation of the Hus report, made zero-sum.
fn seeds_and_moves(position: &hus::Position, player: Player) -> Score {
    let value = |player: Player| position.seeds(player) as i32 + 2 * position.mobility(player) as i32;
    Score::new(value(player) - value(player.opponent()))
}

/// Openings of four random moves.
fn openings<G: TurnBased<Setup = Standard>>(count: usize) -> Vec<Record<G>> {
    let mut rng = SearchRng::new(2, "openings");
    let mut opening = || {
        let mut record = Record::new(G::initial(&Standard, 0));
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

fn to_depth<G: TurnBased, H: HookSet<G>>(hooks: H, opening: &Record<G>, depth: u32, threads: usize) -> u64 {
    let settings =
        AlphaBetaSettings { threads, order_from: 3, stop_when_proven: false, ..AlphaBetaSettings::default() };
    let mut search = AlphaBeta::new(hooks, settings);
    search.analyse(opening, Limits::depth(depth)).best.map_or(0, |_| 1)
}

fn simulations(threads: usize) -> u64 {
    let settings = MctsSettings { threads, reuse_tree: false, ..MctsSettings::default() };
    let mut search = Mcts::new(Hooks::new(Zero), settings);
    search.new_game(1);
    search.analyse(&Record::new(ConnectFour::EMPTY), Limits::playouts(200_000)).stats.playouts
}
