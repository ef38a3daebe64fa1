//! One ply with the report's evaluation, ties drawn by seed.

use colosseum::{Move, Position};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use search_core::{Analysis, Answer, Score, Stats, Task, TurnBased};

use super::moves::{MoveChoice, sorted_moves};
use super::search::final_value;
use crate::BotInfo;
use crate::colosseum::evaluation::{Cells, static_value};
use crate::colosseum::{CELLS, MOVES};
use crate::generic::Reflex;

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "greedy",
        "the best move by the report's evaluation after one ply; ties drawn by seed",
        |options| {
            let (moves, cells) = (options.get(&MOVES), options.get(&CELLS));
            Ok(Box::new(Reflex::new("greedy", move |task: &Task<'_, Position>, rng: &mut ChaCha8Rng| {
                choose(task.record.position(), moves, cells, rng)
            })))
        },
    )
    .with(&[&MOVES, &CELLS])
}

fn choose(
    position: &Position,
    choice: MoveChoice,
    cells: Cells,
    rng: &mut ChaCha8Rng,
) -> Option<Answer<Move>> {
    let mut moves = sorted_moves(position, choice);
    if moves.is_empty() {
        // The tree is empty where the only way out leads to the opponent; there is exactly one legal move then.
        moves = sorted_moves(position, MoveChoice::All);
    }
    let value = |mv: Move| {
        let next = position.after(mv);
        -final_value(&next).unwrap_or_else(|| static_value(&next, cells))
    };
    let values: Vec<i32> = moves.iter().map(|&mv| value(mv)).collect();
    let best = values.iter().copied().max()?;
    let mut ties: Vec<Move> =
        moves.iter().zip(&values).filter(|&(_, &value)| value == best).map(|(&mv, _)| mv).collect();
    let mv = ties.swap_remove(rng.random_range(0..ties.len()));
    let count = moves.len() as u64;
    let analysis = Analysis {
        best: Some(mv),
        score: Score::new(best),
        pv: vec![mv],
        depth: 1,
        stats: Stats { nodes: count + 1, evaluations: count, ..Stats::default() },
        ..Analysis::default()
    };
    Some(Answer { mv, analysis: Some(analysis) })
}
