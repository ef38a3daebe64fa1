#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod adapter;
mod digest;
mod drawing;
#[cfg(feature = "native")]
mod event;
mod guard;
#[cfg(feature = "native")]
mod journal;
mod limits;
#[cfg(feature = "native")]
mod machine;
#[cfg(feature = "native")]
mod merge;
mod opening;
#[cfg(feature = "native")]
mod plan;
mod referee;
#[cfg(feature = "native")]
mod report;
#[cfg(feature = "native")]
mod results;
#[cfg(feature = "native")]
mod run;
mod saved;
#[cfg(feature = "native")]
mod schedule;
#[cfg(feature = "native")]
mod shown;
#[cfg(feature = "native")]
mod standings;
pub mod statistics;
#[cfg(feature = "native")]
mod summary;
#[cfg(feature = "native")]
mod tables;
#[cfg(feature = "native")]
mod tally;
#[cfg(feature = "native")]
pub mod ugi;
#[cfg(feature = "native")]
mod warnings;

pub use adapter::{Adapter, Takes};
pub use digest::{Digest, ParseDigestError};
pub use drawing::{Area, Colour, Drawing, Figure, Shape, Target};
#[cfg(feature = "native")]
pub use event::{Contest, Event, Factory, FinishedGame, Worker};
#[cfg(feature = "native")]
pub use journal::{
    FaultLine, GameLine, Journal, JournalError, LineProblem, Scan, Syncer, line_bytes, read_journal,
};
pub use limits::{MatchLimits, ParseLimitsError, TimeControl, duration_text, parse_duration};
#[cfg(feature = "native")]
pub use machine::Machine;
#[cfg(feature = "native")]
pub use merge::{Collected, collect, merge};
pub use opening::{Opening, Openings, OpeningsChoice, ParseOpeningsError, PositionsError};
#[cfg(feature = "native")]
pub use plan::{BotPlan, EventPlan, FORMAT_VERSION, Plan, PlanError};
pub use referee::{
    Conditions, DOUBLE_FORFEIT, Fault, NoResult, Played, ReplayRule, TAMPERING, Usage, is_void, play_game,
};
#[cfg(feature = "native")]
pub use report::{Drawer, Reel, ReportError, ReportInput, write_report};
#[cfg(feature = "native")]
pub use results::{Results, SprtState};
#[cfg(feature = "native")]
pub use run::{Control, Ending, ParseShardError, Progress, RunError, RunOptions, RunReport, Shard, run};
pub use saved::{ReplayError, SavedGame};
#[cfg(feature = "native")]
pub use schedule::{Format, Job, Schedule, Slot};
#[cfg(feature = "native")]
pub use shown::{shown, shown_lines};
#[cfg(feature = "native")]
pub use standings::{PairingRow, PlayedOut, Row, Standings, provisional};
#[cfg(feature = "native")]
pub use summary::{EventSummary, Lengths, Seats, SprtSummary, Summary};
#[cfg(feature = "native")]
pub use tables::{crosstable, event_text, sprt_text, standings_table};
#[cfg(feature = "native")]
pub use tally::{BotTally, Cells, Counted, PairingTally, Tally};
