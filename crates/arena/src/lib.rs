#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod adapter;
#[cfg(feature = "native")]
mod count;
mod digest;
#[cfg(feature = "native")]
pub mod disk;
mod drawing;
#[cfg(feature = "native")]
mod event;
#[cfg(feature = "native")]
mod finished;
mod game_result;
#[cfg(feature = "native")]
mod journal;
mod limits;
#[cfg(feature = "native")]
mod machine;
#[cfg(feature = "native")]
mod merge;
mod opening;
#[cfg(feature = "native")]
mod pairings;
#[cfg(feature = "native")]
pub mod pieces;
#[cfg(feature = "native")]
mod plan;
#[cfg(all(feature = "native", unix))]
mod processor;
#[cfg(feature = "native")]
mod rated;
mod referee;
#[cfg(feature = "native")]
mod report;
#[cfg(feature = "native")]
mod results;
#[cfg(feature = "native")]
mod run;
#[cfg(all(feature = "native", unix))]
pub mod sandbox;
mod saved;
#[cfg(feature = "native")]
mod schedule;
#[cfg(feature = "native")]
mod shown;
#[cfg(feature = "simulation")]
pub mod simulation;
#[cfg(feature = "native")]
mod standings;
pub mod statistics;
#[cfg(feature = "native")]
mod summary;
#[cfg(feature = "native")]
mod tables;
#[cfg(feature = "native")]
mod tally;
mod thoughts;
#[cfg(feature = "native")]
pub mod ugi;
#[cfg(feature = "native")]
mod warnings;
mod words;

pub use adapter::{Adapter, Takes};
pub use digest::{Digest, ParseDigestError};
pub use drawing::{Area, Colour, Drawing, Figure, Shape, Target};
#[cfg(feature = "native")]
pub use event::{Contest, Event, Factory, Worker};
#[cfg(feature = "native")]
pub use finished::FinishedGame;
pub use game_result::{DOUBLE_FORFEIT, Fault, GameResult, TAMPERING};
#[cfg(feature = "native")]
pub use journal::{
    Journal, JournalError, LineProblem, Place, Scan, Syncer, Void, line_bytes, note_interruption,
    read_first_line, read_journal, seal, unseal,
};
pub use limits::{ClockKind, MatchLimits, ParseLimitsError, TimeControl, duration_text, parse_duration};
#[cfg(feature = "native")]
pub use machine::{Load, Machine};
#[cfg(feature = "native")]
pub use merge::{Collected, collect, merge, plan_of};
pub use opening::{ListError, ListedOpenings, Opening, Openings, OpeningsChoice, ParseOpeningsError};
#[cfg(feature = "native")]
pub use pairings::{Beside, PairingRow};
#[cfg(feature = "native")]
pub use plan::{BotPlan, EventPlan, FORMAT_VERSION, Plan, PlanError};
#[cfg(all(feature = "native", unix))]
pub use processor::{ThreadClock, counts_processor_time};
pub use referee::{Conditions, NoResult, Played, ReplayRule, play_game};
#[cfg(feature = "native")]
pub use report::{Drawer, Reel, ReportError, ReportInput, write_report};
#[cfg(feature = "native")]
pub use results::{Results, SprtState};
#[cfg(feature = "native")]
pub use run::{Control, Ending, ParseShardError, Progress, RunError, RunOptions, RunReport, Shard, run};
pub use saved::{Course, ReplayError, SavedGame};
#[cfg(feature = "native")]
pub use schedule::{Format, Job, Schedule, Slot};
#[cfg(feature = "native")]
pub use shown::{shown, shown_lines};
#[cfg(feature = "native")]
pub use standings::{RatingChoice, Row, Standings, provisional};
#[cfg(feature = "native")]
pub use summary::{EventSummary, Lengths, Seats, SprtSummary, Summary, TimeScale, csv_text};
#[cfg(feature = "native")]
pub use tables::{crosstable, event_text, sprt_text, standings_table};
#[cfg(feature = "native")]
pub use tally::{BotTally, Cells, Half, PairingTally, Tally, Thinking};
pub use thoughts::{Seen, Thought, Thoughts};
