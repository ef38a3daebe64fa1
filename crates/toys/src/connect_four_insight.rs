//! What can be proven of a position of Connect Four at a glance, for the solver.

use search_core::{Insight, Known, RankedMove, RankedMoves, Score};

use crate::connect_four::{Board, Column};

/// Threats and their parries, lines nobody can complete any more, the follow-up strategy, and mirrored boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Threats;

/// Where lines can be completed, whether or not a stone can drop there yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Completing {
    /// By the player to move.
    own: u64,
    /// By the other one.
    opposing: u64,
}

impl<const WIDTH: usize, const HEIGHT: usize> Insight<Board<WIDTH, HEIGHT>> for Threats {
    type Passed = Completing;

    const KEY_BITS: u32 = (WIDTH * (HEIGHT + 1)) as u32;
    const LONGEST: u32 = (WIDTH * HEIGHT) as u32;
    // A win at once is seen, and the last stones are a draw.
    const SEES_ENDS: bool = true;
    const LEARNS: bool = false;

    /// The smaller of the position's word and its mirror image's, while mirror images are met at all often.
    #[inline]
    fn key(&self, position: &Board<WIDTH, HEIGHT>) -> u64 {
        if position.stones() > 14 { position.word() } else { position.mirrored_word() }
    }

    #[inline]
    fn study(
        &self,
        position: &Board<WIDTH, HEIGHT>,
        passed: Option<Completing>,
        moves: &mut RankedMoves<Column, Completing>,
    ) -> Known {
        let (own, opposing) = (position.mover(), position.waiting());
        let all = own | opposing;
        let landing = Board::<WIDTH, HEIGHT>::landing_cells(all);
        // A move that was listed leaves the opponent neither a win at once nor lost.
        let completing = if let Some(passed) = passed {
            passed
        } else {
            let completing = Completing {
                own: Board::<WIDTH, HEIGHT>::completions(own, all),
                opposing: Board::<WIDTH, HEIGHT>::completions(opposing, all),
            };
            if completing.own & landing != 0 {
                return Known::exactly(Score::win_in(1));
            }
            if is_lost(completing.opposing, landing) {
                return Known::exactly(Score::loss_in(2));
            }
            completing
        };
        let left = (WIDTH * HEIGHT) as u32 - position.stones();
        if left < 3 {
            return Known::exactly(Score::DRAW);
        }
        let mut known =
            Known { lower: if left < 4 { Score::DRAW } else { Score::loss_in(4) }, upper: Score::win_in(3) };
        let cells = safe_cells(completing.opposing, landing);
        let free = Board::<WIDTH, HEIGHT>::FULL & !all;
        // While more than half of the board is free somebody still can.
        if 2 * left < (WIDTH * HEIGHT) as u32 {
            if !Board::<WIDTH, HEIGHT>::connects_four(own | free) {
                known.upper = Score::DRAW;
            }
            if !Board::<WIDTH, HEIGHT>::connects_four(opposing | free) {
                known.lower = Score::DRAW;
            }
        }
        if HEIGHT.is_multiple_of(2) {
            follow_up::<WIDTH, HEIGHT>(own, opposing, left, &mut known);
        }
        for column in Board::<WIDTH, HEIGHT>::from_the_middle() {
            let stone = cells & Board::<WIDTH, HEIGHT>::cells_of(column);
            if stone == 0 {
                continue;
            }
            let next = Completing {
                own: completing.opposing & !stone,
                opposing: Board::<WIDTH, HEIGHT>::completions(own | stone, all | stone),
            };
            let landing = Board::<WIDTH, HEIGHT>::landing_cells(all | stone);
            if is_lost(next.opposing, landing) {
                return Known::exactly(Score::win_in(3));
            }
            moves.push(RankedMove {
                mv: column,
                rank: next.opposing.count_ones() as i32,
                passed: next,
                forced: next.opposing & landing != 0,
            });
        }
        // No move leaves the opponent lost.
        known.upper = known.upper.min(if left < 5 { Score::DRAW } else { Score::win_in(5) });
        known
    }
}

/// Where a stone can drop without letting the opponent, who threatens these cells, win at once.
#[inline]
fn safe_cells(threats: u64, landing: u64) -> u64 {
    let forced = threats & landing;
    // A stone below a threat lets the opponent complete the line.
    if forced == 0 { landing & !(threats >> 1) } else { forced & !(threats >> 1) }
}

/// Whether the player to move loses against these threats whatever comes: two of them at once, or no safe cell.
#[inline]
fn is_lost(threats: u64, landing: u64) -> bool {
    let forced = threats & landing;
    forced & forced.wrapping_sub(1) != 0 || safe_cells(threats, landing) == 0
}

/// Where an even number of cells is free in every column, the player who is not to move can answer every stone with one on top
/// of it, and so gets all cells of the even rows, the mover those of the odd ones. With one odd column, the mover can begin
/// there and do the same.
#[inline]
fn follow_up<const WIDTH: usize, const HEIGHT: usize>(own: u64, opposing: u64, left: u32, known: &mut Known) {
    let all = own | opposing;
    let odd_rows = Board::<WIDTH, HEIGHT>::BOTTOM * const { odd_bits(HEIGHT) };
    // Landing cells on even rows stand over an odd number of stones.
    let odd_columns = Board::<WIDTH, HEIGHT>::landing_cells(all) & !odd_rows;
    if odd_columns == 0 {
        let free = Board::<WIDTH, HEIGHT>::FULL & !all;
        if !Board::<WIDTH, HEIGHT>::connects_four(own | free & odd_rows) {
            let wins = Board::<WIDTH, HEIGHT>::connects_four(opposing | free & !odd_rows);
            known.upper = known.upper.min(if wins { Score::loss_in(left) } else { Score::DRAW });
        }
    } else if odd_columns.is_power_of_two() {
        let free = Board::<WIDTH, HEIGHT>::FULL & !(all | odd_columns);
        if !Board::<WIDTH, HEIGHT>::connects_four(opposing | free & odd_rows) {
            let wins = Board::<WIDTH, HEIGHT>::connects_four(own | odd_columns | free & !odd_rows);
            known.lower = known.lower.max(if wins { Score::win_in(left) } else { Score::DRAW });
        }
    }
}

const fn odd_bits(height: usize) -> u64 {
    let (mut bits, mut row) = (0, 0);
    while row < height {
        bits |= 1 << row;
        row += 2;
    }
    bits
}
