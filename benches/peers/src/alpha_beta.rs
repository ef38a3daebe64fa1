//! Alpha-beta against the crate `minimax`: time to the same depth and value.

use benches::Comparison;
use benches::connect_four::ConnectFour;
use minimax::{IterativeOptions, IterativeSearch, Strategy};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Analysis, ByEvaluation, Game, Hooks, Limits, Record, Search, TurnBased,
};

use crate::games::{Lines, Ours, SeedsAndMoves, hus_score, lines_score};

/// What `minimax` is given, and we at most.
const TABLE_BYTES: usize = 16 << 20;

/// What pays in both games: the table from depth 2 on, and no counter-moves.
fn settings() -> AlphaBetaSettings {
    AlphaBetaSettings {
        table_bytes: TABLE_BYTES,
        table_from: 2,
        counter_moves: false,
        only_move: false,
        stop_when_proven: false,
        ..AlphaBetaSettings::default()
    }
}

/// Many lines of Connect Four meet in the same position: moves are best tried in much the same order everywhere, so
/// killers are off, and all moves are looked up before the first is searched. A game can end at any move, and there are
/// only seven of them. Half the table is enough and nearer.
fn our_connect_four(depth: u32) -> Analysis<<ConnectFour as Game>::Move> {
    let settings = AlphaBetaSettings {
        table_bytes: TABLE_BYTES / 2,
        killers: false,
        pair_history: true,
        enhanced_cutoffs: true,
        wins_first: true,
        depth_step: 3,
        ..settings()
    };
    let mut search = AlphaBeta::new(Hooks::new(lines_score), settings);
    search.analyse(&Record::new(ConnectFour::EMPTY), Limits::depth(depth))
}

/// Hus has many moves, and the evaluation itself says which to try first.
fn our_hus(depth: u32) -> Analysis<<hus::Position as Game>::Move> {
    let settings = AlphaBetaSettings { depth_step: 2, order_from: 3, ..settings() };
    let mut search = AlphaBeta::new(Hooks::new(hus_score).with_order(ByEvaluation(hus_score)), settings);
    search.analyse(&Record::new(hus::Position::start()), Limits::depth(depth))
}

/// The settings with which `minimax` was fastest in both games.
fn options() -> IterativeOptions {
    IterativeOptions::new()
        .with_table_byte_size(TABLE_BYTES)
        .with_countermoves()
        .with_countermove_history()
        .with_double_step_increment()
}

fn theirs<E, G>(evaluator: E, start: &G, depth: u32) -> i16
where
    E: minimax::Evaluator<G = Ours<G>> + Clone,
    G: TurnBased + Copy,
    G::Move: crate::games::Numbered,
{
    let mut search = IterativeSearch::new(evaluator, options());
    search.set_max_depth(depth as u8);
    search.choose_move(start);
    search.root_value()
}

fn their_connect_four(depth: u32) -> i16 {
    theirs(Lines, &ConnectFour::EMPTY, depth)
}

fn their_hus(depth: u32) -> i16 {
    theirs(SeedsAndMoves, &hus::Position::start(), depth)
}

/// The values and node counts of both, to be read by people.
pub fn print_values() {
    for depth in [10, 12, 14, 16, 18] {
        let ours = our_connect_four(depth);
        let time = std::time::Instant::now();
        let theirs = their_connect_four(depth);
        println!(
            "connect-four depth {depth}: ours {} in {} nodes, {:?} ({} hits, {}/{} first cutoffs); minimax {theirs}, {:?}",
            ours.score,
            ours.stats.nodes,
            ours.stats.time,
            ours.stats.table_hits,
            ours.stats.first_move_cutoffs,
            ours.stats.cutoffs,
            time.elapsed()
        );
    }
    for depth in [5, 7, 9] {
        let ours = our_hus(depth);
        let time = std::time::Instant::now();
        let theirs = their_hus(depth);
        println!(
            "hus depth {depth}: ours {} in {} nodes, {:?} ({}/{} first cutoffs); minimax {theirs}, {:?}",
            ours.score,
            ours.stats.nodes,
            ours.stats.time,
            ours.stats.first_move_cutoffs,
            ours.stats.cutoffs,
            time.elapsed()
        );
    }
}

/// The rows of this part.
pub fn rows() -> Vec<Comparison> {
    vec![
        Comparison::ratio(
            "search-connect-four-16",
            "alpha-beta from the empty board to depth 16",
            "searches",
            || our_connect_four(16).best.map_or(0, |_| 1),
            "minimax 0.6",
            || u64::from(their_connect_four(16) > i16::MIN),
            2.0,
        ),
        Comparison::ratio(
            "search-connect-four-18",
            "alpha-beta from the empty board to depth 18",
            "searches",
            || our_connect_four(18).best.map_or(0, |_| 1),
            "minimax 0.6",
            || u64::from(their_connect_four(18) > i16::MIN),
            2.0,
        ),
        Comparison::ratio(
            "search-hus-9",
            "alpha-beta from the start of Hus to depth 9",
            "searches",
            || our_hus(9).best.map_or(0, |_| 1),
            "minimax 0.6",
            || u64::from(their_hus(9) > i16::MIN),
            2.0,
        ),
    ]
}
