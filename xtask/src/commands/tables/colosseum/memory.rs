//! How large the tree of Monte Carlo tree search grows, against the contest's limit of 500 MB.

use agents::colosseum::{Listed, MoveChoice, Room};
use colosseum::Position;
use search_core::{HookSet, Hooks, Limits, Mcts, MctsSettings, Record, Search};

use super::{SIZES, start};
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::Verdict;
use crate::commands::tables::{Effort, Section};

const LIMIT: u64 = 500_000_000;
/// "A few" iterations, read generously.
const FEW: f64 = 1_000.0;

/// What a tree of one board size takes.
struct Growth {
    size: u8,
    /// Nodes that the tree gains for a playout.
    nodes: f64,
    /// Bytes of such a node.
    bytes: u64,
    /// Bytes of a node that keeps its board, four walls a cell at a byte each, as a program of arrays would.
    with_board: u64,
}

impl Growth {
    fn playouts_to_limit(&self, bytes: u64) -> f64 {
        LIMIT as f64 / (bytes as f64 * self.nodes.max(1e-9))
    }
}

pub(super) fn section(effort: Effort) -> Section {
    let playouts = effort.pick(1_000, 50_000);
    let growths: Vec<Growth> = SIZES
        .map(|size| {
            let hooks = Hooks::new(Room::default()).with_prune(Listed(MoveChoice::All));
            let settings = MctsSettings { memory_bytes: LIMIT as usize, ..MctsSettings::uct() };
            let mut search = Mcts::new(hooks, settings);
            search.new_game(1);
            let analysis = search.analyse(&Record::new(start(size, 0)), Limits::playouts(playouts));
            let nodes = search.tree_nodes() as f64 / analysis.stats.playouts.max(1) as f64;
            let bytes = node_bytes(&search) as u64;
            Growth { size, nodes, bytes, with_board: bytes + 4 * u64::from(size).pow(2) }
        })
        .collect();
    let mut section = Section::claims(
        "Memory of Monte Carlo tree search against 500 MB",
        &format!(
            "The tree of plain UCT with all moves after {playouts} playouts from a start. Our tree has a fixed size and gives up its \
             least visited parts when that is full, so it stays below any limit that is set; here is how many playouts fill 500 MB if \
             everything is kept, in our nodes and in nodes that each hold the board as an array of bytes. A few iterations are read as \
             {FEW:.0} at most."
        ),
    );
    for growth in &growths {
        let ours = growth.playouts_to_limit(growth.bytes);
        let arrays = growth.playouts_to_limit(growth.with_board);
        section.claim(
            "With large boards the tree rapidly exceeds the memory, after a few iterations",
            Source::Report,
            format!("M = {}", growth.size),
            format!(
                "{:.1} nodes a playout; {:.2} million playouts with {} bytes a node, {:.2} million with {}",
                growth.nodes,
                ours / 1e6,
                growth.bytes,
                arrays / 1e6,
                growth.with_board
            ),
            Verdict::of(arrays <= FEW),
        );
    }
    if let [first, .., last] = &growths[..] {
        let ratio = first.playouts_to_limit(first.with_board) / last.playouts_to_limit(last.with_board);
        section.claim(
            "Larger boards reach it sooner",
            Source::Report,
            format!(
                "playouts to 500 MB with boards in the nodes, M = {} against M = {}",
                first.size, last.size
            ),
            format!("{ratio:.1} times as many"),
            Verdict::of(ratio > 1.0),
        );
    }
    section
}

/// The bytes of a node in the tree of this search.
fn node_bytes<H: HookSet<Position>>(_: &Mcts<Position, H>) -> usize {
    Mcts::<Position, H>::node_bytes()
}
