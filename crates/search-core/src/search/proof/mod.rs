//! Proof-number search: is this position won for one player, and by which move?

mod search;
mod settings;
mod table;
mod trail;

use std::marker::PhantomData;
use std::time::Duration;

pub use settings::ProofSettings;

use self::table::ProofTable;
use crate::{
    Analysis, Limits, Player, Record, Score, Search, Stats, StopFlag, StopReason, SystemClock, Task,
    TurnBased,
};

/// What a proof search found out about a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProofResult {
    /// The player wins against every defence.
    Proven,
    /// The player cannot force a win: the opponent holds a draw at least.
    Disproven,
    /// The limits came first.
    #[default]
    Unknown,
}

/// What a proof search did, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProofStats {
    /// Moves played on the search's own board, and the root.
    pub nodes: u64,
    /// Positions whose moves were looked at; one that was left and taken up again counts again.
    pub expanded: u64,
    /// Table look-ups that found the position.
    pub table_hits: u64,
    /// Entries that gave way to others.
    pub replaced: u64,
    /// Positions that had come before on the line.
    pub repetitions: u64,
    /// The longest line, in plies.
    pub deepest: u32,
    /// Time taken, as the clock handed in saw it.
    pub time: Duration,
}

/// The answer of a proof search.
#[derive(Debug, Clone, PartialEq)]
pub struct ProofAnalysis<M> {
    /// Won, not won, or not known.
    pub result: ProofResult,
    /// The winning move, if a win is proven and the player is to move.
    pub best: Option<M>,
    /// A line of the proof as far as the table still knows it: the player's winning moves, and the answers that hold out
    /// longest. Empty without a proof.
    pub line: Vec<M>,
    /// The length of the proven win in plies, at most; there may be a shorter one.
    pub plies: Option<u32>,
    /// How many leaves still had to be won at least when the search came back: 0 for a proof.
    pub proof: u32,
    /// How many leaves still had to be held at least: 0 for a disproof.
    pub disproof: u32,
    /// Why the search came back.
    pub stop: StopReason,
    /// What it did.
    pub stats: ProofStats,
}

impl<M> Default for ProofAnalysis<M> {
    fn default() -> Self {
        ProofAnalysis {
            result: ProofResult::Unknown,
            best: None,
            line: Vec::new(),
            plies: None,
            proof: 1,
            disproof: 1,
            stop: StopReason::default(),
            stats: ProofStats::default(),
        }
    }
}

/// Depth-first proof-number search (df-pn): proves that a player wins, or that he cannot force it, over any turn-based
/// game. It knows nothing of the game but its rules, and finds narrow deep wins, where the loser has few moves, long
/// before a search by depth does.
///
/// Every position has two numbers: how many leaves at least must still turn out well to prove the win, and how many to
/// disprove it. The search always goes on where the fewest are missing, holds one line in memory besides a table of fixed
/// size, and returns to a position when the numbers elsewhere have grown beyond its own. When the table is full, what took
/// the least work gives way and may be searched again.
///
/// # What it claims
///
/// A win is claimed only on ends by the rules of the board.
///
/// - **A draw** is not a win: it disproves one.
/// - **Repetition.** A position that has come before on the line counts as not won there. No win is missed by
///   it: a player who can force a win can do so without coming back to any position, by always moving to where the win is
///   nearest. A proof stays true on any other line for the same reason. A disproof that rests on a repetition is true on its line
///   only, so it goes into the table only for positions at or above the one repeated; the price is that such positions are searched
///   again on other lines, and the limits may come first. In a game with a repetition rule the positions of the record count as draws, as
///   in the other searches, and the table is emptied before each search. Equal repetition keys must mean equal keys.
/// - **A cap on the turns** counts as not won. Entries of the table do not know the turn counter: a proof is used only where
///   more turns are left than it takes, a disproof that rests on the cap is not kept. Should the rules give the player the game at the
///   cap, such a win is missed, and what would be a disproof is unknown.
/// - **Lines longer than [`ProofSettings::max_depth`]** count as not won, and leave a disproof that rests on them unknown.
///
/// Playing a proven move and asking again gives a true proof each time, but not always of a nearer win. In a game without
/// a repetition rule a bot should not play a proof's move twice in the same position.
///
/// With a limit on nodes it is reproducible to the bit. In a game without a repetition rule what it learned stays for the next
/// question about the same player; [`Search::new_game`] forgets it.
///
/// ```
/// # use search_core::{ProofSearch, ProofSettings, Limits, Player, Record, TurnBased, ProofResult};
/// # fn test<G: TurnBased>(start: G) {
/// let record = Record::new(start);
/// let mut search = ProofSearch::new(ProofSettings::default());
/// let analysis = search.prove(&record, Player::One, Limits::nodes(100_000));
/// if analysis.result == ProofResult::Proven {
///     println!("won in {:?} plies at most: {:?}", analysis.plies, analysis.line);
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct ProofSearch<G: TurnBased> {
    settings: ProofSettings,
    table: Option<ProofTable>,
    /// Whose wins the table is about.
    about: Option<Player>,
    game: PhantomData<fn() -> G>,
}

impl<G: TurnBased> ProofSearch<G> {
    /// A search with these settings. The table is allocated when a game begins, or by the first search.
    pub fn new(settings: ProofSettings) -> Self {
        ProofSearch { settings, table: None, about: None, game: PhantomData }
    }

    /// The settings.
    pub fn settings(&self) -> &ProofSettings {
        &self.settings
    }

    /// The bytes the table occupies now.
    pub fn table_bytes(&self) -> usize {
        self.table.as_ref().map_or(0, ProofTable::bytes)
    }

    /// Looks for a win of the task's player, who need not be the one to move. A limit on depth is a limit on the length
    /// of the lines.
    pub fn prove_task(&mut self, task: &Task<'_, G>) -> ProofAnalysis<G::Move> {
        let started = task.clock.now();
        let table = self.table.get_or_insert_with(|| ProofTable::new(self.settings.table_bytes));
        if G::REPETITION.is_some() || self.about != Some(task.player) {
            table.clear();
            self.about = Some(task.player);
        }
        table.age();
        search::run(&self.settings, table, task, started)
    }

    /// Looks for a win of `player` in the current position of a record, with the system's clock.
    pub fn prove(&mut self, record: &Record<G>, player: Player, limits: Limits) -> ProofAnalysis<G::Move> {
        let clock = SystemClock::new();
        self.prove_task(&Task::plain(record, player, limits, &StopFlag::new(), &clock))
    }
}

impl<M: Copy> From<ProofAnalysis<M>> for Analysis<M> {
    /// A proven win has the score of its length; all else is worth a draw, for nothing is known or claimed.
    fn from(proof: ProofAnalysis<M>) -> Self {
        let won = proof.plies.filter(|_| proof.result == ProofResult::Proven);
        Analysis {
            best: proof.best,
            score: won.map_or(Score::DRAW, Score::win_in),
            pv: proof.line,
            depth: proof.stats.deepest,
            stop: proof.stop,
            stats: Stats {
                nodes: proof.stats.nodes,
                table_hits: proof.stats.table_hits,
                time: proof.stats.time,
                ..Stats::default()
            },
            ..Analysis::default()
        }
    }
}

/// As a search like the others it answers with the proven move, or, without a proof, with the first legal move of the player
/// who asked.
impl<G: TurnBased> Search<G> for ProofSearch<G> {
    fn new_game(&mut self, _: u64) {
        self.about = None;
        // Before the first move's time begins; clearing it once more for the player it is about then costs nothing.
        self.table.get_or_insert_with(|| ProofTable::new(self.settings.table_bytes)).clear();
    }

    fn search(&mut self, task: &Task<'_, G>) -> Analysis<G::Move> {
        let analysis = Analysis::from(self.prove_task(task));
        let best = analysis.best.or_else(|| task.record.legal_moves(task.player).first().copied());
        Analysis { best, ..analysis }
    }
}
