//! Connect Four and Hus behind the traits of the other libraries: the same rules and the same evaluations for all.

use benches::connect_four::{Column, ConnectFour};
use hus::Pit;
use search_core::{Game, Outcome, Player, Score, TurnBased};

/// How many lines of four run through the cells of a column, bottom up, from the edge to the middle and back.
const LINES: [[i32; 6]; 7] = [
    [3, 4, 5, 5, 4, 3],
    [4, 6, 8, 8, 6, 4],
    [5, 8, 11, 11, 8, 5],
    [7, 10, 13, 13, 10, 7],
    [5, 8, 11, 11, 8, 5],
    [4, 6, 8, 8, 6, 4],
    [3, 4, 5, 5, 4, 3],
];

/// The lines through all stones of a column, by the bits of the column: the evaluation of Connect Four is the difference
/// of the sums over both players' stones.
const WEIGHTS: [[i8; 128]; 7] = {
    let mut weights = [[0; 128]; 7];
    let mut column = 0;
    while column < 7 {
        let mut stones = 0;
        while stones < 64 {
            let mut row = 0;
            while row < 6 {
                if stones >> row & 1 != 0 {
                    weights[column][stones] += LINES[column][row] as i8;
                }
                row += 1;
            }
            stones += 1;
        }
        column += 1;
    }
    weights
};

/// The evaluation of Connect Four.
#[inline]
pub fn lines(position: &ConnectFour, player: Player) -> i32 {
    let own = position.stones_of(player);
    let other = position.stones_of(player.opponent());
    let mut sum = 0;
    for (column, weights) in WEIGHTS.iter().enumerate() {
        let stones = |all: u64| i32::from(weights[(all >> (7 * column) & 127) as usize]);
        sum += stones(own) - stones(other);
    }
    sum
}

/// The evaluation of the Hus report, made zero-sum: seeds and own moves less the opponent's moves, as the difference to
/// the other side's (which has the remaining seeds).
#[inline]
pub fn seeds_and_moves(position: &hus::Position, player: Player) -> i32 {
    let value = |player: Player| position.seeds(player) as i32 + 2 * position.mobility(player) as i32;
    value(player) - value(player.opponent())
}

/// The evaluations as ours.
pub fn lines_score(position: &ConnectFour, player: Player) -> Score {
    Score::new(lines(position, player))
}

/// The evaluations as ours.
pub fn hus_score(position: &hus::Position, player: Player) -> Score {
    Score::new(seeds_and_moves(position, player))
}

/// Any of our turn-based games for the crate `minimax`.
pub struct Ours<G>(std::marker::PhantomData<G>);

fn winner<G: TurnBased>(position: &G) -> Option<minimax::Winner> {
    position.end().map(|end| match end.outcome {
        Outcome::Draw => minimax::Winner::Draw,
        Outcome::Win(player) if player == position.to_move() => minimax::Winner::PlayerToMove,
        Outcome::Win(_) => minimax::Winner::PlayerJustMoved,
    })
}

/// A small number for each move, for the tables of `minimax`.
pub trait Numbered {
    const COUNT: u16;
    fn number(self) -> u16;
}

impl Numbered for Column {
    const COUNT: u16 = 7;
    fn number(self) -> u16 {
        self.index() as u16
    }
}

impl Numbered for Pit {
    const COUNT: u16 = 64;
    fn number(self) -> u16 {
        self.index() as u16
    }
}

impl<G: TurnBased + Copy> minimax::Game for Ours<G>
where
    G::Move: Numbered,
{
    type S = G;
    type M = G::Move;

    fn generate_moves(position: &G, moves: &mut Vec<G::Move>) -> Option<minimax::Winner> {
        if let Some(winner) = winner(position) {
            return Some(winner);
        }
        position.moves(moves);
        None
    }

    fn apply(position: &mut G, mv: G::Move) -> Option<G> {
        Some(position.after(mv))
    }

    fn get_winner(position: &G) -> Option<minimax::Winner> {
        winner(position)
    }

    fn zobrist_hash(position: &G) -> u64 {
        position.key()
    }

    fn table_index(mv: G::Move) -> u16 {
        mv.number()
    }

    fn max_table_index() -> u16 {
        G::Move::COUNT
    }
}

#[derive(Clone)]
pub struct Lines;

impl minimax::Evaluator for Lines {
    type G = Ours<ConnectFour>;
    fn evaluate(&self, position: &ConnectFour) -> minimax::Evaluation {
        lines(position, position.to_move()) as i16
    }
}

#[derive(Clone)]
pub struct SeedsAndMoves;

impl minimax::Evaluator for SeedsAndMoves {
    type G = Ours<hus::Position>;
    fn evaluate(&self, position: &hus::Position) -> minimax::Evaluation {
        seeds_and_moves(position, position.to_move()) as i16
    }
}

/// Connect Four for the crate `treant`.
#[derive(Clone)]
pub struct Board(pub ConnectFour);

impl treant::GameState for Board {
    type Move = Column;
    type Player = Player;
    type MoveList = Vec<Column>;

    fn current_player(&self) -> Player {
        self.0.to_move()
    }

    fn available_moves(&self) -> Vec<Column> {
        self.0.move_list(self.0.to_move()).to_vec()
    }

    fn make_move(&mut self, mv: &Column) {
        self.0.play(*mv);
    }
}
