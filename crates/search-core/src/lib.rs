//! The contract of a two-player game, and every search that needs no knowledge of a particular game.
//!
//! Three rooms: `contract` says what a game is, `search` holds the searches, `testing` what holds a game to the contract.
//! The paths for users are short: everything is re-exported here.
#![warn(missing_docs)]

mod contract;
mod search;
mod testing;

pub use contract::{
    Active, Analysis, Answer, Bot, BotFailure, Canvas, Clock, Count, Each, End, FailureKind, Filter, Game,
    IllegalMove, Indexed, Limits, Mixed, MoveList, MoveSink, Nth, Outcome, Paint, ParseOutcomeError,
    ParsePlayerError, ParseStandardError, ParseTurnError, Planes, Player, Problem, Record, RootMove, Score,
    SearchRng, Shape, Simultaneous, Standard, Stats, StopFlag, StopReason, SystemClock, Task, Time, Turn,
    TurnBased, Watcher, derive_seed, for_each_turn, parse_turn, split_mix, stream, turn_count, turn_text,
};
pub use search::{
    AlphaBeta, AlphaBetaSettings, AtCap, ByEvaluation, Ends, Evaluate, Exploitability, Extend, Features,
    FinalChoice, Growth, HookSet, Hooks, Linear, Mcts, MctsSettings, NoExtend, NoOrder, NoPrune, NoQuiesce,
    Order, ParseSerializedError, ProofAnalysis, ProofSearch, ProofSettings, ProofStats, Prune, Quiesce,
    Reductions, Rollout, Search, SearchBot, Selection, Selector, SerialBot, Serialized, Serially,
    SimultaneousSearch, SimultaneousSettings, SmMcts, SmMctsSettings, TableUse, TimeSettings, TooLarge,
    Uniform, Verdict, WeightsError, Zero, exploitability, matrix, reference, serialize_record, ucb1,
};
#[cfg(feature = "corpus")]
pub use testing::corpus;
pub use testing::{ParseSuiteError, SuiteEntry, divide, perft, perft_played, perft_suite};
#[cfg(feature = "proptest")]
pub use testing::{laws, strategies};
