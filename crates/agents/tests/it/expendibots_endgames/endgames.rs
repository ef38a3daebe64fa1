//! Endgames with few tokens, solved backwards from their ends.
//!
//! What is solved is the unlimited game: the rules without the cap on the turns and without draws by repetition. Both of
//! these only ever make draws, so
//!
//! - a draw of the table is a draw of the real game;
//! - a win in `n` plies is a win of the real game if at least `n` plies are left before the cap (a boom on the very last
//!   ply still wins) and no position on the way has occurred three times already. Whoever plays by the table comes nearer
//!   to the end with each move, so that no position comes twice from there on;
//! - in any other case the side that the table calls winning has at least a draw.
//!
//! Both colours move alike, so a table is seen from the side to move: own tokens first, then the other's.

use expendibots::{Move, Position, Square, SquareSet};
use search_core::{Game, Player};

use super::placements::{MOST, Placements, Tokens, number};

/// What perfect play leads to, seen from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The side to move wins after this many plies if the other side resists as long as it can.
    Win(u32),
    /// Neither side can force a win.
    Draw,
    /// The side to move loses, and can resist for this many plies.
    Loss(u32),
}

impl Verdict {
    /// The same seen by the player who moved to this position, one ply before.
    #[must_use]
    pub(crate) const fn before(self) -> Verdict {
        match self {
            Verdict::Win(plies) => Verdict::Loss(plies + 1),
            Verdict::Draw => Verdict::Draw,
            Verdict::Loss(plies) => Verdict::Win(plies + 1),
        }
    }

    /// Larger is better for the side to move: quick wins, slow wins, draws, slow losses, quick losses.
    pub(crate) const fn rank(self) -> i32 {
        match self {
            Verdict::Win(plies) => 1000 - plies as i32,
            Verdict::Draw => 0,
            Verdict::Loss(plies) => plies as i32 - 1000,
        }
    }
}

/// One position's entry: 0 for a draw, the plies to a win, the negative plies to a loss.
type Cell = i8;

/// The most plies to an end that an entry can hold.
const LONGEST: usize = Cell::MAX as usize;

const fn verdict(cell: Cell) -> Verdict {
    match cell {
        0 => Verdict::Draw,
        1.. => Verdict::Win(cell as u32),
        _ => Verdict::Loss(cell.unsigned_abs() as u32),
    }
}

/// The tables of all endgames with up to a number of tokens.
///
/// ```
/// use agentsexpendibots::{Endgames, Verdict};
/// let endgames = Endgames::new(3);
/// let caught = "a7/1A6/8/8/8/8/8/A7 w 96".parse()?;
/// assert_eq!(endgames.probe(&caught), Some(Verdict::Win(1)));
/// let duel = "a7/1A6/8/8/8/8/8/8 w 96".parse()?;
/// assert_eq!(endgames.probe(&duel), Some(Verdict::Draw));
/// # Ok::<(), expendibots::ParsePositionError>(())
/// ```
#[derive(Debug)]
pub(crate) struct Endgames {
    placements: Vec<Placements>,
    /// By own tokens and the other's; empty where nothing is solved.
    tables: [[Vec<Cell>; MOST + 1]; MOST + 1],
}

impl Endgames {
    /// Solves the endgames with up to `tokens` tokens on the board, of both sides together; at most five.
    pub(crate) fn new(tokens: usize) -> Endgames {
        let tokens = tokens.min(MOST + 1);
        let mut endgames =
            Endgames { placements: (1..tokens).map(Placements::new).collect(), tables: Default::default() };
        for total in 2..=tokens {
            for more in total.div_ceil(2)..total {
                endgames.solve(more, total - more);
            }
        }
        endgames
    }

    /// Bytes that the tables take.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.iter().flatten().map(Vec::len).sum()
    }

    /// Every solved position with these numbers of tokens of the side to move and of the other, and what it leads to. White
    /// is to move.
    pub(crate) fn positions(&self, own: usize, other: usize) -> impl Iterator<Item = (Position, Verdict)> {
        let solved = own <= MOST && other <= MOST && !self.tables[own][other].is_empty();
        let counts = if solved { [own, other] } else { [0; 2] };
        let sides = counts.map(|count| count.checked_sub(1).map(|place| &self.placements[place]));
        let [owns, others] = sides.map(|side| side.map_or(0, Placements::len));
        (0..owns).flat_map(move |own| (0..others).map(move |other| (own, other))).filter_map(
            move |(own, other)| {
                let placed = [sides[0]?.tokens(own), sides[1]?.tokens(other)];
                let position = position(placed)?;
                Some((position, verdict(self.tables[counts[0]][counts[1]][own * others + other])))
            },
        )
    }

    /// What the table says of an unfinished position, if it holds the position.
    #[inline]
    pub(crate) fn probe(&self, position: &Position) -> Option<Verdict> {
        let mover = position.side();
        let counts = [mover, mover.opponent()].map(|player| usize::from(position.tokens(player)));
        if counts[0] > MOST || counts[1] > MOST {
            return None;
        }
        let table = &self.tables[counts[0]][counts[1]];
        if table.is_empty() {
            return None;
        }
        let [own, other] = [mover, mover.opponent()].map(|player| number(&tokens(position, player)));
        let width = self.placements[counts[1] - 1].len();
        Some(verdict(table[own * width + other]))
    }

    /// What each move leads to, seen from the side to move; empty if the table does not hold the position.
    pub(crate) fn moves(&self, position: &Position) -> Vec<(Move, Verdict)> {
        if self.probe(position).is_none() || position.end().is_some() {
            return Vec::new();
        }
        let mover = position.side();
        let judged = |mv: &Move| {
            let next = position.rewound().played_on(*mv);
            let (own, other) = (next.tokens(mover), next.tokens(mover.opponent()));
            let verdict = match (own, other) {
                (0, 0) => Verdict::Draw,
                (_, 0) => Verdict::Win(1),
                (0, _) => Verdict::Loss(1),
                _ => self.probe(&next)?.before(),
            };
            Some((*mv, verdict))
        };
        position.move_list(mover).as_slice().iter().filter_map(judged).collect()
    }

    /// Solves the endgames of `more` against `fewer` tokens, whoever is to move. Those with less must be there.
    fn solve(&mut self, more: usize, fewer: usize) {
        let solver = Solver::new(self, [more, fewer]);
        let [first, second] = solver.run();
        if more != fewer {
            self.tables[fewer][more] = second;
        }
        self.tables[more][fewer] = first;
    }
}

/// White's and Black's tokens on a board, White to move; `None` if they share a square.
fn position(placed: [&[u8]; 2]) -> Option<Position> {
    let mut stacks: Vec<(Square, Player, u8)> = Vec::new();
    for player in Player::BOTH {
        for &index in placed[player.index()] {
            let square = Square::from_index(usize::from(index))?;
            match stacks.last_mut() {
                Some((last, owner, height)) if (*last, *owner) == (square, player) => *height += 1,
                _ => stacks.push((square, player, 1)),
            }
        }
    }
    Position::from_stacks(stacks, 0).ok()
}

/// The tokens of a player.
#[inline]
fn tokens(position: &Position, player: Player) -> Tokens {
    let mut tokens = Tokens::new();
    for square in position.stacks(player) {
        for _ in 0..position.height(square) {
            tokens.push(square.index() as u8);
        }
    }
    tokens
}

/// A position while its endgame is solved: whether the side with the first number of tokens moves, its placement, and that
/// of the other.
#[derive(Debug, Clone, Copy)]
struct Node {
    seat: u8,
    own: u32,
    other: u32,
}

/// Solves one endgame, with either side to move.
struct Solver<'a> {
    known: &'a Endgames,
    /// The tokens of the two sides.
    counts: [usize; 2],
    /// With the first and with the second side to move; only the first if both have as many tokens.
    tables: [Vec<Cell>; 2],
    /// Positions that are decided after this many plies, if not sooner.
    wins: Vec<Vec<Node>>,
    losses: Vec<Vec<Node>>,
}

impl<'a> Solver<'a> {
    fn new(known: &'a Endgames, counts: [usize; 2]) -> Solver<'a> {
        let size = known.placements[counts[0] - 1].len() * known.placements[counts[1] - 1].len();
        let seats = if counts[0] == counts[1] { 1 } else { 2 };
        let queues = || (0..=LONGEST + 1).map(|_| Vec::new()).collect();
        let tables = [vec![0; size], vec![0; if seats == 2 { size } else { 0 }]];
        Solver { known, counts, tables, wins: queues(), losses: queues() }
    }

    /// The placements of the side to move and of the other.
    #[inline]
    fn sides(&self, seat: u8) -> [&'a Placements; 2] {
        let seat = usize::from(seat);
        let known: &'a Endgames = self.known;
        [self.counts[seat], self.counts[1 - seat]].map(|count| &known.placements[count - 1])
    }

    /// The seat of whoever moves next: the same table if both have as many tokens.
    #[inline]
    fn turned(&self, seat: u8) -> u8 {
        if self.counts[0] == self.counts[1] { seat } else { 1 - seat }
    }

    #[inline]
    fn cell(&mut self, node: Node) -> &mut Cell {
        let width = self.sides(node.seat)[1].len();
        &mut self.tables[usize::from(node.seat)][node.own as usize * width + node.other as usize]
    }

    fn run(mut self) -> [Vec<Cell>; 2] {
        self.seed();
        for plies in 1..=LONGEST {
            for node in std::mem::take(&mut self.losses[plies]) {
                if *self.cell(node) == 0 {
                    *self.cell(node) = -(plies as Cell);
                    self.each_before(node, |solver, before| solver.wins[plies + 1].push(before));
                }
            }
            for node in std::mem::take(&mut self.wins[plies]) {
                if *self.cell(node) == 0 {
                    *self.cell(node) = plies as Cell;
                    self.each_before(node, |solver, before| {
                        if let Some(end) = solver.loss(before) {
                            solver.losses[end].push(before);
                        }
                    });
                }
            }
        }
        self.tables
    }

    /// Queues what is decided by booms alone.
    fn seed(&mut self) {
        for seat in 0..if self.counts[0] == self.counts[1] { 1 } else { 2 } {
            let [own_side, other_side] = self.sides(seat);
            for own in 0..own_side.len() {
                for other in 0..other_side.len() {
                    let enemy = other_side.occupied(other);
                    if own_side.occupied(own).meets(enemy) {
                        continue;
                    }
                    let node = Node { seat, own: own as u32, other: other as u32 };
                    match self.boom(node) {
                        Verdict::Win(plies) => self.wins[plies as usize].push(node),
                        Verdict::Loss(plies) if own_side.after(own, enemy).next().is_none() => {
                            self.losses[plies as usize].push(node);
                        }
                        Verdict::Loss(_) | Verdict::Draw => {}
                    }
                }
            }
        }
    }

    /// Calls `visit` for each undecided position from which a move that is no boom leads to `node`.
    fn each_before(&mut self, node: Node, mut visit: impl FnMut(&mut Self, Node)) {
        let [own_side, other_side] = self.sides(node.seat);
        let seat = self.turned(node.seat);
        for own in other_side.before(node.other as usize, own_side.occupied(node.own as usize)) {
            let before = Node { seat, own: own as u32, other: node.own };
            if *self.cell(before) == 0 {
                visit(self, before);
            }
        }
    }

    /// After how many plies the side to move loses if everything loses that it can do, as far as is known by now.
    fn loss(&mut self, node: Node) -> Option<usize> {
        let [own_side, other_side] = self.sides(node.seat);
        let seat = self.turned(node.seat);
        let mut longest = 0;
        for own in own_side.after(node.own as usize, other_side.occupied(node.other as usize)) {
            let cell = *self.cell(Node { seat, own: node.other, other: own as u32 });
            if cell <= 0 {
                return None;
            }
            longest = longest.max(cell as usize + 1);
        }
        match self.boom(node) {
            Verdict::Loss(plies) => Some(longest.max(plies as usize)),
            Verdict::Win(_) | Verdict::Draw => None,
        }
    }

    /// The best that the side to move can do by a boom.
    fn boom(&self, node: Node) -> Verdict {
        let [own_side, other_side] = self.sides(node.seat);
        let (placed, opposed) = (node.own as usize, node.other as usize);
        let mut left = own_side.occupied(placed);
        let all = left | other_side.occupied(opposed);
        let mut best = Verdict::Loss(1);
        while let Some(trigger) = left.first() {
            let taken = all.connected(trigger.set());
            left -= taken;
            let own = remaining(own_side.tokens(placed), taken);
            let other = remaining(other_side.tokens(opposed), taken);
            let found = match (own.len(), other.len()) {
                (0, 0) => Verdict::Draw,
                (_, 0) => Verdict::Win(1),
                (0, _) => Verdict::Loss(1),
                (owns, others) => {
                    let width = self.known.placements[owns - 1].len();
                    let place = number(&other) * width + number(&own);
                    verdict(self.known.tables[others][owns][place]).before()
                }
            };
            if found.rank() > best.rank() {
                best = found;
            }
        }
        best
    }
}

/// The tokens that are not on squares of `taken`.
#[inline]
fn remaining(tokens: &[u8], taken: SquareSet) -> Tokens {
    tokens.iter().copied().filter(|&square| taken.0 >> square & 1 == 0).collect()
}
