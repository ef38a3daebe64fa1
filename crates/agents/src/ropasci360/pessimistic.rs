//! The report's search: I move, then you answer, then both happen.

use ropasci360::{Hex, HexSet, Move, Symbol};
use search_core::Player;

use super::evaluation::{Phase, Settings, evaluate};
use super::guard::Guard;
use super::tokens::Tokens;

/// Whose slides and swings the search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movers {
    /// Tokens that something on the board beats or that beat something; all, if there are none (the program).
    Useful,
    /// All tokens (the report).
    All,
}

/// The hexes for throws on an empty place, from Upper's home row to Lower's.
const LINE: [(i8, i8); 9] = [(4, -2), (3, -2), (2, -1), (1, -1), (0, 0), (-1, 0), (-2, 1), (-3, 1), (-4, 2)];

/// The actions that the search looks at for one side, in the program's order.
pub fn generate(tokens: &Tokens, player: Player, movers: Movers) -> Vec<Move> {
    let enemy = player.opponent();
    let is_useful = |symbol: Symbol| {
        !tokens.of(enemy, symbol.hunter()).is_empty() || !tokens.of(enemy, symbol.prey()).is_empty()
    };
    let mut moves = Vec::with_capacity(64);
    let steps = |wanted: &dyn Fn(Symbol) -> bool, moves: &mut Vec<Move>| {
        let mut seen = HexSet::EMPTY;
        for token in tokens.all(player).filter(|token| wanted(token.symbol)) {
            // A second token on the same hex has the same moves.
            if !seen.contains(token.hex) {
                seen.insert(token.hex);
                let targets = tokens.valid_moves(player, token.hex);
                moves.extend(targets.into_iter().filter_map(|to| Move::step(token.hex, to)));
            }
        }
    };
    match movers {
        Movers::All => steps(&|_| true, &mut moves),
        Movers::Useful => {
            steps(&is_useful, &mut moves);
            if moves.is_empty() {
                steps(&|symbol| !is_useful(symbol), &mut moves);
            }
        }
    }
    let first_throw = moves.len();
    let throw = |symbol, to, moves: &mut Vec<Move>| {
        let mv = Move::throw(symbol, to);
        if !moves[first_throw..].contains(&mv) {
            moves.push(mv);
        }
    };
    for token in tokens.throwable(player) {
        throw(token.symbol.hunter(), token.hex, &mut moves);
    }
    let line = LINE.iter().filter_map(|&(r, q)| Hex::new(r, q));
    let mut reachable = line.filter(|&hex| tokens.in_throw_zone(player, hex));
    // The deepest hex: Upper tries the line from its end, Lower from its front.
    let deepest = if player == Player::One { reachable.next_back() } else { reachable.next() };
    if let Some(to) = deepest {
        for symbol in Symbol::ALL {
            throw(symbol, to, &mut moves);
        }
    }
    moves
}

/// One search.
#[derive(Debug)]
pub struct Pessimistic<'a> {
    player: Player,
    phase: Phase,
    settings: &'a Settings,
    movers: Movers,
    /// Calls of the max function, root and leaves included.
    pub nodes: u64,
    /// Calls of the evaluation.
    pub evaluations: u64,
    /// After so many nodes the search gives up; the authors' program never does.
    pub most_nodes: u64,
}

impl<'a> Pessimistic<'a> {
    /// A search for `player`.
    pub fn new(player: Player, phase: Phase, settings: &'a Settings, movers: Movers) -> Self {
        Pessimistic { player, phase, settings, movers, nodes: 0, evaluations: 0, most_nodes: u64::MAX }
    }

    /// Whether the search gave up, so that its answer means nothing.
    pub fn gave_up(&self) -> bool {
        self.nodes > self.most_nodes
    }

    /// The value of the root, and the first action that reaches it; none if the guard refuses all.
    pub fn root(&mut self, tokens: &Tokens, depth: u32, guard: &Guard) -> (f64, Option<Move>) {
        self.nodes += 1;
        let mut alpha = f64::NEG_INFINITY;
        let mut best = None;
        let replies = generate(tokens, self.player.opponent(), self.movers);
        for mv in generate(tokens, self.player, self.movers) {
            if !guard.allows(tokens, mv) {
                continue;
            }
            let value = self.min(tokens, mv, &replies, depth, alpha, f64::INFINITY);
            if value > alpha {
                alpha = value;
                best = Some(mv);
            }
        }
        (alpha, best)
    }

    fn max(&mut self, tokens: &Tokens, depth: u32, mut alpha: f64, beta: f64) -> f64 {
        self.nodes += 1;
        if self.gave_up() {
            return 0.0;
        }
        if depth == 0 {
            self.evaluations += 1;
            return evaluate(tokens, self.player, self.phase, self.settings);
        }
        let replies = generate(tokens, self.player.opponent(), self.movers);
        for mv in generate(tokens, self.player, self.movers) {
            let value = self.min(tokens, mv, &replies, depth, alpha, beta);
            if value >= beta {
                return beta;
            }
            alpha = alpha.max(value);
        }
        alpha
    }

    fn min(
        &mut self,
        tokens: &Tokens,
        mv: Move,
        replies: &[Move],
        depth: u32,
        alpha: f64,
        mut beta: f64,
    ) -> f64 {
        for &reply in replies {
            let mut next = *tokens;
            next.play(if self.player == Player::One { [mv, reply] } else { [reply, mv] });
            let value = self.max(&next, depth - 1, alpha, beta);
            if value <= alpha || self.gave_up() {
                return alpha;
            }
            beta = beta.min(value);
        }
        beta
    }
}
