//! Bots for any game: random moves, one ply of any evaluation, plain minimax, the searches with their options; and catalogues
//! of them for a game of one's own.

mod catalogues;
mod greedy;
mod level;
mod minimax;
mod options;
mod poll;
mod random;
mod reflex;

pub use catalogues::{simultaneous, turn_based};
pub use greedy::Greedy;
pub use level::{Level, Levels, Weakness};
pub use minimax::Minimax;
pub use options::{
    ALPHABETA, ASPIRATION, CAP, COUNTER, DECISIVE, DEPTH, EXPLORATION, HASH, HISTORY, ITERATIVE, KILLERS,
    LINES, LMR, MCTS, MEMORY, MOVETIME, NODES, PLAYOUTS, PVS, TABLE, THREADS, alphabeta, cap, mcts,
    mebibytes, searching,
};
pub use poll::poll;
pub use random::Random;
pub use reflex::{Reflex, no_move};
