//! The contract of a two-player game, and every search that needs no knowledge of a particular game.
#![warn(missing_docs)]

mod analysis;
mod bot;
#[cfg(feature = "corpus")]
pub mod corpus;
mod game;
#[cfg(feature = "proptest")]
pub mod laws;
mod limits;
mod moves;
mod perft;
mod player;
mod record;
mod score;
mod seed;
#[cfg(feature = "proptest")]
pub mod strategies;
mod turns;
mod ucb;

pub use analysis::{Analysis, Mixed, RootMove, Stats, StopReason};
pub use bot::{Answer, Bot, BotFailure, FailureKind, Task, Watcher};
pub use game::{Active, Game, Paint, ParseStandardError, Simultaneous, Standard, Turn, TurnBased};
pub use limits::{Clock, Limits, StopFlag, SystemClock, Time};
pub use moves::{Count, Filter, MoveList, MoveSink, Nth};
pub use perft::{divide, perft, perft_played};
pub use player::{End, Outcome, ParseOutcomeError, ParsePlayerError, Player};
pub use record::{IllegalMove, Problem, Record};
pub use score::Score;
pub use seed::{derive_seed, split_mix, stream};
pub use turns::{ParseTurnError, for_each_turn, parse_turn, turn_count, turn_text};
pub use ucb::ucb1;
