//! What a game is, and what passes between a game, a bot and its caller: no search, no test.

mod analysis;
mod bot;
mod game;
mod indexed;
mod limits;
mod moves;
mod panics;
mod planes;
mod player;
mod product;
mod record;
mod rng;
mod score;
mod seed;
mod turns;

pub use analysis::{Analysis, Child, Mixed, RootMove, Shares, Stats, StopReason};
pub use bot::{Answer, Bot, BotFailure, FailureKind, ParseFailureError, Task, Watcher, ask_anew};
pub use game::{Active, Game, Paint, ParseStandardError, Simultaneous, Standard, Turn, TurnBased};
pub use indexed::Indexed;
pub use limits::{Clock, Limits, StopFlag, SystemClock, Time};
pub use moves::{Count, Each, Filter, MoveList, MoveSink, Nth};
pub use panics::quietly;
pub use planes::{Canvas, Planes, Shape};
pub use player::{End, Outcome, ParseOutcomeError, ParsePlayerError, Player};
pub use product::fold;
pub(crate) use product::share;
pub use record::{IllegalMove, Problem, Record};
pub use rng::SearchRng;
pub use score::{Bound, Score};
pub use seed::{derive_seed, split_mix, stream};
pub use turns::{ParseTurnError, for_each_turn, parse_turn, play_out, sample_turn, turn_count, turn_text};
