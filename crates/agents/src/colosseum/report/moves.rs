//! The two move lists of the report: the edges of one breadth-first tree, as its program makes them, and all legal moves,
//! as its text says; and the order in which both are searched.

use colosseum::{Bits, Cell, Grid, Move, Position, Side, Visitor};
use search_core::{Player, TurnBased};
use smallvec::SmallVec;

/// Moves of one node, sorted.
pub type NodeMoves = SmallVec<[Move; 340]>;

/// Which moves a search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MoveChoice {
    /// The edges of one breadth-first tree: 27 to 43 % of the legal moves.
    #[default]
    Tree,
    /// Every legal move.
    All,
}

/// The moves of the player to move in the order of the report: by the straight-line distance between destination and
/// opponent, nearest first, else as breadth-first search finds them. Empty if the game is over, and, with
/// [`MoveChoice::Tree`], if the only way out leads to the opponent.
pub fn sorted_moves(position: &Position, choice: MoveChoice) -> NodeMoves {
    let mut moves = generated_moves(position, choice);
    let opponent = position.cell(position.to_move().opponent());
    // The place in the list makes every key different, so an unstable sort keeps the order of equals.
    let mut keys: SmallVec<[u32; 340]> = moves
        .iter()
        .zip(0_u32..)
        .map(|(mv, index)| squared_distance(mv.cell, opponent) << 16 | index)
        .collect();
    keys.sort_unstable();
    let unsorted = moves.clone();
    for (slot, key) in moves.iter_mut().zip(keys) {
        *slot = unsorted[(key & 0xffff) as usize];
    }
    moves
}

/// The moves of the player to move as breadth-first search finds them, sides in the order up, right, down, left.
pub fn generated_moves(position: &Position, choice: MoveChoice) -> NodeMoves {
    if position.is_over() {
        return NodeMoves::new();
    }
    position.visit(Generate { player: position.to_move(), choice })
}

/// The square of the straight-line distance of two cells; walls play no part.
pub fn squared_distance(a: Cell, b: Cell) -> u32 {
    let (rows, columns) = (a.row().abs_diff(b.row()), a.column().abs_diff(b.column()));
    u32::from(rows).pow(2) + u32::from(columns).pow(2)
}

struct Generate {
    player: Player,
    choice: MoveChoice,
}

impl Visitor for Generate {
    type Output = NodeMoves;

    fn visit<B: Bits>(self, grid: Grid<B>, position: &Position) -> NodeMoves {
        let longest = position.max_steps();
        let start = position.cell(self.player);
        let opponent = B::of(position.cell(self.player.opponent()));
        let open = Side::ALL.map(|side| grid.open(side));
        let mut moves = NodeMoves::new();
        let mut seen = B::of(start);
        // No more than 85 cells lie within six steps.
        let mut queue: SmallVec<[(Cell, u8); 96]> = SmallVec::new();
        queue.push((start, 0));
        let mut next = 0;
        while let Some(&(cell, steps)) = queue.get(next) {
            next += 1;
            if steps == longest && self.choice == MoveChoice::Tree {
                // Cells come by rising distance: all the others are as far away.
                break;
            }
            let here = B::of(cell);
            for (side, open) in Side::ALL.into_iter().zip(open) {
                if !open.meets(here) {
                    continue;
                }
                let beyond = match side {
                    Side::Up => here.up(),
                    Side::Right => here.right(),
                    Side::Down => here.down(),
                    Side::Left => here.left(),
                };
                let fresh = !(seen | opponent).meets(beyond);
                if self.choice == MoveChoice::All || fresh {
                    moves.push(Move::new(cell, side));
                }
                if fresh && steps < longest {
                    seen = seen | beyond;
                    queue.push((beyond.nth(0), steps + 1));
                }
            }
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colosseum::{Edition, Setup};
    use search_core::{Game, stream};

    fn random_positions() -> impl Iterator<Item = Position> {
        (6..=12).flat_map(|size| {
            (0..4).flat_map(move |seed| {
                let setup = Setup::new(size, Edition::default()).expect("a size in range");
                let mut rng = stream(seed, "positions");
                let mut positions = vec![Position::initial(&setup, seed)];
                while let Some(mv) = positions.last().and_then(|last| last.sample(last.to_move(), &mut rng)) {
                    positions.extend(positions.last().map(|last| last.after(mv)));
                }
                positions
            })
        })
    }

    #[test]
    fn all_means_all_legal_moves_and_the_tree_has_one_edge_for_each_cell() {
        for position in random_positions() {
            let mover = position.to_move();
            let mut all: Vec<Move> = sorted_moves(&position, MoveChoice::All).to_vec();
            let mut legal: Vec<Move> = position.move_list(mover).to_vec();
            all.sort_unstable();
            legal.sort_unstable();
            assert_eq!(all, legal, "{position}");
            if !position.is_over() {
                let tree = sorted_moves(&position, MoveChoice::Tree);
                let cells = position.reachable(mover, position.max_steps().into()).len();
                assert_eq!(tree.len(), cells - 1, "{position}");
                assert!(tree.iter().all(|mv| legal.contains(mv)), "{position}");
            }
        }
    }

    #[test]
    fn the_order_is_by_distance_and_stable() {
        for position in random_positions() {
            for choice in [MoveChoice::Tree, MoveChoice::All] {
                let opponent = position.cell(position.to_move().opponent());
                let mut expected = generated_moves(&position, choice).to_vec();
                expected.sort_by_key(|mv| squared_distance(mv.cell, opponent));
                assert_eq!(sorted_moves(&position, choice).to_vec(), expected);
            }
        }
    }
}
