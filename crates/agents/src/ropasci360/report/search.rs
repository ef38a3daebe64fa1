//! The report's search: I move, then you answer, then both happen.

use std::time::Duration;

use ropasci360::{Hex, HexSet, Move, Symbol};
use search_core::{Clock, Player};

use super::draws::Draws;
use super::evaluation::{Phase, Settings, WON, evaluate};
use super::repetition_guard::RepetitionGuard;
use super::token_lists::{Token, Tokens};

/// Whose slides and swings the search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movers {
    /// Tokens that something on the board beats or that beat something; all, if there are none (the program).
    Useful,
    /// All tokens (the report).
    All,
    /// Of the useful ones those with an enemy token at most this many hexes away; all useful ones, if there are none (a
    /// note in the authors' sources, with 4).
    Near(u8),
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
    let steps = |wanted: &dyn Fn(&Token) -> bool, moves: &mut Vec<Move>| {
        let mut seen = HexSet::EMPTY;
        for token in tokens.all(player).filter(wanted) {
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
        Movers::Useful | Movers::Near(_) => {
            if let Movers::Near(most) = movers {
                let is_near = |hex: Hex| tokens.all(enemy).any(|other| hex.distance(other.hex) <= most);
                steps(&|token| is_useful(token.symbol) && is_near(token.hex), &mut moves);
            }
            if moves.is_empty() {
                steps(&|token| is_useful(token.symbol), &mut moves);
            }
            if moves.is_empty() {
                steps(&|token| !is_useful(token.symbol), &mut moves);
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

/// Throws beside throwable enemy tokens, up to six hexes each, that `moves` does not hold yet: a note in the authors' sources.
fn add_throws_beside(tokens: &Tokens, player: Player, moves: &mut Vec<Move>) {
    for token in tokens.throwable(player) {
        for to in token.hex.neighbours() {
            let mv = Move::throw(token.symbol.hunter(), to);
            if tokens.in_throw_zone(player, to) && !moves.contains(&mv) {
                moves.push(mv);
            }
        }
    }
}

/// How long a search goes on; the authors' program never gives up.
#[derive(Debug, Clone, Copy)]
pub struct Patience<'a> {
    /// The most nodes to search.
    pub nodes: u64,
    /// Until this clock shows so much, if there is one.
    pub until: Option<(&'a dyn Clock, Duration)>,
}

impl Patience<'_> {
    /// To the end.
    pub const ENDLESS: Patience<'static> = Patience { nodes: u64::MAX, until: None };

    fn is_over(&self) -> bool {
        self.until.is_some_and(|(clock, until)| clock.now() >= until)
    }
}

/// How many nodes are searched between two looks at the clock.
const BETWEEN_LOOKS: u64 = 16;

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
    /// When the search gives up.
    pub patience: Patience<'a>,
    /// Whether its time is over.
    late: bool,
    /// Whether throws beside enemy tokens are looked at too.
    pub throws_beside: bool,
    /// Whether only throws are looked at at the root, where there are any.
    pub throws_only: bool,
    /// What tells drawn leaves, which are worth 0; the authors' program knows only the draw of two invincible sides.
    pub draws: Option<&'a Draws>,
    /// The depth of the root in turns.
    depth: u32,
}

impl<'a> Pessimistic<'a> {
    /// A search for `player`.
    pub fn new(player: Player, phase: Phase, settings: &'a Settings, movers: Movers) -> Self {
        Pessimistic {
            player,
            phase,
            settings,
            movers,
            nodes: 0,
            evaluations: 0,
            patience: Patience::ENDLESS,
            late: false,
            throws_beside: false,
            throws_only: false,
            draws: None,
            depth: 0,
        }
    }

    /// The actions of one side that the search looks at.
    fn actions(&self, tokens: &Tokens, player: Player) -> Vec<Move> {
        let mut moves = generate(tokens, player, self.movers);
        if self.throws_beside {
            add_throws_beside(tokens, player, &mut moves);
        }
        moves
    }

    /// Whether the search gave up, so that its answer means nothing.
    pub fn gave_up(&self) -> bool {
        self.late || self.nodes > self.patience.nodes
    }

    /// The value of the root, and the first action that reaches it; none if the guard refuses all.
    pub fn root(&mut self, tokens: &Tokens, depth: u32, guard: &RepetitionGuard) -> (f64, Option<Move>) {
        self.nodes += 1;
        self.depth = depth;
        let mut alpha = f64::NEG_INFINITY;
        let mut best = None;
        let replies = self.actions(tokens, self.player.opponent());
        let mut actions = self.actions(tokens, self.player);
        if self.throws_only && actions.iter().any(|mv| mv.is_throw()) {
            actions.retain(|mv| mv.is_throw());
        }
        for mv in actions {
            if self.gave_up() {
                break;
            }
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
        if self.nodes.is_multiple_of(BETWEEN_LOOKS) {
            self.late |= self.patience.is_over();
        }
        if self.gave_up() {
            return 0.0;
        }
        if depth == 0 {
            return self.leaf(tokens);
        }
        let replies = self.actions(tokens, self.player.opponent());
        for mv in self.actions(tokens, self.player) {
            let value = self.min(tokens, mv, &replies, depth, alpha, beta);
            if value >= beta {
                return beta;
            }
            alpha = alpha.max(value);
        }
        alpha
    }

    fn leaf(&mut self, tokens: &Tokens) -> f64 {
        self.evaluations += 1;
        let value = evaluate(tokens, self.player, self.phase, self.settings);
        let decided = value.abs() >= WON;
        if !decided && self.draws.is_some_and(|draws| draws.is_draw(tokens, self.depth)) {
            0.0
        } else {
            value
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use ropasci360::Position;

    fn tokens(text: &str) -> Tokens {
        Tokens::new(&text.parse::<Position>().expect("a position"), false)
    }

    fn texts(moves: &[Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_line_is_tried_from_its_deepest_hex() {
        // Both sides may throw four rows deep.
        let board = tokens("5/6/2R1P2/8/4S2r1/8/2p1s2/6/5 3 3 20");
        let throws = |player| -> Vec<String> {
            let moves = generate(&board, player, Movers::Useful);
            texts(&moves.into_iter().filter(|mv| mv.is_throw()).collect::<Vec<_>>())
        };
        assert_eq!(throws(Player::One), ["r@f4", "p@f4", "s@f4"]);
        assert_eq!(throws(Player::Two), ["r@d5", "p@d5", "s@d5"]);
        // With all throws used there is none.
        let spent = tokens("5/6/2R1P2/8/4S2r1/8/2p1s2/6/5 9 9 20");
        assert!(generate(&spent, Player::One, Movers::Useful).iter().all(|mv| !mv.is_throw()));
    }

    #[test]
    fn useless_tokens_move_only_where_there_is_nothing_else() {
        // Rock against rock: useless on both sides, so its slides are all there is.
        let alone = tokens("5/6/7/8/4R4/8/7/6/r4 9 9 20");
        assert_eq!(generate(&alone, Player::One, Movers::Useful).len(), 6);
        // Beside it a paper that beats the enemy's rock: only that one moves.
        let with_paper = tokens("5/6/7/8/4R4/8/7/P5/r4 9 9 20");
        let moves = generate(&with_paper, Player::One, Movers::Useful);
        let paper: ropasci360::Hex = "b4".parse().expect("a hex");
        assert!(!moves.is_empty() && moves.iter().all(|mv| mv.from() == Some(paper)));
        assert_eq!(generate(&with_paper, Player::One, Movers::All).len(), moves.len() + 6);
    }

    #[test]
    fn far_tokens_stay_where_a_near_one_moves() {
        let board = tokens("P4/6/7/8/4P4/4r3/7/6/5 9 9 20");
        let near = generate(&board, Player::One, Movers::Near(4));
        assert!(near.iter().all(|mv| mv.from().is_some_and(|from| from.to_string() == "e5")));
        assert_eq!(near.len(), 6);
        // Nobody is within no hex at all: all useful ones.
        assert_eq!(
            generate(&board, Player::One, Movers::Near(0)),
            generate(&board, Player::One, Movers::Useful)
        );
    }

    #[test]
    fn throws_beside_a_token_are_up_to_seven() {
        let board = tokens("5/6/3r3/8/9/8/7/6/5 6 1 20");
        let settings = Settings::default();
        let mut search = Pessimistic::new(Player::One, Phase::Normal, &settings, Movers::Useful);
        let before = search.actions(&board, Player::One);
        search.throws_beside = true;
        let after = search.actions(&board, Player::One);
        assert_eq!(after.len(), before.len() + 6);
        assert_eq!(after[..before.len()], before[..]);
    }
}
