//! Which moves are worth a look: a rank for every move, and the best few of them.

use ropasci360::{HexSet, Move, Position, Symbol};
use search_core::{MoveList, MoveSink, Order, Player, Prune};

use super::evaluation::{closeness, guarded};

/// Looks at the best ranked moves only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selective {
    /// How many moves of a player.
    pub width: usize,
    /// How many of them may be throws.
    pub throws: usize,
}

impl Default for Selective {
    fn default() -> Self {
        Selective { width: 10, throws: 4 }
    }
}

/// What has to be known about a position to rank the moves of a player.
struct Ranker<'a> {
    position: &'a Position,
    player: Player,
    own: HexSet,
    /// For each own symbol: its prey and its hunters among the enemy's tokens, and what the hunters attack.
    prey: [HexSet; 3],
    hunters: [HexSet; 3],
    attacked: [HexSet; 3],
    /// The hexes that the enemy can throw to.
    enemy_zone: HexSet,
    /// Own hexes with prey of each symbol: a token that lands there destroys its own.
    own_prey: [HexSet; 3],
    own_hunters: [HexSet; 3],
    enemy: HexSet,
}

impl<'a> Ranker<'a> {
    fn new(position: &'a Position, player: Player) -> Ranker<'a> {
        let enemy = player.opponent();
        Ranker {
            position,
            player,
            own: position.occupied(player),
            prey: Symbol::ALL.map(|symbol| position.tokens(enemy, symbol.prey())),
            hunters: Symbol::ALL.map(|symbol| position.tokens(enemy, symbol.hunter())),
            attacked: Symbol::ALL.map(|symbol| guarded(position, enemy, symbol.hunter())),
            enemy_zone: position.throw_zone(enemy),
            own_prey: Symbol::ALL.map(|symbol| position.tokens(player, symbol.prey())),
            own_hunters: Symbol::ALL.map(|symbol| position.tokens(player, symbol.hunter())),
            enemy: position.occupied(enemy),
        }
    }

    fn rank(&self, mv: Move) -> i32 {
        let to = mv.to();
        let (symbol, from) = match mv.from() {
            Some(from) => (self.position.symbol_at(from).unwrap_or(Symbol::Rock), Some(from)),
            None => (mv.thrown().unwrap_or(Symbol::Rock), None),
        };
        let kind = symbol.index();
        let mut rank = 0;
        if self.prey[kind].contains(to) {
            rank += 900 * self.position.count_at(self.player.opponent(), to) as i32;
        }
        if self.own_prey[kind].contains(to) {
            rank -= 1200 * self.position.count_at(self.player, to) as i32;
        }
        if self.hunters[kind].contains(to) || self.own_hunters[kind].contains(to) {
            rank -= 1500;
        }
        if self.attacked[kind].contains(to) {
            // On a hex with an enemy token of the same symbol the attacker would lose that one too.
            rank -= if self.enemy.contains(to) { 60 } else { 260 };
        }
        if self.enemy_zone.contains(to) {
            rank -= 25;
        }
        let near = |hex| 6 * closeness(hex, self.prey[kind]) - 5 * closeness(hex, self.hunters[kind]);
        if let Some(from) = from {
            if self.attacked[kind].contains(from) && !self.enemy.contains(from) {
                rank += 330;
            }
            if self.enemy_zone.contains(from) {
                rank += 25;
            }
            return rank + near(to) - near(from);
        }
        rank += near(to) - 420;
        let on_board = !self.position.tokens(self.player, symbol).is_empty();
        rank += if on_board { -80 } else { 160 };
        if self.own.is_empty() {
            rank += 300;
        }
        // Without an answer to a symbol of the enemy, one is wanted.
        if !self.prey[kind].is_empty() && !on_board {
            rank += 150;
        }
        rank
    }
}

impl Order<Position> for Selective {
    fn rank(&self, position: &Position, player: Player, mv: Move) -> i32 {
        Ranker::new(position, player).rank(mv)
    }

    fn rank_all(&self, position: &Position, player: Player, moves: &[Move], ranks: &mut [i32]) {
        let ranker = Ranker::new(position, player);
        for (rank, &mv) in ranks.iter_mut().zip(moves) {
            *rank = ranker.rank(mv);
        }
    }
}

/// Hands every move with its rank to a list.
struct Ranked<'a> {
    ranker: Ranker<'a>,
    steps: Vec<(i32, Move)>,
    throws: Vec<(i32, Move)>,
}

impl MoveSink<Move> for Ranked<'_> {
    #[inline]
    fn push(&mut self, mv: Move) {
        let entry = (-self.ranker.rank(mv), mv);
        if mv.is_throw() { self.throws.push(entry) } else { self.steps.push(entry) }
    }
}

impl Prune<Position> for Selective {
    fn keeps(&self, position: &Position, player: Player, mv: Move) -> bool {
        let mut moves = <Position as search_core::Game>::Moves::default();
        self.candidates(position, player, &mut moves);
        moves.contains(&mv)
    }

    fn candidates(
        &self,
        position: &Position,
        player: Player,
        moves: &mut <Position as search_core::Game>::Moves,
    ) {
        use search_core::Game;
        let ranker = Ranker::new(position, player);
        let mut ranked = Ranked { ranker, steps: Vec::with_capacity(64), throws: Vec::with_capacity(192) };
        position.moves_of(player, &mut ranked);
        let Ranked { mut steps, mut throws, .. } = ranked;
        best(&mut throws, self.throws);
        steps.extend(throws);
        best(&mut steps, self.width);
        steps.sort_unstable();
        MoveList::clear(moves);
        moves.extend(steps.into_iter().map(|(_, mv)| mv));
    }
}

/// Keeps the `count` smallest entries.
fn best(entries: &mut Vec<(i32, Move)>, count: usize) {
    if count == 0 {
        entries.clear();
    } else if entries.len() > count {
        entries.select_nth_unstable(count - 1);
        entries.truncate(count);
    }
}
