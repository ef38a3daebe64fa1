//! The value of a node: bounds by serialized alpha-beta, then a matrix game by double oracle.

use std::marker::PhantomData;

use super::SimultaneousSettings;
use super::memo::{Kind, Memo, Value};
use crate::matrix::{Matrix, Solver};
use crate::search::budget::Budget;
use crate::search::hooks::searched_moves;
use crate::search::path::{Arrival, Path};
use crate::{Ends, Evaluate, HookSet, Order, Outcome, Player, Prune, Score, Simultaneous, Stats};

/// One running search. All values are those of the first player.
pub(super) struct Worker<'a, G: Simultaneous, H> {
    pub(super) hooks: &'a H,
    pub(super) settings: &'a SimultaneousSettings,
    pub(super) memo: &'a mut Memo,
    pub(super) path: Path,
    pub(super) budget: Budget<'a>,
    pub(super) stats: Stats,
    pub(super) solver: Solver,
    /// Whether something below the node in hand was judged or left out instead of searched to the end.
    pub(super) horizon: bool,
    pub(super) game: PhantomData<fn() -> G>,
}

/// Strategies as places in the move lists with their probabilities, the value, and how far off it may be.
pub(super) struct Equilibrium {
    pub(super) strategies: [Vec<(usize, f64)>; 2],
    pub(super) value: f64,
    pub(super) gap: f64,
    /// The values of the pairs of moves in `strategies`, row by row.
    pub(super) payoffs: Vec<Vec<f64>>,
}

/// What is known of one pair of moves.
#[derive(Clone, Copy)]
struct Cell {
    low: f64,
    high: f64,
    bounded: bool,
}

impl Cell {
    fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// The matrix of a node, filled in as far as needed.
struct Grid {
    columns: usize,
    cells: Vec<Cell>,
}

impl<G: Simultaneous, H: HookSet<G>> Worker<'_, G, H> {
    /// The moves of both players that are searched, most promising first.
    pub(super) fn move_lists(&mut self, position: &G) -> [Vec<G::Move>; 2] {
        let prune = self.hooks.prune();
        Player::BOTH.map(|player| {
            let list = searched_moves(prune, position, player);
            let moves = list.as_ref();
            // A pruning that leaves nothing out takes nothing from a proof.
            self.horizon = self.horizon || prune.is_active() && moves.len() < position.move_count(player);
            let order = self.hooks.order();
            if !order.is_active() {
                return moves.to_vec();
            }
            let mut ranks = vec![0; moves.len()];
            order.rank_all(position, player, moves, &mut ranks);
            let mut places: Vec<usize> = (0..moves.len()).collect();
            places.sort_by_key(|&place| std::cmp::Reverse(ranks[place]));
            places.into_iter().map(|place| moves[place]).collect()
        })
    }

    /// The same below the root.
    fn inner_lists(&mut self, position: &G) -> [Vec<G::Move>; 2] {
        let width =
            if self.settings.stages.is_empty() { usize::MAX } else { self.settings.inner_width.max(1) };
        self.move_lists(position).map(|mut list| {
            self.horizon |= list.len() > width;
            list.truncate(width);
            list
        })
    }

    /// The value of a position `depth` turns deep.
    fn solve(&mut self, position: &G, depth: u32) -> f64 {
        self.stats.nodes += 1;
        if self.budget.must_stop(self.stats.nodes) {
            return 0.0;
        }
        if let Some(value) = self.settled(position, depth) {
            return value;
        }
        let remembers = self.remembers(position, depth);
        let key = position.key();
        if remembers && let Some(value) = self.recall(key, depth, Kind::Game) {
            return value;
        }
        let elsewhere = std::mem::take(&mut self.horizon);
        let value = self.open_value(position, depth);
        if remembers && self.budget.stopped().is_none() {
            self.memo.put(key, depth, Kind::Game, Value { value, open: self.horizon });
        }
        self.horizon |= elsewhere;
        value
    }

    /// A value that the table holds; what was open below it still is.
    fn recall(&mut self, key: u64, depth: u32, kind: Kind) -> Option<f64> {
        let Value { value, open } = self.memo.get(key, depth, kind)?;
        self.stats.table_hits += 1;
        self.horizon |= open;
        Some(value)
    }

    /// The value of a position that goes on.
    fn open_value(&mut self, position: &G, depth: u32) -> f64 {
        if self.settings.serialized_bounds && depth > 1 {
            let low = self.serial(position, depth, (f64::NEG_INFINITY, f64::INFINITY), Player::One);
            let high = self.serial(position, depth, (f64::NEG_INFINITY, f64::INFINITY), Player::Two);
            if high - low <= self.settings.tolerance || self.budget.stopped().is_some() {
                return low;
            }
        }
        let lists = self.inner_lists(position);
        let key = self.path.key_of(position);
        if let Some(key) = key {
            self.path.push(key);
        }
        let value = self.equilibrium(position, depth, &lists).value;
        if key.is_some() {
            self.path.pop();
        }
        value
    }

    /// The value of a position that is finished, repeated, or at the horizon.
    fn settled(&mut self, position: &G, depth: u32) -> Option<f64> {
        match self.path.arrive(position) {
            Arrival::Ended(end) => Some(match self.settings.ends {
                Ends::Outcome => f64::from(end.outcome.sign(Player::One)),
                Ends::Utility => f64::from(position.utility(Player::One)),
            }),
            Arrival::Repeated(end) => {
                // A draw in this search; by the rules perhaps not yet, and on another line not at all, unless the turns run
                // out here and that is a draw too.
                self.horizon |= end.is_none_or(|end| end.outcome != Outcome::Draw);
                Some(0.0)
            }
            Arrival::Open(_) => (depth == 0).then(|| {
                self.horizon = true;
                self.stats.evaluations += 1;
                self.settings.judge(self.hooks.evaluate().evaluate(position, Player::One))
            }),
        }
    }

    /// Whether values of this position may be remembered: not where a cap on the turns, which the key leaves out, lies
    /// within the depth.
    fn remembers(&self, position: &G, depth: u32) -> bool {
        self.settings.table_bytes > 0 && position.turns_left().is_none_or(|turns| turns > depth)
    }

    /// The value of the game in which `leader` shows each move before the other chooses: alpha-beta over pairs of
    /// moves. Exact within the window, else a bound.
    fn serial(&mut self, position: &G, depth: u32, window: (f64, f64), leader: Player) -> f64 {
        self.stats.nodes += 1;
        if self.budget.must_stop(self.stats.nodes) {
            return 0.0;
        }
        if let Some(value) = self.settled(position, depth) {
            return value;
        }
        let kind = if leader == Player::One { Kind::FirstLeads } else { Kind::SecondLeads };
        let remembers = self.remembers(position, depth);
        let position_key = position.key();
        if remembers && let Some(value) = self.recall(position_key, depth, kind) {
            return value;
        }
        let elsewhere = std::mem::take(&mut self.horizon);
        let lists = self.inner_lists(position);
        let key = self.path.key_of(position);
        if let Some(key) = key {
            self.path.push(key);
        }
        // Seen from the leader, who maximises.
        let sign = if leader == Player::One { 1.0 } else { -1.0 };
        let (mut alpha, beta) = if leader == Player::One { window } else { (-window.1, -window.0) };
        let start = alpha;
        let discount = self.settings.discount;
        let mut best = f64::NEG_INFINITY;
        'moves: for &shown in &lists[leader.index()] {
            let mut worst = f64::INFINITY;
            for &answer in &lists[leader.opponent().index()] {
                let turn = if leader == Player::One { [shown, answer] } else { [answer, shown] };
                let (low, high) = (alpha / discount, beta.min(worst) / discount);
                let inner = if leader == Player::One { (low, high) } else { (-high, -low) };
                let value = sign * discount * self.serial(&position.after(turn), depth - 1, inner, leader);
                if self.budget.stopped().is_some() {
                    break 'moves;
                }
                worst = worst.min(value);
                if worst <= alpha {
                    break;
                }
            }
            best = best.max(worst);
            alpha = alpha.max(worst);
            if alpha >= beta {
                self.stats.cutoffs += 1;
                break;
            }
        }
        if key.is_some() {
            self.path.pop();
        }
        if remembers && best > start && best < beta && self.budget.stopped().is_none() {
            self.memo.put(position_key, depth, kind, Value { value: sign * best, open: self.horizon });
        }
        self.horizon |= elsewhere;
        sign * best
    }

    /// Solves the matrix game of a position: a part of it that grows by best responses until there are none.
    pub(super) fn equilibrium(&mut self, position: &G, depth: u32, lists: &[Vec<G::Move>; 2]) -> Equilibrium {
        let counts = [lists[0].len(), lists[1].len()];
        let unknown = Cell { low: f64::NEG_INFINITY, high: f64::INFINITY, bounded: false };
        let mut grid = Grid { columns: counts[1], cells: vec![unknown; counts[0] * counts[1]] };
        let mut chosen: [Vec<usize>; 2] = if self.settings.double_oracle {
            [vec![0], vec![0]]
        } else {
            counts.map(|count| (0..count).collect())
        };
        let nothing =
            Equilibrium { strategies: [Vec::new(), Vec::new()], value: 0.0, gap: 0.0, payoffs: Vec::new() };
        if grid.cells.is_empty() {
            return nothing;
        }
        loop {
            for &row in &chosen[0] {
                for &column in &chosen[1] {
                    self.fill(position, depth, lists, &mut grid, row, column);
                    if self.budget.stopped().is_some() {
                        return nothing;
                    }
                }
            }
            let part = Matrix::from_fn(chosen[0].len(), chosen[1].len(), |row, column| {
                grid.cells[chosen[0][row] * grid.columns + chosen[1][column]].low
            });
            let solution = self.solver.solve(&part);
            let shares = [&solution.row, &solution.column];
            let strategies = [0, 1].map(|side| {
                chosen[side].iter().copied().zip(shares[side].iter().copied()).collect::<Vec<(usize, f64)>>()
            });
            let mut found = false;
            for side in Player::BOTH {
                let against = &strategies[side.opponent().index()];
                let taken = &chosen[side.index()];
                let news =
                    self.response(position, depth, lists, &mut grid, side, against, taken, solution.value);
                if self.budget.stopped().is_some() {
                    return nothing;
                }
                found |= news.is_some();
                chosen[side.index()].extend(news);
            }
            if !found {
                // A best response that gains less than the tolerance was not added.
                let slack = if self.settings.double_oracle { 2.0 * self.settings.tolerance } else { 0.0 };
                let payoffs = (0..part.rows()).map(|row| part.row(row).to_vec()).collect();
                return Equilibrium { strategies, value: solution.value, gap: solution.gap + slack, payoffs };
            }
        }
    }

    /// The best move of one side that is not `taken` yet against a mixed strategy of the other, if it is better than
    /// `value`. Moves whose bounds show that they are not are never searched.
    #[expect(
        clippy::too_many_arguments,
        reason = "a node's state, spread out so that the grid alone is borrowed"
    )]
    fn response(
        &mut self,
        position: &G,
        depth: u32,
        lists: &[Vec<G::Move>; 2],
        grid: &mut Grid,
        side: Player,
        against: &[(usize, f64)],
        taken: &[usize],
        value: f64,
    ) -> Option<usize> {
        let sign = if side == Player::One { 1.0 } else { -1.0 };
        let pair = |own: usize, other: usize| if side == Player::One { (own, other) } else { (other, own) };
        let mut bar = sign * value + self.settings.tolerance;
        let mut best = None;
        for place in (0..lists[side.index()].len()).filter(|place| !taken.contains(place)) {
            let hope = |grid: &Grid| {
                let mut sum = 0.0;
                for &(other, share) in against.iter().filter(|&&(_, share)| share > 0.0) {
                    let (row, column) = pair(place, other);
                    let cell = grid.cells[row * grid.columns + column];
                    sum += share * if side == Player::One { cell.high } else { -cell.low };
                }
                sum
            };
            // First the cheap look at each pair, then the full one, and only while there is hope.
            let mut looks = Vec::new();
            if self.settings.serialized_bounds && depth > 1 {
                looks.extend(against.iter().map(|&(other, share)| (other, share, false)));
            }
            looks.extend(against.iter().map(|&(other, share)| (other, share, true)));
            let mut open = hope(grid) > bar;
            for (other, share, fully) in looks {
                if !open {
                    break;
                }
                if share <= 0.0 {
                    continue;
                }
                let (row, column) = pair(place, other);
                if fully {
                    self.fill(position, depth, lists, grid, row, column);
                } else {
                    self.bound(position, depth, lists, grid, row, column);
                }
                if self.budget.stopped().is_some() {
                    return None;
                }
                open = hope(grid) > bar;
            }
            if open {
                bar = hope(grid);
                best = Some(place);
            }
        }
        best
    }

    /// Makes the value of a pair of moves exact.
    fn fill(
        &mut self,
        position: &G,
        depth: u32,
        lists: &[Vec<G::Move>; 2],
        grid: &mut Grid,
        row: usize,
        column: usize,
    ) {
        let cell = &mut grid.cells[row * grid.columns + column];
        if !cell.is_exact() {
            let next = position.after([lists[0][row], lists[1][column]]);
            let value = self.settings.discount * self.solve(&next, depth - 1);
            *cell = Cell { low: value, high: value, bounded: true };
        }
    }

    /// Bounds the value of a pair of moves by the two serialized games.
    fn bound(
        &mut self,
        position: &G,
        depth: u32,
        lists: &[Vec<G::Move>; 2],
        grid: &mut Grid,
        row: usize,
        column: usize,
    ) {
        let cell = &mut grid.cells[row * grid.columns + column];
        if !cell.bounded {
            let next = position.after([lists[0][row], lists[1][column]]);
            let all = (f64::NEG_INFINITY, f64::INFINITY);
            let low = self.settings.discount * self.serial(&next, depth - 1, all, Player::One);
            let high = self.settings.discount * self.serial(&next, depth - 1, all, Player::Two);
            *cell = Cell { low, high: high.max(low), bounded: true };
        }
    }
}

impl SimultaneousSettings {
    /// What a score of the evaluation is worth.
    fn judge(&self, score: Score) -> f64 {
        match self.ends {
            Ends::Utility => f64::from(score.value()),
            Ends::Outcome => score.share_of_a_win(self.half_win),
        }
    }
}
