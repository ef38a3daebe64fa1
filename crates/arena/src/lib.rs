//! Play: referee, clocks, matches, tournaments, journal, ratings, reports.
//!
//! The arena knows the contract of a game (`search_core`) and nothing else: it names no game and no bot. A [`Plan`] says
//! what is to be played, [`run`] plays it with the bots of each [`Event`] and keeps the journal, [`Standings`] count it.
#![warn(missing_docs)]

mod digest;
mod event;
mod guard;
mod journal;
mod limits;
mod machine;
mod merge;
mod opening;
mod plan;
mod referee;
mod report;
mod results;
mod run;
mod saved;
mod schedule;
mod shown;
mod standings;
pub mod statistics;
mod summary;
mod tables;
mod tally;
pub mod ugi;
mod warnings;

pub use digest::{Digest, ParseDigestError};
pub use event::{Contest, Event, Factory, FinishedGame, Worker};
pub use journal::{
    FaultLine, GameLine, Journal, JournalError, LineProblem, Scan, Syncer, line_bytes, read_journal,
};
pub use limits::{MatchLimits, ParseLimitsError, TimeControl, duration_text, parse_duration};
pub use machine::Machine;
pub use merge::{Collected, collect, merge};
pub use opening::{Opening, Openings, OpeningsChoice, ParseOpeningsError, PositionsError};
pub use plan::{BotPlan, EventPlan, FORMAT_VERSION, Plan, PlanError};
pub use referee::{Conditions, DOUBLE_FORFEIT, Fault, NoResult, Played, ReplayRule, Usage, play_game};
pub use report::{Drawer, Drawing, Reel, ReportError, ReportInput, write_report};
pub use results::{Results, SprtState};
pub use run::{Control, Ending, ParseShardError, Progress, RunError, RunOptions, RunReport, Shard, run};
pub use saved::{ReplayError, SavedGame};
pub use schedule::{Format, Job, Schedule, Slot};
pub use shown::{shown, shown_lines};
pub use standings::{PairingRow, PlayedOut, Row, Standings, provisional};
pub use summary::{EventSummary, Lengths, Seats, SprtSummary, Summary};
pub use tables::{crosstable, event_text, sprt_text, standings_table};
pub use tally::{BotTally, Cells, Counted, PairingTally, Tally};
