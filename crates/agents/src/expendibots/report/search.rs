//! The search of the authors' program, step by step: its move lists, the order of its map, its two faults.
//!
//! The board is a map that remembers the order in which squares were put in. Moves are made and unmade in place, which
//! puts squares at its end, so the order at deeper nodes depends on what was searched before; a boom works on a copy.

use ::expendibots::{Direction, Move, Position, Square, SquareSet};
use search_core::Player;
use smallvec::SmallVec;

use super::ordering_keys::{Keys, MovementMaps};
use super::token_ratio::{SCALE, ratio_of};

/// The squares of the board in the order in which the authors' program holds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MapOrder(SmallVec<[Square; 24]>);

impl MapOrder {
    /// `a1`, `a2`, .., `h8`.
    pub(crate) fn by_square(position: &Position) -> MapOrder {
        MapOrder(position.occupied().iter().collect())
    }

    /// The order in which the program sets up its board: ranks 2, 1, 8, 7, each from left to right.
    pub(crate) fn of_start(position: &Position) -> MapOrder {
        let ranks = [1, 0, 7, 6, 2, 3, 4, 5];
        let squares =
            ranks.into_iter().flat_map(|rank| (0..8).filter_map(move |file| Square::new(file, rank)));
        MapOrder(squares.filter(|&square| position.occupied().contains(square)).collect())
    }

    /// Any order, of which the squares that the position does not occupy are left out.
    pub(crate) fn from_squares(position: &Position, squares: impl IntoIterator<Item = Square>) -> MapOrder {
        MapOrder(squares.into_iter().filter(|&square| position.occupied().contains(square)).collect())
    }

    /// Plays a move that was legal in `before`.
    pub(crate) fn play(&mut self, before: &Position, mv: Move) {
        if mv.is_boom() {
            let gone = before.occupied().connected(mv.from().set());
            self.0.retain(|square| !gone.contains(*square));
        } else {
            if before.height(mv.to()) == 0 {
                self.0.push(mv.to());
            }
            if before.height(mv.from()) == mv.count() {
                self.remove(mv.from());
            }
        }
    }

    /// Takes a shift back that was played from `before`: the same in reverse, so an emptied origin ends up last.
    fn take_back(&mut self, before: &Position, mv: Move) {
        if before.height(mv.from()) == mv.count() {
            self.0.push(mv.from());
        }
        if before.height(mv.to()) == 0 {
            self.remove(mv.to());
        }
    }

    fn remove(&mut self, square: Square) {
        self.0.retain(|other| *other != square);
    }

    /// The stacks of `player`, in order.
    fn stacks(&self, position: &Position, player: Player) -> impl Iterator<Item = Square> {
        let own = position.stacks(player);
        self.0.iter().copied().filter(move |&square| own.contains(square))
    }
}

/// The order in which the moves of a node are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgramOrder {
    /// All booms, then all moves, each as generated.
    BoomsFirst,
    /// By key, descending; a boom with a negative key comes after the moves.
    Keys,
    /// All booms by key, then all moves by key: what the report says.
    BoomsThenKeys,
}

/// How the tree is pruned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pruning {
    /// Not at all.
    None,
    /// As in the program: a node where nothing improves the window answers with its static value.
    Program,
    /// Fail-hard alpha-beta without that fault.
    FailHard,
    /// Fail-soft alpha-beta.
    FailSoft,
}

/// What a leaf is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeafValue {
    /// The program: every component of both colours explodes, then the ratio.
    Mixed,
    /// The report: stand pat, or search on with booms beside an enemy.
    Booms,
}

/// How to search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) cutoff: u32,
    pub(crate) order: ProgramOrder,
    pub(crate) pruning: Pruning,
    pub(crate) leaf: LeafValue,
    /// Whether the order of the map changes as moves are made and unmade.
    pub(crate) map: bool,
}

/// What the search found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The root moves in search order, each with its key and its score.
    pub(crate) root: Vec<Ranked>,
    /// Calls of the search function.
    pub(crate) nodes: u64,
    /// Calls of the leaf routine.
    pub(crate) leaf_calls: u64,
    /// Whether the search was interrupted before all root moves were searched.
    pub(crate) interrupted: bool,
}

/// A root move with its key and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) mv: Move,
    pub(crate) key: f64,
    pub(crate) score: f64,
}

impl Found {
    /// The best score.
    pub(crate) fn score(&self) -> f64 {
        self.root.iter().map(|ranked| ranked.score).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The moves in the order in which the program would play them: by score, equal ones by key, else as searched.
    pub(crate) fn ranking(&self) -> Vec<Ranked> {
        let mut ranking = self.root.clone();
        ranking.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.key.total_cmp(&a.key)));
        ranking
    }

    /// The moves that share the best score, in byte order of their text.
    #[cfg(feature = "fidelity")]
    pub(crate) fn best(&self) -> Vec<Ranked> {
        let score = self.score();
        let mut best: Vec<Ranked> =
            self.root.iter().copied().filter(|ranked| ranked.score == score).collect();
        best.sort_by_key(|ranked| ranked.mv.to_string());
        best
    }
}

/// The depth rule: root depth 0, a node deeper than the cutoff is a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depths {
    /// By the number of tokens on the board, as submitted.
    Submitted,
    /// By the number of stacks, as in an older state of the authors' test bench.
    Bench,
}

impl Depths {
    pub(crate) fn cutoff(self, position: &Position) -> u32 {
        match self {
            Depths::Submitted => match position.tokens(Player::One) + position.tokens(Player::Two) {
                16.. => 2,
                11..=15 => 3,
                6..=10 => 4,
                _ => 5,
            },
            Depths::Bench => match position.occupied().len() {
                21.. => 2,
                11..=20 => 3,
                9..=10 => 6,
                6..=8 => 8,
                _ => 4,
            },
        }
    }
}

type Listed = SmallVec<[(Move, f64); 64]>;

/// One run of the search.
pub(crate) struct ProgramSearch<'a> {
    settings: Settings,
    maps: &'a MovementMaps,
    /// The searching player: scores are seen from here.
    player: Player,
    order: MapOrder,
    nodes: u64,
    leaf_calls: u64,
    /// Asked now and then; `true` ends the search.
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

impl<'a> ProgramSearch<'a> {
    pub(crate) fn new(
        settings: Settings,
        maps: &'a MovementMaps,
        player: Player,
        order: MapOrder,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        ProgramSearch { settings, maps, player, order, nodes: 0, leaf_calls: 0, stop, stopped: false }
    }

    /// Searches all root moves; each gets the score that its node returned.
    pub(crate) fn run(mut self, position: &Position) -> Found {
        self.nodes += 1;
        let mut root = Vec::new();
        let mut alpha = f64::NEG_INFINITY;
        for (mv, key) in self.list(position, position.side()) {
            let window = match self.settings.pruning {
                // Equal root moves must not be mistaken for refuted ones: look just below the best score.
                Pruning::FailSoft => alpha.next_down(),
                Pruning::None => f64::NEG_INFINITY,
                Pruning::Program | Pruning::FailHard => alpha,
            };
            let score = self.child(position, mv, 1, window, f64::INFINITY);
            if self.stopped {
                break;
            }
            root.push(Ranked { mv, key, score });
            alpha = alpha.max(score);
        }
        Found { root, nodes: self.nodes, leaf_calls: self.leaf_calls, interrupted: self.stopped }
    }

    /// The moves of a node in search order, with their keys.
    fn list(&self, position: &Position, mover: Player) -> Listed {
        let mut keys =
            (self.settings.order != ProgramOrder::BoomsFirst).then(|| Keys::new(position, mover, self.maps));
        let mut list = Listed::new();
        let beside = position.touching(mover);
        let mut push = |mv: Move| list.push((mv, keys.as_mut().map_or(0.0, |keys| keys.of(mv))));
        if self.settings.map {
            for from in self.order.stacks(position, mover) {
                stack_moves(position, mover, beside, from, &mut push);
            }
        } else {
            for from in position.stacks(mover) {
                stack_moves(position, mover, beside, from, &mut push);
            }
        }
        match self.settings.order {
            ProgramOrder::BoomsFirst => list.sort_by_key(|(mv, _)| !mv.is_boom()),
            ProgramOrder::Keys => list.sort_by(|a, b| b.1.total_cmp(&a.1)),
            ProgramOrder::BoomsThenKeys => {
                list.sort_by(|a, b| b.0.is_boom().cmp(&a.0.is_boom()).then(b.1.total_cmp(&a.1)));
            }
        }
        list
    }

    fn child(&mut self, position: &Position, mv: Move, depth: u32, alpha: f64, beta: f64) -> f64 {
        // The program does not look for the end of the game: a player with tokens goes on.
        let next = position.played_on(mv);
        if !self.settings.map {
            return self.node(&next, depth, alpha, beta);
        }
        if mv.is_boom() {
            let kept = self.order.clone();
            self.order.play(position, mv);
            let value = self.node(&next, depth, alpha, beta);
            self.order = kept;
            value
        } else {
            self.order.play(position, mv);
            let value = self.node(&next, depth, alpha, beta);
            self.order.take_back(position, mv);
            value
        }
    }

    fn node(&mut self, position: &Position, depth: u32, mut alpha: f64, mut beta: f64) -> f64 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && (self.stop)() {
            self.stopped = true;
        }
        if self.stopped {
            return 0.0;
        }
        if depth > self.settings.cutoff {
            return self.leaf(position, alpha, beta);
        }
        let mover = position.side();
        let maximise = mover == self.player;
        let mut best: Option<f64> = None;
        let mut improved = false;
        for (mv, _) in self.list(position, mover) {
            let value = self.child(position, mv, depth + 1, alpha, beta);
            if self.stopped {
                return 0.0;
            }
            best = Some(match best {
                Some(best) if maximise => best.max(value),
                Some(best) => best.min(value),
                None => value,
            });
            if self.settings.pruning == Pruning::None {
                continue;
            }
            if maximise && value > alpha {
                alpha = value;
                improved = true;
            } else if !maximise && value < beta {
                beta = value;
                improved = true;
            }
            if alpha >= beta {
                break;
            }
        }
        let Some(best) = best else { return self.leaf(position, alpha, beta) };
        let bound = if maximise { alpha } else { beta };
        match self.settings.pruning {
            Pruning::None | Pruning::FailSoft => best,
            Pruning::FailHard => bound,
            Pruning::Program if improved => bound,
            Pruning::Program => self.leaf(position, alpha, beta),
        }
    }

    fn leaf(&mut self, position: &Position, alpha: f64, beta: f64) -> f64 {
        self.leaf_calls += 1;
        match self.settings.leaf {
            LeafValue::Mixed => {
                let quiet = position.without(position.in_contact());
                ratio_of(&quiet, self.player) * SCALE
            }
            LeafValue::Booms => boom_search(position, self.player, alpha, beta),
        }
    }
}

/// The moves of one stack in the program's order: the boom, if an enemy stands beside it, then by distance.
fn stack_moves(
    position: &Position,
    mover: Player,
    beside: SquareSet,
    from: Square,
    push: &mut impl FnMut(Move),
) {
    if beside.contains(from) {
        push(Move::boom(from));
    }
    let enemy = position.stacks(mover.opponent());
    let height = position.height(from);
    for distance in 1..=height.min(7) {
        for direction in Direction::ALL {
            let Some(to) = from.step(direction, distance).filter(|&to| !enemy.contains(to)) else { continue };
            for count in 1..=height {
                // A step along a file or rank by 1 to 7 squares with 1 to 12 tokens is always a move.
                if let Some(mv) = Move::shift(count, from, to) {
                    push(mv);
                }
            }
        }
    }
}

/// The report's quiescence: stand pat, or one of the booms beside an enemy, the sides alternating; fail-soft.
fn boom_search(position: &Position, player: Player, mut alpha: f64, mut beta: f64) -> f64 {
    let mover = position.side();
    let maximise = mover == player;
    let mut best = ratio_of(position, player) * SCALE;
    for component in position.components_meeting(position.touching(mover)) {
        if maximise {
            alpha = alpha.max(best);
        } else {
            beta = beta.min(best);
        }
        if alpha >= beta {
            break;
        }
        let Some(square) = (component.squares & position.stacks(mover)).first() else { continue };
        let value = boom_search(&position.played_on(Move::boom(square)), player, alpha, beta);
        best = if maximise { best.max(value) } else { best.min(value) };
    }
    best
}
