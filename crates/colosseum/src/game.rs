//! The legal moves as sets, and the contract of a game.

use rand::{Rng, RngExt};
use search_core::{Active, End, Game, MoveSink, Outcome, Paint, Player, TurnBased, fold};
use smallvec::SmallVec;

use crate::position::{NARROW, with_grid};
use crate::{Bits, Grid, Move, Position, Setup, Side, Wide};

/// An upper bound of the number of moves: four sides of every cell within six steps.
pub(crate) const MAX_MOVES: usize = 4 * 85;

impl Position {
    /// Where `player` could walk to now, its own cell included, were it its turn.
    #[inline(always)]
    pub(crate) fn destinations<B: Bits>(&self, grid: &Grid<B>, player: Player) -> B {
        let start = B::of(self.cell(player));
        grid.reach(start, B::of(self.cell(player.opponent())), self.max_steps().into())
    }

    /// For every side the cells on which `player` may end a move that closes it.
    #[inline(always)]
    fn move_sets<B: Bits>(&self, grid: &Grid<B>, player: Player) -> [B; 4] {
        let destinations = self.destinations(grid, player);
        Side::ALL.map(|side| destinations & grid.open(side))
    }

    #[inline(always)]
    fn may_move(&self, player: Player) -> bool {
        self.to_move == player && !self.is_over()
    }
}

impl Game for Position {
    const NAME: &'static str = "colosseum";

    type Move = Move;
    type Turn = Move;
    type Moves = SmallVec<[Move; MAX_MOVES]>;
    type Setup = Setup;

    fn initial(setup: &Setup, seed: u64) -> Self {
        setup.draw(seed)
    }

    #[inline]
    fn active(&self) -> Active {
        Active::One(self.to_move)
    }

    /// Side by side (up, right, down, left), in each the destinations by rows, then columns.
    #[inline]
    fn moves_of<S: MoveSink<Move>>(&self, player: Player, sink: &mut S) {
        if !self.may_move(player) {
            return;
        }
        with_grid!(self, grid => {
            push_moves(&self.move_sets(&grid, player), sink);
        });
    }

    #[inline]
    fn play_turn(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()), "{mv} in {self}");
        if self.size <= NARROW {
            self.place::<u64>(mv);
        } else {
            self.place::<Wide>(mv);
        }
    }

    #[inline]
    fn end(&self) -> Option<End> {
        let [one, two] = self.scores()?;
        let outcome = match one.cmp(&two) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::One),
            std::cmp::Ordering::Less => Outcome::Win(Player::Two),
            std::cmp::Ordering::Equal => Outcome::Draw,
        };
        Some(End::by_rule(outcome, "separated"))
    }

    /// Computed on demand from the words of the position: playouts and perft never ask, and it costs a search less than
    /// carrying a running key through every copy.
    #[inline]
    fn key(&self) -> u64 {
        let facts = (self.cells[0].index() as u64)
            | (self.cells[1].index() as u64) << 8
            | (self.size as u64) << 16
            | (self.to_move as u64) << 24;
        let mut key = fold(self.right[0] ^ 0x9e37_79b9_7f4a_7c15, self.down[0] ^ 0xd1b5_4a32_d192_ed03);
        if self.size > NARROW {
            key ^= fold(self.right[1] ^ 0xaef1_7502_108e_f2d9, self.down[1] ^ 0x8cb9_2ba7_2f3d_8dd7);
            key = key.rotate_left(23);
            key ^= fold(self.right[2] ^ 0xf135_7aea_2e62_a9c5, self.down[2] ^ 0xe703_7ed1_a0b4_28db);
        }
        fold(key ^ 0x8ebc_6af0_9c88_c6e3, facts ^ 0x5896_36e8_1e3b_5d31)
    }

    fn key_text(&self) -> String {
        Position { plies: 0, ..*self }.to_string()
    }

    fn picture(&self, paint: Paint) -> String {
        crate::picture::draw(self, paint)
    }

    #[inline]
    fn move_count(&self, player: Player) -> usize {
        if !self.may_move(player) {
            return 0;
        }
        with_grid!(self, grid => self.move_sets(&grid, player).iter().map(|set| set.count() as usize).sum())
    }

    #[inline]
    fn nth_move(&self, player: Player, index: usize) -> Option<Move> {
        if !self.may_move(player) {
            return None;
        }
        with_grid!(self, grid => pick(&self.move_sets(&grid, player), |_| u32::try_from(index).ok()))
    }

    #[inline]
    fn sample<R: Rng>(&self, player: Player, rng: &mut R) -> Option<Move> {
        if !self.may_move(player) {
            return None;
        }
        with_grid!(self, grid => {
            pick(&self.move_sets(&grid, player), |count| (count > 0).then(|| rng.random_range(0..count)))
        })
    }

    #[inline]
    fn is_legal(&self, player: Player, mv: Move) -> bool {
        self.to_move == player && self.check(mv).is_ok()
    }
}

impl TurnBased for Position {
    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }
}

/// Hands the moves of every side to a sink, a machine word at a time.
#[inline(always)]
fn push_moves<B: Bits>(sets: &[B; 4], sink: &mut impl MoveSink<Move>) {
    for (side, set) in Side::ALL.into_iter().zip(sets) {
        for index in 0..B::WORDS {
            let cells = set.word(index);
            sink.push_set(cells.len(), cells.map(|cell| Move { cell, side }));
        }
    }
}

/// The move whose number `choose` says when told how many there are; `None` beyond the last one.
#[inline(always)]
fn pick<B: Bits>(sets: &[B; 4], choose: impl FnOnce(u32) -> Option<u32>) -> Option<Move> {
    let counts = sets.map(Bits::count);
    let mut index = choose(counts.iter().sum())?;
    for ((side, set), count) in Side::ALL.into_iter().zip(sets).zip(counts) {
        if index < count {
            return Some(Move { cell: set.nth(index), side });
        }
        index -= count;
    }
    None
}
