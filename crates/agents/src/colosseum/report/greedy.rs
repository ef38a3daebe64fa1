//! One ply with the report's evaluation, ties drawn by seed.

use colosseum::{Move, Position};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use search_core::{Analysis, Answer, Bot, BotFailure, Player, Score, Stats, Task, TurnBased, stream};

use super::moves::{MoveChoice, sorted_moves};
use super::random_walk::no_move;
use super::search::final_value;
use crate::colosseum::evaluation::{Cells, static_value};
use crate::colosseum::{CELLS, MOVES_ALL, cells_of, moves_of};
use crate::{BotInfo, Options, SpecError};

/// The bot `greedy`.
#[derive(Debug)]
pub struct Greedy {
    moves: MoveChoice,
    cells: Cells,
    rng: ChaCha8Rng,
}

impl Greedy {
    /// A bot that looks at these moves and sums over these cells.
    pub fn new(moves: MoveChoice, cells: Cells) -> Greedy {
        Greedy { moves, cells, rng: stream(0, "greedy") }
    }

    pub(crate) fn info() -> BotInfo<Position> {
        fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
            Ok(Box::new(Greedy::new(moves_of(options), cells_of(options))))
        }
        BotInfo {
            name: "greedy",
            about: "the best move by the report's evaluation after one ply; ties drawn by seed",
            options: vec![MOVES_ALL, CELLS],
            build,
        }
    }
}

impl Bot<Position> for Greedy {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = stream(seed, "greedy");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let position = task.record.position();
        let mut moves = sorted_moves(position, self.moves);
        if moves.is_empty() {
            // The tree is empty where the only way out leads to the opponent; there is exactly one legal move then.
            moves = sorted_moves(position, MoveChoice::All);
        }
        let value = |mv: Move| {
            let next = position.after(mv);
            -final_value(&next).unwrap_or_else(|| static_value(&next, self.cells))
        };
        let values: Vec<i32> = moves.iter().map(|&mv| value(mv)).collect();
        let best = values.iter().copied().max().ok_or_else(no_move)?;
        let mut ties: Vec<Move> =
            moves.iter().zip(&values).filter(|&(_, &value)| value == best).map(|(&mv, _)| mv).collect();
        let mv = ties.swap_remove(self.rng.random_range(0..ties.len()));
        let count = moves.len() as u64;
        let analysis = Analysis {
            best: Some(mv),
            score: Score::new(best),
            pv: vec![mv],
            depth: 1,
            stats: Stats { nodes: count + 1, evaluations: count, ..Stats::default() },
            ..Analysis::default()
        };
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}
