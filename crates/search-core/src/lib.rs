//! The contract of a two-player game, and every search that needs no knowledge of a particular game.
#![warn(missing_docs)]

mod alphabeta;
mod analysis;
mod bot;
mod budget;
#[cfg(feature = "corpus")]
pub mod corpus;
mod exploitability;
mod game;
mod hooks;
#[cfg(feature = "proptest")]
pub mod laws;
mod limits;
mod linear;
pub mod matrix;
mod mcts;
mod mixer;
mod moves;
mod path;
mod perft;
mod player;
mod proof;
mod record;
pub mod reference;
mod rng;
mod score;
mod search;
mod seed;
mod serialized;
mod serially;
mod simultaneous;
mod smmcts;
#[cfg(feature = "proptest")]
pub mod strategies;
mod table;
mod turns;
mod ucb;

pub use alphabeta::{AlphaBeta, AlphaBetaSettings, Reductions, TableUse};
pub use analysis::{Analysis, Mixed, RootMove, Stats, StopReason};
pub use bot::{Answer, Bot, BotFailure, FailureKind, Task, Watcher};
pub use budget::TimeSettings;
pub use exploitability::{Exploitability, TooLarge, exploitability};
pub use game::{Active, Game, Paint, ParseStandardError, Simultaneous, Standard, Turn, TurnBased};
pub use hooks::{
    ByEvaluation, Evaluate, Extend, HookSet, Hooks, NoExtend, NoOrder, NoPrune, NoQuiesce, Order, Prune,
    Quiesce, Rollout, Uniform, Zero,
};
pub use limits::{Clock, Limits, StopFlag, SystemClock, Time};
pub use linear::{Features, Linear, WeightsError};
pub use mcts::{AtCap, FinalChoice, Growth, Mcts, MctsSettings, Selection};
pub use moves::{Count, Each, Filter, MoveList, MoveSink, Nth};
pub use perft::{ParseSuiteError, SuiteEntry, divide, perft, perft_played, perft_suite};
pub use player::{End, Outcome, ParseOutcomeError, ParsePlayerError, Player};
pub use proof::{ProofAnalysis, ProofSearch, ProofSettings, ProofStats, Verdict};
pub use record::{IllegalMove, Problem, Record};
pub use rng::SearchRng;
pub use score::Score;
pub use search::{Ends, Search, SearchBot};
pub use seed::{derive_seed, split_mix, stream};
pub use serialized::{ParseSerializedError, Serialized};
pub use serially::{SerialBot, Serially, serialize_record};
pub use simultaneous::{SimultaneousSearch, SimultaneousSettings};
pub use smmcts::{Selector, SmMcts, SmMctsSettings};
pub use turns::{ParseTurnError, for_each_turn, parse_turn, turn_count, turn_text};
pub use ucb::ucb1;
