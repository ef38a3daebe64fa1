//! The search of the report's program, call by call, with all its turns.
//!
//! It is a depth-limited minimax that hands down only the parent's best value as a bound, evaluates every child at once
//! to sort it, takes the last of equal children, and does not notice the end of a game unless the player to move has no
//! pit to play. After an infinite move it goes on with the seeds that are left and the same player to move.

use hus::{Pit, Position};
use search_core::{Player, TurnBased};
use smallvec::SmallVec;

/// The program's value of a won game for the bot; [`LOST`] is the other end.
pub const WON: i32 = i32::MAX;
/// The program's value of a lost game, and of the bot's own infinite move.
pub const LOST: i32 = i32::MIN;

/// How the search is bounded, and the constant of its evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportSettings {
    /// The constant from which the opponent's moves are subtracted. It shifts all finite values alike.
    pub constant: i32,
    /// Whether a full (alpha, beta) window goes down the tree, or only the parent's best value.
    pub full_window: bool,
}

impl ReportSettings {
    /// As the authors' program plays: the constant 16, shallow bounds.
    pub const PROGRAM: ReportSettings = ReportSettings { constant: 16, full_window: false };
    /// As the report describes it: the constant 32, alpha-beta.
    pub const TEXT: ReportSettings = ReportSettings { constant: 32, full_window: true };
}

/// What the referee's class has noted about the game in a line of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mark {
    #[default]
    None,
    Won(Player),
    Draw,
    Infinite(Player),
}

/// A position inside the search: the board, which may be beyond the end, and the mark.
#[derive(Debug, Clone, Copy)]
struct State {
    board: Position,
    mark: Mark,
}

impl State {
    fn after(&self, pit: Pit) -> State {
        let mut next = *self;
        let mover = self.board.to_move();
        if next.board.play_on(pit) {
            next.mark = Mark::Infinite(mover);
        } else if next.mark == Mark::None {
            // The first mark stays; only an infinite move overwrites it.
            if next.board.mobility(mover.opponent()) == 0 {
                next.mark = Mark::Won(mover);
            } else if next.board.plies() >= Position::TURN_LIMIT {
                next.mark = Mark::Draw;
            }
        }
        next
    }
}

/// The counters that the fidelity files name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Calls of the search function below the root.
    pub nodes: u64,
    /// Calls of the evaluation: one for every child, one more for every leaf.
    pub evaluations: u64,
    /// Infinite moves tried by the bot's side and by the other.
    pub infinite: [u64; 2],
    /// Calls with depth left and without on a state that carries the mark of an infinite move.
    pub after_infinite: [u64; 2],
    /// The same for the mark of the draw.
    pub after_draw: [u64; 2],
}

/// The search was interrupted: its result does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// One search of the report's bot.
pub struct Program<'a> {
    settings: ReportSettings,
    /// The bot's side.
    side: Player,
    /// Asked after every child, with the nodes so far: whether to stop.
    interrupt: &'a mut dyn FnMut(u64) -> bool,
    /// What was counted.
    pub counts: Counts,
}

impl std::fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").field("settings", &self.settings).field("counts", &self.counts).finish()
    }
}

/// A child of a node: its static value, the move, the state.
#[derive(Debug, Clone, Copy)]
struct Child {
    value: i32,
    pit: Pit,
    state: State,
}

/// The children of a node in pit order, and their places in the order in which they are searched.
struct Children {
    list: SmallVec<[Child; 32]>,
    order: SmallVec<[i64; 32]>,
}

impl Children {
    /// The children, the best for the player to move first; equal ones stay in pit order.
    fn sorted(&self) -> impl Iterator<Item = &Child> {
        self.order.iter().map(|word| &self.list[(word & 0xff) as usize])
    }
}

impl<'a> Program<'a> {
    /// A search for the bot of `side`.
    pub fn new(settings: ReportSettings, side: Player, interrupt: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Program { settings, side, interrupt, counts: Counts::default() }
    }

    /// Searches `position` to exactly `depth` plies: the value and the move of the bot, which is to move.
    pub fn root(&mut self, position: &Position, depth: u32) -> Result<(i32, Option<Pit>), Interrupted> {
        let state = State { board: *position, mark: Mark::None };
        let (value, mv) = if self.settings.full_window {
            self.inner(&state, depth, [LOST, WON])?
        } else {
            self.inner(&state, depth, [WON, WON])?
        };
        Ok((value, mv))
    }

    /// The program's evaluation of a position outside any search.
    pub fn static_value(&self, position: &Position) -> i32 {
        self.value(&State { board: *position, mark: Mark::None })
    }

    /// The legal moves, best first by the evaluation of the positions they lead to.
    pub fn sorted_moves(&mut self, position: &Position) -> Vec<Pit> {
        let state = State { board: *position, mark: Mark::None };
        self.children(&state).sorted().map(|child| child.pit).collect()
    }

    #[inline]
    fn value(&self, state: &State) -> i32 {
        let other = self.side.opponent();
        match state.mark {
            Mark::Won(player) if player == self.side => WON,
            Mark::Won(_) => LOST,
            Mark::Infinite(player) if player == self.side => LOST,
            _ => {
                let board = &state.board;
                let own = board.seeds(self.side) + board.mobility(self.side);
                own as i32 + self.settings.constant - board.mobility(other) as i32
            }
        }
    }

    /// Plays and evaluates every move.
    fn children(&mut self, state: &State) -> Children {
        let mover = state.board.to_move();
        let maximising = mover == self.side;
        let mut children = Children { list: SmallVec::new(), order: SmallVec::new() };
        let mut pits = state.board.playable(mover);
        while pits != 0 {
            let index = pits.trailing_zeros() as u8;
            pits &= pits - 1;
            let Some(pit) = Pit::new(index) else { continue };
            let next = state.after(pit);
            self.counts.evaluations += 1;
            if next.board.infinite_by().is_some() {
                self.counts.infinite[usize::from(!maximising)] += 1;
            }
            let value = self.value(&next);
            let key = if maximising { -i64::from(value) } else { i64::from(value) };
            children.order.push(key << 8 | children.list.len() as i64);
            children.list.push(Child { value, pit, state: next });
        }
        children.order.sort_unstable();
        children
    }

    /// Counts a call of the search function on a child.
    #[inline]
    fn enter(&mut self, state: &State, depth: u32) {
        self.counts.nodes += 1;
        let leaf = usize::from(depth == 0);
        match state.mark {
            Mark::Infinite(_) => self.counts.after_infinite[leaf] += 1,
            Mark::Draw => self.counts.after_draw[leaf] += 1,
            Mark::None | Mark::Won(_) => {}
        }
    }

    /// The value of a child, whose static value is known already.
    fn child(&mut self, child: &Child, depth: u32, bounds: [i32; 2]) -> Result<i32, Interrupted> {
        let Child { value, state, .. } = child;
        self.enter(state, depth);
        if depth == 0 || state.board.playable(state.board.to_move()) == 0 {
            // The program evaluates it once more, with the same result.
            self.counts.evaluations += 1;
            return Ok(*value);
        }
        self.inner(state, depth, bounds).map(|(value, _)| value)
    }

    /// A node with depth left. `bounds` are alpha and beta, or twice the parent's best value: a minimising node stops
    /// strictly below the first, a maximising one strictly above the second.
    fn inner(
        &mut self,
        state: &State,
        depth: u32,
        bounds: [i32; 2],
    ) -> Result<(i32, Option<Pit>), Interrupted> {
        if depth == 0 || state.board.playable(state.board.to_move()) == 0 {
            self.counts.evaluations += 1;
            return Ok((self.value(state), None));
        }
        let maximising = state.board.to_move() == self.side;
        let mut best = if maximising { LOST } else { WON };
        let mut best_move = None;
        for child in self.children(state).sorted() {
            let below = match (self.settings.full_window, maximising) {
                (false, _) => [best, best],
                (true, true) => [best.max(bounds[0]), bounds[1]],
                (true, false) => [bounds[0], best.min(bounds[1])],
            };
            let value = self.child(child, depth - 1, below)?;
            if maximising && value >= best || !maximising && value <= best {
                best = value;
                best_move = Some(child.pit);
            }
            if maximising && best > bounds[1] || !maximising && best < bounds[0] {
                break;
            }
            if (self.interrupt)(self.counts.nodes) {
                return Err(Interrupted);
            }
        }
        Ok((best, best_move))
    }
}
